"""Trees of bodies on hinges, which are followed from hinge to hinge: against their rows, against angles, and who is one."""

import dataclasses

import numpy as np
import pytest

import chainlist
from benchmarks import arm_truth
from benchmarks.rods import Arm, robot
from chainlist import integrators
from chainlist.analyses.flow import Flow
from chainlist.analyses.resting import Resting
from chainlist.compile import hinges, system
from chainlist.compile.read import changed
from chainlist.model.mechanism import Changes
from chainlist.run.live import Live
from chainlist.run.simulate import simulate

# A column with two arms, one of which carries another. Nothing is along a coordinate.
BRANCHES = """A tree
BA (0.1,0.5,0) 0
BB (0.1,0.5,0.2) 0
BC (0.7,0.6,0) 0
BD (0.7,0.7,0.15) 0
BE (-0.4,0.4,0.1) 0
BF (-0.4,0.5,0.3) 0
B1 (0.9,0.2,0.3) 0.3
B2 (-0.5,-0.3,0.2) 0.1
B3 (0.9,0.9,0.4) 0
R1 (0,0,0) (0.05,1,0.1) BA BB BE BF 4 CG=(0,0.3,0.1) J=(0.5,0.3,0.4,0.02,0.01,0.03)
R2 BA BB BC BD 3 CG=(0.4,0.5,0.1) J=(0.1,0.3,0.35,0.02,-0.03,0.01)
R3 BE BF B2 2 CG=(-0.4,0.1,0.2) J=(0.2,0.1,0.25,0.0,0.02,0.01)
R4 BC BD B1 B3 1 CG=(0.8,0.4,0.2) J=(0.05,0.04,0.06,0.01,0.0,0.005)
"""
FORCES = """K1 B1 (1,-1,0) 30 L0=0.5 DAMP=0.4
K2 B2 B3 20
D1 BC (0,2,0) 1.5
F1 B2 ({sin(5*time)},0,{2*VX(B1)})
T1 R2 R1 AXIS(BA,BB) {3*cos(4*time)}
"""


def machine(text, tran=(0.0, 1.0, 1e-3), **options):
    return changed(text, Changes(options=options, tran=tran))


@pytest.fixture
def by_rows(monkeypatch):
    """The same machines, followed by the rows of their joints."""

    def run(mechanism):
        with monkeypatch.context() as patch:
            patch.setattr(system, "hinge_tree", lambda _: None)
            return simulate(dataclasses.replace(mechanism))

    return run


@pytest.mark.parametrize("forces", ["", FORCES], ids=["gravity", "forces"])
@pytest.mark.parametrize("method", ["RK4", "DOP853"])
def test_the_motion_is_that_of_the_rows(forces, method, by_rows):
    options = {"integrator": method, "tran": (0.0, 1.0, 2.5e-4), "save": 0.05}
    if method == "DOP853":
        options |= {"reltol": 1e-11, "abstol": 1e-13}
    mechanism = machine(BRANCHES + forces, **options)
    assert hinges.why_no_tree(mechanism) == ""
    found, wanted = simulate(mechanism), by_rows(mechanism)
    assert found.status.ok
    assert "hinge to hinge" in str(found.report) and "hinge to hinge" not in str(wanted.report)
    np.testing.assert_allclose(found.q, wanted.q, atol=2e-8)
    np.testing.assert_allclose(found.v, wanted.v, atol=2e-7)
    assert found.report.residual.value < 1e-13
    assert found.report.velocity_residual.value < 1e-12
    assert found.report.energy_error_relative < 1e-8
    if forces:
        assert found.report.work == pytest.approx(wanted.report.work, abs=1e-7)


def test_forces_of_joints_are_those_of_the_rows(by_rows):
    mechanism = machine(BRANCHES + FORCES, tran=(0.0, 0.2, 2.5e-4))
    found, wanted = simulate(mechanism), by_rows(mechanism)
    for item in ("JOINT(R2,BA)", "A(B1)", "T", "Work"):
        mine, theirs = (np.array([c.values for c in motion.observe(item).curves]) for motion in (found, wanted))
        np.testing.assert_allclose(mine, theirs, atol=1e-4 * np.abs(theirs).max())


