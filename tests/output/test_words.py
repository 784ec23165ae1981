"""Words in pictures and on the page are those of the chainlist; what does not fit is cut where it still reads well."""

import re
from dataclasses import replace

import numpy as np
import pytest

import chainlist
from chainlist.analyses.base import Animation, Heat, run_analyses
from chainlist.analyses.sweep import Sweep
from chainlist.output.arrangement import shortened
from chainlist.output.charts import draw_heat, still_of
from chainlist.output.figures import figures
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.output.plots import draw_figure
from chainlist.output.views import views_of
from chainlist.run.trajectory import Trajectory

TEXT = """* Two links
.param deep=2mm
B1 (1,0) 1
B2 (2,0) 1
C1 B1 (0,0)
C2 B1 B2
.tran 0 1 10ms
.stop {Y(B1)<-1mm-deep and Time>0.01}
.meas low MIN Y(B2)
.meas high MAX Y(B2)
.meas far PARAM {high-low}
.plot {ANGLE(B1,B2)/1deg} ANGLE(ALL)/1deg "X(B1)/1cm X(B2)/deep" VS(Y(B1)/1mm,ANGLE(C1)/1deg) "FFT(X(B1)/1cm) FFT(Y(B1)/1cm)"
"""


@pytest.fixture(scope="module")
def run():
    return chainlist.simulate(TEXT)


def test_legends_say_what_the_text_says(run):
    legends = [[curve.name for curve in panel.curves] for panel in scene_of(run, [], []).panels]
    assert legends[:5] == [
        ["ANGLE(B1,B2)/1deg"],
        ["ANGLE(C1)/1deg", "ANGLE(C2)/1deg"],
        ["X(B1)/1cm", "X(B2)/deep"],
        ["B1"],
        ["FFT(X(B1)/1cm)", "FFT(Y(B1)/1cm)"],
    ]


TURNED = """* Four bodies
B1 (1,0) 1
B2 (2,0) 1
B3 (3,0) 1
B4 (4,0) 1
.func less(a,b)={b-2*a}
.tran 0 0.02 10ms
.plot less(X(B1,B2),X(B3,B4)) {X(b1,B2)-X(B4,B3)/1cm}
"""


def test_legends_never_say_a_name_where_another_one_stands():
    """A function of the chainlist may use what it is given in another order."""
    panels = scene_of(chainlist.simulate(TURNED), [], []).panels
    assert [[curve.name for curve in panel.curves] for panel in panels[:2]] == [
        ["X(B3)-2*X(B1)", "X(B4)-2*X(B2)"],
        ["X(B1)-X(B4)/1cm", "X(B2)-X(B3)/1cm"],
    ]


def test_the_condition_that_ended_a_run_is_told_as_it_was_written(run):
    (event,) = run.events
    assert event.note == "{Y(B1)<-1mm-deep and Time>0.01}"
    (stop,) = run.mechanism.stops
    assert "deep" not in stop.text  # of the flat chainlist, which has no parameters


@pytest.mark.browser
def test_the_page_lists_events_and_measures_line_by_line(open_page, run):
    shown = [("events", "0.1 s  C1 breaks\n0.2 s  C2 breaks")]
    opened = open_page(page(scene_of(run, shown, []), views_of(run_analyses(run.mechanism, run))))
    opened.settle()
    assert opened.tab.locator(".facts dd").inner_text().splitlines() == ["0.1 s C1 breaks", "0.2 s C2 breaks"]
    assert opened.tab.locator("#analyses h2").all_inner_texts() == [".meas"]
    assert opened.tab.locator("#analyses dt").all_inner_texts() == ["low", "high", "far"]


@pytest.mark.browser
def test_units_of_all_axes_are_written_in_one_way(open_page, run):
    opened = open_page(page(scene_of(run, figures(run), [])))
    opened.settle()
    labels = opened.run("chainlist.plots.flatMap(({axes}) => [axes.xText, axes.yText])")
    assert not [label for label in labels if re.search(r"\((?!B)[^()]*\)$", label)]
    assert {"t [s]", "angle [deg]", "energy [J]"} <= set(labels)


def test_a_title_is_cut_only_where_it_does_not_fit_and_brackets_are_closed():
    title = "TORQUE(M1) versus ANGLE(R1,R2)/1deg"
    cut = [shortened(title, lambda text, n=n: len(text) <= n) for n in (35, 34, 29, 26, 19, 9)]
    assert cut[0] == title
    assert cut[1:] == [
        "TORQUE(M1) versus ANGLE(R1,R2) …",
        "TORQUE(M1) versus ANGLE(R1,…)",
        "TORQUE(M1) versus ANGLE(…)",
        "TORQUE(M1) versus …",
        "TORQUE(…)",
    ]


