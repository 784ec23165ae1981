"""The workbench in a real browser, from the first look to the last download.

Every page opened here must have asked nobody but the workbench, and complained about nothing (see conftest.py).
"""

import json

import pytest

import chainlist
from chainlist.output.traces import read_trace

from .conftest import IDLE, LONG, PENDULUM

pytestmark = pytest.mark.browser


def test_first_look(visit):
    user = visit()
    user.wait("chainlistBench.run?.status.ok")
    before, at = user.picture(), user.run("chainlistBench.player.time")  # it plays already, and may be anywhere
    user.wait(f"Math.abs(chainlistBench.player.time - {at}) > 0.4")
    assert user.picture() != before


def test_an_example_from_the_gallery(user):
    user.press("Examples")
    card = user.tab.locator(".bench-card", has_text="Slider Crank")
    card.scroll_into_view_if_needed()
    user.wait("[...document.querySelectorAll('.bench-card img')].some(i => i.complete && i.naturalWidth > 0)")
    card.click()
    user.wait_for_run("Slider Crank Mechanism")
    assert "LINE(0,1,0)" in user.text.replace(" ", "") or "S1" in user.text
    assert user.run("chainlistBench.player.scene.rails.length") == 1


def test_a_broken_line_is_marked_and_mended(user):
    user.write(PENDULUM.replace("(0,0)", "B7"))
    sign = user.tab.locator(".cl-sign-error")
    sign.wait_for()
    wave = user.tab.locator(".cl-wave-error")
    assert wave.text_content() == "B7"
    at = user.run(
        "chainlistEditor.state.doc.lineAt(chainlistEditor.posAtDOM(document.querySelector('.cl-wave-error'))).number"
    )
    assert at == 3
    user.tab.locator(".bench-problem", has_text="unknown body B7").wait_for()
    wave.hover()
    assert "define it: B7" in user.tab.locator(".cl-hover").text_content()  # B1 is the other end already
    user.tab.mouse.move(5, 5)
    user.tab.locator(".bench-problem").first.click()
    user.wait(f"chainlistEditor.state.selection.main.head === {PENDULUM.index('(0,0)')}")
    user.tab.keyboard.press("Delete")
    user.tab.keyboard.press("Delete")
    user.tab.keyboard.type("(0,0)")
    sign.wait_for(state="detached")
    user.wait_for_run("A pendulum")


def test_marks_follow_the_text(user):
    user.write(PENDULUM.replace("(0,0)", "B7"))
    user.tab.locator(".cl-wave-error").wait_for()
    user.run("chainlistEditor.dispatch({changes: {from: 0, insert: 'Above\\n'}})")
    assert user.tab.locator(".cl-wave-error").text_content() == "B7"


def test_run_watch_scrub_step(user):
    user.live(False)
    user.write(PENDULUM)
    user.wait("chainlistBench.mode === 'start' && chainlistBench.player.scene?.bodies.length === 1")
    user.tab.locator(".cm-content").focus()
    user.tab.keyboard.press("Control+Enter")
    user.wait_for_run("A pendulum")
    user.wait("chainlistBench.player.time > 0.2")
    first = user.picture()
    user.wait("chainlistBench.player.time > 0.5")
    assert user.picture() != first
    user.press("Pause")
    user.tab.get_by_role("slider", name="Time").fill("0.5")
    user.wait("Math.abs(chainlistBench.player.time - 2) < 0.02")
    before = user.run("chainlistBench.player.time")
    user.tab.locator(".bench-stage canvas").focus()
    user.tab.keyboard.press("ArrowRight")
    assert user.run("chainlistBench.player.time") > before
    x = user.run("chainlistBench.player.scene.motion.sample(2, new Float64Array(2))[0]")
    exact = chainlist.simulate(chainlist.parse(PENDULUM)).q[2000, 0, 0]
    assert abs(x - exact) < 1e-3


