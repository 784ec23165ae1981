"""What a look at the page has found: things that lay over others, were cut off, or said what was not so."""

import pytest

from .conftest import PENDULUM
from .test_measure import at_one_second

pytestmark = pytest.mark.browser

INSIDE = (
    "(() => { const ring = document.querySelector('.bench-tour-ring')?.getBoundingClientRect(),"
    " thing = document.querySelector(argument).getBoundingClientRect();"
    " return ring && thing.width > 0 && ['left', 'right', 'top', 'bottom'].every((side) => Math.abs(ring[side] - thing[side]) <= 3); })()"
)


@pytest.mark.parametrize("width", [pytest.param(1300, marks=pytest.mark.long), 390])
def test_the_tour_surrounds_what_it_speaks_of(user, width):
    user.resize(width)
    user.press("Help")
    user.press("Take the tour")
    user.wait("document.querySelector('.bench-tour') && !document.querySelector('.q-dialog')")
    things = (
        ".bench-editor",
        ".bench-go",
        ".bench-stage",
        ".bench-below",
        "[aria-label=Examples]",
        ".bench-learn-button",
    )
    for number, thing in enumerate(things, start=1):
        user.wait(f"document.querySelector('.bench-tour span').textContent.startsWith('{number} of')")
        assert user.run(INSIDE, thing), thing
        x, y, over = user.run(
            "(() => { const box = document.querySelector('.bench-tour-ring').getBoundingClientRect(), x = box.left + box.width / 2,"
            " y = box.top + 1; document.querySelector('.bench-tour-ring').style.pointerEvents = 'auto';"
            " return [x, y, document.elementFromPoint(x, y)?.className]; })()"
        )
        assert over == "bench-tour-ring", f"something covers the ring at {x}, {y}"
        user.tab.locator(".bench-tour-next").click()
    user.wait("!document.querySelector('.bench-tour-ring')")


def test_the_box_in_a_plot_goes_when_one_looks_into_it(user):
    at_one_second(user)
    box = user.tab.locator(".bench-plot canvas[tabindex]").last.bounding_box()
    at = [(box["x"] + part * box["width"], box["y"] + part * box["height"]) for part in (0.3, 0.7)]
    painted = (
        "(() => { const {upper} = chainlistBench.tabs.plots[1], {width, height} = upper;"
        " return upper.getContext('2d').getImageData(0.3 * width - 3, 0.4 * height, 7, 0.2 * height).data.some(Boolean); })()"
    )
    user.tab.mouse.move(*at[0])
    user.tab.keyboard.down("Shift")
    user.tab.mouse.down()
    user.tab.mouse.move(*at[1], steps=4)
    assert user.run(painted), "the left edge of the box"
    assert user.run("chainlistBench.tabs.plots[1].tip.hidden"), "what the pointer tells would lie over the box"
    user.tab.mouse.up()
    user.tab.keyboard.up("Shift")
    user.run("chainlistBench.player.seek(0)")
    user.wait("chainlistBench.tabs.plots[1].time === 0")
    assert not user.run(painted)


