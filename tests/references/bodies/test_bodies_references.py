"""The references of rigid bodies against what is published and against each other: nothing here runs the program."""

import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from tests.references.bodies import andrews, bricard, cranks, disks, governor, skates, spinning, swings
from tests.references.bodies.problem import ByHand, Lagrange
from tests.references.bodies.table import BODIES
from tests.some import some


def marked(names: Iterable[str], every: int = 1) -> list[Any]:
    """Those that take long are for `make test-long`; of a dear test also all others but one in `every`."""
    return some(names, lambda name: not BODIES[name].long and list(names).index(name) % every == 0)


ALL = pytest.mark.parametrize("name", marked(BODIES, every=3))  # these run nothing of the program, and change seldom
POINT = re.compile(r"^(B\d+) \(([^)]*)\) \S+(?: IC_VEL=\(([^)]*)\))?$", re.MULTILINE)
LAGRANGE = {name: p.known for name, p in BODIES.items() if isinstance(p.known, Lagrange)}
INTEGRATED = LAGRANGE | {name: p.known for name, p in BODIES.items() if isinstance(p.known, ByHand)}


@ALL
def test_starts_where_its_text_says(name: str) -> None:
    problem = BODIES[name]
    found = problem.known([0.0])
    points = POINT.findall(problem.text)
    assert points
    for point, place, speed in points:
        for letter, value in zip("XYZ", place.split(","), strict=False):
            assert float(value) == pytest.approx(found[f"{letter}({point})"][0], abs=3e-15)
        for letter, value in zip("XYZ", speed.split(",") if speed else (), strict=False):
            assert float(value) == pytest.approx(found[f"V{letter}({point})"][0], abs=1e-14)
    assert f".tran 0 {problem.span!r} " in problem.text


@ALL
def test_rates_are_those_of_the_places(name: str) -> None:
    """By differences over a short time, of order four."""
    problem = BODIES[name]
    step, middle = 1e-4 * problem.span, np.linspace(0.1, 0.9, 9) * problem.span
    if problem.span < 1 or "top" in name:
        step /= 10
    parts = [problem.known(middle + k * step) for k in (-2, -1, 1, 2)]
    rates = problem.known(middle)
    for item, rate in rates.items():
        if item.startswith(("V", "OMEGA")):
            of = item[1:] if item.startswith("V") else item.replace("OMEGA", "ANGLE")
            a, b, c, d = (part[of] for part in parts)
            found = (a - 8 * b + 8 * c - d) / (12 * step)
            assert found == pytest.approx(rate, abs=1e-6 * max(1.0, np.abs(rate).max()))


@pytest.mark.parametrize("name", marked(LAGRANGE, every=3))
def test_energy_is_the_work_done(name: str) -> None:
    """T + U changes by what dampers and torques do, which is integrated here by Gauss over short pieces."""
    known, stop = LAGRANGE[name], BODIES[name].span
    edges = np.linspace(0.0, stop, 201)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    half = 0.5 * np.diff(edges)
    power = known.power((edges[:-1, None] + half[:, None] * (nodes + 1)).ravel()).reshape(200, 8)
    done = np.concatenate([[0.0], np.cumsum(half * (power @ weights))])
    energy = known.energy(edges)
    assert energy - energy[0] == pytest.approx(done, abs=1e-12 * max(1.0, np.abs(energy).max()))


