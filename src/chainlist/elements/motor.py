"""M: a motor turns a link or a rigid body by an angle, or with a speed, that is a function of the time.

M1 C1 ANGLE={2*pi*time}
M2 R2 R1 SPEED={smooth(time,0,1)*10}
M3 R1 AXIS((0,0,0),(0,0,1)) SPEED=3
M4 C1 SPEED=5 RELEASE={time>2}
"""

import re
from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Row, Switch, register
from chainlist.elements.switching import conditional, read_conditions
from chainlist.elements.turning import check_turning, read_turning, turn_of
from chainlist.formula import Point, function


def read(card: Card) -> Reading:
    turned, axis = read_turning(card)
    angle = card.named_expression("ANGLE", "time", "angle")
    speed = card.named_expression("SPEED", "time", "number")
    keys, conditions = read_conditions(card, "RELEASE")
    check_turning(card, turned, axis)
    if angle is not None and speed is not None:
        card.refuse("a motor has an ANGLE or a SPEED, not both", help="leave one of them out")
    if angle is not None:
        return Reading(axis, formulas=(angle, *conditions), form="angle", of=turned, keys=keys)
    if speed is not None:
        return Reading(axis, formulas=(speed, *conditions), form="speed", of=turned, keys=keys)
    card.fail("a motor needs ANGLE={…} or SPEED={…}", help=_law_meant(card), lacking=True)


def _law_meant(card: Card) -> str:
    """The cure of a motor without ANGLE and SPEED: what stands there without a name keeps its value."""
    given, start = card.peek_text().strip("{}"), card.read_so_far
    if minute := re.fullmatch(r"([-+\d.eE]+)rpm", given):
        return f"write {start} SPEED={{2*pi*{minute[1]}/60}}, in rad/s"
    if re.search(r"\btime\b", given, re.IGNORECASE):
        return f"write {start} ANGLE={{{given}}} if this is an angle, SPEED={{{given}}} if it is a speed in rad/s"
    return f"write {start} SPEED={given if re.fullmatch(r'[-+.eE0-9]+', given) else f'{{{given}}}' if given else '10'}"


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """In a mirror it turns the other way."""
    first, *conditions = reading.formulas
    return replace(reading, formulas=(handed * first, *conditions))


def parts(placed: Placed) -> Parts:
    """Φ is the angle that is still missing, Ψ the rate: the multiplier is the torque."""
    turn = turn_of(placed)
    if placed.form == "speed":
        row = Row(turn.rate - placed.formulas[0], of_velocities=True)
    else:
        sine, cosine = turn.beyond(placed.formulas[0] + turn.start)
        row = Row(function("atan2", sine, cosine))
    if not placed.keys:
        return Parts(rows=(row,))
    return Parts(rows=(row,), switches=(conditional(placed, Switch(row, who=placed.of)),))


register(
    ElementType(
        letter="M",
        name="motor",
        syntax="M<name> <link> [<link>] ANGLE={…} | SPEED={…} [RELEASE={…}]",
        meaning="turns a link or a rigid body, or one against another, by an angle or with a speed that is a function of the time",
        read=read,
        parts=parts,
        carried=carried,
        turns=True,
        gives="J/rad",
        picture="motor",
        units=("rad", "rad/s", "J/rad"),
        count=("motor", "motors"),
        instead=(
            ("omega", "how fast a motor turns is its SPEED: SPEED={…} in rad/s"),
            (
                "torque",
                "a motor keeps an ANGLE or a SPEED, whatever torque that takes; a torque is an entity T: T1 C1 {3}",
            ),
        ),
    )
)
