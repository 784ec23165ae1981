"""simulate(mechanism) → Trajectory: the march in chunks, so that a caller can watch and cancel."""

from __future__ import annotations

import time
from collections.abc import Callable

from chainlist.compile.plan import Choice, objection, plan
from chainlist.compile.system import assemble
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import RunRefused, make_grid
from chainlist.run.report import make_report
from chainlist.run.runner import Runner
from chainlist.run.size import check_size
from chainlist.run.status import CANCELLED, Status
from chainlist.run.trajectory import Trajectory

CHUNK = 0.1  # s of computing between two looks at `cancel`

Progress = Callable[[float, str], None]  # (part done from 0 to 1, what is happening)


def simulate(
    mechanism: Mechanism,
    *,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
    confirm: bool = False,
    target: str = "cpu",
) -> Trajectory:
    """Run `.tran` of a mechanism with its options.

    `progress(part, text)` is called a few times a second; the run stops early, keeping what it has, once `cancel()`
    is true. A run of absurd size is refused with an estimate unless `confirm`. `target="python"` interprets the
    kernels: slow, for debugging, and equal to the last bit.
    """
    options, transient = mechanism.options, mechanism.transient
    reason = objection(options)
    if reason is not None:
        raise RunRefused(reason)
    choice = Choice(options.daesystem, options.integrator, options.mpi_algo, mechanism.dimension, target)
    chosen = plan(choice)
    if chosen.adaptive:
        grid = make_grid(transient.start, transient.stop, options.save or transient.step, None)
    else:
        grid = make_grid(transient.start, transient.stop, transient.step, options.save)
    check_size(mechanism, grid, confirm=confirm)
    say = progress or (lambda part, text: None)
    clock = time.perf_counter()
    runner = Runner(assemble(mechanism), chosen, grid)
    say(0.0, "compiling, once")
    runner.start()
    prepared = time.perf_counter() - clock
    clock = time.perf_counter()
    amount = 16
    while not runner.finished:
        say(runner.part, "running")
        if cancel is not None and cancel():
            runner.status = Status(CANCELLED, runner.part * grid.stop, message="cancelled")
            break
        amount = runner.run_for(CHUNK, amount)
    marched = time.perf_counter() - clock
    say(1.0, "done")
    kept = runner.written
    trajectory = Trajectory(
        mechanism,
        runner.times[:kept],
        runner.Q[:kept],
        runner.V[:kept],
        runner.status,
        make_report(runner, prepared, marched),
        runner.assembly,
        runner.E[:kept] if runner.system.corrects else None,
    )
    return trajectory
