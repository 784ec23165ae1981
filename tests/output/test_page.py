"""The standalone page in a real browser: it moves, obeys, shows its plots, and asks nobody for anything.

Every page opened here must in the end have made one request, the file itself, and no complaint (see conftest.py).
"""

import os
import re
from dataclasses import replace
from html import escape

import numpy as np
import pytest

from chainlist.output.page import page

from ..browser import chromium
from .motions import TEXT, crank_at, crank_scene
from .test_scene import HOSTILE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def html():
    return page(crank_scene())


def test_there_is_a_browser():
    """Without one the other tests are skipped; where CI=true that must not go unseen."""
    if os.environ.get("CI") != "true":
        pytest.skip("only asked for where CI=true")
    assert chromium(), "no chromium: install it (tools/install-browser.sh does on Debian), or name it in CHROMIUM"


def shown_at(opened):
    """Time and positions (bodies, 2) as the player has them."""
    opened.settle()
    return opened.run("chainlist.player.time"), np.array(opened.run("[...chainlist.player.position]")).reshape(-1, 2)


def color_at(opened, canvas, place):
    """Red, green, blue and alpha of a canvas at a place of the plane [m]."""
    x, y = map(float, place)
    view = "chainlist.player.view"
    return opened.run(f"[...{canvas}.getContext('2d').getImageData({view}.x({x}), {view}.y({y}), 1, 1).data]")


def test_it_animates(open_page, html):
    opened = open_page(html, playing=True)
    before = opened.tab.locator("#stage canvas").screenshot()
    opened.wait("chainlist.player.time > 0.5")
    assert opened.tab.locator("#stage canvas").screenshot() != before
    opened.tab.get_by_role("button", name="Pause").click()
    first = opened.picture()
    opened.tab.wait_for_timeout(100)
    assert opened.picture() == first


def test_it_waits_where_motion_is_unwelcome(open_page, html):
    opened = open_page(html)
    opened.tab.wait_for_timeout(100)
    assert opened.run("chainlist.player.time") == 0
    assert opened.tab.get_by_role("button", name="Play").is_visible()


def test_bodies_are_where_they_belong(open_page, html):
    """Between frames too: positions of the player, and the colour on the canvas, against the exact motion."""
    opened = open_page(html)
    for time in (0.123, 1.7717, 3.9991):
        opened.run(f"chainlist.player.seek({time})")
        now, positions = shown_at(opened)
        exact = crank_at(np.array([time]))[0][0]
        assert now == time
        assert np.abs(positions - exact).max() < 1e-4
        assert color_at(opened, "chainlist.player.canvas", exact[0])[:3] == [0x0B, 0x66, 0xB2]  # the first colour


def test_it_scrubs(open_page, html):
    opened = open_page(html)
    before = opened.picture()
    bar = opened.tab.get_by_role("slider", name="Time")
    box = bar.bounding_box()
    opened.tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert shown_at(opened)[0] == pytest.approx(2, abs=0.05)
    assert opened.picture() != before
    assert bar.get_attribute("aria-valuetext").startswith("2.0")
    assert opened.tab.locator(".cl-clock").inner_text().endswith("/ 4.000 s")


def test_keys(open_page, html):
    opened = open_page(html)
    key = opened.tab.keyboard.press
    frames = opened.run("[...chainlist.scene.motion.times.slice(0, 12)]")
    key("ArrowRight")
    assert shown_at(opened)[0] == frames[1]
    key("Shift+ArrowRight")
    assert shown_at(opened)[0] == frames[11]
    key("ArrowLeft")
    assert shown_at(opened)[0] == frames[10]
    key("End")
    assert shown_at(opened)[0] == 4
    key("Home")
    assert shown_at(opened)[0] == 0
    key("Space")
    assert opened.run("chainlist.player.playing") is True
    key("Space")
    assert opened.run("chainlist.player.playing") is False
    for letter, what in {"s": "strobe", "t": "trails", "n": "names", "f": "forces"}.items():
        before = opened.run(f"chainlist.player.shows.{what}")
        key(letter)
        assert opened.run(f"chainlist.player.shows.{what}") is not before


def test_space_on_a_button_presses_that_button_only(open_page, html):
    opened = open_page(html)
    opened.tab.get_by_role("button", name="Trails").focus()
    opened.tab.keyboard.press("Space")
    assert opened.run("[chainlist.player.shows.trails, chainlist.player.playing]") == [True, False]


