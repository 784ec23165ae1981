"""Rigid bodies: defaults against motions computed without the program."""

import numpy as np
import pytest

import chainlist
from tests.references.bodies.chains import CHAINS
from tests.references.bodies.table import BODIES

SAMPLES = 60
NAMES = [pytest.param(name, marks=pytest.mark.long) if p.long else name for name, p in BODIES.items()]


@pytest.fixture(scope="module")
def motions():
    """Each text is run once for all its questions."""
    done = {}

    def run(name):
        if name not in done:
            done[name] = chainlist.simulate(BODIES[name].text)
        return done[name]

    return run


def errors(problem, motion):
    """The largest difference in every item that is known, over its limit."""
    at = np.unique(np.linspace(0, len(motion.t) - 1, SAMPLES).astype(int))
    wanted = problem.values(motion.t[at])
    found = {item: motion.observe(item).curves[0].values for item in wanted}
    for item, values in found.items():
        if item.startswith("ANGLE"):
            found[item] = values - values[0]
    return {item: np.abs(found[item][at] - wanted[item]).max() / problem.allowed(item) for item in wanted}


@pytest.mark.parametrize("name", NAMES)
def test_motion(name, motions):
    problem, motion = BODIES[name], motions(name)
    assert motion.status.ok
    assert motion.t[-1] == problem.span
    over = errors(problem, motion)
    assert {item: error for item, error in over.items() if not error < 1} == {}


@pytest.mark.parametrize("chain", [pytest.param(p, id=n, marks=[pytest.mark.long] * p.long) for n, p in CHAINS.items()])
def test_chains_of_random_bodies(chain):
    motion = chainlist.simulate(chain.text)
    assert motion.status.ok
    assert {item: error for item, error in errors(chain, motion).items() if not error < 1} == {}


@pytest.mark.parametrize("name", NAMES)
def test_constraints_and_energy(name, motions):
    problem, motion = BODIES[name], motions(name)
    report = motion.report
    assert report.residual is None or report.residual.value <= problem.residual
    assert report.start_moved == pytest.approx((0.0, 0.0), abs=1e-13)
    kinetic = motion.observe("T").curves[0].values.max()
    assert report.energy_error <= problem.balance * max(1.0, kinetic)


ROD = """* A rod between two links
B1 (0.3,-0.4) 0.1
B2 (1.5,-0.9) 0.2
C1 (0,0) B1
C2 B2 (2,0)
{rod}
K1 B2 (1,1) 20 L0=0.5
.tran 0 5 1E-3
"""
AS_BODY = "R1 B1 B2 3"
AS_MASSES = """B3 (0.9,-0.65) 2
J1 B1 B4
B4 (0.3,-0.4) 0.5
J2 B2 B5
B5 (1.5,-0.9) 0.5
C3 B1 B2
C4 B1 B3
C5 B3 B2"""


def test_a_rod_is_three_masses():
    """m/6 at the ends and 2m/3 in the middle have the mass, the centre and the moment of a rod: the same motion."""
    body, masses = (chainlist.simulate(ROD.format(rod=rod)) for rod in (AS_BODY, AS_MASSES))
    for item in ("X(B1)", "Y(B1)", "X(B2)", "Y(B2)", "VX(B2)", "Work", "T"):
        one, other = (motion.observe(item).curves[0].values for motion in (body, masses))
        assert np.abs(one - other).max() < 1e-11


def test_velocities_of_points_that_do_not_fit_are_put_right():
    """Like those of point masses: the nearest that fit, and the report says by how much."""
    text = "* A rod\nB1 (0,1) {mass} IC_VEL=(1,0.1)\n{hold}\n.tran 0 1E-2 1E-3\n"
    for mass, hold in (
        (0, "R1 (0,0) B1 1"),
        (1, "C1 (0,0) B1"),
        (0, "B2 (1,1) 0\nR1 (0,0) B1 1\nR2 B1 B2 1\nR3 B2 (1,0) 1"),
    ):
        motion = chainlist.simulate(text.format(mass=mass, hold=hold))
        speed = [motion.observe(item).curves[0].values[0] for item in ("VX(B1)", "VY(B1)")]
        assert speed == pytest.approx([1.0, 0.0], abs=1e-15)
        assert motion.report.start_moved == pytest.approx((0.0, 0.1), abs=1e-15)


@pytest.mark.parametrize("name", ["thrown_body", "thrown_rod_by_omega"])
def test_angular_momentum_of_a_free_body(name, motions):
    """About the centre of mass it stays, whatever the weight."""
    assert spread_of_momentum(motions(name)) < 1e-12


