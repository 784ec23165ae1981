"""T: a torque on a link, or between two.

T1 C1 {2*sin(time)}
T2 C1 C2 {-0.1*(OMEGA(C1)-OMEGA(C2))}
"""

from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Law, Parts, Placed, Reading, check_axis, register
from chainlist.formula import Point, Quantity


def read(card: Card) -> Reading:
    links = [card.link()]
    following = card.peek_name()
    if following is not None and following[0].upper() == links[0].split(".")[-1][0].upper():
        links.append(card.link())
    check_axis(card, links)
    if len(set(links)) < len(links):
        card.fail(f"{links[0]} cannot turn against itself", help="name two links, or one")
    return Reading((), formulas=(card.expression("motion"),), of=tuple(links))


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """In a mirror it turns the other way."""
    return replace(reading, formulas=tuple(handed * formula for formula in reading.formulas))


def parts(placed: Placed) -> Parts:
    """Along the angle of a link: a couple of forces at its ends. Between two: + on the first, − on the second."""
    signs = (1.0, -1.0)
    laws = (
        Law(Quantity("ANGLE", arm), placed.formulas[0], sign=sign)
        for arm, sign in zip(placed.arms, signs, strict=False)
    )
    return Parts(forces=tuple(laws))


register(
    ElementType(
        letter="T",
        name="torque",
        syntax="T<name> <link> [<link>] {<m>}",
        meaning="a torque on a link (positive: counter-clockwise), or between two: + on the first, − on the second",
        read=read,
        parts=parts,
        carried=carried,
        turns=True,
        picture="torque",
        count=("torque", "torques"),
    )
)
