"""Pictures of rigid bodies: the same shapes in every kind of picture, in the plane and in space, and seen to turn."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

import chainlist
from chainlist.output.camera import Camera
from chainlist.output.drawing import draw
from chainlist.output.frames import Studio
from chainlist.output.page import page
from chainlist.output.painting import space_marks
from chainlist.output.panels import scene_of
from chainlist.output.pictures import draw_picture
from chainlist.output.plots import draw_figure
from chainlist.output.scene import build_scene
from chainlist.output.shapes import shape_of
from chainlist.output.showing import show
from chainlist.output.sketch import sketch
from chainlist.output.solids import frame, patches
from chainlist.output.thumbnail import thumbnail
from chainlist.run.samples import Samples
from tests.some import some

from .bodies import in_plane, in_space

MOTIONS = {2: in_plane, 3: in_space}
WHERE = [(2, name) for name in ("R1", "R2", "R3", "R4", "R5")] + [(3, f"R{n}") for n in range(1, 9)]


@pytest.fixture(scope="module", params=(2, 3))
def motion(request):
    return MOTIONS[request.param]()


# What is a place, and what is not


def test_axes_are_no_places(motion):
    """Far from the origin, where axes would stand."""
    mechanism, shift = motion.mechanism, 1000.0
    q = motion.q.copy()
    places = [i for i, body in enumerate(mechanism.bodies) if body.role != "axis"]
    q[:, places] += shift
    far = replace(
        mechanism,
        bodies=tuple(replace(b, start=tuple(q[0, i])) for i, b in enumerate(mechanism.bodies)),
        constraints=(),
        rigid=tuple(replace(b, points=tuple(p for p in b.points if isinstance(p, str))) for b in mechanism.rigid),
    )
    view = sketch(replace(motion, mechanism=far, q=q)).view
    assert max(view.width, view.height) < 10
    assert thumbnail(far).count("<circle") < len(places)


def test_only_points_are_drawn_as_dots_and_those_without_mass_as_pins(motion):
    drawing = draw(motion.mechanism)
    roles = [motion.mechanism.bodies[i].role for i in drawing.bodies]
    assert roles.count("point") == 1 and set(roles) == {"point", "held"}
    assert drawing.pins == {i for i, role in zip(drawing.bodies, roles, strict=True) if role == "held"}


MASSES = """* A plate with a heavy corner, and a joint between two links
B1 (0,0) 0
B2 (1,0) 8
B3 (0.5,0.8) 0
B4 (2,0) 0
B5 (2.5,0.6) 1
R1 B1 B2 B3 1 UNIFORM
J1 B1 (0,0)
C1 B2 B4
C2 B4 B5
C3 B5 (3,1)
.tran 0 0.01 1ms
.plot CONSTRAINTS(ALL)
"""


def test_a_mass_looks_like_one_wherever_it_sits_and_what_has_none_is_a_pin():
    run = chainlist.simulate(MASSES)
    parts, scene = sketch(run), build_scene(run.mechanism, run.t, run.q, run.v)
    size = dict(zip(parts.names, parts.radius, strict=True))
    assert {parts.names[parts.bodies.index(i)] for i in parts.pins} == {"B1", "B3", "B4"}
    assert (size["B2"], size["B5"]) == (1.0, 0.5)
    assert {body.name: body.mass for body in scene.bodies if body.role == "held"} == {"B1": 0, "B2": 8, "B3": 0}
    (axes,) = draw_figure(run, run.mechanism.plots[0]).axes
    (pins,) = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 3]
    assert pins.get_markersize() < 4.0 and pins.get_markerfacecolor() == "white"
    disks = [one for one in axes.collections if type(one).__name__ == "PathCollection"][-1]
    assert np.sqrt(disks.get_sizes()) == pytest.approx([3.75, 7.5])
    assert thumbnail(run.mechanism).count('r="2"') == 3


def test_a_scene_keeps_the_order_of_the_mechanism(motion):
    """Frames that are still to come have the columns of the run."""
    scene = build_scene(motion.mechanism, motion.t, motion.q, motion.v)
    assert [body.name for body in scene.bodies] == [body.name for body in motion.mechanism.bodies]
    assert {body.role for body in scene.bodies} == {"point", "held", "centre", "axis"}


def test_the_anchor_of_a_body_is_a_pivot():
    assert (0.0, 2.0) in draw(in_plane().mechanism).pivots


def test_one_body_alone_comes_with_its_points():
    mechanism = in_plane().mechanism
    some = draw(mechanism, ("R2",))
    assert [shape.name for shape in some.shapes] == ["R2"]
    assert [mechanism.bodies[i].name for i in some.bodies] == ["B2", "B3", "B4"]


@pytest.mark.parametrize(
    ("text", "kind", "ends"),
    [
        ("K1 ANGLE(R1,R2) 3", "spiral", [(0.0, 0.0), "B1", "B2"]),
        ("K1 ANGLE(R1) 3", "spiral", [(0.0, 0.0), "B1"]),
        ("D1 ANGLE(R1,R2) 3", "brake", [(0.0, 0.0), "B1", "B2"]),
        ("D1 R2 0.1", "brake", ["B1", "B2"]),
        ("M1 R1 SPEED={1}", "motor", [(0.0, 0.0)]),
        ("T1 R1 R2 {1}", "torque", ["B1"]),
    ],
)
def test_what_turns_bodies_is_drawn_where_they_are_joined(text, kind, ends):
    mechanism = chainlist.parse(f"R\nB1 (1,0) 0\nB2 (2,0.5) 0\nR1 (0,0) B1 2\nR2 B1 B2 1\n{text}\n")
    (part,) = draw(mechanism).parts
    names = [mechanism.bodies[point].name if isinstance(point, int) else point for point in part.points]
    assert (part.kind, names) == (kind, ends)


# Shapes


def test_kinds_of_shapes():
    shapes = {dim: [shape.kind for shape in draw(MOTIONS[dim]().mechanism).shapes] for dim in (2, 3)}
    assert shapes[2] == ["rod", "polygon", "disk", "hoop", "plate"]
    assert shapes[3] == ["rod", "polygon", "disk", "hoop", "ball", "shell", "solid", "solid"]


def test_a_box_has_six_faces_of_four_corners():
    box = draw(in_space().mechanism).shapes[6]
    assert sorted(len(face) for face in box.faces) == [4] * 6
    corners = np.array(box.points)
    for face in box.faces:
        outline = corners[list(face)]
        area = (
            np.linalg.norm(
                np.cross(outline[1:] - outline[0], np.roll(outline, -1, axis=0)[1:] - outline[0]).sum(axis=0)
            )
            / 2
        )
        sides = np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1)
        assert area == pytest.approx(sides[0] * sides[1])  # in order around, not across


@pytest.mark.parametrize(
    ("outline", "kind"),
    [
        (((0.5, 0, 0), (-0.5, 0, 0)), "rod"),
        (((0.5, 0, 0), (-0.5, 0.1, 0)), "plate"),  # the centre of mass is a corner too
        (((0.0, 0, 0),), "cross"),
        (((0.5, 0, 0), (-0.5, 0.1, 0), (0, -1, 0), (0, 1, 0.1)), "solid"),
        (((0.5, 0, 0), (-0.5, 0.1, 0), (0, -1, 0), (0, 1, 0)), "plate"),
    ],
)
def test_general_bodies_are_the_hull_of_what_they_hold(outline, kind):
    body = replace(in_space().mechanism.rigid[7], outline=outline)
    shape = shape_of(body, {"R8": 0, "R8.u": 1, "R8.v": 2, "R8.w": 3}, 3)
    assert shape.kind == kind and shape.marked


@pytest.mark.parametrize("axes", [("u",), ("u", "v"), ("v", "w"), ("u", "v", "w")])
def test_a_frame_is_completed_where_axes_are_left_out(axes):
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    state = np.concatenate([[(1.0, 2, 3)], 0.2 * turn])
    mechanism = in_space().mechanism
    index = {"R7": 0, "R7.u": 1, "R7.v": 2, "R7.w": 3}
    body = replace(mechanism.rigid[6], axes=tuple(f"R7.{a}" for a in axes))
    centre, found = frame(shape_of(body, index, 3), state)
    assert np.array_equal(centre, (1, 2, 3)) and np.allclose(found @ found.T, np.eye(3))
    assert np.linalg.det(found) == pytest.approx(1)
    for letter in axes:
        assert np.allclose(found["uvw".index(letter)], turn["uvw".index(letter)])
    assert len(axes) == 1 or np.allclose(found, turn)


def test_a_solid_shows_the_faces_that_look_at_the_eye():
    """Of a box at most three; none of its corners is nearer than those of the faces shown."""
    motion = in_space()
    shape = draw(motion.mechanism).shapes[6]
    for angles in ((0, 0), (30, 20), (-100, 50), (250, -60)):
        camera = Camera(*angles)
        found = patches(shape, motion.q[40], camera, 0.03)
        assert 1 <= len(found) <= 3
        assert all(0.3 <= patch.light <= 1 for patch in found)
        corners = motion.q[40][shape.centre] + np.array(shape.points) @ frame(shape, motion.q[40])[1]
        nearest = camera.flat(corners[np.argmax(camera.depth(corners))])
        assert any((np.abs(patch.line - nearest) < 1e-12).all(axis=1).any() for patch in found)


@pytest.mark.parametrize("words", ["DISK", "HOOP"])
def test_the_rim_of_a_disk_is_across_its_axis(words):
    """However many axes the model keeps of it."""
    text = f"D\nB1 (1,2,3) 0\nR1 B1 RADIUS=0.5 2 {words} AXIS=(1,2,-1)\nJ1 B1 (1,2,3)\n"
    mechanism = chainlist.parse(text)
    shape = draw(mechanism).shapes[0]
    _, axes = frame(shape, np.array([body.start for body in mechanism.bodies]))
    for direction in np.array(shape.circles[0]) @ axes:
        assert abs(direction @ (1, 2, -1)) < 1e-9 and np.linalg.norm(direction) == pytest.approx(1)


@pytest.mark.parametrize("elevation", [-70, 20, 70])
def test_pins_of_a_rod_are_seen_from_every_side(elevation):
    text = f"R\nB1 (0,-1,0) 0\nR1 (0,0,0) B1 2\n.options VIEW=(0,{elevation})\n"
    mechanism = chainlist.parse(text)
    t, q = np.zeros(1), np.array([[body.start for body in mechanism.bodies]])
    motion = Samples(mechanism, t, q, np.zeros_like(q))
    parts = sketch(motion)
    marks = space_marks(parts, parts.moments(motion, t, q)[0])
    place = parts.camera.flat((0, -1, 0))
    pin = next(n for n, mark in enumerate(marks) if mark.dot and np.allclose(mark.line[0], place))
    rod = max(n for n, mark in enumerate(marks) if mark.fill and not mark.dot and len(mark.line) > 20)
    assert pin > rod


def test_mirrored_axes_do_not_turn_a_solid_inside_out():
    motion = in_space()
    shape = draw(motion.mechanism).shapes[6]
    mirrored = motion.q[40].copy()
    (_, w) = shape.axes[2]
    mirrored[w] *= -1  # the box is the same one
    areas = [sorted(_area(p.line) for p in patches(shape, q, Camera(30, 20), 0.03)) for q in (motion.q[40], mirrored)]
    assert np.allclose(*areas)


def _area(outline):
    x, y = outline.T
    return abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2


# Everything that draws


@pytest.fixture(scope="module")
def whole_looks():
    """Dimension → pictures with all bodies, drawn once for all tests."""
    return {}


@pytest.mark.browser
@pytest.mark.parametrize(("dim", "name"), some(WHERE, lambda where: where in ((2, "R4"), (3, "R1"))))
def test_a_body_is_seen_in_every_kind_of_picture(dim, name, open_page, whole_looks):
    """Without it, and after it has turned, each of them looks different."""
    motion = MOTIONS[dim]()
    if dim not in whole_looks:
        whole_looks[dim] = _looks(motion, open_page)
    less = replace(motion.mechanism, rigid=tuple(body for body in motion.mechanism.rigid if body.name != name))
    for look, other in zip(whole_looks[dim], _looks(replace(motion, mechanism=less), open_page), strict=True):
        assert look != other


@pytest.mark.browser
@pytest.mark.parametrize(
    ("dim", "name"),
    some((place for place in WHERE if place != (3, "R1")), lambda where: where in ((2, "R1"), (2, "R4"), (3, "R4"))),
)
def test_one_sees_a_body_turn(dim, name, open_page):
    """Alone and about its centre by 120°: a wheel with three equal spokes would look the same."""
    motion = MOTIONS[dim]()
    (body,) = (body for body in motion.mechanism.rigid if body.name == name)
    index = motion.mechanism.body_index
    columns = [index[axis] for axis in body.axes]
    q = motion.q[:2].copy()
    c, s = -0.5, np.sqrt(0.75)
    if dim == 2:
        q[1, columns] = q[0, columns] @ np.array([[c, s], [-s, c]])
    else:
        _, axes = frame(shape_of(body, index, 3), q[0])
        spin = np.array(shape_of(body, index, 3).circles[0]) if body.radius else np.eye(3)[:2]
        a, b = spin @ axes
        across = np.cross(a, b)
        k = np.array([[0, -across[2], across[1]], [across[2], 0, -across[0]], [-across[1], across[0], 0]])
        q[1, columns] = q[0, columns] @ (np.eye(3) + s * k + (1 - c) * k @ k).T
    alone = replace(motion.mechanism, rigid=(body,), constraints=())
    turned = replace(motion, mechanism=alone, t=motion.t[:2], q=q, v=np.zeros_like(q))
    before, after = _moving_looks(turned, (0.0, motion.t[1]), open_page)
    for look, other in zip(before, after, strict=True):
        assert look != other


def _looks(motion, open_page):
    """Every kind of picture of the start."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    canvas = FigureCanvasAgg(Figure())
    draw_picture(canvas.figure.add_subplot(), motion, sketch(motion), "STATIC", None, names=False)
    canvas.draw()
    (moving,) = _moving_looks(motion, (0.0,), open_page)
    return bytes(canvas.buffer_rgba()), thumbnail(motion.mechanism), *moving


