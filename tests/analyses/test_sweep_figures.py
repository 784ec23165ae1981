"""What a sweep says of itself: how many runs have a number, where the best is, units, and pictures that show every value."""

import csv
from dataclasses import replace

import numpy as np
import pytest

import chainlist
from chainlist.analyses.base import Chart, Heat, Series
from chainlist.analyses.sweep import Sweep, kept_of_runs
from chainlist.output.charts import draw_chart, draw_heat
from chainlist.output.views import _view

TEXT = """* Pendulum from many heights
.param a=60deg
B1 (sin(a),-cos(a)) 1
C1 B1 (0,0)
.tran 0 0.6 5ms
.meas fastest MAX SPEED(B1)
.meas side WHEN X(B1)=0
.plot X(B1)
"""


def swept(cards, text=TEXT):
    return Sweep(chainlist.ensemble(text + cards, workers=1))


@pytest.fixture(scope="module")
def sweep():
    return swept(".step a 30deg 170deg 10deg\n")


def test_how_many_runs_have_a_number_and_where_the_best_is(sweep):
    told = dict(sweep.figures())
    assert told["runs"] == "15 (a: 15 values)"
    sides = sweep.dataset["side"].values
    has = int(np.isfinite(sides).sum())
    assert 0 < has < 15  # higher ones do not get down in time
    assert told["  side"].endswith(f"; {has} of 15 runs have it")
    best = 30 + 10 * int(np.argmax(sweep.dataset["fastest"].values))
    assert f"m/s, least at a=30deg, largest at a={best}deg, mean" in told["  fastest"]
    assert "runs have it" not in told["  fastest"]


def test_a_sweep_that_measures_nothing_says_what_to_write():
    text = "".join(line for line in TEXT.splitlines(keepends=True) if not line.startswith(".meas"))
    mechanism = chainlist.parse(text + ".step a 30deg 60deg 30deg\n")
    found = Sweep.of(mechanism, chainlist.ensemble(mechanism, keep="end", workers=1))
    told = dict(found.figures())
    assert told["  measured"].endswith("such as .meas top MAX Y(B1)") and "  t" not in told
    assert not found.pictures() and found.table().splitlines()[0] == "a,status"


DRAWN = """* Pendulum of some length
.param {name}=gauss(1,0.1)
B1 ({name},0) 1
C1 B1 (0,0)
.tran 0 0.1 5ms
.mc 4
"""


def swept_draws(name, cards=""):
    mechanism = chainlist.parse(DRAWN.format(name=name) + cards)
    return Sweep.of(mechanism, chainlist.ensemble(mechanism, keep=kept_of_runs(mechanism), workers=1))


def test_what_was_drawn_is_told_where_nothing_is_measured():
    found = swept_draws("far")
    assert found.table().splitlines()[0] == "member,status,far" and "  far" in dict(found.figures())


@pytest.mark.parametrize("name", ["status", "careful", "member", "v"])
def test_a_drawn_parameter_never_replaces_another_column(name):
    found = swept_draws(name)
    assert found.dataset["status"].values.tolist() == [0] * 4
    assert found.dataset[f"drawn {name}"].values.std() > 0.0 and f"drawn {name}" in found.columns


def test_a_drawn_parameter_and_a_measure_of_one_name_are_both_told():
    found = swept_draws("far", ".meas far MAX SPEED(B1)\n").dataset
    assert (found["far"].attrs["units"], "drawn far" in found) == ("m/s", True)


def test_a_number_that_no_run_has_is_told():
    assert dict(swept(".meas never WHEN Y(B1)=5\n.step a LIST 30deg 40deg\n").figures())["  never"] == "no run has it"


def test_pictures_have_units_as_the_text_has_them(sweep):
    chart = next(picture for picture in sweep.pictures() if picture.file == "sweep-fastest")
    assert (chart.across, chart.up) == ("a [deg]", "fastest [m/s]")
    assert chart.series[0].x == pytest.approx(np.arange(30.0, 171.0, 10.0))
    assert chart.title == "Pendulum from many heights: fastest"
    plain = swept(".step a 0.5 1 0.25\n").pictures()[0]
    assert isinstance(plain, Chart) and plain.across == "a [rad]"  # .param has deg
    heat = swept(".step a 30deg 40deg 10deg\n.step gravity LIST 1 2\n").pictures()[0]
    assert isinstance(heat, Heat) and (heat.across, heat.up, heat.title) == (
        "a [deg]",
        "gravity [m/s²]",
        "fastest [m/s]",
    )
    assert heat.machine == "Pendulum from many heights"


