"""`.meas`, `.four` and `.poincare` against what is known exactly."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.analyses.base import run_analyses
from chainlist.analyses.measure import measures_of
from chainlist.syntax.errors import ChainlistError

PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.options gravity=9.81\n.tran 0 10 1ms\n.plot X(B1)\n"
# x = 0.02 + 0.3 cos(2πt) + 0.1 sin(6πt), to the bit of the drive
TOLD = (
    "* Told\nB1 (0.32,0) 1\nJ1 B1 ({0.02+0.3*cos(2*pi*time)+0.1*sin(6*pi*time)},0)\n.tran 0 3 1ms\n"
    ".options gravity=0\n.plot X(B1)\n"
)
SWING = "* Spring\nB1 (1.5,0) 1\nS1 B1 LINE(0,1,0)\nK1 B1 (0,0) {4*pi*pi} L0=1\n.tran 0 3 1ms\n.plot X(B1)\n"  # 1 + ½ cos(2πt)


@pytest.fixture(scope="module")
def pendulum():
    return chainlist.simulate(PENDULUM)


@pytest.fixture(scope="module")
def spring():
    return chainlist.simulate(SWING)


def test_the_period_of_a_pendulum_is_the_elliptic_integral(pendulum):
    from scipy.special import ellipk

    want = 4 * math.sqrt(1 / 9.81) * ellipk(0.5)
    for item in ("ANGLE(C1)", "X(B1)", "OMEGA(C1)", "TENSION(C1)*X(B1)"):
        assert chainlist.measure(pendulum, f"PERIOD {item}") == pytest.approx(want, rel=1e-9)


def test_moments_and_extremes_lie_between_the_samples(pendulum):
    fastest = math.sqrt(2 * 9.81)
    assert chainlist.measure(pendulum, "MAX SPEED(B1)") == pytest.approx(fastest, rel=1e-11)
    assert chainlist.measure(pendulum, "FIND VX(B1) WHEN X(B1)=0") == pytest.approx(-fastest, rel=1e-11)
    assert chainlist.measure(pendulum, "MAX TENSION(C1)") == pytest.approx(3 * 9.81, rel=1e-10)
    # from the lowest point to the turning point is a quarter
    quarter = chainlist.measure(pendulum, "PERIOD X(B1)") / 4
    found = chainlist.measure(pendulum, "TRIG X(B1)=0 TARG OMEGA(C1)=0")
    assert found == pytest.approx(quarter, rel=1e-9)


def test_conditions_with_and_or_not(pendulum):
    crossing = chainlist.measure(pendulum, "WHEN X(B1)=0 RISE=1")
    both = chainlist.measure(pendulum, "WHEN {X(B1)>0 and VX(B1)>0 and Time>0.1}")
    assert both == pytest.approx(crossing, abs=1e-12)
    # whichever comes first: half way down to the left, or the lowest point
    low = chainlist.measure(pendulum, "WHEN {not (Y(B1)>-0.5)}")
    assert low == pytest.approx(chainlist.measure(pendulum, "WHEN Y(B1)=-0.5 FALL=1"), abs=1e-12)
    assert chainlist.measure(pendulum, "WHEN {Y(B1)<-0.5 or X(B1)<0}") == pytest.approx(low, abs=1e-12)


def test_the_n_th_and_the_last_passage(pendulum):
    times = [chainlist.measure(pendulum, f"WHEN X(B1)=0 CROSS={n}") for n in range(1, 9)]
    assert np.ptp(np.diff(times)) < 1e-9
    assert chainlist.measure(pendulum, "WHEN X(B1)=0 CROSS=LAST") == times[-1]
    assert chainlist.measure(pendulum, "WHEN X(B1)=0 FALL=2") == times[2]
    assert math.isnan(chainlist.measure(pendulum, "WHEN X(B1)=0 CROSS=9"))


def test_items_without_brackets_pass_values_too(pendulum):
    """They read like settings: `T=1` is no setting here."""
    for bare, braced in (("T=1", "{T}=1"), ("U=-1", "{U}=-1"), ("Time=2", "{Time}=2")):
        for which in ("", " CROSS=2", " RISE=LAST"):
            once, again = (chainlist.measure(pendulum, f"WHEN {words}{which}") for words in (bare, braced))
            np.testing.assert_equal(once, again)  # nan where it does not come to that
    assert chainlist.measure(pendulum, "WHEN Time=2") == pytest.approx(2.0, rel=1e-14)
    assert chainlist.measure(pendulum, "FIND Y(B1) WHEN T=1") == pytest.approx(-1 / 9.81, rel=1e-9)
    with pytest.raises(ChainlistError, match="a condition, such as Y"):
        chainlist.measure(pendulum, "WHEN RISE=1")


def test_an_integral_has_the_unit_of_its_item_times_seconds():
    text = PENDULUM + "M1 C1 SPEED=1\n.meas done INTEG POWER(M1)\n.meas way INTEG SPEED(B1)\n.meas area INTEG Y(B1)\n"
    machine = chainlist.parse(text)
    units = {measure.name: measure.unit(machine) for measure in measures_of(machine, ())}
    assert units == {"done": "J", "way": "m", "area": "m s"}


def test_an_item_in_a_unit_has_this_unit_in_a_report_as_at_its_axis():
    text = (
        PENDULUM
        + ".meas a MAX ANGLE(C1)/1deg\n.meas b MAX {X(B1)/1mm}\n.meas c MAX {X(B1)/0.001m}\n.meas d MAX ANGLE(B1,(0,0))/1deg\n"
    )
    mechanism = chainlist.parse(text)
    assert [asked.unit(mechanism) for asked in measures_of(mechanism, ())] == ["deg", "mm", "", "deg"]


def test_means_over_whole_and_broken_periods(spring):
    # x = 1 + ½ cos(2πt)
    assert chainlist.measure(spring, "AVG X(B1)") == pytest.approx(1.0, rel=1e-10)
    assert chainlist.measure(spring, "RMS X(B1)") == pytest.approx(math.sqrt(1 + 1 / 8), rel=1e-10)
    assert chainlist.measure(spring, "PP X(B1)") == pytest.approx(1.0, rel=1e-10)
    a, b = 0.12345, 1.71717
    exact = (b - a) + (math.sin(2 * math.pi * b) - math.sin(2 * math.pi * a)) / (4 * math.pi)
    assert chainlist.measure(spring, f"INTEG X(B1) FROM={a} TO={b}") == pytest.approx(exact, rel=1e-10)
    assert chainlist.measure(spring, f"FIND X(B1) AT={a}") == pytest.approx(
        1 + math.cos(2 * math.pi * a) / 2, rel=1e-10
    )
    assert chainlist.measure(spring, "MAX X(B1) FROM=0.4s TO=0.6005s") == pytest.approx(
        1 + math.cos(2 * math.pi * 0.6005) / 2, rel=1e-10
    )


def test_a_measure_outside_the_run_has_no_value(spring):
    assert math.isnan(chainlist.measure(spring, "FIND X(B1) AT=99"))
    assert math.isnan(chainlist.measure(spring, "MAX X(B1) FROM=50"))
    assert math.isnan(chainlist.measure(spring, "PERIOD Time"))


THROW = "* Throw\nB1 (0,{h}) 1 IC_VEL=(1,0)\n.stop {{Y(B1)<0}}\n.tran 0 2 1ms\n.options gravity=9.81 {options}\n.plot Y(B1)\n"


@pytest.mark.parametrize("h", [1.0, 1.1, 1.3, 1.7, 2.1, 2.9])
@pytest.mark.parametrize(
    "options",
    ["", "save=50ms", "INTEGRATOR=DOP853", pytest.param("INTEGRATOR=DOPRI5", marks=pytest.mark.long)],
)
def test_what_stopped_the_run_has_happened(h, options):
    run = chainlist.simulate(THROW.format(h=h, options=options))
    down = math.sqrt(2 * h / 9.81)
    for how in ("FIND X(B1) WHEN {Y(B1)<0}", "FIND X(B1) WHEN Y(B1)=0", "WHEN Y(B1)=0 FALL=1", "FIND X(B1) AT=END"):
        assert chainlist.measure(run, how) == pytest.approx(down, rel=1e-12), how
    assert math.isnan(chainlist.measure(run, "WHEN Y(B1)=0 RISE=1"))
    assert math.isnan(chainlist.measure(run, "WHEN Y(B1)=-0.000001"))


def test_a_stop_on_a_sample_keeps_that_sample():
    text = "* Stop\nB1 (0,0) 1 IC_VEL=(1,0)\n.stop {X(B1)>0.25}\n.tran 0 1 0.125\n.options gravity=0 save=0.5\n.plot X(B1)\n"
    run = chainlist.simulate(text)
    assert run.t.tolist() == pytest.approx([0.0, 0.25])
    assert chainlist.measure(run, "WHEN {X(B1)>0.25}") == pytest.approx(0.25)


def test_the_end_is_the_last_sample(spring):
    assert chainlist.measure(spring, "FIND X(B1) AT=end") == spring.q[-1, 0, 0]


def test_angles_count_their_turns():
    text = "* Wheel\nB1 (1,0) 1 IC_VEL=(0,6)\nC1 (0,0) B1\n.options gravity=0\n.tran 0 5 1ms\n.plot X(B1)\n"
    run = chainlist.simulate(text)
    assert chainlist.measure(run, "FIND ANGLE(C1) AT=4.321") == pytest.approx(6 * 4.321, rel=1e-7)
    assert chainlist.measure(run, "WHEN {ANGLE(C1)}=20") == pytest.approx(20 / 6, rel=1e-7)


def test_the_measures_of_a_text_are_had_by_name():
    text = "* Swing\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n.meas low MIN Y(B1)\n.meas twice PARAM {2*low}\n.meas no WHEN X(B1)=3\n"
    found = chainlist.measure(text)
    assert list(found) == ["low", "twice", "no"] and math.isnan(found["no"])
    assert [found["low"], found["twice"]] == pytest.approx([-1, -2], abs=1e-9)
    assert chainlist.measure(text.partition(".meas")[0]) == {}


def test_measures_by_name_use_earlier_ones(pendulum):
    found = chainlist.measure(pendulum, {"a": "MAX X(B1)", "b": "PARAM {a/4+1}", "C": "PARAM B*2"})
    assert found["C"] == pytest.approx(2 * (found["a"] / 4 + 1))
    with pytest.raises(ChainlistError, match="E501"):
        chainlist.measure(pendulum, "MAX Q(B1)")
    with pytest.raises(ChainlistError, match="E503"):
        chainlist.measure(pendulum, {"b": "PARAM {a}", "a": "MAX X(B1)"})


def test_harmonics_are_those_of_the_drive():
    mechanism = chainlist.parse(TOLD + ".four X(B1)\n.four X(B1) FREQ=1Hz N=4\n.four VX(B1) FREQ=1Hz N=3\n")
    found, given, speed = (f.result for f in run_analyses(mechanism, chainlist.simulate(mechanism)))
    for one in (found, given):
        assert one.frequency == pytest.approx(1.0, rel=1e-10)
        assert one.mean == pytest.approx(0.02, abs=1e-10)
        assert one.amplitudes[:3] == pytest.approx([0.3, 0.0, 0.1], abs=1e-10)
        assert one.phases[[0, 2]] == pytest.approx([0.0, -math.pi / 2], abs=1e-8)
    assert len(given.amplitudes) == 4
    assert given.distortion == pytest.approx(1 / 3, rel=1e-9)
    assert speed.amplitudes == pytest.approx([0.6 * math.pi, 0.0, 0.6 * math.pi], abs=1e-8)


def test_a_section_of_a_harmonic_motion_is_one_point():
    mechanism = chainlist.parse(SWING + ".poincare {X(B1)}=1 X(B1) VX(B1)\n.poincare {X(B1)}=1 CROSS X(B1) VX(B1)\n")
    rising, both = (f.result for f in run_analyses(mechanism, chainlist.simulate(mechanism)))
    assert rising.t == pytest.approx([0.75, 1.75, 2.75], rel=1e-10)
    assert rising.x == pytest.approx([1.0] * 3, abs=1e-12)
    assert rising.y == pytest.approx([math.pi] * 3, rel=1e-9)
    assert len(both.t) == 6 and both.data()["items"] == ["X(B1)", "VX(B1)"]


TURNS = "* A motor\nB1 (1,0) 1\nC1 (0,0) B1\nM1 C1 SPEED=2\n.tran 0 9 10ms\n"


@pytest.mark.parametrize(
    ("asked", "bound"),
    [
        ("MAX {mod(ANGLE(C1),2*pi)}", 2 * math.pi),
        ("MAX {mod(ANGLE(C1)/1deg,360)}", 360.0),
        ("MAX {atan2(Y(B1),X(B1))}", math.pi),
        ("PP {atan2(Y(B1),X(B1))}", 2 * math.pi),
        ("MAX {atan(Y(B1)/X(B1))}", math.pi / 2),
        ("MAX {floor(ANGLE(C1))}", 17.0),
    ],
)
def test_extremes_of_what_leaps_are_values_that_it_has(asked, bound):
    """A polynomial through both sides of a leap goes beyond them."""
    found = chainlist.measure(TURNS, asked)
    assert bound * (1 - 2e-3) <= found <= bound * (1 + 1e-12)


def test_extremes_of_what_leaps_are_the_same_in_a_batch():
    text = "* Pendulum\nB1 (1,0.1) m\nC1 B1 (0,0)\n.param m=1\n.tran 0 2 10ms\n.meas top MAX {mod(9*X(B1),1)}\n"
    table = chainlist.ensemble(text, params={"m": np.linspace(1, 2, 40)}, workers=1)
    assert table.attrs["way"] == "as a batch"
    assert table["top"].values == pytest.approx(chainlist.measure(text, "MAX {mod(9*X(B1),1)}"), abs=1e-9)


def test_samples_too_far_apart_are_told_with_the_first_measure():
    text = "* Double\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 3 2ms\n.meas v MAX SPEED(B2)\n.meas low MIN Y(B2)\n"
    for save, told in (("", 0), (".options SAVE=0.1\n", 1)):
        machine = chainlist.parse(text + save)
        found = run_analyses(machine, chainlist.simulate(machine))
        lines = [line for finding in found for line in finding.result.figures()]
        assert sum("too far apart" in value for _, value in lines) == told


@pytest.mark.parametrize(
    ("asked", "unit"),
    [
        ("INTEG TORQUE(M1)", "N m s"),
        ("MAX {TORQUE(M1)/X(B1)}", "N"),
        ("MAX {OMEGA(C1)*DIST(B1,(0,0))}", "m/s"),
        ("MAX {OMEGA(C1)**2}", "rad²/s²"),
        ("MAX {TORQUE(M1)*OMEGA(C1)}", "W"),
    ],
)
def test_an_arm_times_a_rate_of_turning_is_a_velocity(asked, unit):
    machine = chainlist.parse(TURNS + f".meas a {asked}\n")
    (measured,) = machine.analyses
    assert measured.what.unit(machine) == unit


LETS_GO = "VX(B4)>0 and VY(B4)>0 and VY(B4)<VX(B4)*tan(42deg)"
TREBUCHET = f"""* Trebuchet whose stone lies in a trough at first
.param H=3m La=4m Lb=1m Ls=3.5m a0=-135deg
B1 (La*cos(a0),H+La*sin(a0)) 0
B2 (-Lb*cos(a0),H-Lb*sin(a0)) 0
B3 (-Lb*cos(a0),H-Lb*sin(a0)-1) 500
B4 (La*cos(a0)+sqrt(Ls**2-(H+La*sin(a0))**2),0) 5
R1 B1 (0,H) B2 50
C1 B2 B3
C2 B1 B4 ROPE CUT={{{LETS_GO}}}
W1 B4 LINE(0,1,0)
.options gravity=9.81
.tran 0 10 1ms
.stop {{Y(B4)<0}}
"""


@pytest.mark.parametrize("rubs", ["", " MU=0.1", " MU=0.3", " MU=0.8"])
def test_what_lies_on_a_floor_is_not_below_it_by_rounding(rubs):
    """The stone is dragged along the trough, which must not stop the run, and thrown."""
    run = chainlist.simulate(TREBUCHET.replace("W1 B4 LINE(0,1,0)", f"W1 B4 LINE(0,1,0){rubs}"))
    x, y, vx, vy = (chainlist.measure(run, f"FIND {item}(B4) WHEN {{{LETS_GO}}}") for item in ("X", "Y", "VX", "VY"))
    by_hand = x + vx * (vy + math.sqrt(vy**2 + 2 * 9.81 * y)) / 9.81
    assert by_hand > 100.0
    assert chainlist.measure(run, "FIND X(B4) AT=END") == pytest.approx(by_hand, rel=1e-9)


def test_the_largest_of_tops_that_are_nearly_alike_is_found():
    """Of a swing that dies away the first top is the largest, though a sample may come nearer to the second."""
    spring = "* Spring\nB1 (1.5,0) 1\nS1 B1 LINE(0,1,0)\nK1 B1 (0,0) k L0=1 DAMP=2e-4\n.param k=40\n"
    text = spring + ".tran 0 5 60ms\n.options INTEGRATOR=DOP853\n"
    for k in (39.0, 40.0, 41.0):
        rate, decay = math.sqrt(k - 1e-8), 1e-4
        second = -0.5 * math.exp(-decay * math.pi / rate)  # half a period after the start, to first order in the decay
        found = chainlist.measure(chainlist.simulate(text, params={"k": k}), "MIN X(B1)")
        assert found == pytest.approx(1.0 + second, abs=1e-7)  # the next one is 5e-5 above it


def test_a_run_that_ends_where_it_begins_has_the_values_of_its_start():
    text = "* Stone\nB1 (3,-1) 1 IC_VEL=(1,5)\n.tran 0 1 1ms\n.stop {Y(B1)<0}\n"
    run = chainlist.simulate(text)
    assert len(run) == 1
    assert [chainlist.measure(run, asked) for asked in ("FIND X(B1) AT=END", "MAX VY(B1)", "MIN Y(B1)")] == [
        3.0,
        5.0,
        -1.0,
    ]
    assert math.isnan(chainlist.measure(run, "WHEN {Y(B1)>0}")) and math.isnan(
        chainlist.measure(run, "FIND X(B1) AT=0.5")
    )


def test_a_measure_may_be_called_like_an_item_and_each_means_itself():
    """In PARAM a name is that of a measure, elsewhere that of the item."""
    more = {"Etotal": "FIND Y(B1) AT=0.1", "T": "PERIOD X(B1)", "twice": "PARAM {2*Etotal+T}", "high": "MAX {Etotal+T}"}
    found = chainlist.measure(chainlist.simulate(PENDULUM), more)
    assert found["twice"] == 2 * found["Etotal"] + found["T"]
    assert found["high"] == pytest.approx(9.81, rel=1e-6)  # of the energy, not of Y(B1)


@pytest.mark.parametrize("stop", ["time>1E-9", "time>0.1"])
def test_what_stands_still_does_not_happen_where_the_run_stops(stop):
    """Its pace is 0, and the end of the run is no border that it comes to."""
    text = f"* Still\nB1 (0,1) 1\nW1 B1 LINE(0,1,1)\n.stop {{{stop}}}\n.tran 0 0.2 1ms\n.plot Y(B1)\n"
    run = chainlist.simulate(text)
    assert run.stopped
    for what in ("WHEN {X(B1)>100}", "WHEN Y(B1)=5", "WHEN {abs(Y(B1))<0.5}"):
        assert math.isnan(chainlist.measure(run, what)), what


RESTS = {  # on its bound for a while, and then above it: text, conditions, the moment
    "slips": (
        "B1 (0,0) 1\nW1 B1 LINE(0,1,0) MU=0.3 MUS=0.4\nF1 B1 ({2*time},0)\n",
        ("VX(B1)>0", "SPEED(B1)>0", "X(B1)>0", "EVENTS>0", "not VX(B1)<=0", "VX(B1)>0 and Time>0.5"),
        0.4 * 9.81 / 2,
    ),
    "leaves": (
        "B1 (0,0) 1\nW1 B1 LINE(0,1,0)\nF1 B1 (0,{5*time})\n",
        ("Y(B1)>0", "VY(B1)>0", "T>0"),
        9.81 / 5,
    ),
    "is pushed": (
        "B1 (0,0) 1\nF1 B1 ({step(time-1)},0)\n.options gravity=0\n",
        ("VX(B1)>0", "X(B1)>0", "FORCE(F1)>0", "VX(B1)>0 and Time>0.5"),
        1.0,
    ),
    "falls into its rope": ("B1 (0,0) 1\nC1 B1 (0,0.5) ROPE LENGTH=3\n", ("TENSION(C1)>0",), math.sqrt(5.0 / 9.81)),
}


@pytest.mark.parametrize("machine", RESTS)
def test_what_rests_at_its_bound_comes_above_it_when_it_leaves(machine):
    """At the bound itself `<` and `>` do not hold; a body that only touches it, like a ball on a floor, does not count."""
    text, conditions, moment = RESTS[machine]
    run = chainlist.simulate(f"* Rests\n{text}.tran 0 4 1ms\n.plot Time\n")
    for condition in conditions:
        assert chainlist.measure(run, f"WHEN {{{condition}}}") == pytest.approx(moment, abs=2e-7), condition


def test_a_belt_carries_at_its_own_speed_until_the_block_slips():
    text = (
        "* Belt\nB1 (0,0) 1\nK1 B1 (-0.6,0) 60\nW1 B1 LINE(0,1,0) MU=0.25 MUS=0.5 BELT=0.2\n.tran 0 3 1ms\n.plot Time\n"
    )
    run = chainlist.simulate(text)
    slips = [event.time for event in run.events if event.what == "slips"]
    for number, moment in enumerate(slips[:2], start=1):
        found = chainlist.measure(run, f"WHEN {{VX(B1)<0.2}} RISE={number}")
        assert found == pytest.approx(moment, abs=1e-9)


def test_a_ball_that_bounces_does_not_leave_the_floor_for_above_it():
    run = chainlist.simulate("* Ball\nB1 (0,1) 1\nW1 B1 LINE(0,1,0) REST=0.8\n.tran 0 3 1ms\n.plot Time\n")
    assert math.isnan(chainlist.measure(run, "WHEN {Y(B1)>0}"))
    assert chainlist.measure(run, "WHEN {Y(B1)<=0} RISE=2") == pytest.approx(run.events[1].time, abs=1e-9)
