"""What a section of the benchmark hands back, and how it is shown."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any


class Unavailable(Exception):
    """A section cannot run here: no compiler, a simulator that is not installed. Its text says which."""


@dataclass(frozen=True)
class Goal:
    """What a ratio should be: at most `limit`, or at least."""

    limit: float
    at_least: bool = False

    def met(self, ratio: float) -> bool:
        return ratio >= self.limit if self.at_least else ratio <= self.limit

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.limit:g}"


@dataclass(frozen=True)
class Line:
    """One line of a table: figures by name (the name carries the unit), and the one number that has a goal."""

    what: str
    figures: dict[str, float | str]
    ratio: float | None = None
    goal: Goal | None = None
    wrong: str = ""  # what shows that the two did not do the same: then no ratio counts

    @property
    def verdict(self) -> str:
        if self.wrong:
            return f"WRONG: {self.wrong}"
        if self.ratio is None or self.goal is None:
            return ""
        return "met" if self.goal.met(self.ratio) else "MISSED"


@dataclass(frozen=True)
class Section:
    """The outcome of one section."""

    name: str
    title: str
    lines: list[Line] = field(default_factory=list)
    remark: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "remark": self.remark,
            "lines": [_plain({**asdict(line), "verdict": line.verdict}) for line in self.lines],
        }

    def table(self) -> Any:
        """A rich table."""
        from rich.markup import escape
        from rich.table import Table

        names = list(dict.fromkeys(name for line in self.lines for name in line.figures))
        table = Table(title=escape(f"{self.name}: {self.title}"), caption=self.remark or None, title_justify="left")
        table.add_column("")
        for name in [*names, "ratio", "goal", ""]:
            table.add_column(escape(name), justify="right")
        for line in self.lines:
            ratio = "" if line.ratio is None else f"{line.ratio:.3g}"
            figures = [_shown(line.figures.get(name, "")) for name in names]
            table.add_row(line.what, *figures, ratio, str(line.goal or ""), line.verdict)
        return table


def _plain(value: Any) -> Any:
    """JSON knows no NaN and no infinity: they become null."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"
