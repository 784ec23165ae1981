"""Plots of every run, whatever its text asks for."""

import numpy as np
import pytest

from chainlist.compile.read import parse
from chainlist.output.showing import show
from chainlist.run.simulate import simulate
from tests.conftest import EXAMPLES


@pytest.mark.parametrize("name", ["slider-crank", "bouncing-ball", "spring-pendulum", "paper/02-double-pendulum"])
def test_the_error_of_the_energy_is_that_of_the_report(name):
    """What a motor puts in, and what a bounce takes, is no error."""
    run = simulate(parse((EXAMPLES / f"{name}.chain").read_text(encoding="utf-8")))
    scene = show(run).scene
    (panel,) = (panel for panel in scene.panels if panel.title == "Error of the energy")
    (curve,) = panel.curves
    assert np.nanmax(np.abs(curve.y)) == pytest.approx(run.report.energy_error, rel=1e-6, abs=1e-12)
    assert ("Work" in curve.name) == bool(run.report.work)
