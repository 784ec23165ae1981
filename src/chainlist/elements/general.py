"""G: a constraint by expression: Φ(q, time) = 0.

G1 {X(B1)**2+4*Y(B1)**2-1}
"""

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Row, register


def read(card: Card) -> Reading:
    formula = card.equation("positions")
    return Reading((), formulas=(formula,))


def parts(placed: Placed) -> Parts:
    return Parts(rows=(Row(placed.formulas[0]),))


register(
    ElementType(
        letter="G",
        name="constraint",
        syntax="G<name> {<expression>} | {<expression>}={<expression>}",
        meaning="keeps an expression of positions and the time at zero",
        read=read,
        parts=parts,
        picture="none",
        gives="",
        count=("constraint by expression", "constraints by expression"),
    )
)
