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
