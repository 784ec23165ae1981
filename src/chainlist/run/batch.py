"""Many members of one mechanism at once, as straight code: members fastest in memory, several in each vector.

Members that need care (a pivot near zero, a leap, a start that does not fit) are found by guards in every step, and left to the single-run
engine: `healthy` says which are good.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.straight import AT_START, Straight, numbers_of, trace
from chainlist.compile.system import Assembly
from chainlist.equations.layout import Floats
from chainlist.kernels import print_cuda, print_llvm
from chainlist.kernels.print_llvm import LANES
from chainlist.run.grid import Grid

FITS = 1e-12  # relative: how much a start may be put right before it is one that needs care
TIGHT = 1e-3  # of the residual that is allowed: with fewer corrections than two, positions must be this much better
PILOTS = 64  # members, at most, that show how many corrections a step needs
SHARE = 64  # one in so many is one of them


@dataclass(frozen=True)
class Members:
    """Samples are (samples, bodies, dimension, members)."""

    q: Floats
    v: Floats
    healthy: NDArray[np.bool_]


class Batch:
    """The code of one structure. Numbers of members are arrays by the names of inputs (compile/straight.py)."""

    def __init__(self, assembly: Assembly, device: str = "cpu") -> None:
        self._device = device
        self.bodies, self.dimension = assembly.bodies, assembly.q.shape[1]
        self._assembly = assembly
        self._landing = _Code(trace(assembly, landing=True), device)

    @functools.cached_property
    def _once(self) -> _Code:
        return _Code(trace(self._assembly, newton=1), self._device)

    @functools.cached_property
    def _twice(self) -> _Code:
        return _Code(trace(self._assembly, newton=2), self._device)

    def run(self, numbers: Mapping[str, Any], members: int, grid: Grid, *, samples: bool = False) -> Members:
        """All steps of the grid; the samples that it keeps, or only the last state."""
        full = -(-members // LANES) * LANES  # whole blocks: the last member stands in for those that are not there
        columns = {name: _padded(value, members, full) for name, value in numbers.items()}
        X, healthy = self._landed(columns, full)
        step = self._step_for(X, columns, grid, healthy)
        kept_q, kept_v = [], []
        wanted = _samples(grid) if samples else [grid.steps]
        done = 0
        for sample in wanted:
            self._march(step, X, columns, healthy, done, sample, grid)
            done = sample
            q, v = self._state(X)
            kept_q.append(q[..., :members].copy())
            kept_v.append(v[..., :members].copy())
        return Members(np.array(kept_q), np.array(kept_v), healthy[:members] != 0)

    def _landed(self, columns: Mapping[str, Floats], full: int) -> tuple[Floats, NDArray[np.uint8]]:
        """The start of every member, put onto the constraints; one that has to move for that needs care."""
        code = self._landing.straight
        X = np.array([columns[name] for name in code.state])
        given = X.copy()
        healthy = np.ones(full, np.uint8)
        self._landing(X, columns, healthy, 0, full, 1)
        size = 2 * self.bodies * self.dimension
        speed = np.abs(given[size // 2 : size]).max(axis=0)
        off_q = np.abs(X[: size // 2] - given[: size // 2]).max(axis=0)
        off_v = np.abs(X[size // 2 : size] - given[size // 2 : size]).max(axis=0)
        reach = np.abs(given[: size // 2]).max(axis=0)
        healthy[(off_q > FITS * reach) | (off_v > FITS * speed)] = 0
        return X, healthy

    def _step_for(self, X: Floats, columns: Mapping[str, Floats], grid: Grid, healthy: NDArray[np.uint8]) -> _Code:
        """One correction a step where that is as good as two: a few members try it, over the whole run."""
        count = min(PILOTS, max(1, len(healthy) // (SHARE * LANES)) * LANES)
        trial, flags = X[:, :count].copy(), healthy[:count].copy()
        begun = int(flags.sum())
        numbers = {name: values[:count] for name, values in columns.items()}
        numbers["phi2"] = numbers["phi2"] * TIGHT**2
        self._march(self._once, trial, numbers, flags, 0, grid.steps, grid)
        return self._once if flags.sum() == begun else self._twice

    def _march(
        self,
        step: _Code,
        X: Floats,
        columns: Mapping[str, Floats],
        healthy: NDArray[np.uint8],
        first: int,
        last: int,
        grid: Grid,
    ) -> None:
        whole = last - (last == grid.steps and grid.last_step != grid.step)
        step(X, columns, healthy, 0, X.shape[1], whole - first)
        if whole < last:
            shorter = {**columns, "h": np.full(X.shape[1], grid.last_step)}
            step(X, shorter, healthy, 0, X.shape[1], 1)

    def _state(self, X: Floats) -> tuple[Floats, Floats]:
        shape = (self.bodies, self.dimension, X.shape[1])
        size = self.bodies * self.dimension
        return X[:size].reshape(shape), X[size : 2 * size].reshape(shape)


class _Code:
    """A step compiled, and the order of its inputs."""

    def __init__(self, straight: Straight, device: str) -> None:
        self.straight = straight
        parts = straight.graph, straight.state, straight.after, straight.numbers
        self._call: Any = (
            print_cuda.OnCard(print_cuda.printed(*parts))
            if device == "gpu"
            else print_llvm.Compiled(print_llvm.printed(*parts))
        )

    def __call__(
        self, X: Floats, columns: Mapping[str, Floats], healthy: NDArray[np.uint8], first: int, last: int, steps: int
    ) -> None:
        P = np.ascontiguousarray([columns[name] for name in self.straight.numbers])
        self._call(X, P, healthy, first, last, steps)


def _padded(value: Any, members: int, full: int) -> Floats:
    column = np.empty(full)
    column[:members] = value
    column[members:] = column[members - 1]
    return column


def _samples(grid: Grid) -> list[int]:
    found = list(range(grid.first_sample, grid.steps + 1, grid.stride))
    return found if found[-1] == grid.steps else [*found, grid.steps]


def same_structure(one: Assembly, other: Assembly) -> bool:
    """Whether the code of one is that of the other: the same rows over the same points, and zeros in the same places."""
    if [e.kind for e in one.equations] != [e.kind for e in other.equations] or other.bars or other.acts:
        return False
    a, b = one.system, other.system
    pairs = [(a.table.point, b.table.point), (a.table.ends, b.table.ends)]
    pairs += [(x != 0.0, y != 0.0) for x, y in ((a.gravity, b.gravity), (a.table.par, b.table.par))]
    pairs += [(one.q[one.bodies :] != 0.0, other.q[other.bodies :] != 0.0)]
    return all(x.shape == y.shape and bool((x == y).all()) for x, y in pairs)


__all__ = ["AT_START", "Batch", "Members", "numbers_of", "same_structure"]
