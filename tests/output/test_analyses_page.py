"""What analyses found, in the standalone page: modes that move, curves over a parameter, histograms, heat maps."""

import numpy as np
import pytest

import chainlist
from chainlist.analyses.base import Finding, Heat, run_analyses
from chainlist.analyses.sweep import Sweep
from chainlist.model.asked import Asked
from chainlist.output.charts import draw_heat
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.output.views import _view, views_of

TEXT = """* Double pendulum, <b>looked at</b>
.param a=30deg b=20deg m=gauss(1,0.1)
B1 (sin(a),-cos(a)) m
B2 (sin(a)+sin(b),-cos(a)-cos(b)) 1
C1 B1 (0,0)
C2 B1 B2
.tran 0 0.5 10ms
.modes
.meas low MIN Y(B2)
.plot CONSTRAINTS(ALL)
"""


def swept(cards):
    return Finding(Asked("step", None), Sweep(chainlist.ensemble(TEXT + cards, workers=1)))


@pytest.fixture(scope="module")
def views():
    run = chainlist.simulate(TEXT)
    sweeps = [swept(".step a 0.1 0.4 0.1\n"), swept(".step a 0.1 0.3 0.1\n.step b 0.1 0.3 0.1\n"), swept(".mc 12\n")]
    return views_of([*run_analyses(run.mechanism, run), *sweeps])


def pictures(views):
    return {picture["title"]: picture for view in views for picture in view["pictures"]}


def test_every_kind_of_result_has_its_picture(views):
    kinds = [(p["title"], p["kind"]) for view in views for p in view["pictures"]]
    assert kinds[:3] == [("Modes", "stems"), ("Mode 1", "motion"), ("Mode 2", "motion")]
    title = "Double pendulum, <b>looked at</b>: low"
    assert {(title, "line"), ("low [m]", "heat"), (f"{title}, 12 runs", "histogram")} <= set(kinds)
    assert views[1]["command"] == "meas" and views[1]["figures"][0][0].strip() == "low"


def test_the_numbers_are_those_that_were_found(views):
    step = views[2]["pictures"][0]["series"][0]
    values = [chainlist.measure(TEXT, "MIN Y(B2)", params={"a": a, "m": 1}) for a in (0.1, 0.2, 0.3, 0.4)]
    assert step["x"] == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert step["y"] == pytest.approx(values, rel=1e-6)
    assert sum(pictures(views)["Double pendulum, <b>looked at</b>: low, 12 runs"]["series"][0]["y"]) == 12


def test_nothing_of_it_can_end_the_script(views):
    text = page(scene_of(chainlist.simulate(TEXT), [], []), [{**views[0], "command": "</script><b>"}])
    assert "</script><b>" not in text


def test_heat_maps_of_a_page_have_their_ticks_where_those_of_pictures_are(views):
    few = pictures(views)["low [m]"]
    assert few["ticksX"] and few["ticksY"]
    many = Heat("f", "f", "a", "b", np.arange(40.0), np.array([1.0, 10.0, 100.0]), np.ones((3, 40)), log_y=True)
    shown = _view(many)
    assert not shown["ticksX"] and shown["ticksY"]
    assert [len(axis.get_ticklocs()) for axis in (draw_heat(many).axes[0].yaxis,)] == [3]


@pytest.mark.browser
def test_ticks_of_a_heat_map_stand_at_its_values(open_page):
    """What is written beside the axes, as the canvas is told it."""
    views = views_of([swept(".step a 0.1 0.24 0.07\n.step b 0.1 0.24 0.07\n")])
    text = page(scene_of(chainlist.simulate(TEXT), [], []), views)
    listening = "<script>window.told=[];const f=CanvasRenderingContext2D.prototype.fillText;"
    listening += "CanvasRenderingContext2D.prototype.fillText=function(t,...r){told.push(String(t));f.call(this,t,...r)}</script>"
    opened = open_page(text.replace("<head>", f"<head>{listening}", 1))
    opened.settle()
    told = opened.run("window.told")
    assert told.count("0.17") == told.count("0.24") and told.count("0.17") >= 2  # across and up


@pytest.mark.browser
def test_the_page_shows_them_without_asking_for_anything(open_page, views):
    opened = open_page(page(scene_of(chainlist.simulate(TEXT), [], []), views))
    opened.settle()
    heads = opened.run("[...document.querySelectorAll('#analyses h2')].map(h => h.textContent)")
    assert heads == [".modes", ".meas", ".step", ".step", ".step"]
    painted = opened.run(
        """[...document.querySelectorAll('#analyses canvas')].map(c => {
             const {data} = c.getContext('2d').getImageData(0, 0, c.width, c.height);
             return new Set(new Uint32Array(data.buffer)).size})"""
    )
    assert len(painted) == sum(len(view["pictures"]) for view in views) and min(painted) > 10