def test_a_text_without_a_body_says_what_to_do_and_its_plots_are_old(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.press("Start")
    user.wait("chainlistBench.chip.textContent.startsWith('start')")
    user.press("New")
    user.wait("chainlistBench.mode === 'empty' && chainlistBench.chip.textContent.startsWith('nothing to show yet')")
    assert user.run("chainlistBench.tabs.panel.classList.contains('bench-old')")
    assert user.run("document.querySelector('.cl-clock').textContent") == "0.00 / 0.00 s"
    user.press("Draw")
    user.wait("chainlistBench.chip.textContent.startsWith('Select')")


def test_the_card_of_a_body_has_no_reading_below_it(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.press("Draw")
    user.wait("chainlistBench.mode === 'start'")
    user.tab.mouse.move(*user.place_of(1, 0))
    user.tab.locator(".bench-stage .cl-tip").wait_for()
    user.tab.mouse.dblclick(*user.place_of(1, 0))
    user.tab.get_by_role("textbox", name="Card").wait_for()
    assert user.tab.locator(".bench-stage .cl-tip").is_hidden()
    user.run("chainlistBench.player.refresh()")
    user.painted()
    assert user.tab.locator(".bench-stage .cl-tip").is_hidden(), "nor does the next frame bring it back"


def test_numbers_of_knobs_are_not_cut_off(user):
    user.write(PENDULUM.replace("B1 (1,0) 1", ".param length=0.001667 ; 0.00033..0.0033\nB1 (length,0) 1"))
    user.wait("chainlistBench.knobs.rows.size === 1")
    cut = user.run(
        "[...document.querySelectorAll('.bench-knob input[type=number]')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.value)"
    )
    assert cut == []


@pytest.mark.parametrize("width", [pytest.param(1024, marks=pytest.mark.long), 390])
def test_nothing_lies_over_the_title_and_no_tab_is_out_of_sight(user, width):
    user.resize(width)
    user.write(PENDULUM.replace("A pendulum", "A pendulum with a title that is rather too long for a narrow screen"))
    user.wait("chainlistBench.run?.text === chainlistEditor.state.doc.toString()")
    apart = (
        "(() => { const add = document.querySelector('[aria-label=\"New tab\"]').getBoundingClientRect(), range = new Range();"
        " range.selectNodeContents(document.querySelector('.cm-line'));"
        " return [...range.getClientRects()].every((r) => r.right <= add.left || r.top >= add.bottom || r.bottom <= add.top); })()"
    )
    assert user.run(apart)
    for number in (2, 3, 4):
        user.press("New tab")
        user.wait(f"document.querySelectorAll('.bench-document').length === {number}")
        user.write(PENDULUM.replace("A pendulum", f"The pendulum of number {number}"))
        user.wait(f"document.querySelector('[aria-current=true]').textContent.includes('number {number}')")
    seen = (
        "((e) => { const box = document.querySelector('.bench-documents').getBoundingClientRect(), r = e.getBoundingClientRect();"
        " return r.left >= box.left - 1 && r.right <= box.right + 1; })"
    )
    assert user.run(f"{seen}(document.querySelector('.bench-document[aria-current]'))")
    assert user.run(f"{seen}(document.querySelector('[aria-label=\"New tab\"]'))")
    if width < 900:
        user.press("Plots")
    user.press("Learn")
    user.press("Close Learn")
    assert user.run("((e) => e.scrollWidth <= e.clientWidth)(document.querySelector('.bench-tabs'))")


def test_the_curve_of_a_sweep_is_in_sight(user):
    user.resize(1440, 900)
    user.write(PENDULUM.replace("B1 (1,0) 1", ".param L=1 ; 0.5..1.5\nB1 (L,0) 1"))
    user.wait_for_run("A pendulum")
    user.press("Sweep L")
    user.wait("document.querySelector('.bench-findings .cl-picture canvas') && !chainlistBench.following")
    hidden = user.run(
        "(() => { const panel = document.querySelector('.bench-panel').getBoundingClientRect(),"
        " picture = [...document.querySelectorAll('.cl-picture')].at(-1).getBoundingClientRect();"
        " return [panel.top - picture.top, picture.bottom - panel.bottom]; })()"
    )
    assert max(hidden) <= 1, "the picture is within the panel"


CONTRAST = """[...document.querySelectorAll(".q-notification, .q-notification .q-btn")].map((element) => {
  const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = (text) => {
    const [r, g, b] = text.match(/[0-9.]+/g).map(Number).map(part);
    return 0.05 + 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const {backgroundColor} = getComputedStyle(element.closest(".q-notification"));
  const [one, two] = [light(getComputedStyle(element).color), light(backgroundColor)];
  return Math.max(one, two) / Math.min(one, two);
})"""


@pytest.mark.long
def test_notices_can_be_read(user):
    user.run("location.hash = '#z=garbage'")
    for theme in ("light", "dark"):
        user.wait(
            f"document.documentElement.dataset.theme === '{theme}' && document.querySelectorAll('.q-notification').length === 1"
        )
        user.press("Share")
        user.wait("document.querySelectorAll('.q-notification').length === 3")
        user.tab.wait_for_timeout(600)
        assert min(user.run(CONTRAST)) >= 4.5
        user.press("Light or dark")
