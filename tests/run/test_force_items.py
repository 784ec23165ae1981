"""Accelerations, multipliers and tensions of runs, against mechanics on paper."""

import io

import numpy as np
import pytest

from chainlist.compile.read import parse
from chainlist.model.ask import ask_all
from chainlist.model.mechanism import Print
from chainlist.output.text_trace import TextTrace
from chainlist.run.simulate import simulate
from tests.motions import crosshair

PENDULUM = "* Pendulum\nB1 (1.5,0) 2\nC1 B1 (0,0)\n.tran 0 3 1E-3\n.options gravity=4\n"


@pytest.fixture(scope="module")
def pendulum():
    return simulate(parse(PENDULUM))


def values(trajectory, text):
    (curve,) = trajectory.observe(text).curves
    return curve.values


def test_the_tension_of_a_pendulum(pendulum):
    """m (g cos θ + v²/l), θ from the vertical."""
    q, v = pendulum.q[:, 0], pendulum.v[:, 0]
    tension = 2 * (4 * -q[:, 1] / 1.5 + (v**2).sum(1) / 1.5)
    assert values(pendulum, "TENSION(C1)") == pytest.approx(tension, abs=1e-9)
    assert pendulum.observe("TENSION(C1)").unit == "N" and pendulum.observe("TENSION(C1)").not_unique == ()
    assert values(pendulum, "LAMBDA(C1)") == pytest.approx(tension / (2 * 1.5), abs=1e-9)  # M a + Aᵀλ = F, A = 2 q
    assert pendulum.observe("LAMBDA(C1)").unit == "N/m"


def test_accelerations_are_slopes_of_velocities(pendulum):
    v, h = pendulum.v[:, 0], 1e-3
    slope = (v[:-4] - 8 * v[1:-3] + 8 * v[3:-1] - v[4:]) / (12 * h)
    assert values(pendulum, "A(B1)")[2:-2] == pytest.approx(slope, abs=1e-8)
    assert np.array_equal(values(pendulum, "AX(B1)"), values(pendulum, "A(B1)")[:, 0])
    assert np.array_equal(values(pendulum, "AY(B1)"), values(pendulum, "A(B1)")[:, 1])
    residue = values(pendulum, "{2*A(B1)-(0*A(B1))}")
    assert residue == pytest.approx(2 * values(pendulum, "A(B1)"))


def test_energy_is_that_of_the_start(pendulum):
    assert values(pendulum, "Etotal") == pytest.approx(np.zeros(3001), abs=1e-9)
    assert values(pendulum, "T") == pytest.approx(-values(pendulum, "U"), abs=1e-9)


def test_forces_of_sliders():
    """Crossed rails, equal masses, no gravity: the rod pulls with m t-independent force 1; rails carry nothing."""
    text = "* C\nB1 (0,0) 1 IC_VEL=(1,0)\nB2 (0,1) 1\nC1 B1 B2\nS1 B1 LINE(0,2,0)\nS2 B2 LINE(1,0,0)\n"
    run = simulate(parse(text + ".tran 0 2 1E-3\n.options gravity=0\n"))
    t = run.t
    assert values(run, "A(B1)")[:, 0] == pytest.approx(-np.sin(t), abs=1e-9)
    assert values(run, "TENSION(C1)") == pytest.approx(np.ones(len(t)), abs=1e-8)
    # the rod pulls B1 towards B2 with (-sin t, cos t): the rail holds it down with -cos t along (0,2)
    assert values(run, "TENSION(S1)") == pytest.approx(-np.cos(t), abs=1e-8)
    assert values(run, "TENSION(S2)") == pytest.approx(-np.sin(t), abs=1e-8)


