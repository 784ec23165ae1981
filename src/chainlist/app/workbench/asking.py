"""Questions of the editor about its text, answered by the language service in a process that reads texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chainlist.app.workbench.checking import read_text
from chainlist.app.workbench.handles import Offsets
from chainlist.app.workbench.settings import RunLimits
from chainlist.language.completion import Kind
from chainlist.language.service import Service

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
