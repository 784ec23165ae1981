"""What is found about mechanisms whose truth is known: redundant, degenerate, singular, conflicting, or nothing at all."""

import dataclasses
import math
from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np
import pytest

import chainlist
from chainlist.compile.checks import check, diagnose
from chainlist.compile.placing import one_after_another
from chainlist.equations.rowset import row_set
from chainlist.model.options import Options
from chainlist.syntax.diagnostics import Diagnostics

from ..work import growth, lines_run

O = (0.0, 0.0)  # noqa: E741 - the origin


def on_circle(center, angle, radius=1.0):
    return (center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle))


def locomotive(angle):
    """Two wheels, each with two pins at a right angle; the pins are joined by two rods."""
    right = (3.0, 0.0)
    quarter = angle + math.pi / 2
    bodies = {
        "B1": on_circle(O, angle),
        "B2": on_circle(O, quarter),
        "B3": on_circle(right, angle),
        "B4": on_circle(right, quarter),
    }
    wheels = [("B1", O), ("B2", O), ("B1", "B2"), ("B3", right), ("B4", right), ("B3", "B4")]
    return bodies, [*wheels, ("B1", "B3"), ("B2", "B4")], []


def three_cranks(angle):
    centers = [O, (2.0, 0.0), (1.0, 1.5)]
    bodies = {f"B{k + 1}": on_circle(center, angle) for k, center in enumerate(centers)}
    return bodies, [(f"B{k + 1}", c) for k, c in enumerate(centers)] + [("B1", "B2"), ("B2", "B3"), ("B1", "B3")], []


def three_sliders():
    """A rigid triangle whose corners run on three lines through one point (Cardan's circles): it can move."""
    angle = 0.3
    bodies, sliders = {}, []
    for k, line in enumerate((0.0, math.pi / 3, 2.3)):
        along = math.cos(angle - line)
        bodies[f"B{k + 1}"] = (along * math.cos(line), along * math.sin(line))
        sliders.append((f"B{k + 1}", -math.sin(line), math.cos(line), 0.0))
    return bodies, [("B1", "B2"), ("B2", "B3"), ("B1", "B3")], sliders


def lazy_tongs():
    bodies = dict(zip(
        (f"B{k}" for k in range(1, 9)),
        [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (3.0, -1.0), (3.0, 1.0), (5.0, 1.0), (5.0, -1.0)],
        strict=True,
    ))  # fmt: skip
    links = []
    for k, center in enumerate([(0.0, 0.0), (2.0, 0.0), (4.0, 0.0)]):
        a, b, c, d = (f"B{2 * k + n}" for n in (1, 2, 3, 4))
        links += [(a, center), (b, center), (c, center), (d, center), (a, c), (b, d)]
    return bodies, links, []


def square(*diagonals):
    bodies = {"B1": O, "B2": (1.0, 0.0), "B3": (1.0, 1.0), "B4": (0.0, 1.0)}
    return bodies, [("B1", "B2"), ("B2", "B3"), ("B3", "B4"), ("B4", "B1"), *diagonals], []


LEVER = ({"B1": (-1.0, 0.0), "B2": (1.0, 0.0)}, [("B1", O), ("B2", O), ("B1", "B2")], [])
TAUT = ({"B1": (1.0, 0.0), "B2": (2.0, 0.0)}, [("B1", O), ("B1", "B2"), ("B2", (3.0, 0.0))], [])

