"""Drawing with mouse, finger and keyboard: every action is one edit of the text, and all else in it stays as it is."""

import functools

import pytest

from .conftest import PENDULUM

pytestmark = pytest.mark.browser


# What can be hit is what was painted: a hand that is as quick as these needs more frames.
PAUSE = 50  # ms between them


@pytest.fixture
def visit(visit):
    return functools.partial(visit, pause=PAUSE)


@pytest.fixture
def user(user):
    user.run("framePause = argument", PAUSE)
    return user


FOUR_BAR = """Untitled
B1 (-0.6,0) 1
B2 (0.8,0.6) 1
C1 B1 (-0.6,-0.4)
C2 B1 B2
C3 B2 (0.8,-0.4)
K1 B2 (1.6,0.6) 100
M1 C1 SPEED=1

.tran 0 10 1E-3
"""


def begin(user):
    """Draw on a page without a body."""
    user.press("Draw")
    user.wait("chainlistBench.draw.on")


def shown(user, name):
    """Wait until the picture shows an element of this name."""
    user.wait(
        "chainlistBench.mode === 'start' && chainlistBench.start.text === chainlistEditor.state.doc.toString()"
        f" && [...chainlistBench.player.scene.bodies, ...chainlistBench.player.scene.parts].some(e => e.name === '{name}')"
    )


def click(user, x, y):
    user.tab.mouse.click(*user.place_of(x, y))


def drag(user, start, end):
    user.tab.mouse.move(*user.place_of(*start))
    user.tab.mouse.down()
    user.tab.mouse.move(*user.place_of(*end), steps=5)
    user.tab.mouse.up()


def lines(user):
    return user.text.split("\n")


def test_a_four_bar_with_motor_and_spring_by_mouse_alone(user):
    begin(user)
    user.press("Body")
    click(user, -0.58, 0.03)
    shown(user, "B1")
    click(user, 0.8, 0.6)
    shown(user, "B2")
    user.press("Link")
    drag(user, (-0.6, -0.4), (-0.6, 0))  # from the ground to a body
    shown(user, "C1")
    drag(user, (-0.6, 0), (0.8, 0.6))
    shown(user, "C2")
    click(user, 0.8, 0.6)  # two clicks do the same as a drag
    click(user, 0.8, -0.4)
    shown(user, "C3")
    user.press("Spring")
    drag(user, (0.8, 0.6), (1.6, 0.6))
    shown(user, "K1")
    user.press("Motor")
    click(user, -0.6, -0.2)
    shown(user, "M1")
    assert user.text == FOUR_BAR
    user.press("Draw")
    user.wait_for_run("Untitled")
    user.wait("chainlistBench.run.text === chainlistEditor.state.doc.toString() && chainlistBench.player.playing")
    for gone in ("M1", "K1", "C3"):
        user.tab.locator(".cm-content").focus()
        user.tab.keyboard.press("Control+z")
        assert not any(line.startswith(gone) for line in lines(user))


def test_the_same_by_keyboard(user):
    begin(user)
    user.tab.locator("canvas.bench-drawing").focus()
    keys = user.tab.keyboard

    def go(x, y):
        """Move the cross; its first press only shows it."""
        user.run("chainlistBench.draw.cross") or keys.press("ArrowRight")
        for axis, back, on in ((0, "ArrowLeft", "ArrowRight"), (1, "ArrowDown", "ArrowUp")):
            target = (x, y)[axis]
            while abs(here := user.run(f"chainlistBench.draw.cross[{axis}]") - target) > 0.01:
                keys.press(back if here > 0 else on)
        keys.press("Enter")

    keys.press("b")
    go(-0.6, 0)
    shown(user, "B1")
    go(0.8, 0.6)
    shown(user, "B2")
    keys.press("l")
    for name, start, end in (
        ("C1", (-0.6, -0.4), (-0.6, 0)),
        ("C2", (-0.6, 0), (0.8, 0.6)),
        ("C3", (0.8, 0.6), (0.8, -0.4)),
    ):
        go(*start)
        go(*end)
        shown(user, name)
    keys.press("k")
    go(0.8, 0.6)
    go(1.6, 0.6)
    shown(user, "K1")
    keys.press("m")
    go(-0.6, -0.2)
    shown(user, "M1")
    assert user.text == FOUR_BAR
    keys.press("Control+z")
    assert user.text == FOUR_BAR.replace("M1 C1 SPEED=1\n", "")


LAID_OUT = """* Mine   ; with care
.param  L = 1

* bodies
B1   (1, 0)   1   ; the bob
B2 (2.0,0)  L
C1 B1 (0,0) ; to the wall
C2 B1
+ B2
K1 B2 (3,0) 10

.tran 0 1 1E-3
.plot Y(B1) ; one
.end
behind the end
"""


def prepare(user):
    user.live(False)
    user.write(LAID_OUT)
    user.press("Draw")
    shown(user, "K1")


