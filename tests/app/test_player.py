"""Players in notebooks: sliders for parameters, runs when they are moved, and a real JupyterLab."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from html import unescape

import pytest

import chainlist

anywidget = pytest.importorskip("anywidget")

TEXT = "* Swing <b>\nB1 (L,0) m\nC1 B1 (0,0)\n.param L=50cm m=2 ; 20..80 1..5\n.param twice=2*L\n.tran 0 0.2 1E-2\n.plot Y(B1)\n"


def without_clock(page):
    """All but how long the run took."""
    return re.sub(r"<dd>[^<]*a step[^<]*</dd>", "", page)


@pytest.fixture
def swing():
    return chainlist.player(TEXT)


def test_each_parameter_that_is_a_number_has_a_slider(swing):
    assert swing.sliders == [
        {"name": "L", "unit": "cm", "low": 20.0, "high": 80.0, "value": 50.0},
        {"name": "m", "unit": "", "low": 1.0, "high": 5.0, "value": 2.0},
    ]
    assert swing.values == {"L": 50.0, "m": 2.0}


def test_a_slider_that_is_moved_runs_the_machine_again(swing):
    before = swing.page
    swing.values = {"L": 80.0, "m": 2.0}
    assert swing.page != before and not swing.problem
    again = chainlist.player(chainlist.parse(TEXT, params={"L": 0.8}))
    assert without_clock(swing.page) == without_clock(again.page)


def test_a_value_with_which_the_machine_cannot_be_is_told_and_the_motion_stays(swing):
    before = swing.page
    swing.values = {"L": 50.0, "m": -1.0}
    assert "mass" in swing.problem and swing.page == before
    swing.values = {"L": 50.0, "m": 3.0}
    assert swing.problem == ""


def test_without_a_kernel_the_page_is_there(swing):
    bundle = swing._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data
    assert unescape(re.search(r'srcdoc="(.*)"', data["text/html"], re.DOTALL)[1]) == swing.page


def test_a_mechanism_draws_itself():
    shown = chainlist.parse(TEXT)._repr_html_()
    assert "<svg" in shown and "1 degree of freedom" in shown and "L = 0.5" in shown
    assert "Swing &lt;b&gt;" in shown and "<b>&" not in shown


def test_an_ensemble_shows_itself_as_a_table():
    table = chainlist.ensemble(TEXT, params={"L": [0.4, 0.5]}, keep="end")
    assert "xarray.Dataset" in table._repr_html_()


def notebook(folder):
    code = f"import chainlist\nchainlist.player({TEXT!r})"
    cells = [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": code, "id": "a"}]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    path = folder / "swing.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))
    return path


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab on this machine, with nothing outside to be fetched."""
    pytest.importorskip("jupyterlab")
    notebook(tmp_path)
    port = 18_888 + os.getpid() % 1000
    words = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"]
    words += [f"--ServerApp.port={port}", "--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    words += [
        f"--ServerApp.root_dir={tmp_path}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--ServerApp.disable_check_xsrf=True",
    ]
    surroundings = {**os.environ, "HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    with (tmp_path / "lab.log").open("wb") as log:
        server = subprocess.Popen(words, cwd=tmp_path, env=surroundings, stdout=log, stderr=log)
        try:
            yield _when_it_answers(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()
            server.wait(timeout=60)


def _when_it_answers(address):
    for _ in range(240):
        try:
            with urllib.request.urlopen(f"{address}/api", timeout=5):
                return address
        except OSError:
            time.sleep(0.5)
    raise AssertionError("JupyterLab does not answer")


@pytest.mark.long
@pytest.mark.browser
def test_the_player_works_in_jupyterlab(lab, browser):
    tab = browser.new_page()
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(f"{lab}/lab/tree/swing.ipynb", timeout=120_000)
    tab.locator(".jp-Notebook .cm-content").first.click(timeout=120_000)
    tab.keyboard.press("Shift+Enter")
    knob = tab.get_by_role("slider", name="L", exact=True)
    knob.wait_for(timeout=180_000)
    inside = tab.frame_locator("iframe[title=chainlist]")
    inside.locator("canvas").first.wait_for(timeout=60_000)
    before = tab.locator("iframe[title=chainlist]").get_attribute("srcdoc")
    knob.focus()
    tab.keyboard.press("End")
    tab.wait_for_function(
        "before => document.querySelector('iframe[title=chainlist]').srcdoc !== before", arg=before, timeout=60_000
    )
    assert tab.locator(".chainlist-knob output").first.text_content() == "80 cm"
    inside.locator("canvas").first.wait_for(timeout=60_000)
    elsewhere = [url for url in asked if not url.startswith((lab, "data:", "blob:", "about:"))]
    assert not elsewhere
    tab.close()
