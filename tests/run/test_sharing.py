"""Bodies on several feet: rigid mechanics tells the sum of their friction, and no foot slips before all can hold no more."""

import math

import numpy as np
import pytest

import chainlist

CRATE = """* A crate on a rough floor
.param mu=0.5
B1 (0,0) 0
B2 (1,0) 0
B3 (1,0.6) 0
B4 (0,0.6) 0
{more}
R1 B1 B2 B3 B4 {feet}2 UNIFORM
W1 {standing} LINE(0,1,0) MU=mu
F1 B3 ({{{push}}},0)
.tran 0 2 1ms
.plot X(B1)
"""
WEIGHT = 2 * 9.81
PUSHES = {
    "8*time": lambda t: 8 * t,
    "11.5*sin(3*time)": lambda t: 11.5 * math.sin(3 * t),
    "10.5*sin(9*time)": lambda t: 10.5 * math.sin(9 * t),
}


def pushed(push, feet=(), **settings):
    more = "\n".join(f"B{5 + n} ({x},0) 0" for n, x in enumerate(feet))
    names = [f"B{5 + n}" for n in range(len(feet))]
    text = CRATE.format(push=push, more=more, feet="", standing=" ".join(["B1", "B2", *names]))
    if names:  # the outline is that of the crate: a mass, its middle and its moment in place of UNIFORM
        held = "B1 B2 B3 B4 " + " ".join(names)
        text = text.replace("R1 B1 B2 B3 B4 2 UNIFORM", f"R1 {held} 2 CG=(0.5,0.3) J={2 * (1 + 0.36) / 12}")
    return chainlist.simulate(text, **settings)


def slid(push, mu, h=1e-4):
    """How far a block goes in 2 s that friction holds, by small steps; it starts at rest."""
    x = v = 0.0
    way, steps = 0.0, round(2 / h)
    for n in range(steps):
        force = push((n + 0.5) * h)
        if way == 0.0:
            if abs(force) <= mu * WEIGHT:
                continue
            way = math.copysign(1.0, force)
        after = v + h * (force - mu * WEIGHT * way) / 2
        if after * way < 0.0:
            x, v, way = x + 0.5 * v * h, 0.0, 0.0
        else:
            x, v = x + 0.5 * h * (v + after), after
    return x


@pytest.mark.parametrize("feet", [(), (0.3,), (0.25, 0.6)], ids=["two", "three", "four"])
@pytest.mark.parametrize("push", ["0", "4", "3*time", "6*sin(3*time)", "-9*sin(5*time)"])
def test_what_can_be_held_stays(push, feet):
    run = pushed(push, feet)
    assert run.status.ok and run.events == ()
    assert np.abs(run.q - run.q[0]).max() < 1e-9


@pytest.mark.parametrize("feet", [(), (0.3,)], ids=["two", "three"])
@pytest.mark.parametrize("push", PUSHES)
def test_what_cannot_be_held_slips_when_all_feet_are_spent(push, feet):
    run = pushed(push, feet)
    reference = slid(PUSHES[push], 0.5)
    assert run.status.ok
    assert run.q[-1, 0, 0] - run.q[0, 0, 0] == pytest.approx(reference, abs=2e-5)
    first = next(event for event in run.events if event.what == "slips")
    assert PUSHES[push](first.time) == pytest.approx(0.5 * WEIGHT, rel=1e-9)
    assert len(run.events) <= 60


def test_friction_is_shared_in_proportion_to_what_each_foot_can_take():
    """Pushed at its middle height, and held well below the limit: of friction as of weight the feet take the same parts."""
    run = pushed("4")
    assert run.report.energy_error < 1e-12
    (tension,) = run.observe("TENSION(W1)").curves
    assert tension.values == pytest.approx(WEIGHT, rel=1e-12)


def test_a_crate_on_a_slope_slips_at_its_angle():
    for degrees, stays in ((26.5, True), (26.6, False)):  # tan 26.565° = 0.5
        g, a = 9.81, math.radians(degrees)
        text = CRATE.format(push="0", more="", feet="", standing="B1 B2")
        run = chainlist.simulate(f"{text}.options gravity=({g * math.sin(a)!r},{-g * math.cos(a)!r})\n")
        moved = run.q[-1, 0, 0] - run.q[0, 0, 0]
        assert run.status.ok and moved == pytest.approx(
            0.0 if stays else 0.5 * g * (math.sin(a) - 0.5 * math.cos(a)) * 4, abs=1e-9
        )
