"""Measures at corners of a motion: breakpoints of the time, and friction that turns round. Against formulas, whatever the step."""

import math

import pytest

import chainlist

G = 9.81
STEPS = ("1ms", "7ms", "13ms")

FLYWHEEL = """* Flywheel: run up, hold, brake
B1 (0,0) 0
R1 B1 2 RADIUS=0.3
J1 B1 (0,0)
M1 R1 SPEED={pwl(time,0,0,0.5,10,1.2,10,1.5,0)}
.tran 0 2 @
"""
CART = """* A cart, pushed and braked
B1 (0,0) 2
S1 B1 LINE(0,1,0)
F1 B1 ({if(time<0.3337,6,-6)},0)
.tran 0 1 @
.options gravity=0
"""
RUB = """* A block that is pushed to and fro, and rubs
B1 (1,0) 2
S1 B1 LINE(0,1,0) MU=0.3
C1 (0,0) B1 LENGTH={1+0.2*sin(2*pi*time)}
.tran 0 1 @
"""
SLOPE = f"""* A block that slides up a slope, and back
.param s=25deg v=3
B1 (0,0) 1.3 IC_VEL=(v*cos(s),v*sin(s))
W1 LINE(-sin(s),cos(s),0) MU=0.2 MUS=0.25
.options gravity={G}
.tran 0 2 @
"""
PULSES = """* Many short pushes between two samples
B1 (0,0) 2
S1 B1 LINE(0,1,0)
F1 B1 ({pulse(time,0,8,0.0123,0,0,0.0037,0.01)},0)
.tran 0 1 1ms
.options gravity=0 save=@
"""
THROWER = """* A sling that lets go
.param long=4m short=1m a=45deg h=3m rel=55deg
BS (short*cos(a),h+short*sin(a)) 0
BL (-long*cos(a),h-long*sin(a)) 0
BW (short*cos(a),h+short*sin(a)-1) 100
BP (-long*cos(a)+3,h-long*sin(a)) 1
RA BS (0,h) BL 8
CW BS BW
CS BL BP ROPE CUT={VX(BP)>0 and VY(BP)<VX(BP)*tan(rel) and Y(BP)>h}
.tran 0 1 @
"""


def measured(text, step, asked):
    run = chainlist.simulate(text.replace("@", step))
    assert run.status.ok
    return run, chainlist.measure(run, asked)


@pytest.mark.parametrize("step", STEPS)
def test_a_drive_in_straight_pieces(step):
    """Its torque jumps where pieces meet: J α ω just before 0.5 s, and just behind 1.2 s."""
    asked = {
        "most": "MAX POWER(M1)",
        "least": "MIN POWER(M1)",
        "given": "INTEG POWER(M1)",
        "up": "INTEG POWER(M1) TO=0.5",
    }
    _, found = measured(FLYWHEEL, step, asked)
    inertia = 0.5 * 2 * 0.3**2
    assert found["most"] == pytest.approx(inertia * 20 * 10, rel=1e-6)
    assert found["least"] == pytest.approx(-inertia * 10 / 0.3 * 10, rel=1e-6)
    assert found["given"] == pytest.approx(0.0, abs=1e-5)
    assert found["up"] == pytest.approx(0.5 * inertia * 10**2, rel=1e-6)


@pytest.mark.parametrize("step", STEPS)
def test_a_force_that_jumps(step):
    asked = {
        "power": "MAX POWER(F1)",
        "fast": "MAX VX(B1)",
        "when": "WHEN {AX(B1)<0}",
        "given": "INTEG POWER(F1)",
        "work": "FIND Work AT=0.3337",
        "later": "FIND Work AT=0.4",
        "mean": "AVG VX(B1)",
    }
    _, found = measured(CART, step, asked)
    turn, top = 0.3337, 3 * 0.3337
    at_end, at_04 = top - 3 * (1 - turn), top - 3 * (0.4 - turn)
    assert found["power"] == pytest.approx(6 * top, rel=1e-10)
    assert found["fast"] == pytest.approx(top, rel=1e-10)
    assert found["when"] == pytest.approx(turn, abs=1e-14)
    assert found["given"] == pytest.approx(at_end**2, rel=1e-9)
    assert found["work"] == pytest.approx(top**2, rel=1e-10)
    assert found["later"] == pytest.approx(at_04**2, rel=1e-7)
    assert found["mean"] == pytest.approx(0.5 * top * turn + 0.5 * (top + at_end) * (1 - turn), rel=1e-9)


