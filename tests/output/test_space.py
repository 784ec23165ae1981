"""Pictures of space: one camera in Python and in the page, depth, ground, and a picture that can be turned."""

import re
from dataclasses import replace

import numpy as np
import pytest

import chainlist
from chainlist.model.mechanism import Quantity
from chainlist.output.camera import Camera
from chainlist.output.drawing import draw
from chainlist.output.floor import floor_under
from chainlist.output.frames import Studio
from chainlist.output.packing import machine_of, pack
from chainlist.output.page import page
from chainlist.output.painting import space_marks
from chainlist.output.panels import panels_of
from chainlist.output.scene import build_scene
from chainlist.output.sketch import BODY, ROD, sketch
from chainlist.output.thumbnail import HEIGHT, WIDTH, thumbnail
from chainlist.run.observables import observe
from chainlist.run.samples import Samples

ANGLES = [(0, 0), (30, 20), (-75, 60), (200, -35), (10, 90)]
PENDULA = """Two pendula
B1 (1,-1,0) 1
B2 (0.2,-1,{near}) 1
C1 B1 (0,0,0)
C2 B2 (0.2,0,{near})
.tran 0 2 0.01
.options VIEW={view}
"""


def still(text, **more):
    """The start of a machine as a motion in which nothing moves."""
    mechanism = chainlist.parse(text, **more)
    t = np.linspace(mechanism.transient.start, mechanism.transient.stop, 11)
    q = np.repeat(np.array([[body.start for body in mechanism.bodies]], float), len(t), axis=0)
    return Samples(mechanism, t, q, np.zeros_like(q))


def scene_of(motion):
    return build_scene(motion.mechanism, motion.t, motion.q, motion.v)


# The camera


def test_from_in_front_space_looks_like_the_plane():
    points = np.random.default_rng(1).normal(size=(7, 3))
    assert np.array_equal(Camera(0, 0).flat(points), points[:, :2])
    assert np.array_equal(Camera(0, 0).depth(points), points[:, 2])
    assert np.array_equal(Camera(30, 20).flat(points[:, :2]), points[:, :2])


@pytest.mark.parametrize("angles", ANGLES)
def test_a_camera_neither_stretches_nor_mirrors(angles):
    axes = Camera(*angles).axes
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(axes) == pytest.approx(1)


def test_azimuth_goes_to_the_right_and_elevation_up():
    right, above = Camera(90, 0), Camera(0, 90)
    assert np.allclose(right.flat((0, 0, 1)), (-1, 0)) and right.depth((1, 0, 0)) == pytest.approx(1)
    assert np.allclose(above.flat((0, 0, 1)), (0, -1)) and above.depth((0, 1, 0)) == pytest.approx(1)
    assert Camera(30, 20).flat((0, 1, 0))[0] == 0  # the vertical stays vertical


@pytest.mark.browser
@pytest.mark.parametrize("angles", ANGLES)
def test_the_page_has_the_same_camera(angles, modules):
    points = np.random.default_rng(2).normal(size=(5, 3))
    pivot = np.array([0.3, -0.2, 0.5])
    found = modules.evaluate(
        """async ([angles, points, pivot]) => {
          const { Camera } = await import("/camera.js"), camera = new Camera(3, angles);
          camera.pivot = pivot;
          return points.map((p) => [camera.x(p), camera.y(p), camera.z(p), camera.dx(p), camera.dy(p), camera.dz(p)]);
        }""",
        [angles, points.tolist(), pivot.tolist()],
    )
    camera = Camera(*angles)
    seen = [np.column_stack([camera.flat(p), camera.depth(p)]) for p in (points - pivot, points)]
    assert np.allclose(found, np.hstack(seen), atol=1e-14)


