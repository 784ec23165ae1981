"""The text of a tab in a real browser: it is never lost, and the server always has the same."""

import pytest

from chainlist.app.workbench.sharing import fragment_of

from .conftest import LONG, PENDULUM, User, Workbench

pytestmark = pytest.mark.browser

EDITED = PENDULUM.replace("A pendulum", "Edited")
COMPONENT = "getElement(document.querySelector('.bench-editor').id.slice(1))"


def save_as(user, name):
    user.tab.get_by_role("textbox", name="Name").wait_for(state="detached")  # of the last dialog, which fades away
    user.tab.locator(".cm-content").focus()
    user.tab.keyboard.press("Control+Shift+S")
    user.tab.get_by_role("textbox", name="Name").fill(name)
    user.tab.get_by_role("textbox", name="Name").press("Enter")


def reload(user):
    user.tab.reload()
    user.wait("Boolean(globalThis.chainlistEditor && globalThis.chainlistBench)")


def undo(user):
    user.tab.locator(".cm-content").focus()
    user.tab.keyboard.press("Control+z")


def notice(user, words):
    user.tab.locator(".q-notification", has_text=words).first.wait_for()


def test_a_reload_keeps_the_text_and_its_file_and_gives_the_worker_back(visit, workspace):
    (workspace / "kept.chain").write_text(PENDULUM)
    user = visit()
    user.open_file("kept.chain")
    user.wait_for_run("A pendulum")
    user.write(LONG)
    user.wait("chainlistBench.player.scene?.bodies.length === 30")
    user.press("Run")
    user.wait("chainlistBench.mode === 'run' && chainlistBench.player.scene?.motion.count > 20")
    reload(user)
    assert user.text == LONG
    user.wait("chainlistBench.player.scene?.bodies.length === 30")
    user.write(EDITED)
    user.wait_for_run("Edited")  # the run of the page before has not kept the only worker
    reload(user)
    user.wait_for_run("Edited")
    user.press("Save")
    notice(user, "Saved kept.chain")
    assert (workspace / "kept.chain").read_text() == EDITED
    (workspace / "kept.chain").write_text(PENDULUM.replace("A pendulum", "Elsewhere"))
    reload(user)  # nothing was edited since: the file as it is now
    user.wait("chainlistEditor.state.doc.line(1).text === 'Elsewhere'")


@pytest.mark.long
def test_a_link_is_shown_once_and_does_not_come_back_over_what_was_written(visit):
    user = visit("/#" + fragment_of(PENDULUM))
    user.wait("chainlistEditor.state.doc.line(1).text === 'A pendulum'")
    reload(user)
    user.wait("chainlistBench.mode === 'start' && chainlistBench.player.scene?.bodies.length === 1")
    user.tab.wait_for_timeout(500)
    assert user.run("chainlistBench.mode") == "start"  # still never run by itself
    user.write(EDITED)
    user.wait_for_run("Edited")
    reload(user)
    user.wait_for_run("Edited")
    assert user.text == EDITED


def test_undo_brings_back_what_was_there_before_another_text_was_opened(user, workspace):
    (workspace / "mine.chain").write_text(PENDULUM)
    user.open_file("mine.chain")
    user.wait_for_run("A pendulum")
    user.write(EDITED)
    user.run("location.hash = argument", "#" + fragment_of(PENDULUM.replace("A pendulum", "Linked")))
    user.wait("chainlistEditor.state.doc.line(1).text === 'Linked'")
    notice(user, "Ctrl+Z")
    undo(user)
    assert user.text == EDITED
    user.wait_for_run("Edited")
    user.wait("document.title === '\u25cf mine.chain \u2013 chainlist'")


def test_a_damaged_link_is_told(visit):
    user = visit("/#z=garbage")
    notice(user, "This link carries no chainlist")
    user.wait_for_run("Double pendulum: change a number, or drag a body")


@pytest.mark.long
def test_a_file_of_a_subfolder_includes_what_is_beside_it(visit, workspace):
    (workspace / "nested").mkdir(exist_ok=True)
    (workspace / "nested" / "leg.chain").write_text("B2 (2,0) 1\nC2 B1 B2\n")
    (workspace / "nested" / "main.chain").write_text(
        'Nested\nB1 (1,0) 1\nC1 B1 (0,0)\n.include "leg.chain"\n.tran 0 1 1E-3\n'
    )
    user = visit()
    user.open_file("nested/main.chain")
    user.wait_for_run("Nested")
    reload(user)
    user.wait_for_run("Nested")


@pytest.mark.long
def test_a_first_file_that_has_gone_is_told(browser, tmp_path):
    (tmp_path / "gone.chain").write_text(PENDULUM)
    running = Workbench(folder=tmp_path / "gone.chain")
    context = browser.new_context()
    try:
        (tmp_path / "gone.chain").unlink()
        user = User(context, running)
        notice(user, "gone.chain cannot be opened: No such file or directory")
        assert user.text.startswith("Double pendulum")
    finally:
        context.close()
        running.stop()


def test_saving_asks_before_it_replaces_a_file(user, workspace):
    (workspace / "precious.chain").write_text("Precious\n")
    user.write(EDITED)
    save_as(user, "precious")
    user.tab.get_by_text("There is a file of this name").wait_for()
    assert (workspace / "precious.chain").read_text() == "Precious\n"
    user.tab.get_by_role("textbox", name="Name").fill("another")
    user.tab.get_by_role("button", name="Replace").wait_for(state="detached")
    user.tab.get_by_role("textbox", name="Name").fill("precious")
    user.tab.get_by_role("textbox", name="Name").press("Enter")
    user.tab.get_by_role("button", name="Replace").wait_for()
    user.tab.get_by_role("textbox", name="Name").press("Enter")  # asks again
    user.tab.wait_for_timeout(200)
    assert (workspace / "precious.chain").read_text() == "Precious\n"
    user.tab.get_by_role("button", name="Replace").click()
    notice(user, "Saved precious.chain")
    assert (workspace / "precious.chain").read_text() == EDITED


@pytest.mark.long
def test_the_server_has_the_text_of_the_editor_whatever_is_written(user, workspace):
    user.live(False)
    large = EDITED + "* \N{GRINNING FACE} a remark\n" * 60_000  # as one message it would be longer than a million
    user.write(large)
    save_as(user, "large")
    notice(user, "Saved large.chain")
    assert (workspace / "large.chain").read_text(encoding="utf-8") == large == user.text
    user.write("")
    user.run("chainlistEditor.dispatch({changes: {from: 0, insert: 'Half \\ud83d a character\\n'}})")
    user.run("chainlistEditor.dispatch({changes: {from: 0, insert: 'x'}})")
    assert user.text == "xHalf \N{REPLACEMENT CHARACTER} a character\n"
    save_as(user, "half")
    notice(user, "Saved half.chain")
    assert (workspace / "half.chain").read_text(encoding="utf-8") == user.text


def test_a_change_that_got_lost_is_made_good(user):
    user.run(f"{COMPONENT}.emitting = false")
    user.write(EDITED)
    user.run(f"{COMPONENT}.emitting = true")
    user.wait_for_run("Edited")


def test_a_text_that_is_too_long_is_refused_in_words(user):
    before = user.text
    user.write("* a remark\n" * 100_000)
    notice(user, "1,100,000 characters are more than the 1,000,000")
    assert user.text == before
