"""ALL in a condition or an expression, `CUT={TENSION(ALL)>3}`: there it is one link that is asked."""

from __future__ import annotations

from collections.abc import Mapping

from chainlist.model.desk import Problem
from chainlist.model.entities import PlacedElement
from chainlist.syntax.source import Span


def all_at_once(element: PlacedElement, at: Span, asked: Mapping[str, PlacedElement], *, any_link: bool) -> Problem:
    """`any_link`: one of `asked` is wanted for its force; else for its angle."""
    place = element.name.rpartition(".")[0]  # the instance in whose text this stands
    links = [
        one.name for one in asked.values() if one.kind.is_link and one.name.startswith(f"{place}." if place else "")
    ]
    items = ("TENSION",) if any_link else ("ANGLE", "OMEGA")
    example = element.name if element.name in links else next(iter(links), "C1")
    named = " or ".join(f"{item}({example.removeprefix(f'{place}.')})" for item in items)
    help = f"name it: {named}" if links else f"add a link, such as C1, and write {named}"
    message = f"{element.name}: here {' or '.join(items)} is asked of one link, not of ALL"
    return Problem("E226", message, at, label="names all of them", help=help)
