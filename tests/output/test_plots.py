"""Figures: what they show is read from their axes; how they look is compared with stored pictures."""

import dataclasses
import io
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import chainlist
from chainlist.analyses.compare import Trial
from chainlist.model.ask import ask_all
from chainlist.model.mechanism import Plot
from chainlist.output.camera import camera_of
from chainlist.output.corners import with_events
from chainlist.output.lines import seen_through
from chainlist.output.look import Look
from chainlist.output.pictures import fade
from chainlist.output.plots import draw_figure, save_figure, save_figure_as
from chainlist.output.precision_plot import draw_precision
from chainlist.output.proportions import PAGE
from chainlist.output.sketch import finite_states, sketch
from chainlist.output.trails import trails_of
from tests.motions import crosshair, wanderers, whirl
from tests.some import some

REFERENCES = Path(__file__).parent / "pictures"


def plot(motion, *groups):
    """A `.plot` whose panels hold the items of each text."""
    return Plot(tuple(ask_all(motion.mechanism, group) for group in groups))


def axes_of(motion, *groups, **more):
    return draw_figure(motion, plot(motion, *groups), **more).axes


def drawn(axes):
    """Lay out and draw a figure, as for a file."""
    axes.figure.savefig(io.BytesIO())


def with_options(motion, **options):
    changed = dataclasses.replace(motion.mechanism.options, **options)
    return dataclasses.replace(motion, mechanism=dataclasses.replace(motion.mechanism, options=changed))


def test_each_item_is_a_panel_with_names_and_units():
    motion = wanderers()
    panels = axes_of(motion, "Q(B1)", "DERIVATIVE(C1)*10", "T U Etotal")
    assert [axes.get_xlabel() for axes in panels] == ["time [s]"] * 3
    assert [axes.get_ylabel() for axes in panels] == ["position [m]", "DERIVATIVE(C1)*10 [m²/s]", "energy [J]"]
    assert [axes.get_title(loc="left") for axes in panels] == ["Q(B1)", "DERIVATIVE(C1)*10", "T  U  Etotal"]


def test_labels_of_axes_stay_inside_a_panel_of_half_the_width():
    motion = wanderers()
    groups = ("X(B1) Y(B1)", "VX(B1) VY(B1)", "PHI(C1) DERIVATIVE(C1)", "PHI(C1) TENSION(C1) V(B1)", "V(B1)", "VX(B1)")
    figure = draw_figure(motion, plot(motion, *groups))
    figure.draw_without_rendering()
    said = [
        "x, y [m]",
        "velocity [m/s]",
        "residual Φ [m²]",
        "[m²], [N], [m/s]",
        "velocity [m/s]",
        "x velocity [m/s]",
        "dΦ/dt [m²/s]",  # at the right of the third
    ]
    assert [axes.get_ylabel() for axes in figure.axes] == said
    row = 1.75 * figure.dpi
    assert max(axes.yaxis.label.get_window_extent().height for axes in figure.axes) < 0.8 * row


def test_legends_name_entities_and_components():
    motion = wanderers()
    vector, several, one = axes_of(motion, "Q(B1,B2)", "PHI(C1,C2)*0+X(B1)", "Y(B3)")
    assert [text.get_text() for text in vector.get_legend().get_texts()] == ["B1 x", "B1 y", "B2 x", "B2 y"]
    assert vector.lines[0].get_color() == vector.lines[1].get_color() != vector.lines[2].get_color()
    assert [text.get_text() for text in several.get_legend().get_texts()] == ["PHI(C1)*0+X(B1)", "PHI(C2)*0+X(B1)"]
    assert one.get_legend() is None


def test_lines_hold_the_values():
    motion = wanderers()
    time, path, phase = axes_of(motion, "Y(B2)*2", "PATH(B3)", "PHASE(B1)")
    assert np.array_equal(time.lines[0].get_xdata(), motion.t)
    assert np.array_equal(time.lines[0].get_ydata(), 2 * motion.q[:, 1, 1])
    assert np.array_equal(path.lines[0].get_xdata(), motion.q[:, 2, 0])
    assert np.array_equal(phase.lines[1].get_ydata(), motion.v[:, 0, 1])
    assert path.get_aspect() == 1.0 and time.get_aspect() == "auto"


def test_a_group_with_a_picture_stands_side_by_side():
    left, right = axes_of(crosshair(), "Etotal T CONSTRAINTS(ALL)")
    assert left.get_ylabel() == "energy [J]" and right.get_ylabel() == "y [m]"
    assert left.get_subplotspec().get_topmost_subplotspec() == right.get_subplotspec().get_topmost_subplotspec()


