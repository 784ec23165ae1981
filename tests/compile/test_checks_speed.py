"""A check of a machine of up to 200 bodies is little work, also where positions are rough, and lengths far from them.

`benchmarks/checking.py` measures the seconds.
"""

import random

import pytest

import chainlist
from benchmarks.checking import MACHINES, checked, complete, grid
from chainlist.compile.bars import find_bars
from chainlist.compile.checks import check
from tests.some import some
from tests.work import lines_run

LIMIT = 8_000_000  # lines of Python: about a second of them; some machines took 4 s to 6 s


FEW = ("41 bodies", "200 bodies, 60", "40 bodies", "an open chain of 60")


@pytest.mark.parametrize("name", some(MACHINES, lambda name: name.startswith(FEW)))
def test_a_check_is_little_work(name):
    said = set()
    assert lines_run(lambda: said.update(checked(MACHINES[name]))) < LIMIT
    expected = "E302" if "too far" in name else "W304" if "short" in name or "far" in name or "each" in name else "W301"
    assert said & {"E302", "W301", "W304"} == {expected}


@pytest.mark.parametrize("text, rank", [(grid(10, 20), 397), (complete(60), 117)], ids=["grid", "60"])
def test_the_rank_of_a_dense_frame_is_that_of_a_rigid_body(text, rank):
    freedom = check(chainlist.parse(text)).freedom
    assert (freedom.rank_with_bars, freedom.degrees) == (rank, 3)


@pytest.mark.parametrize("straight", [0, 5])
def test_paths_found_at_once_say_what_searches_say(monkeypatch, straight):
    mechanism = chainlist.parse(complete(24, straight, straight))
    at_once = find_bars(mechanism)
    monkeypatch.setattr("chainlist.compile.reach._FEW", 0)
    assert find_bars(mechanism) == at_once and len(at_once.bars) == (straight > 0)


def test_rough_positions_are_still_put_right():
    rng = random.Random(5)
    text = "* Four bars\n" + "\n".join(
        f"B{2 * n + 1} ({10 * n + rng.uniform(0, 2)},{rng.uniform(0, 2)}) 1\nB{2 * n + 2} ({10 * n + 3},{rng.uniform(1, 3)}) 1\n"
        f"C{3 * n + 1} B{2 * n + 1} ({10 * n},0) LENGTH=1\nC{3 * n + 2} B{2 * n + 1} B{2 * n + 2} LENGTH=4\n"
        f"C{3 * n + 3} B{2 * n + 2} ({10 * n + 4},0) LENGTH=2.5"
        for n in range(20)
    )
    mechanism = chainlist.parse(text)
    assert {d.code for d in mechanism.diagnostics} <= {"W304", "N201", "N202"}


@pytest.mark.parametrize("overlap", [False, True])
def test_balls_that_do_not_pass_one_another_are_little_work(overlap):
    places = [(n % 6, n // 6 % 6, 1 + n // 36) for n in range(100)]
    balls = [f"B{n} ({x},{y},{z}) 0\nR{n} B{n} RADIUS=0.4 1 BALL" for n, (x, y, z) in enumerate(places, start=1)]
    if overlap:
        balls[0] = balls[0].replace("(0,0,1)", "(0.5,0,1)")
    text = "\n".join(["* Balls", *balls, "W1 PLANE(0,0,1,0)", "W2 ALL"])
    said = set()
    assert (
        lines_run(lambda: said.update(checked(text))) < 3_000_000
    )  # with a formula for each of 4,950 pairs: 16 million
    assert ("E304" in said) == overlap