@pytest.mark.parametrize("step", STEPS)
def test_friction_that_turns_round(step):
    """The drive gives m a, and friction against the slip, which turns where the block is farthest out: the force jumps there."""
    asked = {"most": "MAX TENSION(C1)", "turn": "WHEN VX(B1)=0", "taken": "INTEG POWER(S1)"}
    _, found = measured(RUB, step, asked)
    assert found["most"] == pytest.approx(2 * 0.2 * (2 * math.pi) ** 2 + 0.3 * 2 * 9.81, rel=1e-6)
    assert found["turn"] == pytest.approx(0.25, abs=1e-9)
    assert found["taken"] == pytest.approx(-0.3 * 2 * 9.81 * 0.8, rel=1e-6)


@pytest.mark.parametrize("step", STEPS)
def test_a_block_that_turns_back(step):
    asked = {"turn": "WHEN VX(B1)=0", "stands": "WHEN {SPEED(B1)<1e-6}", "least": "MIN SPEED(B1)", "far": "MAX X(B1)"}
    _, found = measured(SLOPE, step, asked)
    s, mu = math.radians(25), 0.2
    brake = G * (math.sin(s) + mu * math.cos(s))
    assert found["turn"] == pytest.approx(3 / brake, abs=1e-12)
    assert found["stands"] == pytest.approx((3 - 1e-6) / brake, abs=1e-12)
    assert found["least"] == pytest.approx(0.0, abs=1e-12)
    assert found["far"] == pytest.approx(3**2 / (2 * brake) * math.cos(s), rel=1e-12)


@pytest.mark.parametrize("save", ["1ms", "50ms"])
def test_several_breakpoints_between_two_samples(save):
    _, found = measured(
        PULSES, save, {"given": "INTEG POWER(F1)", "end": "FIND VX(B1) AT=END", "most": "MAX FORCE(F1)"}
    )
    assert found["end"] > 0.5
    assert found["given"] == pytest.approx(found["end"] ** 2, rel=1e-9)  # ½ m v²
    assert abs(found["most"]) <= 8 + 1e-12


@pytest.mark.parametrize("step", ["1ms", "5ms"])
def test_a_condition_and_the_event_of_that_condition_agree(step):
    run, found = measured(THROWER, step, {"when": "WHEN {VX(BP)>0 and VY(BP)<VX(BP)*tan(rel) and Y(BP)>h}"})
    (cut,) = (event.time for event in run.events if event.what == "is cut")
    assert found["when"] == pytest.approx(cut, abs=1e-13)


def test_a_drive_that_ends_with_the_run():
    _, found = measured(FLYWHEEL.replace("0 2", "0 0.5"), "1ms", {"most": "MAX POWER(M1)", "given": "INTEG POWER(M1)"})
    assert found["most"] == pytest.approx(18, rel=1e-9)
    assert found["given"] == pytest.approx(4.5, rel=1e-9)


PENDULUM = """* A pendulum, and items that jump
.param tb=0.3337
B1 (1,0) 1
C1 B1 (0,0)
.tran 0 1 7ms
.meas most MAX {if(time<tb,time,0)}
.meas long INTEG {if(time<tb,1,0)}
.meas when WHEN {if(time<tb,1,-1)<0}
"""


def test_items_with_corners_of_their_own():
    """Also of machines that batches take: these corners they do not see, however many members there are."""
    times = [0.1003 + 0.0087 * k for k in range(40)]
    table = chainlist.ensemble(PENDULUM, params={"tb": times}, workers=1)
    assert table.attrs["way"] == "one by one: the item of most has corners of its own"
    for name in ("most", "long", "when"):
        assert table[name].values == pytest.approx(times, abs=1e-13), name


def test_members_of_an_ensemble_have_the_same_corners():
    text = CART.replace("@", "7ms").replace("0.3337", "tb") + ".param tb=0.3337\n.meas power MAX POWER(F1)\n"
    times = [0.3337, 0.35, 0.4001]
    table = chainlist.ensemble(text, params={"tb": times}, workers=1)
    assert table["power"].values == pytest.approx([18 * t for t in times], rel=1e-10)
