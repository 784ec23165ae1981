"""Edit, then Run, after any pause and over a slow line: what is shown at last is the run of the last text, every time.

The campaign of `make test-long` does each a hundred times, `make test` a few times.
"""

import random

import pytest

from .conftest import LONG, PATIENCE, PENDULUM

pytestmark = pytest.mark.browser

SMALL = PENDULUM
LARGE = (  # too large for live mode, which would run it by itself
    "Large\n" + "* a line of many\n" * 2000 + "B1 (0.1,0) 1\n...\nB20 (2,0) 1\nC1 B1 (0,0)\n...\nC20 B19 B20\n"
    ".tran 0 80 1E-3\n.options SAVE=0.05\n"
)


def is_of_the_last_text(user, ended_well=True):
    """Wait for it; then look whether it stays so."""
    state = "(chainlistBench.mode === 'run' && !chainlistBench.growing && !chainlistBench.following && chainlistBench.run.text)"
    user.tab.wait_for_function(f"() => {state} === chainlistEditor.state.doc.toString()", timeout=1000 * PATIENCE)
    assert user.run("chainlistBench.run.status.ok") is ended_well
    assert not user.run("chainlistBench.freshness.old")


def edit_and_run(user, how, pause, number):
    """Type into the title, as a person does, wait, and press Run where it was before."""
    place = user.tab.get_by_role("button", name="Run", exact=True).bounding_box()
    end = user.run("chainlistEditor.state.doc.line(1).to")
    user.run("(chainlistEditor.dispatch({selection: {anchor: argument}}), chainlistEditor.focus())", end)
    user.tab.keyboard.type(f" {number}")
    user.tab.wait_for_timeout(pause)
    if how == "button":
        user.tab.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    else:
        user.tab.keyboard.press("Control+Enter")
    user.tab.wait_for_timeout(random.uniform(0, 300))


def campaign(user, how, live, text, latency, times):
    user.slow(latency)
    user.live(live)
    user.write(text)
    for number in range(times):
        edit_and_run(user, how, random.uniform(0, 400), number)
        is_of_the_last_text(user)
        if number % 20 == 19:  # the title must not grow for ever
            user.write(text)


CASES = [
    (how, live, text, latency)
    for how in ("button", "keys")
    for live in (False, True)
    for text in (SMALL, LARGE)
    for latency in (0, 80)
]


def test_the_run_of_the_last_text_is_shown(user):
    campaign(user, "button", True, SMALL, 80, times=3)


@pytest.mark.long
@pytest.mark.parametrize("how, live, text, latency", CASES)
def test_the_run_of_the_last_text_is_shown_a_hundred_times(user, how, live, text, latency):
    campaign(user, how, live, text, latency, times=100)


KNOB = "Knob\n.param L=1 ; 0.5..2\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 4 1E-3\n.plot Y(B1)\n"


def nap(user, most):
    user.tab.wait_for_timeout(random.uniform(0, most))


def pull(user):
    """Take hold of the body wherever it is in its motion, move it about, and let go, perhaps before anything has begun."""
    user.run("chainlistBench.atStart() && chainlistBench.player.seek(0.3)")
    x, y = user.run(
        "(() => { const {view, canvas, position} = chainlistBench.player, box = canvas.getBoundingClientRect();"
        " return [box.left + view.px(position, 0) / view.ratio, box.top + view.py(position, 0) / view.ratio]; })()"
    )
    user.tab.mouse.move(x, y)
    user.tab.mouse.down()
    for _ in range(3):
        user.tab.mouse.move(x + random.uniform(5, 60), y + random.uniform(5, 60))
        nap(user, 150)
    user.tab.mouse.up()


def draw(user):
    """A body more, by mouse; the palette may stay open."""
    user.press("Draw")
    user.press("Body")
    nap(user, 200)
    user.tab.mouse.click(*user.place_of(random.uniform(-1, 1), random.uniform(0.3, 0.8)))
    nap(user, 200)
    if random.random() < 0.5:
        user.press("Draw")