# name: (bodies, links, sliders), codes, degrees of freedom
CASES = {
    "double pendulum": (({"B1": (0.0, -1.0), "B2": (1.0, -1.0)}, [("B1", O), ("B2", "B1")], []), [], 2),
    "crosshair": (({"B1": O, "B2": (0.0, 1.0)}, [("B1", "B2")], [("B1", 0, 1, 0), ("B2", 1, 0, 0)]), [], 1),
    "braced square": (square(("B1", "B3"), ("B2", "B4")), ["W301", "N301"], 3),
    "square with one diagonal": (square(("B1", "B3")), ["N301"], 3),
    "locomotive": (locomotive(0.3), ["W301"], 1),
    "locomotive, first rod at its dead point": (locomotive(0.0), ["W301"], 1),
    "locomotive, second rod at its dead point": (locomotive(math.pi / 2), ["W301"], 1),
    "locomotive, first rod near its dead point": (locomotive(1e-6), ["W301"], 1),
    "three parallel cranks": (three_cranks(0.4), ["W301"], 1),
    "three parallel cranks, flat": (three_cranks(0.0), ["W301"], 1),
    "three sliders through one point": (three_sliders(), ["W301"], 1),
    "double link": (({"B1": (0.6, 0.8)}, [("B1", O), (O, "B1")], []), ["W301"], 1),
    "lever": (LEVER, ["W302"], 1),
    "lazy tongs": (lazy_tongs(), ["W301", "W302", "W303"], 0),
    "taut chain": (TAUT, ["W302", "W303"], 0),
    "thin triangle": (
        ({"B1": (-1.0, 0.0), "B2": (1.0, 0.0)}, [("B1", (0.0, 1e-4)), ("B2", (0.0, 1e-4)), ("B1", "B2")], []),
        [],
        1,
    ),
    "circle that touches a line": (({"B1": (0.0, 1.0)}, [("B1", O)], [("B1", 0, 1, 1)]), ["W307"], 1),
    "link across parallel lines": (
        ({"B1": O, "B2": (0.0, 1.0)}, [("B1", "B2")], [("B1", 0, 1, 0), ("B2", 0, 1, 1)]),
        ["W307"],
        2,
    ),
    "slider-crank, folded": (
        ({"B1": (0.0, 1.0), "B2": O}, [("B1", O), ("B1", "B2")], [("B2", 0, 1, 0)]),
        ["W308"],
        1,
    ),
    "parallelogram, flat": (
        ({"B1": (1.0, 0.0), "B2": (3.0, 0.0)}, [("B1", O), ("B1", "B2"), ("B2", (2.0, 0.0))], []),
        ["W308"],
        1,
    ),
    "triangle 1, 1, 3": (
        ({"B1": (-1.0, 0.0), "B2": (1.0, 0.0)}, [("B1", O), ("B2", O), ("B1", "B2", 3.0)], []),
        ["E301"],
        None,
    ),
    "two lengths for one pair": (({"B1": (0.6, 0.8)}, [("B1", O), ("B1", O, 1.001)], []), ["E301"], None),
    "rail out of reach": (({"B1": (1.0, 0.0)}, [("B1", O)], [("B1", 0, 1, 2)]), ["E302"], None),
    "parallel rails": (({"B1": O}, [], [("B1", 0, 1, 0), ("B1", 0, 2, 1)]), ["E302"], None),
    "one rail twice": (({"B1": (1.0, 0.0)}, [], [("B1", 0, 1, 0), ("B1", 0, 2, 0)]), ["W301"], 1),
    "frame": (({"B1": (1.0, 0.0)}, [("B1", O), ("B1", (1.0, 1.0))], []), ["W303"], 0),
    "lever with a double link": ((LEVER[0], [*LEVER[1], ("B2", "B1")], []), ["W301", "W302"], 1),
    "two bodies in one place": (
        ({"B1": (1.0, 0.0), "B2": (1.0, 0.0)}, [("B1", O), ("B2", (2.0, 0.0))], []),
        ["W306"],
        2,
    ),
    "a stone": (({"B1": (1.0, 0.0)}, [], []), ["N301"], 2),
}


def scaled(description, factor, turn=0.0):
    """The same mechanism, `factor` times as large, turned by an angle about the origin."""
    bodies, links, sliders = description
    c, s = math.cos(turn), math.sin(turn)

    def moved(point):
        return (factor * (c * point[0] - s * point[1]), factor * (s * point[0] + c * point[1]))

    def end(value):
        return value if isinstance(value, str) else moved(value)

    return (
        {name: moved(at) for name, at in bodies.items()},
        [(end(a), end(b), *(factor * length for length in more)) for a, b, *more in links],
        [(name, c * k1 - s * k2, s * k1 + c * k2, factor * konst) for name, k1, k2, konst in sliders],
    )


