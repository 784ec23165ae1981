"""Batch or one by one (analyses/worth.py): the clock of both beside the estimate, around the number where they should be level."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

import numpy as np

from benchmarks.ensemble import FOUR_BAR, chain
from benchmarks.report import Goal, Line
from chainlist.analyses.batches import forget_batches, run_chunk
from chainlist.analyses.ensemble import PreparedEnsemble, prepare
from chainlist.analyses.members import run_members

TITLE = "batch or one by one, at half and twice the members for which they are level: CPU time, and that of the choice over the better"
CASES = (("double pendulum", chain(2)), ("four-bar", FOUR_BAR), ("16 links", chain(16)))
MEASURES = ("", "MAX Y(B2)", "PERIOD X(B1)", "AVG Y(B2)")
AROUND = (0.5, 2.0)  # of the number of members at which the two are level
LOSS = Goal(1.2)


def run() -> list[Line]:
    return [_line(name, text, card, part) for name, text in CASES for card in MEASURES for part in AROUND]


def _line(name: str, text: str, card: str, part: float) -> Line:
    level = _work(text, card, 1).amount.crossing
    members = max(2, round(part * level))
    work = _work(text, card, members)
    alone, batch = dataclasses.replace(work.task, batch=False), dataclasses.replace(work.task, batch=True)
    run_members(alone, 0, range(2))  # kernels are compiled
    taken = {
        False: _seconds(lambda: run_members(alone, 0, range(members))),
        True: _seconds(lambda: run_chunk(batch, 0, members), before=forget_batches),
    }
    amount = work.amount
    figures: dict[str, float | str] = {
        "members": members,
        "one by one [s]": taken[False],
        "estimate [s]": amount.alone,
        "batch [s]": taken[True],
        "its estimate [s]": amount.batch,
        "chosen": "batch" if work.task.batch else "one by one",
    }
    return Line(f"{name}, {card or 'no measure'}", figures, taken[work.task.batch] / min(taken.values()), LOSS)


def _work(text: str, card: str, members: int) -> PreparedEnsemble:
    masses = {"B2": np.linspace(1.0, 1.1, members)}
    measures = [card] if card else []
    return prepare(text, None, masses, None, None, False, None, "0 2 1ms", measures, "measures" if card else "end", {})


def _seconds(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    before()
    begun = time.process_time()
    work()
    return time.process_time() - begun