@pytest.mark.browser
@pytest.mark.parametrize("seed", range(4))
def test_the_page_has_the_same_ground(seed, modules):
    cloud = np.random.default_rng(seed).normal(size=(9, 3)) * 10.0 ** (seed - 2) * (1, 1, seed % 2)
    box = np.stack([cloud.min(axis=0), cloud.max(axis=0)], -1).ravel().tolist()
    found = modules.evaluate("async (box) => (await import('/floor.js')).floorUnder(box)", box)
    floor = floor_under(cloud)
    assert found["height"] == pytest.approx(floor.height)
    assert np.allclose(found["xs"], floor.xs) and np.allclose(found["zs"], floor.zs)


def test_the_ground_is_below_everything_and_round():
    cloud = np.array([[0.0, -1.3, 0.2], [2.9, 4.0, 0.4]])
    floor = floor_under(cloud)
    assert floor.height < -1.3 and floor.step in (0.5, 1.0, 2.0)
    assert floor.xs[0] <= 0 and floor.xs[-1] >= 2.9 and floor.zs[0] < 0.2 and floor.zs[-1] > 0.4


# Static pictures


def test_the_camera_of_the_options_is_used():
    front, side = (sketch(still(PENDULA.format(near=5, view=view))) for view in ("(0,0)", "(90,0)"))
    assert front.view.right > 0 and front.view.left > -3 and side.view.left < -5  # z to the left
    assert (side.camera.azimuth, side.camera.elevation) == (90, 0)


def test_pictures_hold_the_machine_and_its_ground():
    motion = still(PENDULA.format(near=3, view="(35,25)"))
    parts = sketch(motion)
    seen = parts.camera.flat(np.concatenate([motion.q[0], parts.floor.corners]))
    assert (seen > (parts.view.left, parts.view.bottom)).all() and (seen < (parts.view.right, parts.view.top)).all()


@pytest.mark.parametrize(("near", "last"), [(2.0, 1), (-2.0, 0)])
def test_what_is_near_is_painted_last_and_stronger(near, last):
    motion = still(PENDULA.format(near=near, view="(0,0)"))
    parts = sketch(motion)
    (now,) = parts.moments(motion, motion.t[:1], motion.q[:1])
    dots = [mark for mark in space_marks(parts, now) if mark.dot and mark.fill != (255, 255, 255)][-2:]
    assert [bool(np.allclose(dot.line[0], now.state[last])) for dot in dots] == [False, True]
    assert dots[0].fill[2] > dots[1].fill[2] >= BODY[2]


def test_a_body_covers_the_end_of_its_rod_from_every_side():
    for view in ("(0,0)", "(0,-80)", "(0,80)", "(120,10)"):
        motion = still(PENDULA.format(near=2, view=view))
        parts = sketch(motion)
        (now,) = parts.moments(motion, motion.t[:1], motion.q[:1])
        marks = space_marks(parts, now)
        dot = next(n for n, m in enumerate(marks) if m.dot and np.allclose(m.line[0], now.state[0]))
        ends = [n for n, m in enumerate(marks) if m.fill is None and np.isclose(m.line, now.state[0]).all(axis=1).any()]
        assert ends and all(n < dot for n in ends)


def test_shadows_fall_straight_down():
    motion = still(PENDULA.format(near=1, view="(20,30)"))
    parts = sketch(motion)
    (now,) = parts.moments(motion, motion.t[:1], motion.q[:1])
    below = parts.camera.flat([1, parts.floor.height, 0])
    centers = [mark.line[:-1].mean(axis=0) for mark in space_marks(parts, now) if mark.fill and not mark.dot]
    assert any(np.allclose(center, below, atol=1e-9) for center in centers)
    assert below[0] == pytest.approx(now.state[0, 0])


def test_frames_show_the_rods_where_the_camera_sees_them():
    motion = still(PENDULA.format(near=0, view="(60,20)"))
    parts = sketch(motion)
    studio = Studio(motion, parts, width=400, strobe=False, names=False, speed=1)
    (frame,) = studio.frames(motion.t[:1])
    x, y = studio._at(parts.camera.flat([0.5, -0.5, 0.0]))
    red, _, blue = frame.getpixel((round(x / 2), round(y / 2)))
    assert blue > red + 20 and blue - red <= ROD[2] - ROD[0] + 5


