"""What a report says agrees with what was computed: energies of machines that rest or never start, and times."""

import math
import time
import types

import numpy as np
import pytest

import chainlist
from chainlist.analyses.base import run_analyses
from chainlist.analyses.compare import run_trial, tight_reference
from chainlist.kernels import slots
from chainlist.output.figures import figures, notes, report_data
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.run import runner
from chainlist.run.simulate import PREPARING, simulate
from chainlist.run.status import NO_START, breakdown
from tests.machines import rhombus

# A parallelogram on one line, its start a little beside its constraints: plain steps do not lead onto them.
FLAT = """* Flat
B1 (83.04,0) 1
B2 (249.12,0) 1 IC_POS=(249.1185353,0.000633)
C1 B1 (0,0)
C2 B1 B2
C3 B2 (166.08,0)
.tran 0 1 1ms
"""
TRUSS = (
    "* Truss\nB1 (0.1,0) 1\nB2 (1.1,0) 1\nC1 B1 (0,0)\nC2 B1 (0.2,0.1)\nC3 B2 B1\nC4 B2 (0.5,0.7)\n.tran 0 0.1 1ms\n"
)


def test_where_no_start_is_found_nothing_is_said_of_a_run_that_never_was():
    motion = chainlist.simulate(CRANK_WITHOUT_A_START)
    assert motion.status.code == NO_START and motion.report.steps == 0
    assert math.isnan(motion.report.energy_error) and math.isnan(motion.report.energy_error_relative)
    assert "energy" not in str(motion.report) and "energy error" not in dict(figures(motion))
    assert report_data(motion)["report"]["energy_error"] is None
    assert motion.q[0].tolist() == [[0.2, 0.0], [0.2, 0.0]]  # the start, as it was given
    assert motion.report.residual.value == pytest.approx(abs(motion.observe("PHI(C2)").curves[0].values[0]))


CRANK_WITHOUT_A_START = """* The ends of C2 lie in one place: no direction leads apart
B1 (20cm,0) 0.5
B2 (20cm,0) 1
C1 (0,0) B1
C2 B1 B2 LENGTH=0.6
S1 B2 LINE(0,1,0)
M1 C1 ANGLE={2*pi*time}
.tran 0 1 1ms
"""


def test_a_run_begins_wherever_the_check_finds_a_position():
    """No way leads there from the start: the run ended with "no way was found", though the check had been there."""
    text = "* Four bars\nB1 (0,1) 1\nB2 (2,1) 1\nC1 B1 (0,0) LENGTH=1\nC2 B1 B2 LENGTH=4.9\nC3 B2 (3,0) LENGTH=1\n"
    text += "M1 C1 SPEED=1\n.tran 0 10ms 1ms\n"
    motion = chainlist.simulate(text)
    (message,) = (one for one in motion.mechanism.diagnostics if one.code == "W304")
    assert "the run begins with one that was found elsewhere" in message.help
    assert motion.status.ok and motion.report.residual.value < 1e-9 and motion.report.start_moved[0] > 0.5


def test_where_no_start_is_found_nothing_was_done_and_nothing_is_redundant(monkeypatch):
    """The work put in was whatever lay in the memory, and a row that was never judged was called redundant."""
    dirty = types.SimpleNamespace(**{**vars(np), "empty": lambda shape: np.full(shape, 7.0)})
    monkeypatch.setattr(runner, "np", dirty)
    motion = chainlist.simulate(CRANK_WITHOUT_A_START)
    assert motion.status.code == NO_START
    assert motion.report.work == 0.0 and motion.report.dropped == ()


@pytest.mark.parametrize("integrator", ["RK4", "DOP853"])
def test_of_a_run_that_breaks_down_in_its_first_step_only_the_start_is_told(integrator):
    """It was said to be at rest, with an energy error of 0."""
    text = f"* Root\nB1 (1,0) 1\nF1 B1 ({{sqrt(X(B1)-1)/X(B1)}},{{1/VY(B1)}})\n.tran 0 1 1ms\n.options INTEGRATOR={integrator}\n"
    motion = chainlist.simulate(text)
    assert not motion.status.ok and len(motion.t) == 1
    assert math.isnan(motion.report.energy_error) and not motion.report.at_rest
    assert "energy error" not in str(motion.report) and "energy error" not in dict(figures(motion))


def test_a_start_near_a_singular_position_is_found():
    """The message promised the nearest state that fits; it lies where the rows just begin to depend on one another."""
    motion = chainlist.simulate(FLAT)
    (message,) = (one for one in motion.mechanism.diagnostics if one.code == "W304")
    assert "begins with the nearest state" in message.help and motion.status.code != NO_START
    assert motion.report.start_moved[0] < 2e-3
    assert max(abs(motion.observe(f"PHI({name})").curves[0].values[0]) for name in ("C1", "C2", "C3")) < 1e-9


