"""Run control: the grid in integers, samples, chunks, progress, cancel, breakdowns, sizes."""

import tracemalloc

import numpy as np
import pytest

import chainlist
from chainlist.compile.system import assemble
from chainlist.run.grid import RunRefused, make_grid
from chainlist.run.simulate import simulate
from chainlist.run.status import CANCELLED, NO_START
from tests.machines import chain, double_pendulum, lever, machine, rhombus


@pytest.mark.parametrize(
    ("start", "stop", "step", "save", "steps", "samples", "last"),
    [
        (0.0, 10.0, 1e-3, None, 10000, 10001, 1e-3),
        (0.0, 1.0, 0.3, None, 4, 5, 0.1),
        (0.5, 1.0, 0.1, None, 10, 6, 0.1),
        (0.55, 1.0, 0.1, None, 10, 5, 0.1),
        (0.0, 1.0, 0.1, 0.3, 10, 5, 0.1),
        (0.0, 0.05, 0.1, None, 1, 2, 0.05),
        (0.0, 125.0, 0.1, None, 1250, 1251, 0.1),
    ],
)
def test_grid(start, stop, step, save, steps, samples, last):
    grid = make_grid(start, stop, step, save)
    assert (grid.steps, grid.samples) == (steps, samples)
    assert grid.last_step == pytest.approx(last, rel=1e-12)
    times = grid.times
    assert times[-1] == stop and (np.diff(times) > 0).all() and times[0] >= start


def test_times_are_the_decimal_numbers_that_one_would_write():
    times = make_grid(0.0, 10.0, 1e-3, None).times
    assert [repr(float(t)) for t in times[:8]] == ["0.0", "0.001", "0.002", "0.003", "0.004", "0.005", "0.006", "0.007"]


def test_save_must_be_a_multiple_of_the_step():
    with pytest.raises(RunRefused, match=r"the nearest is SAVE=0\.25"):
        make_grid(0.0, 1.0, 0.05, 0.26)


@pytest.mark.parametrize("method", ["RK4", "DOPRI5"])
def test_samples_are_saved_from_the_start_on(method):
    some = simulate(double_pendulum(tran=(0.55, 2.0, 0.01), save=0.3, integrator=method), target="python")
    assert some.t.tolist() == [0.55, 0.85, 1.15, 1.45, 1.75, 2.0]


def test_samples_do_not_depend_on_which_are_kept():
    every = simulate(double_pendulum(tran=(0.0, 1.0, 1e-3)))
    some = simulate(double_pendulum(tran=(0.3, 1.0, 1e-3), save=0.2))
    at = [int(np.flatnonzero(every.t == t)[0]) for t in some.t]
    np.testing.assert_allclose(some.t, [0.3, 0.5, 0.7, 0.9, 1.0])
    np.testing.assert_array_equal(some.q, every.q[at])
    np.testing.assert_array_equal(some.v, every.v[at])


def test_the_last_step_is_shorter():
    odd = simulate(double_pendulum(tran=(0.0, 1.0, 0.003)))
    even = simulate(double_pendulum(tran=(0.0, 1.0, 0.002)))
    assert odd.t[-1] == 1.0 and odd.t[-2] == pytest.approx(0.999)
    np.testing.assert_allclose(odd.q[-1], even.q[-1], atol=1e-8)


@pytest.mark.parametrize("method", ["RK4", "DOP853"])
def test_progress_and_cancel(method):
    seen = []

    def cancel():
        return len(seen) > 3

    mechanism = double_pendulum(tran=(0.0, 1e5, 1e-2), save=100.0, integrator=method, guard="OFF")
    trajectory = simulate(mechanism, progress=lambda part, text: seen.append((part, text)), cancel=cancel)
    assert trajectory.status.code == CANCELLED and trajectory.status.cancelled
    assert seen[0][0] == 0.0 and "kernels" in seen[0][1] and seen[1][1] == "running"
    assert 0 < len(trajectory) < 1001
    assert trajectory.report.samples == len(trajectory)


def test_numbers_of_steps_that_no_float_holds_are_refused_too():
    with pytest.raises(RunRefused, match=r"1e\+300 steps and 1e\+300 samples would take about"):
        simulate(double_pendulum(tran=(0.0, 1.0, 1e-320)))