def turn(user):
    """The knob by mouse, here and there."""
    box = user.tab.get_by_role("slider", name="L", exact=True).bounding_box()
    user.tab.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2)
    user.tab.mouse.down()
    for _ in range(3):
        user.tab.mouse.move(box["x"] + random.uniform(0.1, 0.9) * box["width"], box["y"] + box["height"] / 2)
        nap(user, 100)
    user.tab.mouse.up()


def disturbed_campaign(user, latency, times):
    """Pull, draw or turn, wait or not, edit, wait or not, and run: the run of the last text is shown."""
    user.slow(latency)
    user.write(KNOB)
    user.wait_for_run("Knob")
    for number in range(times):
        (pull, draw, turn)[number % 3](user)
        nap(user, 400)
        if random.random() < 0.5:
            user.live(random.random() < 0.5)
        edit_and_run(user, random.choice(("button", "keys")), random.uniform(0, 400), number)
        is_of_the_last_text(user)
        if number % 10 == 9:
            user.write(KNOB)
            edit_and_run(user, "keys", 0, number)
            is_of_the_last_text(user)


@pytest.mark.long
def test_pulling_drawing_and_turning_do_not_get_in_the_way_of_a_run(user):
    disturbed_campaign(user, latency=80, times=3)


@pytest.mark.long
@pytest.mark.parametrize("latency", [0, 80])
def test_pulling_drawing_and_turning_do_not_get_in_the_way_a_hundred_times(user, latency):
    disturbed_campaign(user, latency, times=100)


def test_run_and_cancel_are_two_places_that_stay(user):
    user.write(LONG)
    places = []
    for busy in (False, True):
        places.append(
            [user.tab.get_by_role("button", name=name, exact=True).bounding_box() for name in ("Run", "Cancel")]
        )
        if not busy:
            user.press("Run")
            user.wait("chainlistBench.growing")
    assert places[0] == places[1]
    run, cancel = places[0]
    assert run["x"] >= cancel["x"] + cancel["width"] or cancel["x"] >= run["x"] + run["width"]
    user.press("Cancel")
    user.wait("chainlistBench.run?.status.cancelled")


def test_an_edit_during_a_run_that_was_asked_for_is_run_behind_it(user):
    user.write(LONG.replace("0 1000", "0 15"))  # it must go on until what is shown counts as old
    user.wait("chainlistBench.player.scene?.bodies.length === 30")
    user.press("Run")
    user.wait("chainlistBench.growing")
    user.write(PENDULUM)
    user.wait("chainlistBench.freshness.old")
    assert "of an earlier text" in user.tab.locator(".bench-chip").text_content()
    user.wait_for_run("A pendulum")
    is_of_the_last_text(user)


def test_a_run_is_followed_again_when_its_text_is_back(user):
    """A text without a body shows nothing, and the page lets go of the run; the server goes on with it."""
    user.live(False)
    user.write(LONG)
    user.wait("chainlistBench.player.scene?.bodies.length === 30")
    user.press("Run")
    user.wait("chainlistBench.growing")
    user.write("Nothing\n")
    user.wait("chainlistBench.mode === 'empty' && !chainlistBench.growing")
    user.write(LONG)
    user.wait("chainlistBench.mode === 'run' && chainlistBench.growing")
    assert not user.run("chainlistBench.freshness.old")
    user.press("Cancel")  # it would go on for long
    is_of_the_last_text(user, ended_well=False)


