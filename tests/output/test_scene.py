"""Scenes: what is kept of a run, and how it is packed. No browser is needed."""

import json
import re
import struct
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources

import numpy as np
import pytest

import chainlist
from chainlist.output import thinning
from chainlist.output.drawing import DrawnPart
from chainlist.output.packing import pack
from chainlist.output.page import MODULES, joined_script, page
from chainlist.output.panels import _over_time, general_panels, scene_of
from chainlist.output.scene import Panel, PanelCurve, build_scene, round_interval
from chainlist.run.trajectory import Trajectory

from .motions import TEXT, crank_at, crank_scene

WEB = resources.files("chainlist.output").joinpath("web")


def hermite(t, q, v, at):
    """Cubic interpolation by Horner's scheme from the right-hand differences: not the formula of the program."""
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None, None]
    slope = (q[k + 1] - q[k]) / h
    x = (at - t[k])[:, None, None]
    second = (3 * slope - 2 * v[k] - v[k + 1]) / h
    third = (v[k] + v[k + 1] - 2 * slope) / h**2
    return q[k] + x * (v[k] + x * (second + x * third))


# Thinning


def test_frames_keep_both_ends_and_thin_a_slow_motion():
    scene = crank_scene()
    assert scene.t[0] == 0 and scene.t[-1] == 4
    assert scene.samples == 4001
    assert 100 < len(scene.t) <= 4 * 60 * 2
    assert scene.q.shape == (len(scene.t), 2, 2) == scene.v.shape
    assert scene.tension.shape == (len(scene.t), 2)


def test_between_frames_the_player_is_right_to_a_ten_thousandth():
    scene = crank_scene()
    at = np.sort(np.random.default_rng(1).uniform(0, 4, 2000))
    assert np.abs(hermite(scene.t, scene.q, scene.v, at) - crank_at(at)[0]).max() < 1e-4 * 4


@pytest.mark.parametrize("with_velocities", [True, False])
def test_a_fast_motion_keeps_what_the_eye_would_miss(with_velocities):
    """1,000 turns a second: at 240 frames a second every picture would be aliased."""
    t = np.linspace(0, 0.1, 20001)
    angle = 2 * np.pi * 1000 * t
    q = np.stack([np.cos(angle), np.sin(angle)], -1)[:, None]
    v = 2 * np.pi * 1000 * np.stack([-np.sin(angle), np.cos(angle)], -1)[:, None] if with_velocities else None
    kept = thinning.frames_to_keep(t, q, v, 20_000)
    assert len(kept) / 100 > (6 if with_velocities else 15)  # frames a turn
    assert len(kept) < len(t)
    assert np.diff(t[kept]).max() < 1e-4 * (2 if with_velocities else 1)


def test_a_body_that_is_back_at_every_frame_is_not_taken_for_one_at_rest():
    t = np.linspace(0, 10, 60_201)
    first_guess = int(len(t) / (thinning.USUAL_RATE * 10 + 1))
    angle = 2 * np.pi * 2 * np.arange(len(t)) / first_guess  # two turns from frame to frame
    q = np.stack([np.cos(angle), np.sin(angle)], -1)[:, None]
    assert np.abs(np.diff(q[::first_guess], axis=0)).max() < 1e-9
    kept = thinning.frames_to_keep(t, q, None, 60_000)
    assert np.diff(angle[kept]).max() < 2 * np.pi / 10


def test_velocities_are_the_slopes_of_a_coarse_motion_too():
    t = np.linspace(0, 4, 33)
    q, v = crank_at(t)
    assert thinning.slopes(t, q, v) is v
    assert thinning.slopes(t, q, None) is None


def test_velocities_that_are_not_the_slopes_do_not_make_the_motion_swerve():
    """A start with velocities that the constraints will not allow: q moves on the circle, v points elsewhere at first."""
    t = np.linspace(0, 4, 81)
    q, v = crank_at(t)
    wrong = v + 5 * np.exp(-3 * t)[:, None, None]
    at = np.linspace(0, 4, 1601)
    exact = crank_at(at)[0]
    drawn = hermite(t, q, thinning.slopes(t, q, wrong), at)
    assert np.abs(drawn - exact).max() < 0.1 * np.abs(hermite(t, q, wrong, at) - exact).max()