def test_curves_over_a_third_axis_are_named():
    text = TEXT.replace("a=60deg", "a=60deg m=1").replace("-cos(a)) 1", "-cos(a)) m")
    chart = swept(".step a LIST 30deg 40deg\n.step m LIST 1 2\n.step gravity LIST 1 2\n", text).pictures()[0]
    assert [series.label for series in chart.series][:2] == ["gravity=1m/s² m=1", "gravity=1m/s² m=2"]


def marked(values):
    """Where a curve has marks, and how far its picture reaches."""
    figure = draw_chart(Chart("f", "t", "x", "y", (Series("", np.arange(float(len(values))), values),)))
    (marks,) = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    return list(marks.get_xdata()), figure.axes[0].get_xlim()


def test_a_value_alone_is_drawn_and_so_are_all_of_a_few():
    gaps = np.array([1.0, np.nan, 2.0, np.nan, 3.0, 4.0, np.nan])
    places, (low, high) = marked(gaps)
    assert places == [0.0, 2.0, 4.0, 5.0]
    assert low < 0.0 and high > 6.0  # where there is none too
    assert marked(np.append(gaps, np.linspace(0, 1, 60)))[0] == [0.0, 2.0]


def test_what_leaps_from_run_to_run_is_drawn_as_dots(sweep):
    smooth = sweep.dataset.isel(a=slice(0, 1)).assign_coords(a=[0.0])
    many = {"a": np.linspace(0, 6.28, 200)}
    dataset = chainlist.ensemble(TEXT, params=many, product=True, workers=1)
    rng = np.random.default_rng(1)
    rough = dataset.copy()
    rough["fastest"] = ("a", rng.uniform(size=200))
    kinds = [Sweep(table).pictures()[0].kind for table in (smooth, dataset, rough)]
    assert kinds == ["line", "line", "dots"]


def test_a_picture_of_an_analysis_has_the_title_of_its_chainlist_once():
    chart = Chart("f", "Modes of $5", "x", "y", (Series("", np.arange(3.0), np.arange(3.0)),), kind="stems")
    (axes,) = draw_chart(chart, "Three masses").axes
    assert axes.get_title(loc="left") == "Three masses\nModes of $5"
    (axes,) = draw_chart(replace(chart, title="Three masses: a"), "Three masses").axes
    assert axes.get_title(loc="left") == "Three masses: a"


@pytest.mark.parametrize("kind", ["line", "dots"])
def test_the_whole_range_is_shown_also_where_there_are_no_values(kind):
    values = np.where(np.arange(100.0) < 60, np.nan, np.arange(100.0))
    figure = draw_chart(Chart("f", "t", "x", "y", (Series("", np.arange(100.0), values),), kind=kind))
    assert figure.axes[0].get_xlim()[0] <= 0.0


def test_pictures_say_how_many_runs_have_no_value(sweep):
    whole, some = sweep.pictures()
    missing = int(np.isnan(sweep.dataset["side"].values).sum())
    assert (whole.gaps, some.gaps) == ("", f"{missing} of 15 runs have no value: did not happen")
    assert draw_chart(some).axes[0].get_xlabel() == f"a [deg]\n{some.gaps}"
    assert draw_chart(whole).axes[0].get_xlabel() == "a [deg]"
    assert [_view(chart)["title"] for chart in (whole, some)] == [whole.title, f"{some.title} ({some.gaps})"]
    drawn = swept(".mc 12\n", TEXT.replace("a=60deg", "a=uniform(60deg,170deg)")).pictures()
    assert {chart.file: bool(chart.gaps) for chart in drawn} == {
        "sweep-fastest": False,
        "sweep-side": True,
        "sweep-a": False,
    }
    assert all(chart.kind == "histogram" for chart in drawn)