@pytest.mark.long
def test_a_run_that_comes_late_is_not_shown_over_a_blank_text(user):
    """The word that it begins comes when the text has lost its bodies; what is told later of it is for nobody."""
    user.slow(600)
    user.live(False)
    user.write(PENDULUM)
    user.wait("chainlistBench.start?.text.startsWith('A pendulum')")
    user.press("Run")
    user.tab.wait_for_timeout(350)  # the server has begun, and its word is on its way
    user.write("Nothing\n")
    user.wait("chainlistBench.mode === 'empty'")
    user.tab.wait_for_timeout(2500)
    assert user.run("[chainlistBench.mode, chainlistBench.run?.title]") != ["run", "A pendulum"]
    user.write(PENDULUM)
    user.press("Run")
    user.wait_for_run("A pendulum")


def test_what_belongs_to_an_earlier_text_is_dimmed_and_says_so(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    assert user.tab.locator(".bench-old").count() == 0
    user.write(PENDULUM.replace("(0,0)", "B7").replace("A pendulum", "Broken"))
    user.tab.locator(".cl-sign-error").wait_for()
    user.wait("document.querySelectorAll('.bench-old').length === 2")
    assert user.tab.locator(".bench-chip").text_content() == "of an earlier text"
    user.press("Download")
    with user.tab.expect_download() as waiting:
        user.tab.get_by_text("NumPy", exact=True).click()
    assert waiting.value.suggested_filename == "a-pendulum.npz"
    user.write(PENDULUM)
    user.wait("document.querySelectorAll('.bench-old').length === 0")


def test_the_run_comes_back_with_its_text(user):
    """With Live off, an edit shows the start of the new text, and its undo the run again."""
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.live(False)
    user.write(PENDULUM.replace("A pendulum", "Another"))
    user.wait("chainlistBench.mode === 'start'")
    user.write(PENDULUM)
    user.wait("chainlistBench.mode === 'run' && !document.querySelector('.bench-old')")


@pytest.mark.long
def test_pin_while_a_run_goes_on_keeps_that_run(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.write(LONG.replace("0 1000", "0 10"))
    user.press("Run")
    user.wait("chainlistBench.growing")
    user.press("Pin")
    user.wait_for_run("Long")
    user.wait("chainlistBench.pinned?.title === 'Long'")


def test_cancelled_is_said_until_the_text_changes(user):
    user.write(LONG)
    user.press("Run")
    user.wait("chainlistBench.growing")
    user.press("Cancel")
    user.tab.locator(".bench-state", has_text="cancelled").wait_for()
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.wait(
        "document.querySelector('.bench-state').textContent === ''"
    )  # the word of the server may come after the run


def test_a_palette_opened_behind_run_stays_open(user):
    """The word of a run that was asked for before comes late on a slow line: it ends what was drawn before it, not behind it."""
    user.slow(300)
    user.live(False)
    user.write(PENDULUM)
    user.press("Draw")
    user.press("Run")
    user.wait("!chainlistBench.draw.on")
    user.wait_for_run("A pendulum")
    before = user.run("chainlistBench.newest")
    user.write(PENDULUM.replace("A pendulum", "Another"))
    user.press("Run")
    user.press("Draw")
    user.wait(f"chainlistBench.newest > {before} && !chainlistBench.following")
    assert user.run("chainlistBench.draw.on")


@pytest.mark.long
@pytest.mark.parametrize("latency", [0, 300])
def test_start_pressed_behind_run_keeps_the_picture(user, latency):
    """The run that was on its way is kept, with its plots; Run pressed behind Start shows its own."""
    user.slow(latency)
    user.live(False)
    for number in range(30):
        title = f"Twenty {number}"
        user.write(LARGE.replace("Large", title))
        user.press("Run")
        nap(user, 500)
        user.press("Start")
        user.wait(f"chainlistBench.run?.title === '{title}' && !chainlistBench.following")
        user.wait("chainlistBench.mode === 'start'")
        assert user.run("chainlistBench.start.text === chainlistEditor.state.doc.toString()")
        user.write(LARGE.replace("Large", f"Again {number}"))
        user.press("Start")
        user.press("Run")
        user.wait_for_run(f"Again {number}")
        is_of_the_last_text(user)
