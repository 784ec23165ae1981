"""Large chainlists: the work grows with the length of the text, and many mistakes are as cheap as none."""

import time

import pytest

from chainlist.model.build import build
from chainlist.syntax.diagnostics import Report
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.source import Source


def seconds(text):
    """The time that `build` takes, without reading the text; and what it built."""
    report = Report()
    expanded = expand(parse(Source("chain", text), report), report, Limits(), None)
    times = []
    for _ in range(2):
        begin = time.process_time()
        mechanism = build(expanded, Report())
        times.append(time.process_time() - begin)
    return min(times), mechanism


def chain(n, end=lambda i: f"B{i}"):
    return (
        "* chain\n" + "".join(f"B{i} ({i},0) 1\nC{i} {end(i - 1)} {end(i)}\n" for i in range(1, n + 1)) + "B0 (0,0) 1"
    )


@pytest.mark.parametrize("end", [lambda i: f"B{i}", lambda i: f"Bad{i}"], ids=["right", "wrong"])
def test_ten_times_the_links_take_about_ten_times_as_long(end):
    short, _ = seconds(chain(400, end))
    long, mechanism = seconds(chain(4000, end))
    assert long < 30 * short  # quadratic work would be 100
    assert mechanism is None or len(mechanism.links) == 4000
