"""The law of contact: what holds, slips and sticks is told by forces that obey it, all of it, at once."""

import itertools
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


def bodies(luck: np.random.Generator, sliding: bool) -> tuple[Contacts, np.ndarray, dict[int, np.ndarray]]:
    """Rigid bodies of the plane that touch floors and one another beside their middles, at rest or some of them sliding."""
    count, gaps = int(luck.integers(1, 4)), int(luck.integers(1, 5))
    mass = luck.uniform(0.3, 4.0, count)
    inertia = mass * luck.uniform(0.02, 0.4, count)
    normals, tangents, under, friction = [], [], [], []
    for k in range(gaps):
        body = luck.integers(count)
        other = (body + 1) % count if count > 1 and luck.random() < 0.3 else None
        slope = luck.uniform(-0.6, 0.6) if luck.random() < 0.5 else 0.0
        rows = np.zeros((2, count, 3))
        for sign, which in ((1.0, body), *(() if other is None else ((-1.0, other),))):
            arm = luck.uniform(-1, 1, 2)
            for row, (x, y) in zip(
                rows, ((math.sin(slope), math.cos(slope)), (math.cos(slope), -math.sin(slope))), strict=True
            ):
                row[which] = sign * np.array([x, y, arm[0] * y - arm[1] * x])
        friction.append(0.0 if luck.random() < 0.2 else luck.uniform(0.05, 1.2))
        normals.append(rows[0])
        if friction[-1] > 0.0:
            tangents.append(rows[1])
            under.append(k)
    A = np.array(normals + tangents).reshape(len(normals) + len(tangents), -1)
    mobility = np.column_stack([1.0 / mass, 1.0 / mass, 1.0 / inertia]).ravel()
    force = luck.normal(size=(count, 3)) * luck.choice([1.0, 10.0, 100.0]) * np.array([1.0, 1.0, 0.3])
    force[:, 1] -= 9.81 * mass
    D, mu = (A * mobility) @ A.T, np.array(friction)
    contacts = Contacts(D, np.zeros(len(A), bool), gaps, np.zeros(gaps), mu, mu, tuple(under), D.diagonal().copy())
    slip = {k: np.zeros(len(contacts.tangents_of(k))) for k in range(gaps)}
    for k in under if sliding else ():
        slip[k][:] = luck.choice([-1.0, 0.0, 1.0])
    return contacts, A @ (mobility * force.ravel()), slip


def motions(c: Contacts, pull: np.ndarray, slip: dict[int, np.ndarray]) -> list[np.ndarray]:
    """All accelerations that obey the law: each gap open, sticking or slipping either way, every combination tried."""
    ways = []
    for k in range(c.gaps):
        along = c.tangents_of(k)
        ways.append(["open", *([0.0] if not along else [slip[k][0]] if slip[k].any() else ["sticks", 1.0, -1.0])])
    found: list[np.ndarray] = []
    for way in itertools.product(*ways):
        spread, solved = [], []
        for k, what in enumerate(way):
            if what == "open":
                continue
            unit = np.eye(len(pull))[k]
            for t in c.tangents_of(k) if what != "sticks" else ():
                unit[t] = -c.friction[k] * what
            spread, solved = [*spread, unit], [*solved, k]
            if what == "sticks":
                spread, solved = [*spread, *np.eye(len(pull))[c.tangents_of(k)]], [*solved, *c.tangents_of(k)]
        force = np.zeros(len(pull))
        if solved:
            system = c.D[solved] @ np.array(spread).T
            share = np.linalg.lstsq(system, -pull[solved], rcond=1e-11)[0]
            if np.abs(system @ share + pull[solved]).max() > 1e-7 * np.abs(pull).max():
                continue
            force = share @ np.array(spread)
        rate = pull + c.D @ force
        small, few = 1e-8 * np.abs(pull).max(), 1e-8 * np.abs(force).max(initial=1e-12)
        obeys = True
        for k, what in enumerate(way):
            along = c.tangents_of(k)
            obeys &= bool(rate[k] >= -small if what == "open" else force[k] >= -few)
            if what == "sticks":
                obeys &= bool(abs(force[along[0]]) <= c.friction[k] * force[k] + few)
            elif what != "open" and along and not slip[k].any():
                obeys &= bool(rate[along[0]] * what >= -small)
        if obeys and not any(np.allclose(rate, other, atol=100 * small) for other in found):
            found.append(rate)
    return found


