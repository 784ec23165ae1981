"""S: a rail keeps a body on a line, fixed, moving or through two points, or on a circle.

S1 B2 LINE(0,1,0)
S1 B2 0 1 0
S2 B2 LINE({-sin(time)},{cos(time)},0)
S3 B2 LINE(B3,B4)
S4 B2 CIRCLE((0,0),1)
"""

import math
from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Refused, Row, register, shortest
from chainlist.formula import Constant, End, Formula, Point, Quantity
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    body = card.body()
    if card.peek_call() == "circle":
        with card.inside("CIRCLE"):
            centre, radius = card.end(), card.expression("time", "length")
        if isinstance(radius, Constant) and radius.value <= 0:
            card.fail(f"the radius must be positive, not {radius.value:g}", help="write CIRCLE((0,0),1)")
        if centre == body:
            card.fail(f"{body} cannot slide around itself", help="give the circle another centre")
        return Reading((body, centre), formulas=(radius,), form="circle")
    if card.peek_call() == "line" and card.count_inside() == 2 and card.points_inside():
        first, second = card.points_of("LINE", 2)
        if first == second or body in (first, second):
            card.fail("a line needs two points other than the body on it", help="write LINE(B1,B2) or LINE((0,0),B2)")
        return Reading((body, first, second), form="through")
    k1, k2, konst = card.expressions("LINE", "time", "number", "number", "length")
    numbers = tuple(formula.value for formula in (k1, k2, konst) if isinstance(formula, Constant))
    if k1 == Constant(0.0) and k2 == Constant(0.0):
        card.fail("k1 = k2 = 0 is no line", help="LINE(0,1,0) is the x axis, LINE(1,0,0) the y axis")
    if len(numbers) == 3:
        return Reading((body,), numbers)
    return Reading((body,), formulas=(k1, k2, konst), form="told")


def parts(placed: Placed) -> Parts | None:
    if not placed.form:
        return None
    body = placed.ends[0]
    x, y = Quantity("X", (body,)), Quantity("Y", (body,))
    if placed.form == "told":
        k1, k2, konst = placed.formulas
        if placed.first[:2] == (0.0, 0.0):
            raise Refused("k1 = k2 = 0 at the start is no line", help="LINE(-sin(a),cos(a),0) has the angle a")
        return Parts(rows=(Row(k1 * x + k2 * y - konst),))
    if placed.form == "circle":
        if (placed.first[0] or 0.0) <= 0:
            raise Refused(
                f"the radius is {placed.first[0]:g} at the start", help="a radius must be positive all the time"
            )
        return Parts(rows=(Row(Quantity("DIST", placed.ends) - placed.formulas[0]),))
    _, first, second = placed.ends
    if placed.points[1] == placed.points[2]:
        raise Refused("the two points of its line stand in one place", help="move one of them: they give the direction")
    return Parts(rows=(Row(_beside(x, y, first, second)),))


def _beside(x: Formula, y: Formula, first: End, second: End) -> Formula:
    """How far (x, y) is to the left of the arrow from the first point to the second."""
    ax, ay = (Quantity(axis, (first,)) for axis in "XY")
    bx, by = (Quantity(axis, (second,)) for axis in "XY")
    across = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    return across / Quantity("DIST", (first, second))


def parameters(values: tuple[float | None, ...], points: tuple[Point, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in values if value is not None)


def by_formula(ends: tuple[End, ...], parameters: tuple[float, ...]) -> Parts:
    *normal, konst = parameters
    length = math.hypot(*normal)
    along: Formula = Constant(-konst / length)
    for axis, k in zip("XYZ", normal, strict=False):
        if k:
            along = along + k / length * Quantity(axis, ends)
    return Parts(rows=(Row(along),))


def moved(values: tuple[float | None, ...], rotation: tuple[Point, ...], shift: Point) -> tuple[float | None, ...]:
    *normal, konst = parameters(values, ())
    turned = tuple(sum(r * n for r, n in zip(line, normal, strict=True)) for line in rotation)
    return (*turned, konst + sum(n * d for n, d in zip(turned, shift, strict=True)))


def write(numbers: tuple[float, ...], points: tuple[Point, ...]) -> str:
    return f"LINE({','.join(shortest(number) for number in numbers)})"


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """The normal of a line by expressions turns, and the line is shifted."""
    if reading.form != "told":
        return reading
    *normal, konst = reading.formulas
    zero: Formula = Constant(0.0)
    turned = [sum((r * n for r, n in zip(line, normal, strict=True)), zero) for line in rotation]
    along = sum((n * d for n, d in zip(turned, shift, strict=True)), zero)
    return replace(reading, formulas=(*turned, konst + along))


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
    ElementType(
        letter="S",
        name="slider",
        syntax="S<name> <body> LINE(<k1>,<k2>,<konst>)",
        meaning="keeps a body on the line k1·x + k2·y = konst, on LINE(P,P) through two points, or on CIRCLE((x,y),r)",
        read=read,
        parts=parts,
        parameters=parameters,
        row=row,
        by_formula=by_formula,
        ends=1,
        force_scale=lambda parameters: 1.0 / math.hypot(*parameters[:-1]),
        moved=moved,
        carried=carried,
        write=write,
        picture="rail",
        units=("m", "m/s", "N"),
        count=("slider", "sliders"),
    )
)
