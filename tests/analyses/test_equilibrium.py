"""`.op` against statics that is solved another way."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.analyses.equilibrium import NoEquilibrium
from chainlist.compile.plan import Choice, reactor
from tests.analyses.texts import TIMES, slung_chain


def catenary(links, length, right, weight=9.81):
    """Places of equal weights on equal links: two unknowns, the force on the first anchor, by Newton's method."""

    def ends(H, V):
        pulls = V - weight * np.arange(links)  # vertical part of the force in each link
        sizes = np.hypot(H, pulls)
        return np.cumsum(np.stack([length * H / sizes, -length * pulls / sizes]), axis=1)

    force = np.array([weight * links / 4, weight * (links - 1) / 2])
    for _ in range(200):
        miss = ends(*force)[:, -1] - right
        steps = [1e-6 * np.eye(2)[k] for k in range(2)]
        jacobian = np.stack([(ends(*(force + s))[:, -1] - ends(*(force - s))[:, -1]) / 2e-6 for s in steps], axis=1)
        force = force - np.linalg.solve(jacobian, miss) * min(1.0, 0.3 * links / max(1.0, np.abs(miss).max() * links))
    assert np.abs(ends(*force)[:, -1] - right).max() < 1e-13 * links
    return ends(*force).T[:-1]


@pytest.mark.parametrize(("links", "right"), [(4, (2.0, 0.0)), (9, (5.0, 1.0)), (24, (11.0, -3.0))])
def test_slung_chains_hang_as_the_catenary_of_point_masses(links, right):
    part = np.arange(1, links) / links
    start = np.outer(part, right) - np.outer(part * (1 - part) * 1.2 * links, (0.3, 1.0))  # roughly, and askew
    found = chainlist.equilibrium(slung_chain(start, right))
    assert found.stable
    want = catenary(links, 1.0, np.array(right))
    assert np.abs(found.q - want).max() < 1e-10
    assert found.residual < 1e-12


def test_a_truss_has_the_forces_of_statics_by_hand():
    # two bars at 45° carry a load of 2 kg: each pulls with W/√2
    found = chainlist.equilibrium(f"* Truss\nB1 (0,-1) 2\nC1 B1 (-1,0)\nC2 B1 (1,0)\n{TIMES}")
    assert found.rates.verdict() == "rigid: nothing can move"
    for name in ("C1", "C2"):
        assert found.tension(name) == pytest.approx(2 * 9.81 / math.sqrt(2), rel=1e-14)


def test_a_cantilever_truss_has_pull_above_and_push_below():
    # a square panel with one diagonal, held at the wall, loaded at its outer lower corner
    text = f"* Crane\nB1 (1,0) 0.001\nB2 (1,-1) 5\nC1 B1 (0,0)\nC2 B2 (0,-1)\nC3 B1 B2\nC4 B2 (0,0)\n{TIMES}"
    found = chainlist.equilibrium(text)
    load = 5 * 9.81
    light = 0.001 * 9.81
    assert found.tension("C3") == pytest.approx(-light, rel=1e-9)  # it holds up the light corner
    assert found.tension("C4") == pytest.approx((load + light) * math.sqrt(2), rel=1e-12)
    assert found.tension("C2") == pytest.approx(-(load + light), rel=1e-12)
    assert found.tension("C1") == pytest.approx(0.0, abs=1e-9)


def test_unstable_equilibria_are_found_from_nearby_and_named():
    found = chainlist.equilibrium(f"* Upright\nB1 (0.05,0.99874921777) 1\nC1 B1 (0,0)\n{TIMES}")
    assert not found.stable
    assert found.position("B1") == pytest.approx((0.0, 1.0), abs=1e-10)
    tenfold = math.log(10.0) / math.sqrt(9.81)
    assert f"unstable in 1 direction, grows tenfold in {tenfold:.4g} s" == found.rates.verdict()


def test_all_equilibria_of_the_double_pendulum_the_lowest_first():
    text = f"* Double\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n{TIMES}"
    found = chainlist.equilibria(text)
    heights = [tuple(round(one.position(b)[1]) for b in ("B1", "B2")) for one in found]
    assert heights == [(-1, -2), (-1, 0), (1, 0), (1, 2)]
    assert [len(one.rates.growing) for one in found] == [0, 1, 1, 2]


def test_a_spring_and_a_weight():
    found = chainlist.equilibrium(f"* Spring\nB1 (0,-1) 2\nK1 B1 (0,0) 100 L0=0.5\nS1 B1 LINE(1,0,0)\n{TIMES}")
    assert found.position("B1")[1] == pytest.approx(-(0.5 + 2 * 9.81 / 100), rel=1e-13)
    assert found.data()["forces"]["K1"] == pytest.approx(2 * 9.81, rel=1e-12)
    react = reactor(Choice("PROJECTED", "", "AUTO", 2, acts=True))
    assert len(react.compiled.signatures) == 1  # not again for arrays that are read-only: each costs seconds


def test_a_governor_in_space_finds_its_way_by_descent():
    found = chainlist.equilibrium(f"* Ball\nB1 (1,0.2,0.3) 1\nC1 B1 (0,0,0)\n{TIMES}")
    assert found.method != "Newton"
    length = math.sqrt(1 + 0.04 + 0.09)
    assert found.position("B1") == pytest.approx((0.0, -length, 0.0), abs=1e-9)


def test_what_falls_without_end_has_none():
    with pytest.raises(NoEquilibrium, match="falls without end"):
        chainlist.equilibrium(f"* Free\nB1 (0,0) 1\n{TIMES}")


STANDS = """* Quarter car that stands, without weight: 0.9 - 0.3 is not 0.6 to the last bit
B1 (0,0.3) 40
B2 (0,0.9) 300
S1 B1 LINE(1,0,0)
S2 B2 LINE(1,0,0)
K1 (0,0) B1 160000 L0=0.3
K2 B1 B2 18000 L0=0.6
.options gravity=0
"""


def test_rounding_alone_is_no_force():
    found = chainlist.equilibrium(STANDS + TIMES.replace(".options gravity=9.81\n", ""))
    assert (found.method, found.steps) == ("Newton", 0)
    # a force of a micronewton still moves it to where it belongs
    pushed = chainlist.equilibrium(STANDS + "F1 B2 (0,1E-6)\n" + TIMES.replace(".options gravity=9.81\n", ""))
    want = 0.9 + 1e-6 / 160000 + 1e-6 / 18000
    assert pushed.position("B2")[1] == pytest.approx(want, abs=1e-15)


def test_an_analysis_that_cannot_be_made_leaves_the_others():
    from chainlist.analyses.base import Refused, run_analyses

    text = f"* Free\nB1 (0,0) 1\n{TIMES}.op\n.meas low MIN Y(B1)\n"
    mechanism = chainlist.parse(text)
    op, low = (finding.result for finding in run_analyses(mechanism, chainlist.simulate(mechanism)))
    assert isinstance(op, Refused) and "falls without end" in op.why
    assert low.value < -0.01


def test_a_drive_is_held_where_it_stands_at_the_start():
    text = f"* Crane\nB1 (1,-1) 1\nC1 B1 ({{0.3+time}},0)\n{TIMES}"
    found = chainlist.equilibrium(text)
    assert found.position("B1")[0] == pytest.approx(0.3, abs=1e-10)