def test_a_path_in_space_is_the_one_that_the_camera_sees():
    motion = still(PENDULA.format(near=0, view="(40,10)"))
    q = motion.q + np.random.default_rng(3).normal(size=motion.q.shape)
    motion = replace(motion, q=q)
    camera = Camera(40, 10)
    (panel,) = panels_of([observe(motion, Quantity("PATH", ("B1",)))], motion.t, camera)
    assert np.allclose(np.column_stack([panel.curves[0].x, panel.curves[0].y]), camera.flat(q[:, 0]))
    assert panel.x_label != "x"


def test_thumbnails_of_space_are_inside():
    svg = thumbnail(still(PENDULA.format(near=2, view="(30,20)")).mechanism)
    assert "nan" not in svg and svg.count("<circle") >= 4
    places = re.findall(r'c[xy]="([-\d.]+)"', svg)
    assert all(0 <= float(x) <= max(WIDTH, HEIGHT) for x in places)


def test_sliders_of_space_are_drawn():
    text = "Sliders\nB1 (1,0,0) 1\nB2 (0,2,0) 1\nB3 (0,0,1) 1\n"
    text += "S1 B1 PLANE(0,1,0,0)\nS2 B2 SPHERE((0,0,0),2)\nS3 B3 LINE((0,0,0),(0,0,2))\n"
    motion = still(text)
    assert [part.kind for part in draw(motion.mechanism).parts] == ["tile", "sphere", "guide"]
    whole = _frame(motion)
    for name in ("S1", "S2", "S3"):
        others = [line for line in text.splitlines(keepends=True) if not line.startswith(name)]
        assert _frame(still("".join(others))) != whole
    assert "3 sliders" in page(scene_of(motion))


def _frame(motion):
    (frame,) = Studio(motion, sketch(motion), width=300, strobe=False, names=False, speed=1).frames(motion.t[:1])
    return frame.tobytes()


# The page


def moving(view="(30,20)"):
    """A cone pendulum about the vertical, and one that stands still."""
    motion = still(PENDULA.format(near=-1, view=view))
    t = np.linspace(0, 2, 201)
    q = np.repeat(motion.q[:1], len(t), axis=0)
    q[:, 0] = np.stack([np.cos(3 * t), -np.ones_like(t), np.sin(3 * t)], -1)
    return Samples(motion.mechanism, t, q, np.gradient(q, t, axis=0))


@pytest.fixture(scope="module")
def html():
    return page(scene_of(moving()))


def angles_of(opened):
    return opened.run("[chainlist.player.view.camera.azimuth, chainlist.player.view.camera.elevation]")


def drag(opened, dx, dy, *, shift=False):
    box = opened.tab.locator("#stage canvas").bounding_box()
    x, y = box["x"] + 0.3 * box["width"], box["y"] + 0.2 * box["height"]
    if shift:
        opened.tab.keyboard.down("Shift")
    opened.tab.mouse.move(x, y)
    opened.tab.mouse.down()
    opened.tab.mouse.move(x + dx, y + dy, steps=4)
    opened.tab.mouse.up()
    if shift:
        opened.tab.keyboard.up("Shift")


@pytest.mark.browser
def test_bodies_are_where_the_camera_sees_them(open_page, html):
    opened = open_page(html)
    opened.run("chainlist.player.seek(0.5)")
    opened.settle()
    place = [np.cos(1.5), -1, np.sin(1.5)]
    pivot = np.array(opened.run("chainlist.player.view.camera.pivot"))
    x, y = Camera(30, 20).flat(place - pivot)
    color = (
        f"chainlist.player.graphics.getImageData(chainlist.player.view.x({x}), chainlist.player.view.y({y}), 1, 1).data"
    )
    red, green, blue, alpha = opened.run(f"[...{color}]")
    assert alpha == 255 and blue > green > red  # the first colour of bodies, perhaps paler


