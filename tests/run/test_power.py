"""POWER of what holds only at times and of what rubs, against formulas, and its integral against `Work`."""

import math

import pytest

import chainlist

G = 9.81
TAIL = f"\n.tran 0 1 1ms\n.options gravity={G}\n"
FREE = "\n.tran 0 1 1ms\n.options gravity=0\n"
SLOPE = math.radians(20)

# title: text, element, its power over the time (None: only its integral is known)
CASES = {
    "a motor that will let go": (
        "B1 (0.5,0) 2\nC1 (0,0) B1\nM1 C1 SPEED={8*time} RELEASE={time>1}" + FREE,
        ("M1", lambda t: 2 * 0.5**2 * 8 * 8 * t),  # J ω dω/dt
    ),
    "a motor that has let go": (
        "B1 (0.5,0) 2\nC1 (0,0) B1\nM1 C1 SPEED={8*time} RELEASE={time>0.1}" + FREE,
        ("M1", lambda t: 0.0),
    ),
    "a rope that is wound up": (
        "B1 (0,-2) 2\nC1 B1 (0,0) ROPE LENGTH={2-0.5*time**2}" + TAIL,
        ("C1", lambda t: 2 * (G + 1) * t),
    ),
    "a link on a moving anchor, that will be cut": (
        "B1 (-1,0) 2\nC1 B1 ({0.5*time**2},0) CUT={time>0.9}" + FREE,
        ("C1", lambda t: 2 * t),
    ),
    "a link that may break, and is drawn in": (
        "B1 (0,-2) 2\nC1 B1 (0,0) LENGTH={2-0.5*time**2} BREAK=1000" + TAIL,
        ("C1", lambda t: 2 * (G + 1) * t),
    ),
    "a wall that rises": ("B1 (0,0) 2\nW1 LINE(0,1,{0.5*time**2})" + TAIL, ("W1", lambda t: 2 * (G + 1) * t)),
    "a belt under a block that slips": (
        "B1 (0,0) 2\nW1 LINE(0,1,0) MU=0.3 BELT=9" + TAIL,
        ("W1", lambda t: 2 * (0.3 * G) ** 2 * t),  # whichever way it runs
    ),
    "a floor that rubs": (
        "B1 (0,0) 2 IC_VEL=(5,0)\nW1 LINE(0,1,0) MU=0.3" + TAIL,
        ("W1", lambda t: -0.3 * 2 * G * (5 - 0.3 * G * t)),
    ),
    "a slider that rubs": (
        "B1 (0,0) 2 IC_VEL=(5,0)\nS1 B1 LINE(0,1,0) MU=0.3" + TAIL,
        ("S1", lambda t: -0.3 * 2 * G * (5 - 0.3 * G * t)),
    ),
    "a floor in space": (
        "B1 (0,0,0) 2 IC_VEL=(4,0,3)\nW1 PLANE(0,1,0,0) MU=0.3" + TAIL,
        ("W1", lambda t: -0.3 * 2 * G * (5 - 0.3 * G * t)),
    ),
    "a disk that skids": (
        "B1 (0,0) 0\nR1 B1 2 RADIUS=0.5 OMEGA=8\nW1 LINE(0,1,-0.5) MU=0.1" + TAIL,
        ("W1", None),
    ),
}


@pytest.mark.parametrize("title", CASES)
def test_power_of_what_holds_at_times(title):
    text, (name, wanted) = CASES[title]
    run = chainlist.simulate(f"* {title}\n{text}")
    assert run.status.ok
    found = run.observe(f"POWER({name})").curves[0].values
    if wanted is not None:
        for at in (200, 500, 800):
            assert found[at] == pytest.approx(wanted(run.t[at]), rel=1e-8, abs=1e-12), run.t[at]
    given = chainlist.measure(run, {"power": f"INTEG POWER({name}) FROM=0.1 TO=0.8"})["power"]
    work = run.observe("Work").curves[0].values
    if "has let go" not in title:
        assert abs(given) > 1e-3
        assert given == pytest.approx(work[800] - work[100], rel=1e-7)


def test_power_of_a_belt_that_carries_a_block_up():
    """It sticks: what friction gives is what the weight takes, m g sin(a) v."""
    text = f"""* A belt
B1 (0,0) 2 IC_VEL=(0.3*cos(20deg),0.3*sin(20deg))
W1 LINE(-sin(20deg),cos(20deg),0) MU=0.8 BELT=0.3
.tran 0 1 1ms
.options gravity={G}
"""
    run = chainlist.simulate(text)
    assert run.v[500, 0, 1] == pytest.approx(0.3 * math.sin(SLOPE), rel=1e-9)
    assert run.observe("POWER(W1)").curves[0].values[500] == pytest.approx(2 * G * math.sin(SLOPE) * 0.3, rel=1e-9)


def test_power_of_a_wall_is_that_of_all_bodies_at_it():
    text = f"* Two\nB1 (0,0) 2\nB2 (1,0) 3\nW1 LINE(0,1,{{0.5*time**2}}){TAIL}"
    run = chainlist.simulate(text)
    assert run.observe("POWER(W1)").curves[0].values[500] == pytest.approx(5 * (G + 1) * 0.5, rel=1e-9)
