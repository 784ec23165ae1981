"""The runs behind the figures, and the references they are held against; the tests ask the same functions."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

import chainlist
from chainlist.compile.plan import Choice
from chainlist.compile.read import changed
from chainlist.compile.system import assemble
from chainlist.kernels.bundles import Floats
from chainlist.labs.bench import listing, motion, values
from chainlist.model.mechanism import Changes
from chainlist.run.runner import Runner
from chainlist.run.simulate import grid_of

GRAVITY = 9.81
PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.plot Time\n"


class Curve(NamedTuple):
    x: Floats
    y: Floats


def order(curve: Curve, low: float = 0.0, high: float = math.inf) -> float:
    """The mean slope on logarithmic axes between two abscissae."""
    inside = (curve.x >= low * (1 - 1e-9)) & (curve.x <= high * (1 + 1e-9))
    return float(np.polyfit(np.log(curve.x[inside]), np.log(curve.y[inside]), 1)[0])


def _so_far(values: Any) -> Floats:
    return np.maximum.accumulate(np.abs(values))


# How drift grows

DRIFTS = (("INDEX1", "RK4"), ("INDEX1", "MIDPOINT"), ("INDEX1_2", "RK4"), ("INDEX1_2", "MIDPOINT"))
DRIFT_STEP, DRIFT_STOP = 0.005, 80.0  # s, as in the table of the page


@functools.cache
def drift() -> dict[tuple[str, str], Curve]:
    """The largest |Φ| so far of the pendulum over time."""
    curves = {}
    for system, integrator in DRIFTS:
        run = motion(PENDULUM, (0.0, DRIFT_STOP, DRIFT_STEP), daesystem=system, integrator=integrator, save=0.05)
        curves[system, integrator] = Curve(run.t[1:], _so_far(values(run, "PHI(C1)"))[1:])
    return curves


# What damping costs

STEPS = (0.04, 0.02, 0.01, 0.005, 0.0025, 0.00125, 0.000625)
SAME_TIMES, SWING = 0.2, 4.0  # s


@functools.cache
def orders() -> dict[str, Curve]:
    """The largest error of the bob over the step, with RK4."""
    true = _swing()
    curves = {}
    for system in ("INDEX1", "INDEX1_2_DAMPED", "PROJECTED"):
        runs = [motion(PENDULUM, (0.0, SWING, h), daesystem=system, save=SAME_TIMES) for h in STEPS]
        errors = [float(np.linalg.norm(run.q[:, 0] - true, axis=1).max()) for run in runs]
        curves[system] = Curve(np.array(STEPS), np.array(errors))
    return curves


def _swing() -> Floats:
    """The pendulum in its angle from the level start."""
    times = np.arange(0.0, SWING + SAME_TIMES / 2, SAME_TIMES)
    angle = _solved(lambda t, z: [z[1], -GRAVITY * math.cos(z[0])], times, [0.0, 0.0])[0]
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _solved(slopes: Any, times: Floats, start: list[float]) -> Floats:
    from scipy.integrate import solve_ivp

    found = solve_ivp(slopes, (0.0, times[-1]), start, "DOP853", times, rtol=1e-13, atol=1e-13)
    return np.asarray(found.y)


# The rhombus and the guard

RHOMBUS_STEP = 0.02
MOST_ETA = 1e-5  # near a singular configuration: beyond it the guard takes a step for a leap


class Passage(NamedTuple):
    times: Floats
    bodies: Floats  # where they are: sample, body, axis
    eta: Floats  # of the step to each sample but the first
    redone: int

    def at(self, time: float) -> Floats:
        """Where B1, B2 and B3 are."""
        return np.asarray(self.bodies[int(np.searchsorted(self.times, time - 1e-9))])


@functools.cache
def passage(guard: str) -> Passage:
    """The rhombus through its singular moment, step by step."""
    options = {"daesystem": "PROJECTED", "integrator": "RK4", "energycorrector": "OFF", "guard": guard}
    mechanism = changed(listing(14), Changes({}, options, (0.0, 2.5, RHOMBUS_STEP)))
    runner = Runner(assemble(mechanism), Choice("PROJECTED", "RK4", "AUTO"), grid_of(mechanism))
    runner.start()
    eta = np.zeros(len(runner.times) - 1)
    while not runner.finished:
        runner.work.gauge.max_eta = 0.0
        runner.go_on(1)
        eta[runner.done - 1] = max(eta[runner.done - 1], float(runner.work.gauge.max_eta))
    return Passage(runner.times, runner.Q, eta, int(runner.work.count.redone))


# Thousands of periods

LONG_STEP, PERIODS = 0.04, 3000


@functools.cache
def period() -> float:
    """Of a pendulum of 1 m that starts level [s]."""
    from scipy.special import ellipk

    return float(4.0 * ellipk(0.5) / math.sqrt(GRAVITY))


@functools.cache
def energies() -> dict[str, Curve]:
    """The largest energy error so far, as a part of the largest kinetic energy, over the number of the period."""
    curves = {}
    for integrator in ("RK4", "RATTLE"):
        stop = round(PERIODS * period() / LONG_STEP) * LONG_STEP
        run = motion(PENDULUM, (0.0, stop, LONG_STEP), integrator=integrator, save=5 * LONG_STEP)
        off = (run.energy - run.energy[0]) / run.kinetic_energy.max()
        curves[integrator] = Curve(run.t[1:] / period(), _so_far(off)[1:])
    return curves


# Stiff springs

STIFF, SOFT = 1e4, 10.0  # N/m, with masses of 1 kg
STIFF_STEPS = (0.2, 0.1, 0.05, 0.025, 0.0125, 0.00625, 0.003125)
STIFF_STOP = 2.0


def stability_limit() -> float:
    """The longest step of RK4: 2√2 over the largest angular frequency [s]."""
    return 2 * math.sqrt(2.0) / _fast_and_slow()[0]


@functools.cache
def stiff() -> dict[str, Curve]:
    """The error at the end of the slow motion of two bodies over the step; infinite where a run broke down."""
    _, slow, first, second = _fast_and_slow()
    true = np.cos(slow * STIFF_STOP) * np.array([first, second])
    text = f"""* Two bodies on a line