@pytest.mark.browser
def test_it_turns_with_the_mouse_and_comes_back(open_page, html):
    opened = open_page(html)
    first = opened.picture()
    drag(opened, 100, 40)
    azimuth, elevation = angles_of(opened)
    assert 330 < azimuth < 360 and 30 < elevation < 45  # taken to the right and down: the eye goes left and up
    turned = opened.picture()
    assert turned != first
    opened.tab.locator("#stage canvas").dblclick(position={"x": 20, "y": 20})
    assert angles_of(opened) == [30, 20]
    assert opened.picture() == first


@pytest.mark.browser
def test_shift_moves_instead_of_turning(open_page, html):
    opened = open_page(html)
    before = opened.run("chainlist.player.view.left")
    drag(opened, 60, 0, shift=True)
    assert angles_of(opened) == [30, 20]
    assert opened.run("chainlist.player.view.left") == pytest.approx(before + 60, abs=1)


@pytest.mark.browser
def test_keys_turn_and_steps_have_keys_of_their_own(open_page, html):
    opened = open_page(html)
    key = opened.tab.keyboard.press
    key("ArrowRight")
    azimuth, elevation = angles_of(opened)
    assert azimuth < 30 and elevation == 20
    key("ArrowDown")
    assert angles_of(opened)[1] > 20
    assert opened.run("chainlist.player.time") == 0
    key(".")
    assert opened.run("chainlist.player.time") == opened.run("chainlist.scene.motion.times[1]")
    key(",")
    assert opened.run("chainlist.player.time") == 0
    scale = opened.run("chainlist.player.view.scale")
    key("+")
    assert opened.run("chainlist.player.view.scale") > scale
    left = opened.run("chainlist.player.view.left")
    key("Shift+ArrowRight")
    assert opened.run("chainlist.player.view.left") > left
    key("0")
    assert angles_of(opened) == [30, 20] and opened.run("chainlist.player.view.scale") == pytest.approx(scale)


@pytest.mark.browser
def test_one_finger_turns_and_two_move(open_page, html):
    opened = open_page(html, has_touch=True, viewport={"width": 390, "height": 780})
    assert opened.run("chainlist.player.canvas.style.touchAction") == "pan-y"  # the page can be scrolled past it
    move = """(fingers) => {
      const { canvas } = chainlist.player, r = canvas.getBoundingClientRect();
      canvas.setPointerCapture = () => {};
      const send = (type, pointerId, [x, y]) => {
        const where = { clientX: r.left + x, clientY: r.top + y };
        canvas.dispatchEvent(new PointerEvent(type, { pointerId, pointerType: "touch", button: 0, bubbles: true, ...where }));
      };
      fingers.forEach(([from], id) => send("pointerdown", id, from));
      fingers.forEach(([, to], id) => send("pointermove", id, to));
      fingers.forEach(([, to], id) => send("pointerup", id, to));
    }"""
    opened.tab.evaluate(move, [[[100, 100], [160, 100]]])
    assert angles_of(opened)[0] != 30
    assert opened.run("chainlist.player.canvas.style.touchAction") == "none"
    before, left = angles_of(opened), opened.run("chainlist.player.view.left")
    opened.tab.evaluate(move, [[[100, 100], [140, 100]], [[200, 100], [240, 100]]])
    assert angles_of(opened) == before and opened.run("chainlist.player.view.left") != left


