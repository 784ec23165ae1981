"""N: a constraint of velocities: Ψ(q, v, time) = 0, linear in the velocities. It need not follow from one of positions.

N1 {VY(B1)*cos(time)-VX(B1)*sin(time)}
N2 GEAR(C1,C2) RATIO=2
N3 R1 BLADE(B1)
N4 R1 ROLL LINE(0,1,0) RADIUS=0.3
N5 RACK(R1,B2) RADIUS=0.1
"""

import math
from dataclasses import replace

from chainlist.elements.base import (
    Card,
    ElementType,
    Parts,
    Placed,
    Reading,
    Refused,
    Row,
    Touch,
    check_axis,
    is_rigid,
    register,
)
from chainlist.formula import Constant, End, Formula, Moving, Point, Quantity


def read(card: Card) -> Reading:
    if card.peek_call() == "rack":
        return _read_rack(card)
    name = card.peek_name()
    if name is not None and is_rigid(name):
        return _read_contact(card)
    if card.peek_call() == "gear":
        with card.inside("GEAR"):
            first, second = card.link(), card.link()
        ratio = card.named("RATIO")
        check_axis(card, (first, second))
        if first == second:
            card.refuse("a gear needs two different links", help="write GEAR(C1,C2) RATIO=2")
        if ratio is None or ratio == 0:
            what = "a gear needs RATIO, the teeth of the second over those of the first"
            card.refuse(what, help="write RATIO=2", lacking=ratio is None)
        return Reading((), (ratio,), form="gear", of=(first, second))
    return Reading((), formulas=(card.equation("motion"),))


def _read_contact(card: Card) -> Reading:
    """`R1 BLADE(B1)`, or `R1 ROLL LINE(k1,k2,konst) RADIUS=r`."""
    body = card.link()
    _check_plane(card)
    if card.peek_call() == "blade":
        return Reading(card.points_of("BLADE", 1), form="blade", of=(body,))
    if card.word("ROLL") is None:
        card.fail("what does the body do?", help=f"write {body} BLADE(B1), or {body} ROLL LINE(0,1,0) RADIUS=0.1")
    line = card.numbers("LINE", "number", "number", "length")
    if line[0] == 0.0 and line[1] == 0.0:
        card.refuse("k1 = k2 = 0 is no line", help="LINE(0,1,0) is the x axis, LINE(1,0,0) the y axis")
    return Reading((), (*line, _radius(card, "RADIUS")), form="roll", of=(body,))


def _read_rack(card: Card) -> Reading:
    _check_plane(card)
    with card.inside("RACK"):
        gear, rack = card.link(), card.body()
    along = card.named_numbers("ALONG") or (1.0, 0.0)
    if len(along) != 2 or along == (0.0, 0.0):
        card.refuse("ALONG is the direction in which the rack moves", help="write ALONG=(1,0)")
    return Reading((rack,), (_radius(card, "RADIUS"),), form="rack", of=(gear,), vectors=(("ALONG", along),))


def _radius(card: Card, key: str) -> float | None:
    radius = card.named(key, "length")
    if radius is not None and radius <= 0:
        card.refuse(f"{key} must be positive, not {radius:g}", help=f"write {key}=0.1")
    return radius


def _check_plane(card: Card) -> None:
    if card.dimension == 3:
        card.fail(
            "this is a constraint of the plane", help="write what holds by an expression of velocities: N1 {VX(B1)-…}"
        )


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """A line and a direction move and turn with the submachine."""
    if reading.form == "roll":
        *line, radius = reading.values
        k1, k2, konst = (float(x or 0.0) for x in line)
        n = tuple(r[0] * k1 + r[1] * k2 for r in rotation)
        return replace(reading, values=(*n, konst + n[0] * shift[0] + n[1] * shift[1], radius))
    if reading.form == "rack":
        (_, (x, y)), *_ = reading.vectors
        return replace(reading, vectors=(("ALONG", tuple(r[0] * x + r[1] * y for r in rotation)),))
    return reading


