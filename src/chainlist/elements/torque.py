"""T: a torque on a link or a rigid body, or between two.

T1 C1 {2*sin(time)}
T2 R1 R2 {-0.1*(OMEGA(R1)-OMEGA(R2))}
T3 R1 R2 AXIS(B1,B2) {0.5}
T4 R1 ({0},{time},{0})
"""

from dataclasses import replace

from chainlist.elements.base import Axes, Card, ElementType, Law, Parts, Placed, Reading, Refused, register
from chainlist.elements.turning import PLACES, check_turning, read_turning, turn_of
from chainlist.formula import Constant, Formula, Point, Quantity, function


def read(card: Card) -> Reading:
    turned, axis = read_turning(card)
    if card.at_vector():
        if card.dimension == 2:
            card.fail("in the plane a torque is one number", help=f"write {card.name} R1 {{2*sin(time)}}")
        if len(turned) > 1 or axis:
            card.refuse(
                "a torque with three components acts on one body", help="give an AXIS and one number, or one body"
            )
        return Reading((), formulas=card.vector("motion"), form="vector", of=turned)
    torque = card.expression("motion")
    check_turning(card, turned, axis)
    return Reading(axis, formulas=(torque,), of=turned)


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """A vector turns with the submachine. In a mirror a torque turns the other way."""
    formulas = reading.formulas
    if reading.form == "vector":
        zero: Formula = Constant(0.0)
        formulas = tuple(sum((r * f for r, f in zip(line, formulas, strict=True)), zero) for line in rotation)
    return replace(reading, formulas=tuple(handed * formula for formula in formulas))


def parts(placed: Placed) -> Parts:
    """Along the angle of a link: a couple of forces at its ends. Between two: + on the first, − on the second."""
    if placed.form == "vector":
        return Parts(forces=_couple(placed.bodies[0], placed.formulas))
    if not placed.arms:
        turn = turn_of(placed)
        return Parts(forces=(Law(function("turn", turn.sine, turn.cosine), placed.formulas[0]),))
    signs = (1.0, -1.0)
    laws = (
        Law(Quantity("ANGLE", arm), placed.formulas[0], sign=sign)
        for arm, sign in zip(placed.arms, signs, strict=False)
    )
    return Parts(forces=tuple(laws))


def _couple(body: Axes, torque: tuple[Formula, ...]) -> tuple[Law, ...]:
    """½ τ × a on each of three axes a of length 1: their power is τ·ω."""
    if len(body.lengths) < 3:
        raise Refused("a torque with three components needs a body with a thickness", help="give it CG= and J=")
    laws = []
    for axis, length in zip(body.axes, body.lengths, strict=True):
        a = [Quantity(name, (axis,)) for name in PLACES]
        share = 0.5 / (length * length)
        for c, name in enumerate(PLACES):
            one, two = (c + 1) % 3, (c + 2) % 3
            laws.append(Law(Quantity(name, (axis,)), share * (torque[one] * a[two] - torque[two] * a[one])))
    return tuple(laws)


register(
    ElementType(
        letter="T",
        name="torque",
        syntax="T<name> <link> [<link>] {<m>}",
        meaning="a torque on a link or body (positive: counter-clockwise), or between two: + on the first, − on the second",
        read=read,
        parts=parts,
        carried=carried,
        turns=True,
        gives="J/rad",
        picture="torque",
        count=("torque", "torques"),
    )
)