METHODS = [m for m in integrators.REGISTRY.values() if not m.implicit and not m.holds_constraints]
STEPS = {1: (1e-3, 5e-4), 2: (4e-3, 2e-3), 3: (8e-3, 4e-3), 4: (1e-2, 5e-3), 5: (5e-3, 2.5e-3), 8: (2.5e-2, 1.25e-2)}
SHORT = Arm("the first of a robot's links", 9.81, robot().rods[1:4])


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_order(method, monkeypatch):
    monkeypatch.setitem(integrators.REGISTRY, method.name, dataclasses.replace(method, adaptive=False))
    errors = []
    for h in STEPS[method.order]:
        options = {"integrator": method.name, "guard": "OFF", "save": 0.2}
        motion = simulate(machine(moved(SHORT).text, tran=(0.0, 0.2, h), **options), target="python")
        errors.append(np.linalg.norm(motion.q[-1, motion.bodies.index("B3")] - arm_truth.tip(moved(SHORT), 0.2)))
    assert method.order - 0.35 < np.log2(errors[0] / errors[1]) < method.order + 1.0  # it starts at rest


def moved(arm):
    """With its first pin in the origin."""
    first = arm.rods[0].start

    def place(point):
        return tuple(round(x - y, 12) for x, y in zip(point, first, strict=True))

    rods = (dataclasses.replace(rod, start=place(rod.start), stop=place(rod.stop)) for rod in arm.rods)
    return dataclasses.replace(arm, rods=tuple(rods))


@pytest.mark.parametrize("method", ["RK4", "DOP853"])
@pytest.mark.parametrize("forces", ["", FORCES], ids=["gravity", "forces"])
def test_compiled_and_interpreted_are_equal_bits(method, forces):
    mechanism = machine(BRANCHES + forces, integrator=method, tran=(0.0, 0.1, 0.01))
    compiled, interpreted = simulate(mechanism), simulate(mechanism, target="python")
    np.testing.assert_array_equal(compiled.q, interpreted.q)
    np.testing.assert_array_equal(compiled.v, interpreted.v)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)], ids=str)
def test_the_order_of_the_cards_does_not_matter(order):
    """A joint is of that body of two which stands later: the ground may be at either end of a tree."""
    first, *cards = BRANCHES.splitlines()
    bodies = [card for card in cards if card.startswith("R")]
    others = [card for card in cards if not card.startswith("R")]
    turned = "\n".join([first, *reversed(others), *(bodies[k] for k in order)]) + "\n"
    assert hinges.why_no_tree(machine(turned)) == ""
    one, two = simulate(machine(BRANCHES)), simulate(machine(turned))
    for name in ("B1", "B2"):
        a, b = (motion.q[-1, motion.bodies.index(name)] for motion in (one, two))
        np.testing.assert_allclose(a, b, atol=1e-10)


@pytest.mark.parametrize("card", ["B1 (0.9,0.2,0.3) 0.3", "B2 (-0.5,-0.3,0.2) 0.1"])
@pytest.mark.parametrize("start", ["IC_VEL=(1,2,3)", "IC_VEL=(0,0,0.1)", "IC_POS=(0.8,0.1,0.2)"])
def test_a_start_that_does_not_fit_is_put_right_as_always(card, start, by_rows):
    mechanism = machine(BRANCHES.replace(card, f"{card} {start}"), tran=(0.0, 0.2, 1e-3))
    found, wanted = simulate(mechanism), by_rows(mechanism)
    assert found.status.ok == wanted.status.ok
    np.testing.assert_array_equal(found.q[0], wanted.q[0])
    np.testing.assert_array_equal(found.v[0], wanted.v[0])
    np.testing.assert_allclose(found.q[-1], wanted.q[-1], atol=1e-6)


def test_a_start_that_fits_stays_as_it_is_written():
    motion = simulate(machine(BRANCHES, tran=(0.0, 0.01, 1e-3)))
    assert motion.report.start_moved == (0.0, 0.0)


