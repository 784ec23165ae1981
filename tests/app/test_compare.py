"""`chainlist compare` as a subprocess: the table, its references, and what cannot be compared."""

import json

import pytest

from tests.command import run

PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.5 0.01\n.print BINTRACEFILE=a.npz\n"
OVER = ["--over", "INTEGRATOR=RK4,EULER,RATTLE", "--over", "DAESYSTEM=PROJECTED,INDEX1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    (folder / "a.chain").write_text(PENDULUM)
    (folder / "other.chain").write_text(PENDULUM.replace("B1", "B2").replace("a.npz", "other.npz"))
    assert run("run", "a.chain", "other.chain", "-o", ".", "-q", cwd=folder)[0] == 0
    (folder / "l.chain").write_text(
        PENDULUM.replace("(1,0)", "(L,0)").replace("a.npz", "l.npz\n.print BINTRACEFILE=l.csv\n.param L=1")
    )
    assert run("run", "l.chain", "-o", "long", "-q", "--param", "L=2", cwd=folder)[0] == 0
    (folder / "heavy.chain").write_text(PENDULUM.replace("(1,0) 1", "(1,0) 2"))
    assert run("run", "heavy.chain", "-o", "heavy", "-q", cwd=folder)[0] == 0
    assert run("run", "l.chain", "-o", "moon", "-q", "--set", "gravity=1.62", cwd=folder)[0] == 0
    return folder


def rows(out):
    return {" ".join(map(str, row["settings"].values())): row for row in json.loads(out)}


def test_every_combination_that_goes_together_is_run_and_the_others_are_listed(folder):
    status, out, err = run("compare", "a.chain", *OVER, "--json", "--no-plot", cwd=folder)
    assert status == 0
    found = rows(out)
    assert set(found) == {"RK4 PROJECTED", "RK4 INDEX1", "EULER PROJECTED", "EULER INDEX1", "RATTLE PROJECTED"}
    assert "left out: INTEGRATOR=RATTLE DAESYSTEM=INDEX1" in err
    assert found["RK4 PROJECTED"]["error"] < 1e-6 < 1e-3 < found["EULER PROJECTED"]["error"]
    assert found["RK4 PROJECTED"]["residual"] < 1e-14 < found["RK4 INDEX1"]["residual"]
    assert all(row["ended"] == "well" for row in found.values())


def test_the_exact_solution_and_a_trace_agree_with_the_tight_reference(folder):
    errors = []
    for words in ([], ["--against", "exact"]):
        _, out, _ = run("compare", "a.chain", *OVER[:2], "--json", "--no-plot", *words, cwd=folder)
        errors.append(rows(out)["RK4"]["error"])
    assert errors[1] == pytest.approx(errors[0], rel=1e-3)
    _, out, _ = run("compare", "a.chain", *OVER[:2], "--json", "--no-plot", "--against", "a/a.npz", cwd=folder)
    assert rows(out)["RK4"]["error"] == 0.0


def test_the_table_and_the_plot(folder):
    status, out, err = run(
        "compare", "a.chain", "--over", "INTEGRATOR=DOP853", "--over", "RELTOL=1e-4,1e-8", cwd=folder
    )
    assert status == 0
    assert "DOP853 RELTOL=0.0001" in out and "DOP853 RELTOL=1e-08" in out
    assert "a-compare.png" in err and (folder / "a-compare.png").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--over", "gravity=1,2"], "changes the motion itself"),
        (["--over", "INTEGRATOR=RK5"], "RK5"),
        (["--over", "RELTOL=tiny"], "RELTOL"),
        (["--over", "nonsense"], "OPTION=A,B"),
        (["--over", "INTEGRATER=RK4"], "there is no option INTEGRATER: did you mean INTEGRATOR?"),
        (["--over", "colour=red,blue"], "there is no option colour: see `chainlist options`"),
        (["--over", "step=1ms,2ms"], "the plot varies the step itself; --set tran="),
        (["--over", "tran=1,2"], "the plot varies the step itself; --set tran="),
        (["--over", "INTEGRATOR=RK4", "--against", "other/other.npz"], "another mechanism"),
        (["--over", "INTEGRATOR=RK4", "--example", "watt"], "give one chainlist"),
    ],
)
def test_what_cannot_be_compared(folder, words, said):
    status, out, err = run("compare", "a.chain", "--no-plot", *words, cwd=folder, COLUMNS="200")
    assert (status, out) == (2, "") and said in err


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        ("moon/l.npz", "moon/l.npz was run with gravity=1.62; give --set gravity=1.62"),
        ("long/l.npz", "long/l.npz was run with L=2; give --param L=2"),
        ("heavy/a.npz", "heavy/a.npz is of another mechanism: B1 has 2 kg in it, 1 kg in the chainlist"),
        ("long/l.csv", "long/l.csv begins elsewhere: B1 is at (2,0) in it, at (1,0) in the chainlist"),
    ],
)
def test_a_trace_of_another_motion_is_refused(folder, trace, said):
    words = ["compare", "l.chain", "--over", "INTEGRATOR=RK4", "--no-plot", "--json", "--against", trace]
    status, out, err = run(*words, cwd=folder, COLUMNS="200")
    assert (status, out) == (2, "") and said in err
    if "give" in said:
        status, out, _ = run(*words, *said.split("; give ")[1].split(), cwd=folder)
        assert status == 0 and rows(out)["RK4"]["error"] == 0.0


def test_a_parameter_is_not_an_option(folder):
    status, _, err = run("compare", "l.chain", "--over", "L=1,2", cwd=folder, COLUMNS="200")
    assert status == 2 and "L is a parameter and changes the motion itself: use --param L=…" in err


def test_only_a_pendulum_has_an_exact_solution(folder):
    status, _, err = run(
        "compare", "--example", "watt", "--over", "INTEGRATOR=RK4", "--against", "exact", cwd=folder, COLUMNS="200"
    )
    assert status == 2 and "pendulum" in err


def test_of_runs_that_never_were_there_is_no_error(folder):
    """The ends of C2 lie in one place: no start is found, and the error that was shown was 0."""
    text = "* No start\nB1 (1,0) 1\nB2 (1,0) 1\nC1 (0,0) B1\nC2 B1 B2 LENGTH=3\nS1 B2 LINE(0,1,0)\n.tran 0 0.1 0.01\n"
    (folder / "none.chain").write_text(text)
    status, out, err = run("compare", "none.chain", "--over", "INTEGRATOR=RK4,DOP853", cwd=folder)
    assert status == 0, err
    assert [line.split()[2:6] for line in out.splitlines()[1:]] == [["nan"] * 4] * 2
