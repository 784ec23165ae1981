"""Plots that grow while a run goes on: the curves so far, at fewer times, each value that of the run."""

import time

import numpy as np
import pytest

from chainlist.app.workbench import growing
from chainlist.compile.read import parse
from chainlist.output.packing import pack_panels
from chainlist.run.samples import Samples
from chainlist.run.simulate import simulate

from .conftest import LONG

SWING = "Swing\nB1 (0.8,-0.6) 1\nC1 B1 (0,0)\n.tran 0 6 1E-3\n.plot Y(B1) PATH(B1)\n"


@pytest.mark.parametrize("size", [1, 7, 400, 6001])
def test_the_samples_of_a_growing_plot_are_evenly_spread_and_true(size, monkeypatch):
    monkeypatch.setattr(growing, "MOST_SAMPLES", 50)
    run = simulate(parse(SWING))
    plots = growing.GrowingPlots()
    for at in range(0, len(run.t), size):
        part = slice(at, at + size)
        plots._keep(Samples(run.mechanism, run.t[part], run.q[part], run.v[part]))
        if size > 1 or at % 97 == 0 or at + size == len(run.t):
            kept = plots._joined(Samples(run.mechanism, run.t, run.q, run.v))
            assert np.array_equal(kept.t, run.t[: min(at + size, len(run.t)) : plots._stride])
    assert 50 <= len(kept.t) <= 100
    assert np.array_equal(kept.q, run.q[:: plots._stride])


def test_plots_come_now_and_then(monkeypatch):
    monkeypatch.setattr(growing, "EVERY", 0.0)
    run = simulate(parse(SWING))
    plots = growing.GrowingPlots()
    packed = plots.take(Samples(run.mechanism, run.t[:3000], run.q[:3000], run.v[:3000]))
    assert packed is not None and packed != pack_panels([])
    plots._due = time.monotonic() + 60
    assert plots.take(Samples(run.mechanism, run.t[3000:], run.q[3000:], run.v[3000:])) is None


@pytest.mark.browser
def test_plots_grow_while_a_run_goes_on(user):
    user.write(LONG + ".plot Y(B30)\n")
    user.wait("chainlistBench.player.scene?.bodies.length === 30")
    user.press("Run")
    user.wait("chainlistBench.growing && chainlistBench.plotsOf === chainlistBench.growing")
    assert user.tab.locator(".bench-tabs button").all_text_contents() == ["Plots", "Options"]
    end = "chainlistBench.tabs.run.scene.panels[0].curves[0].t.at(-1)"
    first = user.run(end)
    user.wait(f"{end} > {first}")
    assert user.tab.locator(".bench-panel.bench-old").count() == 0
    user.tab.get_by_role("tab", name="Options").click()  # whoever sets one is not led away
    first = user.run(end)
    user.wait(f"{end} > {first}")
    assert user.tab.get_by_role("tab", name="Options").get_attribute("aria-selected") == "true"
    user.press("Cancel")
    user.wait("chainlistBench.run?.status.cancelled && !chainlistBench.plotsOf")
    assert user.tab.locator(".bench-tabs button").all_text_contents()[-2:] == ["Report", "Options"]