@pytest.mark.parametrize("name", marked(INTEGRATED, every=4))
def test_scipy_arrives_at_the_same_place(name: str) -> None:
    """Another integrator, on the same coordinates."""
    from scipy.integrate import solve_ivp

    known = INTEGRATED[name]
    inner = known.by_hand if isinstance(known, Lagrange) else known
    freedoms, stop = len(inner.start), inner.stop / 12  # jets are slow one by one

    def slope(t: float, state: np.ndarray) -> np.ndarray:
        return np.concatenate([state[freedoms:], np.ravel(inner.acceleration(np.array([t]), *state[:, None]))])

    start = [*inner.start, *inner.rates]
    found = solve_ivp(slope, (0.0, stop), start, method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    wanted = np.ravel(inner.coordinates([stop])[:2])
    assert found == pytest.approx(wanted, rel=3e-11, abs=1e-10)


def test_andrews_as_published() -> None:
    """Fourteen numbers of the test set. It has nine digits of β and eight of its rate: in extended precision, with pieces of
    another length, the minimal coordinate arrives where it does here to thirteen."""
    (beta,), (rate,), _ = andrews.KNOWN.by_hand.coordinates([andrews.STOP])
    turned = andrews.published_angles(beta[0])
    for mine, published in zip(turned, andrews.PUBLISHED[0], strict=True):
        assert math.remainder(mine - published, 2 * math.pi) == pytest.approx(0.0, abs=2e-9)
    assert rate[0] == pytest.approx(andrews.PUBLISHED[1][0], abs=2e-7)
    known = andrews.KNOWN([andrews.STOP])
    for body, index in (("R3", 2), ("R5", 4), ("R7", 6)):
        assert known[f"OMEGA({body})"][0] == pytest.approx(andrews.PUBLISHED[1][index], abs=1e-6)


def test_andrews_starts_as_published() -> None:
    wanted = (andrews.BETA, 0.0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842550)
    assert andrews.published_angles(andrews.BETA)[:5] == pytest.approx(wanted, abs=1e-15)
    acceleration = andrews.KNOWN.acceleration(np.zeros(1), np.array([andrews.BETA]), np.zeros(1))
    assert acceleration[0][0] == pytest.approx(14222.4439199541138, rel=1e-12)


def test_slider_crank_as_printed() -> None:
    known = cranks.SUNDIALS_KNOWN(list(cranks.PRINTED))
    for i, (crank, slider, rod) in enumerate(cranks.PRINTED.values()):
        found = (known["ANGLE(R1)"][i], known["X(B2)"][i], known["ANGLE(R2)"][i])
        assert found == pytest.approx((crank, slider, rod), abs=8e-5)


def test_periods_of_compound_pendulums() -> None:
    """T = 4 K(sin γ₀/2) / ω₀ by SciPy's elliptic integral; after it the pendulum is back."""
    from scipy.special import ellipk

    for name in ("compound_rod", "compound_plate", "compound_disk"):
        known = BODIES[name].known
        assert isinstance(known, swings.Turning)
        period = 4 * ellipk(math.sin(known.widest / 2) ** 2) / math.sqrt(known.stiffness)
        assert known([period])["ANGLE(R1)"] == pytest.approx(0.0, abs=1e-13)
        assert known([period / 2])["ANGLE(R1)"] == pytest.approx(-2 * known.widest, abs=1e-12)


def test_pendulum_equation_of_the_four_bars() -> None:
    """ψ̈ = ω₀² sin ψ from the top, by differences of the rate; and the energy."""
    known = BODIES["four_bars_2"].known
    assert isinstance(known, swings.Turning)
    times = np.linspace(0.1, 9.9, 50)
    angle, rate = known.angle(times)
    slope = (known.angle(times + 1e-5)[1] - known.angle(times - 1e-5)[1]) / 2e-5
    assert slope == pytest.approx(known.stiffness * np.sin(angle), abs=1e-7)
    assert 0.5 * rate**2 + known.stiffness * np.cos(angle) == pytest.approx(0.5 + known.stiffness, rel=1e-14)


def test_sleigh_by_closed_formulas() -> None:
    times = np.linspace(0.0, skates.STOP, 40)
    known = skates.SLEIGH_KNOWN(times)
    go, turn = skates.sleigh_speeds(times)
    assert known["OMEGA(R1)"] == pytest.approx(turn, abs=1e-13)
    heading = known["ANGLE(R1)"]
    assert known["VX(B1)"] == pytest.approx(go * np.cos(heading), abs=1e-13)
    assert known["VY(B1)"] == pytest.approx(go * np.sin(heading), abs=1e-13)


def test_dzhanibekov_by_elliptic_functions() -> None:
    """ω₂ = c sn, ω₁ and ω₃ = a dn and b cn of λ (t − t₀): amplitudes, modulus and λ from energy and angular momentum."""
    from scipy.special import ellipj, ellipkinc

    body = spinning.DZHANIBEKOV
    i1, i2, i3 = body.moments
    start = np.array(body.spin)
    energy, square = np.array(body.moments) @ start**2, np.array(body.moments) ** 2 @ start**2
    assert square < energy * i2  # the angular momentum runs around the first axis
    a = math.sqrt((energy * i3 - square) / (i1 * (i3 - i1)))
    b = math.sqrt((square - energy * i1) / (i3 * (i3 - i1)))
    c = math.sqrt((square - energy * i1) / (i2 * (i2 - i1)))
    rate = math.sqrt((i2 - i1) * (energy * i3 - square) / (i1 * i2 * i3))
    m = (i3 - i2) * (square - energy * i1) / ((i2 - i1) * (energy * i3 - square))
    # ω₂ grows where ω₁ ω₃ > 0 has the sign of (i3 − i1)/i2.
    phase = ellipkinc(math.atan2(start[1] / c, start[2] / b), m)
    times = np.linspace(0.0, spinning.DZHANIBEKOV_STOP, 300)
    u, w, _ = body.known(spinning.DZHANIBEKOV_STOP).coordinates(times)
    found = body.spin_of(u, w)
    sn, cn, dn, _ = ellipj(phase + rate * times, m)
    assert found[1] == pytest.approx(c * sn, abs=1e-9)
    assert found[0] == pytest.approx(a * dn, abs=1e-9)
    assert found[2] == pytest.approx(b * cn, abs=1e-9)
    assert np.count_nonzero(np.diff(np.sign(found[1]))) >= 5


@pytest.mark.parametrize("name", ["dzhanibekov", "thrown_body", "symmetric_top", "asymmetric_top"])
def test_momentum_and_energy_of_spinners(name: str) -> None:
    """Iω of a free body stays; of a top what is along the vertical, and the energy."""
    problem = BODIES[name]
    spinner = {
        "dzhanibekov": spinning.DZHANIBEKOV,
        "thrown_body": spinning.THROWN,
        "symmetric_top": spinning.TOP,
        "asymmetric_top": spinning.ASYMMETRIC,
    }[name]
    u, w, _ = problem.known.coordinates(np.linspace(0.0, problem.span, 200))  # type: ignore[attr-defined]
    spin, turn = np.array(spinner.spin_of(u, w)), np.array(spinning.matrix(u))
    moments = np.array(spinner.moments)[:, None]
    momentum = np.einsum("ijt,jt->it", turn, moments * spin)
    energy = 0.5 * np.sum(moments * spin**2, axis=0) + spinning.GRAVITY * spinner.heavy * turn[1, 2]
    assert energy == pytest.approx(energy[0], rel=1e-12)
    kept = momentum[1:2] if spinner.heavy else momentum
    assert kept == pytest.approx(np.repeat(kept[:, :1], 200, axis=1), abs=1e-11)
    if name == "symmetric_top":
        assert spin[2] == pytest.approx(spinner.spin[2], rel=1e-13)


def test_nutation_of_the_symmetric_top() -> None:
    """u = cos of the tilt obeys u̇² = (α − β u)(1 − u²) − (b − a u)², with constants of the start."""
    top = spinning.TOP
    u, w, _ = BODIES["symmetric_top"].known.coordinates(np.linspace(0.0, spinning.TOP_STOP, 200))  # type: ignore[attr-defined]
    turn, spin = np.array(spinning.matrix(u)), np.array(top.spin_of(u, w))
    tilt, rate = turn[1, 2], turn[1, 0] * spin[1] - turn[1, 1] * spin[0]
    across, axial = top.moments[0], top.moments[2]
    upright = float(np.array(spinning.matrix(top.start))[1] @ (np.array(top.moments) * np.array(top.spin)))
    a, b = axial * top.spin[2] / across, upright / across
    beta = 2 * spinning.GRAVITY * top.heavy / across
    alpha = (across * (top.spin[0] ** 2 + top.spin[1] ** 2)) / across + beta * tilt[0]
    assert rate**2 == pytest.approx((alpha - beta * tilt) * (1 - tilt**2) - (b - a * tilt) ** 2, abs=1e-11)


def test_forces_of_the_rolling_disk() -> None:
    """Newton and Euler: the force at the contact that carries the centre gives the change of the angular momentum."""
    times, step = np.linspace(0.1, disks.STOP - 0.1, 20), 1e-4

    def state(t: Any) -> tuple[Any, Any, Any]:
        k = disks.KNOWN(t)
        b1, b2, b3 = (np.array([k[f"{c}({b})"] for c in "XYZ"]) for b in ("B1", "B2", "B3"))
        v1, v2, v3 = (np.array([k[f"V{c}({b})"] for c in "XYZ"]) for b in ("B1", "B2", "B3"))
        first, second = (b2 - b1) / disks.RADIUS, (b3 - b1) / disks.RADIUS
        # A thin disk is two axes with e = m r²/4: L = Σ e a × ȧ.
        momentum = disks.ACROSS * (
            np.cross(first.T, (v2 - v1).T / disks.RADIUS).T + np.cross(second.T, (v3 - v1).T / disks.RADIUS).T
        )
        return b1, v1, momentum

    _, before_v, before = state(times - step)
    centre, _, _ = state(times)
    _, after_v, after = state(times + step)
    force = disks.DISK_MASS * ((after_v - before_v) / (2 * step) + np.array([[0.0], [disks.GRAVITY], [0.0]]))
    normal = np.array(
        [
            np.sin(disks.LEAN) * np.cos(disks.PRECESSION * times),
            np.full(20, np.cos(disks.LEAN)),
            -np.sin(disks.LEAN) * np.sin(disks.PRECESSION * times),
        ]
    )
    up = (np.array([[0.0], [1.0], [0.0]]) - np.cos(disks.LEAN) * normal) / np.sin(disks.LEAN)
    contact = -disks.RADIUS * up
    assert centre[1] + contact[1] == pytest.approx(0.0, abs=1e-15)
    assert np.cross(contact.T, force.T).T == pytest.approx((after - before) / (2 * step), abs=1e-7)


@pytest.mark.parametrize("phi", [1.5708, 1.2, 0.3, 0.0, -0.7, 2.4, 3.1416, 4.0, 6.0])
def test_bricard_closes(phi: float) -> None:
    """The last corner, and the last hinge, are where the ground has them."""
    turned, corners = bricard.turns(phi)
    assert corners[-1] == pytest.approx((0, 0, 1), abs=3e-15)
    assert bricard.apply(turned[-1], bricard.HINGES[5]) == pytest.approx(bricard.HINGES[5], abs=3e-15)


def test_governor_by_lagrange() -> None:
    """The equations derived by hand against those from boxes, balls and springs, at states far from the motion."""
    random = np.random.default_rng(5)
    state = [random.uniform(low, high, 8) for low, high in ((-1, 1), (0.5, 1.4), (0.2, 0.7), (-6, 6), (-1, 1), (-1, 1))]
    known = Lagrange(governor.governor, governor.parts, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0)
    by_hand, other = governor.acceleration(np.zeros(8), *state), known.acceleration(np.zeros(8), *state)
    for mine, lagrange in zip(by_hand, other, strict=True):
        assert mine == pytest.approx(lagrange, rel=1e-12, abs=1e-10)


def test_bent_rods_have_no_angular_momentum() -> None:
    """Nothing outside acts: H about the common centre stays 0, and the centre stays."""
    times = np.linspace(0.0, 5.0, 50)
    k = BODIES["rods_bent_by_motor"].known(times)
    momentum, weight = np.zeros(50), np.zeros((2, 50))
    for m, length, a, b, r in ((1.5, 0.8, "B1", "B2", "R1"), (0.6, 0.5, "B2", "B3", "R2")):
        x, y, u, w = (0.5 * (k[f"{c}({a})"] + k[f"{c}({b})"]) for c in ("X", "Y", "VX", "VY"))
        momentum += m * (x * w - y * u) + m * length**2 / 12 * k[f"OMEGA({r})"]
        weight += m * np.array((u, w))
    assert momentum == pytest.approx(0.0, abs=1e-13)
    assert weight == pytest.approx(0.0, abs=1e-13)
