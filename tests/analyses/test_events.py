"""Analyses of machines in which something switches: measures, harmonics, sections, sweeps by single runs."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.run.grid import RunRefused

E, G = 0.8, 9.81
TEXT = f"""* A ball over a floor, another one on a slack rope
.param h=1 m=gauss(1,0.1)
B1 (0,h) m
B2 (1,2.5) 1
C2 B2 (1,3) LENGTH=1 ROPE
W1 B1 LINE(0,1,0) REST={E}
.options gravity={G}
.tran 0 2 1ms
.meas down WHEN Y(B1)=0.01
.meas bounce WHEN {{VY(B1)>0}}
.meas top MAX Y(B1) FROM=0.6
.meas low MIN Y(B1)
.meas fast MAX SPEED(B1)
.meas mean AVG Y(B1) TO=1.1
.meas taut WHEN {{TENSION(C2)>1}}
.plot Y(B1)
"""


@pytest.fixture(scope="module")
def run():
    return chainlist.simulate(TEXT)


def measures(h):
    """By hand: free fall, one bounce, and the rope that lets B2 fall half a metre."""
    fall = math.sqrt(2 * h / G)
    rest = 1.1 - fall  # of the flight after the bounce
    speed = E * math.sqrt(2 * G * h)
    area = h * fall - G * fall**3 / 6 + speed * rest**2 / 2 - G * rest**3 / 6
    return {
        "down": math.sqrt(2 * (h - 0.01) / G),
        "bounce": fall,
        "top": E**2 * h,
        "low": 0.0,
        "fast": math.sqrt(2 * G * h),
        "mean": area / 1.1,
        "taut": math.sqrt(2 * 0.5 / G),
    }


def test_measures_see_the_corners(run):
    found = chainlist.measure(run, {"value": "MIN Y(B1)"})
    assert found["value"] == pytest.approx(0.0, abs=1e-12)
    table = chainlist.ensemble(TEXT, params={"h": [1.0, 1.25]}, workers=1)
    for k, h in enumerate((1.0, 1.25)):
        for name, value in measures(h).items():
            assert table[name].values[k] == pytest.approx(value, abs=1e-9), (name, h)
    assert "careful" not in table  # by single runs, all of them


def test_harmonics_and_sections(run):
    asked = TEXT + ".four Y(B1) FREQ=1Hz\n.poincare Y(B1)=0.2 X(B1) VY(B1)\n"
    from chainlist.analyses.base import run_analyses

    mechanism = chainlist.parse(asked)
    found = {f.asked.command: f.result for f in run_analyses(mechanism, chainlist.simulate(mechanism))}
    speeds = np.array(found["poincare"].data()["y"])
    assert np.abs(speeds[0] - math.sqrt(2 * G * (0.64 - 0.2))) < 1e-9  # up through 0.2 m, behind the first bounce
    assert np.abs(speeds[1] - math.sqrt(2 * G * (0.64**2 - 0.2))) < 1e-9  # and behind the second
    assert found["four"].data()


def test_a_sample_of_machines_with_events():
    table = chainlist.ensemble(TEXT + ".mc 4 SEED=3\n", workers=1)
    assert table.sizes["member"] == 4 and np.ptp(table["m"].values) > 0.01
    assert np.ptp(table["bounce"].values) < 1e-12  # all bodies fall alike


def test_equilibria_are_refused_in_words():
    with pytest.raises(RunRefused, match="holds only at times"):
        chainlist.equilibrium(TEXT)


STONE = "* Stone\nB1 (0,1) 1 IC_VEL=(@,@)\nW1 LINE(0,1,0) REST=0.6\n.tran 0 6 1ms\n.options gravity=9.81\n.plot Y(B1)\n"


@pytest.mark.parametrize("v", [8.0, 9.25, 10.0, 10.5, 11.25, 11.5, 12.0])
def test_to_hit_a_floor_is_to_pass_its_height(v):
    """By rounding the stone may stay above the floor, come to it, or go through: it has come to it, once for each hit."""
    run = chainlist.simulate(STONE.replace("@", str(v)))
    landing = (v + math.sqrt(v * v + 2 * 9.81)) / 9.81
    hits = [event.time for event in run.events if event.what == "hits"]
    assert hits[0] == pytest.approx(landing, rel=1e-12)
    found = chainlist.measure(
        run,
        {
            "range": "FIND X(B1) WHEN Y(B1)=0",
            "falls": "WHEN Y(B1)=0 FALL=1",
            "second": "WHEN Y(B1)=0 CROSS=2",
            "rises": "WHEN Y(B1)=0 RISE=1",
            "low": "WHEN {Y(B1)<=0}",
            "below": "WHEN {Y(B1)<0}",
            "one": "WHEN {EVENTS>=1}",
            "two": "WHEN {EVENTS>=2}",
            "beyond": "WHEN {EVENTS>1}",
            "half": "WHEN Y(B1)=0.5",
        },
    )
    assert found["range"] == pytest.approx(v * landing, rel=1e-12)
    for name, time in (("falls", hits[0]), ("low", hits[0]), ("one", hits[0])):
        assert found[name] == pytest.approx(time, rel=1e-14), name
    for name in ("second", "two", "beyond"):
        assert found[name] == pytest.approx(hits[1], rel=1e-14), name
    assert math.isnan(found["rises"]) and math.isnan(found["below"])
    assert found["half"] == pytest.approx((v + math.sqrt(v * v + 9.81)) / 9.81, rel=1e-12)


def test_what_lies_on_a_floor_does_not_pass_its_height():
    text = "* Dragged\nB1 (0,0) 1\nW1 LINE(0,1,0) REST=0\nF1 B1 ({1+sin(3*time)},0)\n.tran 0 3 1ms\n.options gravity=9.81\n"
    run = chainlist.simulate(text)
    for way in ("CROSS", "RISE", "FALL"):
        assert math.isnan(chainlist.measure(run, f"WHEN Y(B1)=0 {way}=1"))


@pytest.mark.parametrize("length", [2, 3, 3.3])
@pytest.mark.parametrize("stop", [".stop {Y(B1)<0.01}", ""])
def test_the_force_of_a_contact_that_leaves_comes_to_zero(length, stop):
    """It stays there until something else stops the run: whether it was found was a matter of rounding."""
    text = f"""* A ladder slides down
.param L={length} a=5deg
B1 (0,L*cos(a)) 0
B2 (L*sin(a),0) 0
R1 B1 B2 10
W1 B1 LINE(1,0,0)
W2 B2 LINE(0,1,0)
.tran 0 2 1ms
{stop}
"""
    run = chainlist.simulate(text)
    (left,) = (event.time for event in run.events if event.what == "leaves" and event.who[0] == "W1")
    for condition in ("TENSION(W1)=0", "{TENSION(W1)<=0}"):
        assert chainlist.measure(run, f"WHEN {condition}") == pytest.approx(left, abs=1e-12), condition
