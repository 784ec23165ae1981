"""Straight bars and contradicting lengths, on mechanisms built so that the answer is known."""

import math
from collections.abc import Callable
from itertools import pairwise

import pytest

from chainlist.compile.bars import find_bars

from ..work import growth

O = (0.0, 0.0)  # noqa: E741 - the origin


def along(angle: float, *distances: float, origin=O):
    return [(origin[0] + d * math.cos(angle), origin[1] + d * math.sin(angle)) for d in distances]


def only_bar(mechanism):
    found = find_bars(mechanism)
    assert found.complete and not found.conflicts
    assert len(found.bars) == 1
    return found.bars[0]


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0])
def test_lever(machine, scale: float, angle: float) -> None:
    b1, b2 = along(angle, -scale, 2 * scale)
    bar = only_bar(machine({"B1": b1, "B2": b2}, [("B1", O), ("B2", O), ("B1", "B2")]))
    assert bar.points == ("B1", O, "B2")
    assert bar.coordinates == pytest.approx((0, scale, 3 * scale), rel=1e-12)
    assert bar.links == ("C1", "C2", "C3")
    assert bar.weights(1) == pytest.approx((2 / 3, 1 / 3))
    assert not bar.stands_still


@pytest.mark.parametrize("off, straight", [(0.0, True), (1e-6, True), (1e-4, False), (3e-5, False), (1e-2, False)])
def test_thin_triangle_is_honest(machine, off: float, straight: bool) -> None:
    found = find_bars(
        machine({"B1": (-1.0, 0.0), "B2": (1.0, 0.0)}, [("B1", (0.0, off)), ("B2", (0.0, off)), ("B1", "B2")])
    )
    assert bool(found.bars) is straight
    assert not found.conflicts


def bodies_on_a_line(angle: float = 0.4):
    at = along(angle, -2.0, -0.5, 1.0)
    return dict(zip(("B1", "B2", "B3"), at, strict=True))


@pytest.mark.parametrize(
    "links",
    [
        [("B1", "B2"), ("B1", O), ("B1", "B3"), ("B2", O), ("B2", "B3"), ("B3", O)],
        [("B1", "B2"), ("B1", O), ("B1", "B3"), ("B2", O), ("B3", O)],
        [("B1", "B2"), ("B2", O), ("B1", O), ("B2", "B3"), ("B3", O)],  # the triples (1, 2, O) and (2, O, 3) only
    ],
    ids=["all six", "five", "two triples"],
)
def test_triples_that_share_two_points_are_one_bar(machine, links) -> None:
    bar = only_bar(machine(bodies_on_a_line(), links))
    assert bar.points == ("B1", "B2", O, "B3")
    assert bar.coordinates == pytest.approx((0, 1.5, 2, 3))
    assert len(bar.links) == len(links)


def test_point_tied_to_both_ends_of_a_merged_bar(machine) -> None:
    """The distance B1–B3 is known only once the triples (1, 2, O) and (2, O, 3) are one bar."""
    bodies = bodies_on_a_line() | {"B4": along(0.4, 0.25)[0]}
    links = [("B1", "B2"), ("B2", O), ("B1", O), ("B2", "B3"), ("B3", O), ("B4", "B1"), ("B4", "B3")]
    bar = only_bar(machine(bodies, links))
    assert bar.points == ("B1", "B2", O, "B4", "B3")
    assert bar.coordinates == pytest.approx((0, 1.5, 2, 2.25, 3))


def test_anchor_at_the_end(machine) -> None:
    at = along(1.0, 1.0, 2.5, 3.0, 4.0)
    names = ["B1", "B2", "B3", "B4"]
    points = [O, *names]
    links = [(a, b) for i, a in enumerate(points) for b in points[i + 1 :]]
    bar = only_bar(machine(dict(zip(names, at, strict=True)), links))
    assert (
        bar.points == ("B4", "B3", "B2", "B1", O) or bar.points == ("B1", "B2", "B3", "B4", O)[::-1] or bar.ends[1] == O
    )
    assert set(bar.links) == {f"C{k}" for k in range(1, 11)}
    assert not bar.stands_still


def test_taut_chain_between_two_anchors(machine) -> None:
    bodies = {f"B{k}": (float(k), 0.5 * k) for k in range(1, 5)}
    chain = [O, *bodies, (5.0, 2.5)]
    mechanism = machine(bodies, list(pairwise(chain)))
    bar = only_bar(mechanism)
    assert bar.stands_still
    assert bar.links == ("C1", "C2", "C3", "C4", "C5")
    for k, point in enumerate(bar.points):
        assert bar.place(k) == pytest.approx(bodies.get(point, point))


def test_bodies_held_by_one_taut_chain_hold_another(machine) -> None:
    """B1 stands between two anchors; B2 hangs taut between B1 and a third anchor: found in the second round."""
    bodies = {"B1": (1.0, 0.0), "B2": (1.0, 1.0)}
    links = [("B1", O), ("B1", (2.0, 0.0)), ("B1", "B2"), ("B2", (1.0, 2.0))]
    found = find_bars(machine(bodies, links))
    assert {bar.links for bar in found.bars} == {("C1", "C2"), ("C3", "C4")}
    assert not found.conflicts


def test_taut_chain_past_a_third_anchor(machine) -> None:
    """A third link at the middle of a taut chain neither hides it nor belongs to it."""
    found = find_bars(machine({"B1": (1.0, 0.0)}, [("B1", O), ("B1", (2.0, 0.0)), ("B1", (1.0, 0.1))]))
    assert [bar.links for bar in found.bars] == [("C1", "C2")]


