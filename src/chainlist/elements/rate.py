"""N: a constraint of velocities: Ψ(q, v, time) = 0, linear in the velocities. It need not follow from one of positions.

N1 {VY(B1)*cos(time)-VX(B1)*sin(time)}
N2 GEAR(C1,C2) RATIO=2
"""

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Row, check_axis, register
from chainlist.formula import Quantity


def read(card: Card) -> Reading:
    if card.peek_call() == "gear":
        with card.inside("GEAR"):
            first, second = card.link(), card.link()
        ratio = card.named("RATIO")
        check_axis(card, (first, second))
        if first == second:
            card.fail("a gear needs two different links", help="write GEAR(C1,C2) RATIO=2")
        if ratio is None or ratio == 0:
            card.fail("a gear needs RATIO, the teeth of the second over those of the first", help="write RATIO=2")
        return Reading((), (ratio,), form="gear", of=(first, second))
    return Reading((), formulas=(card.equation("motion"),))


def parts(placed: Placed) -> Parts:
    """Gears that mesh outside turn against one another: ω1 = −ω2·z2/z1."""
    if placed.form == "gear":
        first, second = (Quantity("OMEGA", arm) for arm in placed.arms)
        return Parts(rows=(Row(first + (placed.values[0] or 0.0) * second, of_velocities=True),))
    return Parts(rows=(Row(placed.formulas[0], of_velocities=True),))


register(
    ElementType(
        letter="N",
        name="velocity constraint",
        syntax="N<name> {<expression>} | {<expression>}={<expression>} | GEAR(<link>,<link>) RATIO=<z2/z1>",
        meaning="keeps an expression that is linear in velocities at zero",
        read=read,
        parts=parts,
        picture="none",
        count=("constraint of velocity", "constraints of velocity"),
    )
)
