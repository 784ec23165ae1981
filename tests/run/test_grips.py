"""The law of contact: what holds, slips and sticks is told by forces that obey it, all of it, at once."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.run.grips import decide
from chainlist.run.impacts import Contacts


def problem(luck: np.random.Generator) -> tuple[Contacts, np.ndarray, dict[int, np.ndarray]]:
    """Points in the plane or in space, pushed by anything, that touch floors of any slope, one another, and hang on rods."""
    space, count, gaps = int(luck.integers(2, 4)), int(luck.integers(1, 4)), int(luck.integers(1, 6))
    mass = luck.uniform(0.3, 4.0, count)
    normals, tangents, under, free, friction = [], [], [], [], []
    for k in range(gaps):
        body = luck.integers(count)
        other = (body + 1) % count if count > 1 and luck.random() < 0.4 else None
        normal = luck.normal(size=space)
        normal[1] = abs(normal[1]) + 0.5
        ways = np.vstack([normal / np.linalg.norm(normal), np.linalg.svd(normal[None])[2][1:]])
        rows = np.zeros((space, count, space))
        rows[:, body] = ways
        if other is not None:
            rows[:, other] = -ways
        friction.append(0.0 if luck.random() < 0.4 else luck.uniform(0.0, 0.9))
        free.append(luck.random() < 0.2)
        normals.append(rows[0])
        if friction[-1] > 0.0:
            tangents += list(rows[1:])
            under += [k] * (space - 1)
    A = np.array(normals + tangents).reshape(len(normals) + len(tangents), -1)
    mobility = np.repeat(1.0 / mass, space)
    force = luck.normal(size=(count, space)) * luck.choice([1.0, 10.0, 100.0])
    force[:, 1] -= 9.81 * mass
    D, mu = (A * mobility) @ A.T, np.array(friction)
    held = np.array(free + [False] * len(tangents))
    contacts = Contacts(D, held, gaps, np.zeros(gaps), mu, mu, tuple(under), D.diagonal().copy())
    rest = {k: np.zeros(len(contacts.tangents_of(k))) for k in range(gaps)}
    return contacts, A @ (mobility * force.ravel()), rest


@pytest.mark.parametrize("block", range(10))
def test_random_contacts_obey_the_law(block):
    """From rest. Each condition is looked at by itself, from the forces alone."""
    for seed in range(60 * block, 60 * block + 60):
        c, pull, rest = problem(np.random.default_rng(seed))
        grip = decide(c, pull, rest, ~c.free[: c.gaps], 1e-9)
        assert grip.jams < 0, seed
        force, rate = grip.force, pull + c.D @ grip.force
        most, scale = 1e-7 * np.abs(force).max(initial=1e-9), 1e-7 * np.abs(pull).max()
        for k in range(c.gaps):
            along = c.tangents_of(k)
            if not grip.holds[k]:
                assert rate[k] >= -scale and not force[[k, *along]].any(), (seed, k)
                continue
            assert abs(rate[k]) <= scale and (c.free[k] or force[k] >= -most), (seed, k)
            limit = c.friction[k] * abs(force[k])
            rubs = np.linalg.norm(force[along])
            assert rubs <= limit + most, (seed, k)
            if along and rubs < limit - most:
                assert np.abs(rate[along]).max() <= scale, (seed, k)  # what could hold more does not slip
            if along:
                assert force[along] @ rate[along] <= most * scale + 1e-7 * limit * scale, (
                    seed,
                    k,
                )  # friction drives nothing


DRAGGED = """* A stone on a rough floor, dragged by a rope that rises a little
.param y=0.4 r=0.1 f=2000
B1 (0,r) 2 RADIUS=r
B2 (-3,y) 100
S1 B2 LINE(0,1,y)
C1 B2 B1 ROPE {rope}
W1 B1 LINE(0,1,0) MU=0.25
F1 B2 ({{{force}}},0)
.tran 0 0.2 1ms
.plot Y(B1)
"""


def by_hand(f: float) -> tuple[float, float]:
    """Tension and acceleration at the start: the stone slips on the floor, and rope and sledge with it."""
    m, M, mu, g = 2.0, 100.0, 0.25, 9.81
    cos, sin = np.array([3.0, 0.3]) / math.hypot(3.0, 0.3)
    # m a = T cos − μ N,  N = m g − T sin,  M a = f − T cos
    tension = (f / M + mu * g) / ((cos + mu * sin) / m + cos / M)
    return tension, (f - tension * cos) / M


@pytest.mark.parametrize("f", [100.0, 190.0, 200.0, 2000.0, 9000.0])
def test_friction_gives_way_before_a_stone_is_lifted(f):
    """If it stuck, the rope would have to pull hard enough to lift it: it slips, and the floor still pushes."""
    run = chainlist.simulate(DRAGGED.format(rope="", force="-f"), params={"f": f}, tran=(0, 0.002, 1e-4))
    tension, acceleration = by_hand(f)
    assert run.observe("TENSION(C1)").curves[0].values[0] == pytest.approx(tension, rel=1e-9)
    assert run.observe("AX(B1)").curves[0].values[0] == pytest.approx(-acceleration, rel=1e-9)
    assert run.observe("TENSION(W1)").curves[0].values[0] > 0.0
    assert run.events == ()


def test_a_rope_that_would_break_only_if_the_stone_stuck_holds():
    run = chainlist.simulate(DRAGGED.format(rope="BREAK=500N", force="-f"))
    assert run.events == ()
    assert chainlist.measure(run, "MAX TENSION(C1)") < 60.0


def test_a_blow_in_mid_run_drags_it_too():
    """A force that comes at once, between two samples: what holds before it is no guide to what holds after it."""
    run = chainlist.simulate(DRAGGED.format(rope="", force="-f*step(time-0.05)"))
    slipping = [event.what for event in run.events]
    assert slipping == ["slips"]
    tension, _ = by_hand(2000.0)
    assert chainlist.measure(run, "MAX TENSION(C1)") == pytest.approx(tension, rel=0.05)


def test_what_is_pulled_off_leaves():
    """A steep rope lifts the stone, sticking or not."""
    text = "* Lifted\nB1 (0,0) 1\nW1 B1 LINE(0,1,0) MU=0.5\nF1 B1 (3,15)\n.tran 0 0.5 1ms\n.plot Y(B1)\n"
    run = chainlist.simulate(text)
    assert run.status.ok
    assert run.q[-1, 0] == pytest.approx([0.5 * 3 * 0.25, 0.5 * (15 - 9.81) * 0.25], rel=1e-9)


def test_what_holds_behind_an_impact_is_told_by_the_speeds_behind_it():
    """A ball on a hoop meets a floor and stops: before, its way bent; behind, nothing pushes it off the floor."""
    text = (
        "* Hoop\nB1 (0,1) 1 IC_VEL=(-3,0)\nS1 B1 CIRCLE((0,0),1)\nW1 B1 LINE(0,1,-0.5) REST=0\n"
        ".tran 0 1 1ms\n.plot Y(B1)\n"
    )
    run = chainlist.simulate(text)
    assert run.status.ok and [event.what for event in run.events] == ["hits"]
    assert run.q[-1, 0] == pytest.approx([-math.sqrt(0.75), -0.5], abs=1e-12)
    assert run.observe("TENSION(W1)").curves[0].values[-1] > 0.0


def test_a_body_that_switches_back_and_forth_ends_the_run_soon():
    """Wedged between a rough wall and a rough rail: which of them carries it cannot be told. The run says so, in time."""
    text = (
        "* Wedged\nB2 (0,0) 1\nS1 B2 LINE(-0.9561271,0.2929522,0) MU=0.25\n"
        "W1 B2 LINE(-0.8797791,0.4753827,0) REST=0.8 MU=0.64\nF1 B2 (10,0)\n.tran 0 2 1e-2\n.plot Time\n"
    )
    run = chainlist.simulate(text)
    assert len(run.events) < 1000
    assert run.status.ok or "the events do not come to an end" in run.status.message


def test_a_body_that_is_wedged_stays():
    """Wall and rail hold it in more ways than it can move."""
    text = (
        "* Wedged\nB2 (0,0) 1\nS1 B2 LINE(-0.9561271,0.2929522,0) MU=0.25\n"
        "W1 B2 LINE(-0.8797791,0.4753827,0) REST=0.8 MU=0.64\nF1 B2 (0,-50)\n.tran 0 2 1e-2\n.plot Time\n"
    )
    run = chainlist.simulate(text)
    assert run.status.ok and run.events == ()
    assert np.abs(run.q).max() < 1e-12
