"""Two ways to follow a tree of bodies on hinges: from hinge to hinge, or as every machine, by the rows of its joints."""

from __future__ import annotations

from dataclasses import replace

from chainlist.compile.hinges import empty_tree_work
from chainlist.compile.plan import KernelPlan, plan
from chainlist.kernels.bundles import System, Tree, Work
from chainlist.kernels.gauges import Gauge

ROUNDING = 1e-13  # of the size, and of the speed


def by_hinges(before: KernelPlan, system: System, work: Work, tree: Tree) -> tuple[KernelPlan, System, Work]:
    """From here on from hinge to hinge. The state is the same: it must lie on the constraints."""
    work = work._replace(tree=empty_tree_work(tree))
    return plan(replace(before.choice, tree=True)), system.followed_by(tree), work


def by_rows(before: KernelPlan, system: System, work: Work) -> tuple[KernelPlan, System, Work]:
    return plan(replace(before.choice, tree=False)), system.followed_by(None), work._replace(tree=None)


def lies_on_hinges(gauge: Gauge) -> bool:
    """Whether the state that was landed on hinges without a step is on them, but for rounding."""
    taken, speed = gauge.eta2, gauge.speed2
    return bool(gauge.residual <= ROUNDING and taken <= ROUNDING**2 * speed)