def test_frames_are_bounded():
    t = np.linspace(0, 100, 100_001)
    rough = np.random.default_rng(2).normal(size=(len(t), 3, 2))
    kept = thinning.frames_to_keep(t, rough, None, 500)
    assert len(kept) <= 501
    assert kept[0] == 0 and kept[-1] == len(t) - 1


@pytest.mark.parametrize("samples", [1, 2, 3])
def test_short_runs_keep_everything(samples):
    t = np.linspace(0, 4, samples)
    scene = build_scene(chainlist.parse(TEXT), t, *crank_at(t))
    assert np.array_equal(scene.t, t)
    assert f"0 to {t[-1]:g} s" in page(scene)


def test_rows_that_are_not_finite_do_not_hide_the_rest():
    t = np.linspace(0, 4, 4001)
    q, v = crank_at(t)
    q[3000:] = np.nan
    v[3000:] = np.inf
    scene = build_scene(chainlist.parse(TEXT), t, q, v)
    assert np.isfinite(scene.q[scene.t < 3]).all()
    assert len(page(scene)) > 1000


def test_no_peak_of_a_curve_is_lost():
    values = np.sin(np.linspace(0, 7, 50_000))
    values[[12_345, 40_001]] = [9, -9]
    kept = thinning.points_to_keep(values, 300)
    assert len(kept) <= 300 + 2
    assert {0, 12_345, 40_001, 49_999} <= set(kept.tolist())
    assert (np.diff(kept) > 0).all()


def test_a_gap_of_a_curve_stays_a_gap():
    values = np.zeros(10_000)
    values[5000:5003] = np.nan
    kept = thinning.points_to_keep(values, 100)
    assert np.isnan(values[kept]).any()
    assert np.isfinite(values[kept]).any()


# What a scene is made of


def test_the_parts_of_a_mechanism():
    scene = crank_scene()
    assert [(b.name, b.mass) for b in scene.bodies] == [("B1", 1.0), ("B2", 8.0)]
    assert scene.parts == (
        DrawnPart("rod", "C1", (0, (0.0, 0.0))),
        DrawnPart("rod", "C2", (0, 1)),
        DrawnPart("rail", "S1", (1,), (0.0, 1.0, 0.0)),
    )
    assert scene.links == scene.parts[:2]
    assert scene.pivots == ((0.0, 0.0),)
    assert (scene.strobe, scene.plotmode, scene.title) == (0.5, "ANIMATE", "Slider and crank")
    assert scene.text == TEXT


def test_only_some_constraints_with_the_bodies_they_hold():
    text = "Two pendulums\nB1 (1,0) 1\nB2 (5,0) 2\nC1 B1 (0,0)\nC2 B2 (4,0)\n"
    t = np.linspace(0, 1, 11)
    q = np.arange(44.0).reshape(11, 2, 2)
    scene = build_scene(chainlist.parse(text), t, q, tension=np.stack([t, -t], 1), only={"C2"})
    assert [body.name for body in scene.bodies] == ["B2"]
    assert scene.parts == (DrawnPart("rod", "C2", (0, (4.0, 0.0))),)
    assert scene.pivots == ((4.0, 0.0),)
    assert np.array_equal(scene.q[-1], q[-1, 1:])
    assert scene.tension[-1] == -1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"t": []}, "at least one sample"),
        ({"q": np.zeros((3, 2, 3))}, "q has shape"),
        ({"v": np.zeros((2, 2, 2))}, "v has shape"),
        ({"tension": np.zeros((3, 1))}, "tension has shape"),
        ({"panels": [Panel("P", (PanelCurve("c", np.zeros(3), np.zeros(2)),))]}, "do not fit"),
        ({"panels": [Panel("P", (PanelCurve("c", np.zeros(5), np.zeros(5)),), "path")]}, "5 points but 3 times"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change, message):
    arguments = {"t": [0, 1, 2], "q": np.zeros((3, 2, 2))} | change
    with pytest.raises(ValueError, match=message):
        build_scene(
            chainlist.parse(TEXT), arguments.pop("t"), arguments.pop("q"), arguments.pop("v", None), **arguments
        )


