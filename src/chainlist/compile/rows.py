"""The constraints as AUTO sees them: every residual a length, every multiplier a force, straight bars replaced.

A row of a link is divided by twice its length, that of a slider by the length of its normal. A bar of r points is one
link between its ends and, for each inner point, a linear equation for each coordinate; a bar that two anchors hold is
a place for each of its bodies. Each row knows the constraints of the chainlist that stand behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.bars import Bar
from chainlist.constraints import REGISTRY
from chainlist.model.equations import Floats, Layout, lay_out
from chainlist.model.mechanism import End, Mechanism

FIXED = -1  # stands for a body at ends that are anchors, or that a row does not have


@dataclass(frozen=True, eq=False)
class State:
    """The rows at one state."""

    phi: Floats  # (rows,) [m]
    J: Floats  # (rows, ends, dimension): derivatives; what belongs to no moving body is 0
    b: Floats  # (rows,)


@dataclass(frozen=True, eq=False)
class Affine:
    """One coordinate of one equation Σ weight·q[body] = constant."""

    bodies: tuple[int, ...]
    weights: tuple[float, ...]
    coordinate: int
    constant: float


@dataclass(frozen=True, eq=False)
class ScaledRows:
    """Rows of kept constraints, then the links and the linear equations of bars."""

    layout: Layout
    kept: NDArray[np.int64]  # constraints of the layout that have a row, in order
    scale: Floats  # of the kept rows
    bar_links: tuple[tuple[int, int, float], ...]  # points and length
    affine: tuple[Affine, ...]
    names: tuple[tuple[str, ...], ...]  # of each row: the constraints of the chainlist behind it
    body: NDArray[np.int64]  # (rows, ends): moving body of each end, or FIXED
    size: Floats  # (rows,): what residuals are compared with [m]

    @property
    def count(self) -> int:
        return len(self.names)

    def at(self, q: Floats, v: Floats | None = None, only: Iterable[int] | None = None) -> State:
        """The rows at positions q and velocities v, of shape (bodies, dimension); rows not in `only` may stay 0."""
        kept = len(self.kept)
        wanted = None if only is None else [int(self.kept[k]) for k in only if k < kept]
        if wanted is None and len(self.kept) < len(self.layout.kernels):
            wanted = self.kept.tolist()
        found = self.layout.evaluate(q, v, wanted)
        ends = self.body.shape[1]
        state = State(np.zeros(self.count), np.zeros((self.count, ends, self.layout.dimension)), np.zeros(self.count))
        with np.errstate(all="ignore"):
            state.phi[:kept] = self.scale * found.phi[self.kept]
            state.b[:kept] = self.scale * found.b[self.kept]
            state.J[:kept, : found.J.shape[1]] = self.scale[:, None, None] * found.J[self.kept]
            self._add_bars(state, q, v)
        state.J[self.body == FIXED] = 0.0
        return state

    def _add_bars(self, state: State, q: Floats, v: Floats | None) -> None:
        anchors = np.array(self.layout.anchors, dtype=float).reshape(-1, self.layout.dimension)
        places = np.vstack([q, anchors])
        speeds = np.zeros_like(places)
        speeds[: self.layout.bodies] = 0.0 if v is None else v
        for k, (i, j, length) in enumerate(self.bar_links, start=len(self.kept)):
            d = places[i] - places[j]
            state.phi[k] = (d @ d - length * length) / (2 * length)
            state.J[k, 0], state.J[k, 1] = d / length, -d / length
            u = speeds[i] - speeds[j]
            state.b[k] = -(u @ u) / length
        for k, row in enumerate(self.affine, start=len(self.kept) + len(self.bar_links)):
            c = row.coordinate
            terms = zip(row.weights, row.bodies, strict=True)
            state.phi[k] = sum(weight * q[body, c] for weight, body in terms) - row.constant
            state.J[k, : len(row.weights), c] = row.weights


def scaled_rows(mechanism: Mechanism, bars: Iterable[Bar] = ()) -> ScaledRows:
    """The rows of a mechanism, with the links of `bars` replaced."""
    layout = lay_out(mechanism)
    bars = tuple(bars)
    replaced = {name for bar in bars for name in bar.links}
    kept = np.array([k for k, c in enumerate(mechanism.constraints) if c.name not in replaced], dtype=np.int64)
    maker = _BarRows(mechanism, layout)
    for bar in bars:
        maker.add(bar)
    names: list[tuple[str, ...]] = [(mechanism.constraints[k].name,) for k in kept.tolist()]
    names += [bar.links for bar, _ in maker.links] + [bar.links for bar, _ in maker.affine]
    ends = max(layout.point.shape[1], 3 if maker.affine else 2)
    body = np.full((len(names), ends), FIXED, dtype=np.int64)
    held = layout.point[kept].astype(np.int64)
    has_end = np.arange(held.shape[1]) < _ends(mechanism, kept)[:, None]
    body[: len(kept), : held.shape[1]] = np.where(has_end & (held < layout.bodies), held, FIXED)
    for row, (_, (i, j, _)) in enumerate(maker.links, start=len(kept)):
        body[row, :2] = [p if p < layout.bodies else FIXED for p in (i, j)]
    for row, (_, affine) in enumerate(maker.affine, start=len(kept) + len(maker.links)):
        body[row, : len(affine.bodies)] = affine.bodies
    links = tuple(link for _, link in maker.links)
    affines = tuple(affine for _, affine in maker.affine)
    scale = _scales(mechanism, layout, kept)
    size = _sizes(mechanism, layout, kept, body, links)
    return ScaledRows(layout, kept, scale, links, affines, tuple(names), body, size)


class _BarRows:
    """Collects the rows of bars, each with its bar."""

    def __init__(self, mechanism: Mechanism, layout: Layout):
        self.number: dict[End, int] = {body.name: i for i, body in enumerate(mechanism.bodies)}
        self.number.update({anchor: layout.bodies + k for k, anchor in enumerate(layout.anchors)})
        self.dimension = layout.dimension
        self.links: list[tuple[Bar, tuple[int, int, float]]] = []
        self.affine: list[tuple[Bar, Affine]] = []

    def add(self, bar: Bar) -> None:
        if bar.stands_still:
            for k, point in enumerate(bar.points):
                if isinstance(point, str):
                    for c, at in enumerate(bar.place(k)):
                        self.affine.append((bar, Affine((self.number[point],), (1.0,), c, at)))
            return
        first, last = bar.ends
        self.links.append((bar, (self.number[first], self.number[last], bar.length)))
        for k in range(1, len(bar.points) - 1):
            one, two = bar.weights(k)
            terms = [(bar.points[k], 1.0), (first, -one), (last, -two)]
            moving = [(point, weight) for point, weight in terms if isinstance(point, str)]
            held = [(point, weight) for point, weight in terms if not isinstance(point, str)]
            for c in range(self.dimension):
                constant = -sum(weight * point[c] for point, weight in held)
                bodies = tuple(self.number[point] for point, _ in moving)
                self.affine.append((bar, Affine(bodies, tuple(weight for _, weight in moving), c, constant)))


def _scales(mechanism: Mechanism, layout: Layout, kept: NDArray[np.int64]) -> Floats:
    """The constant factor of each kept row: that of its type, or the inverse length of the row at the start."""
    scale = [1.0] * len(kept)
    unknown = []
    for row, k in enumerate(kept.tolist()):
        constraint = mechanism.constraints[k]
        force_scale = REGISTRY[constraint.letter].force_scale
        if force_scale is None:
            unknown.append(row)
        else:
            scale[row] = force_scale(constraint.parameters)
    if unknown:
        start = layout.evaluate([body.start for body in mechanism.bodies], only=kept[unknown].tolist())
        for row in unknown:
            moving = layout.point[kept[row]] < layout.bodies
            length = float(np.linalg.norm(start.J[kept[row]][moving]))
            scale[row] = 1.0 / length if length > 0 else 1.0
    return np.array(scale)


def _ends(mechanism: Mechanism, kept: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many ends the constraint of each kept row has."""
    return np.array([len(mechanism.constraints[k].ends) for k in kept.tolist()], dtype=np.int64)