def test_absurd_sizes_are_refused_with_an_estimate():
    with pytest.raises(RunRefused, match=r"1e\+10 steps .* would take about .* and 64\d? GB|1e\+10 steps"):
        simulate(double_pendulum(tran=(0.0, 1e7, 1e-3)))


def test_absurd_spans_are_refused_for_adaptive_integrators_too():
    with pytest.raises(RunRefused, match=r"e\+1\d steps and 11 samples would take about .* days"):
        simulate(double_pendulum(tran=(0.0, 1e12, 1e11), integrator="DOP853"))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"integrator": "RATTLE", "daesystem": "INDEX1"}, "DAESYSTEM=INDEX1 does not go with INTEGRATOR=RATTLE"),
        ({"integrator": "RATTLE4", "mpi_algo": "SVD"}, "MPI_ALGO=SVD does not go with INTEGRATOR=RATTLE4"),
        ({"integrator": "DOPRI5", "daesystem": "INDEX1_2_DAMPED"}, "its damping is in units of a step"),
        ({"integrator": "DOP853", "energycorrector": "ON"}, "ENERGYCORRECTOR=ON does not go with INTEGRATOR=DOP853"),
    ],
)
def test_settings_that_do_not_go_together(settings, words):
    with pytest.raises(RunRefused, match=words):
        simulate(double_pendulum(**settings))


def test_formula_6_breaks_down_on_the_lever_and_says_where():
    trajectory = simulate(lever(daesystem="INDEX1", integrator="MIDPOINT", mpi_algo="CHOLESKY"), target="python")
    assert not trajectory.status.ok
    assert trajectory.status.time == 0.0 and trajectory.status.constraint == "C3"
    assert "pseudoinverse broke down" in str(trajectory.status) and "MPI_ALGO=AUTO" in trajectory.status.remedy


@pytest.mark.parametrize(("choice", "samples"), [("STOP", None), ("GO", 101)])
def test_a_breakdown_stops_or_goes_on(choice, samples):
    """Euler's method with a step of a second tears the chain apart."""
    wild = chain(4, daesystem="INDEX1", integrator="MIDPOINT", mpi_algo="SVD", tran=(0.0, 100.0, 1.0), breakdown=choice)
    trajectory = simulate(wild)
    assert not trajectory.status.ok and 0 < trajectory.status.time < 100
    assert trajectory.status.constraint.startswith("C")
    if samples is None:
        assert len(trajectory) < 101 and np.isfinite(trajectory.q).all()
    else:
        assert len(trajectory) == samples


@pytest.mark.parametrize("system", ["INDEX1", "PROJECTED"])
def test_an_adaptive_run_that_cannot_go_on_leaves_empty_rows_and_ends(system):
    """No step size cures a pseudoinverse that broke down: without an end the run would try for ever."""
    chances = iter(range(1000))
    broken = lever(integrator="DOPRI5", daesystem=system, mpi_algo="CHOLESKY", breakdown="GO", tran=(0.0, 1.0, 0.1))
    trajectory = simulate(broken, cancel=lambda: next(chances) > 20, target="python")
    assert "pseudoinverse broke down" in trajectory.status.message
    assert len(trajectory) == 11 and np.isnan(trajectory.q[1:]).all() and np.isnan(trajectory.v[1:]).all()
    np.testing.assert_array_equal(trajectory.q[0], [[-1, 0], [1, 0]])


def test_a_start_that_does_not_fit_is_put_right_and_reported():
    off = machine({"B1": (1, 0)}, {"C1": ("B1", (0, 0))}, start={"B1": (0.5, 0.5)}, velocity={"B1": (0, -1)})
    trajectory = simulate(off)
    np.testing.assert_allclose(np.linalg.norm(trajectory.q[:, 0], axis=1), 1.0, atol=1e-14)
    np.testing.assert_allclose(trajectory.q[0, 0], (0.5**0.5, 0.5**0.5), atol=1e-12)
    np.testing.assert_allclose(trajectory.v[0, 0], (0.5, -0.5), atol=1e-12)
    # distances, not coordinates: from (0.5, 0.5) to the circle, and the velocity along the link
    assert trajectory.report.start_moved == pytest.approx((1 - 0.5**0.5, 0.5**0.5), abs=1e-9)