@pytest.mark.parametrize(("seconds", "rounded"), [(0.33, 0.5), (0.3, 0.2), (8, 10), (1.2e-5, 1e-5), (0, 1)])
def test_exposures_are_a_round_time_apart(seconds, rounded):
    assert round_interval(seconds) == rounded


# Packing


def unpack(data):
    """A reader of its own, from the description of the layout."""
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    origin = -(-(4 + length) // 8) * 8

    def array(place):
        offset, count, kind = place["array"]
        assert offset % 8 == 0
        return np.frombuffer(data, f"<{kind}", count, origin + offset)

    return header, array


def test_a_packed_scene_reads_back():
    scene = crank_scene()
    header, array = unpack(pack(scene))
    assert np.array_equal(array(header["t"]), scene.t)
    assert np.array_equal(array(header["q"]).reshape(scene.q.shape), scene.q.astype("f4"))
    assert np.array_equal(array(header["v"]).reshape(scene.v.shape), scene.v.astype("f4"))
    assert np.array_equal(array(header["tension"]).reshape(scene.tension.shape), scene.tension.astype("f4"))
    curve = header["panels"][2]["curves"][0]
    assert np.array_equal(array(curve["y"]), scene.panels[2].curves[0].y)
    assert np.allclose(np.cos(np.pi * array(curve["t"])), array(curve["x"]))
    assert header["parts"][0] == {"kind": "rod", "name": "C1", "points": [0, [0.0, 0.0]]}
    assert header["parts"][2] == {"kind": "rail", "name": "S1", "points": [1], "numbers": [0.0, 1.0, 0.0]}
    assert header["pivots"] == [[0.0, 0.0]]


def test_what_is_too_large_to_draw_becomes_nan():
    scene = crank_scene()
    header, array = unpack(pack(replace(scene, q=np.where(scene.q > 2.9, 1e104, scene.q))))
    q = array(header["q"])
    assert np.isnan(q).any() and not np.isinf(q).any()


# The page as text


class Elements(HTMLParser):
    """Collects what a browser would see: the elements, and the text inside each kind of them."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], {}

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.text[self.open[-1]] = self.text.get(self.open[-1], "") + data


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> $title ${script} \" ' &amp;"


def test_hostile_text_stays_text():
    plain, evil = Elements(), Elements()
    scene = crank_scene()
    plain.feed(page(scene))
    panels = tuple(
        replace(p, title=HOSTILE, curves=tuple(replace(c, name=HOSTILE) for c in p.curves)) for p in scene.panels
    )
    evil.feed(
        page(
            replace(scene, title=HOSTILE, text=HOSTILE, figures=((HOSTILE, HOSTILE),), notes=(HOSTILE,), panels=panels)
        )
    )
    assert evil.tags == plain.tags
    assert evil.text["title"] == evil.text["h1"] == evil.text["pre"] == evil.text["dt"] == evil.text["dd"] == HOSTILE
    assert plain.tags.count("script") == 4


def test_the_page_names_no_other_place():
    text = page(crank_scene())
    assert "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\"" in text
    assert not re.findall(
        r"https?://|//[a-z]+\.|@import|url\(|\bfetch\(|XMLHttpRequest|WebSocket",
        text.split('id="scene"')[0] + joined_script(),
    )


# The modules


def top_level_names(text):
    return re.findall(r"^(?:export )?(?:async )?(?:class|function|const|let) (\w+)", text, re.MULTILINE)


def test_modules_share_one_scope_without_a_clash():
    names = [name for module in MODULES for name in top_level_names(WEB.joinpath(module).read_text("utf-8"))]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    assert not re.search(r"^\s*(import|export)\b", joined_script(), re.MULTILINE)


@pytest.mark.parametrize("module", MODULES)
def test_imports_name_what_an_earlier_module_exports(module):
    text = WEB.joinpath(module).read_text("utf-8")
    assert len(text.splitlines()) <= 400
    for names, source in re.findall(r'^import \{ (.*) \} from "\./(.*)";$', text, re.MULTILINE):
        assert MODULES.index(source) < MODULES.index(module)
        exported = re.findall(
            r"^export (?:async )?(?:class|function|const) (\w+)", WEB.joinpath(source).read_text("utf-8"), re.MULTILINE
        )
        assert set(names.split(", ")) <= set(exported)


def test_every_module_is_in_the_page():
    assert {entry.name for entry in WEB.iterdir() if entry.name.endswith(".js")} == set(MODULES)


@pytest.mark.parametrize(
    ("constraints", "unit"), [("C1 B1 (0,0)\n", "m²"), ("S1 B1 LINE(0,1,0)\n", "m"), ("C1 B1 (0,0)\nS1 B2 0 1 0\n", "")]
)
def test_the_unit_of_constraint_errors_is_that_of_the_constraints(constraints, unit):
    t = np.zeros(1)
    motion = Trajectory(
        chainlist.parse(f"* T\nB1 (1,0) 1\nB2 (3,0) 1\n{constraints}"), t, np.array([[[1.0, 0], [3, 0]]]), None
    )
    (panel,) = general_panels(motion)
    assert (panel.title, panel.y_unit) == ("Constraint error", unit)


def test_constraint_errors_are_those_of_places_alone():
    text = "* T\nB1 (1,0) 1\nC1 (0,0) B1\nM1 C1 SPEED=2\n.tran 0 1 1ms\n"
    t, turned = np.zeros(1), np.array([[[0.0, 7.0]]])  # too fast for the motor
    (_, panel) = general_panels(Trajectory(chainlist.parse(text), t, np.array([[[1.0, 0.0]]]), turned))
    assert (panel.curves[0].y.tolist(), panel.y_unit) == ([0.0], "m²")


def test_a_long_item_has_its_unit_once_at_the_axis():
    t = np.zeros(1)
    motion = Trajectory(chainlist.parse("* T\nB1 (1,0) 1\nC1 B1 (0,0)\n"), t, np.ones((1, 1, 2)), np.ones((1, 1, 2)))
    panel = _over_time("speed", [motion.observe("{sqrt(VX(B1)**2+VY(B1)**2)}")], t)
    assert (panel.y_label, panel.y_unit) == ("", "m/s")


@pytest.mark.parametrize("samples", [100, 9000])
def test_curves_of_a_page_have_a_gap_where_they_jump(samples):
    text = f"* turns\nB1 (1,0) 1\nC1 B1 (0,0)\nM1 C1 SPEED={{9}}\n.tran 0 1 {1 / samples}\n.options gravity=0\n"
    motion = chainlist.simulate(text + ".plot {mod(ANGLE(C1),2)} VS(mod(ANGLE(C1),2),X(B1)) X(B1)\n")
    jumping, versus, smooth = (panel.curves[0] for panel in scene_of(motion, [], []).panels[:3])
    for curve in (jumping, versus):
        gaps = np.flatnonzero(np.isnan(curve.y))
        assert len(gaps) == 5 and np.isfinite(curve.x).all()  # from π to π + 9: at 4, 6, 8, 10, 12
        before = curve.y[gaps - 1] - curve.y[gaps + 1]
        assert (before > 1.5).all()
    assert np.isfinite(smooth.y).all()


@pytest.mark.parametrize("samples", [20, 9000])
def test_curves_of_a_page_touch_the_floor_at_impacts(samples):
    text = f"* ball\nB1 (0,1) 1 IC_VEL=(1,0)\nW1 B1 LINE(0,1,0) REST=0.8\n.tran 0 1 {1 / samples}\n"
    motion = chainlist.simulate(text + ".plot Y(B1) PATH(B1) VY(B1) FFT(Y(B1))\n")
    height, path, speed, fourier, energy, *_ = (panel.curves[0] for panel in scene_of(motion, [], []).panels)
    falls = np.sqrt(2 / 9.81)
    for curve, times in ((height, height.x), (path, path.t)):
        assert min(curve.y) == pytest.approx(0.0, abs=1e-12) and times[np.argmin(curve.y)] == pytest.approx(falls)
    (leap,) = np.flatnonzero(np.diff(speed.y) > 7.0)
    assert speed.x[leap : leap + 2] == pytest.approx([falls, falls], abs=1e-12)
    assert max(energy.y) == pytest.approx(9.81 + 0.5)
    assert len(fourier.x) == len(scene_of(replace(motion, chapters=()), [], []).panels[3].curves[0].x)
