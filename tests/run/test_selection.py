"""Redundant sets: which rows count is selected, and the selection is kept where it still serves."""

import numpy as np
import pytest

import chainlist
from chainlist.compile.read import changed
from chainlist.kernels import slots
from chainlist.model.mechanism import Changes
from chainlist.run.live import Live
from tests.references.bodies.bricard import PROBLEMS

# A frame with a brace too many on a pendulum: nothing in it ever comes near a singular configuration.
BRACED = """Braced
B1 (1,0) 1
B2 (1,1) 2
B3 (2,0) 3
B4 (2,1) 1
C1 (0,0) B1
C2 B1 B2
C3 B3 B4
C4 B1 B3
C5 B2 B4
C6 B1 B4
C7 B2 B3
C8 (0,0) B2
.tran 0 1 1ms
"""
LOCOMOTIVE = """Two wheels with two pins each, and two rods: one equation too many, and dead points
B1 (1,0) 1
B2 (0,1) 2
B3 (4,0) 1.5
B4 (3,1) 0.5
C1 B1 (0,0)
C2 B2 (0,0)
C3 B1 B2
C4 B3 (3,0)
C5 B4 (3,0)
C6 B3 B4
C7 B1 B3
C8 B2 B4
.tran 0 1 1ms
"""


@pytest.mark.parametrize("text", [BRACED, PROBLEMS[0].text], ids=["braced", "Bricard"])
def test_a_selection_serves_for_many_steps(text):
    assert selections(text, 256) <= slots.LASTING + 2 + 256 // slots.KEEP


def test_rods_that_come_to_a_dead_point_leave_their_place_to_others():
    """Each rod says nothing at its own dead points; rows that were kept there would be nearly dependent."""
    live = moving(LOCOMOTIVE)
    least = []
    for step in range(10, 2000, 10):
        live.go_to(1e-3 * step)
        least.append(live.runner.work.gauge.least)
    assert min(least) > slots.REFINE and 2 < live.runner.work.count.selections < 200


def test_what_an_item_says_of_a_sample_does_not_depend_on_the_others():
    """The forces of a redundant frame, at all samples and at one of them alone."""
    braced = chainlist.simulate(BRACED, tran=(0, 0.3, 1e-3))
    every = braced.observe("TENSION(C6)").curves[0].values
    alone = chainlist.simulate(BRACED, tran=(0, 0.3, 1e-3), save=0.3).observe("TENSION(C6)").curves[0].values
    assert alone[-1] == every[-1] and np.ptp(every) > 1.0


def moving(text):
    return Live(changed(text, Changes(tran=(0.0, 1.0, 1e-3))))


def selections(text, steps):
    """How often rows were selected in so many steps of 1 ms."""
    live = moving(text)
    live.go_to(1e-3 * steps)
    return int(live.runner.work.count.selections)