def test_damped_newton_lands_a_chain_that_is_off_by_much():
    rng = np.random.default_rng(4)
    bodies = {f"B{i}": (0.2 * i, 0.0) for i in range(1, 13)}
    start = {name: tuple(np.array(at) + 0.06 * rng.normal(size=2)) for name, at in bodies.items()}
    links = {"C1": ("B1", (0, 0)), **{f"C{i}": (f"B{i - 1}", f"B{i}") for i in range(2, 13)}}
    trajectory = simulate(machine(bodies, links, start=start, tran=(0.0, 0.1, 1e-3)))
    assert trajectory.status.ok and trajectory.report.residual.value < 1e-13


def test_lengths_that_contradict_one_another_have_no_start():
    bodies = {"B1": (1, 0), "B2": (2, 0)}
    links = {"C1": ("B1", (0, 0)), "C2": ("B1", "B2"), "C3": ("B2", (0, 0), 5.0)}
    trajectory = simulate(machine(bodies, links), target="python")
    assert trajectory.status.code == NO_START and len(trajectory) <= 1
    assert "C3" in trajectory.status.message


def test_the_papers_systems_leave_the_start_as_it_is():
    off = {"start": {"B1": (0.5, 0.5)}, "velocity": {"B1": (0, -1)}, "tran": (0.0, 1.0, 0.05), "gravity": 1.0}
    damped = machine({"B1": (1, 0)}, {"C1": ("B1", (0, 0))}, daesystem="INDEX1_2_DAMPED", **off)
    trajectory = simulate(damped, target="python")
    np.testing.assert_array_equal(trajectory.q[0, 0], (0.5, 0.5))
    residual = np.abs((trajectory.q[:, 0] ** 2).sum(axis=1) - 1)
    assert residual[5] < 0.1 * residual[0]


def test_the_energy_corrector_holds_the_energy_and_keeps_the_predictors():
    settings = {"daesystem": "INDEX1_2_DAMPED", "integrator": "MIDPOINT", "tran": (0.0, 5.0, 1e-2)}
    free = simulate(double_pendulum(**settings), target="python")
    held = simulate(double_pendulum(energycorrector="ON", **settings), target="python")
    assert free.report.energy_error > 1e-3
    assert held.report.energy_error < 1e-12
    assert held.report.predictor_energy_error > 1e-6
    assert held.predicted_energy.shape == held.t.shape


def test_a_coarse_step_is_called_so():
    assert any("too coarse" in w for w in simulate(double_pendulum(tran=(0.0, 10.0, 0.1))).report.warnings)
    assert not simulate(double_pendulum(tran=(0.0, 10.0, 1e-3))).report.warnings


