"""Words in pictures and on the page are those of the chainlist; what does not fit is cut where it still reads well."""

import re

import pytest

import chainlist
from chainlist.analyses.base import run_analyses
from chainlist.output.figures import figures
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.output.views import views_of

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
