"""S: a rail keeps a body on a line, fixed, moving or through two points, or on a circle; in space on a plane or a sphere.

S1 B2 LINE(0,1,0)
S1 B2 0 1 0
S2 B2 LINE({-sin(time)},{cos(time)},0)
S3 B2 LINE(B3,B4)
S4 B2 CIRCLE((0,0),1)
S5 B2 PLANE(0,1,0,2)
S6 B2 SPHERE((0,0,0),1)
S7 B2 LINE(0,1,0) MU=0.2
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from chainlist.elements.base import (
    Card,
    ElementType,
    Native,
    Parts,
    Placed,
    Reading,
    Refused,
    Row,
    Switch,
    register,
    shortest,
)
from chainlist.elements.directions import dot, minus, place, tangents, unit, velocity
from chainlist.elements.switching import read_friction, rubbing
from chainlist.formula import Constant, End, Formula, Operation, Point, Quantity, function
from chainlist.kernels.bundles import Rows, RowTable
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    reading = _read_rail(card)
    friction = read_friction(card)
    if friction and reading.form == "through" and card.dimension == 3:
        card.refuse("a line in space has no friction", help="leave MU out")
    return replace(reading, vectors=friction, keys=("MU",)) if friction else reading


def _read_rail(card: Card) -> Reading:
    body = card.body()
    if card.peek_call() in ("circle", "sphere"):
        return _around(card, body)
    if card.peek_call() == "line" and card.count_inside() == 2 and card.points_inside():
        first, second = card.points_of("LINE", 2)
        if first == second or body in (first, second):
            origin = f"({','.join('0' * card.dimension)})"
            help = f"write LINE(B1,B2) or LINE({origin},B2)"
            card.refuse("a line needs two points other than the body on it", help=help)
        return Reading((body, first, second), form="through")
    if card.dimension == 3:
        return _on_plane(card, body)
    if card.peek_call() == "plane":
        card.fail("PLANE(…) is of space, and this machine is in the plane", help="write LINE(k1,k2,konst)")
    k1, k2, konst = card.expressions("LINE", "time", "number", "number", "length")
    numbers = tuple(formula.value for formula in (k1, k2, konst) if isinstance(formula, Constant))
    if k1 == Constant(0.0) and k2 == Constant(0.0):
        card.refuse("k1 = k2 = 0 is no line", help="LINE(0,1,0) is the x axis, LINE(1,0,0) the y axis")
    if len(numbers) == 3:
        return Reading((body,), numbers)
    return Reading((body,), formulas=(k1, k2, konst), form="told")


def _around(card: Card, body: End) -> Reading:
    """A circle in the plane, a sphere in space."""
    name, other = ("SPHERE", "circle") if card.dimension == 3 else ("CIRCLE", "sphere")
    example = "SPHERE((0,0,0),1)" if card.dimension == 3 else "CIRCLE((0,0),1)"
    if card.peek_call() == other:
        help = f"write {example}"
        if card.dimension == 3:
            help += "; a circle in space is where a sphere and a plane meet: add a slider on PLANE(a,b,c,d)"
        where = "in space" if card.dimension == 3 else "in the plane"
        card.fail(f"{other.upper()}(…) has no meaning {where}", help=help)
    with card.inside(name):
        centre, radius = card.end(), card.expression("time", "length")
    if isinstance(radius, Constant) and radius.value <= 0:
        card.refuse(f"the radius must be positive, not {radius.value:g}", help=f"write {example}")
    if centre == body:
        card.refuse(f"{body} cannot slide around itself", help=f"give the {name.lower()} another centre")
    return Reading((body, centre), formulas=(radius,), form=name.lower())


def _on_plane(card: Card, body: End) -> Reading:
    if card.peek_call() == "line":
        card.fail(
            "LINE(k1,k2,konst) is of the plane, and this machine is in space",
            help="write PLANE(a,b,c,d), which is a*x+b*y+c*z=d, or LINE(P,P) through two points",
        )
    formulas = card.expressions("PLANE", "time", "number", "number", "number", "length")
    numbers = tuple(formula.value for formula in formulas if isinstance(formula, Constant))
    if formulas[:3] == (Constant(0.0),) * 3:
        card.refuse("a = b = c = 0 is no plane", help="PLANE(0,1,0,0) is the ground y = 0")
    if len(numbers) == 4:
        return Reading((body,), numbers)
    return Reading((body,), formulas=formulas, form="plane")


def parts(placed: Placed) -> Parts | None:
    rail = _rail(placed)
    if not placed.keys:
        return rail
    row = Native("S", placed.ends, parameters(placed.values, ())) if rail is None else rail.rows[0]
    switch = rubbing(placed, Switch(row, who=placed.ends[:1]), lambda: _slips(placed))
    return Parts(rows=(row,), switches=(switch,))


def _slips(placed: Placed) -> list[Row]:
    """The speeds of the body along its rail."""
    body, d = placed.ends[0], len(placed.points[0])
    speed = velocity(body, d)
    if placed.form == "through":
        first, second = placed.ends[1:]
        line = minus(place(second, d), place(first, d))
        part = dot(minus(place(body, d), place(first, d)), line) / dot(line, line)
        turning = minus(velocity(second, d), velocity(first, d))
        carried = [v + part * u for v, u in zip(velocity(first, d), turning, strict=True)]
        return [Row(dot(unit(line), minus(speed, carried)), of_velocities=True)]
    if placed.form in ("circle", "sphere"):
        centre = placed.ends[1]
        normal = unit(minus(place(body, d), place(centre, d)))
        speed = minus(speed, velocity(centre, d))
    else:
        numbers = [Constant(x or 0.0) for x in placed.values]
        normal = unit(placed.formulas[:-1] if placed.formulas else numbers[:-1])
    return [Row(dot(t, speed), of_velocities=True) for t in tangents(normal)]


def _rail(placed: Placed) -> Parts | None:
    if not placed.form:
        return None
    body = placed.ends[0]
    x, y = Quantity("X", (body,)), Quantity("Y", (body,))
    if placed.form == "plane":
        return _plane(placed)
    if placed.form == "told":
        k1, k2, konst = placed.formulas
        if placed.first[:2] == (0.0, 0.0):
            raise Refused("k1 = k2 = 0 at the start is no line", help="LINE(-sin(a),cos(a),0) has the angle a")
        return Parts(rows=(Row(k1 * x + k2 * y - konst),))
    if placed.form in ("circle", "sphere"):
        if (placed.first[0] or 0.0) <= 0:
            raise Refused(
                f"the radius is {placed.first[0]:g} at the start", help="a radius must be positive all the time"
            )
        return Parts(rows=(Row(Quantity("DIST", placed.ends) - placed.formulas[0]),))
    _, first, second = placed.ends
    if placed.in_one_place(*placed.points[1:]):
        raise Refused("the two points of its line stand in one place", help="move one of them: they give the direction")
    if len(placed.points[0]) == 3:
        return _on_line_in_space(placed)
    return Parts(rows=(Row(_beside(x, y, first, second)),))


def _plane(placed: Placed) -> Parts:
    if placed.first[:3] == (0.0, 0.0, 0.0):
        raise Refused("a = b = c = 0 at the start is no plane", help="three numbers give the direction across it")
    *normal, away = placed.formulas
    across: Formula = Constant(0.0)
    for axis, n in zip("XYZ", normal, strict=True):
        across = across + n * Quantity(axis, placed.ends)
    return Parts(rows=(Row(across - away),))


def _on_line_in_space(placed: Placed) -> Parts:
    """Two rows: how far the body is from the line in two directions that are at right angles to it and to one another."""
    body, first, second = placed.ends
    start = [b - a for a, b in zip(*placed.points[1:], strict=True)]
    if isinstance(first, tuple) and isinstance(second, tuple):
        rows = (Native("S", (body,), (*n, _dot(n, first))) for n in _across(start))
        return Parts(rows=tuple(rows))
    # No direction across a line that turns is good for all its directions. One across its start is, until the line comes near
    # it; there the other one takes its place. Both give the same two dimensions, and rows of length 1.
    one, other = _across(start)
    d = [Quantity(axis, (second,)) - Quantity(axis, (first,)) for axis in "XYZ"]
    r = [Quantity(axis, (body,)) - Quantity(axis, (first,)) for axis in "XYZ"]
    squares = _dot(d, d)
    near = Operation("<", (_NEAR * squares, _dot(d, one) ** 2))
    f = [function("if", near, b, a) for a, b in zip(one, other, strict=True)]
    along = _dot(d, f)
    length = function("sqrt", squares - along * along)
    cross = [d[1] * r[2] - d[2] * r[1], d[2] * r[0] - d[0] * r[2], d[0] * r[1] - d[1] * r[0]]
    aside = _dot(cross, f) / length
    above = (_dot(r, f) * squares - along * _dot(d, r)) / (length * function("sqrt", squares))
    return Parts(rows=(Row(aside, charts=True), Row(above, charts=True)))


_NEAR = 0.64  # squared cosine: within 37° of the line a direction is not across it any more


def _across(d: Sequence[float]) -> tuple[Point, Point]:
    """Two unit vectors at right angles to a vector and to one another."""
    least = min(range(3), key=lambda c: abs(d[c]))
    length = math.hypot(*d)
    u = [x / length for x in d]
    one = _cross(u, [1.0 if c == least else 0.0 for c in range(3)])
    size = math.hypot(*one)
    one = tuple(x / size for x in one)
    return one, _cross(u, one)


def _cross(a: Sequence[float], b: Sequence[float]) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum((x * y for x, y in zip(a[1:], b[1:], strict=True)), a[0] * b[0])


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
    return f"{'LINE' if len(numbers) == 3 else 'PLANE'}({','.join(shortest(number) for number in numbers)})"


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """The normal of a line or plane by expressions turns, and the whole is shifted."""
    if reading.form not in ("told", "plane"):
        return reading
    *normal, konst = reading.formulas
    zero: Formula = Constant(0.0)
    turned = [sum((r * n for r, n in zip(line, normal, strict=True)), zero) for line in rotation]
    along = sum((n * d for n, d in zip(turned, shift, strict=True)), zero)
    return replace(reading, formulas=(*turned, konst + along))


def spell(reading: Reading, text: Callable[[Formula], str]) -> tuple[str | None, ...]:
    """The words of a card with a line or plane by expressions."""
    shape = "LINE" if reading.form == "told" else "PLANE"
    settings = [f"{key}={shortest(value[0])}" for key, value in reading.vectors]
    return (None, f"{shape}({','.join(text(formula) for formula in reading.formulas)})", *settings)


def row(k, s: RowTable, w: Rows, t, q, v):  # type: ignore[no-untyped-def]
    # Φ = k1·x + k2·y − konst ;  A = (k1, k2) ;  b = 0 ;  in space with one term more
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
        syntax="S<name> <body> LINE(<k1>,<k2>,<konst>) | LINE(<point>,<point>) | CIRCLE(<point>,<r>)"
        " | in space PLANE(<a>,<b>,<c>,<d>) | SPHERE(<point>,<r>); [MU=<μ>] [MUS=<μs>]",
        meaning="keeps a body on the line k1·x + k2·y = konst, on LINE(P,P) through two points, or on CIRCLE((x,y),r);"
        " in space on PLANE(a,b,c,d) or SPHERE((x,y,z),r)",
        read=read,
        parts=parts,
        parameters=parameters,
        row=row,
        by_formula=by_formula,
        ends=1,
        instead=(
            ("x", "a line is written by its numbers k1*x+k2*y=konst: x=0 is LINE(1,0,0)"),
            ("y", "a line is written by its numbers k1*x+k2*y=konst: y=0 is LINE(0,1,0)"),
        ),
        force_scale=lambda parameters: 1.0 / math.hypot(*parameters[:-1]),
        moved=moved,
        carried=carried,
        spell=spell,
        write=write,
        picture="rail",
        units=("m", "m/s", "N"),
        count=("slider", "sliders"),
    )
)
