"""Analyses in the workbench: what Run computes and shows, how it is cancelled, and a curve over a knob with one click."""

import io
import json
import math

import pytest

from chainlist.app.workbench import tasks, wire
from chainlist.app.workbench.checking import check
from chainlist.app.workbench.settings import RunLimits
from chainlist.app.workbench.talk import Talk

SWING = """Swing
.param L=1 ; 0.5..1.5
.options gravity=9.81
B1 (L*sin(30deg),-L*cos(30deg)) 1
C1 B1 (0,0)
.tran 0 8 1E-2
.plot PATH(B1) Y(B1)
"""
ALL = (
    SWING
    + ".op\n.modes\n.meas T PERIOD X(B1)\n.four X(B1)\n.lyap\n.poincare {X(B1)>0} Y(B1) VX(B1)\n.step L 0.5 1.5 0.5\n"
)


def run(text, folder, *, quick=False, stop=False):
    """The messages and the answer of a worker."""
    out = io.BytesIO()
    talk = Talk(out, 120.0)
    if stop:
        send = talk.send
        talk.send = lambda kind, *rest: (send(kind, *rest), kind == "motion" and talk.cancel())
    request = {"text": text, "name": "", "folder": None, "limits": RunLimits().as_data(), "keep": str(folder)}
    answer, blob = tasks.run(request | {"quick": quick}, talk)
    out.seek(0)
    kinds = []
    while out.tell() < len(out.getvalue()):
        kinds.append(wire.read(out).kind)
    return answer, blob, kinds


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    answer, blob, kinds = run(ALL, folder)
    return answer, blob, kinds, folder


def test_every_analysis_of_the_text_is_computed_and_told(found):
    from scipy.special import ellipk

    answer, blob, kinds, _ = found
    views = {view["command"]: view for view in answer["findings"]}
    assert list(views) == ["op", "modes", "meas", "four", "lyap", "poincare", "step"]
    assert blob and kinds.index("motion") > 0 and "progress" in kinds
    told = float(dict(views["meas"]["figures"])["T"].split()[0])
    assert told == pytest.approx(4 / math.sqrt(9.81) * ellipk(math.sin(math.radians(15)) ** 2), rel=1e-5)
    (curve,) = views["step"]["pictures"][0]["series"]
    assert curve["x"] == [0.5, 1, 1.5] and curve["y"][2] / curve["y"][0] == pytest.approx(3**0.5, rel=1e-5)
    json.dumps(answer, allow_nan=False)


def test_the_page_and_the_table_that_are_taken_away_have_them(found):
    folder = found[3]
    for format, has in (("page", '<script type="text/plain" id="findings">H4s'), ("table", "L,status,T\n0.5,")):
        name = tasks.export({"keep": str(folder), "format": format}, Talk(io.BytesIO(), 10))[0]["file"]
        assert has in (folder / name).read_text("utf-8")


def test_live_mode_leaves_many_runs_to_the_user(tmp_path):
    views = {view["command"]: view for view in run(ALL, tmp_path, quick=True)[0]["findings"]}
    assert views["lyap"]["refused"] == views["step"]["refused"] == "needs many runs: press Run"
    assert views["modes"]["pictures"]


def test_a_cancel_keeps_the_motion_and_says_what_is_missing(tmp_path):
    answer, blob, _ = run(ALL, tmp_path, stop=True)
    assert blob and all("stopped before" in view["refused"] for view in answer["findings"])


def test_what_one_cannot_do_is_told_beside_its_card(tmp_path):
    text = SWING.replace("0 8 1E-2", "0 0.1 1E-2") + ".four X(B1)\n.meas low MIN Y(B1)\n.mc 30000\n"
    views = {view["command"]: view for view in run(text, tmp_path)[0]["findings"]}
    assert "FREQ=1Hz" in str(views["four"]["figures"]) and views["meas"]["figures"]
    assert "20,000" in views["mc"]["refused"]


def test_a_knob_knows_the_cards_of_its_sweep():
    (knob,) = check(SWING, RunLimits(), None)[0]["knobs"]
    assert knob["sweep"]["text"] == "\n.step L 0.5 1.5 0.05\n.meas largest MAX Y(B1)"
    assert knob["sweep"]["at"] == len(SWING) - 1
    (knob,) = check(SWING + ".end\n", RunLimits(), None)[0]["knobs"]
    assert knob["sweep"]["at"] == len(SWING) - 1, "nothing counts behind .end"
    (knob,) = check(ALL, RunLimits(), None)[0]["knobs"]
    assert knob["sweep"] is None


@pytest.mark.browser
def test_a_click_on_a_knob_shows_a_curve(user):
    user.write(SWING)
    user.wait_for_run("Swing")
    user.tab.get_by_role("button", name="Sweep L").click()
    user.wait("document.querySelector('.bench-findings .cl-picture-line canvas')")
    assert user.text.endswith(".step L 0.5 1.5 0.05\n.meas largest MAX Y(B1)\n")
    assert user.tab.get_by_role("tab", name="Analyses").get_attribute("aria-selected") == "true"
    heads = user.run("[...document.querySelectorAll('.bench-findings h2')].map(h => h.textContent)")
    assert heads == [".meas", ".step"]
