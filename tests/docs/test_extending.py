"""The plug-ins of `docs/extending.md`: short enough for a student, right, and compiled like the rest."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import chainlist
from chainlist.analyses.plugins import run_plugin
from chainlist.elements import REGISTRY
from chainlist.run.simulate import simulate
from tests.command import plugins_forgotten
from tests.docs.extending import FILES, PLUGINS


@pytest.fixture
def load(tmp_path: Path):
    """Registers plug-ins of the page for one test. Each alone, as the page does it: so its kernels are compiled once for both."""

    def loaded(*names: str) -> None:
        for name in names:
            path = tmp_path / f"{name}.py"
            path.write_text(FILES[path.name], encoding="utf-8")
            run_plugin(path)

    with plugins_forgotten():
        yield loaded


def test_there_is_one_of_each_kind():
    assert PLUGINS == [
        "attraction.py", "drag.py", "ellipse.py", "oval.py", "ralston.py", "schulz.py", "verlet.py",
    ]  # fmt: skip


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plug_in_is_short(name):
    assert len(FILES[name].splitlines()) < 60


def test_the_ellipse_is_right_by_finite_differences(load):
    load("ellipse")
    mechanism = chainlist.parse(FILES["bead.chain"])
    q, v, h = np.array([[1.2, 0.8]]), np.array([[0.7, -0.4]]), 1e-5

    def phi(at):
        return mechanism.equations(at, v).phi

    at = mechanism.equations(q, v)
    np.testing.assert_allclose(at.phi, 1.2**2 / 4 + 0.8**2 - 1, atol=1e-15)
    for c in range(2):
        step = h * np.eye(2)[c][None]
        np.testing.assert_allclose(at.A[:, c], (phi(q + step) - phi(q - step)) / (2 * h), atol=1e-9)
    second = (phi(q + h * v) - 2 * phi(q) + phi(q - h * v)) / h**2  # A v differentiated along v: −b
    np.testing.assert_allclose(at.b, -second, atol=1e-4)


def test_a_bead_keeps_to_the_wire_and_its_energy(load):
    load("ellipse")
    motion = simulate(chainlist.parse(FILES["bead.chain"]))
    x, y = motion.q[:, 0].T
    np.testing.assert_allclose(x**2 / 4 + y**2, 1.0, atol=1e-13)
    np.testing.assert_allclose(motion.energy, 0.5, atol=1e-9)
    assert y.min() < -0.999


def test_the_wire_by_formula_is_the_wire_by_kernel(load):
    load("ellipse", "oval")
    by_kernel, by_formula = (simulate(chainlist.parse(FILES[name])) for name in ("bead.chain", "oval.chain"))
    np.testing.assert_allclose(by_formula.q, by_kernel.q, rtol=0, atol=1e-11)
    multipliers = (
        motion.observe(item).curves[0].values
        for motion, item in ((by_kernel, "LAMBDA(E1)"), (by_formula, "LAMBDA(O1)"))
    )
    np.testing.assert_allclose(*multipliers, rtol=0, atol=1e-9)


def test_the_comet_keeps_to_its_ellipse(load):
    load("attraction")
    motion = simulate(chainlist.parse(FILES["comet.chain"]))
    energy, momentum = 0.5 - 4 / 2, 2.0  # of a mass of 1 kg
    reach = 4 / (-2 * energy)
    out = np.sqrt(1 + 2 * energy * momentum**2 / 4**2)
    distance = np.linalg.norm(motion.q[:, 0], axis=1)
    assert distance.min() == pytest.approx(reach * (1 - out), rel=1e-6)
    assert distance.max() == pytest.approx(reach * (1 + out), rel=1e-6)
    np.testing.assert_allclose(motion.energy, energy, atol=1e-7)
    np.testing.assert_array_equal(motion.observe("Work").curves[0].values, 0.0)


def test_the_sign_and_the_size_of_its_force_are_as_the_page_says(load):
    load("ellipse")
    weightless = chainlist.parse(FILES["bead.chain"] + ".options gravity=0\n")

    def force():
        motion = simulate(weightless)
        return motion.observe("TENSION(E1)").curves[0].values, motion.observe("A(B1)").curves[0].values

    pushed, a = force()
    np.testing.assert_allclose(pushed, -np.linalg.norm(a, axis=1), rtol=1e-9)
    REGISTRY["E"] = dataclasses.replace(REGISTRY["E"], tension_sign=-1.0)
    np.testing.assert_array_equal(force()[0], -pushed)


def test_a_ball_in_air_falls_as_the_closed_formula_says(load):
    load("drag")
    motion = simulate(chainlist.parse(FILES["ball.chain"]))
    m, g, c = 2.0, 9.81, 0.2
    fastest = np.sqrt(m * g / c)
    np.testing.assert_allclose(motion.v[:, 0, 1], -fastest * np.tanh(g * motion.t / fastest), atol=1e-8)
    work = motion.observe("Work").curves[0].values
    np.testing.assert_allclose(motion.energy - work, 0.0, atol=1e-7)


@pytest.mark.parametrize("name", ["RALSTON", "VERLET"])
def test_the_integrators_are_of_second_order(load, name):
    load(name.lower())
    source = chainlist.parse("* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.plot Q(B1)\n")
    exact = chainlist.simulate(source, tran=(0, 1, 0.05), integrator="DOP853", reltol=1e-13).q

    def error(step):
        motion = chainlist.simulate(source, tran=(0, 1, step), integrator=name, save=0.05)
        return np.abs(motion.q - exact).max()

    coarse, fine = error(0.01), error(0.005)
    assert coarse < 1e-2 and np.log2(coarse / fine) == pytest.approx(2.0, abs=0.25)


def test_the_iteration_of_newton_and_schulz_finds_pseudoinverses(load):
    load("schulz")
    random = np.random.default_rng(3)
    for rows, columns, rank in ((2, 5, 2), (4, 6, 3), (5, 3, 2)):
        B = random.normal(size=(rows, rank)) @ random.normal(size=(rank, columns))
        np.testing.assert_allclose(chainlist.pinv(B, "SCHULZ"), np.linalg.pinv(B, rcond=1e-9), atol=1e-6)


PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.2 1E-2\n.options INTEGRATOR=VERLET MPI_ALGO=SCHULZ\n"


def equal_bits(text: str) -> None:
    mechanism = chainlist.parse(text)
    compiled, interpreted = simulate(mechanism), simulate(mechanism, target="python")
    assert compiled.status.ok
    np.testing.assert_array_equal(compiled.q, interpreted.q)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["ellipse"], FILES["bead.chain"].replace(".tran 0 10 1E-3", ".tran 0 0.2 1E-2")),
        (["attraction"], FILES["comet.chain"].replace(".tran 0 20 1E-3", ".tran 0 0.2 1E-2")),
        (["verlet", "schulz"], PENDULUM),
    ],
    ids=["constraint", "force", "methods"],
)
def test_compiled_and_interpreted_give_equal_bits(load, names, text):
    load(*names)
    equal_bits(text)


@pytest.mark.long
def test_all_together_compiled_and_interpreted_give_equal_bits(load):
    load(*(name.removesuffix(".py") for name in PLUGINS))
    text = FILES["bead.chain"].replace(".tran 0 10 1E-3", ".tran 0 0.2 1E-2")
    equal_bits(text + ".options INTEGRATOR=VERLET MPI_ALGO=SCHULZ\n")
