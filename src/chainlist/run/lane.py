"""Two ways to follow a tree of bodies on hinges: from hinge to hinge, or as every machine, by the rows of its joints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chainlist.compile.hinges import empty_tree_work
from chainlist.compile.plan import plan
from chainlist.kernels import slots

if TYPE_CHECKING:
    from chainlist.run.runner import Runner

ROUNDING = 1e-13  # of the size, and of the speed


def go_by_hinges(runner: Runner) -> None:
    """From here on from hinge to hinge. The state is the same: it must lie on the constraints."""
    tree = runner.assembly.tree
    assert tree is not None
    runner.plan = plan(replace(runner.plan.choice, tree=True))
    runner.system = runner.system.followed_by(tree)
    runner.work = runner.work._replace(tree=empty_tree_work(tree))


def go_by_rows(runner: Runner) -> None:
    runner.plan = plan(replace(runner.plan.choice, tree=False))
    runner.system = runner.system.followed_by(None)
    runner.work = runner.work._replace(tree=None)


def lies_on_hinges(runner: Runner) -> bool:
    """Whether the state that was landed on hinges without a step is on them, but for rounding."""
    gauge = runner.work.gauge
    taken, speed = gauge[slots.ETA2], gauge[slots.SPEED2]
    return bool(gauge[slots.RESIDUAL] <= ROUNDING and taken <= ROUNDING**2 * speed)