def test_paths_lie_over_the_picture_of_their_group():
    motion = wanderers()
    (axes,) = axes_of(motion, "CONSTRAINTS(C1) PATH(B2,B3)")
    assert axes.get_title(loc="left") == "CONSTRAINTS(C1)  PATH(B2,B3)"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["B2", "B3"]
    paths = [line for line in axes.lines if line.get_label() in ("B2", "B3")]
    for line, body in zip(paths, (1, 2), strict=True):
        assert np.array_equal(line.get_xydata(), motion.q[:, body])
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    places = motion.q[:, 1:]  # C1 holds B1 alone: the picture makes room for the others
    assert left <= places[..., 0].min() and right >= places[..., 0].max()
    assert low <= places[..., 1].min() and high >= places[..., 1].max()
    curves, picture = axes_of(motion, "Etotal PATH(B2) CONSTRAINTS(C1)")
    assert curves.get_ylabel() == "energy [J]" and picture.get_title(loc="left") == "CONSTRAINTS(C1)  PATH(B2)"


def test_a_figure_has_the_title_of_its_chainlist_whatever_it_holds(tmp_path):
    motion = wanderers()
    named = dataclasses.replace(motion.mechanism, title="5 $ for a\\frac{1}{2} $ and more")
    motion = dataclasses.replace(motion, mechanism=named)
    figure = draw_figure(motion, plot(motion, "Etotal"))
    save_figure(figure, tmp_path / "a.png", dpi=40)
    assert figure.get_suptitle() == "5 $ for a\\frac{1}{2} $ and more"
    assert draw_figure(motion, plot(motion, "Etotal"), title=False).get_suptitle() == ""


def long_names():
    return "X(B1)*1+Y(B2) X(B1)*2+Y(B2) X(B1)*3+Y(B2) X(B1)*4+Y(B2) X(B1)*5+Y(B2) X(B1)*6+Y(B2) X(B1)*7+Y(B2)"


def test_panels_of_many_curves_keep_their_room_and_their_title():
    motion = wanderers()
    figure = draw_figure(motion, plot(motion, "X(B1)", "X(B2)", "X(B3)", long_names()))
    figure.draw_without_rendering()
    *_, many = figure.axes
    assert many.get_window_extent().width > 0.5 * figure.bbox.width
    assert all(title.get_window_extent().x1 <= figure.bbox.x1 for axes in figure.axes for title in [axes._left_title])
    assert many.get_title(loc="left").endswith("…") and many.get_title(loc="left").startswith("X(B1)*1+Y(B2)  X(B1)*2")


def test_notes_do_not_lie_on_curves():
    text = "* Twice\nB1 (1,0) 1\nC1 B1 (0,0)\nC2 B1 (0,0)\n.tran 0 1 0.01\n"
    motion = chainlist.simulate(text)
    figure = draw_figure(motion, plot(motion, "TENSION(ALL)"))
    figure.draw_without_rendering()
    (axes,) = figure.axes
    assert "not unique" in axes.get_xlabel() and not axes.texts
    assert axes.xaxis.label.get_window_extent().y1 < axes.get_window_extent().y0


BALL = "* t\nB1 (0,1) 1 IC_VEL=(1,0)\nW1 B1 LINE(0,1,0) REST=0.8\n.tran 0 2 50ms\n.plot PATH(B1)\n"


def test_curves_and_paths_pass_through_the_states_of_events():
    """The ball touches the floor between samples 50 ms apart, and there its velocity jumps upright."""
    motion = chainlist.simulate(BALL)
    falls = math.sqrt(2 / 9.81)
    height, speed, path, phase, fourier = axes_of(motion, "Y(B1)", "VY(B1)", "PATH(B1)", "PHASE(B1)", "FFT(Y(B1))")
    assert height.lines[0].get_ydata().min() == pytest.approx(0.0, abs=1e-12)
    t, v = speed.lines[0].get_xydata().T
    (before,) = np.flatnonzero(np.diff(v) > 7.0)
    assert t[before : before + 2] == pytest.approx(falls) and v[before : before + 2] == pytest.approx(
        [-9.81 * falls, 0.8 * 9.81 * falls]
    )
    assert path.lines[0].get_xydata()[before + 1] == pytest.approx([falls, 0.0], abs=1e-12)
    assert phase.lines[1].get_xydata()[before : before + 2, 1] == pytest.approx(v[before : before + 2])
    assert len(fourier.lines[0].get_xdata()) == len(
        axes_of(dataclasses.replace(motion, chapters=()), "FFT(Y(B1))")[0].lines[0].get_xdata()
    )