def test_memory_holds_only_the_samples_kept():
    """A million steps: every state would take 72 MB. A short run first, so that compiling does not count."""
    simulate(double_pendulum(tran=(0.0, 1.0, 1e-3), save=0.1))
    tracemalloc.start()
    trajectory = simulate(double_pendulum(tran=(0.0, 1000.0, 1e-3), save=10.0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(trajectory) == 101 and trajectory.report.steps >= 10**6
    assert peak < 4e6


@pytest.mark.parametrize("method", ["RK4", "DOP853"])
def test_every_sample_is_handed_out_once_and_in_order(method):
    """Also the start, those of a last shorter step, and those of a run that is cancelled."""
    for tran, patience in (((0.0, 2.005, 1e-2), 10**9), ((0.5, 1e4, 1e-2), 2)):
        times, places, calls = [], [], iter(range(10**9))

        def receive(samples, times=times, places=places):
            times += samples.t.tolist()
            places += samples.q.copy().tolist()

        def cancel(calls=calls, patience=patience):
            return next(calls) > patience

        mechanism = double_pendulum(tran=tran, integrator=method)
        trajectory = simulate(mechanism, receive=receive, cancel=cancel)
        assert trajectory.status.ok == (patience > 2)
        assert times == trajectory.t.tolist() and places == trajectory.q.tolist()
        assert len(times) > 100


def test_a_run_cancelled_before_its_first_sample_is_empty_and_says_so():
    trajectory = simulate(double_pendulum(tran=(500.0, 1000.0, 1e-3)), cancel=lambda: True)
    assert len(trajectory) == 0 and trajectory.status.cancelled
    assert str(trajectory) == "test: no samples, cancelled"
    assert trajectory.observe("TENSION(C1)").curves[0].values.shape == (0,)


def test_a_run_shorter_than_its_step_is_judged_by_the_step_it_takes():
    assert not simulate(double_pendulum(tran=(0.0, 1e-3, 5.0))).report.warnings


def test_report_reads_well():
    text = str(simulate(rhombus(gravity=1.0, tran=(0.0, 2.5, 1e-3))).report)
    assert "energy error" in text and "largest |Φ|" in text and "passes a singular configuration at t = 1.85" in text


def test_bodies_that_nothing_holds_fall():
    free = simulate(machine({"B1": (0, 0), "B2": (1, 0)}, {}, velocity={"B2": (1, 0)}, gravity=2.0), target="python")
    np.testing.assert_allclose(free.q[-1], [[0, -1], [2, -1]], atol=1e-12)
    assert free.report.residual is None


@pytest.mark.parametrize("choice", ["STOP", "GO"])
def test_formula_6_with_projection_breaks_down_on_the_lever_at_once(choice):
    trajectory = simulate(lever(mpi_algo="CHOLESKY", breakdown=choice, tran=(0.0, 0.01, 1e-3)), target="python")
    assert "pseudoinverse broke down" in trajectory.status.message and trajectory.status.time == 0.0
    assert (trajectory.v[0] == 0.0).all(), "the start as it was given"
    assert trajectory.report.velocity_residual.value == 0.0 and (len(trajectory) == 1) == (choice == "STOP")


def test_parameters_and_times_may_be_texts_with_units():
    text = "* P\nB1 (L,0) 1\nC1 B1 (0,0)\n.param L=1\n"
    run = chainlist.simulate(text, params={"L": "40cm"}, tran="0 0.01s, 1ms")
    assert run.q[0].tolist() == [[0.4, 0.0]] and run.t[-1] == 0.01 and len(run) == 11
    assert run.mechanism.changes.params == {"L": 0.4}
    for wrong in ({"L": "40qm"}, {"L": "2 m"}, {"L": "two"}, {"L": None}, {"L": [1]}):
        with pytest.raises(chainlist.ChainlistError):
            chainlist.simulate(text, params=wrong, tran="0 1 1ms")
    with pytest.raises(chainlist.ChainlistError):
        chainlist.parse(text, params={"L": "2m"})


def test_a_run_and_its_report_number_the_same_groups():
    """Elimination begins with the single pendulum; the report counts energies in the order of the text."""
    frame = "B1 (1,0) 1\nB2 (1,1) 1\nB3 (2,0) 1\nC1 B1 (0,0)\nC2 B2 B1\nC3 B3 B2\nC4 B3 B1\n"
    made = chainlist.parse(f"* Two parts\n{frame}B4 (5,-1) 1\nC5 B4 (5,0)\n.tran 0 1 1ms\n")
    runs, told = (assemble(made, as_written=written).system.groups for written in (False, True))
    assert runs.of_point.tolist() == told.of_point.tolist() and runs.size.tolist() == told.size.tolist()


@pytest.mark.parametrize("more", ["", "B2 (2,0) 1\n", "B2 (3,0) 1\nC2 B2 (2,0) CUT={TENSION(C1)>25}\n"])
def test_a_force_in_a_condition_is_no_part_of_the_machine(more):
    """It has a point of its own, which hangs together with nothing: energies are those of the bodies, group by group."""
    run = chainlist.simulate(f"* t\nB1 (1,0) 1\nC1 B1 (0,0)\n{more}.stop {{TENSION(C1)>10}}\n.tran 0 1 1ms\n")
    # m (3 g sin φ) is the tension of a pendulum let go from the horizontal
    assert run.t[-1] < 0.3 and run.observe("TENSION(C1)").curves[0].values[-1] == pytest.approx(10.0, abs=1e-9)
    energy = run.observe("Etotal").curves[0].values
    assert np.abs(energy - energy[0]).max() < 1e-9 and run.report.energy_error < 1e-9


def test_an_arm_without_length_has_no_direction_and_the_check_says_nothing_of_its_stiffness():
    run = chainlist.simulate(
        "* t\nB1 (1,0) 1\nB2 (2,0) 1\nK1 ANGLE((1,0),B1,B2) 10\n.tran 0 0.1 1ms\n.options gravity=0\n"
    )
    assert run.status.ok and np.abs(run.q - run.q[0]).max() == 0.0
