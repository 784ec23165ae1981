"""Events in the player: marks with words on the time bar, keys that go from one to the next, flashes, links that are gone."""

import numpy as np
import pytest

import chainlist
from chainlist.output.page import page
from chainlist.output.scene import build_scene
from chainlist.run.happenings import Happening

pytestmark = pytest.mark.browser

TEXT = """* Events
B1 (0,0) 1 RADIUS=0.2
B2 (2,1) 1
C1 B1 B2 BREAK=5N
C2 B2 (0,2) ROPE LENGTH=3
W1 LINE(0,1,-0.2)
.tran 0 4 10ms
.plot CONSTRAINTS(ALL)
"""
EVENTS = (Happening(1.0, "hits", ("W1", "B1"), 2.0, 0.5), Happening(2.5, "breaks", ("C1",)))


@pytest.fixture(scope="module")
def html():
    mechanism = chainlist.parse(TEXT)
    t = np.linspace(0, 4, 41)
    q = np.broadcast_to([(0.0, 0.0), (2.0, 1.0)], (41, 2, 2))
    return page(build_scene(mechanism, t, q, np.zeros_like(q), events=EVENTS))


def ink(opened, x, y, reach):
    """How many pixels around a place of the plane [m] are not empty."""
    opened.settle()
    return opened.run(
        f"""(() => {{ const v = chainlist.player.view, r = {reach} * v.scale, g = chainlist.player.graphics;
        const d = g.getImageData(v.x({x}) - r, v.y({y}) - r, 2 * r, 2 * r).data;
        let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 40; return n; }})()"""
    )


def seek(opened, time):
    opened.run(f"chainlist.player.pause(), chainlist.player.seek({time})")


def test_marks_on_the_time_bar_say_what_happened(open_page, html):
    opened = open_page(html)
    opened.settle()
    assert opened.run("document.querySelector('.cl-events path').getAttribute('d')") == "M250.0 0V10M625.0 0V10"
    box = opened.tab.locator(".cl-time").bounding_box()
    middle = box["y"] + box["height"] / 2
    opened.tab.mouse.move(box["x"] + 8 + 0.625 * (box["width"] - 16), middle)
    assert "C1 breaks" in opened.run("document.querySelector('.cl-time').title")
    opened.tab.mouse.move(box["x"] + 8 + 0.4 * (box["width"] - 16), middle)
    assert opened.run("document.querySelector('.cl-time').title") == ""


def test_keys_go_from_event_to_event(open_page, html):
    opened = open_page(html)
    opened.run("chainlist.player.canvas.focus()")
    seen = []
    for key in ("e", "e", "e", "E", "E"):
        opened.tab.keyboard.press(key)
        seen.append(opened.run("chainlist.player.time"))
    assert seen == [1.0, 2.5, 2.5, 1.0, 1.0]


def test_a_contact_flashes_and_a_broken_link_is_gone(open_page, html):
    opened = open_page(html)
    seek(opened, 0.9)
    quiet = ink(opened, 0, -0.2, 0.12)
    seek(opened, 1.02)
    assert ink(opened, 0, -0.2, 0.12) > quiet
    assert ink(opened, 0.5, 0.25, 0.05) > 0  # on the rod
    seek(opened, 2.9)
    assert ink(opened, 0.5, 0.25, 0.05) == 0


def test_a_body_has_its_size_and_a_slack_rope_sags(open_page, html):
    opened = open_page(html)
    seek(opened, 0.5)
    assert opened.run("chainlist.player.drawing.radius(0) / chainlist.player.view.scale") == pytest.approx(0.2)
    assert ink(opened, 1, 1.5, 0.04) == 0  # on the straight way of the rope
    line = opened.run("chainlist.player.drawing.scene.others.filter((p) => p.kind === 'rope').length")
    assert line == 1 and ink(opened, 0.9, 0.55, 0.25) > 0  # and well below it


def test_the_page_without_data_stays_small(html):
    assert len(html.encode()) < 350_000
