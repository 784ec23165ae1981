"""M: a motor turns a link by an angle, or with a speed, that is a function of the time.

M1 C1 ANGLE={2*pi*time}
M2 C2 C1 SPEED={smooth(time,0,1)*10}
"""

import math
from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Refused, Row, check_axis, register
from chainlist.formula import End, Formula, Point, Quantity, function


def read(card: Card) -> Reading:
    links = [card.link()]
    if card.peek_name() is not None:
        links.append(card.link())
    angle = card.named_expression("ANGLE", "time", "angle")
    speed = card.named_expression("SPEED", "time", "number")
    check_axis(card, links)
    if angle is not None and speed is not None:
        card.fail("a motor has an ANGLE or a SPEED, not both", help="leave one of them out")
    if angle is not None:
        return Reading((), formulas=(angle,), form="angle", of=tuple(links))
    if speed is not None:
        return Reading((), formulas=(speed,), form="speed", of=tuple(links))
    card.fail("a motor needs ANGLE={…} or SPEED={…}", help="write M1 C1 SPEED=10")


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """In a mirror it turns the other way."""
    return replace(reading, formulas=tuple(handed * formula for formula in reading.formulas))


def parts(placed: Placed) -> Parts:
    """Φ is the angle that is still missing, Ψ the rate: the multiplier is the torque."""
    if len(set(placed.of)) < len(placed.of):
        raise Refused(f"{placed.of[0]} cannot be turned against itself", help="name two links, or one")
    if placed.form == "speed":
        rate: Formula = Quantity("OMEGA", placed.arms[0])
        if len(placed.arms) == 2:
            rate = rate - Quantity("OMEGA", placed.arms[1])
        return Parts(rows=(Row(rate - placed.formulas[0], of_velocities=True),))
    start = _direction(placed.arm_points[0])
    against: list[Formula | float] = [1.0, 0.0]
    if len(placed.arms) == 2:
        start -= _direction(placed.arm_points[1])
        against = list(_arrow(placed.arms[1]))
    x, y = _arrow(placed.arms[0])
    wanted = placed.formulas[0] + start
    c, s = function("cos", wanted), function("sin", wanted)
    nx = c * against[0] - s * against[1]
    ny = s * against[0] + c * against[1]
    return Parts(rows=(Row(function("atan2", nx * y - ny * x, nx * x + ny * y)),))


def _arrow(arm: tuple[End, End]) -> tuple[Formula, Formula]:
    first, second = arm
    return (
        Quantity("X", (second,)) - Quantity("X", (first,)),
        Quantity("Y", (second,)) - Quantity("Y", (first,)),
    )


def _direction(points: tuple[tuple[float, ...], tuple[float, ...]]) -> float:
    first, second = points
    return math.atan2(second[1] - first[1], second[0] - first[0])


register(
    ElementType(
        letter="M",
        name="motor",
        syntax="M<name> <link> [<link>] ANGLE={…} | SPEED={…}",
        meaning="turns a link, or one against another, by an angle or with a speed that is a function of the time",
        read=read,
        parts=parts,
        carried=carried,
        turns=True,
        picture="motor",
        units=("rad", "rad/s", "J/rad"),
        count=("motor", "motors"),
    )
)
