"""Many members of one mechanism at once, as straight code: members fastest in memory, several in each vector.

Members that need care (a pivot near zero, a leap, a start that does not fit) are found by guards in every step, and left to the single-run
engine: `healthy` says which are good.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.straight import AT_START, Straight, numbers_of, trace
from chainlist.compile.system import Assembly
from chainlist.kernels import print_cuda, print_llvm
from chainlist.kernels.bundles import Floats
from chainlist.kernels.print_llvm import LANES
from chainlist.run.grid import Grid

FITS = 1e-12  # relative: how much a start may be put right before it is one that needs care
TIGHT = 1e-3  # of the residual that is allowed: with fewer corrections than two, positions must be this much better
PILOTS = 64  # members, at most, that show how many corrections a step needs
SHARE = 64  # one in so many is one of them


State = tuple[Floats, Floats, Floats]  # q, v and accelerations, (bodies, dimension, members) each


@dataclass(frozen=True)
class Members:
    """Samples are (samples, bodies, dimension, members)."""

    q: Floats
    v: Floats
    healthy: NDArray[np.bool_]


class Batch:
    """The code of one structure. Numbers of members are arrays by the names of inputs (compile/straight.py)."""

    def __init__(self, assembly: Assembly, device: str = "cpu", *, patient: bool = False) -> None:
        """`patient`: a step is compiled as a whole, however long that takes: the code of a long one is a fifth faster then."""
        self._device, self._patient = device, patient
        self.bodies, self.dimension = assembly.bodies, assembly.q.shape[1]
        self._assembly = assembly
        self._landing = _Code(trace(assembly, landing=True), device)

    @functools.cached_property
    def _once(self) -> _Code:
        return _Code(trace(self._assembly, newton=1), self._device, self._patient)

    @functools.cached_property
    def _twice(self) -> _Code:
        return _Code(trace(self._assembly, newton=2), self._device, self._patient)

    def run(self, numbers: Mapping[str, Any], members: int, grid: Grid, *, samples: bool = False) -> Members:
        """All steps of the grid; the samples that it keeps, or only the last state."""
        healthy = np.ones(members, bool)
        wanted = samples_of(grid) if samples else [grid.steps]
        kept = [(q.copy(), v.copy()) for q, v, _ in self.states(numbers, members, grid, wanted, healthy)]
        return Members(np.array([q for q, _ in kept]), np.array([v for _, v in kept]), healthy)

    def states(
        self, numbers: Mapping[str, Any], members: int, grid: Grid, wanted: Sequence[int], healthy: NDArray[np.bool_]
    ) -> Iterator[State]:
        """The states behind some steps, one after the other, as views that the next one overwrites.

        `healthy` becomes False, at the end, for members that need care.
        """
        full = -(-members // LANES) * LANES  # whole blocks: the last member stands in for those that are not there
        columns = {name: _padded(value, members, full) for name, value in numbers.items()}
        X, flags = self._landed(columns, full)
        march = _March(self._step_for(X, columns, grid, flags), X, columns, flags, grid)
        for sample in wanted:
            yield self._state(march.to(sample), members)
        healthy &= march.healthy[:members]

    def _landed(self, columns: Mapping[str, Floats], full: int) -> tuple[Floats, NDArray[np.uint8]]:
        """The start of every member, put onto the constraints; one that has to move for that needs care."""
        code = self._landing.straight
        given = np.array([columns[name] for name in code.state])
        march = _March(self._landing, given, columns, np.ones(full, np.uint8))
        X, healthy = march.to(1), march.healthy
        size = 2 * self.bodies * self.dimension
        speed = np.abs(given[size // 2 : size]).max(axis=0)
        off_q = np.abs(X[: size // 2] - given[: size // 2]).max(axis=0)
        off_v = np.abs(X[size // 2 : size] - given[size // 2 : size]).max(axis=0)
        reach = np.abs(given[: size // 2]).max(axis=0)
        fits = (off_q <= FITS * reach) & (off_v <= FITS * speed)
        return X, (healthy & fits).astype(np.uint8)

    def _step_for(self, X: Floats, columns: Mapping[str, Floats], grid: Grid, healthy: NDArray[np.uint8]) -> _Code:
        """One correction a step where that is as good as two: a few members try it, over the whole run."""
        count = min(PILOTS, max(1, len(healthy) // (SHARE * LANES)) * LANES)
        numbers = {name: values[:count] for name, values in columns.items()}
        numbers["phi2"] = numbers["phi2"] * TIGHT**2
        trial = _March(self._once, X[:, :count], numbers, healthy[:count], grid)
        trial.to(grid.steps)
        return self._once if trial.healthy.sum() == healthy[:count].sum() else self._twice

    def _state(self, X: Floats, members: int) -> State:
        size = self.bodies * self.dimension
        q, v, a = (
            X[k * size : (k + 1) * size, :members].reshape(self.bodies, self.dimension, members) for k in range(3)
        )
        return q, v, a


class _Code:
    """A step compiled for a device, and the order of its inputs."""

    def __init__(self, straight: Straight, device: str, patient: bool = False) -> None:
        self.straight = straight
        parts = straight.graph, straight.state, straight.after, straight.numbers
        longest = sys.maxsize if patient else print_llvm.LONGEST
        self.call: Any = (
            print_cuda.OnCard(print_cuda.printed(*parts))
            if device == "gpu"
            else print_llvm.Compiled(print_llvm.printed(*parts, longest=longest))
        )


class _March:
    """Members on their way, where the device has them. Arrays are copied there once, and back when a state is asked for."""

    def __init__(
        self, code: _Code, X: Floats, columns: Mapping[str, Floats], flags: NDArray[np.uint8], grid: Grid | None = None
    ) -> None:
        self._code, self._columns, self._grid = code, columns, grid
        place = code.call.place
        self._X, self._F, self._P = place(X), place(flags), self._inputs(columns)
        self._done = 0

    def _inputs(self, columns: Mapping[str, Floats]) -> Any:
        return self._code.call.place_numbers(np.array([columns[name] for name in self._code.straight.numbers]))

    def to(self, step: int) -> Floats:
        """The states behind a step; a view that the next call overwrites."""
        grid = self._grid
        uneven = grid is not None and step == grid.steps and grid.last_step != grid.step
        whole = step - int(uneven)
        self._code.call(self._X, self._P, self._F, whole - self._done)
        if grid is not None and uneven and self._done < step:
            shorter = {**self._columns, "h": np.full(len(self._columns["h"]), grid.last_step)}
            self._code.call(self._X, self._inputs(shorter), self._F, 1)
        self._done = step
        found: Floats = self._code.call.fetch(self._X)
        return found

    @property
    def healthy(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self._code.call.fetch(self._F) != 0
        return found


def _padded(value: Any, members: int, full: int) -> Floats:
    column = np.empty(full)
    column[:members] = value
    column[members:] = column[members - 1]
    return column


def samples_of(grid: Grid) -> list[int]:
    """The steps behind which a grid keeps a sample."""
    found = list(range(grid.first_sample, grid.steps + 1, grid.stride))
    return found if found[-1] == grid.steps else [*found, grid.steps]


def same_structure(one: Assembly, other: Assembly) -> bool:
    """Whether the code of one is that of the other: the same rows over the same points, and zeros in the same places."""
    a_options, b_options = (dataclasses.replace(x.mechanism.options, gravity=0.0) for x in (one, other))
    if a_options != b_options or one.mechanism.transient != other.mechanism.transient:
        return False
    if [e.kind for e in one.equations] != [e.kind for e in other.equations] or other.bars or other.acts:
        return False
    a, b = one.system, other.system
    pairs = [(a.table.point, b.table.point), (a.table.ends, b.table.ends)]
    pairs += [(x != 0.0, y != 0.0) for x, y in ((a.gravity, b.gravity), (a.table.par, b.table.par))]
    pairs += [(one.q[one.bodies :] != 0.0, other.q[other.bodies :] != 0.0)]
    return all(x.shape == y.shape and bool((x == y).all()) for x, y in pairs)


__all__ = ["AT_START", "Batch", "Members", "numbers_of", "same_structure", "samples_of"]
