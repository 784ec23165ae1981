"""S: a straight rail keeps a body on the line k1·x + k2·y = konst.

S1 B2 LINE(0,1,0)
S1 B2 0 1 0
"""

import math

from chainlist.constraints.base import Card, ConstraintType, Point, Reading, register, shortest
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    body = card.body()
    k1, k2, konst = card.numbers("LINE", "number", "number", "length")
    if k1 == 0 and k2 == 0:
        card.fail("k1 = k2 = 0 is no line", help="LINE(0,1,0) is the x axis, LINE(1,0,0) the y axis")
    return Reading((body,), (k1, k2, konst))


def parameters(values: tuple[float | None, ...], points: tuple[Point, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in values if value is not None)


def moved(values: tuple[float | None, ...], rotation: tuple[Point, ...], shift: Point) -> tuple[float | None, ...]:
    *normal, konst = parameters(values, ())
    turned = tuple(sum(r * n for r, n in zip(line, normal, strict=True)) for line in rotation)
    return (*turned, konst + sum(n * d for n, d in zip(turned, shift, strict=True)))


def write(numbers: tuple[float, ...], points: tuple[Point, ...]) -> str:
    return f"LINE({','.join(shortest(number) for number in numbers)})"


def row(k, s, w, t, q, v):  # type: ignore[no-untyped-def]
    # Φ = k1·x + k2·y − konst ;  A = (k1, k2) ;  b = 0
    i = s.point[k, 0]
    along = 0.0
    for c in range(DIM):
        w.J[k, c] = s.par[k, c]
        w.J[k, DIM + c] = 0.0
        along += s.par[k, c] * q[i, c]
    w.phi[k] = along - s.par[k, DIM]
    w.b[k] = 0.0


register(
    ConstraintType(
        letter="S",
        name="slider",
        syntax="S<name> <body> LINE(<k1>,<k2>,<konst>)",
        meaning="keeps a body on the line k1·x + k2·y = konst",
        read=read,
        parameters=parameters,
        row=row,
        ends=1,
        force_scale=lambda parameters: 1.0 / math.hypot(*parameters[:-1]),
        moved=moved,
        write=write,
    )
)
