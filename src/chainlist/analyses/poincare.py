"""`.poincare`: a section of the motion, a dot each time a condition comes true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist.analyses.base import Analysis, Chart, Series, Study, register
from chainlist.analyses.between import Between, value_of
from chainlist.analyses.crossings import Passing
from chainlist.analyses.reading import read_passing
from chainlist.kernels.bundles import Floats
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.mechanism import Item
from chainlist.run.observables import unit_of
from chainlist.run.trajectory import Trajectory


@dataclass(frozen=True)
class Section:
    """The dots, in the order of time."""

    items: tuple[str, str]
    units: tuple[str, str]
    t: Floats
    x: Floats
    y: Floats

    def figures(self) -> list[tuple[str, str]]:
        return [("section", f"{len(self.t)} crossings, {self.items[1]} over {self.items[0]}")]

    def data(self) -> dict[str, Any]:
        return {
            "items": list(self.items),
            "units": list(self.units),
            "t": self.t.tolist(),
            "x": self.x.tolist(),
            "y": self.y.tolist(),
        }

    def pictures(self) -> list[Chart]:
        across, up = (f"{item} [{unit}]" if unit else item for item, unit in zip(self.items, self.units, strict=True))
        title = f"Section, {len(self.t)} crossings"
        return [Chart("poincare", title, across, up, (Series("", self.x, self.y),), kind="dots")]


def section(run: Trajectory, passing: Passing, x: Item, y: Item) -> Section:
    """Two items wherever a condition comes true."""
    between = Between(run)
    times = passing.times(between)
    everything = np.union1d(run.t, times)  # angles go on from sample to sample
    dense, at = between.at(everything), np.searchsorted(everything, times)
    values = [value_of(dense, item.formula)[at] for item in (x, y)]
    units = unit_of(run.mechanism, x.formula), unit_of(run.mechanism, y.formula)
    return Section((x.text, y.text), units, times, *values)


@dataclass(frozen=True)
class _Asked:
    passing: Passing
    x: Item
    y: Item


def _read(card: AnalysisCard) -> _Asked:
    passing = read_passing(card)
    direction = card.keyword("RISE", "FALL", "CROSS") or "RISE"
    found = Passing(passing.formula, passing.is_condition, direction)  # type: ignore[arg-type]  # one of the three
    return _Asked(found, card.item(), card.item())


def _run(asked: _Asked, study: Study) -> Section:
    return section(study.motion(), asked.passing, asked.x, asked.y)


register(
    Analysis(
        "poincare",
        ".poincare cond [RISE|FALL|CROSS] item item",
        "a section: the second item over the first, a dot each time an item rises through a value, or a condition comes true",
        _read,
        _run,
        once=False,
    )
)
