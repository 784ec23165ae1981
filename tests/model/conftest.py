"""How the tests of this folder read a chainlist: through the parser, into `build`."""

from typing import NamedTuple

import pytest

from chainlist.model.build import build
from chainlist.model.mechanism import Mechanism
from chainlist.syntax.diagnostics import Diagnostic, Diagnostics
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.source import Source


class Reading(NamedTuple):
    mechanism: Mechanism | None
    said: list[Diagnostic]

    @property
    def codes(self):
        return [d.code for d in self.said]

    @property
    def body(self):
        return {b.name: b for b in self.mechanism.bodies}

    @property
    def constraint(self):
        return {c.name: c for c in self.mechanism.constraints}


def read_text(text, limits=None, **changes):
    report = Diagnostics()
    limits = limits or Limits()
    expanded = expand(parse(Source("test.chain", text), report, limits), report, limits, None)
    return Reading(build(expanded, report, limits, **changes), report.diagnostics)


@pytest.fixture(scope="session")
def read():
    """Read a whole chainlist, its first line being the title."""
    return read_text


@pytest.fixture(scope="session")
def machine():
    """Read statements that get a title, a .tran and a .plot around them, so that no notes are due."""

    def read_statements(*lines, **changes):
        return read_text("\n".join(("* test", *lines, ".tran 0 1 1ms", ".plot Time")), **changes)

    return read_statements