def test_no_event_leaves_a_figure_to_its_samples():
    motion = chainlist.simulate(BALL.replace("0 2", "0 0.4"))
    (axes,) = axes_of(motion, "Y(B1)")
    assert np.array_equal(axes.lines[0].get_xdata(), motion.t)


def test_the_path_of_an_animation_touches_the_floor():
    motion = chainlist.simulate(BALL)
    plot_of = motion.mechanism.plots[0].panels[0]
    (trail,) = trails_of(with_events(motion), plot_of, camera_of(motion.mechanism))
    assert trail.line[:, 1].min() == pytest.approx(0.0, abs=1e-12)


def test_many_panels_stand_in_two_columns():
    panels = axes_of(wanderers(), "X(B1)", "X(B2)", "X(B3)", "Y(B1)", "Etotal")
    places = [axes.get_subplotspec().get_topmost_subplotspec() for axes in panels]
    assert [(place.rowspan.start, place.colspan.start) for place in places] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    assert len(places[-1].colspan) == 2


def test_a_run_that_broke_down_is_drawn_as_far_as_it_goes():
    motion = crosshair()
    motion.q[300:320] *= 1e120
    motion.q[320:] = np.nan
    curve, picture = axes_of(motion, "X(B1)", "CONSTRAINTS(ALL)")
    assert np.isnan(curve.lines[0].get_ydata()[300:]).sum() >= 328
    assert curve.get_ylim()[1] < 2 and picture.get_xlim()[1] < 2
    assert finite_states(motion).tolist() == [True] * 300 + [False] * 329


def test_rest_is_drawn_as_a_line():
    motion = whirl(0.0, 50)
    motion.q[:, 0, 1] = 1e-60 * np.arange(50) % 3e-60
    (axes,) = axes_of(motion, "Y(B1)")
    assert np.ptp(axes.get_ylim()) > 1e-15


def test_what_moves_by_less_than_rounding_is_drawn_at_rest():
    """A block that friction holds on a slope through the origin creeps by 1E-19 m at 1E-34 m/s: there is no length but its fall."""
    motion = dataclasses.replace(whirl(0.0, 50), mechanism=chainlist.parse("* t\nB1 (0,0) 1\nW1 LINE(-1,1,0) MU=2\n"))
    creep = 2e-19 * np.linspace(0, 1, 50)
    motion = dataclasses.replace(motion, q=np.stack([creep, -creep], -1)[:, None], v=np.full((50, 1, 2), 1e-34))
    axes = axes_of(motion, "PATH(B1)", "CONSTRAINTS(ALL) PATH(B1)", "SPEED(B1)", "PHASE(B1)")
    for one in axes[:2]:
        drawn(one)
    spans = [np.ptp(get()) for one in axes for get in (one.get_xlim, one.get_ylim)]
    assert min(spans) > 0.1, spans


def test_the_path_of_a_stone_that_rests_has_axes(recwarn, caplog):
    motion = whirl(0.3, 50)
    motion.q[:, 0] = np.stack([np.full(50, 0.5), 1e-20 * np.arange(50)], -1)
    (axes,) = axes_of(motion, "PATH(B1)")
    drawn(axes)
    assert np.ptp(axes.get_ylim()) > 0.1 and not len(recwarn) and not caplog.records
    assert axes.lines[0].get_marker() == "o"


def test_what_rests_is_a_dot_beside_what_moves_and_in_the_legend():
    """A pendulum, and a block at rest on its rail: a line of no length would not be seen."""
    text = "* Two\nB1 (1,0) 1\nC1 B1 (0,0)\nB2 (3,0) 1\nS1 B2 LINE(0,1,0)\n.options gravity=9.81\n.tran 0 3 5ms\n"
    motion = chainlist.simulate(text)
    phase, over = axes_of(motion, "PHASE(B1,B2)", "VS(VX(B1),X(B1)) VS(VX(B2),X(B2))")
    for axes, drawn_as in ((phase, "--os"), (over, "-o")):
        marks = [line.get_linestyle() if line.get_marker() == "None" else line.get_marker() for line in axes.lines]
        assert [mark[0] for mark in marks] == list(drawn_as)
        handles = axes.get_legend().legend_handles
        assert [handle.get_marker() for handle in handles] == [line.get_marker() for line in axes.lines]
        assert [len(line.get_xdata()) for line in axes.lines[-1:]] == [1]
    at_rest = chainlist.simulate(text.replace("(1,0)", "(0,-1)"))
    (alone,) = axes_of(at_rest, "VS(OMEGA(C1),ANGLE(C1))")
    assert alone.lines[0].get_marker() == "o" and np.ptp(alone.get_ylim()) > 0.01