def test_everything_else_stays_byte_for_byte(user):
    prepare(user)
    user.press("Damper")
    drag(user, (1, 0), (3, 0))
    shown(user, "D1")
    assert user.text == LAID_OUT.replace("K1 B2 (3,0) 10\n", "K1 B2 (3,0) 10\nD1 B1 (3,0) 1\n")
    user.press("Body")
    click(user, 1.5, 0.4)
    user.wait("chainlistEditor.state.doc.toString().includes('B3')")
    added = next(line for line in lines(user) if line.startswith("B3"))
    assert user.text.replace(added + "\n", "") == LAID_OUT.replace(
        "K1 B2 (3,0) 10\n", "K1 B2 (3,0) 10\nD1 B1 (3,0) 1\n"
    )
    assert lines(user).index(added) == LAID_OUT.split("\n").index("B2 (2.0,0)  L") + 1


@pytest.mark.long
def test_a_text_whose_start_comes_after_draw_was_pressed_is_seen_whole(visit):
    slow = "const fetched = fetch; globalThis.fetch = async (url, options) => { if (String(url).includes('preview'))"
    slow += " await new Promise(done => setTimeout(done, 1000)); return fetched(url, options); }"
    user = visit(script=slow)
    user.wait("chainlistBench.mode === 'run'")
    prepare(user)
    box = user.tab.locator("canvas.bench-drawing").bounding_box()
    for corner in ((0, 0.4), (3, 0.4), (0, -0.4), (3, -0.4)):
        x, y = user.place_of(*corner)
        assert 0 < x - box["x"] < box["width"] and 0 < y - box["y"] < box["height"]


@pytest.mark.long
def test_the_first_run_of_a_text_does_not_end_a_drawing_that_began_before_it(visit):
    at_once = "const early = setInterval(() => { if (!globalThis.chainlistBench?.freshness.text) return;"
    user = visit(script=at_once + " clearInterval(early); chainlistBench.draw.toggle(true); }, 1)")
    user.wait("chainlistBench.run?.text === chainlistEditor.state.doc.toString()")
    assert user.run("chainlistBench.draw.on")
    user.press("Run")
    user.wait("chainlistBench.mode === 'run' && !chainlistBench.draw.on")


def test_drawing_may_begin_while_the_picture_is_hidden(user):
    user.resize(390)
    user.wait("chainlistBench.player.view.width === 0")  # the text is in front
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    assert user.run("chainlistBench.player.view.width") == 0
    user.run("chainlistBench.draw.toggle(true)")
    user.press("Watch")
    user.wait("chainlistBench.player.view.width > 300")
    assert 20 < user.run("chainlistBench.player.view.scale") < 2000  # pixels for each metre of a pendulum of two


def test_moving_snaps_to_the_grid_and_keeps_the_layout(user):
    prepare(user)
    step = user.run("chainlistBench.draw.overlay.step")
    drag(user, (1, 0), (1 + 1.2 * step, -0.9 * step))
    moved = next(line for line in lines(user) if line.startswith("B1"))
    assert moved == f"B1   ({1 + step:g}, {-step:g})   1   ; the bob"
    user.tab.locator("canvas.bench-drawing").focus()
    user.tab.keyboard.press("Control+z")
    assert user.text == LAID_OUT


def test_select_properties_copy_delete(user):
    prepare(user)
    user.tab.mouse.dblclick(*user.place_of(1, 0))
    card = user.tab.get_by_role("textbox", name="Card")
    assert card.input_value() == "B1   (1, 0)   1"
    card.fill("B1   (1, 0)   5")
    card.press("Enter")
    assert user.text == LAID_OUT.replace("(1, 0)   1   ;", "(1, 0)   5   ;")
    shown(user, "K1")
    user.tab.keyboard.press("c")  # a copy of what is selected
    copied = next(line for line in lines(user) if line.startswith("B3"))
    assert copied.endswith(")   5") and lines(user).index(copied) == 6
    user.tab.keyboard.press("Delete")
    assert user.text == LAID_OUT.replace("(1, 0)   1   ;", "(1, 0)   5   ;")
    shown(user, "K1")
    click(user, 2, 0)
    user.wait("chainlistBench.draw.selected === 'B2'")
    user.tab.keyboard.press("Delete")  # with all that hangs on it, continuation lines too
    assert [line for line in lines(user) if line.startswith(("B", "C", "K", "+"))] == [
        "B1   (1, 0)   5   ; the bob",
        "C1 B1 (0,0) ; to the wall",
    ]


def test_the_menu_of_the_picture(user):
    prepare(user)
    user.tab.mouse.click(*user.place_of(2, 0), button="right")
    user.tab.get_by_role("menuitem", name="Plot PATH(B2)").click()
    assert user.text == LAID_OUT.replace(".plot Y(B1) ; one", ".plot Y(B1) PATH(B2) ; one")
    user.tab.mouse.click(*user.place_of(0.5, 0), button="right")
    user.tab.keyboard.press("ArrowDown")
    user.tab.keyboard.press("ArrowDown")
    user.tab.keyboard.press("Enter")  # Properties, Copy, Delete
    assert "C1 B1" not in user.text, user.text