def test_panels_of_a_column_begin_at_one_line_and_their_labels_are_no_longer_than_they_are():
    asked = '"CONSTRAINTS(ALL) PATH(B1)" VX(B1) OMEGA(C1) VS(X(B1)/1mm,ANGLE(C1)/1deg)'
    run = chainlist.simulate(f"* Pendulum\nB1 (5,-5) 1\nC1 B1 (0,0)\n.tran 0 1 10ms\n.plot {asked}\n")
    figure = draw_figure(run, run.mechanism.plots[0])
    figure.draw_without_rendering()
    boxes = [axes.get_window_extent() for axes in figure.axes]
    assert boxes[0].x0 == pytest.approx(boxes[2].x0, abs=0.5) and boxes[1].x0 == pytest.approx(boxes[3].x0, abs=0.5)
    assert figure.axes[2].get_ylabel() == "angular velocity\n[rad/s]"
    for axes, box in zip(figure.axes, boxes, strict=True):
        assert axes.yaxis.label.get_window_extent().height <= box.height
    assert figure.axes[3].get_title(loc="left") == "X(B1)/1mm versus ANGLE(C1)/1deg"


def test_a_picture_of_an_equilibrium_says_which_it_is():
    text = "* Pendulum\nB1 (1,-1) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n.op ALL\n"
    mechanism = chainlist.parse(text)
    (view,) = views_of(found := run_analyses(mechanism, None))
    titles = [picture["title"] for picture in view["pictures"]]
    assert titles[0] == "Equilibrium 1 of 2: stable, U = -13.8734 J"
    assert titles[1].startswith("Equilibrium 2 of 2: unstable in 1 direction, grows tenfold in ")
    (axes,) = still_of(found[0].result.pictures()[0]).axes
    assert axes.get_title(loc="left") == titles[0]


def test_a_name_does_not_lie_on_a_link():
    mechanism = chainlist.parse("* Vee\nB1 (0,0) 1\nC1 B1 (2,1)\nC2 B1 (-1,2)\n.tran 0 1 1ms\n.op\n")
    run = Trajectory(mechanism, np.zeros(1), np.zeros((1, 1, 2)), np.zeros((1, 1, 2)))
    (axes,) = still_of(Animation("op", run)).axes
    (name,) = [text for text in axes.texts if text.get_text() == "B1"]
    assert name.xyann[1] < 0  # both links go up


def test_a_heat_map_says_what_grey_means():
    values = np.array([[1.0, np.nan], [2.0, 3.0]])
    heat = Heat("f", "flip [s]", "a", "b", np.arange(2.0), np.arange(2.0), values, gaps="no value: did not happen")
    assert [text.get_text() for text in draw_heat(heat).legends[0].get_texts()] == ["no value: did not happen"]
    assert not draw_heat(replace(heat, values=np.ones((2, 2)))).legends
    text = "* Fall\n.param a=1 b=1\nB1 (0,a) 1 IC_VEL=(b,0)\n.tran 0 0.5 10ms\n.meas down WHEN {Y(B1)}=0\n.plot Y(B1)\n"
    swept = Sweep(chainlist.ensemble(text + ".step a 0.5 2.5 1\n.step b 1 2 1\n", workers=1))
    (found,) = swept.pictures()
    assert found.gaps == "no value: did not happen" and found.has_gaps


@pytest.mark.browser
@pytest.mark.parametrize("width", [1200, 390])
def test_no_room_is_left_empty_below_the_player(open_page, run, width):
    opened = open_page(page(scene_of(run, [], [])), viewport={"width": width, "height": 850})
    opened.settle()
    boxes = opened.run(
        "['#stage', ...[0, 1, 2, 3, 4, 5, 6].map(k => [...document.querySelectorAll('main .cl-plot')][k])]"
        ".map(e => (typeof e === 'string' ? document.querySelector(e) : e.closest('.card')).getBoundingClientRect().toJSON())"
    )
    stage, *panels = boxes
    beside = [box for box in panels if box["left"] >= stage["right"]]
    if width == 390:
        assert not beside
        return
    assert 2 <= len(beside) <= 3 and max(box["bottom"] for box in beside) < stage["bottom"] + 200
    below = [box for box in panels if box not in beside]
    assert below[0]["left"] == stage["left"] and below[-1]["right"] == beside[0]["right"]
    assert opened.run("chainlist.plots.map(({panel}) => panel.title)") == [
        p.title for p in scene_of(run, [], []).panels
    ]