def test_anchors_join_a_link_and_their_distance(machine) -> None:
    """B1–(1,0) is 1, (1,0)–(3,0) are 2 apart, (3,0)–B2 is 1: the link B1–B2 of length 4 is tight over two anchors."""
    bodies = {"B1": O, "B2": (4.0, 0.0)}
    bar = only_bar(machine(bodies, [("B1", (1.0, 0.0)), ("B2", (3.0, 0.0)), ("B1", "B2")]))
    assert bar.points == ("B1", (1.0, 0.0), (3.0, 0.0), "B2")
    assert bar.stands_still


def test_crossing_bars_stay_two(machine) -> None:
    bodies = {"B1": (-1.0, 0.0), "B2": (1.0, 0.0), "B3": (0.0, -1.0), "B4": (0.0, 1.0)}
    links = [("B1", O), ("B2", O), ("B1", "B2"), ("B3", O), ("B4", O), ("B3", "B4")]
    found = find_bars(machine(bodies, links))
    assert [bar.links for bar in found.bars] == [("C1", "C2", "C3"), ("C4", "C5", "C6")]


def test_tightness_is_a_matter_of_lengths_not_of_positions(machine) -> None:
    """A start that is bent, but lengths that allow no bend."""
    bodies = {"B1": (-1.0, 0.3), "B2": (1.0, 0.3)}
    bar = only_bar(machine(bodies, [("B1", O, 1.0), ("B2", O, 1.0), ("B1", "B2", 2.0)]))
    assert bar.points == ("B1", O, "B2")


@pytest.mark.parametrize(
    "links, ends, apart, reach, path",
    [
        ([("B1", "B2", 3.0), ("B1", O, 1.0), ("B2", O, 1.0)], ("B1", "B2"), 3, 2, ("C2", "C3")),
        ([("B1", O, 1.0), ("B1", O, 1.001)], ("B1", O), 1.001, 1, ("C1",)),
        ([("B1", O, 1.0), ("B1", "B2", 1.0), ("B2", (5.0, 0.0), 1.0)], (O, (5.0, 0.0)), 5, 3, ("C1", "C2", "C3")),
    ],
    ids=["triangle", "double link", "chain too short for its anchors"],
)
def test_conflicting_lengths(machine, links, ends, apart, reach, path) -> None:
    found = find_bars(machine({"B1": (1.0, 0.0), "B2": (2.0, 0.0)}, links))
    assert len(found.conflicts) == 1
    conflict = found.conflicts[0]
    assert set(conflict.ends) == set(ends)
    assert (conflict.apart, conflict.reach) == pytest.approx((apart, reach))
    assert sorted(conflict.path) == list(path)


def test_conflict_inside_a_bar(machine) -> None:
    """The bar says that B2 and B3 are 1.5 apart; a link wants 1.4."""
    bodies = bodies_on_a_line()
    links = [("B1", "B2"), ("B2", O), ("B1", O), ("B3", O), ("B1", "B3"), ("B2", "B3", 1.4)]
    found = find_bars(machine(bodies, links))
    assert found.conflicts
    assert any("C6" in conflict.path + conflict.held_by for conflict in found.conflicts)


def test_double_link_of_one_length_is_no_bar(machine) -> None:
    found = find_bars(machine({"B1": (0.6, 0.8)}, [("B1", O), (O, "B1", 1.0)]))
    assert not found.bars and not found.conflicts


def test_nearly_coincident_anchors_do_not_hold_a_pendulum(machine) -> None:
    found = find_bars(machine({"B1": (1.0, 0.0)}, [("B1", O, 1.0), ("B1", (1e-17, 0.0), 1.0)]))
    assert not found.bars and not found.conflicts


def test_ordinary_mechanisms_have_no_bars(machine) -> None:
    straight_chain = machine(
        {f"B{k}": (0.2 * k, 0.0) for k in range(1, 13)},
        [("B1", O), *((f"B{k}", f"B{k + 1}") for k in range(1, 12))],
    )
    assert find_bars(straight_chain).bars == ()
    parallelogram = machine({"B1": (0.0, 1.0), "B2": (2.0, 1.0)}, [("B1", O), ("B1", "B2"), ("B2", (2.0, 0.0))])
    assert find_bars(parallelogram).bars == ()


SHAPES = ("chain", "taut chain", "closed by one link", "pendulums in a row, coupled", "wheel")


def shaped(machine, shape: str, count: int):
    names = [f"B{k}" for k in range(count)]
    line = {name: (0.2 * k, 0.0) for k, name in enumerate(names)}
    pairs = list(pairwise(names))
    circle = {name: (math.cos(k * 6.28 / count), math.sin(k * 6.28 / count)) for k, name in enumerate(names)}
    links = {
        "chain": (line, [("B0", (-1.0, 0.0)), *pairs]),
        "taut chain": (line, [("B0", (-1.0, 0.0)), *pairs, (names[-1], (0.2 * count, 0.0))]),
        "closed by one link": (line, [*pairs, ("B0", names[-1])]),
        "pendulums in a row, coupled": (line, [*((name, (x, 1.0)) for name, (x, _) in line.items()), *pairs]),
        "wheel": (circle | {"B": O}, [*(("B", name) for name in names), *pairs]),
    }
    return machine(*links[shape])


@pytest.mark.parametrize("shape", SHAPES)
def test_the_search_is_linear_in_long_chains_hubs_and_many_anchors(machine, shape: str) -> None:
    def searching(count: int) -> Callable[[], None]:
        mechanism = shaped(machine, shape, count)

        def work() -> None:
            assert find_bars(mechanism).complete

        return work

    assert growth(searching, 100) < 1.5
