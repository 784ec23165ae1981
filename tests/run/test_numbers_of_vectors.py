"""`X(…)`, `Y(…)`, `Z(…)` and `NORM(…)` of a vector item: forces in a pin against the closed form, in plots, traces, measures and space."""

import numpy as np
import pytest

import chainlist
from chainlist.analyses.measure import measure
from chainlist.model.ask import ask
from chainlist.output.text_trace import TextTrace
from chainlist.output.traces import read_trace
from chainlist.run.observables import observe
from chainlist.syntax.errors import ChainlistError

WEIGHT = 2 * 9.81
ROD = """* A rod that falls from the horizontal
B1 (1,0) 0
R1 (0,0) B1 2
.tran 0 1 1ms
"""
DOOR = """* A body in space
B1 (0,0,0) 0
B2 (1,0,0) 0
B3 (0,1,0) 0
R1 B1 B2 B3 2 CG=(0.2,0.3,0) J=(1,1.2,1.5) OMEGA=(0.3,0,2)
.tran 0 0.1 1ms
"""


@pytest.fixture(scope="module")
def rod():
    return chainlist.simulate(ROD)


def values(run, item):
    (curve,) = observe(run, ask(run.mechanism, item)).curves
    return curve.values


def test_the_pin_of_a_rod_holds_what_the_closed_form_says(rod):
    """Below the horizontal by α: along the rod 5/2 of the weight times sin α, across it 1/4 of it times cos α."""
    alpha = -values(rod, "ANGLE(R1)")
    along, across = 2.5 * WEIGHT * np.sin(alpha), 0.25 * WEIGHT * np.cos(alpha)
    x, y = -along * np.cos(alpha) + across * np.sin(alpha), along * np.sin(alpha) + across * np.cos(alpha)
    np.testing.assert_allclose(values(rod, "X(JOINT(R1,(0,0)))"), x, atol=1e-6 * WEIGHT)
    np.testing.assert_allclose(values(rod, "Y(JOINT(R1,(0,0)))"), y, atol=1e-6 * WEIGHT)
    np.testing.assert_allclose(values(rod, "NORM(JOINT(R1,(0,0)))"), np.hypot(along, across), rtol=1e-6)


def test_they_are_measured(rod):
    assert measure(rod, "MAX NORM(JOINT(R1,(0,0)))") == pytest.approx(2.5 * WEIGHT, rel=1e-6)
    assert measure(rod, "MIN X(JOINT(R1,(0,0)))") == pytest.approx(-9 / 8 * WEIGHT, rel=1e-6)
    assert measure(rod, "FIND X(CG(R1)) AT=0") == 0.5


def test_they_have_the_unit_of_the_vector_and_arithmetic(rod):
    observed = observe(rod, ask(rod.mechanism, "{2*NORM(JOINT(R1,(0,0))) - Y(JOINT(R1,(0,0)))}"))
    assert (observed.unit, observed.components) == ("N", "")
    assert observe(rod, ask(rod.mechanism, "NORM(V(B1))")).unit == "m/s"
    np.testing.assert_allclose(values(rod, "NORM(V(B1))"), values(rod, "SPEED(B1)"))
    np.testing.assert_allclose(values(rod, "NORM(Q(B1)-CG(R1))"), 0.5)


def test_several_bodies_have_a_curve_each():
    run = chainlist.simulate("* Two\nB1 (3,4) 1\nB2 (0,1) 1\n.tran 0 0.01 1ms\n")
    curves = observe(run, ask(run.mechanism, "NORM(Q(ALL))")).curves
    assert [curve.text for curve in curves] == ["NORM(Q(B1))", "NORM(Q(B2))"]
    assert [curve.values[0] for curve in curves] == [5.0, 1.0]


def test_in_space_spin_is_a_vector_too():
    run = chainlist.simulate(DOOR)
    spin = np.column_stack([values(run, f"{axis}(H(R1))") for axis in "XYZ"])
    np.testing.assert_allclose(spin[0], [0.3, 0, 3], atol=1e-12)
    np.testing.assert_allclose(values(run, "NORM(H(R1))"), np.linalg.norm(spin, axis=1))


def test_a_trace_is_read_back(tmp_path):
    run = chainlist.simulate(f"{ROD}.print TEXTTRACEFILE=rod.txt Time X(Q(B1)) NORM(JOINT(R1,(0,0))) Q(B1)\n")
    with TextTrace.create(tmp_path / "rod.txt", run.mechanism, run.mechanism.prints[0]) as trace:
        trace.write(run)
    back = read_trace(tmp_path / "rod.txt")
    np.testing.assert_array_equal(values(back, "NORM(JOINT(R1,(0,0)))"), values(run, "NORM(JOINT(R1,(0,0)))"))


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("NORM(X(B1))", "X(B1) is one number, and NORM is asked of a vector"),
        ("X(H(R1))", "H(R1) is one number, and X is asked of a vector"),
        ("NORM(PATH(B1))", "PATH(B1) has no numbers over time"),
        ("NORM(Q(B1),Q(B1))", "NORM takes one vector"),
        ("X(Q(B1),V(B1))", "X takes one vector"),
        ("Z(Q(B1))", "there is no Z(Q(B1)) in the plane"),
    ],
)
def test_what_has_no_components_is_told(rod, item, words):
    with pytest.raises(ChainlistError, match=words.replace("(", r"\(").replace(")", r"\)")):
        ask(rod.mechanism, item)
