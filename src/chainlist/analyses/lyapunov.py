"""`.lyap`: the largest Lyapunov exponents, how fast neighbouring motions part.

Neighbours of the motion are carried along, and made orthogonal and small again after a while (Benettin et al., Meccanica 15, 1980):
the logarithms of what their distances grew by, over the time, are the exponents. Each has a standard error from the scatter of the
means of parts of the run, which are long enough to know nothing of one another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chainlist.analyses.base import Analysis, Chart, Series, Study, register
from chainlist.analyses.flow import Flow
from chainlist.compile.read import changed
from chainlist.kernels.bundles import Floats
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.mechanism import Mechanism
from chainlist.run.entry import changes_of
from chainlist.run.grid import RunRefused

DISTANCE = 1e-7  # of the size of the machine: between neighbours
SETTLING = 0.1  # of the run: until neighbours have turned into the directions that grow
PARTS = 16  # whose means give the error
LEAST = 4 * PARTS  # renewals of the neighbours in a run


@dataclass(frozen=True)
class Lyapunov:
    """Exponents [1/s], the largest first, and their standard errors."""

    exponents: Floats
    errors: Floats
    t: Floats  # s, ends of the pieces after which neighbours were renewed
    growth: Floats  # (pieces, exponents) 1/s, of each piece

    def figures(self) -> list[tuple[str, str]]:
        lines = []
        for k, (value, error) in enumerate(zip(self.exponents, self.errors, strict=True), start=1):
            label = "Lyapunov exponent" if k == 1 else f"  number {k}"
            lines.append((label, f"{value:.4g} ± {error:.2g} 1/s"))
        return lines

    def data(self) -> dict[str, Any]:
        return {"exponents": self.exponents.tolist(), "errors": self.errors.tolist(), "until": float(self.t[-1])}

    def pictures(self) -> list[Chart]:
        count = np.arange(1.0, len(self.t) + 1.0)[:, None]
        running = np.cumsum(self.growth, axis=0) / count
        names = [f"{k}" for k in range(1, len(self.exponents) + 1)]
        series = tuple(Series(name, self.t, running[:, k]) for k, name in enumerate(names))
        return [Chart("lyap", "Lyapunov exponents up to a time", "time [s]", "exponent [1/s]", series)]


def lyapunov(source: Mechanism | str | Path, count: int = 1, **changes: Any) -> Lyapunov:
    """The `count` largest Lyapunov exponents of a motion, over the time of its `.tran`."""
    return _lyapunov(changed(source, changes_of(**changes)), count, lambda part, what: None, lambda: False)


def _lyapunov(mechanism: Mechanism, count: int, progress: Any, cancel: Any) -> Lyapunov:
    flow = Flow(mechanism)
    q, v = flow.start
    pace = _pace(flow)
    steps = max(1, min(int(pace / flow.step), int(mechanism.transient.stop / flow.step / LEAST)))
    pieces = int(mechanism.transient.stop / (steps * flow.step) + 1e-9)
    if pieces < LEAST:
        raise RunRefused(f".lyap needs {LEAST} steps at least, and .tran has {pieces}")
    neighbours = _Neighbours(flow, count, pace)
    directions = neighbours.first(q, v)
    growth = np.zeros((pieces, count))
    for piece in range(pieces):
        time = piece * steps * flow.step
        progress(piece / pieces, "following neighbours")
        if cancel():
            raise RunRefused(".lyap was interrupted")
        (q, v), directions, growth[piece] = neighbours.carried(q, v, directions, time, steps)
    growth /= steps * flow.step
    settled = growth[int(SETTLING * pieces) :]
    parts = np.array([part.mean(axis=0) for part in np.array_split(settled, PARTS)])
    t = steps * flow.step * np.arange(1.0, pieces + 1.0)
    return Lyapunov(settled.mean(axis=0), parts.std(axis=0, ddof=1) / math.sqrt(PARTS), t, growth)


def _pace(flow: Flow) -> float:
    """A time [s] in which the machine moves by a part of its size."""
    groups = flow.system.groups
    return 0.3 * float((groups.size / groups.speed).min())


class _Neighbours:
    """Directions are (directions, 2 × coordinates): positions, and velocities times a time that makes them lengths."""

    def __init__(self, flow: Flow, count: int, pace: float) -> None:
        self.flow, self.count, self.pace = flow, count, pace
        self.distance = DISTANCE * flow.system.size

    def first(self, q: Floats, v: Floats) -> Floats:
        """Any directions, the same in every run, along which states can differ."""
        draw = np.random.Generator(np.random.Philox(key=13))
        shape = (self.count, 2 * q[: self.flow.bodies].size)
        directions = draw.standard_normal(shape)
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        apart = np.array([self._apart(self._beside(q, v, one, 0.0, 0), (q, v)) for one in directions])
        if np.linalg.matrix_rank(apart, tol=1e-3 * self.distance) < self.count:
            raise RunRefused(f".lyap: this machine has fewer than {self.count} directions in which states can differ")
        return np.linalg.qr(apart.T)[0].T

    def carried(
        self, q: Floats, v: Floats, directions: Floats, time: float, steps: int
    ) -> tuple[tuple[Floats, Floats], Floats, Floats]:
        """The state some steps on, its neighbours made orthogonal and near again, and the logarithms of their growth."""
        ahead = self.flow.on(q, v, time, steps)
        begun = np.array([self._apart(self._beside(q, v, one, time, 0), (q, v)) for one in directions])
        ended = np.array([self._apart(self._beside(q, v, one, time, steps), ahead) for one in directions])
        # put onto the constraints, neighbours are a little nearer, and no longer quite orthogonal: that is no growth
        before = np.abs(np.diag(np.linalg.qr(begun.T)[1]))
        Q, R = np.linalg.qr(ended.T)
        return ahead, Q.T, np.log(np.abs(np.diag(R)) / before)

    def _beside(self, q: Floats, v: Floats, direction: Floats, time: float, steps: int) -> tuple[Floats, Floats]:
        n = self.flow.bodies
        dq, dv = self.distance * direction.reshape(2, n, -1)
        other_q, other_v = q.copy(), v.copy()
        other_q[:n] += dq
        other_v[:n] += dv / self.pace
        return self.flow.on(other_q, other_v, time, steps)

    def _apart(self, one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
        n = self.flow.bodies
        return np.concatenate([(one[0] - other[0])[:n].ravel(), self.pace * (one[1] - other[1])[:n].ravel()])


def _read(card: AnalysisCard) -> int:
    return card.whole("the number of exponents") if card.more else 1


def _run(count: int, study: Study) -> Lyapunov:
    return _lyapunov(study.mechanism, count, study.progress, study.cancel)


register(
    Analysis(
        "lyap",
        ".lyap [n]",
        "the largest Lyapunov exponents over the time of .tran, with the error of the estimate",
        _read,
        _run,
        repeats=True,
    )
)
