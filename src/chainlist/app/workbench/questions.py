"""What the editor asks about its text while somebody writes: completion and hover.

A question goes to a process that reads texts (`asking.py`), for the server itself reads none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chainlist.app.workbench.handles import Offsets
from chainlist.app.workbench.pool import QueueFull
from chainlist.app.workbench.session import Session

SECONDS = 3.0  # that an answer may take


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
