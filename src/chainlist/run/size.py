"""How large a run will be, before it is begun: absurd ones are refused with an estimate."""

from __future__ import annotations

import math

from chainlist import integrators
from chainlist.equations.equation import equations_of, longest_length
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import Grid, RunRefused

LONGEST = 12 * 3600.0  # s of computing
LARGEST = 8e9  # bytes of samples
SECONDS_PER_ROW = 1e-7  # of one evaluation, sparse
SECONDS_PER_ENTRY = 2e-9  # of one evaluation, dense: rows × coordinates × the larger of the two


def estimate(mechanism: Mechanism, grid: Grid) -> tuple[float, float, float]:
    """Steps, seconds of computing (to a factor of a few) and bytes of samples."""
    options = mechanism.options
    rows, coordinates = len(mechanism.constraints), len(mechanism.bodies) * mechanism.dimension
    evaluation = SECONDS_PER_ROW * (rows + 1)
    if options.mpi_algo != "AUTO":
        evaluation += SECONDS_PER_ENTRY * rows * coordinates * max(rows, coordinates)
    method = integrators.REGISTRY[options.integrator]
    steps = max(_counted(grid.samples), _natural_times(mechanism, grid)) if method.adaptive else _counted(grid.steps)
    return steps, steps * method.stages * evaluation, 16.0 * _counted(grid.samples) * coordinates


def _counted(number: int) -> float:
    """As a float, which cannot hold every number of steps that a text may ask for."""
    return float(min(number, 10**300))


def _natural_times(mechanism: Mechanism, grid: Grid) -> float:
    """How often what is held can swing, or go round, before `stop`: an adaptive method takes at least a step each time."""
    if not mechanism.constraints:
        return 0.0
    size = longest_length(equations_of(mechanism.constraints, mechanism.dimension, (), mechanism.held), 0.0)
    fastest = max((math.hypot(*body.velocity) for body in mechanism.bodies), default=0.0)
    speed = max(math.sqrt(math.hypot(*mechanism.gravity) * size), fastest)
    return grid.stop * speed / size


def check_size(mechanism: Mechanism, grid: Grid, *, confirm: bool) -> None:
    """Refuse a run that nobody can mean, unless it is confirmed."""
    steps, seconds, size = estimate(mechanism, grid)
    if confirm or (seconds <= LONGEST and size <= LARGEST):
        return
    raise RunRefused(
        f"{steps:.3g} steps and {_counted(grid.samples):.3g} samples would take about {_duration(seconds)} and "
        f"{size / 1e9:.3g} GB. Take a larger step, a SAVE interval or a nearer stop, or confirm it (--confirm, confirm=True)"
    )


def _duration(seconds: float) -> str:
    for unit, length in (("years", 3.2e7), ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} s"
