"""What the editor asks about its text while somebody writes: completion and hover, answered by the language service.

A question goes to a process that reads texts, for the server itself reads none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chainlist.app.workbench.checking import read_text
from chainlist.app.workbench.handles import Offsets
from chainlist.app.workbench.settings import RunLimits
from chainlist.language.completion import Kind
from chainlist.language.service import Service

if TYPE_CHECKING:
    from chainlist.app.workbench.session import Session

SECONDS = 3.0  # that an answer may take
_TYPES: dict[Kind, str] = {
    "command": "keyword",
    "option": "property",
    "setting": "property",
    "value": "constant",
    "item": "function",
    "function": "function",
    "body": "variable",
    "parameter": "variable",
    "element": "class",
    "letter": "class",
}  # the signs of the editor's list


@dataclass(frozen=True)
class Question:
    """One question of a browser. All of it could be forged. `at` and `length` count as the browser does, in UTF-16 units."""

    number: int
    what: str  # complete, hover
    at: int
    length: int  # of the text that it is about

    @classmethod
    def of(cls, data: dict[str, Any]) -> Question:
        given = (data.get(key) for key in ("number", "at", "length"))
        number, at, length = (max(0, value) if isinstance(value, int) else 0 for value in given)
        return cls(number, str(data.get("what")), at, length)


async def answer(session: Session, question: Question) -> dict[str, Any]:
    """What is known; nothing where the text has changed meanwhile."""
    from chainlist.app.workbench.pool import QueueFull

    settings, text = session.bench.settings, session.text
    if len(text) > settings.limits.characters or Offsets(text)(len(text)) != question.length:
        return {}
    request = {
        "text": text,
        "name": session.file_name,
        "what": question.what,
        "at": question.at,
        "seconds": SECONDS,
        "megabytes": settings.limits.megabytes,
        "limits": settings.limits.as_data(),
        "folder": str(settings.folder) if settings.folder else None,
    }
    try:
        outcome = await session.bench.checks.submit("ask", request).wait()
    except QueueFull:
        return {}
    return outcome.data if outcome.ending == "done" else {}


def answered(what: str, text: str, at: int, limits: RunLimits, folder: Path | None, name: str) -> dict[str, Any]:
    """The answer, in a process that reads texts."""
    service = read_text(text, limits, folder, name)
    offsets = Offsets(text)
    place = min(len(text), len(text.encode("utf-16-le")[: 2 * at].decode("utf-16-le", "ignore")))
    if what == "complete":
        return _completions(service, offsets, place)
    if what == "hover":
        found = service.hover(place)
        if found is not None:
            span = found.span
            return {"from": offsets(span.start), "to": offsets(span.stop), "code": found.code, "text": found.text}
    return {}


def _completions(service: Service, offsets: Offsets, place: int) -> dict[str, Any]:
    found = service.complete(place)
    return {
        "from": offsets(found.start),
        "more": found.more,
        "options": [
            {
                "label": one.label,
                "apply": one.text,
                "detail": one.detail,
                "info": one.info,
                "type": _TYPES[one.kind],
                "again": one.kind == "option",  # its values are offered at once
            }
            for one in found.found
        ],
    }
