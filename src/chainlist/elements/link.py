"""C: a massless rigid rod keeps two points at a fixed distance; over pegs it is a string of constant length.

C1 B1 (0,0)
C2 B1 B2 LENGTH=20cm
C3 B1 (0,0) LENGTH={1+0.1*sin(2*time)}
C4 B1 (-1,2) (1,2) B2
"""

import math
from itertools import pairwise

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Refused, Row, register, shortest
from chainlist.formula import Constant, End, Formula, Point, Quantity, end_name
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    ends = card.ends(2)
    if not any(isinstance(end, str) for end in ends):
        card.fail("a link between two anchors holds nothing", help="anchors do not move: leave it out, or link a body")
    for first, second in pairwise(ends):
        if first == second:
            card.fail(f"a link from {end_name(first)} to itself holds nothing", help="give it two different ends")
    length = card.named_expression("LENGTH", "time", "length")
    if isinstance(length, Constant) and length.value <= 0:
        card.fail(
            f"LENGTH must be positive, not {length.value:g}", help="leave LENGTH out to take it from the positions"
        )
    if isinstance(length, Constant):
        return Reading(ends, (length.value,), form="string" if len(ends) > 2 else "")
    if length is not None:
        return Reading(ends, (), (length,), form="driven")
    return Reading(ends, (None,), form="string" if len(ends) > 2 else "")


def parameters(values: tuple[float | None, ...], points: tuple[Point, ...]) -> tuple[float, ...]:
    """The squared length and the length. From positions the square comes first: then Φ is exactly 0 at the start."""
    length = values[0]
    if length is not None:
        return length * length, length
    squared = 0.0
    for a, b in zip(*points, strict=True):  # in the order of the kernel, without the care that sum() takes
        squared += (a - b) * (a - b)
    return squared, math.sqrt(squared)


def parts(placed: Placed) -> Parts | None:
    if not placed.form:
        return None
    if placed.first and (placed.first[0] or 0.0) <= 0:
        raise Refused(f"LENGTH is {placed.first[0]:g} at the start", help="a length must be positive all the time")
    reach: Formula = Constant(0.0)
    for first, second in pairwise(placed.ends):
        reach = reach + Quantity("DIST", (first, second))
    length = placed.formulas[0] if placed.formulas else Constant(placed.values[0] or _reach(placed.points))
    return Parts(rows=(Row(reach - length, force=-1.0),))


def _reach(points: tuple[Point, ...]) -> float:
    return sum(math.dist(one, two) for one, two in pairwise(points))


def by_formula(ends: tuple[End, ...], parameters: tuple[float, ...]) -> Parts:
    return Parts(rows=(Row(Quantity("DIST", ends) - parameters[1], force=-1.0),))


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
    ElementType(
        letter="C",
        name="link",
        syntax="C<name> <body> <body | (x,y)> [LENGTH=<l>]",
        meaning="a massless rigid rod between two bodies, or a body and an anchor; with more ends a string over pegs",
        read=read,
        parts=parts,
        parameters=parameters,
        row=row,
        by_formula=by_formula,
        tension_sign=-1.0,
        force_scale=lambda parameters: 0.5 / parameters[1],
        length=lambda parameters: parameters[1],
        write=write,
        is_link=True,
        units=("m²", "m²/s", "N/m"),
        count=("link", "links"),
    )
)