def said(mechanism):
    report = Diagnostics()
    return diagnose(mechanism, report), [d.code for d in report.diagnostics]


@pytest.mark.parametrize("factor, turn", [(1.0, 0.0), (1e-4, 0.0), (1e4, 0.0), (1.0, 0.7), (3e-3, 2.0)])
@pytest.mark.parametrize("name", CASES)
def test_kinds_are_told_apart(machine, name: str, factor: float, turn: float) -> None:
    description, codes, degrees = CASES[name]
    findings, found = said(machine(*scaled(description, factor, turn)))
    assert found == codes
    if degrees is not None:
        assert findings.freedom.degrees == degrees


@pytest.mark.parametrize("name", CASES)
def test_rank_as_written_is_that_of_the_dense_matrix(machine, name: str) -> None:
    mechanism = machine(*CASES[name][0])
    start = np.array([body.start for body in mechanism.bodies])
    findings = check(mechanism)
    A = mechanism.equations(start, np.zeros_like(start)).A
    assert findings.freedom.rank_as_written == np.linalg.matrix_rank(A, tol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_order_does_not_matter(machine, name: str) -> None:
    (bodies, links, sliders), codes, _ = CASES[name]
    backwards = dict(reversed(bodies.items()))
    turned = [(b, a, *length) for a, b, *length in reversed(links)]
    findings, found = said(machine(backwards, turned, list(reversed(sliders))))
    assert sorted(found) == sorted(codes)
    assert findings.freedom == check(machine(bodies, links, sliders)).freedom


def test_freedom_in_one_line(machine) -> None:
    assert str(check(machine(*lazy_tongs())).freedom) == (
        "16 coordinates, 18 constraints, rank 12 as written, 16 with its straight bars: cannot move"
    )
    assert str(check(machine(*LEVER)).freedom) == (
        "4 coordinates, 3 constraints, rank 2 as written, 3 with its straight bar: 1 degree of freedom"
    )
    assert str(check(machine(*CASES["double pendulum"][0])).freedom) == (
        "4 coordinates, 2 constraints, rank 2: 2 degrees of freedom"
    )
    assert check(machine(*LEVER)).freedom.as_data()["degrees"] == 1


def test_sets_are_named(machine) -> None:
    assert check(machine(*square(("B1", "B3"), ("B2", "B4")))).redundant == (("C1", "C2", "C3", "C4", "C5", "C6"),)
    assert set(check(machine(*lazy_tongs())).redundant) == {
        tuple(f"C{k}" for k in (1, 3, 5, 7, 9, 11, 13, 15, 17)),
        tuple(f"C{k}" for k in (2, 4, 6, 8, 10, 12, 14, 16, 18)),
    }


def test_each_cell_of_a_long_frame_is_a_set_of_its_own(machine) -> None:
    cells = 30
    bodies = {f"B{k}{side}": (float(k), float(side)) for k in range(cells + 1) for side in (0, 1)}
    links = [(f"B{k}0", f"B{k}1") for k in range(cells + 1)]
    for k in range(cells):
        links += [(f"B{k}{a}", f"B{k + 1}{b}") for a in (0, 1) for b in (0, 1)]
    findings = check(machine(bodies, links))
    assert len(findings.redundant) == cells
    assert max(map(len, findings.redundant)) <= 12
    assert findings.freedom.degrees == 3


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_start_that_does_not_fit_gives_one_warning(machine, scale: float) -> None:
    """Listing 10 of the paper: position and velocity are both off."""
    pendulum = machine(
        {"B1": (scale, 0.0)},
        [("B1", O)],
        start={"B1": (0.5 * scale, 0.5 * scale)},
        velocity={"B1": (0.0, -scale)},
    )
    findings, codes = said(pendulum)
    assert codes == ["W304"]
    assert findings.off_position[0].amount == pytest.approx(-0.25 * scale)  # (½ − 1)/2
    assert findings.off_velocity[0].amount == pytest.approx(-math.sqrt(0.5) * scale)  # at the position that fits
    assert findings.freedom.degrees == 1


def test_start_message_says_by_how_much(machine) -> None:
    report = Diagnostics()
    diagnose(machine({"B1": (1.0, 0.0)}, [("B1", O)], start={"B1": (0.6, 0.0)}, velocity={"B1": (1.0, 0.0)}), report)
    (message,) = (d.message for d in report.diagnostics)
    assert "C1 is 1 long, but its ends are 0.6 apart (0.4 too short)" in message
    assert "move apart with 1 m/s" in message


def test_start_velocity_that_does_not_fit(machine) -> None:
    findings, codes = said(machine({"B1": (1.0, 0.0)}, [("B1", O)], velocity={"B1": (0.5, 2.0)}))
    assert codes == ["W305"]
    assert findings.off_velocity[0].amount == pytest.approx(0.5)
    assert said(machine({"B1": (1.0, 0.0)}, [("B1", O)], velocity={"B1": (0.0, 2.0)}))[1] == []


def test_slider_line_that_the_body_is_off(machine) -> None:
    findings, codes = said(machine({"B1": (1.0, 0.25)}, [], [("B1", 0, 3, 0)]))
    assert codes == ["W304"]
    assert findings.off_position[0].amount == pytest.approx(0.25)


def test_body_on_its_anchor_is_a_bad_start_but_no_conflict(machine) -> None:
    """There the link has no direction to move along: from the positions that gave the length there is no trouble."""
    findings, codes = said(machine({"B1": (1.0, 0.0)}, [("B1", O)], start={"B1": O}))
    assert codes == ["W304"]
    assert findings.unreachable == ("C1",)


def test_chain_that_starts_far_off_lands(machine) -> None:
    rng = np.random.default_rng(2)
    names = [f"B{k}" for k in range(1, 13)]
    bodies = {name: (0.2 * k, 0.0) for k, name in enumerate(names, 1)}
    start = {name: (x * (1 + rng.uniform(-0.4, 0.4)), 0.08 * rng.normal()) for name, (x, _) in bodies.items()}
    findings, codes = said(machine(bodies, [("B1", O), *pairwise(names)], start=start))
    assert codes == ["W304"]
    assert findings.unreachable == ()
    assert findings.freedom.degrees == 12


def test_rank_is_judged_where_the_start_lands(machine) -> None:
    """The start is bent off the lines of a lever; its bar is found in the lengths all the same."""
    bodies, links, _ = LEVER
    findings, codes = said(machine(bodies, links, start={"B1": (-1.0, 0.1), "B2": (1.0, 0.2)}))
    assert codes == ["W302", "W304"]
    assert findings.freedom.rank_with_bars == 3


def test_messages_point_at_entities_and_help(machine) -> None:
    for description, _, _ in CASES.values():
        report = Diagnostics()
        diagnose(machine(*description), report)
        for diagnostic in report.diagnostics:
            assert diagnostic.span is not None
            assert diagnostic.span.text in diagnostic.message or diagnostic.code == "W303"
            assert diagnostic.label and diagnostic.help
            assert len(diagnostic.also) <= 3


def test_long_lists_are_cut(machine) -> None:
    count = 40
    bodies = {f"B{k}": (float(k), 0.0) for k in range(1, count)}
    chain = [O, *bodies, (float(count), 0.0)]
    report = Diagnostics()
    diagnose(machine(bodies, list(pairwise(chain))), report)
    bar = next(d for d in report.diagnostics if d.code == "W302")
    assert "(40 in all)" in bar.message
    assert len(bar.message) < 200


def test_paper_algorithms_are_warned_of_straight_bars(machine) -> None:
    mechanism = dataclasses.replace(machine(*LEVER), options=Options(mpi_algo="GREVILLE"))
    report = Diagnostics()
    diagnose(mechanism, report)
    assert "instead of GREVILLE" in report.diagnostics[0].help


def test_nothing_at_all(machine) -> None:
    findings, codes = said(machine({}))
    assert codes == []
    assert str(findings.freedom) == "0 coordinates, 0 constraints, rank 0: 0 degrees of freedom"


def test_numbers_beyond_all_bounds_are_survived(machine) -> None:
    huge = 1e200
    for mechanism in (
        machine({"B1": (huge, 0.0)}, [("B1", O, huge)]),
        machine({"B1": (1.0, 0.0)}, [("B1", O)], start={"B1": (huge, huge)}),
        machine({"B1": (1.0, 0.0), "B2": (1e-200, 0.0)}, [("B1", "B2"), ("B2", O, 1e-200)]),
        machine({"B1": (1.0, 0.0)}, [], [("B1", 1e-300, 1e300, 0.0)]),
    ):
        said(mechanism)


def test_the_work_is_linear_in_the_links_of_a_chain(machine) -> None:
    def checking(count: int) -> Callable[[], None]:
        names = [f"B{k}" for k in range(1, count + 1)]
        bodies = {name: (0.2 * k, 0.0) for k, name in enumerate(names, 1)}
        mechanism = machine(bodies, [("B1", O), *pairwise(names)])

        def work() -> None:
            assert check(mechanism).freedom.degrees == count

        return work

    assert growth(checking, 200) < 1.2


FIXED_ENDS = {"left": (0.711, 0.381), "right": (2.793, 1.926)}
# The lengths are those of a position; the rough positions stand on a line far from it.
FAR_OFF = [
    ("B1", FIXED_ENDS["left"], 1.1357482115328204),
    ("B2", "B1", 0.36600546444008186),
    ("B2", FIXED_ENDS["right"], 1.8134875240817072),
    ("B3", FIXED_ENDS["left"], 1.3083030994383527),
    ("B3", FIXED_ENDS["right"], 1.8495085833810019),
    ("B4", "B3", 1.8626137549153876),
    ("B4", "B2", 1.4455493765347485),
    ("B5", FIXED_ENDS["left"], 2.165497633339737),
    ("B5", "B4", 1.4842954557634407),
]


def on_a_line(count):
    return {f"B{k}": (float(k), 0.0) for k in range(1, count + 1)}


def test_rough_positions_far_off_are_no_conflict(machine) -> None:
    found = check(machine(on_a_line(5), FAR_OFF))
    assert not found.conflicting
    assert found.elsewhere


@pytest.mark.parametrize("machines", [15, pytest.param(60, marks=pytest.mark.long)])
def test_sound_machines_with_rough_positions_are_hardly_ever_called_conflicting(machine, machines) -> None:
    random = np.random.default_rng(1)
    wrong = 0
    for _ in range(machines):
        count = int(random.integers(5, 13))
        places = random.uniform(0, 3, (count + 2, 2))
        ends = [*(f"B{k}" for k in range(1, count + 1)), *(tuple(place) for place in places[count:].tolist())]
        links = []
        for k in range(count):
            others = [count, count + 1, *range(k)]
            for other in random.choice(others, size=2 if random.random() < 0.85 else 1, replace=False):
                links.append((ends[k], ends[other], math.dist(places[k], places[other])))
        wrong += check(machine(on_a_line(count), links)).conflicting
    assert wrong <= machines // 60


def test_contradictions_stay_contradictions(machine) -> None:
    longer = [*FAR_OFF, ("B4", FIXED_ENDS["right"], 40.0)]
    assert check(machine(on_a_line(5), longer)).conflicting


def test_an_open_chain_always_fits_somewhere(machine) -> None:
    random = np.random.default_rng(7)
    for count in (60, 90):
        names = [f"B{k}" for k in range(1, count + 1)]
        lengths = 10 ** random.uniform(-3, 3, count)
        links = [(*ends, length) for ends, length in zip(pairwise([(0.0, 0.1), *names]), lengths.tolist(), strict=True)]
        found = check(machine({name: (0.1 * k, 0.0) for k, name in enumerate(names)}, links))
        assert not found.conflicting and not found.unfound
        assert found.elsewhere and found.freedom.degrees == count


def test_some_rows_are_what_they_are_among_all() -> None:
    text = (
        "* Some\nB1 (1,0.2) 1\nB2 (2,1) 1\nC1 B1 ({sin(time)},0)\nG1 {X(B1)*Y(B2)-0.9}\nS1 B2 LINE(0,1,1)\nC2 B1 B2\n"
    )
    text += "G2 {ANGLE(B1,B2)-time-0.7}\n"
    mechanism = chainlist.parse(text)
    q = np.array([body.start for body in mechanism.bodies])
    rows = row_set(["B1", "B2"], q, mechanism.constraints)
    which = [3, 1, 4, 0]
    every, few = (one.at(q + 0.1, q - 0.3, t=0.2) for one in (rows, rows.some(which)))
    for name in ("phi", "J", "b", "c"):
        assert np.array_equal(getattr(few, name), getattr(every, name)[which])


def test_bodies_are_placed_in_proportion_to_their_number(machine) -> None:
    def placing(count: int) -> Callable[[], object]:
        names = [f"B{k}" for k in range(1, count + 1)]
        links = [(*ends, 0.05 * (k % 7 + 1)) for k, ends in enumerate(pairwise([(0.0, 0.1), *names]))]
        mechanism = machine({name: (0.1 * k, 0.0) for k, name in enumerate(names)}, links)
        start = np.array([body.start for body in mechanism.bodies])
        rows = row_set(names, start, mechanism.constraints)
        return lambda: one_after_another(rows, start, [list(range(count))])

    assert growth(placing, 40) < 1.2


def test_a_long_chain_is_placed_as_far_as_the_work_allows(machine) -> None:
    names = [f"B{k}" for k in range(1, 31)]
    mechanism = machine(
        {name: (0.1 * k, 0.0) for k, name in enumerate(names)}, [(*ends, 1.0) for ends in pairwise([O, *names])]
    )
    start = np.array([body.start for body in mechanism.bodies])
    q, work = one_after_another(row_set(names, start, mechanism.constraints), start, [list(range(30))], 100.0)
    assert 100.0 < work < 110.0
    assert 0 < np.count_nonzero((q != start).any(axis=1)) < 30


def test_what_was_not_found_is_not_called_a_contradiction(machine, monkeypatch) -> None:
    """Without any search the frame that fits somewhere is only said to be off."""
    monkeypatch.setattr("chainlist.compile.settle.TRIES_SMALL", 0)
    monkeypatch.setattr("chainlist.compile.settle.WORK", 0)
    report = Diagnostics()
    found = diagnose(machine(on_a_line(5), FAR_OFF), report)
    assert not found.conflicting and len(found.unfound) == 1
    (said,) = (d for d in report.diagnostics if d.code == "W304")
    assert "no position that fits was found, though there may be one; at the nearest one tried C" in said.help
    assert " off by " in said.help and "give positions, or IC_POS, nearer" in said.help


def held_by_three_rods(count: int, sides: tuple[int, ...]) -> str:
    """Bodies in a row, each on three rods as long as they should be, and drawn on the right side of them or on the wrong one."""
    anchors = [(0.0, 0.0), (1.0, 0.0), (0.5, 0.2)]
    places = [(0.2 * k - 0.3, 1 + 0.1 * (k % 3)) for k in range(count)]
    lines = [f"B{k} ({x},{side * y}) 1" for k, ((x, y), side) in enumerate(zip(places, sides, strict=True), start=1)]
    pairs = [(f"B{k}", f"({a},{b})", place, (a, b)) for k, place in enumerate(places, start=1) for a, b in anchors]
    pairs += [(f"B{k}", f"B{k + 1}", places[k - 1], places[k]) for k in range(1, count)]
    lines += [
        f"C{n} {one} {two} LENGTH={math.dist(here, there)!r}" for n, (one, two, here, there) in enumerate(pairs, 1)
    ]
    return "\n".join(["* Rods", *lines]) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        held_by_three_rods(30, (-1,) * 30),
        "* Both fit at X = -1000\nB1 (1,0) 1\nG1 {(X(B1)**2+1)*(1+X(B1)/1000)}\nG2 {(X(B1)**2+0.3*X(B1)+1)*(1+X(B1)/1000)}\n",
    ],
    ids=["wrong side", "formulas"],
)
def test_what_is_in_balance_at_one_place_only_is_no_contradiction(text) -> None:
    assert "E302" not in codes_of(text)


