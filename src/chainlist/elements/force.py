"""F: a force on a body, or along the line between two points.

F1 B1 ({3*cos(time)},{-X(B1)})
F2 B1 B2 {10-DIST(B1,B2)}
"""

from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Law, Parts, Placed, Reading, register
from chainlist.formula import Constant, Point, Quantity


def read(card: Card) -> Reading:
    first = card.end()
    if card.at_vector():
        if not isinstance(first, str):
            card.refuse("a force acts on a body, not on a fixed point", help=f"name a body: {card.name} B1 (0,-1)")
        return Reading((first,), formulas=card.vector("motion", "force"), form="vector")
    if not card.peek_point() and card.peek_name() is None:
        given, rest = card.peek_text() or "5", ",0" * (card.dimension - 1)
        start = card.read_so_far
        help = f"write {start} ({given}{rest}), or along the line of two points {start} B2 {given}"
        card.fail("a force needs a direction", help=help)
    second = card.end()
    if not isinstance(first, str) and not isinstance(second, str):
        card.refuse("a force between two anchors moves nothing", help="give one end a body")
    elif first == second:
        card.refuse(f"a force from {first} to itself has no direction", help="give it two different ends")
    return Reading((first, second), formulas=(card.expression("motion", "force"),), form="line")


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """A vector turns with the submachine."""
    if reading.form != "vector":
        return reading
    turned = (sum((r * f for r, f in zip(line, reading.formulas, strict=True)), Constant(0.0)) for line in rotation)
    return replace(reading, formulas=tuple(turned))


def parts(placed: Placed) -> Parts:
    if placed.form == "vector":
        along = (Quantity(axis, placed.ends) for axis in "XYZ")
        return Parts(forces=tuple(Law(axis, force) for axis, force in zip(along, placed.formulas, strict=False)))
    return Parts(forces=(Law(Quantity("DIST", placed.ends), placed.formulas[0], sign=-1.0),))


register(
    ElementType(
        letter="F",
        name="force",
        syntax="F<name> <body> ({<fx>},{<fy>}) | F<name> <point> <point> {<f>}",
        meaning="a force on a body, or along a line (positive pulls together)",
        read=read,
        parts=parts,
        carried=carried,
        picture="force",
        count=("force", "forces"),
    )
)
