"""Files and texts of a tab: saved by one key, marked while they are not, offered again when a tab was closed."""

import pytest

from .conftest import LONG, PENDULUM, User, Workbench

pytestmark = pytest.mark.browser

EDITED = PENDULUM.replace("A pendulum", "Edited")


def test_one_key_saves_the_open_file(user, workspace):
    (workspace / "known.chain").write_text(PENDULUM)
    user.open_file("known.chain")
    user.wait("document.title === 'known.chain \u2013 chainlist'")
    user.write(EDITED)
    user.wait("document.title === '\u25cf known.chain \u2013 chainlist'")
    assert user.tab.locator(".bench-file").text_content() == "known.chain \u25cf"
    user.tab.locator(".bench-stage canvas").focus()
    user.tab.keyboard.press("Control+s")
    user.wait("document.title === 'known.chain \u2013 chainlist'")
    assert (workspace / "known.chain").read_text() == EDITED
    user.write(PENDULUM)
    user.wait("document.title.startsWith('\u25cf')")
    (workspace / "known.chain").write_text("Somebody else\n")
    user.press("Save")
    user.tab.get_by_role("textbox", name="Name").wait_for()  # asked, not overwritten
    assert (workspace / "known.chain").read_text() == "Somebody else\n"


@pytest.mark.long
def test_closing_with_unsaved_text_warns(visit):
    user = visit()
    user.wait_for_run("Double pendulum: change a number, or drag a body")
    asked = []
    user.tab.on("dialog", lambda dialog: asked.append(dialog.type))
    user.tab.locator(".cm-content").click()  # a browser asks only where somebody has done something
    user.tab.reload()
    assert asked == []
    user.wait("Boolean(globalThis.chainlistEditor)")
    user.tab.locator(".cm-content").click()
    user.write(EDITED)
    user.wait("document.title.startsWith('\u25cf')")
    user.tab.reload()
    assert asked == ["beforeunload"]


def test_a_text_that_was_not_saved_is_offered_by_the_next_tab(visit, workspace):
    (workspace / "draft.chain").write_text(PENDULUM)
    user = visit()
    user.open_file("draft.chain")
    user.wait_for_run("A pendulum")
    user.write(EDITED)
    user.wait("localStorage.getItem('chainlist-drafts')?.includes('Edited')")
    context = user.tab.context
    user.tab.close(run_before_unload=True)
    user.tab.wait_for_event("close")
    user.tab = User(context, user.bench).tab
    assert user.text.startswith("Double pendulum")
    user.tab.get_by_role("button", name="Bring it back").click()
    user.wait_for_run("Edited")
    user.wait("document.title === '\u25cf draft.chain \u2013 chainlist'")
    user.press("Save")
    user.wait("document.title === 'draft.chain \u2013 chainlist'")
    assert (workspace / "draft.chain").read_text() == EDITED
    user.wait("localStorage.getItem('chainlist-drafts') === '{}'")


@pytest.mark.long
def test_new_and_recent(visit):
    user = visit()
    user.open_file("pendulum.chain")
    user.wait_for_run("A pendulum")
    user.press("New")
    user.wait("chainlistEditor.state.doc.line(1).text === 'Untitled'")
    user.press("Open")
    user.tab.get_by_text("Recent", exact=True).wait_for()
    assert user.tab.locator(".bench-files").first.locator("button").all_text_contents() == ["pendulum.chain"]


def test_a_closed_tab_frees_its_worker_within_two_seconds(user, visit):
    first, second = visit(), user
    second.live(False)
    second.write(PENDULUM)
    second.wait("chainlistBench.mode === 'start' && chainlistBench.start.text === chainlistEditor.state.doc.toString()")
    first.write(LONG)
    first.press("Run")
    first.wait("chainlistBench.growing")
    first.tab.close(run_before_unload=True)
    second.press("Run")
    second.tab.wait_for_function(
        "() => chainlistBench.mode === 'run' && chainlistBench.run?.title === 'A pendulum'", timeout=4000
    )


@pytest.mark.long
def test_the_text_of_a_link_survives_the_question_for_the_token(browser, visit, bench):
    from chainlist.app.workbench.sharing import fragment_of

    running = Workbench(token="a-secret-of-the-class")
    context = browser.new_context()
    try:
        tab = context.new_page()
        tab.goto(f"{running.url}/#{fragment_of(EDITED)}")
        tab.get_by_label("Token").fill("a-secret-of-the-class")
        tab.get_by_role("button", name="Enter").click()
        tab.wait_for_function("() => globalThis.chainlistEditor?.state.doc.line(1).text === 'Edited'")
    finally:
        context.close()
        running.stop()


COMMENTED = "Drag me\nB1 (1.0,  0) 1   ; the bob\nC1 B1 (0,0)\n.tran 0 1 1E-3\n"


def test_one_drag_is_one_undo(user):
    user.live(False)
    user.write(COMMENTED)
    user.wait("chainlistBench.mode === 'start' && chainlistBench.player.scene.title === 'Drag me'")
    user.wait("chainlistBench.handles.length === 2")
    user.tab.mouse.move(*user.place_of(1, 0))
    user.tab.mouse.down()
    for x in (0.9, 0.8, 0.7):
        user.tab.mouse.move(*user.place_of(x, -0.4), steps=3)
        user.tab.wait_for_timeout(600)  # longer than the editor joins changes by itself
    user.tab.mouse.up()
    assert user.text != COMMENTED
    user.tab.locator(".cm-content").focus()
    user.tab.keyboard.press("Control+z")
    assert user.text == COMMENTED
    user.tab.keyboard.press("Control+y")
    assert user.text != COMMENTED


