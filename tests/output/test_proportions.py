"""Figures that fit: paths as high as they reach, nothing higher than a page, two units with an axis each."""

import numpy as np
import pytest

import chainlist
from chainlist.output.interpolate import positions_at
from chainlist.output.painting import shape_marks
from chainlist.output.panels import asked_panels
from chainlist.output.plots import draw_figure
from chainlist.output.proportions import PAGE, fit_page
from chainlist.output.sketch import sketch
from chainlist.run.trajectory import Trajectory

t = np.linspace(0.0, 4.0, 41)
THROW = np.stack([30 * t, 20 * t - 4.905 * t**2], axis=-1)[:, None]


def motion(plot, q=THROW, cards="B1 (0,0) 1\n"):
    mechanism = chainlist.parse(f"* T\n{cards}.tran 0 4 0.1\n.plot {plot}\n")
    return Trajectory(mechanism, t, q, np.gradient(q, t, axis=0))


def figure_of(run):
    return draw_figure(run, run.mechanism.plots[0])


def test_a_flat_path_has_a_flat_panel_and_a_tall_one_a_tall_one():
    flat, tall = figure_of(motion("PATH(B1)")), figure_of(motion("PATH(B1)", THROW[..., ::-1]))
    assert flat.get_figheight() < 0.45 * flat.get_figwidth() < 1.0 * tall.get_figwidth() < tall.get_figheight()


@pytest.mark.parametrize(
    ("items", "equal"),
    [
        ("VS(Y(B1),X(B1))", True),
        ("VS(Y(B1)/1cm,X(B1)/1cm)", True),
        ("VS(Y(B1),X(B1)/1cm)", False),  # in another unit
        ("VS(VY(B1),X(B1))", False),
        ("VS(X(B1),X(B1)*50)", False),  # as thin as a needle
        ('"VS(Y(B1),X(B1)) VS(Y(B1),Time)"', False),
    ],
)
def test_a_length_over_a_length_has_one_scale(items, equal):
    run = motion(items)
    (axes,) = figure_of(run).axes
    assert axes.get_aspect() == (1.0 if equal else "auto")
    (panel,) = asked_panels(run, run.mechanism.plots)
    assert (panel.kind, panel.equal) == ("versus", equal)


def test_one_length_over_another_has_the_height_of_a_path():
    over, path = figure_of(motion("VS(Y(B1),X(B1))")), figure_of(motion("PATH(B1)"))
    assert over.get_figheight() == pytest.approx(path.get_figheight())


def test_no_figure_is_higher_than_a_page_but_for_many_panels():
    high = figure_of(motion('PATH(B1) "PATH(B1) X(B1)" PATH(B1)', THROW[..., ::-1]))
    assert high.get_figheight() == pytest.approx(PAGE)
    assert fit_page([2.0, 3.0]) == [2.0, 3.0]
    assert fit_page([1.75] * 9) == [1.75] * 9
    assert sum(fit_page([7.0, 1.75, 7.0])) == pytest.approx(PAGE)


def test_two_units_in_a_panel_have_an_axis_each():
    left, right = figure_of(motion('"X(B1) VY(B1)"')).axes
    assert (left.get_ylabel(), right.get_ylabel()) == ("x [m]", "y velocity [m/s]")
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["X(B1)", "VY(B1)"]
    assert right.lines[0].get_ydata() == pytest.approx(np.gradient(THROW[:, 0, 1], t))
    colours = [axes.lines[0].get_color() for axes in (left, right)]
    assert len(set(colours)) == 2 and [axes.yaxis.label.get_color() for axes in (left, right)] == colours


def test_one_unit_or_three_share_an_axis():
    assert len(figure_of(motion('"X(B1) Y(B1)"')).axes) == 1
    assert len(figure_of(motion('"X(B1) VY(B1) Etotal"')).axes) == 1


def test_a_crank_lies_above_the_rod_that_hides_it():
    cards = "B1 (-1,0) 0\nB2 (2,0) 1\nR1 (0,0) B1 1\nR2 B1 B2 1\nS1 B2 LINE(0,1,0)\n"
    mechanism = chainlist.parse(f"* Crank\n{cards}.tran 0 1 0.1\n.plot CONSTRAINTS(ALL)\n")
    run = chainlist.simulate(mechanism)
    parts = sketch(run)
    (moment,) = parts.moments(run, run.t[:1], positions_at(run, run.t[:1]))
    reach = [float(np.ptp(mark.line[:, 0])) for mark in shape_marks(parts, moment) if mark.fill is not None]
    fills = {mark.fill for mark in shape_marks(parts, moment) if mark.fill is not None and len(mark.line) > 8}
    assert len(fills) >= 2
    assert max(reach[:1]) > 2.5 and max(reach[1:]) < 2.5  # the rod first, the crank above it
