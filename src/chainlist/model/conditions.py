"""What conditions of a mechanism ask for."""

from __future__ import annotations

from chainlist.formula import Formula, Quantity, walk
from chainlist.model.mechanism import Mechanism


def conditions_of(mechanism: Mechanism) -> list[Formula]:
    """Of ropes and links that begin, end or break, and of .stop."""
    switches = [switch for element in mechanism.switched for switch in element.parts.switches]
    found = [formula for switch in switches for formula in (switch.since, switch.until) if formula is not None]
    return [*found, *(stop.margin for stop in mechanism.stops)]


def asked_for(mechanism: Mechanism) -> list[str]:
    """The links whose force a condition asks for."""
    nodes = (node for formula in conditions_of(mechanism) for node in walk(formula))
    found = (node for node in nodes if isinstance(node, Quantity) and node.function == "TENSION")
    return list(dict.fromkeys(str(node.arguments[0]) for node in found))
