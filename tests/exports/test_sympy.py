"""Equations in symbols: SymPy differentiates Φ, and gives the numbers of our kernels at states of which neither knows."""

import numpy as np
import pytest

import chainlist
from chainlist.examples import gallery
from chainlist.exports import CannotExport
from chainlist.exports.sympy import write

sympy = pytest.importorskip("sympy")

MACHINES = {
    "double pendulum": "* a\nB1 (1,0) 1\nB2 (2,0) 2\nC1 B1 (0,0)\nC2 B1 B2\n",
    "slider crank": "* a\nB1 (0.2,0.1) 0.5\nB2 (0.8,0) 1\nC1 (0,0) B1\nC2 B1 B2\nS1 B2 LINE(0,1,0)\n",
    "springs": "* a\nB1 (1,0) 1\nB2 (2,0.5) 2\nK1 B1 B2 30 L0=0.4 DAMP=2\nK2 B1 (0,0) 5\nD1 B2 (3,0) 0.7\nD2 B1 0.2\n",
    "motor": "* a\nB1 (1,0) 1\nB2 (2,0.5) 2\nC1 (0,0) B1\nC2 B1 B2\nM1 C1 ANGLE={0.3*sin(2*time)}\n",
    "driven": "* a\nB1 (1,0) 1\nC1 ({0.1*sin(3*time)},0) B1\n",
    "length": "* a\nB1 (1,0) 1\nC1 (0,0) B1 LENGTH={1+0.1*smooth(time,0,2)}\n",
    "by expression": "* a\nB1 (1,1) 1\nB2 (2,1) 1\nG1 {X(B1)*Y(B1)}={1}\n"
    "N1 {VX(B2)*Y(B1)-VY(B2)}\nF1 B1 ({sin(time)*VX(B2)},{-X(B1)**3})\n",
    "space": "* a\nB1 (1,0,0) 1\nB2 (1,1,0.5) 2\nC1 B1 (0,0,0)\nC2 B1 B2\nS1 B2 PLANE(0,0,1,0.5)\nK1 B2 (3,1,1) 4\n",
    "rigid": "* a\nB1 (1,0) 0.5\nB2 (2,0.5) 0\nR1 (0,0) B1 1\nR2 B1 B2 2\nK1 B2 (3,3) 7\n",
    "rigid in space": "* a\nB1 (1,0,0) 0\nR1 (0,0,0) B1 1 CG=(0.5,0,0) J=(0.01,0.1,0.1)\n",
    "free": "* a\nB1 (1,0) 1\n",
}


def evaluated(text):
    found = {}
    exec(compile(text, "exported", "exec"), found)
    return found


@pytest.mark.parametrize("name", MACHINES)
def test_the_equations_in_symbols_are_ours(name):
    mechanism = chainlist.parse(MACHINES[name])
    theirs = evaluated(write(mechanism))
    random = np.random.default_rng(7)
    shape = (len(mechanism.vectors), mechanism.dimension)
    start = np.array([body.start for body in mechanism.vectors])
    for _ in range(2):
        q, v, t = start + 0.1 * random.normal(size=shape), random.normal(size=shape), random.uniform(0.1, 1.5)
        ours = mechanism.equations(q, v, t)
        state = dict(zip((*theirs["q"], *theirs["v"], theirs["t"]), (*q.ravel(), *v.ravel(), t), strict=True))
        for symbol, numbers in (("A", ours.A), ("b", ours.b), ("F", ours.F), ("M", ours.M)):
            found = np.array(theirs[symbol].subs(state).evalf(18), dtype=float).reshape(numbers.shape)
            assert found == pytest.approx(numbers, rel=1e-9, abs=1e-9), symbol
        phi = np.array([*theirs["Phi"].subs(state).evalf(18), *[0.0] * len(theirs["Psi"])], dtype=float)[
            theirs["order"]
        ]
        of_positions = np.array(theirs["order"]) < len(theirs["Phi"])
        assert phi[of_positions] == pytest.approx(ours.phi[of_positions], rel=1e-9, abs=1e-9)


def test_accelerations_of_a_pendulum_are_solved_in_symbols():
    theirs = evaluated(write(chainlist.parse("* a\nB1 (1,0) 2\nC1 B1 (0,0)\n.options gravity=10\n")))
    solved = theirs["accelerations"]()
    state = dict(zip((*theirs["q"], *theirs["v"]), (1.0, 0.0, 0.0, 3.0), strict=True))
    a = {str(symbol): float(value.subs(state)) for symbol, value in solved.items()}
    assert (a["a0"], a["a1"]) == pytest.approx((-9.0, -10.0))  # v²/l inwards, and gravity


@pytest.mark.parametrize(
    "cards, why",
    [
        ("B1 (1,0) 1\nC1 B1 (0,0) ROPE\n", "C1 holds only at times"),
        ("B1 (1,0) 1\nF1 B1 ({table(time,0,0,1,1)},0)\n", "the function table"),
    ],
)
def test_what_symbols_cannot_carry_is_said(cards, why):
    with pytest.raises(CannotExport, match=why):
        write(chainlist.parse(f"* a\n{cards}"))


@pytest.mark.long
@pytest.mark.parametrize("example", gallery(), ids=lambda example: example.name)
def test_every_example_is_written_or_refused_in_words(example):
    try:
        text = write(chainlist.parse(example.text))
    except CannotExport:
        return
    compile(text, example.name, "exec")
