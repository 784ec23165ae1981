"""Animations: timing to the centisecond, one palette, frames that show the states."""

import dataclasses
import os
import sys

import numpy as np
import pytest
from PIL import Image, ImageFont

from chainlist.compile.read import parse
from chainlist.output.frames import Studio, caption, faint
from chainlist.output.gif import timing, write_animation
from chainlist.output.interpolate import exposure_times, positions_at
from chainlist.output.sketch import BODY, finite_states, sketch
from chainlist.output.trails import trails_of
from chainlist.output.writing import Wanted, Written, write_pictures
from chainlist.run.grid import RunRefused
from chainlist.run.status import CANCELLED, Status
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError
from tests.motions import crosshair, whirl
from tests.output.test_plots import with_options


def thinned(motion, every):
    return Trajectory(mechanism=motion.mechanism, t=motion.t[::every], q=motion.q[::every], v=motion.v[::every])


def test_states_between_samples_follow_the_cubic():
    motion = crosshair()
    coarse = thinned(motion, 20)
    times = np.linspace(0, 6.2, 777)
    found = positions_at(coarse, times)
    assert found[:, 0, 0] == pytest.approx(np.sin(times), abs=0.2**4 / 300)  # h⁴/384 of the fourth derivative
    straight = positions_at(dataclasses.replace(coarse, v=None), times)
    assert 1e-3 < np.abs(straight[:, 0, 0] - np.sin(times)).max() < 0.2**2 / 8 * 1.01
    assert np.array_equal(positions_at(coarse, coarse.t), coarse.q)


def test_a_gap_of_nan_does_not_spread_to_samples():
    motion = crosshair()
    motion.q[100] = np.nan
    found = positions_at(motion, motion.t)
    assert np.isnan(found[100]).all() and np.isfinite(np.delete(found, 100, axis=0)).all()


def test_exposures_are_start_each_frame_and_the_end():
    motion = crosshair()
    assert exposure_times(motion, 2.0).tolist() == [0, 2, 4, 6, 6.28]
    assert exposure_times(motion, 3.14).tolist() == [0, 3.14, 6.28]
    assert exposure_times(motion, 100.0).tolist() == [0, 6.28]
    assert 18 <= len(exposure_times(motion, None)) <= 40
    assert exposure_times(thinned(motion, 1000), None).tolist() == [0]


@pytest.mark.parametrize(("fps", "delay"), [(10, 10), (20, 5), (25, 4), (50, 2)])
def test_frames_keep_real_time(fps, delay):
    when = timing(crosshair(), fps)
    assert when.delay == delay and when.speed == 1
    assert when.times[1] - when.times[0] == pytest.approx(1 / fps) and when.times[-1] == 6.28


@pytest.mark.parametrize("fps, kind, delay", [(30, "gif", 3), (240, "gif", 2), (1, "gif", 100), (30, "mp4", 100 / 30)])
def test_any_rate_is_kept_as_well_as_the_file_can(fps, kind, delay):
    when = timing(crosshair(), fps, 1.0, kind)
    assert when.delay == delay and when.speed == pytest.approx(1)
    assert when.times[1] - when.times[0] == pytest.approx(delay / 100)


def test_absurd_rates_are_refused():
    with pytest.raises(ValueError, match="1 to 240 frames a second, not 0"):
        timing(crosshair(), 0)


def test_a_frame_that_a_gif_cannot_show_so_long_is_refused(tmp_path):
    motion = whirl(1.0, 11)
    long = Trajectory(mechanism=motion.mechanism, t=motion.t * 2000, q=motion.q, v=motion.v)
    long = with_options(long, plotmode="ANIMATE", frame=700.0)
    with pytest.raises(RunRefused, match=r"655.35 s at most, and FRAME is 700 s: choose a smaller FRAME"):
        write_animation(long, tmp_path / "a.gif")
    assert timing(long, kind="mp4").delay == 70000 and timing(long, speed=100.0).delay == 4


def test_frame_is_the_time_between_frames_of_animate():
    motion = with_options(crosshair(), plotmode="ANIMATE", frame=0.4)
    when = timing(motion)
    assert when.delay == 40 and when.speed == 1 and len(when.times) == 17
    slow = timing(with_options(crosshair(), plotmode="ANIMATE", frame=0.01))
    assert slow.delay == 4 and slow.speed == pytest.approx(0.25) and len(slow.times) == 629


def test_long_runs_are_shown_faster():
    motion = whirl(1.0, 1001)
    long = Trajectory(mechanism=motion.mechanism, t=motion.t * 600, q=motion.q, v=motion.v)
    when = timing(long)
    assert when.speed == 10 and len(when.times) == 1501


