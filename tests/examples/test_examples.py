"""Every example is read with only the remarks that its kind implies, is in canonical form, runs, and ends well."""

import pytest

import chainlist
from chainlist.examples import find, gallery
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.parser import parse
from chainlist.syntax.printer import print_chainlist
from chainlist.syntax.source import Source

OURS = [example.name for example in gallery() if not example.name[0].isdigit()]
LISTINGS = [example.name for example in gallery() if example.name[0].isdigit()]

BAR = "W302"  # links on one line: a straight bar
REDUNDANT = "W301"
SKETCHED = "W304"  # positions are a sketch, LENGTH= counts
FREE = "N301"  # nothing holds it: it is thrown

DUE = {
    "bricard": [REDUNDANT],
    "chebyshev-lambda": [BAR],
    "falling-chain": [FREE],
    "hart-inversor": [BAR],
    "jansen-leg": [SKETCHED],
    "klann-leg": [SKETCHED],
    "locomotive": [REDUNDANT],
    "metronome": [BAR],
    "pantograph": [BAR],
    "scissors": [BAR],
    "scott-russell": [BAR],
    "sliding-ladder": [BAR],
    "thrown-dumbbell": [FREE],
    "thrown-loop": [FREE],
    "thrown-triangle": [FREE, FREE],
    "trammel": [BAR],
    "trebuchet": [BAR],
    "truss": [REDUNDANT],
    "watt": [BAR],
    "wing-nut": [FREE],
}

# The paper breaks solvers on purpose: when, in seconds (roughly: it happens where rounding decides).
BREAKS_DOWN = {"13-rhombus": 1.86}


@pytest.mark.parametrize("name", OURS)
def test_only_the_remarks_that_are_due(name):
    mechanism = chainlist.parse(find(name).text)
    assert sorted(d.code for d in mechanism.diagnostics) == DUE.get(name, [])


@pytest.mark.parametrize("name", OURS)
def test_canonical_form(name):
    text = find(name).text
    report = Diagnostics()
    tree = parse(Source(name, text), report)
    assert not report.errors and print_chainlist(tree) == text


@pytest.mark.parametrize("name", OURS)
def test_runs_to_its_end_and_keeps_its_energy(name, motion):
    trajectory = motion(name)
    report = trajectory.report
    assert trajectory.status.ok, str(trajectory.status)
    assert trajectory.t[-1] == trajectory.mechanism.transient.stop
    assert report.energy_error_relative < 1e-7
    assert report.warnings == () and report.refined == ()
    assert report.residual is None or report.residual.value < 1e-12  # None: springs alone hold it
    assert report.evaluations < 100_000  # less than a second, once the kernels are compiled


@pytest.mark.parametrize("name", OURS)
def test_every_item_of_its_plots_can_be_shown(name, motion):
    trajectory = motion(name)
    items = [item for plot in trajectory.mechanism.plots for panel in plot.panels for item in panel]
    assert any(item.text.startswith("CONSTRAINTS") for item in items)
    for item in items:
        trajectory.observe(item)


@pytest.mark.parametrize("name", LISTINGS)
def test_how_the_listings_of_the_paper_end(name, motion):
    trajectory = motion(name)
    if name in BREAKS_DOWN:
        assert not trajectory.status.ok
        assert trajectory.status.time == pytest.approx(BREAKS_DOWN[name], abs=0.02)
        assert len(trajectory.t) > 1 and trajectory.t[-1] <= trajectory.status.time
    else:
        assert trajectory.status.ok
        assert trajectory.t[-1] == trajectory.mechanism.transient.stop
