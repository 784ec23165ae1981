"""Motion in space: against references, against the same machine in the plane, by every method, and in every trace."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import chainlist
from chainlist import formulations, integrators, solvers
from chainlist.analyses.pendulum import NotAPendulum, exact_positions
from chainlist.compile.read import load, parse
from chainlist.model.dump import dump
from chainlist.output.text_trace import TextTrace
from chainlist.output.traces import FORMATS, read_trace, write_trace
from chainlist.run.simulate import simulate
from tests.some import some

EXAMPLES = Path(chainlist.__file__).parent / "examples"
SPHERICAL = """* Spherical pendulum
B1 (0.6,-0.8,0) 1.3 IC_VEL=(0,0,1.5)
C1 B1 (0,0,0)
.tran 0 2 0.05
.options INTEGRATOR=DOP853 RELTOL=1E-12 ABSTOL=1E-13
.plot Time
"""


def spherical_angles(times):
    """θ from straight down and φ about the vertical, of a pendulum of length 1: its own equations, to 1e-13."""
    from scipy.integrate import solve_ivp

    def rates(_, y):
        theta, _phi, w, u = y
        s, c = math.sin(theta), math.cos(theta)
        return w, u, s * c * u * u - 9.81 * s, -2.0 * w * u * c / s

    start = (math.atan2(0.6, 0.8), 0.0, 0.0, 1.5 / 0.6)
    theta, phi, *_ = solve_ivp(rates, (0, times[-1]), start, "DOP853", times, rtol=1e-13, atol=1e-14).y
    return np.stack([np.sin(theta) * np.cos(phi), -np.cos(theta), np.sin(theta) * np.sin(phi)], 1)


def test_a_spherical_pendulum():
    motion = simulate(parse(SPHERICAL), target="python")
    assert motion.status.ok
    np.testing.assert_allclose(motion.q[:, 0], spherical_angles(motion.t), atol=1e-9)
    spin = motion.q[:, 0, 2] * motion.v[:, 0, 0] - motion.q[:, 0, 0] * motion.v[:, 0, 2]
    np.testing.assert_allclose(spin, spin[0], atol=1e-10)


def test_the_report_agrees_with_the_items():
    motion = simulate(parse(SPHERICAL), target="python")
    energy = motion.observe("Etotal").curves[0].values
    wanted = 1.3 * (0.5 * (motion.v[:, 0] ** 2).sum(1) + 9.81 * motion.q[:, 0, 1])
    np.testing.assert_allclose(energy, wanted, rtol=1e-14)
    assert motion.report.energy_error == pytest.approx(np.abs(energy - energy[0]).max(), rel=0.5, abs=1e-14)
    for axis, name in enumerate("XYZ"):
        for kind, values in (("", motion.q), ("V", motion.v)):
            np.testing.assert_array_equal(motion.observe(f"{kind}{name}(B1)").curves[0].values, values[:, 0, axis])
    a = np.stack([motion.observe(f"A{name}(B1)").curves[0].values for name in "XYZ"], 1)
    pull = motion.observe("TENSION(C1)").curves[0].values
    np.testing.assert_allclose(1.3 * a, -pull[:, None] * motion.q[:, 0] + [0, -1.3 * 9.81, 0], atol=1e-9)
    angle = motion.observe("ANGLE(B1,(0,0,0),(0,-1,0))").curves[0].values
    np.testing.assert_allclose(np.cos(angle), -motion.q[:, 0, 1], atol=1e-12)
    assert motion.observe("Q(B1)").components == "xyz"
    assert len(motion.observe("PHASE(B1)").curves) == 3


# A plane machine in space


def in_space(text):
    """The same machine with z = 0 everywhere."""
    number = r"(?:[-+0-9.eE]+|\{[^}]*\})"
    text = re.sub(rf"\(({number}),({number})\)", r"(\1,\2,0)", text)
    return re.sub(rf"LINE\(({number}),({number}),({number})\)", r"PLANE(\1,\2,0,\3)", text)


PLANE = {
    "double pendulum": "* t\nB1 (0,-1) 1\nB2 (1,-1) 1\nC1 B1 (0,0)\nC2 B2 B1\n",
    "springs": "* t\nB1 (1,0) 1 IC_VEL=(0,2)\nB2 (2,0.3) 2\nK1 B1 (0,0) 30 L0=0.8 DAMP=0.2\nK2 B1 B2 20\nD1 B2 0.3\n"
    "F1 B2 ({sin(3*time)},1)\n",
    "string": "* t\nB1 (-1,0) 1 IC_VEL=(0.3,0)\nB2 (1,0.4) 2\nC1 B1 (-1,2) (1,2) B2\n",
    "moving anchor": "* t\nB1 (1,0) 1\nC1 B1 ({0.2*sin(5*time)},0)\nC2 B1 B2\nB2 (1.5,-0.5) 1\n",
    "sliders": "* t\nB1 (0.2,0) 1 IC_VEL=(0,1)\nB2 (0.8,0) 2\nC1 (0,0) B1\nC2 B1 B2\nS1 B2 LINE(0,1,0)\n",
    "straight bar": "* t\nB1 (1,0) 1\nB2 (2,0) 1\nB3 (3,0) 1\nC1 B1 (0,0)\nC2 B1 B2\nC3 B1 B3\nC4 B2 B3\n",
}
GALLERY = ("paper/01", "paper/04", "paper/11", "four-bar-coupler", "jansen-leg", "spring-pendulum")


def texts():
    yield from PLANE.items()
    for name in GALLERY:
        (path,) = EXAMPLES.glob(f"{name}*.chain")
        yield name, dump(load(path))


@pytest.mark.parametrize(
    ("name", "text"),
    some(texts(), lambda made: made[0] != "paper/11"),  # nine links: dear
    ids=lambda value: value.split("\n")[0][:20],
)
def test_a_machine_of_the_plane_moves_the_same_in_space(name, text):
    settings = ".options GUARD=OFF DAESYSTEM=PROJECTED INTEGRATOR=RK4\n"
    left_out = (".tran", ".plot", ".print", ".options VIEW")
    lines = [line for line in text.splitlines() if not line.startswith(left_out)]
    body = "\n".join(lines) + "\n"
    machines = (parse(f"{cards}.tran 0 0.05 1ms\n.plot Time\n{settings}") for cards in (body, in_space(body)))
    flat, deep = (simulate(machine, target="python") for machine in machines)
    assert flat.q.shape[2] == 2 and deep.q.shape[2] == 3
    size = np.abs(flat.q).max()
    np.testing.assert_allclose(deep.q[:, :, :2], flat.q, atol=1e-12 * size)
    np.testing.assert_allclose(deep.v[:, :, :2], flat.v, atol=1e-10 * max(1.0, np.abs(flat.v).max()))
    assert not deep.q[:, :, 2].any() and not deep.v[:, :, 2].any()


# Methods

MACHINE = """* A pendulum of two, a spring, a rail
B1 (0.6,-0.8,0) 1 IC_VEL=(0,0,1)
B2 (0.6,-1.3,0.4) 0.7
B3 (0.5,0.5,0.5) 0.5
C1 B1 (0,0,0)
C2 B1 B2
S1 B3 PLANE(0,1,1,1)
S2 B2 SPHERE((0.6,-1.3,-0.6),1)
K1 B3 B1 20 L0=1
K2 ANGLE((0,0,0),B1,B2) 0.5
"""


def made(stop=0.1, step=0.01, **options):
    settings = " ".join(f"{key}={value}" for key, value in options.items())
    return parse(f"{MACHINE}.tran 0 {stop} {step}\n.options GUARD=OFF {settings}\n.plot Time\n")


@pytest.fixture(scope="module")
def exact():
    motion = simulate(made(INTEGRATOR="DOP853", RELTOL=1e-12, ABSTOL=1e-13), target="python")
    return motion.q


def choices():
    yield from (("PROJECTED", "AUTO", integrator) for integrator in integrators.REGISTRY)
    yield from ((system, "AUTO", "RK4") for system in formulations.REGISTRY)
    yield from ((system, algorithm, "RK4") for system in ("PROJECTED", "INDEX1") for algorithm in solvers.REGISTRY)


@pytest.mark.parametrize(("system", "algorithm", "integrator"), list(dict.fromkeys(choices())))
def test_every_method_runs_in_space(exact, system, algorithm, integrator):
    motion = simulate(made(DAESYSTEM=system, MPI_ALGO=algorithm, INTEGRATOR=integrator), target="python")
    assert motion.status.ok
    order = integrators.REGISTRY[integrator].order
    error = np.abs(motion.q - exact).max()
    assert error < {1: 2e-2, 2: 1e-3, 3: 1e-4}.get(order, 2e-5 if system == "PROJECTED" else 1e-3)
    assert error > 0.0 or integrator == "DOP853"


def test_compiled_and_interpreted_runs_have_equal_bits():
    compiled, interpreted = simulate(made()), simulate(made(), target="python")
    np.testing.assert_array_equal(compiled.q, interpreted.q)
    np.testing.assert_array_equal(compiled.v, interpreted.v)


def test_a_collar_on_a_rod_that_turns():
    """Two bodies on one ray from the origin, without gravity: energy and the vector of angular momentum stay."""
    text = """* Collar