def test_nothing_is_judged_where_no_position_was_found() -> None:
    """At a start that fits nothing this machine would not move; in a position that fits, if there is one, it may."""
    text = "* Rails\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B2 B1\nS1 B2 LINE(0,1,0)\nS2 B1 LINE(0,1,0)\nG1 {(X(B1)**2+1)*(1+X(B1)/1000)}\n"
    mechanism = chainlist.parse(text)
    assert {d.code for d in mechanism.diagnostics} & {"W301", "W303", "W304", "W307", "W308"} == {"W304"}
    assert str(check(mechanism).freedom).endswith("degrees of freedom not judged, no position that fits was found")


def test_velocities_in_a_singular_position_are_little_work() -> None:
    """A chain of 97 bodies at a flat parallelogram: only the three rods that depend on one another ask anything of velocities."""
    text = "* Flat\nB1 (1,0) 1 IC_VEL=(0,3)\nB2 (3,0) 1 IC_VEL=(0,1)\nC1 B1 (0,0)\nC2 B2 (2,0)\nC3 B1 B2\n"
    text += "".join(f"B{k} ({3 + 0.1 * (k - 2)},{-0.2 * (k - 2)}) 1\nC{k + 1} B{k - 1} B{k}\n" for k in range(3, 100))
    still = text.replace("IC_VEL=(0,3)", "").replace("IC_VEL=(0,1)", "")
    codes_of(text)  # what is done once is done
    assert lines_run(lambda: codes_of(text)) < 1.5 * lines_run(lambda: codes_of(still))


