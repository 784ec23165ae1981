"""The figures of the page on mathematics: each is shown with a caption, and what they claim of runs is true."""

import importlib
import re

import numpy as np
import pytest

from tests.docs.pages import DOCS, ROOT

PAGE = (DOCS / "mathematics.md").read_text(encoding="utf-8")
SHOWN = re.compile(
    r"^!\[([^\]]+)\]\(pictures/(figure-\w+)\.svg\)\{ \.picture \.idea \}\n\*([^*]+\.)\*\n\n", re.MULTILINE
)


@pytest.fixture
def figures(monkeypatch):
    """The modules as the site imports them."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("docsite.figures")


@pytest.fixture
def runs(figures):
    return importlib.import_module("docsite.figures.runs")


def test_each_figure_is_shown_once_in_words_too(figures):
    shown = SHOWN.findall(PAGE)
    assert sorted(name for _, name, _ in shown) == sorted(figures.FIGURES)
    assert len(shown) == PAGE.count("pictures/figure-")
    assert all(alt != caption for alt, _, caption in shown)


def test_the_site_draws_what_is_shown(figures, tmp_path):
    """The test of the site draws all of them; here one stands for the others."""
    figures.PICTURES["figure-projection"](tmp_path / "one.svg")
    assert (tmp_path / "one.svg").stat().st_size > 5_000


def test_drift_grows_with_the_square_of_time_or_in_proportion_to_it(runs):
    curves = runs.drift()
    assert runs.order(curves["INDEX1", "RK4"], 10) == pytest.approx(2.0, abs=0.05)
    assert runs.order(curves["INDEX1_2", "RK4"], 10) == pytest.approx(1.0, abs=0.05)
    assert curves["INDEX1_2", "MIDPOINT"].y[-1] > 0.5 * curves["INDEX1", "MIDPOINT"].y[-1]  # hardly any gain


def test_damping_costs_two_orders(runs):
    curves = runs.orders()
    fine = 0.0026
    assert runs.order(curves["INDEX1_2_DAMPED"], 0, fine) == pytest.approx(2.0, abs=0.1)
    assert runs.order(curves["INDEX1"], 0, fine) == pytest.approx(4.0, abs=0.1)
    assert runs.order(curves["PROJECTED"], 0, fine) == pytest.approx(4.0, abs=0.2)


def test_the_guard_holds_the_branch_and_its_number_betrays_the_leap(runs):
    on, off = runs.passage("ON"), runs.passage("OFF")
    assert on.redone > 0 and off.redone == 0
    assert on.eta.max() < runs.MOST_ETA < 100 * runs.MOST_ETA < off.eta.max()
    assert off.times[1:][off.eta.argmax()] == pytest.approx(1.85, abs=0.03)
    assert abs(on.at(2.2)[2, 1]) < 0.01 and off.at(2.2)[2, 1] < -0.2
    before = on.times[1:] < 1.8
    assert np.array_equal(on.eta[before], off.eta[before])


def test_rattle_does_not_lose_energy_and_rk4_does(runs):
    curves = runs.energies()
    assert f"over {runs.PERIODS} periods" in PAGE.replace("\n", " ")
    early = np.searchsorted(curves["RATTLE"].x, 10.0)
    assert curves["RATTLE"].y[-1] < 1.01 * curves["RATTLE"].y[early]
    assert runs.order(curves["RK4"], 30) == pytest.approx(1.0, abs=0.05)
    assert curves["RK4"].y[early] < curves["RATTLE"].y[early] < curves["RK4"].y[-1]


def test_a_stiff_spring_limits_the_step_of_rk4_alone(runs):
    curves, limit = runs.stiff(), runs.stability_limit()
    assert runs.order(curves["SDIRK4"]) == pytest.approx(4.0, abs=0.2)
    beyond = curves["RK4"].x > limit
    assert beyond.any() and (curves["RK4"].y[beyond] > 1.0).all() and (curves["RK4"].y[~beyond] < 1e-6).all()


def test_pivots_vanish_with_the_square_of_the_angle(runs):
    curve = runs.pivots()
    assert runs.order(curve, 0, 0.1) == pytest.approx(2.0, abs=0.01)
    assert curve.y[-1] == pytest.approx(1.0)  # at right angles


def test_the_nearest_acceleration_is_orthogonal_in_the_mass_norm(runs):
    row, free, masses = np.array([1.0, 2.0]), np.array([1.3, 1.0]), np.array([1.0, 6.0])
    found = runs.nearest(row, 5.0, free, masses)
    assert row @ found == pytest.approx(5.0)
    assert (found - free) * masses @ np.array([2.0, -1.0]) == pytest.approx(0.0, abs=1e-12)
