"""What happened in a run: impacts, ropes that come taut, links that break, in words and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chainlist.model.mechanism import Element

# What contacts, friction and ropes do again and again. All else begins or ends something: cut, breaks, is released, stops.
FREQUENT = frozenset(
    ("hits", "is struck", "comes taut", "goes slack", "leaves", "jerks", "stays in touch", "slips", "sticks")
)


@dataclass(frozen=True)
class Happening:
    """An event at `time` [s]: `who` names the element and its bodies; an impact has an impulse [N s] and takes energy [J]."""

    time: float
    what: str
    who: tuple[str, ...]
    impulse: float = 0.0
    lost: float = 0.0
    note: str = ""

    def __str__(self) -> str:
        name, *bodies = self.who or ("the run",)
        whom = f" ({', '.join(bodies)})" if bodies else ""
        more = f": {self.note}" if self.note else ""
        if self.impulse:
            more = f", impulse {self.impulse:.4g} N s, lost {self.lost:.4g} J"
        return f"{self.time:.6f} s  {name}{whom} {self.what}{more}"


def name_of(element: Element) -> str:
    return element.name


def events_of(motion: Any) -> tuple[Happening, ...]:
    """The events of a run in the order of their times; none for samples that do not know theirs."""
    return tuple(sorted(getattr(motion, "events", ()), key=lambda event: event.time))