def test_what_has_just_come_is_hit_before_it_is_painted(user):
    """Between a new start and its picture a click on a link fell through, and the menu there was that of the empty ground."""
    prepare(user)
    hit = """(() => {
      const {draw, player} = chainlistBench, at = [player.view.x(0.5), player.view.y(0)];
      player.load(player.scene, {keepView: true, keepShows: true});
      return [draw.hits.elementAt(at), draw.hits.pointAt([player.view.x(2), player.view.y(0)]).body];
    })()"""
    assert user.run(hit) == ["C1", "B2"]


def test_what_cannot_be_is_said(user):
    begin(user)
    user.press("Link")
    before = user.text
    drag(user, (0, 0), (0.4, 0.4))
    user.tab.locator(".bench-chip", has_text="one end must be a body").wait_for()
    assert user.text == before
    user.write("Chain\nB1 (0.2,0) 1\n...\nB4 (0.8,0) 1\nC1 B1 (0,0)\n...\nC4 B3 B4\n")
    shown(user, "B4")
    user.press("Select")
    click(user, 0.2, 0)
    user.tab.keyboard.press("Delete")
    user.tab.locator(".bench-chip", has_text="edit the text").wait_for()


@pytest.mark.long
def test_strings_plates_sliders_forces(user):
    begin(user)
    user.press("Body")
    for k, place in enumerate([(-0.6, 0), (0, 0.4), (0.6, 0)], start=1):
        click(user, *place)
        shown(user, f"B{k}")
    user.press("Plate")
    for place in [(-0.6, 0), (0, 0.4), (0.6, 0), (0.6, 0)]:
        click(user, *place)
    shown(user, "R1")
    user.press("Slider")
    drag(user, (-0.6, 0), (0.2, 0.0))
    shown(user, "S1")
    user.press("Force")
    drag(user, (0, 0.4), (0.2, 0.8))
    shown(user, "F1")
    user.press("String")
    for place in [(-0.6, 0), (-0.6, 0.8), (0.6, 0.8), (0.6, 0), (0.6, 0)]:
        click(user, *place)
    shown(user, "C1")
    assert [line for line in lines(user) if line.startswith(("R", "S", "F", "C"))] == [
        "R1 B1 B2 B3 1 UNIFORM",
        "C1 B1 (-0.6,0.8) (0.6,0.8) B3",
        "S1 B1 LINE(0,1,0)",
        "F1 B2 (2,4)",
    ]


@pytest.mark.long
def test_ropes_and_walls(user):
    begin(user)
    user.press("Wall")
    drag(user, (-0.8, -0.4), (0.8, -0.38))  # nearly level; with no body bodies stay above
    user.wait("chainlistEditor.state.doc.toString().includes('W1')")
    user.press("Body")
    click(user, 0, 0.4)
    shown(user, "B1")
    user.press("Rope")
    drag(user, (0.2, 0.8), (0, 0.4))
    shown(user, "C1")
    user.press("Wall")
    drag(user, (1, -0.2), (1.02, 0.6))  # upright, to the right of the body
    shown(user, "W2")
    user.tab.locator("canvas.bench-drawing").focus()
    user.tab.keyboard.press("w")
    click(user, -1, -0.2)
    click(user, -0.6, 0.6)
    shown(user, "W3")
    assert lines(user)[1:6] == [
        "B1 (0,0.4) 1",
        "C1 B1 (0.2,0.8) ROPE",
        "W1 LINE(0,1,-0.4)",
        "W2 LINE(-1,0,-1)",
        "W3 LINE(0.8,-0.4,-0.72)",
    ]
    user.press("Select")
    click(user, 1, 0.3)
    user.wait("chainlistBench.draw.selected === 'W2'")
    user.tab.keyboard.press("Delete")
    assert "W2" not in user.text
    user.tab.keyboard.press("Control+z")
    user.tab.keyboard.press("Control+z")
    assert lines(user)[4:6] == ["W2 LINE(-1,0,-1)", ""]
    user.press("Draw")
    user.wait("chainlistBench.mode === 'run' && chainlistBench.run.text === chainlistEditor.state.doc.toString()")


def test_a_finger_draws_too(visit):
    user = visit(viewport={"width": 390, "height": 800}, has_touch=True)
    user.press("New")
    user.press("Watch")
    user.press("Draw")
    user.wait("chainlistBench.draw.on")
    user.press("Body")
    user.tab.touchscreen.tap(*user.place_of(0, 0))
    shown(user, "B1")
    user.press("Link")
    user.tab.touchscreen.tap(*user.place_of(0, 0))
    user.tab.touchscreen.tap(*user.place_of(0, 0.6))
    shown(user, "C1")
    assert lines(user)[1:3] == ["B1 (0,0) 1", "C1 B1 (0,0.6)"]


def test_an_edit_of_the_text_shows_in_the_drawing(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.press("Draw")
    user.write(PENDULUM.replace("C1", "B2 (2,0) 1\nC1"))
    shown(user, "B2")
    assert user.run("chainlistBench.draw.on")
