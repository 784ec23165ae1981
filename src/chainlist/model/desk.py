"""Where the problems of one chainlist arrive while its mechanism is built."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from chainlist.model.suggest import nearest
from chainlist.syntax.diagnostics import Related, Report
from chainlist.syntax.limits import Limits
from chainlist.syntax.source import Span

MOST_SUGGESTIONS = 200  # nobody reads more, and each costs time


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


class Desk:
    """Takes problems, passes each on once, and answers what a wrong name may have meant."""

    def __init__(self, report: Report, limits: Limits):
        self.report = report
        self.limits = limits
        self._told: set[tuple[str, str, int, int, int]] = set()
        self._suggested = 0

    def tell(self, problem: Problem, inside: Related | None = None) -> None:
        """Report a problem. `inside` is the instance whose card was being read: the same card in the next one is silent."""
        if not problem.code:
            return
        span = problem.span
        place = (id(span.source), span.start, span.stop) if span else (0, 0, 0)
        key = (problem.code, problem.message, *place)
        if key in self._told:
            return
        self._told.add(key)
        also = (*problem.also, inside) if inside else problem.also
        self.report.add(problem.code, problem.message, span, label=problem.label, help=problem.help, also=also)

    def meant(self, wrong: str, names: Collection[str]) -> str | None:
        """The existing name that is nearest to a wrong one, as it stands in `names` (lower case)."""
        self._suggested += 1
        return nearest(wrong, names) if self._suggested <= MOST_SUGGESTIONS else None