@pytest.mark.browser
def test_nothing_leaves_the_picture_when_it_turns(open_page, html):
    opened = open_page(html)
    inside = """[0, 45, 90, 135, 180, 260, 300].every((azimuth) => {
      const { view, scene } = chainlist.player, { motion } = scene;
      view.camera.aim(azimuth, 20);
      return [...motion.times.keys()].every((k) => scene.places.every((i) => {
        const at = k * motion.width + 3 * i, x = view.px(motion.positions, at), y = view.py(motion.positions, at);
        return x > 0 && x < view.width && y > 0 && y < view.height;
      }));
    })"""
    assert opened.run(inside)


@pytest.mark.browser
def test_trails_and_strobe_turn_with_the_machine(open_page, html):
    opened = open_page(html)
    for name in ("trails", "strobe"):
        opened.run(f"chainlist.player.set('{name}', true)")
    opened.run("chainlist.player.seek(0.7)")
    for press in ("ArrowLeft", "ArrowUp", "0"):
        opened.tab.keyboard.press(press)
        opened.picture()
        view, place = "chainlist.player.view", [float(np.cos(0.9)), -1, float(np.sin(0.9))]  # where B1 was at 0.3 s
        at = f"{view}.px({place}) - 1, {view}.py({place}) - 1, 3, 3"
        seen = opened.run(f"[...chainlist.player.past.still.getContext('2d').getImageData({at}).data]")
        assert max(seen[3::4]) > 60


@pytest.mark.browser
def test_frames_of_space_that_come_in_chunks(modules):
    scene = scene_of(moving())
    same = modules.evaluate(
        """async ([bytes, head]) => {
          const [{ Player }, { decodeScene, emptyScene }] = [await import("/player.js"), await import("/scene.js")];
          const player = new Player(document.getElementById("host")), whole = decodeScene(Uint8Array.from(bytes).buffer), m = whole.motion;
          const picture = () => {
            player.resize(); player.seek(1.2);
            for (let n = 0; n < 40; n++) player.draw();  // trails are painted in slices of a few milliseconds
            return player.canvas.toDataURL();
          };
          player.load(whole);
          const once = picture();
          player.load(emptyScene(head));
          for (let k = 0; k < m.count; k += 10) {
            const e = Math.min(m.count, k + 10), part = (a) => a.slice(k * m.width, e * m.width);
            player.append(m.times.slice(k, e), part(m.positions), part(m.velocities));
          }
          const pieces = picture();
          player.destroy();
          return once === pieces;
        }""",
        [list(pack(scene)), machine_of(scene)],
    )
    assert same


@pytest.mark.browser
def test_a_pinned_run_of_the_plane_is_not_mixed_into_space(modules):
    flat = still("P\nB1 (9,0) 1\nC1 B1 (0,0)\n")
    scenes = [list(pack(scene_of(motion))) for motion in (moving(), flat)]
    found = modules.evaluate(
        """async (scenes) => {
          const [{ Player }, { decodeScene }] = [await import("/player.js"), await import("/scene.js")];
          const player = new Player(document.getElementById("host"));
          const [space, plane] = scenes.map((s) => decodeScene(Uint8Array.from(s).buffer));
          const picture = () => {
            player.resize(); player.seek(1.2);
            for (let n = 0; n < 40; n++) player.draw();  // trails are painted in slices of a few milliseconds
            return player.canvas.toDataURL();
          };
          player.load(space);
          const alone = picture();
          player.pin(plane);
          const pinned = picture();
          player.pin(decodeScene(Uint8Array.from(scenes[0]).buffer));
          const result = [alone === pinned, player.wholeBox().every(Number.isFinite)];
          player.destroy();
          return result;
        }""",
        scenes,
    )
    assert found == [True, True]


def test_the_page_tells_its_keys_and_stays_small(html):
    assert "arrow keys to turn" in html and "comma and full stop step" in html
    assert len(html) < 350_000
    flat = page(scene_of(still("P\nB1 (1,0) 1\nC1 B1 (0,0)\n")))
    assert "arrows step" in flat and "turn" not in flat[flat.index("<footer>") : flat.index("</footer>")]
