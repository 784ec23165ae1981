"""Measuring: what the pointer reads, marks and boxes in plots, plots by a click, arrows, a body that is followed."""

import numpy as np
import pytest

import chainlist

from .conftest import PENDULUM

pytestmark = pytest.mark.browser


def at_one_second(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.press("Pause")
    user.run("chainlistBench.player.seek(1)")
    user.wait("chainlistBench.tabs.plots[0].time === 1")
    exact = chainlist.simulate(chainlist.parse(PENDULUM))
    return exact.q[1000, 0], exact.v[1000, 0], (exact.v[1001, 0] - exact.v[999, 0]) / 2e-3


def number_after(words, name):
    line = next(line for line in words.split("\n") if line.startswith(name))
    return float(line.split()[1].replace("\N{MINUS SIGN}", "-"))


def test_the_pointer_reads_bodies_and_links(user):
    place, velocity, acceleration = at_one_second(user)
    user.tab.mouse.move(*user.place_of(*place))
    user.painted()
    words = user.tab.locator(".bench-stage .cl-tip").text_content()
    assert number_after(words, "v") == pytest.approx(np.hypot(*velocity), rel=2e-3)
    assert number_after(words, "a") == pytest.approx(np.hypot(*acceleration), rel=2e-2)
    assert number_after(words, "T") == pytest.approx(0.5 * velocity @ velocity, rel=4e-3)
    user.tab.mouse.move(*user.place_of(*(place / 2)))
    user.painted()
    words = user.tab.locator(".bench-stage .cl-tip").text_content()
    assert words.startswith("C1") and number_after(words, "length") == pytest.approx(1, abs=1e-3)
    pull = velocity @ velocity - 9.81 * place[1]
    assert number_after(words, "pulls") == pytest.approx(pull, rel=2e-2)


def test_a_mark_in_a_plot_tells_differences(user):
    at_one_second(user)
    plot = user.tab.locator(".bench-plot canvas[tabindex]").last
    plot.focus()
    user.tab.keyboard.press("m")
    user.run("chainlistBench.player.seek(1.5)")
    exact = chainlist.simulate(chainlist.parse(PENDULUM)).q[:, 0, 1]
    told = user.tab.locator(".cl-difference").last
    user.wait("document.querySelectorAll('.cl-difference')[1].textContent.startsWith('\u0394t 0.5 ')")
    change = told.text_content().split()[-1].replace("\N{MINUS SIGN}", "-")
    assert float(change) == pytest.approx(exact[1500] - exact[1000], abs=2e-3)
    plot.focus()
    user.tab.keyboard.press("ArrowRight")
    user.wait("chainlistBench.player.time > 1.51")
    user.tab.keyboard.press("Escape")
    user.painted()
    assert told.is_hidden()


def test_a_box_in_a_plot_is_looked_into(user):
    at_one_second(user)
    box = user.tab.locator(".bench-plot canvas[tabindex]").last.bounding_box()
    whole = user.run("chainlistBench.tabs.plots[1].limits")
    user.tab.keyboard.down("Shift")
    user.tab.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.3 * box["height"])
    user.tab.mouse.down()
    user.tab.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=4)
    user.tab.mouse.up()
    user.tab.keyboard.up("Shift")
    a, b, c, d = user.run("chainlistBench.tabs.plots[1].limits")
    assert whole[0] < a < b < whole[1] and whole[2] < c < d < whole[3]
    assert user.run("chainlistBench.player.time") == 1, "it was no move in time"
    user.tab.mouse.dblclick(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    assert user.run("chainlistBench.tabs.plots[1].limits") == whole


def test_a_plot_by_a_click_on_a_body(user):
    place, _, _ = at_one_second(user)
    user.tab.mouse.click(*user.place_of(*place), button="right")
    user.tab.get_by_role("menuitem", name="Plot SPEED(B1)").click()
    assert user.text == PENDULUM.replace("Y(B1)", "Y(B1) SPEED(B1)")
    user.tab.locator(".bench-plot h3", has_text="SPEED(B1)").wait_for()


def test_arrows_and_a_body_that_is_followed(user):
    place, _, _ = at_one_second(user)
    before = user.picture()
    user.tab.locator(".bench-stage canvas").focus()
    user.tab.keyboard.press("v")
    user.wait("!chainlistBench.player.stale")
    assert user.picture() != before
    user.tab.mouse.click(*user.place_of(*place), button="right")
    user.tab.get_by_role("menuitem", name="Follow B1").click()
    where = (
        "(() => { const {view, position} = chainlistBench.player; return [view.px(position), view.py(position)]; })()"
    )
    user.run("chainlistBench.player.play()")
    user.wait("chainlistBench.player.time > 1.3 && chainlistBench.player.followedAt")
    here, kept = user.run(where), user.run("chainlistBench.player.followedAt")
    assert here == pytest.approx(kept, abs=0.5)


def pixels(user, color):
    """How many pixels of the picture are nearly of a colour."""
    return user.run(
        "(() => { const {canvas, graphics} = chainlistBench.player, {data} = graphics.getImageData(0, 0, canvas.width, canvas.height);"
        " let n = 0; for (let k = 0; k < data.length; k += 4)"
        " if (data[k + 3] > 200 && argument.every((c, i) => Math.abs(data[k + i] - c) < 12)) n += 1; return n; })()",
        color,
    )


def test_arrows_of_forces_and_axes(user):
    at_one_second(user)
    redrawn = "!chainlistBench.player.stale"
    user.press("Forces")
    user.wait(redrawn)
    pull = user.run("chainlistBench.player.theme.pull")
    before = pixels(user, pull)
    user.press("Arrows")
    user.wait(f"{redrawn} && chainlistBench.player.shows.arrows")
    assert pixels(user, pull) > before + 20  # the head of an arrow: its shaft lies on the link
    before = user.picture()
    user.press("Axes")
    user.wait(f"{redrawn} && chainlistBench.player.shows.axes")
    assert user.picture() != before


def test_the_picture_is_moved_by_keys(user):
    at_one_second(user)
    user.tab.locator(".bench-stage canvas[tabindex]").first.focus()
    left, top = user.run("[chainlistBench.player.view.left, chainlistBench.player.view.top]")
    user.tab.keyboard.press("Alt+ArrowRight")
    user.tab.keyboard.press("Alt+ArrowUp")
    assert user.run(
        "[chainlistBench.player.view.left - argument[0], chainlistBench.player.view.top - argument[1]]", [left, top]
    ) == [24, -24]
    assert user.run("chainlistBench.player.time") == 1  # the arrows alone move in time


def test_events_are_marked_on_the_time_bar_and_keys_lead_to_them(user):
    user.write("Ball\nB1 (0,1) 1\nW1 LINE(0,1,0) REST=0.5\n.tran 0 2 1E-3\n.plot Y(B1)\n")
    user.wait_for_run("Ball")
    assert user.tab.locator(".cl-events path").get_attribute("d").count("M") > 3
    user.press("Pause")
    user.run("chainlistBench.player.seek(0)")
    user.tab.locator(".bench-stage canvas[tabindex]").first.focus()
    user.tab.keyboard.press("]")
    assert user.run("chainlistBench.player.time") == pytest.approx((2 / 9.81) ** 0.5, abs=1e-9)
    user.tab.keyboard.press("e")  # drawing, wherever the focus is
    assert user.run("chainlistBench.draw.on")
