"""Ensembles: every member is its own run; tables do not depend on who computed them, or in which order."""

import dataclasses
import itertools
import math
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import chainlist
from chainlist.analyses import workers as who
from chainlist.analyses.axes import plan_of
from chainlist.analyses.ensemble import dataset, prepare, run_work
from chainlist.analyses.series import Decades, evenly
from chainlist.analyses.sweep import Sweep
from chainlist.analyses.tables import Store
from chainlist.compile.read import changed
from chainlist.model.chance import Draw
from chainlist.model.mechanism import Changes
from chainlist.run.grid import RunRefused
from chainlist.syntax.errors import ChainlistError
from tests.command import run
from tests.work import lines_run

TEXT = """* Double pendulum
.param L=1 m=1 phi=90deg
B1 (L*sin(phi),-L*cos(phi)) 1
B2 (L*sin(phi)+1,-L*cos(phi)) m
C1 B1 (0,0)
C2 B1 B2
.options gravity=9.81
.tran 0 0.5 5ms
.meas top MAX Y(B2)
.meas first WHEN Y(B2)=-0.3
.plot X(B1)
"""
CHANCE = TEXT.replace("L=1 m=1", "L=gauss(1,0.05) m=uniform(0.5,2)+tol(1,10)") + ".mc 40 SEED=7\n"


def test_each_member_equals_its_own_run():
    members = 25
    lengths, gravity = np.linspace(0.5, 1.5, members), np.linspace(1, 20, members)
    found = chainlist.ensemble(
        TEXT, params={"L": lengths, "gravity": gravity}, measure=["PP X(B2)"], keep="end", workers=1
    )
    assert found.sizes["member"] == members
    for k in (0, 7, 24):
        run = chainlist.simulate(TEXT, params={"L": lengths[k]}, gravity=gravity[k])
        assert max(np.abs(found[x].values[k] - getattr(run, x)[-1]).max() for x in "qv") < 1e-12
        assert found["top"].values[k] == pytest.approx(chainlist.measure(run, "MAX Y(B2)"), abs=1e-12)
        assert found["PP X(B2)"].values[k] == pytest.approx(chainlist.measure(run, "PP X(B2)"), abs=1e-12)


def test_values_of_members_may_be_texts_with_units():
    found = chainlist.ensemble(TEXT, params={"L": ["50cm", "1"]}, masses={"B2": ["500g", "2kg"]}, workers=1)
    same = chainlist.ensemble(TEXT, params={"L": [0.5, 1.0]}, masses={"B2": [0.5, 2.0]}, workers=1)
    assert found["L"].values.tolist() == [0.5, 1.0] and found["top"].values.tolist() == same["top"].values.tolist()
    texts = np.array(["50cm", 1], dtype=object)
    assert chainlist.ensemble(TEXT, params={"L": texts}, workers=1)["L"].values.tolist() == [0.5, 1.0]
    for kind, rows in (("masses", ["500mm"]), ("q0", [["1kg", "0"]]), ("v0", [["1cm", "0"]])):
        with pytest.raises(ChainlistError, match="is wanted here"):
            chainlist.ensemble(TEXT, **{kind: {"B2": rows}}, workers=1)
    with pytest.raises(ChainlistError, match="there is no unit feet"):
        chainlist.ensemble(TEXT, params={"L": ["1feet"]}, workers=1)


def test_masses_and_starts_of_members():
    rng = np.random.default_rng(1)
    masses, speeds = rng.uniform(1, 3, 6), rng.normal(size=(6, 2))
    found = chainlist.ensemble(TEXT, masses={"B2": masses}, v0={"B2": speeds}, keep=0.1, workers=1)
    assert found["q"].dims == ("member", "time", "body", "axis") and found.sizes["time"] == 6
    text = TEXT.replace("m=1 ", f"m={masses[3]!r} ".replace("np.float64(", "").replace(")", "")).replace(
        "-L*cos(phi)) m", f"-L*cos(phi)) m IC_VEL=({float(speeds[3, 0])!r},{float(speeds[3, 1])!r})"
    )
    run = chainlist.simulate(text, save=0.1)
    assert np.abs(found["q"].values[3] - run.q).max() < 1e-12