def test_the_energy_corrector_goes_along():
    motion = simulate(machine(BRANCHES, energycorrector="ON", tran=(0.0, 1.0, 5e-3)))
    assert motion.report.energy_error_relative < 1e-12
    assert motion.report.velocity_residual.value < 1e-12


@pytest.mark.parametrize("gravity", ["(0,9.81,0)", "(0,-9.81,0)"])
def test_the_energy_corrector_leaves_the_start_alone(gravity, by_rows):
    """Velocities that follow from given ones are known before the energy is: it must not be taken for 0."""
    text = BRANCHES.replace("B1 (0.9,0.2,0.3) 0.3", "B1 (0.9,0.2,0.3) 0.3 IC_VEL=(1,2,3)")
    mechanism = machine(f"{text}.options GRAVITY={gravity}\n", energycorrector="ON", tran=(0.0, 0.1, 1e-3))
    found, wanted = simulate(mechanism), by_rows(mechanism)
    np.testing.assert_allclose(found.v[1], wanted.v[1], atol=1e-9)
    assert found.report.energy_error_relative < 1e-12


def test_two_trees_that_do_not_touch():
    text = BRANCHES + BRANCHES.replace("B", "BX").replace("R", "RX").replace("(0,0,0)", "(0,0,0)").split("\n", 1)[1]
    motion = simulate(machine(text, tran=(0.0, 0.3, 1e-3)))
    one, two = (motion.q[-1, motion.bodies.index(name)] for name in ("B1", "BX1"))
    np.testing.assert_allclose(one, two, atol=1e-12)


def test_analyses_take_their_steps_by_rows():
    """Else the march by rows would be compiled once more, for scratch that it does not use."""
    for analysis in (Flow(machine(BRANCHES)), Resting(machine(BRANCHES))):
        assert analysis._runner.work.tree is None


def test_it_can_be_pulled():
    live = Live(machine(BRANCHES))
    live.pull("B1", (0.0, 40.0, 0.0))
    live.go_to(0.1)
    pulled = simulate(machine(BRANCHES + "F1 B1 (0,40,0)\n", tran=(0.0, 0.1, 1e-3)))
    np.testing.assert_allclose(live.state()[0], pulled.q[-1], atol=1e-10)


def test_a_step_far_too_large_breaks_down_with_words():
    motion = simulate(machine(BRANCHES + "K1 B1 (5,5,5) 1e9\n", tran=(0.0, 10.0, 0.1), guard="OFF"))
    assert not motion.status.ok
    assert "R" in motion.status.constraint


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("R4 BC BD B1 B3", "R4 BC B1 B3"), "R4 is not on hinges alone"),
        (("R3 BE BF B2", "R3 BE BF B2 (-0.6,-0.4,0)"), "R3 is not on hinges alone"),
        ((BRANCHES.splitlines()[-1], "R4 BC BD B1 1 UNIFORM\nR5 BC BD B3 1 UNIFORM"), "R4 is thin"),
        (("R1 (0", "B9 (3,3,3) 1\nR1 (0"), "points move"),
        (("R1 (0,0,0) (0.05,1,0.1)", "R1"), "hangs on nothing"),
        (("R3 BE BF B2", "R3 BE BF B2 B1 B3"), "close a circle"),
        (("BA (0.1", "C1 B1 (2,0,0)\nBA (0.1"), "more than hinges"),
        (("BA (0.1", "M1 R2 R1 AXIS(BA,BB) ANGLE={time}\nBA (0.1"), "more than hinges"),
        (("BA (0.1", "W1 B1 PLANE(0,1,0,-3)\nBA (0.1"), "only at times"),
        (("BA (0.1", ".options INTEGRATOR=RATTLE\nBA (0.1"), "method"),
        (("BA (0.1", ".options DAESYSTEM=INDEX1\nBA (0.1"), "method"),
        (("(0.05,1,0.1)", "({0.05+0*time},1,0.1)"), "moves as told"),
    ],
    ids=lambda case: case[-1][:12] if isinstance(case, tuple) else "",
)
def test_who_is_none(change, why):
    assert why in hinges.why_no_tree(chainlist.parse(BRANCHES.replace(*change)))