def test_tabs_of_plots_and_report(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    tabs = user.tab.get_by_role("tab")
    assert tabs.all_text_contents() == ["Plots", "Paths", "Phase", "Energy", "Constraints", "Report", "Options"]
    assert user.tab.locator(".bench-plot h3").all_text_contents() == ["PATH(B1)", "Y(B1)"]
    tabs.first.focus()
    for name in ("Paths", "Phase", "Energy", "Constraints"):
        user.tab.keyboard.press("ArrowRight")
        assert user.tab.locator("[role=tab][aria-selected=true]").text_content() == name
        plot = user.tab.locator(".bench-plot canvas").first
        assert plot.bounding_box()["height"] > 100
    user.press("Pause")
    axes = user.tab.locator(".bench-plot canvas").last
    box = axes.bounding_box()
    user.tab.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 0.5 * box["height"])
    user.wait("chainlistBench.player.time > 2")
    user.tab.get_by_role("tab", name="Report").click()
    assert "energy error" in user.tab.locator(".bench-figures").text_content()


COMMENTED = (
    "Drag me\n* a comment\nB1 (1.0,  0) 1   ; the bob\nB2 200cm -10cm 2\n\nC1 B1 (0,0)\nC2 (0,0) B2\n.tran 0 1 1E-3\n"
)


def drag(user, start, end):
    user.tab.mouse.move(*user.place_of(*start))
    user.tab.mouse.down()
    x, y = user.place_of(*end)
    user.tab.mouse.move(x - 20, y - 5)
    user.tab.mouse.move(x, y, steps=4)
    user.tab.mouse.up()


def test_dragging_a_body_changes_the_text_and_nothing_else(user):
    user.live(False)
    user.write(COMMENTED)
    user.wait("chainlistBench.mode === 'start' && chainlistBench.player.scene?.title === 'Drag me'")
    user.wait("chainlistBench.handles.length === 4")
    drag(user, (1, 0), (0.5, -0.5))
    lines = user.text.split("\n")
    name, x, y = lines[2].replace("(", " ").replace(")", " ").replace(",", " ").split()[:3]
    assert name == "B1" and abs(float(x) - 0.5) < 0.02 and abs(float(y) + 0.5) < 0.02
    assert lines[2].endswith(") 1   ; the bob") and ",  " in lines[2]
    assert lines[:2] + lines[3:] == COMMENTED.split("\n")[:2] + COMMENTED.split("\n")[3:]
    user.wait("chainlistBench.handles.find(h => h.body === 'B1').at[0] < 0.6")
    drag(user, (2, -0.1), (1.5, 0.2))
    moved = user.text.split("\n")[3].split()
    assert moved[1].endswith("cm") and moved[2].endswith("cm") and moved[3] == "2"
    assert abs(float(moved[1][:-2]) - 150) < 2 and abs(float(moved[2][:-2]) - 20) < 2


def test_dragging_an_anchor_moves_all_that_hang_there_and_the_motion_follows(user):
    user.write(COMMENTED)
    user.wait_for_run("Drag me")
    user.press("Start")
    user.wait("chainlistBench.mode === 'start' && chainlistBench.handles.length === 4")
    drag(user, (0, 0), (0.3, 0.4))
    user.wait("chainlistBench.mode === 'run' && chainlistBench.run.scene.fixed[0] > 0.2")
    lines = user.text.split("\n")
    points = [lines[5].split("(")[1], lines[6].split("(")[1].replace(" B2", "")]
    assert points[0] == points[1] != "0,0)"


SPATIAL = """* In space
B1 (1,0,0) 1 IC_VEL=(0,0,1)
C1 B1 (0,0,0)
B2 (0,-1,1) 0
R1 (0,0,1) B2 2
.tran 0 2 1ms
"""


def test_a_machine_in_space_is_turned_and_stays_so(user):
    """A drag turns the picture also where a body is; another run, and an edit, leave it as it is."""
    user.write(SPATIAL)
    user.wait_for_run("In space")
    camera = "chainlistBench.player.view.camera"
    assert user.run(f"[{camera}.azimuth, {camera}.elevation, {camera}.dim]") == [30, 20, 3]
    before = user.text
    drag(user, (0.2, 0), (0.6, 0.1))
    turned = user.run(f"{camera}.azimuth")
    assert turned != 30 and user.text == before
    user.write(SPATIAL.replace("In space", "Once more"))
    user.wait_for_run("Once more")
    assert user.run(f"{camera}.azimuth") == turned
    user.write(SPATIAL.replace(".tran", ".options VIEW=(70,10)\n.tran"))
    user.wait(f"{camera}.azimuth === 70")
    assert user.run("Boolean(chainlistBench.player.drawing.floor)")