@pytest.mark.parametrize("solver", ["GENCHOLESKY", "GREVILLE", "SVD", "CHOLESKY"])
def test_a_flat_start_ends_in_words_with_every_pseudoinverse(solver):
    for text in (FLAT, FLAT.replace("C3 B2 (166.08,0)", "C3 B2 (0,0)")):
        motion = chainlist.simulate(text, mpi_algo=solver, tran=(0, 0.02, 1e-3))
        assert motion.status.ok or motion.status.message


def test_springs_that_rest_where_nothing_weighs_are_at_rest():
    """What rounding moves has no energy that could be wrong; a nudge of a nanometre a second has."""
    text = "Rest\nB1 (0.6,0) 0\nB2 (0.9,0.4) 0\nR1 (0,0) B1 2\nR2 B1 B2 1\nK1 ANGLE(R1,R2) 5\nK2 ANGLE(R1) 3\n.options gravity=0\n"
    still = chainlist.simulate(text, tran=(0, 1, 1e-3)).report
    assert still.at_rest and still.warnings == ()
    pushed = chainlist.simulate(text.replace("B2 1\nK1", "B2 1 OMEGA=1e-9\nK1"), tran=(0, 1, 1e-3)).report
    assert not pushed.at_rest and pushed.energy_error_relative < 1e-4


def test_a_machine_at_rest_has_no_energy_error_worth_comparing():
    report = chainlist.simulate(TRUSS).report
    assert report.at_rest and report.energy_error_relative < 1e-15
    assert "at rest" in str(report) and "of the largest" not in str(report)
    moving = chainlist.simulate(TRUSS.replace("C4 B2 (0.5,0.7)\n", "")).report
    assert not moving.at_rest and "of the largest kinetic energy" in str(moving)


PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 10 {}\n.options {}\n"


@pytest.mark.parametrize(
    "step, options, cure",
    [
        ("0.15", "INTEGRATOR=RK4", "a smaller step, or INTEGRATOR=DOP853"),
        ("0.05", "DAESYSTEM=INDEX1 INTEGRATOR=RK4", "DAESYSTEM=PROJECTED, or a smaller step"),
        ("0.1", "INTEGRATOR=DOP853 RELTOL=0.01 ABSTOL=0.01", "a smaller RELTOL"),
    ],
)
def test_a_run_whose_energy_is_wrong_did_not_end_well(step, options, cure):
    motion = chainlist.simulate(PENDULUM.format(step, options))
    speed = motion.observe("SPEED(B1)").curves[0].values
    height = motion.observe("Y(B1)").curves[0].values
    wrong = abs(speed**2 / 2 + 9.81 * height).max()  # from rest at height 0
    assert motion.status.ok and wrong > 1e-3 * (speed**2).max() / 2
    (warning,) = (text for text in motion.report.warnings if "energy" in text)
    assert f"wrong by {wrong:.2g} J" in warning and warning.endswith(f"try {cure}")
    assert "well," not in dict(figures(motion))["ended"] and f"warning: {warning}" in notes(motion)
    assert warning in page(scene_of(motion, figures(motion), notes(motion)))


def test_a_run_whose_energy_is_nearly_right_is_not_suspected():
    motion = chainlist.simulate(PENDULUM.format("0.02", "INTEGRATOR=RK4"))
    assert 1e-8 < motion.report.energy_error_relative < 1e-3 and motion.report.warnings == ()
    assert dict(figures(motion))["ended"] == "well, at t = 10 s" and notes(motion) == []


def test_a_breakdown_does_not_advise_what_is_tried_already():
    for projected, said in ((True, "Try a smaller step"), (False, "Try a smaller step, or DAESYSTEM=PROJECTED")):
        assert breakdown(slots.NOT_FINITE, 1.0, "C1", projected=projected).remedy == said


def test_kernels_that_are_compiled_on_the_way_are_announced_and_no_part_of_the_motion(monkeypatch):
    ready, slow, told = set(), 1.0, []

    def make_ready(kernel, *arguments):
        ready.add(kernel)
        clock = time.perf_counter()
        time.sleep(slow)
        return time.perf_counter() - clock

    mechanism = rhombus(gravity=1.0, tran=(0.0, 2.5, 1e-3))
    simulate(mechanism)  # the true compilation, if there is one, is over
    monkeypatch.setattr(runner, "is_ready", ready.__contains__)
    monkeypatch.setattr(runner, "make_ready", make_ready)
    report = simulate(mechanism, progress=lambda part, what: told.append(what)).report
    assert len(ready) == 2  # the lean march, and on the way the careful one
    assert report.seconds_run < slow < 2 * slow <= report.seconds_prepare
    assert PREPARING in told[told.index("running") :]
    assert f"{report.seconds_run:.3g} s of motion, {report.seconds_prepare:.3g} s to prepare" in str(report)


