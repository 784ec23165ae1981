"""One model for all pictures: which parts a mechanism is drawn with, and that everything that draws uses them."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import chainlist
from chainlist.elements import REGISTRY, ElementType
from chainlist.elements.base import Reading
from chainlist.output.drawing import DrawnPart, ToldPoint, draw
from chainlist.output.frames import Studio
from chainlist.output.packing import machine_of, pack
from chainlist.output.page import page
from chainlist.output.pictures import draw_picture
from chainlist.output.scene import build_scene
from chainlist.output.sketch import sketch
from chainlist.output.strokes import COILS, strokes
from chainlist.output.thumbnail import HEIGHT, WIDTH, thumbnail
from chainlist.output.tracks import track_values
from chainlist.run.samples import Samples
from tests.references.mechanics.table import MECHANICS
from tests.some import some

BODIES = "* Test\nB1 (1,0) 1\nB2 (2,0) 1\nB3 (3,0) 1\n"
ARMS = "C1 (0,0) B1\nC2 B1 B2\n"


def parts_of(text, bodies=BODIES):
    return draw(chainlist.parse(bodies + text)).parts


def motion_of(text, count=201, stop=2.0):
    """The bodies swing about where they stand: what is drawn does not ask whether constraints hold."""
    mechanism = chainlist.parse(text)
    t = np.linspace(0, stop, count)
    start = np.array([body.start for body in mechanism.bodies])
    q = start + 0.1 * np.sin(3 * t)[:, None, None]
    v = np.broadcast_to(0.3 * np.cos(3 * t)[:, None, None], q.shape)
    return Samples(mechanism, t, q, v)


# Which parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("C1 B1 B2", [DrawnPart("rod", "C1", (0, 1))]),
        (
            "C1 B1 (0,0) LENGTH={1+0.1*time}",
            [DrawnPart("rod", "C1", (0, (0.0, 0.0))), DrawnPart("sleeve", "C1", (0, (0.0, 0.0)))],
        ),
        ("C1 B1 (1,1) (2,1) B2", [DrawnPart("string", "C1", (0, (1.0, 1.0), (2.0, 1.0), 1))]),
        ("S1 B1 LINE(0,1,0)", [DrawnPart("rail", "S1", (0,), (0.0, 1.0, 0.0))]),
        ("S1 B2 LINE(B1,B3)", [DrawnPart("guide", "S1", (1, 0, 2))]),
        ("S1 B1 LINE({-sin(time)},{cos(time)},0)", [DrawnPart("guide", "S1", (0, ToldPoint(0), ToldPoint(1)))]),
        ("S1 B1 CIRCLE((0,0),1)", [DrawnPart("circle", "S1", (0, (0.0, 0.0)), (1.0,))]),
        ("S1 B1 CIRCLE(B2,{1+0*time})", [DrawnPart("circle", "S1", (0, 1, ToldPoint(0)))]),
        ("K1 B1 B2 5", [DrawnPart("spring", "K1", (0, 1))]),
        ("K1 ANGLE(B1,B2,B3) 5", [DrawnPart("spiral", "K1", (0, 1, 2))]),
        ("D1 B1 (0,0) 5", [DrawnPart("damper", "D1", (0, (0.0, 0.0)))]),
        ("D1 ANGLE(B1,B2) 5", [DrawnPart("brake", "D1", (0, 1))]),
        ("D1 B1 5", [DrawnPart("drag", "D1", (0,))]),
        ("F1 B1 (1,2)", [DrawnPart("force", "F1", (0, ToldPoint(0)))]),
        ("F1 B1 B2 {3}", [DrawnPart("pull", "F1", (0, 1))]),
        ("G1 {X(B1)-1}", []),
        ("N1 {VX(B1)}", []),
    ],
)
def test_what_an_element_looks_like(text, parts):
    assert list(parts_of(text)) == parts


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("M1 C1 SPEED={1}", DrawnPart("motor", "M1", ((0.0, 0.0),))),
        ("M1 C2 C1 SPEED={1}", DrawnPart("motor", "M1", (0,))),
        ("T1 C1 {1}", DrawnPart("torque", "T1", ((0.0, 0.0), 0), (1.0,))),
        ("T1 C2 C1 {1}", DrawnPart("torque", "T1", (0,), (1.0,))),
    ],
)
def test_motors_and_torques_stand_on_their_links(text, part):
    assert parts_of(ARMS + text)[-1] == part


def test_a_pin_on_the_ground_and_one_between_bodies():
    drawing = draw(chainlist.parse("* T\nB1 (1,0) 1\nB2 (1,0) 1\nJ1 B1 B2\nJ2 B1 (1,0)\n"))
    assert drawing.parts == (DrawnPart("pin", "J1", (0, 1)), DrawnPart("pin", "J2", (0, (1.0, 0.0))))
    assert drawing.pivots == ((1.0, 0.0),)


def test_what_stands_on_the_ground():
    text = (
        "C1 B1 (0,1)\nC2 (3,4) (4,4) B3\nS1 B2 CIRCLE((2,7),7)\nK1 B2 (2,{1+time}) 5\nD1 B3 (0,1) 1\nF1 B1 (8,8) {1}\n"
    )
    assert draw(chainlist.parse(BODIES + text)).pivots == ((0.0, 1.0), (3.0, 4.0), ToldPoint(0))


def test_springs_between_the_same_points_stand_side_by_side():
    def places(text):
        return [part.numbers for part in parts_of(text)]

    assert places("K1 B1 B2 5\nK2 B2 B3 5") == [(), ()]
    assert places("K1 B1 B2 5\nD1 B1 B2 5") == [(-0.5,), (0.5,)]
    assert places("K1 B1 B2 5\nD1 B2 B1 5") == [(-0.5,), (-0.5,)]  # seen from the other end
    assert places("C1 B1 B2\nK1 B1 B2 5") == [(), (1.0,)]
    assert places("C1 B1 B2\nK1 B1 B2 5\nD1 B1 B2 5") == [(), (-1.0,), (1.0,)]


@pytest.fixture
def plugin():
    """An element whose file says nothing of pictures."""
    kind = ElementType(letter="L", name="plug-in", syntax="", meaning="", read=lambda card: Reading(()))
    REGISTRY["L"] = kind
    yield kind
    del REGISTRY["L"]


def test_a_plugin_with_two_ends_is_drawn_like_a_link(plugin):
    mechanism = chainlist.parse(BODIES + "C1 B1 (0,0)\n")
    (link,) = mechanism.constraints
    two = replace(link, name="L1", letter="L", ends=("B1", "B2"), parameters=())
    one = replace(link, name="L2", letter="L", ends=("B3",), parameters=())
    mechanism = replace(mechanism, constraints=(link, two, one))
    assert draw(mechanism).parts == (DrawnPart("rod", "C1", (0, (0.0, 0.0))), DrawnPart("rod", "L1", (0, 1)))
    assert draw(mechanism, {"L2"}).parts == () and draw(mechanism, {"L2"}).bodies == (2,)
    scene = build_scene(mechanism, [0.0, 1.0], np.ones((2, 3, 2)), tension=[[4.0], [5.0]])
    assert np.array_equal(scene.tension, [[4, np.nan], [5, np.nan]], equal_nan=True)


def test_all_constraints_show_the_forces_too():
    mechanism = chainlist.parse(BODIES + ARMS + "K1 B2 B3 5\nF1 B3 (1,0)\nM1 C1 SPEED={1}\n")
    everything = draw(mechanism)
    assert [part.name for part in everything.parts] == ["C1", "C2", "M1", "K1", "F1"]
    assert draw(mechanism, ("C1", "C2", "M1")) == everything
    some = draw(mechanism, ("C2",))
    assert [part.name for part in some.parts] == ["C2"] and some.bodies == (0, 1)


def test_a_motor_alone_shows_where_it_turns():
    mechanism = chainlist.parse(BODIES + ARMS + "M1 C2 C1 SPEED={1}\n")
    assert draw(mechanism, ("M1",)).bodies == (0,)


# Tracks


def test_lines_that_are_told():
    """A line through (1, 2) that turns: the two points that tell it are on it, a metre apart."""
    text = "S1 B1 LINE({-sin(time)},{cos(time)},{2*cos(time)-sin(time)})"
    mechanism = chainlist.parse(BODIES + text)
    t = np.linspace(0, 3, 7)
    first, second = np.moveaxis(track_values(mechanism, draw(mechanism).tracks, t), 1, 0)
    assert np.allclose(np.hypot(*(second - first).T), 1)
    for point in (first, second):
        assert np.allclose(-np.sin(t) * (point[:, 0] - 1) + np.cos(t) * (point[:, 1] - 2), 0)


def test_anchors_and_radii_that_are_told():
    mechanism = chainlist.parse(BODIES + "C1 B1 ({2*time},{time**2})\nS1 B2 CIRCLE((0,0),{2+time})\n")
    t = np.array([0.0, 0.5, 1.5])
    values = track_values(mechanism, draw(mechanism).tracks, t)
    assert np.allclose(values[:, 0], np.stack([2 * t, t**2], -1))
    assert np.allclose(values[:, 1, 0], 2 + t)


def test_forces_have_length_one_where_they_are_largest():
    mechanism = chainlist.parse(
        BODIES + "F1 B1 (3,4)\nF2 B2 ({4*time},0)\nF3 B3 ({-6*VX(B3)},{X(B3)})\n.tran 0 2 0.1\n"
    )
    tracks = draw(mechanism).tracks
    t = np.array([0.0, 1.0, 2.0])
    values = track_values(mechanism, tracks, t)
    assert np.allclose(values[:, 0], (0.6, 0.8))
    assert np.allclose(values[:, 1], [(0, 0), (0.5, 0), (1, 0)])
    assert np.isnan(values[:, 2]).all()
    q, v = np.full((3, 3, 2), 8.0), np.ones((3, 3, 2))
    assert np.allclose(track_values(mechanism, tracks, t, Samples(mechanism, t, q, v))[:, 2], (-0.6, 0.8))


# Shapes


def test_a_spring_keeps_its_coils_and_ends_at_its_points():
    for length in (0.5, 3.0):
        ends = np.array([[0.0, 0.0], [length, 0.0]])
        (stroke,) = strokes(DrawnPart("spring", "K1", (0, 1)), ends, 0.02)
        assert np.array_equal(stroke.line[[0, -1]], ends)
        signs = np.sign(stroke.line[:, 1])
        assert sum(a != b for a, b in pairwise(signs[signs != 0])) == 2 * COILS - 2


@pytest.mark.parametrize("kind", ["spring", "damper", "pull", "sleeve"])
def test_points_in_one_place_do_no_harm(kind):
    for stroke in strokes(DrawnPart(kind, "K1", (0, 1)), np.zeros((2, 2)), 0.02):
        assert np.isfinite(stroke.line).all()


def test_where_nothing_is_known_nothing_is_drawn():
    points = np.array([[0.0, 0.0], [np.nan, np.nan]])
    assert not list(strokes(DrawnPart("spring", "K1", (0, 1)), points, 0.02))
    (mark,) = strokes(DrawnPart("force", "F1", (0, ToldPoint(0))), points, 0.02)
    assert np.allclose(np.hypot(*mark.line.T), 0.04)


def test_an_arrow_points_where_the_force_does():
    shaft, head = strokes(DrawnPart("force", "F1", (0, ToldPoint(0))), np.array([[1.0, 1.0], [0.0, -1.0]]), 0.1)
    assert np.allclose(shaft.line[:, 0], 1) and shaft.line[0, 1] > shaft.line[1, 1] > head.line[0, 1]


# Everything that draws


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("C1 B1 ({9*time/2},0)", (9, 0)),
        ("C1 B1 (1,7) (2,7) B2", (2, 7)),
        ("S1 B1 CIRCLE((0,0),5)", (0, -5)),
        ("S1 B1 CIRCLE((0,0),{4+time})", (-6, 0)),
        ("K1 B1 (0,-4) 5", (0, -4)),
    ],
)
def test_pictures_hold_anchors_circles_and_strings(text, point, modules):
    motion = motion_of(BODIES + text + "\n.tran 0 2 0.01\n")
    view = sketch(motion).view
    assert view.left < point[0] < view.right and view.bottom < point[1] < view.top
    scene = build_scene(motion.mechanism, motion.t, motion.q, motion.v)
    left, right, bottom, top = _box_in_player(modules, scene)
    assert left <= point[0] + 1e-6 and point[0] - 1e-6 <= right and bottom <= point[1] + 1e-6 and point[1] - 1e-6 <= top


def _box_in_player(tab, scene):
    return tab.evaluate(
        """async (bytes) => {
          const [{ Player }, { decodeScene }] = [await import("/player.js"), await import("/scene.js")];
          const player = new Player(document.getElementById("host"));
          player.load(decodeScene(Uint8Array.from(bytes).buffer));
          const box = player.wholeBox();
          player.destroy();
          return box;
        }""",
        list(pack(scene)),
    )


def test_what_only_tells_a_direction_does_not_widen_the_picture():
    motion = motion_of(
        BODIES + "K1 ANGLE((90,0),(0,0),B1) 5\nS1 B2 LINE({1+0*time},0,2)\nS2 B3 CIRCLE((0,-9000),9000)\n"
    )
    assert sketch(motion).view.right < 5 and sketch(motion).view.bottom > -5


def test_a_single_frame_knows_the_tracks_of_the_run_to_come():
    mechanism = chainlist.parse(BODIES + "C1 B1 ({time},0)\n.tran 0 4 0.1\n")
    scene = build_scene(mechanism, [0.0], np.zeros((1, 3, 2)))
    head = json.loads(json.dumps(machine_of(scene), allow_nan=False))
    assert head["parts"] == [{"kind": "rod", "name": "C1", "points": [0, {"told": 0}]}]
    assert (head["pivots"], head["tracks"]) == ([{"told": 0}], ["place"])
    assert head["told"]["t"][-1] == 4 and head["told"]["q"][-2:] == [4, 0]


def test_frames_follow_an_anchor_that_is_shaken_fast():
    mechanism = chainlist.parse(BODIES + "C1 B1 ({sin(2*pi*200*time)},0)\n")
    t = np.linspace(0, 1, 20_001)
    q = np.zeros((len(t), 3, 2))
    scene = build_scene(mechanism, t, q, q)
    drawn = np.interp(t, scene.told_t, scene.told[:, 0, 0])
    assert np.abs(drawn - np.sin(2 * np.pi * 200 * t)).max() < 0.05


EVERYTHING = """Everything
B1 (0.5,0) 1
B2 (2,0.4) 2
B3 (2.9,0.4) 1
B4 (1.2,1.2) 1
B5 (3.2,1.4) 0.5
B6 (3.2,1.4) 0.5
C1 (0,0) B1
C2 B1 B2
C3 B4 (0,2) (1,{2+0.1*time}) B5
C4 B5 (3.2,{2+0.1*sin(9*time)}) LENGTH={0.6+0.1*time}
S1 B2 LINE(0,1,0.4)
S2 B3 CIRCLE((2.9,0.9),0.5)
S3 B4 LINE({-sin(time)},{cos(time)},1)
S4 B4 LINE(B1,B5)
J1 B5 B6
M1 C1 SPEED={4}
K1 B2 (3.6,0.4) 40 L0=1.4
D1 B2 (3.6,0.4) 3
K2 ANGLE((0,0),B1,B2) 3
D2 ANGLE(B1,B2) 3
D3 B3 0.2
F1 B3 (1,0.5)
F2 B4 ({-2*VX(B4)},{X(B1)})
F3 B4 B5 {1}
T1 C2 {0.5}
T2 C2 C1 {0.5}
.tran 0 2 1E-2
"""


def test_a_page_draws_every_part_and_moves(open_page):
    motion = motion_of(EVERYTHING)
    scene = build_scene(motion.mechanism, motion.t, motion.q, motion.v)
    kinds = {"rod", "sleeve", "string", "rail", "guide", "circle", "pin", "motor", "torque", "force", "pull"}
    assert {part.kind for part in scene.parts} == kinds | {"spring", "damper", "spiral", "brake", "drag"}
    text = page(scene)
    assert "6 bodies · 4 links · 4 sliders · 1 pin · 1 motor · 2 springs · 3 dampers · 3 forces · 2 torques" in text
    assert len(text) < 350_000
    opened = open_page(text)
    for name in ("strobe", "trails", "names"):
        opened.run(f"chainlist.player.set('{name}', true)")
    before = opened.picture()
    opened.run("chainlist.player.seek(1.3)")
    assert opened.picture() != before


@pytest.fixture(scope="module")
def whole_looks():
    """Pictures with every part, drawn once for all tests."""
    return []


KINDS = ("spring", "string", "motor", "force", "circle", "guide", "spiral", "pin", "drag")


@pytest.mark.parametrize("name", some(KINDS, lambda name: name in ("spring", "motor", "guide")))
def test_a_part_is_seen_in_every_kind_of_picture(name, open_page, monkeypatch, whole_looks):
    """Without the part, each of them looks different."""
    motion = motion_of(EVERYTHING)
    if not whole_looks:
        whole_looks.extend(_looks(motion, open_page))
    real = draw(motion.mechanism)
    without = replace(real, parts=tuple(part for part in real.parts if part.kind != name))
    for module in ("output.sketch", "output.scene", "output.thumbnail"):
        monkeypatch.setattr(f"chainlist.{module}.draw", lambda *_: without)
    for look, other in zip(whole_looks, _looks(motion, open_page), strict=True):
        assert look != other


def _looks(motion, open_page):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    parts = sketch(motion)
    canvas = FigureCanvasAgg(Figure())
    draw_picture(canvas.figure.add_subplot(), motion, parts, "STATIC", None, names=False)
    canvas.draw()
    still = bytes(canvas.buffer_rgba())
    studio = Studio(motion, parts, width=320, strobe=False, names=False, speed=1)
    (frame,) = studio.frames(np.array([0.7]))
    opened = open_page(page(build_scene(motion.mechanism, motion.t, motion.q, motion.v)))
    opened.run("chainlist.player.seek(0.7)")
    return still, frame.tobytes(), opened.picture(), thumbnail(motion.mechanism)


@pytest.mark.parametrize("name", sorted(MECHANICS))
def test_thumbnails_hold_numbers_that_are_finite_and_inside(name):
    try:
        mechanism = chainlist.parse(MECHANICS[name].text)
    except chainlist.ChainlistError:
        pytest.skip("this text is not read")
    svg = thumbnail(mechanism)
    assert "nan" not in svg and "inf" not in svg
    for x, y in re.findall(r'<circle cx="([-\d.]+)" cy="([-\d.]+)"', svg):
        assert 0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT


def test_what_draws_knows_no_letters_of_elements():
    root = Path(chainlist.__file__).parent
    for path in root.joinpath("output").glob("*.py"):
        text = path.read_text("utf-8")
        assert not re.search(r'\.letter\b|== "[A-Z]"', text), path.name


def test_anchors_move_while_frames_are_still_coming(modules):
    mechanism = chainlist.parse(BODIES + "C1 B1 ({time},0)\nF1 B2 ({VX(B2)},1)\n.tran 0 4 0.1\n")
    head = machine_of(build_scene(mechanism, [0.0], np.zeros((1, 3, 2))))
    pixels = modules.evaluate(
        """async (head) => {
          const [{ Player }, { emptyScene }] = [await import("/player.js"), await import("/scene.js")];
          const player = new Player(document.getElementById("host"));
          player.load(emptyScene(head));
          player.append(Float64Array.of(0, 4), new Float32Array(12), new Float32Array(12));
          player.resize();
          const at = (time) => {
            player.seek(time);
            player.draw();
            return player.drawing.metres(player.scene.pivots[0], player.position)[0];
          };
          const places = [0, 1, 4].map(at);
          player.destroy();
          return places;
        }""",
        head,
    )
    assert pixels == pytest.approx([0, 1, 4], abs=1e-6)
