"""Rails that rub on both sides, and what a drive moves against friction: against formulas, and against SciPy."""

import math

import numpy as np
import pytest

import chainlist

RAIL = """* A block on a rough rail, pressed to one side and then to the other
B1 (0,0) 1 IC_VEL=(5,0)
S1 B1 LINE(0,1,0) MU=0.5
F1 B1 (0,{20*cos(5*time)})
.tran 0 1 1ms
.options gravity=0
"""
HOOP = """* A bead on a rough hoop
B1 (0.5,0) 0.1
S1 B1 CIRCLE((0,0),0.5) MU=0.2
.tran 0 2 1ms
"""
PULLED = """* A block that a rod pulls to and fro
B1 (0.1,0) 1
{rubs}
C1 B1 (1,0) LENGTH={{0.9-0.05*sin(10*time)}}
.tran 0 2 1ms
"""
CRANK = """* A motor, and a piston that rubs
B1 (0.06,0.08) 0.5
B2 (0.06+sqrt(0.35**2-0.08**2),0) 0.6
C1 (0,0) B1
C2 B1 B2
M1 C1 SPEED=12
S1 B2 LINE(0,1,0) MU=0.3
.tran 0 2 1ms
"""


def test_friction_turns_round_with_the_side_that_is_pressed():
    """v = 5 − μ ∫ |20 cos 5t| dt: 5 − 2 sin 5t until t = π/10, then 1 + 2 sin 5t, which is 0 at 7π/30."""
    motion = chainlist.simulate(RAIL)
    rests = 7 * math.pi / 30
    wanted = np.where(motion.t < math.pi / 10, 5 - 2 * np.sin(5 * motion.t), 1 + 2 * np.sin(5 * motion.t))
    assert np.abs(motion.v[:, 0, 0] - np.where(motion.t < rests, wanted, 0.0)).max() < 1e-9
    assert [(event.what, pytest.approx(event.time, abs=1e-9)) for event in motion.events] == [("sticks", rests)]
    assert motion.observe("Work").curves[0].values[-1] == pytest.approx(-12.5, abs=1e-9)


def test_a_bead_on_a_rough_hoop():
    """It starts at rest where nothing presses it, so that rounding alone would say which side it lies on."""
    from scipy.integrate import solve_ivp

    radius, mu, g = 0.5, 0.2, 9.81

    def slides(t, state):
        angle, speed = state
        presses = -g * math.sin(angle) + radius * speed * speed
        return speed, (-g * math.cos(angle) - mu * abs(presses) * math.copysign(1.0, speed)) / radius

    def turns(t, state):
        return state[1]

    turns.terminal = True
    angle, speed, t = 0.0, -1e-30, 0.0
    motion = chainlist.simulate(HOOP)
    for _ in range(3):
        leg = solve_ivp(slides, (t, 3.0), (angle, speed), "DOP853", rtol=1e-12, atol=1e-13, events=turns, max_step=0.01)
        at = (motion.t > t + 1e-3) & (motion.t < leg.t[-1])
        some = solve_ivp(slides, (t, leg.t[-1]), (angle, speed), "DOP853", motion.t[at], rtol=1e-12, atol=1e-13)
        found = np.arctan2(motion.q[at, 0, 1], motion.q[at, 0, 0])
        assert np.abs(np.exp(1j * found) - np.exp(1j * some.y[0])).max() < 1e-7
        t, angle = leg.t[-1], leg.y[0, -1]
        speed = 1e-30 if math.cos(angle) < 0 else -1e-30
    energy = motion.observe("Etotal").curves[0].values
    assert np.diff(energy).max() < 1e-12, "a fixed rail can only take"


@pytest.mark.parametrize("rubs", ["S1 B1 LINE(0,1,0) MU=0.3", "W1 LINE(0,1,0) MU=0.3"])
def test_what_a_rod_pulls_to_and_fro_never_sticks(rubs):
    """The rod pulls with m a + μ m g sign v, whatever friction says: its length tells the motion."""
    motion = chainlist.simulate(PULLED.format(rubs=rubs))
    t = motion.t
    speed, acceleration = 0.5 * np.cos(10 * t), -5.0 * np.sin(10 * t)
    wanted = acceleration + 0.3 * 9.81 * np.sign(speed)
    calm = np.abs(speed) > 1e-3
    assert np.abs(motion.observe("TENSION(C1)").curves[0].values - wanted)[calm].max() < 1e-8
    assert motion.report.energy_error < 1e-9 and not motion.events


def test_a_motor_drives_a_piston_that_rubs():
    motion = chainlist.simulate(CRANK)
    power = motion.observe("POWER(M1)").curves[0].values
    assert motion.report.energy_error < 1e-8 and not motion.events, "nothing jerks at the start, nothing sticks"
    work = motion.observe("Work").curves[0].values
    presses = np.abs(motion.observe("TENSION(S1)").curves[0].values)
    lost = 0.3 * presses * np.abs(motion.v[:, 1, 0])
    given = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(motion.t) * ((power - lost)[1:] + (power - lost)[:-1]))])
    assert np.abs(work - given).max() < 1e-3, "Work is what the motor gives and friction takes"


def test_a_piston_that_a_motor_held_still_slips_when_it_is_driven_on():
    text = CRANK.replace("SPEED=12", "SPEED={12*smooth(time,0.5,0.7)}")
    motion = chainlist.simulate(text)
    smooth = chainlist.simulate(text.replace(" MU=0.3", ""))
    assert np.abs(motion.q - smooth.q).max() < 1e-9 and motion.report.energy_error < 1e-8, "the motor tells the motion"
    rubs = motion.observe("TORQUE(M1)").curves[0].values - smooth.observe("TORQUE(M1)").curves[0].values
    assert np.abs(rubs[motion.t < 0.5]).max() < 1e-9 < 0.01 < np.abs(rubs[motion.t > 0.7]).max()