def test_each_button_changes_the_picture(open_page, html):
    opened = open_page(html)
    opened.run("chainlist.player.seek(1.9)")
    before = opened.picture()
    for what in ("Strobe", "Trails", "Names", "Forces"):
        button = opened.tab.get_by_role("button", name=what)
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        assert opened.picture() != before, what
        button.click()
        assert opened.picture() == before, what


def test_exposures_are_taken_every_frame_interval_and_again_after_a_jump_back(open_page, html):
    opened = open_page(html)
    opened.run("(chainlist.player.set('strobe', true), chainlist.player.seek(3.2))")
    later = opened.picture()
    assert opened.run("chainlist.player.past.exposure") == 7  # 0, 0.5, … 3.0
    opened.run("chainlist.player.seek(1.1)")
    earlier = opened.picture()
    assert opened.run("chainlist.player.past.exposure") == 3
    opened.run("chainlist.player.seek(3.2)")
    assert opened.run("chainlist.player.time") == 3.2
    assert opened.picture() != earlier
    assert opened.run("chainlist.player.past.exposure") == 7
    assert later != earlier


def test_old_exposures_are_fainter_than_new_ones(open_page, html):
    opened = open_page(html)
    opened.run("(chainlist.player.set('strobe', true), chainlist.player.seek(3.2))")
    opened.settle()

    def light(time):
        return color_at(opened, "chainlist.player.past.glow", crank_at(np.array([time]))[0][0][0])[3]

    # The crank is back at its place every 2 s: compare places that were exposed at 1.5 s alone, and at 1 s and 3 s.
    assert 0 < light(1.5) < light(3.0)


def test_zoom_pan_and_fit(open_page, html):
    opened = open_page(html, viewport={"width": 1200, "height": 800})
    scale = "chainlist.player.view.scale"
    fitted, before = opened.run(scale), opened.picture()
    box = opened.tab.locator("#stage canvas").bounding_box()
    x, y = box["x"] + 300, box["y"] + 200
    opened.tab.mouse.move(x, y)
    under = "(p => p.view.world(300 * p.view.ratio, 200 * p.view.ratio))(chainlist.player)"
    held = opened.run(under)
    opened.tab.mouse.wheel(0, -400)
    opened.settle()
    assert opened.run(scale) > 1.5 * fitted
    assert opened.run(under) == pytest.approx(held, abs=0.005)  # what is under the pointer stays there
    left = opened.run("chainlist.player.view.left")
    opened.tab.mouse.down()
    opened.tab.mouse.move(x + 60, y + 10)
    opened.tab.mouse.up()
    assert opened.run("chainlist.player.view.left") == pytest.approx(left + 60)
    opened.tab.get_by_role("button", name="Show everything").click()
    assert opened.run(scale) == fitted
    opened.tab.mouse.move(5, 5)
    assert opened.picture() == before


def test_two_fingers_zoom(open_page, html):
    opened = open_page(html, viewport={"width": 800, "height": 700}, has_touch=True)
    fitted = opened.run("chainlist.player.view.scale")
    box = opened.tab.locator("#stage canvas").bounding_box()
    middle, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers = opened.tab.context.new_cdp_session(opened.tab)

    def touch(kind, *apart):
        points = [{"x": middle + side * apart[0], "y": y, "id": i} for i, side in enumerate((-1, 1))] if apart else []
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 50)
    for apart in (60, 75, 90, 100):
        touch("touchMove", apart)
    touch("touchEnd")
    assert opened.run("chainlist.player.view.scale") == pytest.approx(2 * fitted, rel=0.1)


def test_plots_are_drawn_and_follow_the_animation(open_page, html):
    opened = open_page(html, viewport={"width": 1300, "height": 900})
    assert opened.run("chainlist.plots.map(p => p.root.querySelector('h3').textContent)") == [
        "X(ALL)",
        "Constraint error",
        "PATH(B1)",
    ]
    opened.settle()
    painted = """chainlist.plots.map(({ lower: c }) =>
        c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((v, i) => i % 4 === 3 && v > 200))"""
    assert opened.run(painted) == [True, True, True]
    cursor = "chainlist.plots[0].upper.toDataURL()"
    before = opened.run(cursor)
    opened.run("chainlist.player.seek(2.5)")
    opened.settle()
    assert opened.run(cursor) != before
    assert opened.run("chainlist.plots[0].time") == 2.5