@pytest.mark.parametrize("sliding", [False, True], ids=["at rest", "sliding"])
def test_of_bodies_the_only_motion_is_found_and_only_others_jam(sliding):
    """Held against every combination. What slides already may jam: then no motion obeys the law, or several do (Painlevé)."""
    jams = 0
    for seed in range(160 if sliding else 120):
        c, pull, slip = bodies(np.random.default_rng(seed), sliding)
        grip = decide(c, pull, slip, ~c.free[: c.gaps], 1e-9)
        possible = motions(c, pull, slip)
        if grip.jams >= 0:
            jams += 1
            assert len(possible) != 1, seed
        else:
            rate = pull + c.D @ grip.force
            assert any(np.allclose(rate, other, atol=1e-6 * np.abs(pull).max()) for other in possible), seed
    assert jams > 0 if sliding else jams == 0


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


TWO_FEET = """* A body on two feet
B1 (0,0) 0
B2 ({place}) 0
R1 B1 B2 1 {body}
W1 B1 LINE({one}) MU={mu}
W2 B2 LINE({two}) MU={nu}
F1 B1 ({push})
.tran 0 0.01 1ms
.plot X(B1)
"""


def test_both_feet_begin_to_slip_where_one_alone_would_jam():
    """Pressed down alone, the second foot would be pulled in by its own friction; with the first one there is just one motion."""
    text = TWO_FEET.format(
        place="0.6957432687792225,0.7182905428504558",
        body="CG=(0.272,-0.835) J=0.172",
        one="0.35625686862359696,0.9343880583347098,0",
        mu=0.617,
        two="0.3761289311354393,0.9265673354715845,0.9272337264139905",
        nu=1.521,
        push="4.14,-5.16",
    )
    run = chainlist.simulate(text)
    assert run.status.ok
    pushed = [run.observe(f"TENSION(W{k})").curves[0].values[0] for k in (1, 2)]
    assert pushed == pytest.approx([10.909, 1.549], rel=1e-3)  # of all combinations the only one that obeys the law


def test_a_body_that_sticks_in_more_ways_than_it_can_move_stays():
    text = TWO_FEET.format(
        place="0.09260350190291165,0.9957030638867529",
        body="CG=(0.757,0.650) J=0.028",
        one="0.6917378469395931,0.7221487042925273,0",
        mu=1.006,
        two="-0.30491369395299944,0.9523799867909534,0.920051594990931",
        nu=1.166,
        push="0.95,-4.64",
    )
    run = chainlist.simulate(text)
    assert run.status.ok and np.abs(run.q - run.q[0]).max() < 1e-9


def test_what_friction_presses_on_a_wall_rests_there():
    """Without friction the body would leave the wall, so its tiny hops were thought to be long ones, and never came to an end."""
    text = """* A body with friction between three walls
B1 (0.48360398928512116,0.5073376342392157) 0 IC_VEL=(1.3472379883949541,-1.1488837718174703)
B2 (-0.06963892354103307,-0.792549940704216) 0 IC_VEL=(5.513317634813085,-2.922001757617452)
B3 (0.9337036996514674,-0.35849935824143797) 0 IC_VEL=(4.122205563299664,0.29366501344769635)
R1 B1 B2 B3 2.2861 CG=(0.44922292179851847,-0.21457055490214608) J=1.2598
W1 LINE(0.43791086598035167,-0.8990183943926501,-0.2443304236093052) MU=0.8697
W2 LINE(0.9248405606436859,0.3803550149377193,-0.36585524562575245) MU=1.2257 REST=0.5
W3 LINE(-0.9926406500636371,-0.12109723300406106,-0.8834189670720858) MU=0.9307
.options gravity=(-4.273589248249506,8.830205826437243)
.tran 0 0.5 1ms
.plot Etotal
"""
    run = chainlist.simulate(text)
    assert run.status.ok and len(run.events) < 100
