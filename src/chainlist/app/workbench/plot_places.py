"""Where in the text the items of each plot stand, and what else could be plotted: the page lets axes be chosen by a click."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chainlist.app.workbench.handles import Offsets
from chainlist.model.mechanism import Mechanism
from chainlist.output.panels import KINDS
from chainlist.run.observables import kind_of_item
from chainlist.syntax.tree import Chainlist, Command, Together

MOST_ITEMS = 400  # that are offered; any other can be written


def plot_places(mechanism: Mechanism, tree: Chainlist, offsets: Offsets) -> list[dict[str, Any]]:
    """The panels that `panels.py` makes, in their order, with the places of their items in the main text."""
    source = tree.span.source
    quoted = [
        argument.span
        for command in tree.statements
        if isinstance(command, Command)
        for argument in command.arguments
        if isinstance(argument, Together)
    ]

    found = []
    for plot in mechanism.plots:
        for panel in plot.panels:
            for kind in KINDS:
                items = [item for item in panel if kind_of_item(item.formula) == kind]
                spans = [item.span for item in items if item.span is not None and item.span.source is source]
                if items and len(spans) == len(items):
                    together = any(span.start <= spans[0].start < span.stop for span in quoted)
                    places = [{"text": s.text, "at": [offsets(s.start), offsets(s.stop)]} for s in spans]
                    title = "  ".join(item.text for item in items)
                    found.append({"title": title, "quoted": together, "items": places})
    return found


def offered_items(mechanism: Mechanism) -> list[str]:
    """Items that are one number over the time: of the whole, of bodies, links, forces and motors."""
    found = ["Time", "T", "U", "Etotal", "Work"]
    found += [item for items in _of_parts(mechanism) for item in items]
    return found[:MOST_ITEMS]


def _of_parts(mechanism: Mechanism) -> Iterator[list[str]]:
    axes = "XYZ"[: mechanism.dimension]
    of_bodies = [*axes, *(f"V{axis}" for axis in axes), "SPEED", *(f"A{axis}" for axis in axes)]
    for body in mechanism.bodies:
        if not body.is_inner:
            yield [f"{function}({body.name})" for function in of_bodies]
    for constraint in mechanism.constraints:
        functions = ["ANGLE"] if constraint.is_arm and mechanism.dimension == 2 else []
        functions += ["TENSION"] if constraint.is_arm else []
        yield [f"{function}({constraint.name})" for function in functions]
    for element in mechanism.elements:
        if element.turns:
            yield [f"TORQUE({element.name})"]
    for force in mechanism.forces:
        if not force.turns:
            yield [f"FORCE({force.name})"]