def test_axes_nest_the_first_one_innermost():
    text = TEXT + ".step L 0.8 1.2 0.2\n.step gravity LIST 5 9.81\n"
    found = chainlist.ensemble(text, workers=1)
    assert found["top"].dims == ("gravity", "L") and found["L"].values.tolist() == [0.8, 1.0, 1.2]
    alone = chainlist.measure(chainlist.simulate(TEXT, params={"L": 1.2}, gravity=5), "WHEN Y(B2)=-0.3")
    assert found["first"].sel(L=1.2, gravity=5).item() == alone
    combined = chainlist.ensemble(TEXT, params={"gravity": [5, 9.81], "L": [0.8, 1.0, 1.2]}, product=True, workers=1)
    assert np.array_equal(combined["first"].values, found["first"].values)


def test_values_of_axes_are_decimal():
    assert evenly(0.5, 1.5, 0.1)[3] == 0.8 and len(evenly(0, 1, 0.1)) == 11
    assert evenly(2, 1, -0.5)[:] == (2.0, 1.5, 1.0) and evenly(0, 1, 0.3)[-1] == 0.9
    for degrees, by in ((150, 15), (30, 10), (90, 7.5), (180, 20)):  # radians are rounded, 0 is not
        angles = evenly(-math.radians(degrees), math.radians(degrees), math.radians(by))
        assert angles[len(angles) // 2] == 0.0 and angles[-1] == math.radians(degrees)
        assert np.degrees(angles) == pytest.approx(np.arange(-degrees, degrees + by / 2, by), abs=1e-12)
    assert (*evenly(1e-15, 2, 1),) == (1e-15, 1.000000000000001, 2.0)  # what was written stays
    assert Decades(2, 0.1, 10)[-1] == 10 and len(Decades(10, 1, 1000)) == 31


@pytest.mark.parametrize("step", ["1 1000000 1", "DEC 100000 1 1E10"])
def test_a_million_values_are_read_at_once(step):
    text = f"* Many\nB1 (a,0) 1\nC1 B1 (0,0)\n.param a=1\n.step a {step}\n"
    assert lines_run(lambda: plan_of(chainlist.parse(text))) < 100_000
    plan = plan_of(chainlist.parse(text))
    assert plan.size >= 1_000_000
    assert plan.varied(plan.size - 2, 2).params["a"].tolist() == [
        plan.changes(plan.size - k).params["a"] for k in (2, 1)
    ]


def test_draws_follow_from_seed_member_and_name_alone():
    found = chainlist.ensemble(CHANCE, workers=1)
    again = chainlist.ensemble(CHANCE.replace("L=gauss", "extra=uniform(0,1) L=gauss"), workers=1)
    assert np.array_equal(found["L"].values, again["L"].values)
    other = chainlist.ensemble(CHANCE.replace("SEED=7", "SEED=8"), workers=1)
    assert not (found["L"].values == other["L"].values).any()
    longer = chainlist.ensemble(CHANCE.replace(".mc 40", ".mc 60"), workers=1)
    assert np.array_equal(longer["top"].values[:40], found["top"].values)
    # without .mc a distribution is its mean
    assert chainlist.parse(CHANCE).parameters == pytest.approx({"L": 1.0, "m": 2.25, "phi": math.pi / 2})


def test_distributions_have_their_moments():
    from chainlist.model.chance import DISTRIBUTIONS, Draw

    u = np.array([Draw(5, k).uniform("x", 0) for k in range(20_000)])
    assert 0.0 < u.min() and u.max() < 1.0
    assert u.mean() == pytest.approx(0.5, abs=0.01) and u.var() == pytest.approx(1 / 12, rel=0.03)
    assert abs(np.corrcoef(u[1:], u[:-1])[0, 1]) < 0.03
    normal = np.array([DISTRIBUTIONS["gauss"].at(x, 2.0, 0.5) for x in u])
    assert normal.mean() == pytest.approx(2.0, abs=0.02) and normal.std() == pytest.approx(0.5, rel=0.03)
    toleranced = [DISTRIBUTIONS["tol"].at(x, 100.0, 5.0) for x in u]
    assert 95.0 <= min(toleranced) < 95.1 and 104.9 < max(toleranced) <= 105.0


def table(**how):
    work = prepare(CHANCE, None, None, None, None, False, None, None, (), "measures", {})
    return dataset(work, run_work(work, **how))


def test_the_same_table_with_one_and_two_processes_and_any_chunks():
    one = table(workers=1, chunk=7)
    two = table(workers=2, chunk=5)
    assert one.identical(two)


def test_a_sweep_goes_on_where_its_store_was_left(tmp_path):
    store = tmp_path / "out.zarr"
    seen = []
    table(workers=1, chunk=8, store=store, progress=lambda part, what: seen.append(part), cancel=lambda: len(seen) >= 2)
    import xarray

    partial = xarray.open_zarr(store, consolidated=False)
    assert (partial["status"].values == 0).sum() == 16  # readable while it comes
    done = []
    whole = table(workers=1, store=store, resume=True, progress=lambda part, what: done.append(what))
    assert len(done) == 3  # the other three chunks
    assert whole.identical(table(workers=1))
    with pytest.raises(RunRefused, match="exists"):
        table(workers=1, store=store)
    other = prepare(TEXT + ".mc 3\n", None, None, None, None, False, None, None, (), "measures", {})
    with pytest.raises(RunRefused, match="another sweep"):
        run_work(other, workers=1, store=store, resume=True)


@pytest.mark.long
def test_a_killed_process_loses_nothing():
    work = prepare(CHANCE, None, None, None, None, False, None, None, (), "measures", {})
    chunks = [(k, 4) for k in range(0, 40, 4)]
    found, killed = {}, False
    for (first, _), columns in who.in_processes(work.task, chunks, 2):
        found[first] = columns
        if not killed:
            killed = True
            victims = subprocess.run(
                ["pgrep", "-P", str(os.getpid()), "-f", "spawn_main"], capture_output=True, text=True
            )
            os.kill(int(victims.stdout.split()[0]), signal.SIGKILL)
    assert sorted(found) == [first for first, _ in chunks]
    tops = np.concatenate([found[first]["top"] for first in sorted(found)])
    assert np.array_equal(tops, table(workers=1)["top"].values)


SCRIPT = """
import chainlist
print("begun")
text = "* P\\n.param m=1\\nB1 (1,0) m\\nC1 B1 (0,0)\\n.tran 0 0.1 1e-2\\n.plot Time\\n.meas low MIN Y(B1)\\n"
print(len(chainlist.ensemble(text, params={"m": [1, 2, 3, 4]}, keep="measures", workers=2)["low"]))
"""


@pytest.mark.parametrize("from_file", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_script_without_a_main_block_is_run_once(tmp_path, from_file):
    """Processes are started anew, and would run the script again from the top; one from standard input has no file at all."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    words, given = ([str(script)], None) if from_file else (["-"], SCRIPT)
    done = subprocess.run([sys.executable, *words], input=given, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["begun", "4"], done.stderr


def test_members_that_cannot_be_are_counted():
    found = chainlist.ensemble(TEXT, params={"m": [1.0, -1.0, 2.0]}, workers=1)
    assert found["status"].values.tolist() == [0, 2, 0]
    assert np.isnan(found["top"].values[1]) and found.attrs["well"] == 2


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (
            {"params": {"nothing": [1]}},
            ChainlistError,
            "no parameter nothing\n.*\n.*\n.*\n.*\n.*parameters of this chainlist: L, m, phi",
        ),
        ({"params": {"M2": [1], "LL": [1]}}, ChainlistError, "no parameter LL(\n.*)*did you mean L\\?"),
        ({"measures": ["MAX Y(B1)"]}, ChainlistError, "no option measures(\n.*)*did you mean measure=\\?"),
        ({"masses": {"b1": [1.0]}}, ChainlistError, "b1 is no point mass.*(\n.*)*did you mean B1\\?"),
        ({"params": {"L": [1, 2], "m": [1]}}, ValueError, "one length"),
        ({"masses": {"Crank": [1.0]}}, ChainlistError, "Crank is no point mass.*(\n.*)*point masses here: B1, B2"),
        ({"q0": {"B1": [1.0, 2.0]}}, ValueError, "is wanted"),
        ({"keep": "all"}, ValueError, "keep is"),
    ],
)
def test_what_makes_no_sense_is_refused(given, error, words):
    with pytest.raises(error, match=words):
        chainlist.ensemble(TEXT, workers=1, **given)


def test_an_ensemble_of_nothing_given_has_one_member():
    found = chainlist.ensemble(TEXT, params={}, workers=1)
    assert found["status"].shape == () and found.attrs["well"] == 1


@pytest.mark.parametrize("entry", [chainlist.simulate, chainlist.equilibrium, chainlist.modes, chainlist.lyapunov])
def test_what_is_unknown_is_told_with_what_is_near(entry):
    with pytest.raises(ChainlistError, match=r"no parameter LL(\n.*)*did you mean L\?"):
        entry(TEXT, params={"LL": 1})
    with pytest.raises(ChainlistError, match=r"no option gravty(\n.*)*did you mean gravity\?"):
        entry(TEXT, gravty=1)
    with pytest.raises(ChainlistError, match=r"for several runs chainlist\.ensemble\("):
        entry(TEXT, params={"L": [1, 2]})


def test_equilibria_take_settings_and_texts_as_runs_do():
    found = chainlist.equilibrium(TEXT, params={"L": "50cm"}, gravity=2.0)
    assert found.mechanism.parameters["L"] == 0.5 and found.mechanism.options.gravity == 2.0


def test_a_store_keeps_the_order_of_its_columns(tmp_path):
    """However its folder lists them: among eight names the order of creation is no accident."""
    names = ["status", *"hbfdgaec"]
    store = Store(tmp_path / "s.zarr", 3, 3, "mark", resume=False)
    store.write(0, {name: np.arange(3.0) for name in names[1:]} | {"status": np.zeros(3, np.int8)})
    assert list(store.columns()) == names
    assert list(Store(tmp_path / "s.zarr", 3, 3, "mark", resume=True).columns()) == names
    for kept in ([], ["status", "h", "not-there"]):
        store._group.attrs["columns"] = kept
        assert set(Store(tmp_path / "s.zarr", 3, 3, "mark", resume=True).columns()) == set(names)


def test_the_command_writes_a_table_and_a_heat_map_and_resumes(tmp_path):
    path = tmp_path / "double.chain"
    path.write_text(TEXT + ".step L 0.8 1.2 0.2\n.step m DEC 1 1 10\n", encoding="utf-8")
    command = ["sweep", path, "--workers", "1", "--store", tmp_path / "s.zarr"]
    status, _, err = run(*command)
    assert status == 0, err
    lines = (tmp_path / "double.out/sweep.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "m,L,status,top,first" and len(lines) == 7
    assert (tmp_path / "double.out/sweep-top.png").stat().st_size > 2_000
    status, _, err = run(*command, "--resume")
    assert status == 0 and "6 (L: 3 values, m: 2 values)" in err
    status, _, err = run(*command)
    assert status == 2 and "exists" in err


def test_a_plan_names_its_dimensions():
    plan = plan_of(chainlist.parse(CHANCE + ".step phi LIST 1 2 3\n"))
    assert plan.dims == ("member", "phi") and plan.shape == (40, 3)
    assert plan.changes(5).params == {"phi": 3.0} and plan.changes(5).draw.member == 1


@pytest.mark.parametrize(
    "name, keep", [("status", "measures"), ("careful", "measures"), ("L", "measures"), ("q", "end")]
)
def test_a_measure_does_not_hide_another_column(name, keep):
    with pytest.raises(RunRefused, match=f"cannot be called {name}"):
        chainlist.ensemble(TEXT, params={"L": [1.0]}, measure={name: "MAX Y(B1)"}, keep=keep, workers=1)


def test_a_store_belongs_to_the_plug_ins_of_its_sweep():
    work = prepare(TEXT, {"L": [1.0]}, None, None, None, False, None, None, (), "measures", {})
    other = dataclasses.replace(work, task=dataclasses.replace(work.task, plugins=(("a.py", "x = 1"),)))
    assert work.mark != other.mark


@pytest.mark.parametrize("name", ["v", "q", "t", "time", "body"])
def test_a_measure_may_have_any_name_where_no_states_are_kept(name):
    table = chainlist.ensemble(TEXT + f".meas {name} FIND SPEED(B1) AT=0.5\n.step L LIST 1 1.2\n", workers=1)
    assert table[name].dims == ("L",) and np.isfinite(table[name].values).all()
    assert table[name].attrs["units"] == "m/s"


def test_instances_of_a_submachine_draw_for_themselves():
    """A parameter inside is one for each instance; no other draw changes by it, and there is no note of nothing random."""
    arm = ".submachine Arm BA, (x0,y0)\n.param m=gauss(1,0.2)\nBA (x0+1,y0) m\nC1 BA (x0,y0)\n.end\n"
    text = f"* Two arms\n{arm}X1 Arm B1 (0,0)\nX2 Arm B2 (5,0)\n.tran 0 0.1 1E-2\n.meas low MIN U\n.mc 6 SEED=3\n"
    assert not {"N207", "W101"} & {d.code for d in chainlist.parse(text).diagnostics}
    members = [changed(text, Changes(draw=Draw(3, k))) for k in range(6)]
    masses = np.array([[body.mass for body in one.bodies] for one in members])
    assert len(set(masses.ravel())) == 12 and abs(masses.mean() - 1.0) < 0.2
    alone = changed(text.replace("X2 Arm B2 (5,0)\n", ""), Changes(draw=Draw(3, 4)))
    assert alone.bodies[0].mass == masses[4, 0]
    found = chainlist.ensemble(text, workers=1)["low"].values
    assert found.tolist() == [chainlist.measure(one, "MIN U") for one in members]


def test_runs_that_no_stop_ended_are_told():
    """Their end is that of .tran: a range taken there is no range."""
    text = "* Fall\n.param a=1\nB1 (1,0) 1\nC1 B1 (0,0)\n.stop {X(B1)<a}\n"
    text += ".tran 0 0.5 1ms\n.meas e FIND X(B1) AT=END\n.step a LIST 0.9 0.5 -0.5\n"
    table = chainlist.ensemble(text)
    assert table["status"].values.tolist() == [0, 0, 4] and table.attrs["well"] == 3
    assert table["e"].values[:2] == pytest.approx([0.9, 0.5], rel=1e-9)
    told = dict(Sweep.of(changed(text, Changes()), table).figures())
    assert told["  went on"] == "1, the first at a=-0.5: no .stop came; their numbers are of the whole time"


@pytest.mark.parametrize(("tick", "others"), [(0.0, []), (10.0, [(1, 1), (2, 1)])])
def test_processes_begin_only_where_they_would_be_done_sooner(monkeypatch, tick, others):
    """Of what a machine with events costs nothing is known: the first members of a few are run here, and looked at."""
    begun = []

    def in_processes(task, chunks, workers):
        begun.extend(chunks)
        return who.here(task, chunks)

    monkeypatch.setattr(who, "in_processes", in_processes)
    monkeypatch.setattr(who, "monotonic", (tick * n for n in itertools.count()).__next__)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    text = "* Fall\n.param a=1\nB1 (1,0) 1\nC1 B1 (0,0)\n.stop {X(B1)<a}\n.tran 0 0.5 1ms\n.meas e FIND X(B1) AT=END\n"
    table = chainlist.ensemble(text, params={"a": [0.9, 0.5, 0.7]})
    assert begun == others and table["e"].values == pytest.approx([0.9, 0.5, 0.7], rel=1e-9)
    chainlist.ensemble(text, params={"a": [0.9, 0.5]}, workers=2)
    assert begun[len(others) :] == [(0, 1), (1, 1)], "whoever names a number of workers gets them"


def test_several_values_of_a_parameter_given_as_an_option_lead_to_params():
    text = "* Fall\n.param a=1\nB1 (a,0) 1\nC1 B1 (0,0)\n.tran 0 0.1 1ms\n.meas e FIND X(B1) AT=END\n"
    with pytest.raises(ChainlistError) as told:
        chainlist.ensemble(text, a=[1.0, 2.0])
    assert told.value.diagnostics[0].help == 'a is a parameter: write params={"a": …}'
    assert chainlist.ensemble(text, params={"a": [1.0, 2.0]}).sizes == {"member": 2}
    status, _, err = run("run", "-", "--no-plots", "--param", "a=[1, 2]", stdin=text.encode())
    assert status and 'chainlist sweep --step "a LIST 1 2"' in " ".join(err.replace("│", " ").split())


def test_a_value_from_outside_of_what_is_stepped():
    """No run would have it. Where the numbers come from Python, .step counts for nothing, and the value does."""
    text = "* T\n.param a=1 m=1\nB1 (a,0) m\nC1 B1 (0,0)\n.tran 0 0.01 1ms\n.step a 1 2 0.5\n.meas l MAX X(B1)\n"
    with pytest.raises(chainlist.ChainlistError, match="a is stepped in the text"):
        chainlist.ensemble(chainlist.parse(text, params={"A": 3.0}), workers=1)
    found = chainlist.ensemble(chainlist.parse(text, params={"a": 3.0}), params={"m": [1.0, 2.0]}, workers=1)
    assert found["l"].values.tolist() == [3.0, 3.0]