def test_forces_that_are_not_unique_are_marked():
    run = simulate(parse("* L\nB1 (-1,0) 1\nB2 (1,0) 2\nC1 B1 (0,0)\nC2 B2 (0,0)\nC3 B1 B2\n.tran 0 1 1E-3\n"))
    found = run.observe("TENSION(ALL)")
    assert found.not_unique == ("C1", "C2", "C3")
    # what the links do together is unique: along the bar, B1 is held by C1 and C3
    theta = np.arctan2(run.q[:, 0, 1], run.q[:, 0, 0])
    along = np.stack([np.cos(theta), np.sin(theta)], -1)
    weight = 9.81 * along[:, 1]  # gravity pulls outwards with -m g sin
    spin2 = (run.v[:, 0] ** 2).sum(1)
    inwards = spin2 - weight
    assert found.curves[0].values + found.curves[2].values == pytest.approx(inwards, abs=1e-7)
    shear = run.observe("SHEAR(C3)").curves[0].values
    assert shear[0] == pytest.approx(13.08, abs=1e-6)  # 4 g / 3


def test_a_trace_written_in_chunks_holds_the_same_forces(pendulum):
    columns = ask_all(pendulum.mechanism, "Time TENSION(C1) A(B1)", pictures=False)
    request = Print("a.txt", None, None, columns)
    out = io.StringIO()
    trace = TextTrace(out, pendulum.mechanism, request)
    simulate(pendulum.mechanism, receive=trace.write)
    rows = [line.split() for line in out.getvalue().partition("DATA SECTION\n")[2].splitlines()]
    assert len(rows) == 3001 and rows[1][0] == "0.001" and rows[7][2].startswith("B1(")
    tension = np.array([float(row[1]) for row in rows])
    assert tension == pytest.approx(values(pendulum, "TENSION(C1)"), abs=1e-10)


def test_traces_without_velocities_have_no_forces():
    import dataclasses

    from chainlist.syntax.errors import ChainlistError

    with pytest.raises(ChainlistError, match=r"V\(ALL\)"):
        dataclasses.replace(crosshair(), v=None).observe("TENSION(C1)")


GEARED = (
    "* Gears\nB1 (1,0) 1\nB2 (3,0) 1\nB3 (5,1) 1\nC1 (0,0) B1\nC2 (2,0) B2\nN1 GEAR(C1,C2) RATIO=2\n"
    "N2 {VX(B3)-VY(B3)}\nM1 C1 ANGLE={time**2}\n"
    "K1 ANGLE(B2,B1) 3\nK2 B1 B2 2 L0=1\nD1 ANGLE(B1,B2) 0.1\nT1 C1 {0.5}\nG1 {X(B3)**2+Y(B3)-26}\n"
    ".options gravity=0\n.tran 0 0.1 10ms\n"
)


def test_all_tensions_and_all_forces_are_forces_and_torques_have_their_own_unit():
    run = simulate(parse(GEARED.replace("K1 ANGLE(C2,C1)", "K1 ANGLE(B2,B1)")))
    for item, names in (("TENSION(ALL)", ("C1", "C2")), ("FORCE(ALL)", ("K2",)), ("TORQUE(ALL)", ("M1", "T1"))):
        found = run.observe(item)
        assert found.names == names and found.unit == ("N m" if item == "TORQUE(ALL)" else "N"), item
    units = {text: run.observe(text).unit for text in ("TENSION(N1)", "FORCE(K1)", "FORCE(D1)", "POWER(K1)/OMEGA(C1)")}
    assert units == dict.fromkeys(units, "N m")
    assert {run.observe(text).unit for text in ("TENSION(N2)", "TENSION(G1)", "TENSION(C1)+TENSION(G1)")} == {""}


def test_a_gear_carries_the_torque_that_turns_the_second_link():
    """ω2 = −ω1/2, so α2 = −1: the gear gives RATIO·TENSION to the second link, J = 1, against −1."""
    text = "* G\nB1 (1,0) 1\nB2 (3,0) 1\nC1 (0,0) B1\nC2 (2,0) B2\nN1 GEAR(C1,C2) RATIO=2\nM1 C1 ANGLE={time**2}\n"
    run = simulate(parse(text + ".options gravity=0\n.tran 0 0.5 1ms\n"))
    assert np.abs(2 * values(run, "TENSION(N1)")) == pytest.approx(np.ones(len(run)), abs=1e-8)
    assert values(run, "TORQUE(M1)") == pytest.approx(np.full(len(run), 2 + 0.5), abs=1e-8)