@pytest.mark.parametrize(
    ("given", "label", "least", "most"),
    [
        ("a=uniform(60deg,120deg)", "a [deg]", 60, 120),
        ("a=uniform(low,120deg) low=60deg", "a [deg]", 60, 120),
        ("a=tol(1,10)", "a", 0.9, 1.1),
        ("a=uniform(60deg,2.09rad)", "a [deg]", 60, 120),
        ("a=2*uniform(30deg,60deg)", "a", 1.0, 2.1),  # what it is written in, nobody can tell
    ],
)
def test_what_is_drawn_is_shown_in_the_unit_in_which_it_is_written(given, label, least, most):
    sweep = swept(".mc 12\n", TEXT.replace("a=60deg", given))
    chart = next(chart for chart in sweep.pictures() if chart.file == "sweep-a")
    assert chart.across == label
    edges = chart.series[0].x
    assert least <= edges[0] < edges[-1] <= most
    words = dict(sweep.figures())["  a"]
    assert float(words.split()[0]) == pytest.approx(edges[0], rel=1e-5) and ("deg" in words) == ("deg" in label)
    first = float(next(csv.DictReader(sweep.table().splitlines()))["a"])
    assert first < 3.0, "a table is in SI units"


def test_the_mean_over_draws_is_called_so_and_stems_stand_apart_from_the_frame():
    text = TEXT.replace("a=60deg", "a=60deg v=gauss(1,0.1)").replace(",-cos(a)) 1", ",-cos(a)) v")
    (chart, *_) = swept(".step a LIST 30deg 60deg\n.mc 5\n", text).pictures()
    assert chart.title == "Pendulum from many heights: fastest, mean of 5 draws"
    modes = Chart("f", "Modes", "mode", "Hz", (Series("", np.arange(1.0, 4.0), np.ones(3)),), kind="stems", counts=True)
    (axes,) = draw_chart(modes).axes
    assert axes.get_xlim() == (0.5, 3.5) and [x for x in axes.get_xticks() if 0.5 < x < 3.5] == [1, 2, 3]


def test_yes_and_no_have_a_bar_each():
    text = TEXT.replace("a=60deg", "a=uniform(60deg,120deg)") + ".meas good PARAM {fastest>5}\n.meas same PARAM {7}\n"
    charts = {chart.file: chart for chart in swept(".mc 30\n", text).pictures()}
    good, same = charts["sweep-good"], charts["sweep-same"]
    assert good.series[0].x.tolist() == [-0.5, 0.5, 1.5] and good.series[0].y.sum() == 30
    assert (good.counts, same.counts, charts["sweep-fastest"].counts) == (True, True, False)
    for chart, middles in ((good, [0, 1]), (same, [7])):
        (axes,) = draw_chart(chart).axes
        assert [bar.get_x() + bar.get_width() / 2 for bar in axes.patches] == pytest.approx(middles)
        low, high = axes.get_xlim()
        assert [tick for tick in axes.get_xticks() if low <= tick <= high] == middles


def test_how_many_values_a_decade_has_is_told_without_a_unit():
    chart = swept(".step a DEC 2 1deg 100deg\n").pictures()[0]
    assert chart.across == "a [deg]" and chart.series[0].x[-1] == pytest.approx(100)


def test_a_heat_map_has_decades_on_a_logarithmic_axis_and_ticks_at_its_values():
    sweep = swept(".step gravity DEC 2 1 10\n.step a LIST 30deg 40deg\n")
    heat = replace(sweep, logarithmic=("gravity",)).pictures()[0]
    assert isinstance(heat, Heat) and heat.log_x and not heat.log_y and heat.name
    axes = draw_heat(heat).axes[0]
    assert axes.get_xscale() == "log" and axes.get_yscale() == "linear"
    assert axes.get_title(loc="left") == f"{heat.machine}: {heat.name}"
    assert axes.get_xticks().tolist() == pytest.approx(heat.across_values)
    assert axes.get_yticks().tolist() == pytest.approx(heat.up_values)
    left, right = axes.get_xlim()
    assert (left, right) == pytest.approx((10**-0.25, 10**1.25))
    many = draw_heat(replace(heat, across_values=np.geomspace(1, 1000, 60), values=np.ones((2, 60)))).axes[0]
    assert many.get_xticks()[1] / many.get_xticks()[0] == pytest.approx(10)
