"""The pictures of the documentation's page about the workbench, taken here so that they show what there is.

`CHAINLIST_PICTURES=docs/workbench pytest tests/app/workbench/test_pictures.py` writes them anew.
"""

import os
from pathlib import Path

import pytest

from .test_draw import FOUR_BAR, shown
from .test_knobs import hold
from .test_pull import stand_at, take_hold

pytestmark = [pytest.mark.browser, pytest.mark.long]

STORED = Path(__file__).parents[3] / "docs" / "workbench"
KNOBS = """Pendulum on a spring
.param L=1 ; 0.5..1.6
.param k=60 ; 20..200
.param m=1kg ; 0.5..3
B1 (0.4,-L) m
K1 B1 (0,0) k L0=0.7
.tran 0 12 2E-3
.plot PATH(B1) Y(B1)
"""


@pytest.fixture
def take(tmp_path):
    """Takes a picture; one of the same name must be in the documentation."""
    folder = Path(os.environ.get("CHAINLIST_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)

    def picture(user, name):
        user.tab.wait_for_timeout(400)  # notices and dimming have had their time
        user.tab.screenshot(path=folder / name)
        assert (folder / name).stat().st_size > 10_000
        assert (STORED / name).exists(), "the documentation has no such picture"

    return picture


def at(user, time):
    user.press("Pause")
    user.run("chainlistBench.player.seek(argument)", time)
    user.wait(f"chainlistBench.tabs.time === {time}")  # plots follow with the next frame


def test_the_first_look_then_pulling_and_measuring(visit, take):
    user = visit(viewport={"width": 1200, "height": 760})
    user.wait("chainlistBench.run?.status.ok")
    at(user, 2.6)
    take(user, "first.png")

    take_hold(user, "B2", 2.0)
    for x, y in ((1.2, -1.2), (1.4, -0.6), (1.5, -0.2), (1.5, 0.1)):
        user.tab.mouse.move(*user.place_of(x, y), steps=3)
        user.tab.wait_for_timeout(250)
    take(user, "pull.png")
    user.tab.mouse.up()
    user.press("Pause")
    user.press("Back to the run")
    user.wait("!chainlistBench.pull.shows && chainlistBench.player.scene === chainlistBench.run.scene")

    stand_at(user, 2)
    user.tab.locator(".bench-stage canvas").focus()
    user.tab.keyboard.press("v")
    user.tab.locator(".bench-plot canvas[tabindex]").first.focus()
    user.tab.keyboard.press("m")
    stand_at(user, 3.1)
    user.wait("document.querySelector('.cl-difference').textContent.includes('1.1')")
    x, y = user.run("[...chainlistBench.player.position].slice(2)")
    user.tab.mouse.move(*user.place_of(x, y))
    user.tab.locator(".bench-stage .cl-tip").wait_for()
    take(user, "measure.png")


def test_knobs(visit, take):
    user = visit(viewport={"width": 1200, "height": 760}, color_scheme="dark")
    user.write(KNOBS)
    user.wait_for_run("Pendulum on a spring")
    user.tab.mouse.move(*hold(user, "k", 0.22))
    user.tab.mouse.down()
    user.tab.mouse.move(*hold(user, "k", 0.6), steps=6)
    user.wait("chainlistBench.run.partial !== undefined")
    user.tab.mouse.up()
    user.wait(
        "chainlistBench.run.partial === undefined && chainlistBench.run.text === chainlistEditor.state.doc.toString()"
    )
    at(user, 6)
    take(user, "knobs.png")


def test_drawing(visit, take):
    user = visit(viewport={"width": 1200, "height": 760})
    user.live(False)
    user.write(FOUR_BAR.replace("Untitled", "A four-bar with a motor and a spring"))
    shown(user, "M1")
    user.press("Draw")
    user.press("Damper")
    user.tab.mouse.move(*user.place_of(-0.6, 0))
    user.tab.mouse.down()
    user.tab.mouse.move(*user.place_of(0.2, -0.4), steps=5)
    take(user, "draw.png")
    user.tab.mouse.up()


def test_a_phone(visit, take):
    user = visit(viewport={"width": 390, "height": 760}, has_touch=True)
    user.write(KNOBS)
    user.wait_for_run("Pendulum on a spring")
    user.press("Watch")
    at(user, 3)
    take(user, "phone.png")
