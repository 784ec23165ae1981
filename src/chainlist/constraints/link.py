"""C: a massless rigid rod keeps two points at a fixed distance.

C1 B1 (0,0)
C2 B1 B2 LENGTH=20cm
"""

import math

from chainlist.constraints.base import Card, ConstraintType, Point, Reading, register, shortest
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    first, second = card.end(), card.end()
    if not isinstance(first, str) and not isinstance(second, str):
        card.fail("a link between two anchors holds nothing", help="anchors do not move: leave it out, or link a body")
    if first == second:
        card.fail(f"a link from {first} to itself holds nothing", help="give it two different ends")
    length = card.named("LENGTH", "length")
    if length is not None and length <= 0:
        card.fail(f"LENGTH must be positive, not {length:g}", help="leave LENGTH out to take it from the positions")
    return Reading((first, second), (length,))


def parameters(values: tuple[float | None, ...], points: tuple[Point, ...]) -> tuple[float, ...]:
    """The squared length and the length. From positions the square comes first: then Φ is exactly 0 at the start."""
    length = values[0]
    if length is not None:
        return length * length, length
    squared = 0.0
    for a, b in zip(*points, strict=True):  # in the order of the kernel, without the care that sum() takes
        squared += (a - b) * (a - b)
    return squared, math.sqrt(squared)


def write(numbers: tuple[float, ...], points: tuple[Point, ...]) -> str:
    """LENGTH is written where the positions do not give it."""
    return "" if parameters((None,), points) == numbers else f"LENGTH={shortest(numbers[1])}"


def row(k, s, w, t, q, v):  # type: ignore[no-untyped-def]
    # Φ = |qi − qj|² − l² ;  A = (2d, −2d) ;  b = −2|vi − vj|²
    i, j = s.point[k, 0], s.point[k, 1]
    distance2 = 0.0
    speed2 = 0.0
    for c in range(DIM):
        d = q[i, c] - q[j, c]
        u = v[i, c] - v[j, c]
        w.J[k, c] = 2.0 * d
        w.J[k, DIM + c] = -2.0 * d
        distance2 += d * d
        speed2 += u * u
    w.phi[k] = distance2 - s.par[k, 0]
    w.b[k] = -2.0 * speed2


register(
    ConstraintType(
        letter="C",
        name="link",
        syntax="C<name> <body> <body | (x,y)> [LENGTH=<l>]",
        meaning="a massless rigid rod between two bodies, or a body and an anchor",
        read=read,
        parameters=parameters,
        row=row,
        tension_sign=-1.0,
        force_scale=lambda parameters: 0.5 / parameters[1],
        length=lambda parameters: parameters[1],
        write=write,
    )
)