B1 (1,0,0) 1 IC_VEL=(0,4,8)
B2 (0.5,0,0) 0.3
C1 B1 (0,0,0)
S1 B2 LINE((0,0,0),B1)
K1 B2 (0,0,0) 20 L0=0.5
.tran 0 0.5 5ms
.options gravity=0
.plot Time
"""
    motion = simulate(parse(text), target="python")
    assert motion.status.ok
    turned = motion.q[:, 0] @ motion.q[0, 0]
    assert turned.min() < -0.5  # well past a right angle, where rows across the start would be lost
    off = np.linalg.norm(np.cross(motion.q[:, 0], motion.q[:, 1]), axis=1)
    assert off.max() < 1e-13
    spin = np.cross(motion.q, motion.v)
    spin = spin[:, 0] + 0.3 * spin[:, 1]
    np.testing.assert_allclose(spin, np.broadcast_to(spin[0], spin.shape), atol=1e-6)
    assert motion.report.energy_error < 1e-5


@pytest.mark.parametrize("integrator", ["DOP853", "DOPRI5", pytest.param("SDIRK4", marks=pytest.mark.long)])
def test_a_bead_on_a_rod_that_is_turned(integrator):
    """On a rod that turns with ω without gravity r̈ = ω²r, whichever way the rod points: more than half a turn."""
    text = f"""* Bead