def test_a_path_has_equal_scales(open_page, html):
    opened = open_page(html)
    ratio = "(a => (a.x(1) - a.x(0)) / (a.y(0) - a.y(1)))(chainlist.plots[2].axes)"
    opened.tab.locator("#panels .path").scroll_into_view_if_needed()
    assert opened.run(ratio) == pytest.approx(1, abs=1e-6)


def test_a_drag_in_a_plot_scrubs(open_page, html):
    opened = open_page(html, viewport={"width": 1300, "height": 900})
    box = opened.tab.locator("#panels .time canvas").nth(1).bounding_box()
    left, right = opened.run("(p => [p.axes.left / p.ratio, p.axes.right / p.ratio])(chainlist.plots[0])")
    opened.tab.mouse.move(box["x"] + left + 10, box["y"] + 60)
    opened.tab.mouse.down()
    opened.tab.mouse.move(box["x"] + left + 0.75 * (right - left), box["y"] + 60, steps=4)
    opened.tab.mouse.up()
    assert shown_at(opened)[0] == pytest.approx(3, abs=0.01)
    told = opened.tab.locator("#panels .time .cl-tip").first.inner_text()
    value = crank_at(np.array([3.0]))[0][0][1, 0]
    assert told.splitlines()[0].startswith("t  3")
    assert float(told.splitlines()[2].split()[1].replace("−", "-")) == pytest.approx(value, abs=0.02)


def test_a_click_on_a_path_goes_to_the_time_of_the_nearest_point(open_page, html):
    opened = open_page(html, viewport={"width": 1300, "height": 900})
    canvas = opened.tab.locator("#panels .path canvas").nth(1)
    canvas.scroll_into_view_if_needed()
    opened.settle()
    x, y = opened.run("(p => [p.axes.x(0) / p.ratio, p.axes.y(-1) / p.ratio])(chainlist.plots[2])")
    canvas.click(position={"x": x, "y": y})
    assert shown_at(opened)[1][0] == pytest.approx([0, -1], abs=0.03)


def test_a_curve_can_be_hidden(open_page, html):
    opened = open_page(html)
    whole = opened.run("chainlist.plots[0].limits")
    opened.tab.get_by_role("button", name="X(B2)").click()
    assert opened.run("chainlist.plots[0].limits")[3] < whole[3]


def test_hostile_text_stays_text(open_page):
    scene = crank_scene()
    evil = replace(
        scene,
        title=HOSTILE,
        text=HOSTILE,
        notes=(HOSTILE,),
        figures=((HOSTILE, HOSTILE),),
        bodies=tuple(replace(body, name=HOSTILE) for body in scene.bodies),
        parts=tuple(replace(part, name=HOSTILE) for part in scene.parts),
        panels=tuple(
            replace(p, title=HOSTILE, y_label=HOSTILE, curves=tuple(replace(c, name=HOSTILE) for c in p.curves))
            for p in scene.panels
        ),
    )
    opened = open_page(page(evil))
    opened.run("chainlist.player.set('names', true)")
    box = opened.tab.locator("#panels .time canvas").nth(1).bounding_box()
    opened.tab.mouse.move(box["x"] + 100, box["y"] + 60)
    opened.settle()
    assert opened.tab.title() == " ".join(HOSTILE.split())
    assert opened.tab.locator("h1").inner_text() == " ".join(HOSTILE.split())
    assert opened.tab.locator("#panels h3").first.text_content() == HOSTILE
    assert opened.tab.locator("#panels .cl-legend button").first.text_content() == HOSTILE
    assert opened.tab.locator("pre").text_content() == HOSTILE
    assert opened.run("[document.images.length, document.scripts.length]") == [0, 4], "its data and its program"


def test_the_chainlist_and_the_report_are_there(open_page, html):
    opened = open_page(html)
    assert not opened.tab.locator("pre").is_visible()
    opened.tab.locator("summary").click()
    assert opened.tab.locator("pre").text_content() == TEXT
    assert opened.tab.locator("dt").inner_text() == "steps"
    assert opened.tab.locator(".facts li").inner_text() == "A note."


