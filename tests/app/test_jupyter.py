"""Chainlists in a notebook: a real IPython shell, and the frame that it shows in a real browser."""

import re
import subprocess
import sys
from html import unescape

import pytest

import chainlist

CELL = "A pendulum <b>&\nB1 (1,0) 1\nC1 B1 (0,0)\n.param unused=1\n.tran 0 1 1E-2\n.plot Y(B1)\n"


@pytest.fixture(scope="module")
def shell():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.history_manager.enabled = False
    shell.run_line_magic("load_ext", "chainlist")
    yield shell
    shell.history_manager.end_session()


def test_a_cell_gives_a_trajectory(shell):
    shown = shell.run_cell_magic("chainlist", "", CELL)
    exact = chainlist.simulate(CELL)
    assert (shown.q == exact.q).all()


def test_settings_parameters_and_a_name(shell):
    cell = CELL.replace("(1,0)", "(L,0)").replace("unused=1", "L=1")
    shown = shell.run_cell_magic("chainlist", "swing --set INTEGRATOR=MIDPOINT --param L=2", cell)
    assert shell.user_ns["swing"] is shown
    assert shown.mechanism.options.integrator == "MIDPOINT" and shown.q[0, 0, 0] == 2


def test_a_cell_shows_its_measures_and_says_what_makes_many_runs(shell, capsys):
    cell = CELL.replace("unused=1", "L=1").replace("(1,0)", "(L,0)")
    shell.run_cell_magic("chainlist", "", cell + ".meas low MIN Y(B1)\n.op\n.step L 1 2 1\n")
    out, err = capsys.readouterr()
    assert re.search(r"low .*-1 m", out) and "equilibri" in out
    assert "`chainlist sweep FILE`" in err and "chainlist.ensemble(FILE)" in err
    shell.run_cell_magic("chainlist", "", cell)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "line, cell, words",
    [
        ("", CELL.replace("(0,0)", "B7"), "unknown body B7"),
        ("--set INTEGRATR=RK4", CELL, "INTEGRATR"),
        ("--set nonsense", CELL, "not of the form name=value"),
        ("", CELL.replace("0 1 1E-2", "0 1 1E-12"), "steps"),
    ],
)
def test_mistakes_are_told_without_a_traceback(shell, capsys, line, cell, words):
    assert shell.run_cell_magic("chainlist", line, cell) is None
    said = capsys.readouterr().err
    assert words in said and "Traceback" not in said


def test_a_trajectory_shows_itself_and_its_text_stays_text():
    html = chainlist.simulate(CELL)._repr_html_()
    assert html.startswith('<iframe sandbox="allow-scripts"') and html.endswith("</iframe>")
    inside = unescape(re.search(r'srcdoc="([^"]*)"', html)[1])
    assert "A pendulum &lt;b&gt;&amp;" in inside and "<b>&" not in inside
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", inside)


@pytest.mark.browser
def test_the_frame_moves_in_a_saved_notebook_offline(browser, tmp_path):
    path = tmp_path / "saved.html"
    path.write_text(f"<!doctype html><h1>Saved</h1>{chainlist.simulate(CELL)._repr_html_()}", encoding="utf-8")
    context = browser.new_context(offline=True)
    tab = context.new_page()
    asked, complaints = [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(path.as_uri())
    canvas = tab.frame_locator("iframe").locator("canvas").first
    canvas.wait_for()
    first = canvas.screenshot()
    tab.wait_for_timeout(600)
    assert canvas.screenshot() != first
    assert [url for url in asked if not url.startswith(("file:", "about:", "blob:"))] == [] and complaints == []
    context.close()


def test_the_first_cell_of_a_fresh_kernel_shows_its_motion():
    script = (
        "from IPython.core.interactiveshell import InteractiveShell as Shell\n"
        "shell = Shell(); shell.history_manager.enabled = False\n"
        "shell.run_line_magic('load_ext', 'chainlist')\n"
        f"shown = shell.run_cell_magic('chainlist', '', {CELL!r})\n"
        "print(shell.display_formatter.format(shown)[0]['text/html'][:7])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("<iframe")