B1 ({1 + first!r},0) 1
B2 ({2 + second!r},0) 1
S1 B1 LINE(0,1,0)
S2 B2 LINE(0,1,0)
K1 B1 (0,0) {SOFT} L0=1
K2 B1 B2 {STIFF} L0=1
.plot Time
"""
    curves = {}
    for integrator in ("RK4", "SDIRK4"):
        runs = [motion(text, (0.0, STIFF_STOP, step), integrator=integrator) for step in STIFF_STEPS]
        ends = [r.q[-1, :, 0] - np.array([1.0, 2.0]) - true if r.status.ok else np.array([math.inf]) for r in runs]
        curves[integrator] = Curve(np.array(STIFF_STEPS), np.array([float(np.abs(end).max()) for end in ends]))
    return curves


def _fast_and_slow() -> tuple[float, float, float, float]:
    """Both angular frequencies, and how far the bodies are from rest in the slow motion: 0.2 m the first."""
    matrix = np.array([[SOFT + STIFF, -STIFF], [-STIFF, STIFF]])
    squares, shapes = np.linalg.eigh(matrix)
    first, second = 0.2 * shapes[:, 0] / shapes[0, 0]
    return math.sqrt(squares[1]), math.sqrt(squares[0]), float(first), float(second)


# Matrices


def nearest(row: Floats, wanted: float, free: Floats, masses: Floats) -> Floats:
    """The allowed acceleration that is nearest to the free one in the mass norm: equation (4)."""
    roots = np.diag(masses**-0.5)
    A = row[None, :]
    return np.asarray(free + roots @ chainlist.pinv(A @ roots, "GREVILLE") @ (wanted - A @ free))


@functools.cache
def pivots() -> Curve:
    """The least ρ of a parallelogram over its angle from flat, from the Cholesky factor of S."""
    angles = np.logspace(-6, math.log10(math.pi / 2), 24)
    return Curve(angles, np.array([_least_pivot(angle) for angle in angles]))


def _least_pivot(angle: float) -> float:
    up, over = 0.5 * math.sin(angle), 0.5 * math.cos(angle)
    text = f"* P\nB1 ({over!r},{up!r}) 1\nB2 ({1.2 + over!r},{up!r}) 1\nC1 (0,0) B1\nC2 (1.2,0) B2\nC3 B1 B2\n"
    mechanism = chainlist.parse(text)
    q = np.array([body.start for body in mechanism.bodies])
    A, _, _, M, _ = mechanism.equations(q, np.zeros_like(q))
    S = A @ np.linalg.solve(M, A.T)
    pivot = _squared_distances(A @ np.diag(M.diagonal() ** -0.5))
    return float((pivot / S.diagonal()).min())


def _squared_distances(rows: Floats) -> Floats:
    """Of each row from the space of the rows before it."""
    return np.asarray(np.linalg.qr(rows.T)[1].diagonal() ** 2)