def test_the_gif_runs_as_long_as_the_motion(tmp_path):
    motion = crosshair()
    write_animation(motion, tmp_path / "a.gif", fps=10, width=200)
    assert os.listdir(tmp_path) == ["a.gif"]
    with Image.open(tmp_path / "a.gif") as image:
        durations = []
        for n in range(image.n_frames):
            image.seek(n)
            durations.append(image.info["duration"])
        assert image.info["loop"] == 0
    assert sum(durations) == 10 * 10 * 64  # 63 steps of 0.1 s and the last state


def test_the_gif_has_one_palette(tmp_path):
    write_animation(crosshair(samples=100), tmp_path / "a.gif", fps=10, width=160)
    data = (tmp_path / "a.gif").read_bytes()
    assert data[10] & 0x80  # a palette for all
    local = [data[at + 9] & 0x80 for at in _image_blocks(data)]
    assert len(local) == 11 and not any(local)


def _image_blocks(data):
    """Where the image descriptors of a GIF begin."""
    at = 13 + 3 * 2 ** ((data[10] & 7) + 1)
    while data[at] != 0x3B:
        if data[at] == 0x2C:
            yield at
            flags = data[at + 9]
            at += 11 + (3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0)
        else:
            at += 2
        while data[at]:
            at += data[at] + 1
        at += 1


def test_frames_show_the_bodies_where_they_are():
    motion = with_options(crosshair(), plotmode="ANIMATE")
    studio = Studio(motion, sketch(motion), width=300, strobe=False, names=False, speed=1)
    times = np.array([0.7, 2.3])
    for t, frame in zip(times, studio.frames(times), strict=True):
        pixels = np.asarray(frame).astype(int)
        orange = np.argwhere(np.abs(pixels - BODY).sum(axis=2) < 60)
        middle = orange.mean(axis=0)  # of both bodies; B2 weighs 3 times as much as B1
        scale = 300 / studio.parts.view.width
        weights = np.array([(1 / 3) ** (2 / 3), 1.0])
        weights /= weights.sum()
        x = (weights[0] * np.sin(t) - studio.parts.view.left) * scale
        y = (studio.parts.view.top - weights[1] * np.cos(t)) * scale
        assert middle[1] == pytest.approx(x, abs=4) and middle[0] == pytest.approx(y, abs=4)


def test_exposures_stay_and_fade():
    motion = crosshair()
    studio = Studio(motion, sketch(motion), width=300, strobe=True, names=True, speed=1)
    ink = [np.asarray(frame.convert("L")) for frame in studio.frames(np.array([0.0, 1.0, 3.0, 6.28]))]
    drawn = [int((picture < 235).sum()) for picture in ink]
    assert drawn[0] < drawn[1] < drawn[2]
    without = Studio(motion, sketch(motion), width=300, strobe=False, names=True, speed=1)
    (bare,) = (np.asarray(frame.convert("L")) for frame in without.frames(np.array([6.28])))
    assert drawn[3] > 1.5 * int((bare < 235).sum())


def test_a_run_that_broke_down_is_shown_as_far_as_it_goes(tmp_path):
    motion = crosshair()
    motion.q[300:] = np.nan
    write_animation(motion, tmp_path / "a.gif", fps=10, width=120)
    with Image.open(tmp_path / "a.gif") as image:
        assert image.n_frames == 31


def test_a_video_has_all_frames(tmp_path):
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    write_animation(crosshair(), tmp_path / "a.mp4", fps=25, width=200)
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "a.mp4"))
    assert count == 158 and seconds == pytest.approx(6.32, abs=0.05)


def test_without_the_extra_a_video_is_refused_in_words(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ChainlistError, match=r"chainlist\[video\]"):
        write_animation(crosshair(), tmp_path / "a.mp4")
    assert not list(tmp_path.iterdir())


def test_another_suffix_is_refused(tmp_path):
    with pytest.raises(ValueError, match="gif, mp4"):
        write_animation(crosshair(), tmp_path / "a.webm")


def test_what_a_viewer_decodes_is_what_was_drawn(tmp_path):
    """Frames are stored as differences in 63 colours: put together again they are the drawings."""
    motion = crosshair(samples=300)
    write_animation(motion, tmp_path / "a.gif", fps=10, width=160)
    studio = Studio(motion, sketch(motion), width=160, strobe=True, names=False, speed=1)
    drawn = list(studio.frames(timing(motion, 10).times))
    with Image.open(tmp_path / "a.gif") as image:
        assert image.n_frames == len(drawn)
        for n, picture in enumerate(drawn):
            image.seek(n)
            difference = np.abs(np.asarray(image.convert("RGB"), float) - np.asarray(picture, float))
            assert difference.mean() < 0.6