def test_light_and_dark(open_page, html):
    paper = "getComputedStyle(document.querySelector('.cl-player')).backgroundColor"
    light, dark = open_page(html, color_scheme="light"), open_page(html, color_scheme="dark")
    assert light.run(paper) == "rgb(255, 255, 255)"
    assert dark.run(paper) == "rgb(21, 25, 29)"
    before, painted_dark = light.picture(), dark.picture()
    assert before != painted_dark
    light.tab.get_by_role("button", name="Switch between light and dark").click()
    assert light.run(paper) == "rgb(21, 25, 29)"
    assert light.picture() == painted_dark


@pytest.mark.parametrize("width", [320, 390, 800, 1600])
def test_nothing_sticks_out(open_page, html, width):
    opened = open_page(html, viewport={"width": width, "height": 800})
    assert opened.run("document.documentElement.scrollWidth") <= width
    side_by_side = opened.run("document.querySelector('#panels').getBoundingClientRect().left > 100")
    assert side_by_side is (width >= 1000)


def test_sharp_on_fine_screens_and_after_a_resize(open_page, html):
    opened = open_page(html, viewport={"width": 700, "height": 800}, device_scale_factor=2)
    sizes = "(c => [c.width / c.clientWidth, c.height / c.clientHeight])(chainlist.player.canvas)"
    assert opened.run(sizes) == pytest.approx([2, 2], abs=0.01)
    opened.tab.set_viewport_size({"width": 500, "height": 600})
    opened.wait("chainlist.player.canvas.clientWidth < 500")
    opened.settle()
    assert opened.run(sizes) == pytest.approx([2, 2], abs=0.01)


def test_everything_has_a_name_for_screen_readers(open_page, html):
    opened = open_page(html)
    nameless = """[...document.querySelectorAll('button, input, select, [tabindex], canvas[role]')].filter(e =>
        !e.hidden && !(e.getAttribute('aria-label') || e.textContent).trim()).map(e => e.outerHTML)"""
    assert opened.run(nameless) == []
    assert opened.run("chainlist.player.canvas.getAttribute('aria-label')") == (
        "Animation of Slider and crank: 2 bodies, 2 links, 1 slider"
    )


def test_it_works_in_a_sandboxed_frame_as_a_notebook_shows_it(browser, html):
    context = browser.new_context(offline=True)
    tab = context.new_page()
    tab.set_content(f'<iframe sandbox="allow-scripts" width="900" height="600" srcdoc="{escape(html)}"></iframe>')
    frame = tab.frame_locator("iframe")
    frame.get_by_role("button", name="Pause").wait_for()  # it plays
    clock = frame.locator(".cl-clock")
    before = clock.inner_text()
    tab.wait_for_timeout(300)
    assert clock.inner_text() != before
    context.close()


def test_data_that_cannot_be_read_are_reported(browser, html, tmp_path):
    path = tmp_path / "broken.html"
    path.write_text(re.sub(r'(id="scene">).{40}', r"\1" + 40 * "A", html), encoding="utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    tab.get_by_text("This page could not be shown").wait_for()
    tab.close()


def test_a_run_that_broke_down_is_shown_up_to_there(open_page):
    t = np.linspace(0, 4, 4001)
    q, v = crank_at(t)
    q[3000:3010] *= 1e150
    q[3010:] = np.nan
    scene = crank_scene()
    broken = replace(scene, t=t[::8], q=q[::8], v=v[::8], tension=None)
    opened = open_page(page(broken))
    left, right, bottom, top = opened.run("chainlist.player.view.box")
    assert -1.1 < left < 0 and 2.9 < right < 3.5 and bottom > -1.1 and top < 1.1
    opened.run("chainlist.player.seek(4)")
    opened.settle()
    assert not opened.tab.get_by_role("button", name="Forces").is_visible()


def test_a_page_begins_with_its_window_and_one_can_zoom_out(open_page):
    scene = replace(crank_scene(), window=(0.0, 2.0, -1.0, 1.0))
    opened = open_page(page(scene))
    assert opened.run("chainlist.player.view.box") == [0, 2, -1, 1]
    opened.run("chainlist.player.zoom(0.2)")
    assert opened.run("chainlist.player.view.world(0, 0)[0]") < -2
    opened.run("chainlist.player.fit()")
    assert opened.run("chainlist.player.view.box") == [0, 2, -1, 1]
