"""Several texts in one page: each has its own text, undo and unsaved mark, and all are there after a reload."""

import pytest

from .conftest import PENDULUM

pytestmark = pytest.mark.browser
OTHER = "Other\nB1 (2,0) 1\nC1 B1 (0,0)\n.tran 0 1 1E-2\n.plot Y(B1)\n"


def tabs(user):
    return user.run("[...document.querySelectorAll('.bench-document')].map(b => b.textContent)")


def test_each_text_keeps_its_own(visit):
    user = visit()
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.tab.get_by_role("button", name="New tab").click()
    user.wait("chainlistEditor.state.doc.toString().startsWith('Untitled')")
    user.write(OTHER)
    user.wait_for_run("Other")
    user.wait("document.querySelectorAll('.bench-document')[1].textContent === 'Other \u25cf'")
    assert tabs(user) == ["A pendulum \u25cf", "Other \u25cf"]
    user.tab.locator(".bench-document").first.click()
    user.wait_for_run("A pendulum")
    assert user.text == PENDULUM
    user.tab.keyboard.press("Control+z")  # of this text alone
    user.wait("chainlistEditor.state.doc.toString().startsWith('Double pendulum')")
    user.tab.keyboard.press("Control+y")
    user.wait("chainlistEditor.state.doc.toString().startsWith('A pendulum')")
    user.tab.keyboard.press("End")
    user.tab.keyboard.type("!")  # what is typed after a switch reaches the server
    user.wait("chainlistBench.run?.title === 'A pendulum!'")

    user.tab.reload()
    user.wait("document.querySelectorAll('.bench-document').length === 2")
    user.wait("chainlistBench.run?.title === 'A pendulum!'")
    user.tab.locator(".bench-document").nth(1).click()
    user.wait_for_run("Other")
    assert user.text == OTHER
    user.complaints.clear()
    user.tab.get_by_role("button", name="Close Other").click()
    user.wait("document.querySelectorAll('.bench-document').length === 0")
    user.wait_for_run("A pendulum!")
    assert user.complaints == ["Other is not saved. Close it all the same?"]
    user.complaints.clear()


@pytest.mark.long
def test_a_text_that_is_left_and_back_before_the_server_answers_is_not_taken_for_changed(visit):
    user = visit(script="line.delay = 3000")
    user.run("document.querySelector('.bench-documents button').click()")
    user.run("document.querySelector('.bench-document').click()")
    user.wait("document.querySelectorAll('.bench-document').length === 2")
    user.wait_for_run("Double pendulum: change a number, or drag a body")
    assert tabs(user) == ["Double pendulum: change a number, or drag a body", "Untitled"]


def test_a_button_that_is_pressed_while_news_come_is_clicked(visit):
    """What the server says may come between press and release: the button must be the same one then."""
    user = visit()
    user.wait("chainlistBench.run && !chainlistBench.following")
    for name, role, news in (
        ("New tab", "button", "tell('document', {number: 0, name: 'Renamed', unsaved: true})"),
        ("Report", "tab", "chainlistBench.tabs.makeBar([...chainlistBench.tabs.names, 'More'])"),
    ):
        box = user.tab.get_by_role(role, name=name, exact=True).bounding_box()
        user.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        user.tab.mouse.down()
        user.run(f"import('/bench/bench.js').then(({{tell}}) => {news})")
        user.tab.mouse.up()
    user.wait("document.querySelectorAll('.bench-document').length === 2")
    assert tabs(user) == ["Renamed \u25cf", "Untitled"]
    assert user.run("chainlistBench.tabs.open") == "Report"


@pytest.mark.long
def test_a_mark_that_comes_late_is_that_of_its_own_text(visit):
    """A text is changed and left at once: what the server says of it comes when another is shown."""
    user = visit(script="line.delay = 300")
    user.tab.get_by_role("button", name="New tab").click()
    user.wait("document.querySelectorAll('.bench-document').length === 2")
    user.wait("document.querySelector('.bench-file').textContent === 'Untitled'")
    user.write(OTHER)
    user.run("document.querySelector('.bench-document').click()")
    user.wait_for_run("Double pendulum: change a number, or drag a body")
    user.wait("document.querySelectorAll('.bench-document')[1].textContent.endsWith('\u25cf')")
    assert tabs(user) == ["Double pendulum: change a number, or drag a body", "Other \u25cf"]
    user.tab.get_by_role("button", name="Close Other").click()
    assert user.complaints == ["Other is not saved. Close it all the same?"]
    user.complaints.clear()