B1 (0.5,0,0) 1 IC_VEL=(0,0.6,0.8)
S1 B1 LINE((0,0,0),({{cos(2*time)}},{{0.6*sin(2*time)}},{{0.8*sin(2*time)}}))
.tran 0 1.6 10ms
.options gravity=0 INTEGRATOR={integrator} RELTOL=1E-9
.plot Time
"""
    with np.errstate(all="ignore"):  # branches are chosen before the anchor has its first place
        motion = simulate(parse(text), target="python")
    assert motion.status.ok
    t = motion.t[:, None]
    along = np.hstack([np.cos(2 * t), 0.6 * np.sin(2 * t), 0.8 * np.sin(2 * t)])
    np.testing.assert_allclose(motion.q[:, 0], 0.5 * np.cosh(2 * t) * along, rtol=0, atol=1e-7)
    across = np.hstack([-np.sin(2 * t), 0.6 * np.cos(2 * t), 0.8 * np.cos(2 * t)])
    push = motion.observe("TENSION(S1)").curves[0].values  # Coriolis: 2 ω ṙ, across the rod
    np.testing.assert_allclose(push, 4 * np.sinh(2 * motion.t), atol=1e-4)
    assert np.abs(motion.observe("A(B1)").curves[0].values - push[:, None] * across).max() < 1e-4


# Traces


def sampled():
    text = (
        MACHINE
        + '.options gravity=(1,-9,0.5)\n.tran 0 0.05 0.01\n.print TEXTTRACEFILE="a.txt" Time Q(ALL) V(ALL) Z(B1)*2 Etotal\n'
    )
    return simulate(parse(text), target="python")


def test_a_text_trace_reads_back_equal(tmp_path):
    motion = sampled()
    path = tmp_path / "a.txt"
    with TextTrace.create(path, motion.mechanism, motion.mechanism.prints[0]) as trace:
        trace.write(motion)
    rows = path.read_text(encoding="utf-8").partition("DATA SECTION\n")[2].splitlines()
    assert rows[0].startswith("0 B1(0.6,-0.8,0) B2(0.6,-1.3,0.4) B3(0.5,0.5,0.5) V(B1)(")
    found = read_trace(path)
    assert found.mechanism.gravity == (1.0, -9.0, 0.5)
    np.testing.assert_array_equal(found.q, motion.q)
    np.testing.assert_array_equal(found.v, motion.v)
    np.testing.assert_array_equal(found.observe("Z(B1)*2").curves[0].values, 2 * motion.q[:, 0, 2])


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("known", [True, False])
def test_binary_traces_read_back_equal(tmp_path, suffix, known):
    motion = sampled()
    path = tmp_path / f"a{suffix}"
    write_trace(motion, path)
    found = read_trace(path, motion.mechanism if known else None)
    np.testing.assert_array_equal(found.q, motion.q)
    np.testing.assert_array_equal(found.v, motion.v)
    assert found.mechanism.dimension == 3


def test_tables_with_names():
    motion = sampled()
    data = motion.to_xarray()
    assert list(data.axis.values) == ["x", "y", "z"]
    np.testing.assert_array_equal(data.q.sel(body="B2", axis="z"), motion.q[:, 1, 2])
    frame = motion.to_pandas()
    np.testing.assert_array_equal(frame["VZ(B3)"], motion.v[:, 2, 2])
    assert list(frame)[:4] == ["X(B1)", "Y(B1)", "Z(B1)", "X(B2)"]


def test_a_table_of_the_plane_does_not_belong_to_a_machine_in_space(tmp_path):
    flat = simulate(parse("* t\nB1 (1,0) 1\nB2 (2,0) 1\nB3 (3,0) 1\n.tran 0 0.1 0.1\n.plot Time\n"), target="python")
    write_trace(flat, tmp_path / "a.csv")
    with pytest.raises(chainlist.ChainlistError, match="2 coordinates, those of the mechanism 3"):
        read_trace(tmp_path / "a.csv", made())


def test_the_exact_pendulum_is_one_of_the_plane():
    with pytest.raises(NotAPendulum, match="in the plane"):
        exact_positions(parse(SPHERICAL), np.zeros(1))


def test_a_corner_of_an_angle_between_arms_is_found():
    """The formula of a constraint is followed in space as it is in a run: 1 rad is passed on both sides of the plane."""
    cards = (
        "* t\nB1 (1,0,0) 1\nB2 (0,0,0) 1\nB3 (0,1,0) 1\nG1 {abs(ANGLE(B1,B2,B3)-1)-0.5}\n.tran 0 1 1ms\n.plot Time\n"
    )
    with pytest.raises(chainlist.ChainlistError, match="E232"):
        parse(cards)


# Rigid bodies in a submachine that is mirrored

TOP = """.submachine Top BA, BB, BC, BD, (x0,y0,z0)
BA (x0,y0,z0) 0
BB (x0+1.5,y0,z0) 0
BC (x0+0.4,y0+1,z0+0.3) 0
BD (x0+0.3,y0+0.2,z0+1) 1
R1 BA BB BC 2 CG=(x0+0.5,y0+0.3,z0+0.1) J=(1,1.2,1.5,0.1,0.05,0.02) OMEGA=(0.5,1,-0.7)
J1 BA (x0,y0,z0)
C2 BB BD
%s
.end
"""


@pytest.mark.parametrize(
    "card",
    [
        "T1 R1 ({1},{2},{-1})",
        "T1 R1 AXIS((x0,y0,z0),(x0,y0+1,z0+0.2)) {3}",
        "K1 ANGLE(R1) AXIS((x0,y0,z0),(x0,y0+1,z0+0.2)) 3 A0=0.5",
        "K1 ANGLE(BB,BA,BD) 3 A0=0.5",
        "F1 BB ({1},{Z(BB)-z0},0)",
    ],
)
def test_a_mirrored_instance_moves_like_its_picture(card):
    """Spins and torques go the other way in a mirror, angles between arms do not."""
    ending = ".options gravity=0\n.tran 0 0.1 0.01\n.plot Time\n"
    top = TOP % card
    if "AXIS" in card:  # an axis must be a hinge
        top = top.replace("R1 BA BB", "R1 (x0,y0,z0) (x0,y0+1,z0+0.2) BB")
    still = parse(f"* t\n{top}X1 Top B1 B2 B3 B4 (0,0,0)\n{ending}")
    bodies = ("B1 (5,3,1) 0", "B2 (6.5,3,1) 0", "B3 (5.4,4,0.7) 0")
    mirrored = parse("\n".join(("* t", top, *bodies, "X1 Top B1 B2 B3 B4", ending)))
    found = []
    for machine in (still, mirrored):
        motion = simulate(machine, target="python")
        assert motion.status.ok
        found.append(motion.q[:, [motion.bodies.index(name) for name in ("B1", "B2", "B3", "B4")]])
    np.testing.assert_allclose(found[1], found[0] * (1, 1, -1) + (5, 3, 1), atol=1e-12)
    assert np.abs(found[0][-1] - found[0][0]).max() > 0.05
