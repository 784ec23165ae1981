"""What many runs show: a table, curves over a parameter, a heat map over two, histograms of a sample."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist.analyses.axes import MEMBER
from chainlist.analyses.base import Chart, Heat, Series
from chainlist.analyses.members import BROKE_DOWN, CAREFUL, NOT_COMPUTED, REFUSED
from chainlist.equations.layout import Floats

BINS = 40  # of a histogram, at most
MOST_CURVES = 8  # over a third axis: those between are left out of the picture


@dataclass(frozen=True)
class Sweep:
    """The dataset of an ensemble, and how it is shown."""

    dataset: Any
    logarithmic: tuple[str, ...] = ()  # axes in decades

    @property
    def dims(self) -> tuple[str, ...]:
        return tuple(str(name) for name in self.dataset["status"].dims)

    @property
    def columns(self) -> list[str]:
        """Measures: numbers with one value for each run."""
        every = self.dims
        return [
            str(name)
            for name, values in self.dataset.data_vars.items()
            if name not in ("status", CAREFUL) and values.dims == every
        ]

    def figures(self) -> list[tuple[str, str]]:
        status = self.dataset["status"].values
        over = " × ".join(f"{self.dataset.sizes[name]} {name}" for name in self.dims)
        lines = [("runs", f"{int((status != NOT_COMPUTED).sum()):,} ({over})")]
        for what, code in (("broke down", BROKE_DOWN), ("refused", REFUSED), ("not computed", NOT_COMPUTED)):
            if (status == code).any():
                lines.append((f"  {what}", f"{int((status == code).sum()):,}"))
        if self.dataset.attrs.get(CAREFUL):
            lines.append(("  run with care", f"{self.dataset.attrs[CAREFUL]:,}"))
        for name in self.columns:
            values = self.dataset[name].values
            known = values[np.isfinite(values)]
            if known.size:
                words = f"{known.min():.6g} to {known.max():.6g}, mean {known.mean():.6g}, sd {known.std():.3g}"
                lines.append((f"  {name}", words))
        return lines

    def data(self) -> dict[str, Any]:
        return {
            "dims": {name: self.dataset.sizes[name] for name in self.dims},
            "axes": {name: self.dataset[name].values.tolist() for name in self.dims if name in self.dataset.coords},
            "status": self.dataset["status"].values.tolist(),
            "columns": {name: self.dataset[name].values.tolist() for name in self.columns},
        }

    def table(self) -> str:
        """All runs as CSV, a line each."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [name for name in self.dims if name in self.dataset.coords]
        writer.writerow([*self.dims, "status", *self.columns])
        grids = [
            np.asarray(self.dataset[name].values) if name in names else np.arange(self.dataset.sizes[name])
            for name in self.dims
        ]
        columns = [self.dataset[name].values for name in ("status", *self.columns)]
        for place in np.ndindex(columns[0].shape):
            writer.writerow(
                [*(grid[k].item() for grid, k in zip(grids, place, strict=True)), *(c[place].item() for c in columns)]
            )
        return out.getvalue()

    def pictures(self) -> list[Chart | Heat]:
        return [picture for name in self.columns if (picture := self._picture(name)) is not None]

    def _picture(self, name: str) -> Chart | Heat | None:
        values = self.dataset[name]
        if not np.isfinite(values.values).any():
            return None
        file = "sweep-" + "".join(c if c.isalnum() else "-" for c in name).strip("-")
        if self.dims == (MEMBER,):
            return _histogram(file, name, values.values)
        if len(self.dims) == 2 and MEMBER not in self.dims:
            up, across = self.dims
            return Heat(file, name, across, up, self.dataset[across].values, self.dataset[up].values, values.values)
        if MEMBER in self.dims:  # the mean over the sample
            values = values.mean(MEMBER)
        *outer, across = values.dims
        curves = values.stack(other=outer).transpose("other", across).values if outer else values.values[None]
        shown = np.unique(np.linspace(0, len(curves) - 1, MOST_CURVES).astype(int))
        x = np.asarray(self.dataset[across].values, float)
        series = tuple(Series("" if len(shown) == 1 else f"{k + 1}", x, curves[k]) for k in shown)
        return Chart(file, name, str(across), name, series, log_x=across in self.logarithmic)


def _histogram(file: str, name: str, values: Floats) -> Chart:
    known = values[np.isfinite(values)]
    bins = int(np.clip(np.sqrt(len(known)), 5, BINS))
    counts, edges = np.histogram(known, bins)
    series = (Series("", edges, counts.astype(float)),)
    return Chart(file, f"{name}, {len(known):,} runs", name, "runs", series, kind="histogram")