def falling(text):
    """A motion without links, under gravity along whatever the rail leaves free: far larger than its start, which is a point."""
    mechanism = parse(text)
    t = np.linspace(0.0, 2.0, 201)
    along = np.array([np.cos(0.5), np.sin(0.5)])
    q = -10 * t[:, None, None] ** 2 * along
    return Trajectory(mechanism=mechanism, t=t, q=q, v=-20 * t[:, None, None] * along)


@pytest.mark.parametrize("held", ["", f"S1 B1 LINE({np.sin(0.5)},{-np.cos(0.5)},0)\n"], ids=["free", "on a rail"])
@pytest.mark.parametrize("mode", ["STATIC", "ANIMATE", "ANIMATEWITHSTROBO"])
def test_what_has_no_size_at_its_start_is_shown_for_its_whole_way(tmp_path, held, mode):
    motion = falling(f"* Falls\nB1 (0,0) 1\n{held}.tran 0 2 0.01\n.options PLOTMODE={mode}\n")
    assert finite_states(motion).all()
    view = sketch(motion).view
    assert view.left < motion.q[:, 0, 0].min() and view.bottom < motion.q[:, 0, 1].min() and view.top > 0
    write_animation(motion, tmp_path / "a.gif", width=200)
    with Image.open(tmp_path / "a.gif") as moving:
        assert moving.n_frames == 51


def test_a_thrown_mechanism_is_shown_until_it_lands_unless_its_run_broke_down():
    motion = whirl(3.0, 500)
    motion.q[:, 0] += 80 * motion.t[:, None]
    assert finite_states(motion).all()
    broken = dataclasses.replace(motion, status=Status(2, 0.5))
    assert finite_states(broken).sum() < 300
    assert finite_states(dataclasses.replace(motion, status=Status(CANCELLED, 0.5))).all()


@pytest.mark.parametrize("speed", [0.001, 0.25, 1, 10, 1000])
def test_the_font_has_every_letter_of_the_caption(speed):
    """A × was a box."""
    font = ImageFont.load_default(26)
    missing = bytes(font.getmask("\uffff"))
    words = caption(-1.5, speed)
    assert not {letter for letter in words if bytes(font.getmask(letter)) == missing}
    assert ("times real time" in words) == (speed != 1)


def test_paths_lie_over_the_film_faint_where_their_body_has_not_been_yet():
    motion = with_options(crosshair('.plot "CONSTRAINTS(ALL) PATH(B2)"\n'), plotmode="ANIMATE")
    (panel,) = motion.mechanism.plots[0].panels
    parts = sketch(motion)
    trails = trails_of(motion, panel, parts.camera)
    studio = Studio(motion, parts, width=300, strobe=False, names=False, speed=1, trails=trails)
    early, late = (np.asarray(frame).astype(int) for frame in studio.frames(np.array([0.2, 6.2])))
    blue = [int((np.abs(frame - trails[0].colour).sum(axis=2) < 60).sum()) for frame in (early, late)]
    pale = [int((np.abs(frame - faint(trails[0].colour)).sum(axis=2) < 60).sum()) for frame in (early, late)]
    assert blue[1] > 5 * blue[0] and blue[1] > 100 and pale[0] > 5 * pale[1]


def test_the_film_of_a_plot_has_the_paths_of_its_panel(tmp_path):
    motion = with_options(crosshair('.plot "CONSTRAINTS(ALL) PATH(B2)"\n', samples=50), plotmode="ANIMATE")
    write_pictures(motion, tmp_path, Wanted(formats=("gif",)), Written())
    with Image.open(tmp_path / "plot.gif") as film:
        film.seek(film.n_frames - 1)
        pixels = np.asarray(film.convert("RGB")).astype(int)
    assert (np.abs(pixels - (0, 114, 178)).sum(axis=2) < 60).sum() > 30


def test_a_film_shows_its_window_and_nothing_of_the_rest_below_the_caption():
    motion = with_options(crosshair(), plotmode="ANIMATE", window=(-0.5, 0.5, 0.5, 1.5))
    studio = Studio(motion, sketch(motion), width=300, strobe=False, names=False, speed=1)
    assert studio.size == (300, 326)
    (frame,) = studio.frames(np.array([1.2]))  # the body is 0.14 m below the window, in the band of the caption
    band = np.asarray(frame)[-25:, 100:]
    assert (band == 255).all()
    (frame,) = studio.frames(np.array([0.0]))
    orange = np.argwhere(np.abs(np.asarray(frame).astype(int) - BODY).sum(axis=2) < 60)
    assert orange[:, 0].mean() == pytest.approx(150, abs=6) and orange[:, 1].mean() == pytest.approx(150, abs=6)
