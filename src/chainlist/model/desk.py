"""Where the problems of one chainlist arrive while its mechanism is built."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable
from dataclasses import replace

from chainlist.model.suggest import nearest
from chainlist.syntax.diagnostics import Diagnostic, Diagnostics, Related
from chainlist.syntax.limits import Limits
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Point

MOST_SUGGESTIONS = 200  # nobody reads more, and each costs time
MOST_PLACES = 3  # of a name that is missing in several places
_MISSING = frozenset(("E206", "E226", "E231", "E240", "E248", "E273"))  # something that is not defined
_ELLIPSES = ("...", "…")


class Problem(Exception):
    """Raised where a statement has to be given up. Without a code: the reason has been told already."""

    def __init__(
        self,
        code: str = "",
        message: str = "",
        span: Span | None = None,
        *,
        label: str = "",
        help: str = "",
        also: Iterable[Related] = (),
    ):
        super().__init__(message)
        self.code, self.message, self.span = code, message, span
        self.label, self.help, self.also = label, help, tuple(also)


class Space:
    """The plane or space: how many coordinates the points of one chainlist have. The first one tells, all others follow."""

    def __init__(self) -> None:
        self.told = 0  # coordinates of the first point that was read; 0: there was none yet
        self._first: dict[int, Span] = {}  # number of coordinates → the first point that has so many

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.told or 2

    @property
    def origin(self) -> str:
        """(0,0), as it is written here."""
        return f"({','.join('0' * self.dimension)})"

    def fix(self, dimension: int) -> None:
        """Tell it from outside, of a mechanism that stands."""
        self.told = dimension

    def take(self, point: Point) -> None:
        """A point of the chainlist; raises `Problem` where it is one of another world than the first."""
        count = len(point.coordinates)
        if count not in (2, 3):
            raise Problem(
                "E230",
                f"a point has two coordinates, in space three, and not {count}",
                point.span,
                label=f"{count} coordinates",
                help="write (x,y), or (x,y,z) in space; the decimal sign is a point: (0.5,1)",
            )
        self.told = self.told or count
        self._first.setdefault(count, point.span)
        if count != self.told:
            raise self._mixed(point)

    def _mixed(self, point: Point) -> Problem:
        """One problem for all points that differ from the first one, at the first of them."""
        if len(self._first) == 1:
            where = "in the plane" if self.told == 2 else "in space"
            message = f"this machine is {where}: a point has {self.told} coordinates, not {len(point.coordinates)}"
            help = "write (x,y)" if self.told == 2 else "write (x,y,z)"
            return Problem("E230", message, point.span, label=f"{len(point.coordinates)} coordinates", help=help)
        names = {2: "two coordinates, as in the plane", 3: "three coordinates, as in space"}
        return Problem(
            "E230",
            "some points have three coordinates, others two",
            self._first[5 - self.told],
            label=names[5 - self.told],
            help="in space every point is (x,y,z), in the plane (x,y); the decimal sign is a point: (0.5,1)",
            also=[Related(self._first[self.told], names[self.told])],
        )


class Desk:
    """Takes problems, passes each on once, and answers what a wrong name may have meant."""

    def __init__(self, report: Diagnostics, limits: Limits):
        self.report = report
        self.limits = limits
        self.space = Space()
        self.title = ""  # the first line as it was written
        self.gravity = "9.81"  # as it is written
        self.incomplete = False  # a part of the text could not be found, which may define whatever is missing
        self._told: set[tuple[str, str, int, int, int]] = set()
        self._missing: dict[tuple[str, str], int] = {}  # code and message → which of the diagnostics
        self._suggested = 0

    def tell(self, problem: Problem, inside: Related | None = None) -> None:
        """Report a problem. `inside` is the instance whose card was being read: the same card in the next one is silent."""
        if not problem.code:
            return
        if problem.code in _MISSING and self.incomplete:
            return
        span = problem.span
        place = (id(span.source), span.start, span.stop) if span else (0, 0, 0)
        # The lines that an ellipsis stands for differ in their names only: one of them speaks.
        message = "" if span and span.text in _ELLIPSES else problem.message
        key = (problem.code, message, *place)
        if key in self._told:
            return
        self._told.add(key)
        if problem.code in _MISSING and span and (problem.code, problem.message) in self._missing:
            self._add_place((problem.code, problem.message), span)
            return
        also = (*problem.also, inside) if inside else problem.also
        self.report.add(problem.code, problem.message, span, label=problem.label, help=problem.help, also=also)
        self._missing[problem.code, problem.message] = len(self.report.diagnostics) - 1

    def _add_place(self, key: tuple[str, str], span: Span) -> None:
        """What is missing in several places is one problem: the message shows them all."""
        told = self.report.diagnostics[self._missing[key]]
        if len(told.also) < MOST_PLACES:
            also = (*told.also, Related(span, "here too"))
            self.report.diagnostics[self._missing[key]] = replace(told, also=also)

    def instead(self, problems: Iterable[tuple[Span, Problem]]) -> None:
        """Tell each problem in place of all that reading the card at its span has brought up."""
        cards = {(id(span.source), span.start): (span, problem) for span, problem in problems}
        starts = sorted(cards)

        def card_of(d: Diagnostic) -> Span | None:
            at = bisect_right(starts, (id(d.span.source), d.span.start)) - 1 if d.span else -1
            span = cards[starts[at]][0] if at >= 0 else None
            inside = span and d.span and d.span.source is span.source and d.span.start < span.stop
            return span if inside else None

        if cards:
            self.report.diagnostics[:] = [d for d in self.report.diagnostics if card_of(d) is None]
            self._missing = {(d.code, d.message): i for i, d in enumerate(self.report.diagnostics)}
        for _, problem in cards.values():
            self.tell(problem)

    def lost_in_title(self, name: str) -> str:
        """The cure where a name is defined by the first line, which is the title; "" where it is not."""
        word = re.escape(name)
        if re.match(rf"\s*{word}\s+\S|\s*\.(param|submachine)\b.*\b{word}\b", self.title, re.IGNORECASE):
            return f"the first line defines {name}, but it is the title: put a line with a title above it"
        return ""

    def meant(self, wrong: str, names: Collection[str], but: Collection[str] = ()) -> str | None:
        """The existing name that is nearest to a wrong one, as it stands in `names` (lower case): X1.C5 for C5.

        Those in `but` cannot be meant.
        """
        self._suggested += 1
        if self._suggested > MOST_SUGGESTIONS:
            return None
        inside = (name for name in names if name.endswith(f".{wrong}") and name not in but)
        return next(inside, None) or nearest(wrong, names, but)