def _sizes(
    mechanism: Mechanism,
    layout: Layout,
    kept: NDArray[np.int64],
    body: NDArray[np.int64],
    links: tuple[tuple[int, int, float], ...],
) -> Floats:
    """The length of each row, or else the longest of the mechanism, and the coordinates of what it holds."""
    lengths = np.full(len(body), np.nan)
    known_lengths = []
    for k in kept.tolist():
        constraint = mechanism.constraints[k]
        length = REGISTRY[constraint.letter].length
        known_lengths.append(np.nan if length is None else length(constraint.parameters))
    lengths[: len(kept)] = known_lengths
    lengths[len(kept) : len(kept) + len(links)] = [length for _, _, length in links]
    known = lengths[np.isfinite(lengths)]
    start = np.array([b.start for b in mechanism.bodies], dtype=float).reshape(-1, layout.dimension)
    reach = np.abs(start).sum(axis=1)
    longest = known.max() if len(known) else reach.max(initial=0.0)
    lengths[~np.isfinite(lengths)] = longest if longest > 0 else 1.0
    for end in range(body.shape[1]):
        moving = body[:, end] != FIXED
        lengths[moving] += reach[body[moving, end]]
    if layout.anchors:
        far = np.concatenate([np.zeros(layout.bodies), np.abs(np.array(layout.anchors, dtype=float)).sum(axis=1)])
        has_end = np.arange(layout.point.shape[1]) < _ends(mechanism, kept)[:, None]
        for end in range(layout.point.shape[1]):
            lengths[: len(kept)] += np.where(has_end[:, end], far[layout.point[kept, end]], 0.0)
    return lengths