def test_what_the_text_waits_for_in_vain_is_told():
    text = (
        "* Never\nB1 (1,0) 1\nB2 (2,0) 1\nC1 (0,0) B1 CUT={Y(B1)>3}\nC2 B1 B2 BREAK=1000\n"
        ".stop {Y(B1)<-5}\n.tran 0 0.5 1ms\n"
    )
    report = simulate(chainlist.parse(text)).report
    assert report.in_vain == ("C1 was never cut", ".stop: {Y(B1)<-5} did not come")
    assert "C1 was never cut" in str(report)
    assert simulate(chainlist.parse(text.replace("Y(B1)>3", "time>0.1").replace("<-5", "<-0.1"))).report.in_vain == ()


@pytest.mark.parametrize("first, samples", [(0.2, 1), (0.3, 0)])
def test_comparisons_show_what_the_report_shows(first, samples):
    """Of a run with one sample, not at its start, `compare` knew nothing; of one that ended before its first neither knows."""
    text = f"* Late\nB1 (1,0) 1\nF1 B1 ({{sqrt(0.2-time)}},0)\n.tran {first} 0.5 2ms\n"
    mechanism = chainlist.parse(text)
    motion = chainlist.simulate(mechanism)
    assert not motion.status.ok and len(motion.t) == samples and motion.report.moved == bool(samples)
    trial = run_trial(mechanism, {"INTEGRATOR": "RK4"}, tight_reference(mechanism))
    numbers = trial.error, trial.energy_error, trial.residual, trial.seconds
    assert [math.isfinite(number) for number in numbers] == [bool(samples)] * 4


def test_of_a_run_that_is_stopped_before_its_first_sample_no_energy_error_is_told():
    """It was said to be at rest."""
    report = chainlist.simulate("* Fall\nB1 (1,0) 1\n.tran 0.3 0.5 2ms\n.stop {Y(B1)<-0.1}\n").report
    assert report.samples == 0 and not report.at_rest and math.isnan(report.energy_error)

    run = chainlist.simulate(
        "* Fall\nB1 (1,0) 1\n.tran 0.3 0.5 2ms\n.stop {Y(B1)<-0.1}\n.poincare VY(B1)=-1 X(B1) Y(B1)\n.four X(B1)\n"
    )
    when = math.sqrt(0.2 / 9.81)
    assert run.end == pytest.approx(when) and run.stopped
    assert figures(run)[0] == ("ended", f"well, at t = {when:.6g} s, before the first sample: there is nothing to show")
    assert report_data(run)["status"]["time"] == pytest.approx(when)
    poincare, harmonics = (finding.result.figures()[0] for finding in run_analyses(run.mechanism, run))
    assert all(f"ended at t = {when:.6g} s, before it had two samples" in words for _, words in (poincare, harmonics))


MANY = """* A ball that bounces, links that are cut
B1 (0,1) 1
B2 (3,0) 1
B3 (6,0) 1
C1 B2 (3,1) CUT={time>1.3}
C2 B3 (6,1) CUT={time>4}
W1 B1 LINE(0,1,0) REST=0.8
.stop {Y(B2)<-50}
.tran 0 10 1ms
"""


def test_of_many_events_the_rare_ones_and_the_last_are_told():
    run = simulate(chainlist.parse(MANY))
    lines = dict(figures(run))["events"].splitlines()
    assert len(run.events) > 50 and len(lines) < 16
    for words in ("1.300000 s  C1 is cut", "4.000000 s  C2 is cut", "the run stops: {Y(B2)<-50}"):
        assert sum(words in line for line in lines) == 1, words
    assert lines == [*lines[:-2], str(run.events[-1]), lines[-1]] and lines[-1].startswith(f"({len(run.events)} in all")
    counted = [line for line in lines if line.startswith("…")]
    assert "hits" in counted[0] and sum(int(line.split()[1]) for line in counted) == len(run.events) - (len(lines) - 3)
    times = [float(line.split()[0]) for line in lines[:-1] if not line.startswith("…")]
    assert times == sorted(times)


def test_few_events_are_all_told():
    run = simulate(chainlist.parse(MANY.replace("0 10 1ms", "0 2 1ms")))
    assert dict(figures(run))["events"].splitlines() == [str(event) for event in run.events]


def test_a_cradle_that_swings_does_not_come_to_rest():
    from chainlist.examples import find

    run = simulate(chainlist.parse(find("newtons-cradle").text))
    assert {event.what for event in run.events} >= {"hits", "stays in touch"}
    assert "rest" not in dict(figures(run))["events"]
