"""How high panels are for their width: paths as high as they reach, a figure as high as a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.model.units import UNITS
from chainlist.run.dimension import unit_asked
from chainlist.run.observables import Observable

PAGE = 9.2  # inches: what A4 leaves to a figure with a caption
_LEAST = 2.6  # inches to which a row shrinks where a figure would be higher than a page
_OUT_OF_SIGHT = 1e30  # of a run that broke down
_FLATTEST, _TALLEST = 0.3, 1.25
_THINNEST = 0.15  # of the length of a shape: how broad it is at least where both its axes have one scale


def shares_scale(observables: Sequence[Observable]) -> bool:
    """Whether lengths are drawn over lengths, as a path is: then both axes have one scale, and a circle is round.

    But a shape as thin as a needle would show nothing of its own: it keeps a scale for each axis.
    """
    pairs = [observable.versus for observable in observables]
    units = {o.unit or unit_asked(o.text) for pair in pairs if pair is not None for o in pair}
    unit = UNITS.get(units.pop()) if len(units) == 1 else None
    if None in pairs or unit is None or unit.dimension != "length":
        return False
    across, up = _spans(observables)
    return min(across, up) > _THINNEST * max(across, up)


def height_of_paths(observables: Sequence[Observable]) -> float:
    """Height over width that suits paths of the plane, whose axes have one scale."""
    curves = [curve for observable in observables for curve in observable.curves if curve.over is not None]
    if any(curve.away is not None for curve in curves):
        return 0.75  # as the camera sees them
    across, up = _spans(observables)
    return float(np.clip(up / across, _FLATTEST, _TALLEST)) if across > 0.0 else _TALLEST


def _spans(observables: Iterable[Observable]) -> tuple[float, float]:
    """How far curves reach across and up."""
    curves = [curve for observable in observables for curve in observable.curves if curve.over is not None]
    across, up = (_reach([getattr(curve, name) for curve in curves]) for name in ("over", "values"))
    return across, up


def _reach(coordinates: list[Floats]) -> float:
    every = np.concatenate([np.ravel(x) for x in coordinates])
    known = every[np.abs(every) < _OUT_OF_SIGHT]
    return float(np.ptp(known)) if len(known) else 0.0


def fit_page(heights: list[float], above: float = 0.0) -> list[float]:
    """The heights of rows, the high ones reduced where all together, and what stands above, are higher than a page."""
    spare = [max(0.0, height - _LEAST) for height in heights]
    over = above + sum(heights) - PAGE
    if over <= 0.0 or not any(spare):
        return heights
    part = min(1.0, over / sum(spare))
    return [height - part * more for height, more in zip(heights, spare, strict=True)]
