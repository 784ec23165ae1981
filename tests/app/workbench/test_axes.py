"""Axes of a plot are chosen by a click or by keyboard: each choice is one edit of the items in the text, and one undo."""

import pytest

from chainlist.app.workbench.checking import check
from chainlist.app.workbench.settings import RunLimits
from chainlist.compile.read import parse
from chainlist.model.ask import ask
from chainlist.output.panels import asked_panels
from chainlist.run.simulate import simulate

MIXED = """Mixed; 𝄞
.include "part.chain"
B1 (1,0) 1
C1 B1 (0,0)
K1 B1 (2,0) 3
.tran 0 1 1E-2
.plot Y(B1) "PATH(B1) {X(B1) + 1} PHASE(B1) FFT(X(B1)) VS(X(B1), Y(B1))   Y(B1)" ; as before
.plot CONSTRAINTS(ALL) TENSION(C1)
"""
SWING = 'Swing\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 4 1E-3\n.plot PATH(B1) Y(B1) "VX(B1)  VY(B1)" ; a remark\n'


def test_the_places_are_those_of_the_panels(tmp_path):
    (tmp_path / "part.chain").write_text("B2 (5,0) 1\n.plot Y(B2)\n")
    data, _ = check(MIXED, RunLimits(), tmp_path, "mixed.chain")
    run = simulate(parse(MIXED.replace('.include "part.chain"', "")))
    panels = asked_panels(run, run.mechanism.plots)
    assert [place["title"] for place in data["plots"]] == [panel.title for panel in panels]  # but for the included one
    units = MIXED.encode("utf-16-le")
    for place in data["plots"]:
        for item in place["items"]:
            first, last = item["at"]
            assert units[2 * first : 2 * last].decode("utf-16-le") == item["text"]
    assert [place["quoted"] for place in data["plots"]] == [False, True, True, True, True, True, False]
    assert {"Time", "X(B1)", "AY(B2)", "ANGLE(C1)", "TENSION(C1)", "FORCE(K1)", "Etotal"} <= set(data["items"])
    for item in data["items"]:
        ask(run.mechanism if "B2" not in item else parse(MIXED.replace('.include "part.chain"', "B2 (5,0) 1")), item)


def choose(user, plot, which, item):
    user.tab.locator(".bench-plot").nth(plot).locator(f".cl-axis-{which}").click()
    user.tab.locator(".bench-axis-menu").get_by_role("button", name=item, exact=True).click()


def shown(user, title):
    user.tab.locator(".bench-plot h3").get_by_text(title, exact=True).wait_for()


@pytest.mark.browser
def test_a_click_on_an_axis_chooses_what_is_there(user):
    user.write(SWING)
    user.wait_for_run("Swing")
    shown(user, "Y(B1)")
    assert user.tab.locator(".bench-plot").first.locator(".cl-axis").first.is_hidden(), "a path has its own axes"
    choose(user, 1, "across", "SPEED(B1)")
    assert user.text == SWING.replace(" Y(B1)", " VS(Y(B1),SPEED(B1))")
    shown(user, "VS(Y(B1),SPEED(B1))")
    kind, label = user.run("(({kind, xLabel}) => [kind, xLabel])(chainlistBench.tabs.plots[1].panel)")
    assert (kind, label) == ("versus", "speed")
    choose(user, 1, "up", "X(B1)")
    assert user.text == SWING.replace(" Y(B1)", ' "VS(Y(B1),SPEED(B1)) VS(X(B1),SPEED(B1))"')
    shown(user, "VS(Y(B1),SPEED(B1))  VS(X(B1),SPEED(B1))")
    choose(user, 1, "up", "Y(B1)")
    shown(user, "VS(X(B1),SPEED(B1))")
    choose(user, 1, "across", "Time")
    assert user.text == SWING.replace(" Y(B1)", ' "X(B1)"')
    shown(user, "X(B1)")
    choose(user, 2, "across", "X(B1)")
    assert user.text == SWING.replace(" Y(B1)", ' "X(B1)"').replace(
        '"VX(B1)  VY(B1)"', '"VS(VX(B1),X(B1))  VS(VY(B1),X(B1))"'
    )
    user.tab.locator(".cm-content").focus()
    for _ in range(5):
        user.tab.keyboard.press("Control+z")
    assert user.text == SWING


