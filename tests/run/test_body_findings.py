"""What a strict reader found in rigid bodies, each held by the number that showed it."""

from pathlib import Path

import numpy as np
import pytest

import chainlist
from chainlist.compile.checks import check
from chainlist.compile.findings import Findings
from chainlist.compile.messages import describe
from chainlist.compile.read import read
from chainlist.model.dump import dump
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.source import Source
from tests.references.bodies import bricard


def made(*cards, end=".options gravity=0\n.tran 0 0.1 10ms\n.plot Etotal"):
    return chainlist.parse("\n".join(("* Bodies", *cards, end)))


def last(machine, item, **more):
    return chainlist.simulate(machine, **more).observe(item).curves[0].values[-1]


def test_moments_that_are_given_count_beside_a_radius():
    omega = last(made("B1 (0,0) 0", "R1 B1 RADIUS=0.5 2 J=7", "T1 R1 {1}"), "OMEGA(R1)")
    assert omega == pytest.approx(0.1 / 7)


def test_a_shift_at_the_start_does_not_twist_a_body_on_two_points():
    machine = made(
        "B1 (0.3,0.1,0.2) 0 IC_POS=(1,0,0)",
        "B2 (1,0.7,0.5) 0 IC_POS=(1.7,0.6,0.3)",
        "R1 B1 B2 2 CG=(0.5,0.3,0) J=(0.2,0.2,0.2)",
    )
    np.testing.assert_allclose(machine.bodies[machine.body_index["R1"]].start, (1.2, 0.2, -0.2), atol=1e-14)


def test_a_torque_about_an_axis_that_is_no_hinge_is_refused():
    cards = ("B1 (0,0,0) 0", "B2 (0,0,1) 0", "R1 B1 B2 2 CG=(0,0,0.5) J=(0.2,0.2,0.2)", "T1 R1 AXIS(B1,B2) {1}")
    with pytest.raises(chainlist.ChainlistError, match="no hinge of R1"):
        made(*cards)


def test_the_force_at_a_moving_anchor_is_asked_for_by_its_start():
    machine = made("B1 (0,-1) 0", "R1 ({0.1*sin(5*time)},0) B1 1", end=".tran 0 0.1 10ms\n.plot Etotal")
    motion = chainlist.simulate(machine)
    force = motion.observe("JOINT(R1,(0,0))").curves[0].values
    acceleration = motion.observe("A(R1)").curves[0].values
    np.testing.assert_allclose(force, 1.0 * (acceleration + np.array([0.0, 9.81])), atol=1e-10)
    with pytest.raises(chainlist.ChainlistError, match="no point of R1"):
        chainlist.simulate(machine).observe("JOINT(R1,(7,7))")


def test_of_two_shared_points_the_split_is_not_unique():
    weld = ("B1 (1,0) 0", "B2 (2,0) 0", "R1 (0,0) B1 B2 1 CG=(1,0) J=1 OMEGA=2", "R2 B1 B2 3 CG=(1.5,0.5) J=1")
    motion = chainlist.simulate(made(*weld))
    assert not motion.observe("JOINT(R1,B1)").curves[0].unique
    assert motion.observe("JOINT(R1,(0,0))").curves[0].unique


def warnings(text):
    checked = read(Source("bodies.chain", text), Path())
    return [d for d in checked.diagnostics if d.code == "W301"]


def test_what_is_redundant_in_bricards_mechanism_is_named_once():
    (said,) = warnings(bricard.PROBLEMS[0].text)
    assert said.message == "R1, R2, R3, R4 and R5 are redundant: one of them says what the others say already"
    assert "rigid mechanics does not determine the forces" in said.help


def test_what_a_body_says_twice_by_itself_is_said_of_it_alone():
    machine, report = made("B1 (1,0) 0", "R1 (0,0) B1 1"), Diagnostics()
    freedom = check(machine).freedom
    describe(machine, Findings(freedom, redundant=(("R1",),)), report)
    (said,) = [d for d in report.diagnostics if d.code == "W301"]
    assert said.message == "R1 says something twice: one of its conditions follows from the others"


