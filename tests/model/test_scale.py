"""Large chainlists: the work grows with the length of the text, and many mistakes are as cheap as none."""

import pytest

from chainlist.model.build import build
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.source import Source

from ..work import growth


def chain(n, end=lambda i: f"B{i}"):
    return (
        "* chain\n" + "".join(f"B{i} ({i},0) 1\nC{i} {end(i - 1)} {end(i)}\n" for i in range(1, n + 1)) + "B0 (0,0) 1"
    )


@pytest.mark.parametrize("end", [lambda i: f"B{i}", lambda i: f"Bad{i}"], ids=["right", "wrong"])
def test_the_work_is_linear_in_the_links(end):
    def building(count):
        report = Diagnostics()
        expanded = expand(parse(Source("chain", chain(count, end)), report), report, Limits(), None)

        def work():
            mechanism = build(expanded, Diagnostics())
            assert mechanism is None or len(mechanism.links) == count

        return work

    # wrong names are looked up in a table for the first few only: what follows is cheaper
    assert growth(building, 100) < 1.2
