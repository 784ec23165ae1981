"""What the command line says where a word is wrong, or a number is missing."""

import re

import pytest

import chainlist
from chainlist.app.pages import explain_page
from chainlist.model.observables import OBSERVABLES
from chainlist.output.figures import _short_time
from chainlist.syntax.errors import ChainlistError
from tests.command import run

PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pendulum.chain").write_text(
        f"{PENDULUM}.modes\n.meas low MIN Y(B1)\n.meas late FIND Y(B1) AT=5\n.plot Y(B1)\n"
    )
    (tmp_path / "notes.txt").write_text("nothing\n")
    return tmp_path


@pytest.mark.parametrize("wrong", ["pendlum.chain", "Pendulum.CHAIN", "pendulum", "pendulum.chn"])
def test_a_misspelt_file_name_is_answered_by_the_right_one(folder, wrong):
    status, _, err = run("check", wrong, cwd=folder)
    assert status == 1 and "did you mean pendulum.chain?" in err


@pytest.mark.parametrize("wrong", ["crane.chain", "gone/pendulum.chain"])
def test_what_is_not_near_is_not_offered(folder, wrong):
    _, _, err = run("check", wrong, cwd=folder)
    assert "did you mean" not in err and "Traceback" not in err


def test_a_card_of_the_command_line_is_named_so(folder):
    status, _, err = run("sweep", "pendulum.chain", "--step", "gravty 5 10 1", cwd=folder)
    assert status == 2 and "--> --step:1:7" in err and "<measure>" not in err


def test_a_sweep_says_what_it_leaves_out_and_a_run_why_a_number_is_missing(folder):
    sweep = ("sweep", "pendulum.chain", "--step", "gravity 5 10 5", "--no-plots", "--workers", "1")
    _, said = run(*sweep, cwd=folder, merged=True)
    assert re.search(r"left out +\.modes: of each run only \.meas is taken", said)
    _, said = run("run", "pendulum.chain", "--no-plots", cwd=folder, merged=True)
    assert re.search(r"late +has no value: AT=5s is after the end of the run, 1 s", said)


@pytest.mark.parametrize("code", ["E274", "E275"])
def test_pages_about_pictures_name_them_all(code):
    page = explain_page(code)
    assert isinstance(page, str)
    assert all(f"`{item.name}`" in page for item in OBSERVABLES.values() if item.picture)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(6.49e-3, "6.49 ms"), (1.234e-6, "1.23 µs"), (5e-7, "0.5 µs"), (0.9996e-3, "1 ms"), (2.5, "2.5 s")],
)
def test_a_short_time_needs_no_exponent(seconds, words):
    assert _short_time(seconds) == words


def test_a_sweep_whose_runs_break_down_says_so_in_its_status(tmp_path):
    """Its help says: as of `chainlist run`."""
    (tmp_path / "crank.chain").write_text(CRANK)
    words = "sweep", "crank.chain", "--no-plots", "--workers", "1", "--step"
    status, said = run(*words, "r LIST 0.2 10", cwd=tmp_path, merged=True)
    assert status == 3 and "broke down  1, the first at r=10" in said
    assert "`chainlist run crank.chain --param r=10.0` says why" in said
    assert run(*words, "r LIST 0.2 0.3", cwd=tmp_path)[0] == 0


def test_a_sweep_says_what_is_wrong_with_the_first_run_that_is_refused(tmp_path):
    """A draw has no --param that would tell: what was drawn is not in the table where it is refused."""
    (tmp_path / "rods.chain").write_text(RODS)
    status, said = run("sweep", "rods.chain", "--no-plots", "--workers", "1", cwd=tmp_path, merged=True)
    assert status == 3 and "error[E228]" in said and "not all runs went well: this is wrong at member " in said


CRANK = """* The rod is too short for a long crank
.param r=0.2
B1 (r,0) 1
B2 (r+0.6,0) 1
C1 (0,0) B1
C2 B1 B2
S1 B2 LINE(0,1,0)
M1 C1 ANGLE={2*pi*time}
.tran 0 1 1ms
"""