@pytest.mark.browser
def test_by_keyboard_and_any_item_can_be_written(user):
    user.write(SWING)
    user.wait_for_run("Swing")
    across = user.tab.locator(".bench-plot").nth(1).locator(".cl-axis-across")
    across.focus()
    assert across.get_attribute("aria-label") == "Across: t [s]. Choose"
    user.tab.keyboard.press("Enter")
    user.tab.keyboard.type("angle")
    user.tab.keyboard.press("ArrowDown")
    user.tab.keyboard.press("Enter")
    assert user.text == SWING.replace(" Y(B1)", " VS(Y(B1),ANGLE(C1))")
    assert user.run("document.activeElement.className") == "cl-axis cl-axis-across"
    shown(user, "VS(Y(B1),ANGLE(C1))")
    user.tab.keyboard.press("Enter")
    user.tab.keyboard.type("{ANGLE(C1)/1deg}")
    user.tab.keyboard.press("Enter")
    shown(user, "VS(Y(B1),{ANGLE(C1)/1deg})")
    user.tab.keyboard.press("Enter")
    user.tab.keyboard.press("Escape")
    assert user.run("document.activeElement.className") == "cl-axis cl-axis-across"
    assert user.text == SWING.replace(" Y(B1)", " VS(Y(B1),{ANGLE(C1)/1deg})")


@pytest.mark.browser
def test_a_plot_of_an_earlier_text_is_not_changed_and_a_slow_line_does_no_harm(user):
    user.write(SWING)
    user.wait_for_run("Swing")
    user.wait("chainlistBench.plots.plots.length === 3")
    user.run("line.held = true")  # the server hears of nothing
    user.run("chainlistEditor.dispatch({changes: {from: 0, insert: 'A new '}})")  # what follows has moved
    choose(user, 1, "across", "X(B1)")
    assert user.text == "A new " + SWING.replace(" Y(B1)", " VS(Y(B1),X(B1))")
    user.tab.locator(".bench-plot").nth(1).locator(".cl-axis-across").click()
    user.tab.locator(".bench-axis-menu").get_by_role("button", name="Time", exact=True).wait_for()
    user.tab.locator(".bench-axis-menu").get_by_role("button", name="VX(B1)", exact=True).click()
    assert user.text == "A new " + SWING.replace(" Y(B1)", " VS(Y(B1),X(B1))")
    user.run("line.release()")
    user.wait("chainlistBench.run.text === chainlistEditor.state.doc.toString()")


@pytest.mark.browser
def test_what_is_seen_of_a_plot_is_moved(user):
    user.write(SWING)
    user.wait_for_run("Swing")
    canvas = user.tab.locator(".bench-plot").nth(1).locator("canvas[tabindex]")
    whole = user.run("chainlistBench.tabs.plots[1].limits")
    box = canvas.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    user.tab.keyboard.down("Control")
    user.tab.mouse.move(*middle)
    user.tab.mouse.down()
    user.tab.mouse.move(middle[0] - 40, middle[1] - 20, steps=3)
    user.tab.mouse.up()
    user.tab.keyboard.up("Control")
    a, b, c, d = user.run("chainlistBench.tabs.plots[1].limits")
    assert b - a == pytest.approx(whole[1] - whole[0]) and a > whole[0]
    assert d - c == pytest.approx(whole[3] - whole[2]) and c < whole[2]
    canvas.focus()
    user.tab.keyboard.press("Alt+ArrowRight")
    assert user.run("chainlistBench.tabs.plots[1].limits[0]") < a
    user.tab.keyboard.press("0")
    assert user.run("chainlistBench.tabs.plots[1].limits") == whole