def codes_of(text: str) -> set[str]:
    try:
        return {d.code for d in chainlist.parse(text).diagnostics}
    except chainlist.ChainlistError as error:
        return {d.code for d in error.diagnostics}


def test_only_what_is_far_off_is_blamed() -> None:
    """The rod of this machine fits wherever the formula takes its body."""
    text = "* G\nB1 (1,0) 1\nB2 (1,1) 1\nC1 B2 B1\nG1 {(X(B1)**2+1)*(1+X(B1)/1000)}\n"
    (said,) = (d for d in chainlist.parse(text).diagnostics if d.code == "W304")
    assert "at the nearest one tried G1 is off by" in said.help
    text = text.replace("C1 B2 B1", "G2 {(X(B2)**2+1)*(1+X(B2)/1000)}")
    (said,) = (d for d in chainlist.parse(text).diagnostics if d.code == "W304")
    assert "(and 1 more set)" in said.help


def test_a_search_ends_where_nothing_better_is_promised() -> None:
    """Every step gives less than roundoff there: once the check ended with an overflow."""
    text = "* G\nB1 (1,0) 1\nB2 (3,0) 1\nC1 B1 (0,0)\nC3 B1 B2\nB3 (1,1) 1\nG1 {(X(B3)**2+1)*(1+X(B3)/50)}\n"
    assert {d.code for d in chainlist.parse(text).diagnostics} >= {"W304"}


def test_how_far_off_a_conflict_is_is_a_distance(machine) -> None:
    """Four points of a plane cannot all be 1 m apart: those of a square with sides of √(2/3) m come nearest."""
    side = math.sqrt(2 / 3)
    corners = {f"B{k}": (x * side / 2, y * side / 2) for k, (x, y) in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)])}
    links = [(one, two, 1.0) for one, two in combinations(corners, 2)]
    (clash,) = check(machine(corners, links)).conflicting_sets
    assert clash.off == pytest.approx(1 - side, rel=1e-3)
