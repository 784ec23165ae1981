"""Measures that are taken while a batch runs: those of single runs, to rounding."""

import numpy as np
import pytest

import chainlist
from chainlist.analyses.batches import run_chunk, why_not_batch
from chainlist.analyses.ensemble import prepare
from chainlist.analyses.gatherers import peaks
from chainlist.analyses.measure import FORMS, measures_of
from chainlist.analyses.members import member_of, run_members
from tests.analyses.texts import as_batch

DOUBLE = """* Double pendulum
.param a=100deg b=170deg
.func down(x)=-cos(x)
B1 (sin(a),down(a)) 1
B2 (sin(a)+sin(b),down(a)+down(b)) 1
C1 B1 (0,0)
C2 B1 B2
.options gravity=9.81
.tran 0 2.5 5ms
.meas top MAX Y(B2)
.meas least MIN X(B1) FROM=0.5 TO=1.25
.meas span PP SPEED(B2)
.meas down WHEN X(B1)=0
.meas second WHEN X(B1)=0 CROSS=2
.meas last WHEN Y(B2)=-1 FALL=LAST
.meas turned WHEN {abs(ANGLE(C2)-ANGLE(C1))>pi/2 and time>0.1}
.meas beyond WHEN {max(X(B2)-0.4,0)>0 and not Time<=0.2}
.meas drift MAX {abs(Etotal)}
.meas lift AVG U
.meas swing RMS OMEGA(C1)
.meas way INTEG SPEED(B1) FROM=0.25
.meas at FIND ANGLE(B1,B2) AT=0.777
.meas end FIND ANGLE(C2) AT=END
.meas then FIND DIST(B2,(0,0)) WHEN VY(B1)=0
.meas half TRIG VY(B2)=0 TARG VX(B2)=0
.meas period PERIOD X(B1)
.meas both PARAM {half/period+top}
.plot X(B1)
"""
NAMES = [line.split()[1] for line in DOUBLE.splitlines() if line.startswith(".meas")]


def work_of(text, **given):
    every = {"params": None, "masses": None, "q0": None, "v0": None, **given}
    return as_batch(
        prepare(text, every["params"], every["masses"], every["q0"], every["v0"], False, None, None, (), "measures", {})
    )


def differences(work):
    """By measure: the largest difference of the batch from single runs; members without a value have none in both."""
    batch, alone = run_chunk(work.task, 0, work.size), run_members(work.task, 0, range(work.size))
    found = {}
    for name in (name for name in alone if name != "status"):
        assert np.array_equal(np.isnan(batch[name]), np.isnan(alone[name])), name
        found[name] = np.nanmax(np.abs(batch[name] - alone[name]), initial=0.0)
    return found, batch


def test_every_form_of_measure_is_among_them():
    forms = {line.split()[2] for line in DOUBLE.splitlines() if line.startswith(".meas")}
    assert forms == set(FORMS)  # a new form has to be compared below


def test_every_measure_is_that_of_a_single_run():
    a, b = np.random.default_rng(3).uniform(-3, 3, (2, 24))[:, :12]
    work = work_of(DOUBLE, params={"a": a, "b": b})
    assert work.task.batch
    off, batch = differences(work)
    assert set(off) == set(NAMES) and batch["careful"].sum() == 0
    assert np.isfinite(batch["half"]).sum() > 5 and np.isnan(batch["second"]).sum() > 0  # both kinds are among them
    assert {name: x for name, x in off.items() if x > 1e-12} == {}


def test_samples_further_apart_than_steps():
    text = DOUBLE.replace(".tran 0 2.5 5ms", ".tran 0.1 1.5 2.5ms\n.options SAVE=10ms").replace("FROM=0.5", "FROM=0.6")
    off, _ = differences(work_of(text, params={"a": np.linspace(0.3, 2.9, 9)}))
    assert max(off.values()) < 1e-11


def test_masses_and_starts_of_bodies_reach_the_measures():
    text = "\n".join(line for line in DOUBLE.splitlines() if not line.startswith(".meas")) + "\n.meas e MAX Etotal\n"
    off, _ = differences(work_of(text, masses={"B2": np.array([0.5, 1.0, 7.0])}))
    assert off["e"] < 1e-12


def test_peaks_of_polynomials():
    from chainlist.analyses.between import PLACES

    assert peaks(np.array([3.0 - (PLACES - 0.3) ** 2]))[0] == pytest.approx(3.0, abs=1e-15)
    assert peaks(np.array([PLACES]))[0] == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("MAX TENSION(C1)", "forces"),
        ("MAX NORM(V(B1))", "a vector"),
        ("MAX X(B1) FROM=0.5012", "samples"),
        ("MAX AY(B1)", "forces"),
    ],
)
def test_what_a_batch_cannot_measure_is_run_one_by_one(card, why):
    mechanism = chainlist.parse(DOUBLE)
    assert why in why_not_batch(mechanism, measures_of(mechanism, (("more", card),)))
    found = chainlist.ensemble(mechanism, params={"a": [1.0, 2.0]}, measure={"more": card}, workers=1)
    assert np.isfinite(found["more"].values).all() and "careful" not in found


def test_anchors_that_move_and_places_that_do_not():
    text = """* Pendulum
.param x=1 L=2
B1 (x+1,1) 1
C1 B1 (x,1) LENGTH=1
.tran 0 1 10ms
.meas far MAX DIST(B1,(1,1))
.meas turned MAX ANGLE(C1)
"""
    off, batch = differences(work_of(text, params={"x": np.array([1.0, 1.5, 2.0])}))
    assert max(off.values()) < 1e-12 and "careful" not in batch
    off, batch = differences(work_of(text.replace(".meas far MAX DIST(B1,(1,1))\n", ""), params={"x": [1.0, 1.5, 2.0]}))
    assert max(off.values()) < 1e-12 and batch["careful"].sum() == 0


@pytest.mark.parametrize("chunk", [1, 2, 3])
def test_a_place_stays_where_it_is_though_the_anchors_of_a_whole_chunk_have_moved(chunk):
    text = "* P\n.param x=1\nB1 (x+1,1) 1\nC1 B1 (x,1) LENGTH=1\n.tran 0 1 10ms\n.meas far MAX DIST(B1,(1,1))\n"
    found = chainlist.ensemble(text, params={"x": [1.0, 1.5, 2.0]}, workers=1, chunk=chunk)
    assert found["far"].values == pytest.approx([1.0, 1.5, 2.0], abs=1e-9)  # it is farthest at its start


def test_a_measure_that_names_a_parameter_is_read_for_each_member():
    text = "* P\n.param L=1\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 1 10ms\n.meas low WHEN Y(B1)=-L/2\n"
    off, batch = differences(work_of(text, params={"L": np.array([1.0, 1.5])}))
    assert off["low"] < 1e-12 and batch["careful"].tolist() == [0, 1]


def test_a_choice_between_draws_is_that_of_single_runs():
    text = "* P\n.param a=uniform(0,2) p={if(a>1,gauss(5,0.1),gauss(2,0.1))}\nB1 (1,0) p\nC1 B1 (0,0)\n"
    work = work_of(text + ".tran 0 0.1 10ms\n.meas e MAX Etotal\n.mc 6 SEED=3\n")
    drawn = run_chunk(work.task, 0, work.size)["drawn p"]
    assert work.task.batch and (drawn > 4).any() and (drawn < 3).any()
    assert drawn.tolist() == [member_of(work.task, k, k).parameters["p"] for k in range(work.size)]
