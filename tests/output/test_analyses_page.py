"""What analyses found, in the standalone page: modes that move, curves over a parameter, histograms, heat maps."""

import pytest

import chainlist
from chainlist.analyses.base import Finding, run_analyses
from chainlist.analyses.sweep import Sweep
from chainlist.model.asked import Asked
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.output.views import views_of

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
