"""Where a piece of text came from: a source, and a span of it.

Everything that can be wrong in a chainlist keeps a `Span`, so that a message can show the user's own line.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, dataclass_transform

_T = TypeVar("_T")

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def value(kind: type[_T]) -> type[_T]: ...

else:

    def value(kind):
        """A frozen dataclass, but frozen by the checker of types alone: Python's own lock trebles the cost of a small
        value, and reading a text makes hundreds of thousands of them."""
        return dataclass(slots=True, unsafe_hash=True)(kind)


@dataclass(frozen=True, eq=False)
class Source:
    """One text: a file, standard input, a string. `name` is what messages call it."""

    name: str
    text: str
    path: Path | None = None
    included_from: Span | None = None

    def __post_init__(self) -> None:
        """Old computers ended lines with a carriage return alone: a text without any line feed is read so."""
        if "\r" in self.text and "\n" not in self.text:
            object.__setattr__(self, "text", self.text.replace("\r", "\n"))

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets at which the lines begin. Only a line feed ends a line: a card reader decides the same way."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        start = self.line_starts[number - 1]
        stop = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:stop].rstrip("\r\n")

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {len(self.text)} characters)"


@value
class Span:
    """The characters `start` to `stop` (exclusive) of a source."""

    source: Source = field(compare=False)
    start: int
    stop: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def end(self) -> tuple[int, int]:
        """Line and column just behind the last character."""
        return self.source.position(self.stop)

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.stop]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of another one of the same source."""
        return Span(self.source, self.start, max(self.stop, other.stop))

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"
