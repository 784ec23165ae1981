"""Walls, ropes, disks and flashes: what pictures, pages and traces show of motions that are mixed."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.output.camera import FRONT, View
from chainlist.output.drawing import DrawnPart, draw
from chainlist.output.frames import FLASHING, Studio
from chainlist.output.packing import machine_of
from chainlist.output.panels import scene_of
from chainlist.output.presence import flashes, is_there, presence
from chainlist.output.sketch import sketch
from chainlist.output.strokes import GROUND
from chainlist.output.surroundings import hanging, rope_strokes, wall_strokes
from chainlist.output.traces import read_trace, write_trace
from chainlist.run.happenings import Happening
from chainlist.run.trajectory import Trajectory

END = ".tran 0 1 1ms\n.plot CONSTRAINTS(ALL)\n"
VIEW = View(-1.0, -1.0, 1.0, 1.0)


def motion_of(mechanism, t, q, events=()):
    """Samples written down, without velocities."""
    return Trajectory(mechanism=mechanism, t=np.array(t), q=np.array(q, float), v=None, events=tuple(events))


def part_of(card, more="B1 (0,0.5) 1 RADIUS=0.1\n"):
    (part,) = draw(chainlist.parse(f"* Machine\n{more}{card}\n{END}")).parts
    return part


def length_of(line):
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


# Walls


@pytest.mark.parametrize("line", ["LINE(0,1,-0.25)", "LINE(0,-2,-1.5)", "LINE(3,4,-2)"])
def test_a_wall_is_where_the_text_says_and_hatched_behind(line):
    part = part_of(f"W1 {line}")
    k1, k2, konst = (float(x) for x in line[5:-1].split(","))
    edge, *hatching = wall_strokes(part, np.array(part.points), 0.02, VIEW, 0.0)
    np.testing.assert_allclose(edge.line @ [k1, k2], konst, atol=1e-12)  # whatever the radius of the body
    assert np.abs(edge.line).max() == pytest.approx(1.0)  # to the edge of the picture
    for stroke in hatching:
        foot, tip = stroke.line @ [k1, k2] - konst
        assert abs(foot) < 1e-12 and tip < -1e-3 and stroke.layer == GROUND


def test_a_wall_that_is_not_in_the_picture_is_not_drawn():
    part = part_of("W1 LINE(0,1,-7)")
    assert not list(wall_strokes(part, np.array(part.points), 0.02, VIEW, 0.0))


def test_a_wall_that_moves_is_told():
    mechanism = chainlist.parse(f"* Machine\nB1 (0,0.5) 1 RADIUS=0.1\nW1 LINE(0,2,{{0.4*time}})\n{END}")
    motion = motion_of(mechanism, [0.0, 1.0], [[(0, 0.1)], [(0, 0.3)]])
    parts = sketch(motion)
    for moment in parts.moments(motion, motion.t, motion.q):
        edge = parts.strokes(moment)[0]
        np.testing.assert_allclose(edge.line[:, 1], 0.2 * moment.time, atol=1e-12)


def test_the_ticks_of_a_belt_run_with_it():
    part = part_of("W1 LINE(0,1,0) MU=0.3 BELT=0.5")

    def ticks(time):
        strokes = list(wall_strokes(part, np.array(part.points), 0.02, VIEW, time))
        return np.array([s.line[0, 0] for s in strokes[1:] if s.line[1, 1] > 1e-6])

    now, later = ticks(0.0), ticks(0.02)
    inner = now[np.abs(now) < 0.8]
    for x in inner:  # LINE(0,1,0): along (1,0)
        assert np.abs(later - x - 0.01).min() < 1e-9


@pytest.mark.parametrize(("inside", "sign"), [("", -1), (" INSIDE", 1)])
def test_a_round_wall_is_hatched_behind(inside, sign):
    part = part_of(f"W1 CIRCLE((0,0),0.8){inside}", f"B1 (0,{0.5 if inside else 1}) 1 RADIUS=0.1\n")
    edge, *hatching = wall_strokes(part, np.array([part.points[0]]), 0.02, VIEW, 0.0)
    np.testing.assert_allclose(np.hypot(*edge.line.T), 0.8)
    tips = np.array([np.hypot(*stroke.line[1]) for stroke in hatching])
    assert (sign * (tips - 0.8) > 1e-3).all()


# Ropes


@pytest.mark.parametrize("b", [(1.0, 0.0), (0.7, 0.5), (0.3, -0.9), (1e-9, 0.2)])
@pytest.mark.parametrize("length", [1.05, 1.5, 4.0])
def test_a_slack_rope_has_its_true_length(b, length):
    a = np.array([0.2, -0.1])
    line = hanging(a, a + np.array(b), length)
    np.testing.assert_allclose(line[[0, -1]], [a, a + np.array(b)], atol=1e-12)
    assert length_of(line) == pytest.approx(length, rel=0.02)  # a polygon in a curve is a little shorter
    assert line[:, 1].min() < min(line[0, 1], line[-1, 1]) + 1e-12


def test_in_space_a_rope_hangs_down_the_y_axis():
    line = hanging(np.zeros(3), np.array([1.0, 0.0, 1.0]), 2.0)
    np.testing.assert_allclose(line[:, 0], line[:, 2])
    assert line[12, 1] < -0.4


def test_a_taut_rope_is_straight_and_over_pegs_each_stretch_has_its_share():
    taut = DrawnPart("rope", "C1", (0, (0.0, 0.0)), (1.0,))
    (stroke,) = rope_strokes(taut, [np.array([1.0, 0.0]), np.zeros(2)], FRONT, 0.02)
    assert len(stroke.line) == 2
    slack = DrawnPart("rope", "C1", (0, (0.0, 0.0), (1.0, 0.0), 1), (6.0,))
    places = [np.array(p, float) for p in ((-1, 0), (0, 0), (1, 0), (3, 0))]
    first, second, third, *pegs = rope_strokes(slack, places, FRONT, 0.02)
    lengths = [length_of(stroke.line) for stroke in (first, second, third)]
    np.testing.assert_allclose(lengths, [1.5, 1.5, 3.0], rtol=0.02)
    assert len(pegs) == 4  # a ring and a dot each


# What is there, and what flashes


def machine(cards):
    return chainlist.parse(f"* Machine\nB1 (1,0) 1 RADIUS=0.1\nB2 (1.3,0) 1 RADIUS=0.2\n{cards}\n{END}")


def test_links_are_there_until_they_break_and_from_when_they_begin():
    mechanism = machine("C1 B1 (0,0) BREAK=5N\nC2 B1 B2 FROM={Time>0.2} CUT={Time>0.4}\nC3 B2 (2,0)")
    events = [
        Happening(0.2, "begins to hold", ("C2",)),
        Happening(0.4, "is cut", ("C2",)),
        Happening(0.3, "breaks", ("C1",)),
    ]
    spans = presence(mechanism, events)
    parts = {part.name: part for part in draw(mechanism).parts}
    there = {t: "".join(n for n, part in parts.items() if is_there(part, spans, t)) for t in (0.1, 0.25, 0.35, 0.5)}
    assert there == {0.1: "C1C3", 0.25: "C1C2C3", 0.35: "C2C3", 0.5: "C3"}
    assert presence(mechanism, ()) == {"C2": (math.inf, math.inf)}


def test_flashes_are_where_bodies_touch():
    mechanism = machine("W1 B1 LINE(0,1,-0.1)\nW2 ALL\nW3 B1 CIRCLE((1,1),0.9)")
    happened = [("W1", "B1"), ("W2", "B1", "B2"), ("W3", "B1"), ()]
    events = [Happening(0.5, "hits", who, 1.0 + n) for n, who in enumerate(happened)]
    motion = motion_of(mechanism, [0.0, 1.0], [[(1, 0), (1.3, 0)]] * 2, events)
    wall, pair, drum, nowhere = flashes(motion, draw(mechanism))
    assert wall.place == pytest.approx((1.0, -0.1)) and pair.place == pytest.approx((1.1, 0.0))
    assert drum.place == pytest.approx((1.0, 0.1)) and nowhere.place == ()
    assert wall.size < pair.size < nowhere.size == 1.0


@pytest.fixture(scope="module")
def bounce():
    """It falls for 0.2 s onto the floor."""
    text = f"* Ball\n.param h=9.81*0.02\nB1 (0,h+0.1) 1 RADIUS=0.1\nW1 LINE(0,1,0) REST=0.5\n{END}"
    return chainlist.simulate(text)


def test_a_frame_flashes_after_an_impact_and_not_before(bounce):
    parts = sketch(bounce)
    studio = Studio(bounce, parts, width=320, strobe=False, names=False, speed=1.0)
    before, after, later = (np.asarray(frame) for frame in studio.frames(np.array([0.15, 0.201, 0.9])))

    def red(frame):
        away = np.abs(frame.astype(int) - FLASHING).sum(axis=2)
        return int((away < 60).sum())

    assert red(before) == red(later) == 0 and red(after) > 20


def test_a_disk_has_its_size_in_a_frame(bounce):
    parts = sketch(bounce)
    studio = Studio(bounce, parts, width=320, strobe=False, names=False, speed=1.0)
    (frame,) = (np.asarray(frame).astype(int) for frame in studio.frames(np.array([0.1])))
    orange = (frame[:, :, 0] - frame[:, :, 2]) > 60
    pixels = 0.2 * min(studio.size[0] / parts.view.width, (studio.size[1] - 26) / parts.view.height)
    assert np.ptp(np.flatnonzero(orange.any(axis=0))) + 1 == pytest.approx(pixels, abs=2.5)


def test_the_scene_tells_events_sizes_and_spans(bounce):
    scene = machine_of(scene_of(bounce, [], []))
    assert scene["bodies"][0]["radius"] == 0.1
    first = scene["events"][0]
    assert first["t"] == pytest.approx(0.2) and first["place"] == pytest.approx([0, 0], abs=1e-6)
    assert "hits" in first["text"] and first["size"] == 1.0
    broken = machine("C1 B1 (0,0) BREAK=5N")
    events = [Happening(0.5, "breaks", ("C1",))]
    motion = motion_of(broken, [0.0, 1.0], [[(1, 0), (1.3, 0)]] * 2, events)
    (link,) = machine_of(scene_of(motion, [], []))["parts"]
    assert link["holds"] == [None, 0.5]


@pytest.mark.parametrize("suffix", [".npz", ".nc", ".mat"])
def test_traces_keep_events(bounce, tmp_path, suffix):
    write_trace(bounce, tmp_path / f"a{suffix}")
    found = read_trace(tmp_path / f"a{suffix}")
    assert found.events == tuple(sorted(bounce.events, key=lambda event: event.time)) and found.events


def test_the_item_counts_events(bounce):
    (curve,) = bounce.observe("EVENTS").curves
    expected = [sum(event.time <= t for event in bounce.events) for t in bounce.t]
    np.testing.assert_array_equal(curve.values, expected)
    assert curve.values[0] == 0 and curve.values[-1] == len(bounce.events) > 3


def test_what_holds_at_times_has_no_residual(bounce):
    assert np.isnan(bounce.observe("PHI(W1)").curves[0].values).all()