def test_joints_of_a_redundant_set_are_marked_and_carry_the_load_together():
    """A coupler on three parallel cranks: two would do."""
    cranks = [f"R{k} ({k},0) B{k} 1" for k in (1, 2, 3)]
    places = [f"B{k} ({k + 0.6},0.8) 0" for k in (1, 2, 3)]
    end = ".tran 0 0.1 1ms\n.plot Etotal"
    machine = made(*places, *cranks, "R4 B1 B2 B3 4 CG=(2.1,0.9) J=1", end=end)
    motion = chainlist.simulate(machine)
    joints = [motion.observe(f"JOINT(R4,B{k})").curves[0] for k in (1, 2, 3)]
    assert not any(joint.unique for joint in joints)
    load = 4.0 * (motion.observe("A(R4)").curves[0].values + np.array([0.0, 9.81]))
    np.testing.assert_allclose(sum(joint.values for joint in joints), load, atol=1e-9)
    assert "redundant: R4 (rigid mechanics does not determine the forces there" in str(motion.report)


WHEEL = """.submachine Wheel BA, BB, (x0,y0)
BA (x0,y0) 0
BB (x0+1,y0) 1
R1 BA 2 RADIUS=0.5
K1 ANGLE(R1) 3 A0=0.2
J1 BA (x0,y0)
C1 BB (x0,y0)
.end Wheel"""


@pytest.mark.parametrize("place", ["(1,0)", "(0,1)", "(-1,0)", "(0.6,-0.8)"])
def test_a_disk_turns_with_its_submachine(place):
    machine = made(WHEEL, "B1 (0,0) 0", f"B2 {place} 1", "X1 Wheel B1, B2")
    assert chainlist.simulate(machine).potential_energy[0] == pytest.approx(0.06)


def test_velocities_beside_a_point_without_mass():
    machine = made("B1 (0,1) 1", "B2 (1,0) 0", "C1 B1 ({0.6+time},1.8)", "C2 B1 B2", "S2 B2 LINE(0,1,0)")
    motion = chainlist.simulate(machine)
    np.testing.assert_allclose(motion.v[0, motion.bodies.index("B1")], (0.36, 0.48), atol=1e-9)


def test_the_kinetic_energy_of_a_rotor_is_that_of_the_body():
    card = "R1 (0,0,0) B1 2 {} CG=(0,1,0) J=(0.2,0.3,0.2) OMEGA=(1,30,0)"
    energies = [
        chainlist.simulate(made("B1 (0,2,0) 0", card.format(rotor))).kinetic_energy[0] for rotor in ("", "ROTOR")
    ]
    assert energies[0] == pytest.approx(energies[1], rel=1e-12)


def test_a_linkage_without_any_mass_is_refused():
    with pytest.raises(chainlist.ChainlistError, match="E303"):
        made("B1 (0.1,1) 0", "B2 (2,1.5) 0", "C1 (0,0) B1", "C2 B1 B2", "C3 B2 (2,0)")


def test_a_body_on_anchors_alone_runs():
    assert last(made("R1 (0,0) RADIUS=0.2 1 OMEGA=3"), "OMEGA(R1)") == pytest.approx(3.0)


def test_points_in_one_place_are_found_by_their_places():
    text = "* Two rods\nB1 (0,0) 0\nB2 (1,0) 0\nB3 (1,0) 0\nB4 (2,0) 0\nR1 B1 B2 1\nR2 B3 B4 1\nJ1 B1 (0,0)\n.tran 0 1 1ms\n.plot T\n"
    messages = [d.message for d in chainlist.parse(text).diagnostics if d.code == "W306"]
    assert messages and "B2 and B3" in messages[0]


def test_what_a_dump_prints_is_what_was_printed():
    machine = made("B1 (1,0) 0", "R1 (0,0) B1 1", end=".tran 0 0.1 10ms\n.print Bodies(POS)")
    again = chainlist.parse(dump(machine))
    assert [c.formula for c in again.prints[0].columns] == [c.formula for c in machine.prints[0].columns]


@pytest.mark.parametrize("contact", ["N1 R1 ROLL LINE(0,1,0)", "B1 (0,0) 1\nJ1 B1 (0,0)\nN1 RACK(R1,B1) RADIUS=0.1"])
def test_a_wheel_whose_axle_moves_as_told_rolls_with_it(contact):
    """0.5 m/s at a radius of 0.1 m: it turns by −5 rad/s; on a line, and on a rack that stands."""
    motion = chainlist.simulate(
        f"Axle\nR1 ({{0.5*time}},0.1) RADIUS=0.1 1\n{contact}\n", tran=(0, 1, 1e-3), integrator="RK4"
    )
    np.testing.assert_allclose(motion.observe("OMEGA(R1)").curves[0].values, -5.0, rtol=1e-12)
