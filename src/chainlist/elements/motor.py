"""M: a motor turns a link or a rigid body by an angle, or with a speed, that is a function of the time.

M1 C1 ANGLE={2*pi*time}
M2 R2 R1 SPEED={smooth(time,0,1)*10}
M3 R1 AXIS((0,0,0),(0,0,1)) SPEED=3
"""

from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Row, register
from chainlist.elements.turning import check_turning, read_turning, turn_of
from chainlist.formula import Point, function


def read(card: Card) -> Reading:
    turned, axis = read_turning(card)
    angle = card.named_expression("ANGLE", "time", "angle")
    speed = card.named_expression("SPEED", "time", "number")
    check_turning(card, turned, axis)
    if angle is not None and speed is not None:
        card.fail("a motor has an ANGLE or a SPEED, not both", help="leave one of them out")
    if angle is not None:
        return Reading(axis, formulas=(angle,), form="angle", of=turned)
    if speed is not None:
        return Reading(axis, formulas=(speed,), form="speed", of=turned)
    card.fail("a motor needs ANGLE={…} or SPEED={…}", help="write M1 C1 SPEED=10")


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """In a mirror it turns the other way."""
    return replace(reading, formulas=tuple(handed * formula for formula in reading.formulas))


def parts(placed: Placed) -> Parts:
    """Φ is the angle that is still missing, Ψ the rate: the multiplier is the torque."""
    turn = turn_of(placed)
    if placed.form == "speed":
        return Parts(rows=(Row(turn.rate - placed.formulas[0], of_velocities=True),))
    sine, cosine = turn.beyond(placed.formulas[0] + turn.start)
    return Parts(rows=(Row(function("atan2", sine, cosine)),))


register(
    ElementType(
        letter="M",
        name="motor",
        syntax="M<name> <link> [<link>] ANGLE={…} | SPEED={…}",
        meaning="turns a link or a rigid body, or one against another, by an angle or with a speed that is a function of the time",
        read=read,
        parts=parts,
        carried=carried,
        turns=True,
        picture="motor",
        units=("rad", "rad/s", "J/rad"),
        count=("motor", "motors"),
    )
)