def test_a_number_can_be_dragged_in_the_text(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    number = user.tab.locator(".cl-t-number", has_text="1").first
    box = number.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    user.tab.keyboard.down("Alt")
    user.tab.mouse.move(x, y)
    user.tab.mouse.down()
    user.tab.mouse.move(x + 22, y, steps=3)
    user.tab.mouse.up()
    user.tab.keyboard.up("Alt")
    assert user.text.split("\n")[1] == "B1 (1.6,0) 1" or user.text.split("\n")[1] == "B1 (1.5,0) 1"
    user.wait("chainlistBench.run.scene.motion.positions[0] > 1.4")


def test_compare_two_runs(user):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.press("Pin")
    user.tab.get_by_role("button", name="Unpin").wait_for()
    user.write(PENDULUM.replace("1E-3", "1E-2") + ".options INTEGRATOR=MIDPOINT\n")
    user.wait("chainlistBench.run.options.INTEGRATOR === 'MIDPOINT'")
    assert user.run("chainlistBench.player.pinned !== null")
    assert "INTEGRATOR=RK4" in user.tab.locator(".bench-pin-legend").text_content()
    user.tab.get_by_role("tab", name="Report").click()
    heads = user.tab.locator(".bench-figures thead th").all_text_contents()
    assert heads == ["", "INTEGRATOR=MIDPOINT", "INTEGRATOR=RK4"]
    row = user.tab.locator(".bench-figures tr", has_text="energy error").locator("td").all_text_contents()
    assert len(row) == 2 and float(row[0].split()[0]) > 100 * float(row[1].split()[0])


@pytest.mark.parametrize(
    "entry, suffix", [("NumPy", ".npz"), pytest.param("Text trace", ".txt", marks=pytest.mark.long)]
)
def test_download_a_trace_and_read_it_back(user, tmp_path, entry, suffix):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.press("Download")
    with user.tab.expect_download() as waiting:
        user.tab.get_by_text(entry, exact=True).click()
    path = tmp_path / waiting.value.suggested_filename
    assert path.name == f"a-pendulum{suffix}"
    waiting.value.save_as(path)
    trace = read_trace(path)
    exact = chainlist.simulate(chainlist.parse(PENDULUM))
    assert abs(trace.q - exact.q).max() == 0 and len(trace.t) == 4001


def test_download_the_page(user, tmp_path):
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.press("Download")
    with user.tab.expect_download() as waiting:
        user.tab.get_by_text("Page", exact=True).click()
    path = tmp_path / "page.html"
    waiting.value.save_as(path)
    tab = user.tab.context.new_page()
    tab.goto(path.as_uri())
    assert tab.title() == "A pendulum"
    assert tab.evaluate("document.querySelector('canvas') !== null")
    tab.close()


def test_share_link_carries_the_text_but_never_runs_it(user, visit):
    user.write(PENDULUM.replace("A pendulum", "Shared \N{GREEK SMALL LETTER OMEGA} <b>bold</b>"))
    user.press("Share")
    user.wait("location.hash.startsWith('#z=')")
    user.tab.locator(".q-notification", has_text="on this machine only").wait_for()
    link = user.run("location.hash")
    other = visit("/" + link)
    other.wait("chainlistEditor.state.doc.line(1).text.startsWith('Shared')")
    assert other.text == user.text
    other.wait("chainlistBench.mode === 'start' && chainlistBench.player.scene?.bodies.length === 1")
    other.tab.wait_for_timeout(700)
    assert other.run("chainlistBench.mode") == "start"
    other.press("Run")
    other.wait("chainlistBench.run?.title.startsWith('Shared')")


def test_cancel_a_long_run(user):
    user.write(LONG)
    user.wait("chainlistBench.player.scene?.bodies.length === 30")
    user.press("Run")
    user.wait("chainlistBench.mode === 'run' && chainlistBench.player.scene?.motion.count > 20")
    grown = user.run("chainlistBench.player.scene.motion.count")
    user.wait(f"chainlistBench.player.scene?.motion.count > {grown}")
    user.wait("document.querySelector('.bench-state').textContent.includes('s left')")
    user.press("Cancel")
    user.wait("chainlistBench.run?.title === 'Long'")
    assert user.run("chainlistBench.run.status.cancelled")
    assert user.run("chainlistBench.player.stop") < 1000
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")


def test_two_users_at_once(user, visit):
    one, two = user, visit()
    one.write(PENDULUM.replace("A pendulum", "One"))
    two.write(PENDULUM.replace("A pendulum", "Two"))
    one.wait_for_run("One")
    two.wait_for_run("Two")
    assert one.text.startswith("One") and two.text.startswith("Two")
    two.write(PENDULUM.replace("A pendulum", "Two").replace("(0,0)", "B9"))
    two.tab.locator(".cl-sign-error").wait_for()
    assert one.tab.locator(".cl-sign-error").count() == 0


def test_completion(user):
    user.tab.locator(".cm-content").focus()
    user.tab.keyboard.press("Control+End")
    user.tab.keyboard.type(".options INT")
    user.tab.locator(".cm-tooltip-autocomplete li[aria-selected]", has_text="INTEGRATOR").wait_for()
    user.tab.wait_for_timeout(300)  # a list that has just opened does not take the key yet
    user.tab.keyboard.press("Enter")
    user.wait("chainlistEditor.state.doc.toString().endsWith('.options INTEGRATOR=')")
    user.tab.keyboard.type("DOP")
    user.tab.locator(".cm-tooltip-autocomplete li", has_text="DOP853").wait_for()
    user.tab.keyboard.press("Escape")
    assert user.text.endswith(".options INTEGRATOR=DOP")


def test_files_of_the_workspace(user, workspace):
    user.press("Open")
    user.tab.get_by_role("button", name="with-arm.chain").click()
    user.wait_for_run("With an arm")
    assert user.run("chainlistBench.player.scene.bodies.map(b => b.name)") == ["B1", "B2"]
    user.write(user.text.replace(".tran 0 1", ".tran 0 2"))
    user.tab.locator(".cm-content").focus()
    user.tab.keyboard.press("Control+Shift+S")
    user.tab.get_by_role("textbox", name="Name").fill("saved")
    user.tab.get_by_role("textbox", name="Name").press("Enter")
    user.tab.get_by_text("Saved saved.chain").wait_for()
    assert (workspace / "saved.chain").read_text() == user.text


def test_hover_over_a_body_gives_its_effective_values(user):
    user.write("* Halves\nB1 (L,0) 2*L\nC1 B1 (0,0)\n.param L=0.25\n.tran 0 1 1E-2\n")
    user.wait_for_run("Halves")
    user.tab.locator(".cl-t-defined", has_text="B1").hover()
    user.tab.locator(".cl-hover", has_text="B1 (0.25,0) 0.5").wait_for()


def test_a_cure_is_written_by_a_click(user):
    wrong = PENDULUM + ".polt Q(B1)\n"
    user.write(wrong)
    user.tab.locator(".cl-wave-error").hover()
    user.tab.locator(".cl-tip-fix").click()
    user.tab.locator(".cl-sign-error").wait_for(state="detached")
    assert user.text == wrong.replace(".polt", ".plot")
    user.tab.keyboard.press("Control+z")
    user.wait(f"chainlistEditor.state.doc.toString() === {json.dumps(wrong)}")


def test_hostile_text_stays_text(user):
    evil = "<img src=x onerror=alert(1)>${alert(2)}`</script><script>alert(3)</script>"
    user.write(f"{evil}\nB1 (1,0) 1\nC1 B1 (0,0)\nC2 B1 B<b>\n.print TEXTTRACEFILE=/etc/{evil}\n")
    user.tab.locator(".cl-sign-error").first.wait_for()
    user.tab.locator(".cl-wave").first.hover()
    user.write(f"{evil}\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1E-3\n.plot Y(B1)\n")
    user.wait(f"chainlistBench.run?.title === {json.dumps(evil)}")
    user.tab.get_by_role("tab", name="Report").click()
    assert user.tab.locator("img[src=x]").count() == 0
    assert user.run("document.querySelectorAll('script').length") < 20


@pytest.mark.long
def test_light_and_dark(visit):
    user = visit(color_scheme="dark")
    assert user.run("document.documentElement.dataset.theme") == "dark"
    user.press("Light or dark")
    user.wait("document.documentElement.dataset.theme === 'light'")
    user.tab.reload()
    user.wait("document.documentElement.dataset.theme === 'light'")


def test_narrow_screen_shows_one_part_at_a_time(user):
    user.resize(420)
    assert user.tab.locator(".cm-editor").is_visible() and not user.tab.locator(".bench-stage").is_visible()
    user.press("Watch")
    user.tab.locator(".bench-stage canvas").wait_for()
    assert not user.tab.locator(".cm-editor").is_visible()
    user.press("Plots")
    user.tab.get_by_role("tab").first.wait_for()
    assert user.run("document.documentElement.scrollWidth") <= 420


@pytest.mark.long
def test_a_run_that_says_much_fits_into_the_header(visit):
    user = visit()  # what is written into the page here, the server could not change any more
    user.wait(f"chainlistBench.run?.status.ok && {IDLE}")  # else the server may still say something there
    user.run("document.querySelector('.bench-bar').classList.remove('bench-idle')")
    words = "preparing the kernels (compiled once, then kept)"
    user.run("document.querySelector('.bench-state').textContent = argument", words)
    for width in (320, 420, 905, 1000, 1245):
        user.resize(width)
        across, height, said = user.run(
            "[document.documentElement.scrollWidth, document.querySelector('.bench-header').offsetHeight,"
            " document.querySelector('.bench-state').textContent]"
        )
        assert said == words
        assert across <= width
        assert width <= 900 or height <= 52, "one row of buttons"


@pytest.mark.long
def test_everything_has_a_name_and_is_reached_by_keyboard(visit):
    user = visit()
    user.wait("chainlistBench.run?.status.ok")
    nameless = user.run(
        "[...document.querySelectorAll('button, input, select, canvas[tabindex], [role=tab], [role=separator]')]"
        ".filter(e => e.offsetParent && !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')"
        " || e.getAttribute('aria-labelledby'))).map(e => e.outerHTML.slice(0, 120))"
    )
    assert nameless == []
    seen = set()
    user.tab.keyboard.press("Tab")
    for _ in range(60):
        seen.add(user.run("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"))
        if user.run("document.activeElement.classList.contains('cm-content')"):
            user.tab.keyboard.press("Escape")
        user.tab.keyboard.press("Tab")
    assert {"Examples", "Run", "Download", "Chainlist", "Time", "Play", "Speed"} <= seen | {
        "Play" if "Pause" in seen else ""
    }


def test_colours_tell_entities_from_parameters(user):
    user.write(
        "A title with B1 in it\n* a comment\n.param short=2cm\nB1 (short,0) 1 ; B1\nC1 B1 (0,0)\n"
        ".options PLOTMODE=STATIC\n"
    )
    colours = user.run(
        "[...document.querySelectorAll('.cm-line')].map(line => [...line.querySelectorAll('[class*=cl-t-]')]"
        ".map(e => [e.textContent, e.className.match(/cl-t-(\\w+)/)[1]]))"
    )
    assert colours[0] == [["A title with B1 in it", "title"]]
    assert colours[1] == [["* a comment", "comment"]]
    assert colours[2] == [[".param", "command"], ["short", "key"], ["2", "number"], ["cm", "unit"]]
    assert colours[3] == [["B1", "body"], ["short", "name"], ["0", "number"], ["1", "number"], ["; B1", "comment"]]
    assert colours[4] == [["C1", "link"], ["B1", "body"], ["0", "number"], ["0", "number"]]
    assert colours[5] == [[".options", "command"], ["PLOTMODE", "key"], ["STATIC", "name"]]
