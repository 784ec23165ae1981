"""The page with sliders: its motions are those of simulate, and the browser shows the one that is chosen."""

import io
import math

import pytest

import chainlist
from chainlist.app.workbench import tasks
from chainlist.app.workbench.family import TooMuch, family
from chainlist.app.workbench.settings import RunLimits
from chainlist.app.workbench.talk import RequestRefused, Talk

SWING = """Swing
.param L=80cm ; 50..150
B1 (L,0) 1
C1 B1 (0,0)
.tran 0 1 1E-2
.plot Y(B1)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    talk = Talk(io.BytesIO(), 60)
    request = {"text": SWING, "name": "", "folder": None, "limits": RunLimits().as_data(), "keep": str(folder)}
    tasks.run(request, talk)
    return folder / tasks.export({"keep": str(folder), "format": "sliders"}, talk)[0]["file"]


def test_every_value_but_that_of_the_text_has_its_motion():
    (choice,) = family(chainlist.parse(SWING), lambda part, what: None, lambda: False)
    assert (choice.name, choice.unit, choice.base) == ("L", "cm", 80)
    assert choice.values == (50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150)
    assert [scene is None for scene in choice.scenes] == [value == 80 for value in choice.values]


def test_what_cannot_be_made_is_said(tmp_path):
    with pytest.raises(TooMuch, match="longer than is allowed"):
        family(chainlist.parse(SWING), lambda part, what: None, lambda: True)
    talk = Talk(io.BytesIO(), 60)
    request = {"text": SWING.replace("L=80cm", "L=2*0.4"), "name": "", "folder": None, "limits": RunLimits().as_data()}
    tasks.run(request | {"keep": str(tmp_path)}, talk)
    with pytest.raises(RequestRefused, match="no knob"):
        tasks.export({"keep": str(tmp_path), "format": "sliders"}, talk)


@pytest.mark.browser
def test_the_slider_of_a_page_shows_the_motion_of_its_value(made, browser):
    context = browser.new_context(offline=True, reduced_motion="reduce")
    tab = context.new_page()
    tab.goto(made.as_uri())
    tab.wait_for_function("() => globalThis.chainlist?.plots.length")
    slider = tab.get_by_role("slider", name="L")
    for key, length in (("End", 1.5), ("Home", 0.5)):
        slider.press(key)
        tab.wait_for_function("(x) => Math.abs(chainlist.player.scene.motion.positions[0] - x) < 1e-6", arg=length)
        curve = tab.evaluate("[...chainlist.plots[0].panel.curves[0].y]")
        run = chainlist.simulate(SWING, params={"L": length})
        assert min(curve) == pytest.approx(float(run.q[:, 0, 1].min()), abs=1e-9)
    assert "of L = 80 cm" in tab.inner_text("#knobs p")
    for _ in range(3):
        slider.press("ArrowRight")
    tab.wait_for_function("() => chainlist.player.scene === chainlist.scene")
    assert math.isclose(tab.evaluate("chainlist.player.scene.motion.positions[0]"), 0.8, rel_tol=1e-6)
    context.close()