def _contact(placed: Placed) -> Parts:
    """A body of the plane that rolls, or that cuts like a skate."""
    axis, other = placed.arms[0][1], placed.others[0]
    omega = Quantity("OMEGA", placed.arms[0])
    if placed.form == "blade":
        (point,) = placed.ends
        if point not in other.ends:
            raise Refused(f"{point} is no point of {placed.of[0]}", help="name a point that the body holds")
        length = math.dist(*placed.arm_points[0])
        ux, uy = (Quantity(name, (axis,)) for name in "XY")
        across = (ux * Quantity("VY", (point,)) - uy * Quantity("VX", (point,))) / length
        return Parts(rows=(Row(across, of_velocities=True),), gives="N")
    radius = placed.values[-1] or other.values[1]
    if not radius:
        raise Refused("it needs a radius", help="write RADIUS=0.1")
    centre, place = other.ends[0], placed.other_points[0][0]
    if placed.form == "rack":
        return Parts(rows=(_rack(placed, radius, centre, place, omega),), gives="N")
    k1, k2, konst = (x or 0.0 for x in placed.values[:3])
    length = math.hypot(k1, k2)
    side = (k1 * place[0] + k2 * place[1] - konst) / length
    if side == 0.0:
        raise Refused("its centre lies on the line it rolls on", help="put the centre one radius beside the line")
    vx, vy = (Constant(0.0) if isinstance(centre, tuple) else Quantity(name, (centre,)) for name in ("VX", "VY"))
    along = (k1 / length) * vy - (k2 / length) * vx
    row = Row(along - math.copysign(radius, side) * omega, of_velocities=True)
    touch = Touch(centre, (k1 / length, k2 / length), konst / length, math.copysign(1.0, side), radius)
    return Parts(rows=(row,), touches=() if isinstance(centre, Moving) else (touch,), gives="N")


def _rack(placed: Placed, radius: float, centre: End, place: Point, omega: Formula) -> Row:
    """The rack touches the gear on the side on which its body lies."""
    (_, (x, y)), *_ = placed.vectors
    length = math.hypot(x, y)
    tx, ty = x / length, y / length
    (rack,), (there,) = placed.ends, placed.points
    side = tx * (there[1] - place[1]) - ty * (there[0] - place[0])
    if side == 0.0:
        raise Refused("the rack goes through the centre of the gear", help="put it one radius beside the centre")
    along: Formula = tx * Quantity("VX", (rack,)) + ty * Quantity("VY", (rack,))
    if not isinstance(centre, tuple):
        along = along - tx * Quantity("VX", (centre,)) - ty * Quantity("VY", (centre,))
    return Row(along + math.copysign(radius, side) * omega, of_velocities=True)


def parts(placed: Placed) -> Parts:
    """Gears that mesh outside turn against one another: ω1 = −ω2·z2/z1."""
    if placed.form in ("blade", "roll", "rack"):
        return _contact(placed)
    if placed.form == "gear":
        if len(placed.arms) < 2:
            raise Refused(
                "gears are of the plane", help="in space write what holds by an expression of velocities: N1 {VX(B1)-…}"
            )
        first, second = (Quantity("OMEGA", arm) for arm in placed.arms)
        return Parts(rows=(Row(first + (placed.values[0] or 0.0) * second, of_velocities=True),), gives="J/rad")
    return Parts(rows=(Row(placed.formulas[0], of_velocities=True),))


register(
    ElementType(
        letter="N",
        name="velocity constraint",
        syntax="N<name> {<expression>} | {<expression>}={<expression>} | GEAR(<link>,<link>) RATIO=<z2/z1>"
        " | <rigid body> BLADE(<body>) | <rigid body> ROLL LINE(<k1>,<k2>,<konst>) RADIUS=<r> | RACK(<rigid body>,<body>) RADIUS=<r>",
        meaning="keeps an expression that is linear in velocities at zero",
        read=read,
        parts=parts,
        carried=carried,
        picture="none",
        gives="",
        count=("constraint of velocity", "constraints of velocity"),
    )
)