def test_a_run_that_broke_down_at_once_is_a_dot_in_its_phase_portrait():
    motion = crosshair()
    motion.q[1:] = motion.v[1:] = np.nan
    (axes,) = axes_of(motion, "PHASE(B1)")
    assert [len(line.get_xdata()) for line in axes.lines] == [1, 1]


def test_the_strobe_picture_exposes_start_frames_and_the_last_state():
    motion = crosshair()
    (axes,) = axes_of(motion, "CONSTRAINTS(C1)")
    rods = [c for c in axes.collections if type(c).__name__ == "LineCollection"]
    assert len(rods) == 17  # 0, 0.4, … 6.0 and 6.28
    (first,), (last,) = rods[0].get_segments(), rods[-1].get_segments()
    assert first == pytest.approx(np.array([[0, 0], [0, 1]]))
    assert last == pytest.approx(np.array([[np.sin(6.28), 0], [0, np.cos(6.28)]]))
    darkness = [1 - np.mean(rod.get_colors()[0][:3]) for rod in rods]
    assert all(a < b for a, b in pairwise(darkness))


def test_static_shows_start_end_and_paths():
    motion = with_options(crosshair(), plotmode="STATIC")
    (axes,) = axes_of(motion, "CONSTRAINTS(C1)")
    assert len([c for c in axes.collections if type(c).__name__ == "LineCollection"]) == 2
    assert [len(line.get_xdata()) for line in axes.lines] == [629, 629]


def test_a_picture_holds_what_its_constraints_hold():
    motion = wanderers()
    assert sketch(motion, ("C1",)).names == ("B1",)
    assert sketch(motion, ("C3",)).names == ("B2", "B3")
    everything = sketch(motion)
    assert [rod.name for rod in everything.rods] == ["C1", "C2", "C3"] and everything.pivots == ((0.0, 0.0),)
    assert everything.radius[0] == pytest.approx(0.5 ** (1 / 3)) and everything.radius[1] == 1
    (rail,) = everything.rails
    for x, y in (rail.start, rail.stop):
        assert 3 * x - 4 * y == pytest.approx(2)
    assert everything.view.left < motion.q[:, :, 0].min() and everything.view.top > motion.q[:, :, 1].max()


def test_names_on_demand():
    motion = crosshair()
    written = [
        [text.get_text() for text in axes_of(motion, "CONSTRAINTS(ALL)", names=on)[0].texts] for on in (False, True)
    ]
    assert written == [[], ["B1", "B2"]]


def test_names_in_a_crowd_do_not_overlap_and_both_ends_have_theirs(tmp_path):
    text = "* chain\nB1 (0.1,0) 1\nC1 (0,0) B1\n"
    text += "".join(f"B{k} ({k / 10},0) 1\nC{k} B{k - 1} B{k}\n" for k in range(2, 15))
    motion = chainlist.simulate(text + ".tran 0 0.1 10ms\n.options plotmode=STATIC\n")
    for look in (Look(names=True), Look(names=True, size=600)):
        figure = draw_figure(motion, plot(motion, "CONSTRAINTS(ALL)"), names=True)
        save_figure_as(look, figure, tmp_path / "a.svg")
        (axes,) = figure.axes
        shown = [text for text in axes.texts if text.get_visible()]
        boxes = [text.get_window_extent() for text in shown]
        assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
        bodies = axes.transData.transform(motion.q[-1])
        assert not any(box.contains(*body) for box in boxes for body in bodies)
        names = [text.get_text() for text in shown]
        assert {"B1", "B14"} <= set(names) and len(names) >= 4


def test_a_rail_is_fainter_than_a_spring_along_it():
    motion = crosshair("K1 (-2,0) B1 5\n")
    (axes,) = axes_of(motion, "CONSTRAINTS(ALL)")
    rail = min(axes.collections, key=lambda one: one.get_zorder()).get_colors()[0][:3]
    springs = [line for line in axes.lines if len(line.get_xdata()) > 10]
    assert springs and all(np.mean(line.get_color()) < np.mean(rail) - 0.2 for line in springs[-1:])


def test_a_name_does_not_lie_on_the_hatching_of_a_pivot():
    """The rod goes up and right, a second one up and left: below the body there is room, but for the pivot there."""
    motion = dataclasses.replace(
        whirl(0.0, 3), mechanism=chainlist.parse("* t\nB1 (0,1) 1\nC1 B1 (2,3)\nC2 B1 (-2,3)\nC3 B1 (0.05,1.05)\n")
    )
    motion.q[:, 0] = (0.0, 1.0)
    (axes,) = axes_of(motion, "CONSTRAINTS(ALL)", names=True)
    (text,) = axes.texts
    assert text.get_va() == "bottom"


