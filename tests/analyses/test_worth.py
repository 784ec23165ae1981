"""Batch or one by one: the choice follows from the estimate, is told, and does not change the numbers."""

import numpy as np
import pytest

import chainlist
from chainlist.analyses.ensemble import PIECES, prepare, run_work
from chainlist.analyses.measure import FORMS
from chainlist.analyses.sweep import Sweep
from chainlist.analyses.worth import COSTS, PROCESS, SOONER, Amount
from tests.analyses.texts import as_batch

DOUBLE = "* Double pendulum\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n"
FIVE_SECONDS = {"steps": 5000, "samples": 5001}


def amount(members, rows=2, *forms, **more):
    return Amount(members, **FIVE_SECONDS, rows=rows, forms=forms, **more)


def crossing(rows, *forms, **more):
    """The least number of members that are worth a batch."""
    found = amount(1, rows, *forms, **more).crossing
    below, above = (amount(n, rows, *forms, **more) for n in (found - 1, found))
    assert below.alone < below.batch and above.batch <= above.alone
    return found


@pytest.mark.parametrize(
    ("rows", "forms", "low", "high"),
    [(2, (), 10, 25), (2, ("MAX",), 15, 35), (2, ("AVG",), 80, 200), (16, (), 80, 200), (16, ("MAX",), 35, 75)],
)
def test_the_crossing_is_where_the_clock_has_it(rows, forms, low, high):
    assert low < crossing(rows, *forms) < high


def test_what_a_batch_has_to_read_for_each_member_moves_the_crossing():
    assert crossing(3, "MAX", reads=True, follows=True) > crossing(3, "MAX", reads=True) > crossing(3, "MAX")


def test_every_form_of_measure_has_its_cost():
    assert set(COSTS) == set(FORMS)


def test_more_members_or_steps_never_speak_against_a_batch():
    for rows in (1, 2, 16, 200):
        saved = [a.alone - a.batch for n in (1, 10, 100, 1000) for a in (amount(n, rows, "MAX", "PERIOD"),)]
        assert saved == sorted(saved) and saved[-1] > 0


def test_chunks_repeat_little_of_the_work():
    few, many = amount(300, 2, "AVG"), amount(1_000_000, 2, "AVG")
    assert few.pieces(2, PIECES) == 1 and many.pieces(2, PIECES) == PIECES
    for one in (few, many, amount(5000, 16, "MAX", "TRIG")):
        again = (one.pieces(2, PIECES) - 1) * one.shared
        assert again <= 0.1 * (one.shared + one.members * one.abreast / 2)


def test_other_processes_are_begun_where_they_are_done_sooner():
    short, long = amount(100), amount(100_000)
    assert short.alone < PROCESS and short.workers(2, batch=False) == 1
    assert long.workers(2, batch=True) == 2 and long.workers(2, batch=False) == 2


def prepared(members, text=None, **more):
    text = text or DOUBLE + ".tran 0 0.3 5ms\n.meas low MIN Y(B2)\n"
    return prepare(text, None, {"B2": np.linspace(1, 2, members)}, None, None, False, None, None, (), "end", {}, **more)


def test_few_members_are_run_one_by_one_and_many_as_a_batch():
    few, many = prepared(3), prepared(3000)
    assert few.way == f"one by one: {SOONER}" and not few.task.batch
    assert many.way == "as a batch" and many.task.batch
    assert few.amount.alone < few.amount.batch and many.amount.batch < many.amount.alone


def test_why_a_machine_is_no_batch_is_told():
    assert "under gravity" in prepared(3000, DOUBLE + "K1 B1 (0,1) 5\n.tran 0 1 1ms\n").way


def test_the_way_is_told_and_the_numbers_are_the_same():
    alone = prepared(12)
    batch = as_batch(alone)
    said = []
    tables = [run_work(work, 1, progress=lambda part, what: said.append(what)).columns() for work in (alone, batch)]
    assert "careful" in tables[1] and "careful" not in tables[0]
    for name in ("low", "q", "v"):
        assert np.abs(tables[0][name] - tables[1][name]).max() < 1e-12
    assert said[0].endswith("of 12 runs, one by one") and said[-1] == "12 of 12 runs, as a batch"
    shown = Sweep(chainlist.ensemble(DOUBLE + ".tran 0 0.1 5ms\n", masses={"B2": [1.0, 2.0]}, keep="end", workers=1))
    assert ("  run", f"one by one: {SOONER}") in shown.figures()
