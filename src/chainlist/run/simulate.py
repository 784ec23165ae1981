"""simulate(mechanism) → Trajectory: the march in chunks, so that a caller can watch and cancel."""

from __future__ import annotations

import time
from collections.abc import Callable

from chainlist import integrators
from chainlist.compile.held import with_held
from chainlist.compile.plan import Choice
from chainlist.compile.system import assemble
from chainlist.model.combinations import clashes, misfits
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import Grid, RunRefused, make_grid, make_sampling
from chainlist.run.report import make_report
from chainlist.run.runner import Runner
from chainlist.run.samples import Samples
from chainlist.run.size import check_size
from chainlist.run.status import CANCELLED, Status
from chainlist.run.trajectory import Trajectory

CHUNK = 0.1  # s of computing between two looks at `cancel`
FIRST = 20_000  # steps times constraints of the first one, before the speed is known

PREPARING = "preparing the kernels (compiled once, then kept)"

Progress = Callable[[float, str], None]  # (part done from 0 to 1, what is happening)


def simulate(
    mechanism: Mechanism,
    *,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
    receive: Callable[[Samples], None] | None = None,
    confirm: bool = False,
    target: str = "cpu",
) -> Trajectory:
    """Run `.tran` of a mechanism with its options.

    `progress(part, text)` is called a few times a second; the run stops early, keeping what it has, once `cancel()`
    is true. `receive(samples)` gets the new samples each time, in order, all of them. A run of absurd size is refused
    with an estimate unless `confirm`. `target="python"` interprets the kernels: slow, for debugging, and equal to the
    last bit.
    """
    options = mechanism.options
    for clash in clashes(options):
        raise RunRefused(f"{clash.text(options)}: {clash.why}")
    for misfit in misfits(options, mechanism.elements):
        raise RunRefused(f"{misfit.text(options)}: {misfit.why}")
    choice = Choice(options.daesystem, options.integrator, options.mpi_algo, mechanism.dimension, target)
    grid = grid_of(mechanism)
    check_size(mechanism, grid, confirm=confirm)
    say = progress or (lambda part, text: None)
    clock = time.perf_counter()
    runner = Runner(assemble(mechanism), choice, grid)
    say(0.0, PREPARING)
    runner.start()
    prepared = time.perf_counter() - clock - runner.preparing
    runner.announce = lambda: say(runner.part, PREPARING)
    amount = max(16, FIRST // (1 + len(mechanism.constraints)))
    sent = 0
    while not runner.finished:
        say(runner.part, "running")
        sent = _send(runner, sent, receive)
        if cancel is not None and cancel():
            if runner.status.ok:  # an earlier breakdown, with BREAKDOWN=GO, says more
                runner.status = Status(CANCELLED, runner.part * grid.stop, message="cancelled")
            break
        amount = runner.run_for(CHUNK, amount)
    _send(runner, sent, receive)
    say(1.0, "done")
    kept = runner.written
    trajectory = Trajectory(
        mechanism,
        runner.times[:kept],
        with_held(mechanism, runner.Q[:kept]),
        with_held(mechanism, runner.V[:kept]),
        runner.status,
        make_report(runner, prepared + runner.preparing, runner.marching),
        runner.assembly,
        runner.X[:kept] if runner.assembly.acts else None,
        runner.E[:kept] if runner.system.corrects else None,
        *runner.story,
    )
    return trajectory


def grid_of(mechanism: Mechanism) -> Grid:
    """The steps of `.tran`, and which of them are samples."""
    options, times = mechanism.options, mechanism.transient
    if options.save is not None and integrators.REGISTRY[options.integrator].adaptive:
        return make_sampling(times.start, times.stop, options.save)
    return make_grid(times.start, times.stop, times.step, options.save)


def _send(runner: Runner, sent: int, receive: Callable[[Samples], None] | None) -> int:
    """Hand out the samples from `sent` on; return how many are out."""
    if receive is not None and runner.written > sent:
        new = slice(sent, runner.written)
        memory = runner.X[new] if runner.assembly.acts else None
        mechanism = runner.assembly.mechanism
        q, v = with_held(mechanism, runner.Q[new]), with_held(mechanism, runner.V[new])
        receive(Samples(mechanism, runner.times[new], q, v, memory, *runner.story))
    return runner.written
