"""For everybody: axe-core finds nothing serious, the page has its landmarks, and nothing chatters."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from .conftest import PENDULUM
from .test_knobs import SWING

pytestmark = pytest.mark.browser
OPAQUE = (
    "!document.querySelector('.q-dialog [class*=active]') && document.querySelector('.q-dialog').getAnimations({subtree: true})"
    ".every((a) => a.playState !== 'running') && getComputedStyle(document.querySelector('.q-dialog .q-card')).opacity === '1'"
)
CONTRAST = """(() => {
  const style = getComputedStyle(document.querySelector(".q-dialog button.bench-go"));
  const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = (text) => {
    const [r, g, b] = text.match(/[0-9.]+/g).map(Number).map(part);
    return 0.05 + 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [one, two] = [light(style.color), light(style.backgroundColor)];
  return Math.max(one, two) / Math.min(one, two);
})()"""


def findings(user, inside="body", **options):
    """What axe-core calls serious or critical, in words."""
    if user.run("!globalThis.axe"):  # once in a page: it is long
        user.tab.evaluate(Axe().axe_script)
    asked = {"resultTypes": ["violations"], **options}
    found = user.tab.evaluate("([inside, asked]) => axe.run(inside, asked)", [inside, asked])["violations"]
    grave = [violation for violation in found if violation["impact"] in ("serious", "critical")]
    return [(v["id"], [(n["html"][:140], n["failureSummary"][:300]) for n in v["nodes"][:4]]) for v in grave]


def findings_in_light_and_dark(user, inside="body"):
    """In the dark only colours are others. What has the focus keeps it: a box of which it goes away closes."""
    found = findings(user, inside)
    for theme in ("dark", "light"):
        user.run("document.querySelector('[aria-label=\"Light or dark\"]').click()")
        user.wait(
            f"document.documentElement.dataset.theme === '{theme}' && Quasar.Dark.isActive === {str(theme == 'dark').lower()}"
            " && !document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running')"
        )
        if theme == "dark":
            found += findings(user, inside, runOnly=["color-contrast"])
    return found


@pytest.mark.parametrize("width", [1440, *(pytest.param(width, marks=pytest.mark.long) for width in (1024, 390))])
def test_axe_finds_nothing_serious(user, width):
    user.resize(width)
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    if width != 390:  # what is wrong with a text hides nothing of what is seen without
        assert findings_in_light_and_dark(user) == []
    user.write(PENDULUM.replace("(0,0)", "B7") + "; a remark\n.options INTEGRATOR=RK4\n.param g=2cm\n")
    user.tab.locator(".cl-sign-error").wait_for(state="attached")
    user.wait("chainlistBench.freshness.old")
    assert findings_in_light_and_dark(user) == []


@pytest.mark.long
def test_drawing_and_knobs_too(user):
    user.write(SWING)
    user.wait_for_run("Swing")
    user.press("Draw")
    user.press("Spring")
    user.wait("chainlistBench.mode === 'start'")
    assert findings_in_light_and_dark(user) == []
    user.press("Select")
    user.tab.mouse.dblclick(*user.place_of(1, -0.2))
    user.tab.get_by_role("textbox", name="Card").wait_for()
    assert findings_in_light_and_dark(user) == []
    assert user.tab.get_by_role("textbox", name="Card").is_visible(), "it was open in the dark too"
    user.tab.keyboard.press("Escape")
    user.tab.mouse.click(*user.place_of(1, -0.2), button="right")
    user.tab.get_by_role("menuitem").first.wait_for()
    assert findings_in_light_and_dark(user) == []
    assert user.tab.get_by_role("menuitem").first.is_visible(), "it was open in the dark too"


@pytest.mark.parametrize("names", [("Save",), pytest.param(("Examples", "Open", "Help"), marks=pytest.mark.long)])
def test_dialogs_too(user, names):
    for name in names:
        user.press(name)
        user.tab.locator(".q-card").wait_for()
        user.wait(OPAQUE)
        user.tab.mouse.move(5, 400)
        found = findings(user, ".q-dialog .q-card")
        if name == "Save":
            # axe-core may take what lies behind the dialog for the ground of its button: asked of the button itself
            found = [one for one in found if one[0] != "color-contrast"]
            assert user.run(CONTRAST) >= 4.5
        assert found == [], name
        user.tab.keyboard.press("Escape")
        user.tab.locator(".q-dialog").wait_for(state="detached")


def test_landmarks_and_quiet(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    counts = user.run(
        "['main, [role=main]', 'h1', 'header', 'html[lang=\"en-US\"]'].map((s) => document.querySelectorAll(s).length)"
    )
    assert counts == [1, 1, 1, 1]
    panel = user.run("document.getElementById(document.querySelector('[role=tab]').getAttribute('aria-controls')).role")
    assert panel == "tabpanel"
    user.run(
        "(globalThis.chatter = [], document.querySelectorAll('[aria-live], [role=status], [role=alert], output').forEach("
        "(e) => new MutationObserver(() => chatter.push([e.className, e.textContent]))"
        ".observe(e, {childList: true, characterData: true, subtree: true})))"
    )
    seconds = []
    for _ in range(
        4
    ):  # what a late answer of the server still says passes; a region that follows the motion never rests
        user.tab.wait_for_timeout(1000)
        seconds.append(user.run("chatter.splice(0)"))
        if not seconds[-1]:
            break
    assert seconds[-1] == [], f"no live region changes while the motion plays: {seconds}"


@pytest.mark.long
def test_learning_analyses_options_and_the_tour_too(user):
    user.press("Help")
    user.press("Take the tour")
    user.wait("document.querySelector('.bench-tour') && !document.querySelector('.q-dialog')")
    assert findings_in_light_and_dark(user, ".bench-tour") == []
    user.tab.keyboard.press("Escape")
    user.write(PENDULUM + ".meas low MIN Y(B1)\n.four Y(B1) FREQ=1Hz\n")
    user.wait_for_run("A pendulum")
    user.tab.get_by_role("tab", name="Analyses").click()
    user.wait("document.querySelector('.bench-findings canvas')")
    assert findings_in_light_and_dark(user) == []
    user.tab.get_by_role("tab", name="Options").click()
    user.press("New tab")
    user.wait("document.querySelectorAll('.bench-document').length === 2")
    user.press("Learn")
    user.wait("document.querySelectorAll('.bench-learn nav li').length > 100")
    assert findings_in_light_and_dark(user, ".bench-learn") == []
    user.tab.get_by_role("button", name="Items of plots and traces").click()
    user.wait("!document.querySelector('.bench-learn article').hidden")
    assert findings_in_light_and_dark(user, ".bench-learn") == []
