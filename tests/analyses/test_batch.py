"""Batches of straight code: every member is its own run, and those that need care get it."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.analyses.batches import run_chunk
from chainlist.analyses.ensemble import prepare
from chainlist.analyses.members import BROKE_DOWN, DOUBTFUL, run_members
from chainlist.compile.straight import can_be_straight, trace
from chainlist.compile.system import assemble
from chainlist.kernels.symbols import Graph, NotOrdinary
from tests.analyses.texts import as_batch
from tests.some import some

DOUBLE = """* Double pendulum
.param L=1
B1 (L,0) 1
B2 (L+1,0) 1
C1 B1 (0,0)
C2 B1 B2
.options gravity=9.81
.tran 0 0.3 1ms
.plot X(B1)
"""
FOUR_BAR = """* Four-bar
B1 (0,1) 1 IC_VEL=(3,0)
B2 (2,1.5) 2
C1 B1 (0,0)
C2 B1 B2
C3 B2 (2.5,0)
.options gravity=9.81
.tran 0 0.3 1ms
.plot X(B1)
"""
CRANK = """* Slider-crank
B1 (0.3,0.4) 1
B2 (1.5,0) 1
C1 B1 (0,0)
C2 B1 B2
S1 B2 LINE(0,1,0)
.options gravity=9.81
.tran 0 0.3 1ms
.plot X(B1)
"""


def double_pendulums(count, seed=1):
    a, b = np.random.default_rng(seed).uniform(-3, 3, (2, count))
    first = np.stack([np.sin(a), -np.cos(a)], axis=1)
    return {"B1": first, "B2": first + np.stack([np.sin(b), -np.cos(b)], axis=1)}


def work_of(text, **given):
    every = {"params": None, "masses": None, "q0": None, "v0": None, **given}
    return as_batch(
        prepare(text, every["params"], every["masses"], every["q0"], every["v0"], False, None, None, (), "end", {})
    )


def furthest(work, places):
    """The largest difference of the batch from the single-run engine, and how many members needed care."""
    batch = run_chunk(work.task, 0, work.size)
    alone = run_members(work.task, 0, places)
    off = [np.abs(batch[name][places] - alone[name]).max() for name in ("q", "v")]
    return max(off), int(batch["careful"].sum())


def test_double_pendulums_equal_their_own_runs():
    count = 1000
    masses = np.random.default_rng(2).uniform(0.5, 2, count)
    work = work_of(DOUBLE, q0=double_pendulums(count), masses={"B2": masses})
    assert work.task.batch
    off, careful = furthest(work, list(range(0, count, 40)))
    assert off < 1e-12 and careful == 0


@pytest.mark.long
def test_each_of_a_thousand_members_equals_its_own_run():
    work = work_of(DOUBLE.replace("0.3 1ms", "1 1ms"), q0=double_pendulums(1000))
    off, careful = furthest(work, list(range(1000)))
    assert off < 1e-12 and careful < 20


@pytest.mark.parametrize("text", [FOUR_BAR, CRANK], ids=["four-bar", "slider-crank"])
def test_parameters_and_settings_reach_the_members(text):
    gravity = np.linspace(1, 20, 8)
    off, careful = furthest(work_of(text, params={"gravity": gravity}), list(range(8)))
    assert off < 1e-12 and careful == 0


def test_lengths_of_members():
    lengths = np.linspace(0.5, 1.5, 9)
    off, careful = furthest(work_of(DOUBLE, params={"L": lengths}), list(range(9)))
    assert off < 1e-12 and careful == 0


@pytest.mark.parametrize("method", ["EULER", "HEUN", "MIDPOINT", "SSPRK3"])
def test_every_explicit_method_is_traced(method):
    text = DOUBLE + f".options INTEGRATOR={method}\n"
    off, _ = furthest(work_of(text, q0=double_pendulums(4)), list(range(4)))
    assert off < 1e-12


def test_coarse_steps_take_two_corrections_and_uneven_ends_a_shorter_step():
    text = DOUBLE.replace("0.3 1ms", "0.303 10ms")
    off, careful = furthest(work_of(text, q0=double_pendulums(6)), list(range(6)))
    assert off < 1e-12 and careful < 3


def test_a_start_that_does_not_fit_and_a_singular_passage_are_run_with_care():
    # a parallelogram that turns through its flat position, where branches meet
    flat = "* Flat\nB1 (0,1) 1 IC_VEL=(3,0)\nB2 (2,1) 1 IC_VEL=(3,0)\nC1 B1 (0,0)\nC2 B1 B2\nC3 B2 (2,0)\n.tran 0 1 1ms\n.plot X(B1)\n"
    off, careful = furthest(work_of(flat, masses={"B2": np.array([1.0, 2.0])}), [0, 1])
    assert careful == 2 and off == 0.0
    places = {"B1": np.array([[1.0, 0.0], [1.1, 0.0]]), "B2": np.array([[2.0, 0.0], [2.1, 0.0]])}
    off, careful = furthest(work_of(DOUBLE, q0=places), [0, 1])
    assert careful == 1 and off < 1e-12


def test_members_of_another_structure_are_run_with_care():
    text = DOUBLE.replace("L=1", "L=1 x=1").replace("C1 B1 (0,0)", "C1 B1 (x-1,0)")
    off, careful = furthest(work_of(text, params={"x": np.array([1.0, 1.2, 1.4])}), [0, 1, 2])
    assert careful == 2 and off < 1e-12


def test_samples_of_a_batch():
    places = double_pendulums(100)
    found = chainlist.ensemble(DOUBLE, q0=places, keep=0.1, workers=1)
    assert found["q"].dims == ("member", "time", "body", "axis") and found["time"].values.tolist() == [0, 0.1, 0.2, 0.3]
    start = np.stack([places["B1"], places["B2"]], axis=1)
    assert np.abs(found["q"].values[:, 0] - start).max() < 1e-15
    assert found.attrs["careful"] == 0


def test_a_batch_does_not_depend_on_its_chunks_or_processes():
    places = double_pendulums(103)
    one = chainlist.ensemble(DOUBLE, q0=places, keep="end", workers=1)
    two = chainlist.ensemble(DOUBLE, q0=places, keep="end", workers=2, chunk=17)
    assert one.identical(two) and one.attrs["way"] == "as a batch"


EQUAL_RODS = """* Slider-crank with equal rods, which passes its dead points
.param a=60deg
B1 (cos(a),sin(a)) 1
B2 (2*cos(a),0) 1
C1 B1 (0,0)
C2 B1 B2
S1 B2 LINE(0,1,0)
.tran 0 1 4ms
.meas x FIND X(B2) AT=END
.meas y FIND Y(B1) AT=0.5s
.meas two PARAM {2*x}
.meas one PARAM {1}
"""


def test_members_that_need_care_have_all_measures():
    """Columns may be views of one another, or of a single number."""
    work = work_of(EQUAL_RODS, params={"a": np.radians([20.0, 40.0, 60.0])})
    batch, alone = run_chunk(work.task, 0, 3), run_members(work.task, 0, range(3))
    assert batch["careful"].any()
    for name in ("x", "y", "two", "one"):
        assert batch[name] == pytest.approx(alone[name], abs=1e-12)


def test_a_member_whose_energy_is_wrong_is_doubtful_in_a_batch_as_alone():
    text = DOUBLE.replace("0.3 1ms", "4 40ms").replace("(L,0)", "(L,0.5)") + ".meas fast MAX SPEED(B2)\n"
    work = work_of(text, params={"L": np.linspace(0.3, 2.0, 24)})
    batch, alone = run_chunk(work.task, 0, 24), run_members(work.task, 0, range(24))
    assert batch["status"].tolist() == alone["status"].tolist() and 0 < (batch["status"] == DOUBTFUL).sum() < 24
    kept = [chainlist.simulate(text, params={"L": float(L)}).report.keeps_energy for L in np.linspace(0.3, 2.0, 24)]
    assert kept == (batch["status"] == 0).tolist()


@pytest.mark.parametrize("tran", ["0 4 40ms", "3.8 4 40ms\n.meas fast MAX SPEED(B2)"])
def test_the_energy_of_the_start_counts_whatever_is_kept(tran):
    """Also where it is no sample, and where only the end is kept: then a few members are not found."""
    text = DOUBLE.replace(".tran 0 0.3 1ms", f".tran {tran}").replace("(L,0)", "(L,0.5)")
    work = work_of(text, params={"L": np.linspace(0.3, 2.0, 24)})
    batch = run_chunk(work.task, 0, 24)["status"] == DOUBTFUL
    alone = run_members(work.task, 0, range(24))["status"] == DOUBTFUL
    assert not (batch & ~alone).any()
    assert 0.7 * alone.sum() <= batch.sum() < 24


def test_a_run_that_broke_down_has_no_measures():
    text = "* Spring\nB1 (1,0) 1\nK1 (0,0) B1 k\n.param k=50\n.tran 0 5 60ms\n.meas v MAX SPEED(B1)\n.meas two PARAM {2*v}\n"
    table = chainlist.ensemble(text, params={"k": [50.0, 9000.0]}, workers=1)
    assert table["status"].values[1] == BROKE_DOWN
    assert np.isfinite(table["v"].values[0]) and np.isnan([table["v"].values[1], table["two"].values[1]]).all()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (".options INTEGRATOR=DOP853", "fixed step"),
        ("K1 B1 (0,1) 5", "under gravity"),
        (".options DAESYSTEM=INDEX1", "PROJECTED"),
        ("B3 (5,5) 1\nC3 B3 (4,5)", "one machine"),
    ],
)
def test_what_cannot_be_straight_is_run_one_by_one(more, why):
    mechanism = chainlist.parse(DOUBLE + more + "\n")
    assert why in can_be_straight(assemble(mechanism))
    found = chainlist.ensemble(mechanism, masses={"B2": [1.0, 2.0]}, keep="end", workers=1)
    assert found["status"].values.tolist() == [0, 0] and "careful" not in found


def test_a_free_body_is_no_batch_since_nothing_holds_it():
    free = "* Thrown\nB1 (0,0) 1 IC_VEL=(3,3)\n.tran 0 1 1ms\n.plot X(B1)\n"
    assert "with 1 to" in can_be_straight(assemble(chainlist.parse(free)))
    assert "no .stop" in can_be_straight(assemble(chainlist.parse(free + ".stop {Y(B1)<-1}\n")))


def test_a_branch_without_an_answer_stops_the_generation():
    graph = Graph()
    with pytest.raises(NotOrdinary, match="branches on a value"):
        bool(graph.node("input", "x") < 1.0)


def test_the_graph_of_a_pendulum_folds_what_is_zero():
    text = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n.plot X(B1)\n"
    straight = trace(assemble(chainlist.parse(text)), newton=1)
    assert not any(name.startswith("anchor") for name in straight.numbers)
    assert len(straight.graph.needed(list(straight.after))) < 250
    assert math.isfinite(len(straight.graph.guards))


CHAIN = (
    "* Chain\n"
    + "".join(f"B{i} ({i}.0,0) 1\n" for i in range(1, 17))
    + "C1 B1 (0,0)\n"
    + "".join(f"C{i} B{i - 1} B{i}\n" for i in range(2, 17))
    + ".tran 0 0.1 1ms\n.plot X(B1)\n"
)


CARDS = [(text, fits, same) for text, fits in ((FOUR_BAR, 999), (FOUR_BAR, 0), (CHAIN, 110)) for same in (True, False)]


@pytest.mark.parametrize(
    ("text", "fits", "same"), some(CARDS, lambda card: card[0] is FOUR_BAR and card[2] is (card[1] == 0))
)
def test_the_text_for_the_card_gives_the_same_numbers_on_the_host(tmp_path, text, fits, same):
    """The same CUDA C, compiled for this machine: what differs is only who runs it."""
    import ctypes
    import shutil
    import subprocess

    from chainlist.compile.straight import numbers_of
    from chainlist.kernels import print_cuda, print_llvm

    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    assembly = assemble(chainlist.parse(text))
    straight = trace(assembly, newton=1)
    parts = straight.graph, straight.state, straight.after, straight.numbers
    source, library = tmp_path / "step.cpp", tmp_path / "step.so"
    card = print_cuda.printed(*parts, fits=fits, room=20 if fits == 0 else print_cuda.ROOM)
    assert bool(card.shelves) == (fits < 999) and card.shared <= print_cuda.SHARED
    source.write_text(card.text, encoding="utf-8")
    command = [compiler, "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True, timeout=120)
    numbers = numbers_of(assembly, 1e-3)
    P = np.array([[numbers[name]] * 4 for name in straight.numbers])
    X = np.array([[numbers[name]] * 4 for name in straight.state]) + np.array([0.0, 1e-9, 2e-9, 3e-9])
    F, Y, G = np.ones(4, np.uint8), X.copy(), np.ones(4, np.uint8)
    print_llvm.Compiled(print_llvm.printed(*parts))(X, P, F, 100)
    march, own = ctypes.CDLL(str(library)).march, P[:, :1].copy() if same else P
    addresses = [ctypes.c_void_p(x.ctypes.data) for x in (Y, own, G)]
    march(*addresses, *(ctypes.c_longlong(n) for n in (4, own.shape[1], 100)))
    assert np.array_equal(X, Y) and np.array_equal(F, G) and np.isfinite(X).all()


def test_without_a_card_it_says_so():
    from chainlist.kernels.print_cuda import NoCard

    try:
        import cupy  # noqa: F401
    except ImportError:
        with pytest.raises(NoCard, match="CuPy"):
            chainlist.ensemble(DOUBLE, masses={"B2": [1.0]}, keep="end", device="gpu", workers=1)
    from chainlist.run.grid import RunRefused

    with pytest.raises(RunRefused, match="graphics card: the item of m1 needs forces"):
        chainlist.ensemble(DOUBLE, masses={"B2": [1.0]}, measure=["MAX TENSION(C1)"], device="gpu", workers=1)
    with pytest.raises(ValueError, match="device is"):
        chainlist.ensemble(DOUBLE, masses={"B2": [1.0]}, keep="end", device="tpu", workers=1)


def test_a_step_in_parts_gives_the_same_bits():
    from chainlist.compile.straight import numbers_of
    from chainlist.kernels import print_llvm

    assembly = assemble(chainlist.parse(FOUR_BAR))
    straight = trace(assembly, newton=1)
    parts = straight.graph, straight.state, straight.after, straight.numbers
    numbers = numbers_of(assembly, 1e-3)
    P = np.array([[numbers[name]] * 8 for name in straight.numbers])
    start = np.array([[numbers[name]] * 8 for name in straight.state]) + np.linspace(0, 1e-9, 8)
    found = []
    for longest in (10_000, 100):
        X, F = start.copy(), np.array([1, 1, 1, 0, 1, 1, 1, 1], np.uint8)
        text = print_llvm.printed(*parts, longest=longest)
        assert ("@part1" in text) == (longest == 100)
        print_llvm.Compiled(text)(X, P, F, 50)
        found.append((X, F))
    assert np.array_equal(found[0][0], found[1][0]) and np.array_equal(found[0][1], found[1][1])