def _moving_looks(motion, times, open_page):
    """Of each time, a frame of a film and what the page shows."""
    studio = Studio(motion, sketch(motion), width=320, strobe=False, names=False, speed=1)
    opened = open_page(page(build_scene(motion.mechanism, motion.t, motion.q, motion.v)))
    looks = []
    for time, shot in zip(times, studio.frames(np.array(times)), strict=True):
        frame_alone = shot.crop((0, 0, shot.width, shot.height - 26))  # without the time below it
        opened.run(f"chainlist.player.seek({time})")
        looks.append((frame_alone.tobytes(), opened.picture()))
    return looks


@pytest.mark.browser
@pytest.mark.parametrize("dim", [2, 3])
def test_the_page_makes_the_same_patches(dim, modules):
    """Outlines, depths and brightness of all shapes, from another side too."""
    motion = MOTIONS[dim]()
    shapes = draw(motion.mechanism).shapes
    for view in ((30, 20), (-110, -40)):
        camera = Camera(*view)
        found = modules.evaluate(
            """async ([shapes, q, dim, view, size]) => {
              const [{ patchesOf }, { Camera }] = [await import("/bodies.js"), await import("/camera.js")], camera = new Camera(dim, view);
              return shapes.map((shape) => patchesOf(shape, Float64Array.from(q), camera, size));
            }""",
            [json.loads(json.dumps([asdict(s) for s in shapes])), motion.q[40].ravel().tolist(), dim, view, 0.02],
        )
        for shape, theirs in zip(shapes, found, strict=True):
            ours = patches(shape, motion.q[40], camera, 0.02)
            if shape.kind == "ball":  # a canvas shades it by itself
                ours, theirs = [p for p in ours if p.light is None], [p for p in theirs if p["light"] is None]
            assert len(ours) == len(theirs), shape.kind
            for mine, other in zip(ours, theirs, strict=True):
                assert mine.depth == pytest.approx(other["depth"], abs=1e-9)
                assert (mine.light is None) == (other["light"] is None)
                assert mine.light is None or mine.light == pytest.approx(other["light"], abs=1e-6)
                assert mine.edge == other["edge"] and mine.ink == other.get("ink", False)
                if not other.get("round") and not other.get("ball"):
                    assert np.allclose(mine.line[: len(other["line"])], other["line"], atol=1e-9), shape.kind


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("dim", [2, 3])
def test_bodies_are_told_from_the_paper(dim, theme, open_page):
    """In both themes, on a phone: the inside of a plate is neither the paper nor its edge."""
    motion = MOTIONS[dim]()
    opened = open_page(
        page(build_scene(motion.mechanism, motion.t, motion.q, motion.v)),
        color_scheme=theme,
        viewport={"width": 390, "height": 780},
    )
    opened.settle()
    center = motion.mechanism.body_index["R2"]
    at = f"chainlist.player.position, {dim * center}"
    view = "chainlist.player.view"
    color = opened.run(f"[...chainlist.player.graphics.getImageData({view}.px({at}), {view}.py({at}), 1, 1).data]")
    paper = [255, 255, 255] if theme == "light" else [0x15, 0x19, 0x1D]
    assert color[3] == 255 and np.abs(np.subtract(color[:3], paper)).max() > 24
    assert opened.run("document.documentElement.scrollWidth") <= 390


def test_what_a_run_shows_names_points_only():
    mechanism = chainlist.parse("R\nB1 (1,0) 0\nR1 (0,0) B1 2\n.tran 0 0.1 1ms\n")
    motion = chainlist.simulate(mechanism)
    shown = show(motion)
    paths = next(panel for panel in shown.scene.panels if panel.kind == "path")
    assert [curve.name for curve in paths.curves] == ["B1"]
    assert "1 body · 1 rigid body" in page(shown.scene)


@pytest.mark.browser
def test_curves_of_two_bodies_have_the_colours_of_these(open_page):
    text = "* Two rods\nR1 (0,0) (1,0) 1\nR2 (1,0) (2,0) 1\n.tran 0 0.1 1E-2\n.plot OMEGA(R1,R2)\n"
    opened = open_page(page(scene_of(chainlist.simulate(text), [], [])))
    colours = opened.run("chainlist.plots[0].colors")
    assert len(set(colours)) == 2
    assert colours == opened.run("chainlist.player.drawing.shapeColors")