RODS = """* Rods of any length, some of them of less than none
.param long=gauss(1,2)
B1 (1,0) 1
C1 (0,0) B1 LENGTH={long}
.tran 0 0.01 1ms
.meas top MAX Y(B1)
.mc 8
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pendulum.chain"], "chainlist run pendulum.chain"),
        (["simulate", "pendulum.chain"], "Did you mean 'run'?"),
        (["run", "pendulum.chain", "-o", "out.png"], "write -o out"),
        (["run", "pendulum.chain", "--param", "gravity=2"], "--set gravity=2"),
    ],
)
def test_words_in_a_wrong_place_are_answered_by_what_was_meant(folder, words, said):
    status, _, err = run(*words, cwd=folder)
    assert status == 2 and said in re.sub(r"[\s│]+", " ", err)


def test_a_parameter_given_as_a_setting_is_answered(folder):
    (folder / "long.chain").write_text("* Long\n.param L=1\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n.plot Y(B1)\n")
    status, _, err = run("run", "long.chain", "--set", "L=2", cwd=folder)
    assert status == 2 and "--param L=2" in err


def test_only_chainlists_are_offered_for_a_file_that_is_missing(tmp_path):
    (tmp_path / "p.html").write_text("")
    _, _, err = run("check", "p.txt", cwd=tmp_path)
    assert "did you mean" not in err


def test_items_of_one_name():
    _, out, _ = run("items", "torque")
    assert out.startswith("TORQUE") and "SPEED" not in out
    assert run("items", "nonsense")[0] == 2


def test_a_run_that_ends_where_it_begins_is_told_of(tmp_path):
    (tmp_path / "low.chain").write_text("* Low\nB1 (0,-1) 1\n.tran 0 1 1ms\n.stop {Y(B1)<0}\n.print Y(B1)\n")
    _, _, err = run("run", "low.chain", cwd=tmp_path)
    assert ".stop {Y(B1)<0} holds at the start, or at once after it" in err


def test_a_sweep_says_which_command_repeats_a_run_that_broke_down(tmp_path):
    text = "* Stiff\n.param k=1\nB1 (1,0) 1\nK1 B1 (0,0) {k} L0=0.5\n.tran 0 1 1ms\n.step k LIST 1 1E12\n.options INTEGRATOR=RK4\n"
    (tmp_path / "stiff.chain").write_text(text)
    _, _, err = run("sweep", "stiff.chain", "--no-plots", cwd=tmp_path)
    assert "chainlist run stiff.chain --param k=" in err and "N202" not in err


def test_a_sweep_of_absurd_size_wants_to_be_confirmed(tmp_path):
    text = (
        "* Many\n.param L=gauss(1,0.1)\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n.mc 1000000000\n.meas low MIN Y(B1)\n"
    )
    (tmp_path / "many.chain").write_text(text)
    status, _, err = run("sweep", "many.chain", cwd=tmp_path)
    assert status == 2 and "1,000,000,000 runs would take about" in err and "--confirm" in err


def test_what_runs_away_without_a_constraint_names_none(tmp_path):
    text = "* Stiff\nB1 (1,0) 1\nK1 B1 (0,0) 1E12 L0=0.5\n.tran 0 1 1ms\n.options INTEGRATOR=RK4\n.print X(B1)\n"
    (tmp_path / "stiff.chain").write_text(text)
    status, _, err = run("run", "-q", "stiff.chain", cwd=tmp_path)
    assert status == 3 and "of its scale). Try a smaller step" in err and "see " not in err


def test_an_analysis_that_is_refused_is_named_once(tmp_path):
    (tmp_path / "free.chain").write_text("* Free\nB1 (0,0) 1\n.tran 0 0.1 1ms\n.op\n.print X(B1)\n")
    status, _, err = run("run", "-q", "free.chain", cwd=tmp_path)
    assert status == 2 and err.count(".op") == 1 and "free.chain: .op: no equilibrium was found" in err


@pytest.mark.parametrize(
    ("card", "why"),
    [
        (".four ANGLE(C1)", "ANGLE(C1) never turns round"),
        (".four X(B1) FREQ=0.1Hz", "the run is shorter than one period of 0.1 Hz"),
        (".meas a PERIOD ANGLE(C1)", "ANGLE(C1) never turns round"),
        (".meas a WHEN Y(B1)=9", "did not happen"),
        (".meas a FIND Y(B1) AT=5", "AT=5s is after the end of the run"),
        (".poincare Y(B1)=9 X(B1) VX(B1)", "0 crossings"),
    ],
)
def test_a_question_whose_answer_is_none_is_answered(tmp_path, card, why):
    """One rule for all: the report says why, and nothing went wrong. Only what cannot be made at all has a status of its own."""
    text = f"* Orbit\nB1 (0,0.001) 1 IC_VEL=(9,0)\nC1 B1 (0,-1)\n.tran 0 1 1ms\n{card}\n.print X(B1)\n"
    (tmp_path / "orbit.chain").write_text(text)
    status, _, err = run("run", "orbit.chain", cwd=tmp_path)
    assert status == 0 and why in err and "error" not in err.replace("energy error", "")
    assert (why.split()[-1] in (tmp_path / "orbit.out" / "report.json").read_text()) == (not card.startswith(".poi"))


def test_python_answers_what_was_meant():
    with pytest.raises(ChainlistError, match="three times, not 1"):
        chainlist.simulate(PENDULUM, tran=10)
    with pytest.raises(ValueError, match=r"chainlist\.load\('p\.chain'\)"):
        chainlist.parse("p.chain")
    table = chainlist.ensemble(PENDULUM, params={"gravity": [1.0, 2.0]}, measure="MAX X(B1)")
    assert "MAX X(B1)" in table


LONG = "* Long\n.param L=1\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n.plot Y(B1)\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run long.chain L=2", "L=2 is no file: the value of a parameter stands behind a flag: write chainlist run long.chain --param L=2"),
        ("run long.chain -q .gravity=2 L=3", "write chainlist run long.chain -q --set gravity=2 --param L=3"),
        ("run --param L=3 tran=0,1,0.1 long.chain", "write chainlist run --param L=3 --set tran=0,1,0.1 long.chain"),
        ("check long.chain L=2", "check takes no values: they are given to a run: write chainlist run long.chain --param L=2"),
        ("export long.chain --to sympy L=2", "write chainlist run long.chain --param L=2"),
        ("sweep long.chain L 1 2 0.5", 'write chainlist sweep long.chain --step "L 1 2 0.5"'),
        ("run long.chain --param B1=(1,2)", "write .param x=1 y=2 and B1 (x,y) in the chainlist, then --param x=1 --param y=2"),
        ("run long.chain --param L=(1,2)", "write .param Lx=1 Ly=2 in the chainlist, and --param Lx=1 --param Ly=2"),
        ("run long.chain --set B1=(1,2)", "write .param x=1 y=2 and B1 (x,y) in the chainlist"),
        ("run long.chain --param C1=2", "C1 stands in the chainlist: write .param a=… there"),
        ("run long.chain --set .tran=0,1,0.1", "write --set tran=0,1,0.1"),
        ("run long.chain --set tran=(0,1,0.1)", "write --set tran=0,1,0.1"),
        ("run long.chain --set .gravity=2", "write --set gravity=2"),
        ("run long.chain --set options.SYSTEM=INDEX1", "write --set DAESYSTEM=INDEX1"),
        ("run long.chain --set SYSTEM=INDEX1", "did you mean DAESYSTEM?"),
        ("run long.chain --set .L=2", "write --param L=2"),
        ("run long.chain --param .options.gravity=2", "write --set gravity=2"),
        ("run long.chain --set gravity:2", "write --set gravity=2"),
        ("run long.chain --set step=0.1", "--set tran=0,10,1ms"),
    ],
)  # fmt: skip
def test_a_value_that_is_given_in_another_way_gets_the_words_to_write(tmp_path, words, said):
    (tmp_path / "long.chain").write_text(LONG)
    status, _, err = run(*words.split(), cwd=tmp_path)
    assert status == 2 and said in re.sub(r"[\s│]+", " ", err)
    assert not (tmp_path / "long.out").exists()


def test_what_was_said_of_a_value_without_its_flag_passes(tmp_path):
    (tmp_path / "long.chain").write_text(LONG)
    (tmp_path / "L=2").write_text(LONG)
    assert run("check", "L=2", cwd=tmp_path)[0] == 0  # a file may be called so
    for words in ("--param L=2", "--set gravity=2 --param L=3", "--set tran=0,1,0.1", "--set DAESYSTEM=INDEX1"):
        assert run("run", "long.chain", "--no-plots", "-q", *words.split(), cwd=tmp_path)[0] == 0
    assert run("sweep", "long.chain", "--no-plots", "-q", "--step", "L 1 2 0.5", cwd=tmp_path)[0] == 0