def test_fading_goes_from_old_to_new():
    colours = fade(5, (200, 200, 200), (0, 100, 0), 0.0)
    assert colours[0] == pytest.approx((200 / 255,) * 3) and colours[-1] == pytest.approx((0, 100 / 255, 0))
    assert fade(1, (200, 200, 200), (0, 100, 0), 0.0) == [pytest.approx((0, 100 / 255, 0))]


@pytest.mark.parametrize(("suffix", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_files_are_what_their_suffix_says_and_the_same_each_time(tmp_path, suffix, begins):
    motion = crosshair()
    for name in ("a", "b"):
        save_figure(draw_figure(motion, plot(motion, "Q(B1)")), tmp_path / f"{name}.{suffix}")
    first, second = ((tmp_path / f"{name}.{suffix}").read_bytes() for name in ("a", "b"))
    assert first.startswith(begins) and first == second


def test_another_suffix_is_refused(tmp_path):
    motion = crosshair()
    with pytest.raises(ValueError, match="png, svg, pdf"):
        save_figure(draw_figure(motion, plot(motion, "Q(B1)")), tmp_path / "a.bmp")
    assert not list(tmp_path.iterdir())


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    axes_of(crosshair(), "Q(B1)", "CONSTRAINTS(ALL)")
    assert dict(matplotlib.rcParams) == before


FIGURES = {
    "strobe": (crosshair, ("CONSTRAINTS(ALL)",), {}),
    "static": (lambda: with_options(wanderers(), plotmode="STATIC"), ("CONSTRAINTS(ALL)",), {"names": True}),
    "curves": (wanderers, ("Q(B1)", "V(B1,B2,B3)", "PHASE(B1)", "PATH(B1,B3)"), {}),
    "group": (crosshair, ("T U Etotal CONSTRAINTS(C1)", "PHI(C1) DERIVATIVE(C1)"), {}),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figures_look_as_they_did(tmp_path, name):
    make, groups, more = FIGURES[name]
    motion = make()
    save_figure(draw_figure(motion, plot(motion, *groups), **more), tmp_path / "new.png", dpi=40)
    new = np.asarray(Image.open(tmp_path / "new.png").convert("RGB"), dtype=float)
    old = np.asarray(Image.open(REFERENCES / f"{name}.png").convert("RGB"), dtype=float)
    assert new.shape == old.shape
    assert np.sqrt(np.mean((new - old) ** 2)) < 6, "look at it, and store it anew if it is better"


@pytest.mark.parametrize("seconds", [(0.0021, 0.0035, 0.0078), (0.01, 0.1), (3e-4, 0.2), (0.01,)])
def test_axes_of_work_and_precision_go_over_whole_decades_and_have_no_labels_between(seconds):
    rows = [Trial({}, 1e-3, 1e-5 * s, 0.0, 0.0, s, "well") for s in seconds]
    figure = draw_precision({"RK4": rows}, "Pendulum")
    figure.draw_without_rendering()
    (axes,) = figure.axes
    for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        assert np.log10(limits) == pytest.approx(np.rint(np.log10(limits))) and limits[0] < limits[1]
        assert {tick.label1.get_text() for tick in axis.get_minor_ticks()} <= {""}
    assert axes.get_xlim()[0] <= min(seconds) and max(seconds) <= axes.get_xlim()[1]


def test_the_legend_of_many_combinations_is_whole():
    rows = [Trial({}, 1e-3, 1e-5 * s, 0.0, 0.0, s, "well") for s in (0.01, 0.1)]
    figure = draw_precision({f"INTEGRATOR{n} INDEX1_2_DAMPED": rows for n in range(36)}, "Pendulum")
    figure.draw_without_rendering()
    legend = figure.axes[0].get_legend().get_window_extent()
    assert legend.y0 >= 0 and legend.y1 <= figure.bbox.y1 and legend.x1 <= figure.bbox.x1


def test_a_single_sample_is_a_dot():
    motion = crosshair()
    one = dataclasses.replace(motion, t=motion.t[:1], q=motion.q[:1], v=motion.v[:1])
    assert [line.get_marker() for line in axes_of(one, "Etotal")[0].lines] == ["o"]


def test_a_curve_of_many_samples_is_not_interrupted(tmp_path):
    motion = whirl(turns=50.25, samples=20_001)
    figure = draw_figure(motion, plot(motion, "X(B1)"), title=False)
    save_figure(figure, tmp_path / "plot.png", dpi=600)
    (axes,) = figure.axes
    line = axes.lines[0].get_xydata()
    with Image.open(tmp_path / "plot.png") as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    across, up = axes.transData.transform(line[9_980:10_020]).T * 600 / figure.dpi
    assert all((pixels[-1 - round(y), round(x)] != 255).any() for x, y in zip(across, up, strict=True))


def test_a_window_is_the_part_of_the_plane_that_is_shown_and_sizes_follow_it():
    text = """* Thrown far
B1 (0,0) 1 IC_VEL=(100,100)
R1 (0,0) (1,0) 1
.tran 0 20 10ms
.plot "CONSTRAINTS(ALL) PATH(B1)"
"""
    whole, near = (chainlist.simulate(chainlist.parse(text + more)) for more in ("", ".options WINDOW=(-2,-1,2,3)\n"))
    (axes,) = draw_figure(near, near.mechanism.plots[0]).axes
    assert axes.get_xlim() == (-2, 2) and axes.get_ylim() == (-1, 3)
    assert all(mark.get_clip_on() for mark in (*axes.lines, *axes.collections))
    units = [sketch(motion, None).unit for motion in (whole, near)]
    assert units[0] > 1 and units[1] < 0.05


def test_the_exponent_of_the_axis_at_the_right_is_not_below_the_legend():
    motion = whirl(turns=1, samples=101)
    motion = dataclasses.replace(motion, mechanism=heavy(motion.mechanism, 1e8))
    for items in ("Y(B1) Etotal", "Y(B1)*1000 {DIST(B1,(1,1))*1000} Etotal"):
        figure = draw_figure(motion, plot(motion, items))
        figure.draw_without_rendering()
        left, right = figure.axes
        exponent = right.yaxis.get_offset_text()
        assert exponent.get_text()
        legend, title = left.get_legend().get_window_extent(), left._left_title.get_window_extent()
        assert not legend.overlaps(exponent.get_window_extent()) and not legend.overlaps(title)


def heavy(mechanism, mass):
    return dataclasses.replace(mechanism, bodies=tuple(dataclasses.replace(b, mass=mass) for b in mechanism.bodies))


def test_a_line_has_a_gap_where_its_formula_jumps_and_only_there():
    motion = whirl(turns=3.4, samples=1001)
    items = "mod(ANGLE(C1),2*pi) floor(X(B1)) X(B1)*sign(X(B1)) X(B1) atan2(Y(B1),X(B1))"
    panels = [axes.lines[0].get_xydata()[:, 1] for axes in axes_of(motion, *items.split())]
    assert [int(np.isnan(line).sum()) for line in panels] == [3, 8, 0, 0, 3]  # floor is 1 at the first sample alone
    (axes,) = axes_of(motion, "VS(OMEGA(C1),mod(ANGLE(C1),2*pi))")
    x, y = axes.lines[0].get_xydata().T
    assert np.isnan(x).sum() == np.isnan(y).sum() == 3
    assert axes.get_xlabel() == "mod(ANGLE(C1),2*pi) [rad]"


def test_every_energy_has_its_own_name_and_is_seen_where_another_lies_upon_it():
    """The total of a pendulum that starts at the height of its pivot is 0, and so is the work."""
    text = "* t\nB1 (1,0) 1\nC1 B1 (0,0)\n.options gravity=9.81\n.tran 0 2 5ms\n"
    (axes,) = axes_of(chainlist.simulate(text), "Etotal T U Work")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["total", "kinetic", "potential", "work"]
    assert axes.get_ylabel() == "energy, work [J]"
    assert [line.get_linestyle() for line in axes.lines] == ["-", "-", "-", "--"]


GATE = """* A gate
B2 (1,0,0) 0
R1 (0,0,0) (0,1,0) B2 5 UNIFORM
.options gravity=(0,0,-9.81)
.tran 0 1 5ms
.plot X(B2) Y(B2) Z(B2) JOINT(R1,(0,0,0))
"""


def test_a_legend_and_a_note_stay_within_half_the_width():
    motion = chainlist.simulate(GATE)
    figure = draw_figure(motion, motion.mechanism.plots[0])
    figure.draw_without_rendering()
    one, beside = figure.axes[2:]
    assert [text.get_text() for text in beside.get_legend().get_texts()] == ["x *", "y *", "z *"]
    assert beside.get_legend().get_window_extent().x0 > one.get_window_extent().x1
    assert beside.xaxis.label.get_window_extent().x1 <= figure.bbox.x1
    assert "smallest forces" in beside.get_xlabel()


def entries(axes):
    """What a legend says, the words behind its last line among them."""
    legend = axes.get_legend()
    last = getattr(legend.legend_handles[-1], "get_text", str)()
    return [*(text.get_text() for text in legend.get_texts() if text.get_text()), *([last] if last else [])]


def test_a_legend_names_all_curves_or_says_how_many_more_there_are():
    cards = "".join(f"B{i} ({i},0) 1\nC{i} B{i} ({i},1)\n" for i in range(1, 15))
    motion = chainlist.simulate(f"* many\n{cards}.tran 0 0.1 1E-2\n")
    for items in ("X(ALL)", "PHASE(ALL)"):  # alone there is room for all
        figure = draw_figure(motion, plot(motion, items))
        figure.draw_without_rendering()
        (axes,) = figure.axes
        assert len(entries(axes)) == len(axes.lines) and axes.get_window_extent().width > 0.5 * figure.bbox.width
        assert axes.get_legend().get_window_extent().x1 <= figure.bbox.x1
    _, many, *_ = axes_of(motion, "X(B1)", "X(ALL)", "X(B2)", "X(B3)")
    *named, more = entries(many)
    assert (named[0], named[-1], more) == ("B1", "B14", f"… {14 - len(named)} more") and len(named) == 9
    handles = many.get_legend().legend_handles
    colours = {line.get_label(): line.get_color() for line in many.lines}
    assert [handle.get_color() for handle in handles[:-1]] == [colours[name] for name in named]
    figure = many.figure
    figure.draw_without_rendering()
    legend = many.get_legend().get_window_extent()
    assert handles[-1].get_window_extent().x1 <= legend.x1 <= figure.bbox.x1


def test_a_legend_too_long_for_one_line_has_two():
    motion = wanderers()
    items = " ".join(f"X(B1)*{n}+Y(B2)*{n}+X(B3)" for n in range(1, 5))
    figure = draw_figure(motion, plot(motion, "X(B1)", "X(B2)", "X(B3)", items))
    figure.draw_without_rendering()
    left, right = figure.axes[2:]
    legend = right.get_legend().get_window_extent()
    assert left.get_window_extent().x1 < legend.x0 and legend.x1 <= figure.bbox.x1
    assert not legend.overlaps(right._left_title.get_window_extent())


def test_a_number_of_parameters_is_drawn_on_the_scale_of_what_it_is_compared_with():
    motion = chainlist.simulate("* t\n.param m=2 g=9.81\nB1 (0,-1) m\nC1 B1 (0,0)\n.options gravity=g\n.tran 0 1 5ms\n")
    (axes,) = axes_of(motion, "TENSION(C1) m*g")
    assert axes.get_ylabel() == "tension [N], m*g"
    assert [line.get_ydata()[0] for line in axes.lines] == pytest.approx([19.62, 19.62])


def test_curves_upon_one_another_are_all_seen():
    motion = wanderers()
    (axes,) = axes_of(motion, "X(B1) X(B1)*1 X(B1)+0 Y(B1)")
    dashes = [line._dash_pattern[1] for line in axes.lines]
    assert dashes[0] is None and dashes[3] is None and len(set(map(str, dashes))) == 3


def test_every_item_of_a_motor_has_words_at_its_axis():
    text = "* Crank\nB1 (1,0) 1\nC1 (0,0) B1\nM1 C1 SPEED=2\n.tran 0 1 1ms\n"
    motion = chainlist.simulate(chainlist.parse(text))
    labels = [axes.get_ylabel() for axes in axes_of(motion, "TORQUE(M1)", "POWER(M1)", "Work")]
    assert labels == ["torque [N m]", "power [W]", "work [J]"]


@pytest.mark.parametrize("place", some(["(0,-1)", "(0.3,-0.6)", "(1,-1)"], lambda place: place == "(0,-1)"))
@pytest.mark.parametrize("items", ["X(B1)", "X(B1) Y(B1)", "X(B1) Y(B1) T", "X(B1) Y(B1) T U Etotal"])
def test_a_picture_leaves_no_gap_beside_it(place, items):
    text = f"* Hanging\nB1 {place} 1\nC1 (0,0) B1\n.tran 0 1 1ms\n.plot CONSTRAINTS(ALL) {items}\n"
    motion = chainlist.simulate(text)
    figure = draw_figure(motion, motion.mechanism.plots[0])
    drawn(figure.axes[0])
    picture, first, *rest = (axes.get_window_extent() for axes in figure.axes)
    assert picture.width > 0.6 * figure.bbox.width or 0.0 < first.x0 - picture.x1 < 0.2 * figure.bbox.width
    assert figure.get_figheight() <= PAGE + 1e-9
    assert all(not one.overlaps(picture) and one.height > 60 for one in (first, *rest))


def test_two_panels_stand_beside_a_tall_picture_and_the_others_below():
    text = "* Hanging\nB1 (0,-1) 1\nC1 (0,0) B1\n.tran 0 1 1ms\n.plot CONSTRAINTS(ALL) X(B1) Y(B1) T U Etotal\n"
    motion = chainlist.simulate(text)
    figure = draw_figure(motion, motion.mechanism.plots[0])
    drawn(figure.axes[0])
    picture, *others = (axes.get_window_extent() for axes in figure.axes)
    assert [one.x0 > picture.x1 and one.y0 >= picture.y0 - 1 for one in others] == [True] * 3 + [False] * 2
    assert others[0].x0 == pytest.approx(others[1].x0) and others[3].x0 < others[4].x0


def test_a_flat_picture_has_the_whole_width():
    text = "* Cart\nB1 (0,0) 1 IC_VEL=(1,0)\nS1 B1 LINE(0,1,0)\n.tran 0 1 1ms\n.plot CONSTRAINTS(ALL) X(B1) T U\n"
    motion = chainlist.simulate(text)
    picture, one, two, _ = (axes.get_subplotspec() for axes in draw_figure(motion, motion.mechanism.plots[0]).axes)
    assert len(picture.colspan) == 2 and len(one.colspan) == len(two.colspan) == 1


@pytest.mark.parametrize("top", [2.1, 1.4, 13.0])
def test_labels_below_a_narrow_picture_stand_apart(top):
    motion = dataclasses.replace(whirl(0.0, 50), mechanism=chainlist.parse("* t\nB1 (0,2) 1 RADIUS=10cm\n"))
    motion.q[:, 0] = np.stack([np.zeros(50), np.linspace(top, 0.1, 50)], -1)
    picture, *_ = axes_of(motion, "CONSTRAINTS(ALL)", "Y(B1)", "T", "EVENTS")
    drawn(picture)
    low, high = picture.get_xlim()
    labels = [x.label1 for x in picture.xaxis.get_major_ticks() if low <= x.get_loc() <= high]
    boxes = [label.get_window_extent() for label in labels]
    assert len(boxes) > 1 and all(b.x0 - a.x1 > 4 for a, b in pairwise(boxes)), labels


def test_many_curves_of_two_units_keep_their_room(tmp_path):
    """The legend names some of them, and matplotlib warns of nothing (tests fail at warnings)."""
    cards = "".join(f"B{i} ({i},0) 1\nC{i} B{i} ({i},1)\n" for i in range(75))
    motion = chainlist.simulate(f'* many\n{cards}.tran 0 0.1 1E-2\n.plot "X(ALL) VX(ALL)"\n')
    figure = draw_figure(motion, motion.mechanism.plots[0])
    save_figure(figure, tmp_path / "a.png")
    (words,) = [entries(axes) for axes in figure.axes if axes.get_legend()]
    assert len(words) == 12 and (words[0], words[-2], words[-1]) == ("X(B0)", "VX(B74)", "… 139 more")
    assert figure.axes[0].get_position().height > 0.5
    title = figure.axes[0]._left_title.get_window_extent()
    assert not any(axes.get_legend().get_window_extent().overlaps(title) for axes in figure.axes if axes.get_legend())


def test_a_picture_of_few_pixels_has_small_letters(tmp_path):
    motion = crosshair()
    save_figure_as(Look(size=120), draw_figure(motion, motion.mechanism.plots[0]), tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as found:
        assert found.size[0] == 120


@pytest.mark.parametrize(
    ("curves", "dashes"),
    [
        ([[2.0, 2.0, 2.0], [2.0, 2.0, 2.0 + 1e-13]], [0, 3]),  # constants that are one line
        ([[2.0, 2.0, 2.0], [2.0, 2.0, 2.1]], [0, 0]),
        ([[0.0, 1.0, math.nan], [math.nan, math.nan, 5.0]], [0, 0]),  # never there together
        ([[0.0, 1.0, math.nan], [math.nan, 1.0, 5.0]], [0, 3]),
        ([[0.0, 1.0, 2.0], [math.nan] * 3], [0, 0]),
        ([[0.0, 1.0, 2.0]] * 3, [0, 3, 4]),
    ],
)
def test_curves_upon_one_another_are_dashed(curves, dashes):
    lines = [(np.arange(3.0), np.array(y), "", ("", str(n)), 0) for n, y in enumerate(curves)]
    assert [line[-1] for line in seen_through(lines)] == dashes
