"""Rows by formula that are evaluated together: to the bit what the kernels make of each, and little more work than one."""

import numpy as np
import pytest

import chainlist
from chainlist.equations import interpret
from chainlist.equations.rowset import row_set

from ..work import lines_run

FORMULAS = [
    "DIST(B{k},(0,{k}))-1",
    "DIST(B{k},B{n})-DIST(B{n},({k},0))*time",
    "ANGLE(B{k},B{n})-time",
    "ANGLE((0,0),B{k},B{n})+X(B{k})",
    "X(B{k})*Y(B{n})-X(B{k})/Y(B{k})+(X(B{k})+2)*X(B{k})*X(B{k})-(-Y(B{n}))",
    "X(B{k})**2+(Y(B{k})**2+0.1)**1.5+(Y(B{k})**2+0.1)**X(B{n})-sqrt(1+Y(B{n})**2)",
    "sin(X(B{k}))+cos(Y(B{k})*time)+exp(X(B{n}))-tanh(Y(B{k}))+smooth(X(B{k}),-1,1)",
    "atan2(Y(B{k}),X(B{k}))-log(2+cos(X(B{n})))",
]
VELOCITIES = ["VX(B{k})*Y(B{n})-VY(B{k})+0.3*time", "VX(B{n})*(1+abs(X(B{n})))-table(X(B{k}),0,1,1,3,2,0)*VY(B{n})"]
COUNT = 12


@pytest.fixture(autouse=True)
def unchecked(monkeypatch):
    """These machines contradict themselves."""
    monkeypatch.setattr("chainlist.compile.read.diagnose", lambda mechanism, report: None)


def rows_of(formulas, letter, count=COUNT):
    bodies = [f"B{k} ({0.1 * k},{0.3 + k % 3}) 1" for k in range(1, count + 2)]
    cards = [
        f"{letter}{i * 1000 + k} {{{formula.format(k=k, n=k + 1)}}}"
        for k in range(1, count + 1)
        for i, formula in enumerate(formulas)
    ]
    mechanism = chainlist.parse("\n".join(["* Formulas", *bodies, *cards]))
    start = np.array([body.start for body in mechanism.bodies])
    return row_set([body.name for body in mechanism.bodies], start, mechanism.constraints), start


@pytest.mark.parametrize("formulas, letter", [(FORMULAS, "G"), pytest.param(VELOCITIES, "N", marks=pytest.mark.long)])
def test_every_bit_is_that_of_the_kernels(monkeypatch, formulas, letter):
    rows, start = rows_of(formulas, letter)
    random = np.random.default_rng(3)
    states = [(start + random.normal(size=start.shape), random.normal(size=start.shape)) for _ in range(2)]
    states += [(0 * start, random.normal(size=start.shape)), (1e200 * start, start), (start * np.nan, start)]
    together = [rows.at(q, v, t=0.7) for q, v in states]
    monkeypatch.setattr(interpret, "MANY", 10_000)
    for (q, v), found in zip(states, together, strict=True):
        one_by_one = rows.at(q, v, t=0.7)
        for name in ("phi", "J", "b", "c"):
            np.testing.assert_array_equal(getattr(found, name), getattr(one_by_one, name), strict=True)


def test_many_are_little_more_work_than_few():
    def evaluating(count):
        rows, start = rows_of(FORMULAS[:3], "G", count)
        rows.at(start)
        return lines_run(lambda: rows.at(start))

    assert evaluating(160) < 3 * evaluating(20)