def test_alt_shift_moves_ten_times_as_far(user):
    user.write(PENDULUM)
    at = PENDULUM.index("(1,0)") + 1
    user.run("(chainlistEditor.dispatch({selection: {anchor: argument}}), chainlistEditor.focus())", at)
    user.tab.keyboard.press("Alt+Shift+Equal")
    assert user.text.split("\n")[1] == "B1 (2,0) 1"
    user.tab.keyboard.press("Alt+Minus")
    assert user.text.split("\n")[1] == "B1 (1.9,0) 1"


def test_completion_of_commands_and_of_values(user):
    user.tab.locator(".cm-content").focus()
    user.tab.keyboard.press("Control+End")
    user.tab.keyboard.type(".t")
    user.tab.locator(".cm-tooltip-autocomplete li[aria-selected]", has_text=".tran").wait_for()
    user.tab.keyboard.press("Escape")
    user.tab.keyboard.press("Backspace")
    user.tab.keyboard.type("options INTEGRA")
    user.tab.locator(".cm-tooltip-autocomplete li[aria-selected]", has_text="INTEGRATOR").wait_for()
    user.tab.wait_for_timeout(300)
    user.tab.keyboard.press("Enter")
    user.tab.locator(".cm-tooltip-autocomplete li", has_text="DOP853").wait_for()


def test_the_cursor_stays_when_tabs_change_and_colours_agree(user):
    user.write(
        'Two\nB1 (0.7,-0.7) 1\nB2 (1.7,-0.7) 1\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 4 1E-3\n.plot "Y(B1) Y(B2)" PATH(B2)\n'
    )
    user.wait_for_run("Two")
    user.press("Pause")
    user.run("chainlistBench.player.seek(2)")
    user.tab.get_by_role("tab", name="Energy").click()
    user.wait("chainlistBench.tabs.plots[0].time === 2")
    user.tab.get_by_role("tab", name="Plots").click()
    colours = user.run("[chainlistBench.tabs.plots[0].colors, chainlistBench.tabs.plots[1].colors]")
    assert colours == user.run("[chainlistBench.player.drawing.colors, [chainlistBench.player.drawing.colors[1]]]")


@pytest.mark.long
def test_on_a_phone_buttons_lead_to_what_they_show(user):
    user.resize(390)
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")

    def shown():
        return user.run("document.querySelector('.bench-panes [aria-current]').dataset.pane")

    assert shown() == "edit" and user.tab.locator(".cm-editor").is_visible()
    user.press("Run")
    user.wait("document.querySelector('.bench-main').dataset.pane === 'watch'")
    assert shown() == "watch" and user.tab.locator(".bench-stage canvas").is_visible()
    user.press("Edit")
    user.press("Start")
    user.wait("chainlistBench.mode === 'start' && document.querySelector('.bench-main').dataset.pane === 'watch'")
    user.press("Edit")
    user.press("Examples")
    user.tab.locator(".bench-card", has_text="Slider Crank").click()
    user.wait("document.querySelector('.bench-main').dataset.pane === 'watch'")


def test_a_file_of_the_users_computer(user, tmp_path):
    (tmp_path / "mine.chain").write_bytes(b"\xef\xbb\xbf" + EDITED.replace("\n", "\r\n").encode())
    (tmp_path / "huge.chain").write_bytes(b"x" * 2_000_001)
    user.press("Open")
    user.tab.locator("input[type=file]").set_input_files(tmp_path / "huge.chain")
    user.tab.locator(".q-notification", has_text="too large").wait_for()
    user.tab.locator("input[type=file]").set_input_files(tmp_path / "mine.chain")
    user.wait_for_run("Edited")
    assert user.text == EDITED


BY_PARAMETER = """By a parameter
.param L=100cm  h=0.5
B1 (L,-h) 1
B2 (2*L,0) 1
C1 B1 (0,0)
C2 B1 B2
.tran 0 1 1E-3
"""


def test_a_body_is_dragged_by_the_parameters_that_decide_and_others_say_why_not(user):
    user.live(False)
    user.write(BY_PARAMETER)
    user.wait("chainlistBench.mode === 'start' && chainlistBench.player.scene.title === 'By a parameter'")
    user.wait("chainlistBench.handles.length === 2")
    user.tab.mouse.move(*user.place_of(1, -0.5))
    user.tab.mouse.down()
    user.tab.mouse.move(*user.place_of(0.8, -0.7), steps=4)
    user.tab.mouse.up()
    assert user.text.replace("80cm", "100cm").replace("h=0.7", "h=0.5") == BY_PARAMETER != user.text
    user.wait(
        "chainlistBench.start.text === chainlistEditor.state.doc.toString() && chainlistBench.handles.length === 2"
    )
    user.tab.mouse.click(*user.place_of(1.6, 0))
    user.tab.locator(".bench-chip", has_text="B2 cannot be dragged: its place is an expression").wait_for()
