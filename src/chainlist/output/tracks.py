"""Points that move as told, radii and forces: their values over the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from chainlist.formula import Formula
from chainlist.formula.analysis import over_time, uses
from chainlist.model.mechanism import Mechanism

Floats = NDArray[np.float64]
TrackKind = Literal["place", "line", "radius", "force"]


@dataclass(frozen=True)
class Track:
    """A formula for each coordinate: of an anchor or a point that only tells a line, a radius and 0, or a force."""

    kind: TrackKind
    formulas: tuple[Formula, ...]


def track_values(mechanism: Mechanism, tracks: Sequence[Track], t: Floats, motion: Any = None) -> Floats:
    """(times, tracks, dim): the tracks at times. Forces that depend on more than time need the motion; else they are nan."""
    values = np.full((len(t), len(tracks), mechanism.dimension), np.nan)
    span = np.linspace(mechanism.transient.start, mechanism.transient.stop, 1000)
    for k, track in enumerate(tracks):
        with np.errstate(all="ignore"):
            if all(uses(formula) <= {"time"} for formula in track.formulas):
                told = np.stack([over_time(formula, t) for formula in track.formulas], axis=-1)
                if track.kind == "force":
                    at_all = np.stack([over_time(formula, span) for formula in track.formulas], axis=-1)
                    told = told / _largest(np.concatenate([told, at_all]))
                values[:, k] = told
            elif motion is not None:
                values[:, k] = _forces(motion, track, t)
    return values


MOST_SAMPLES = 1_500  # at which a force that depends on the motion is computed


def _forces(motion: Any, track: Track, t: Floats) -> Floats:
    from chainlist.run.observables import observe
    from chainlist.run.samples import Samples
    from chainlist.syntax.errors import ChainlistError

    some = np.unique(np.linspace(0, len(motion.t) - 1, min(len(motion.t), MOST_SAMPLES)).astype(int))
    v = np.full_like(motion.q[some], np.nan) if motion.v is None else motion.v[some]
    kept = Samples(motion.mechanism, motion.t[some], motion.q[some], v, chapters=getattr(motion, "chapters", ()))
    try:
        found = [np.broadcast_to(observe(kept, f).curves[0].values, (len(some),)) for f in track.formulas]
    except ChainlistError:  # a quantity that these samples do not hold: the picture does without
        return np.full((len(t), len(track.formulas)), np.nan)
    vectors = np.stack(found, axis=-1)
    vectors = vectors / _largest(vectors)
    return np.stack([np.interp(t, kept.t, vectors[:, c]) for c in range(vectors.shape[1])], axis=-1)


def _largest(vectors: Floats) -> float:
    lengths = np.linalg.norm(vectors, axis=1)
    finite = lengths[np.isfinite(lengths)]
    return float(finite.max(initial=0.0)) or 1.0
