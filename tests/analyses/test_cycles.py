"""PERIOD of motions that die away, grow, ripple or come to their steady state, against formulas whose period is known."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.analyses.cycles import crosses, cycles, nodes_of

W = 2 * math.pi  # a period of 1 s
STEP = 1e-3


def period(curve, stop, noise=0.0):
    """Of samples each millisecond; passages are taken on the straight line between two of them."""
    t = np.arange(0.0, stop + STEP / 2, STEP)
    values = curve(t) + noise * np.random.default_rng(1).normal(size=len(t))
    found = cycles(nodes_of(t, values))
    if not found.count:
        return found.why_none
    times = []
    for first, last, level in (found.passages[0], found.passages[-1]):
        above = values[first : last + 1] - level
        k = np.flatnonzero(crosses(above[:-1], above[1:], found.rising))[0]
        times.append(t[first + k] - STEP * above[k] / (above[k + 1] - above[k]))
    return (times[1] - times[0]) / found.count


DAMPED = "* Damped\nB1 (1.5,0) 1\nS1 B1 LINE(0,1,0)\nK1 B1 (0,0) 40 L0=1 DAMP={c}\n.tran 0 {stop} {step}\n.options gravity=0\n.plot X(B1)\n"


@pytest.mark.parametrize(
    ("c", "stop"), [(0.02, 3), (0.02, 60), (0.8, 3), (0.8, 10), (0.8, 100), (2, 10), (4, 10), (8, 10)]
)
def test_the_period_of_a_damped_spring_is_that_of_its_formula(c, stop):
    run = chainlist.simulate(DAMPED.format(c=c, stop=stop, step="1ms"))
    want = W / math.sqrt(40 - (c / 2) ** 2)
    for item in ("X(B1)", "VX(B1)", "{3-2*X(B1)}"):
        assert chainlist.measure(run, f"PERIOD {item}") == pytest.approx(want, rel=2e-7), item


def test_a_damped_spring_that_hangs_and_one_with_few_samples():
    text = "* Hangs\nB1 (0,-1) 1\nS1 B1 LINE(1,0,0)\nK1 B1 (0,0) 40 L0=1 DAMP=0.8\n.tran 0 10 1ms\n.plot Y(B1)\n"
    want = W / math.sqrt(40 - 0.4**2)
    assert chainlist.measure(text, "PERIOD Y(B1)") == pytest.approx(want, rel=1e-9)
    assert chainlist.measure(text, "PERIOD Y(B1) FROM=2.34 TO=7.77") == pytest.approx(want, rel=1e-9)
    assert chainlist.measure(text.replace("1ms", "20ms"), "PERIOD Y(B1)") == pytest.approx(want, rel=1e-5)


def test_fourier_takes_the_period_of_what_dies_away():
    from chainlist.analyses.fourier import fourier
    from chainlist.model.ask import ask

    run = chainlist.simulate(DAMPED.format(c=0.8, stop=10, step="1ms"))
    assert 1 / fourier(run, ask(run.mechanism, "X(B1)")).frequency == pytest.approx(W / math.sqrt(40 - 0.16), rel=1e-9)


@pytest.mark.parametrize("stop", [2.0, 2.3, 2.5, 3.1, 10.0, 20.7])
@pytest.mark.parametrize("phase", [0.0, 0.3, 1.6, 2.5, 4.0, 5.5])
def test_steady_swings_wherever_they_begin_and_end(phase, stop):
    assert period(lambda t: 5 + np.cos(W * t + phase), stop) == pytest.approx(1.0, rel=1e-5)


@pytest.mark.parametrize("stop", [3.3, 3.6, 5.0, 7.9, 9.6])
@pytest.mark.parametrize("decay", [0.0, 0.3, -0.3])
def test_a_second_hump_is_no_period_of_its_own(decay, stop):
    curve = lambda t: 2 + np.exp(-decay * t) * (np.cos(W * t) + np.cos(2 * W * t))  # noqa: E731
    assert period(curve, stop) == pytest.approx(1.0, rel=1e-5)


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5, 2.0, -0.1, -0.5])
@pytest.mark.parametrize("phase", [0.0, 1.0, 3.0])
def test_swings_that_die_away_or_grow(rate, phase):
    assert period(lambda t: 3 + np.exp(-rate * t) * np.cos(W * t + phase), 9.6) == pytest.approx(1.0, rel=1e-5)


@pytest.mark.parametrize(
    "transient",
    [
        lambda t: 5 * np.exp(-t),
        lambda t: 5 * np.exp(-t) * np.cos(2.1 * W * t),
        lambda t: np.exp(-t) * np.cos(2.1 * W * t),
        lambda t: -0.1 * np.exp(-t) * np.cos(W * t),
    ],
)
def test_of_a_steady_state_after_a_transient(transient):
    assert period(lambda t: 0.1 * np.cos(W * t) + transient(t), 20) == pytest.approx(1.0, rel=1e-3)


def test_swings_that_end_at_rest():
    """Amplitudes that shrink by the same amount, as friction lets them; then nothing moves."""
    assert period(lambda t: np.maximum(5 - t, 0) * np.cos(W * t), 20) == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("stop", [3.4, 5.0, 6.1, 7.9, 9.6, 12.4])
@pytest.mark.parametrize("decay", [0.0, 0.02, 0.3, -0.2])
@pytest.mark.parametrize(
    ("second", "phase", "third"), [(0.55, -1.72, -0.38), (0.5, 2.0, 0.0), (0.6, 3.5, 0.4), (0.45, 0.0, 0.4)]
)
def test_of_several_passages_in_a_round(second, phase, third, decay, stop):
    """Two or three swings in a round, of which any may pass the level, also in the last round."""
    curve = lambda t: np.sin(W * t + 1) + second * np.sin(2 * W * t + phase) + third * np.sin(3 * W * t + 2)  # noqa: E731
    assert period(lambda t: 1 + np.exp(-decay * t) * curve(t), stop) == pytest.approx(1.0, rel=2e-3)


@pytest.mark.parametrize("stop", [4.2, 6.0, 9.7])
@pytest.mark.parametrize("speed", [0.05, 0.3, 0.6, -0.5])
def test_of_what_drifts(speed, stop):
    assert period(lambda t: speed * t + np.sin(W * t + 0.4), stop) == pytest.approx(1.0, rel=2e-4)


def test_many_swings_are_no_more_work_than_their_number():
    """60,000 turning points: a look at all that follow, for each of them, would take minutes."""
    t = np.arange(0.0, 3000.0, 0.0125)
    found = cycles(nodes_of(t, np.exp(-1e-3 * t) * np.cos(10 * W * t + 0.3)))
    assert found.count > 10_000


def test_ripples_are_no_swings():
    assert period(lambda t: np.cos(W * t), 10, noise=0.01) == pytest.approx(1.0, rel=1e-3)
    assert period(lambda t: np.exp(-0.2 * t) * np.cos(W * t), 10, noise=1e-3) == pytest.approx(1.0, rel=1e-3)
    assert period(lambda t: np.cos(W * t) + 0.04 * np.cos(31.4 * W * t), 10) == pytest.approx(1.0, rel=1e-2)


def test_what_only_touches_a_level_does_not_pass_it():
    """sin·(1 − cos) of half the frequency is 0 without a change of its sign once in each period."""
    curve = lambda t: np.sin(W * t) * (1 - np.cos(W * t))  # noqa: E731
    assert period(curve, 7.3) == pytest.approx(1.0, rel=1e-5)


@pytest.mark.parametrize(
    ("curve", "why"),
    [
        (lambda t: 3 + 0 * t, "stays at 3{unit}"),
        (lambda t: 9.81 + 1e-14 * np.sin(1e4 * t), "stays at 9.81{unit}"),
        (lambda t: np.exp(-t), "never turns round"),
        (lambda t: 9 * t + 1.7 * np.sin(W * t), "turns round 20 times, by less than a tenth of how far it goes"),
        (lambda t: np.cos(W * t / 13), "turns round once and never passes the middle of the swings"),
        (lambda t: np.cos(W * t / 7.9 + 1), "turns round twice and never passes the middle"),
    ],
)
def test_why_there_is_no_period(curve, why):
    assert str(period(curve, 10)).startswith(why)


def test_a_report_says_why_there_is_no_period():
    text = (
        DAMPED.format(c=14, stop=10, step="10ms")
        + ".meas p PERIOD X(B1)\n.meas q PERIOD Y(B1)\n.meas r PERIOD X(B1) TO=0.01\n"
    )
    from chainlist.analyses.base import run_analyses

    run = chainlist.simulate(text)
    lines = [finding.result.figures()[0] for finding in run_analyses(run.mechanism, run)]
    assert lines[:2] == [
        ("p", "has no value: X(B1) never turns round"),
        ("q", "has no value: Y(B1) stays at 0 m"),
    ]
    assert "X(B1)" in lines[2][1]
