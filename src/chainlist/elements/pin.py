"""J: a pin: two points that stand in one place stay together.

J1 B1 B2
J2 B3 (1,0)
"""

import math

from chainlist.elements.base import Card, ElementType, Parts, Placed, Reading, Refused, Row, register
from chainlist.formula import Quantity

TOGETHER = 1e-9  # how far apart the two may be, relative to the size of the machine


def read(card: Card) -> Reading:
    first, second = card.end(), card.end()
    if not isinstance(first, str) and not isinstance(second, str):
        card.refuse("a pin between two anchors holds nothing", help="pin a body")
    elif first == second:
        card.refuse(f"a pin from {first} to itself holds nothing", help="give it two different points")
    return Reading((first, second))


def parts(placed: Placed) -> Parts:
    one, two = placed.points
    apart = math.dist(one, two)
    if apart > TOGETHER * placed.size:
        message = f"a pin joins two points in one place, but these are {apart:.3g} apart"
        raise Refused(message, help="move one of them, or join them by a link (C)")
    axes = "XYZ"[: len(one)]
    first, second = placed.ends
    return Parts(rows=tuple(Row(Quantity(axis, (first,)) - Quantity(axis, (second,))) for axis in axes))


register(
    ElementType(
        letter="J",
        name="pin",
        syntax="J<name> <point> <point>",
        meaning="two points that stand in one place stay together",
        read=read,
        parts=parts,
        picture="pin",
        units=("m", "m/s", "N"),
        count=("pin", "pins"),
    )
)
