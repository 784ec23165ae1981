"""`VS(up,across)`: one item versus another, against the same numbers taken one by one, its panel, its figure, and what it refuses."""

import numpy as np
import pytest

import chainlist
from chainlist.model.ask import ask
from chainlist.output.packing import pack
from chainlist.output.panels import asked_panels, scene_of
from chainlist.output.plots import draw_figure
from chainlist.run.observables import observe
from chainlist.syntax.errors import ChainlistError

TEXT = """* Two bodies that fall
B1 (1,0) 1 IC_VEL=(2,0)
B2 (3,0) 1 IC_VEL=(1,0)
.tran 0 1 1E-2
.plot VS(Y(B1),X(B1)) "VS(Y(B1,B2),Time) VS(X(B2),Time)" VS(Q(B2),Time/2s) PATH(B1)
"""


@pytest.fixture(scope="module")
def fall():
    return chainlist.simulate(TEXT)


def test_it_is_one_item_over_the_other(fall):
    found = observe(fall, ask(fall.mechanism, "VS(Y(B1),X(B1))"))
    (curve,) = found.curves
    assert (found.kind, found.unit, curve.entity) == ("versus", "m", "B1")
    np.testing.assert_allclose(curve.over, 1 + 2 * fall.t, rtol=1e-12)  # the parabola of a throw
    np.testing.assert_allclose(curve.values, -9.81 / 2 * ((curve.over - 1) / 2) ** 2, atol=1e-9)
    (path,) = observe(fall, ask(fall.mechanism, "PATH(B1)")).curves
    assert np.array_equal(path.values, curve.values) and np.array_equal(path.over, curve.over)


def test_several_curves_and_components(fall):
    mechanism = fall.mechanism
    several = observe(fall, ask(mechanism, "VS(Y(B1,B2),X(B1,B2))"))
    assert [curve.text for curve in several.curves] == ["VS(Y(B1),X(B1))", "VS(Y(B2),X(B2))"]
    shared = observe(fall, ask(mechanism, "VS(Etotal,X(B1,B2))"))
    assert [curve.entity for curve in shared.curves] == ["B1", "B2"]
    assert all(np.array_equal(curve.values, shared.curves[0].values) for curve in shared.curves)
    vector = observe(fall, ask(mechanism, "VS(Q(B2),Time)"))
    assert [curve.axes for curve in vector.curves] == ["x", "y"]
    assert np.array_equal(vector.curves[1].values, fall.q[:, 1, 1])


def test_panels_and_a_figure_say_what_is_up_and_what_is_across(fall):
    panels = [panel for panel in asked_panels(fall, fall.mechanism.plots) if panel.kind == "versus"]
    assert [(p.x_label, p.x_unit, p.y_label, p.y_unit) for p in panels] == [
        ("x", "m", "y", "m"),
        ("time", "s", "y, x", "m"),
        ("Time/2s", "", "position", "m"),
    ]
    assert [curve.name for curve in panels[0].curves] == ["B1"]
    assert [c.name for c in panels[1].curves] == ["VS(Y(B1),Time)", "VS(Y(B2),Time)", "VS(X(B2),Time)"]
    assert len(pack(scene_of(fall, [], []))) > 1000
    figure = draw_figure(fall, fall.mechanism.plots[0])
    assert [axes.get_xlabel() for axes in figure.axes][:3] == ["x [m]", "time [s]", "Time/2s"]
    assert figure.axes[0].get_ylabel() == "y [m]" and len(figure.axes[1].lines) == 3


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (".plot VS(Y(B1))", "takes two items"),
        (".plot VS(PATH(B1),Time)", "has no numbers over time"),
        (".plot VS(Time,FFT(X(B1)))", "has no numbers over time"),
        (".plot VS(Time,Q(B1))", "what is across is one"),
        (".plot VS(Q(B1,B2),X(B1,B2,B1))", "2 curves cannot be drawn over 3"),
        (".plot VS(Y(B1),X(B1))*2", "picture"),
        (".print CONSOLE VS(Y(B1),X(B1))", "cannot be printed"),
        (".meas top MAX VS(Y(B1),X(B1))", "VS"),
        ("F1 B1 ({VS(Y(B1),X(B1))},0)", "VS"),
        (".stop {VS(Y(B1),X(B1))>1}", "VS"),
    ],
)
def test_what_it_cannot_do_is_said(card, words):
    with pytest.raises(ChainlistError) as error:
        chainlist.parse(TEXT + card + "\n")
    assert words in str(error.value)


def test_titles_ticks_and_units_of_a_figure():
    text = "* Spinner\nB1 (1,0) 1\nC1 B1 (0,0)\nM1 C1 SPEED=2\n.options gravity=0\n.tran 0 1 1ms\n"
    run = chainlist.simulate(f"{text}.plot VS(SPEED(B1),ANGLE(C1)/1deg) ANGLE(C1)/1deg {{2*ANGLE(C1)/1deg}}\n")
    figure = draw_figure(run, run.mechanism.plots[0])
    first, second, third = figure.axes
    assert first.get_title(loc="left") == "SPEED(B1) versus ANGLE(C1)/1deg"
    assert (first.get_xlabel(), first.get_ylabel()) == ("angle [deg]", "speed [m/s]")
    low, high = first.get_ylim()
    assert high - low > 0.1  # a speed that is constant but for rounding is not blown up
    assert (second.get_ylabel(), third.get_ylabel()) == ("angle [deg]", "2*ANGLE(C1)/1deg")


def test_events_are_counted_in_whole_numbers():
    run = chainlist.simulate("* Ball\nB1 (0,1) 1\nW1 LINE(0,1,0) REST=0.8\n.tran 0 2 1ms\n.plot EVENTS\n")
    (axes,) = draw_figure(run, run.mechanism.plots[0]).axes
    assert all(tick == int(tick) for tick in axes.get_yticks())