def test_rattle_keeps_angular_momentum_through_flips():
    """RK4 keeps it to the order of its step, here 1e-11; a symplectic method to rounding."""
    text = BODIES["dzhanibekov"].text
    motion = chainlist.simulate(text.replace("gravity=0", "gravity=0 INTEGRATOR=RATTLE4"))
    assert spread_of_momentum(motion) < 1e-12


def spread_of_momentum(motion):
    found = motion.observe("H(R1)").curves[0].values.reshape(len(motion.t), -1)
    assert np.abs(found).max() > 0.1
    return np.ptp(found, axis=0).max() / np.linalg.norm(found[0])


def test_angular_momentum_of_bodies_that_a_motor_bends(motions):
    assert np.abs(together(motions("rods_bent_by_motor"))).max() < 1e-12


def together(motion):
    """Angular momentum about the origin, which the common centre does not leave."""
    total = 0.0
    for name, mass in (("R1", 1.5), ("R2", 0.6)):
        x, y, u, w = (motion.observe(f"{c}({name})").curves[0].values for c in ("X", "Y", "VX", "VY"))
        total = total + mass * (x * w - y * u) + motion.observe(f"H({name})").curves[0].values
    return total


BLADE = """* A body in a submachine
{stand}
.submachine Blade BA, BB, (x0,y0)
BA (x0,y0) 0.1
BB (x0+1,y0) 0.2
B3 (x0+0.5,y0+0.4) 0
R1 BA BB B3 2 CG=(x0+0.4,y0+0.2) J=0.3 OMEGA=1.5
T1 R1 {{0.5}}
.end Blade
X1 Blade B1, B2
.tran 0 1 1E-3
"""
SOLID = """* A solid in a submachine
{stand}
.submachine Solid BA, BB, BC, (x0,y0,z0)
BA (x0,y0,z0) 0.1
BB (x0+1,y0,z0) 0.2
BC (x0,y0+1,z0+0.5) 0.1
B3 (x0+0.5,y0+0.4,z0+0.3) 0
R1 BA BB BC B3 2 CG=(x0+0.4,y0+0.2,z0+0.1) J=(0.5,0.6,0.7,0.05,-0.04,0.03) OMEGA=(1,2,3)
.end Solid
X1 Solid B1, B2, B4
.tran 0 1 1E-3
"""
DIRECT = "* The same, written out\n{stand}\n{inside}\n.tran 0 1 1E-3\n"
INSTANCES = {
    "turned": (
        BLADE,
        "B1 (3,0) 0.1\nB2 (3,1) 0.2",
        "B3 (2.6,0.5) 0\nR1 B1 B2 B3 2 CG=(2.8,0.4) J=0.3 OMEGA=1.5\nT1 R1 {0.5}",
    ),
    "mirrored": (
        BLADE,
        "B1 (3,0) 0.1\nB2 (2,0) 0.2",
        "B3 (2.5,0.4) 0\nR1 B1 B2 B3 2 CG=(2.6,0.2) J=0.3 OMEGA=-1.5\nT1 R1 {-0.5}",
    ),
    "turned in space": (  # (x, y, z) → (−y, x, z), so that Jxy and Jyz change their sign, and Jxz and Jyz their place
        SOLID,
        "B1 (3,0,0) 0.1\nB2 (3,1,0) 0.2\nB4 (2,0,0.5) 0.1",
        "B3 (2.6,0.5,0.3) 0\nR1 B1 B2 B4 B3 2 CG=(2.8,0.4,0.1) J=(0.6,0.5,0.7,-0.05,-0.03,-0.04) OMEGA=(-2,1,3)",
    ),
}


@pytest.mark.parametrize("name", INSTANCES)
def test_a_body_in_a_submachine_is_carried_along(name):
    """CG, J, OMEGA and torques go with the instance, in a mirror too."""
    machine, stand, written_out = INSTANCES[name]
    inside = chainlist.simulate(machine.format(stand=stand))
    direct = chainlist.simulate(DIRECT.format(stand=stand, inside=written_out))
    letters = "XYZ" if "space" in name else "XY"
    pairs = [(f"{c}(X1.B3)", f"{c}(B3)") for c in letters] + [(f"V{c}(B2)", f"V{c}(B2)") for c in letters]
    for one, other in pairs:
        found, wanted = inside.observe(one).curves[0].values, direct.observe(other).curves[0].values
        assert np.abs(found - wanted).max() < 1e-12
