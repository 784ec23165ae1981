"""What many runs show: a table, curves over a parameter, a heat map over two, histograms of a sample."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from chainlist.analyses.axes import MEMBER, plan_of
from chainlist.analyses.base import Chart, Heat, Series
from chainlist.analyses.ensemble import KEPT
from chainlist.analyses.members import BROKE_DOWN, CAREFUL, DOUBTFUL, NOT_COMPUTED, REFUSED, WENT_ON
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism
from chainlist.model.units import UNITS

BINS = 40  # of a histogram, at most
ROUGH = 50  # values, from which on a curve may be too rough for a line
MOST_CURVES = 8  # over a third axis: those between are left out of the picture


def kept_of_runs(mechanism: Mechanism) -> str:
    """Without measures, the last state is what there is to tell."""
    return "measures" if mechanism.is_measured else "end"


@dataclass(frozen=True)
class Sweep:
    """The dataset of an ensemble, and how it is shown."""

    dataset: Any
    logarithmic: tuple[str, ...] = ()  # axes in decades
    left_out: tuple[str, ...] = ()  # analyses of the text that are not done for each run
    unmeasured: str = ""  # where nothing is measured: the body of which a .meas could tell something

    @classmethod
    def of(cls, mechanism: Mechanism, dataset: Any) -> Sweep:
        """What the text of a mechanism asked for, with its table."""
        logarithmic = tuple(axis.name for axis in plan_of(mechanism).axes if axis.logarithmic)
        commands = (asked.command for asked in mechanism.analyses if asked.command not in ("step", "mc", "meas"))
        left_out = tuple(dict.fromkeys(f".{command}" for command in commands))
        return cls(dataset, logarithmic, left_out, "" if mechanism.is_measured else mechanism.bodies[0].name)

    @property
    def dims(self) -> tuple[str, ...]:
        return tuple(str(name) for name in self.dataset["status"].dims)

    @property
    def columns(self) -> list[str]:
        """Measures: numbers with one value for each run."""
        every, others = self.dims, ["status", CAREFUL]
        if self.unmeasured:
            others += KEPT  # the last state is in the dataset alone; what was drawn is told
        return [
            str(name) for name, values in self.dataset.data_vars.items() if name not in others and values.dims == every
        ]

    def figures(self) -> list[tuple[str, str]]:
        status = self.dataset["status"].values
        over = ", ".join(f"{name}: {_counted(self.dataset.sizes[name])}" for name in reversed(self.dims))
        over = over.replace(f"{MEMBER}:", "draws:")
        runs = int((status != NOT_COMPUTED).sum())
        lines = [("runs", f"{runs:,} ({over})"), ("  run", str(self.dataset.attrs["way"]))]
        if self.left_out:
            lines.append(("  left out", f"{', '.join(self.left_out)}: of each run only .meas is taken"))
        for what, code in (("broke down", BROKE_DOWN), ("refused", REFUSED), ("not computed", NOT_COMPUTED)):
            if (status == code).any():
                first = "" if code == NOT_COMPUTED else f", the first at {self.place_of((status == code).argmax())}"
                lines.append((f"  {what}", f"{int((status == code).sum()):,}{first}"))
        for what, code, why in (
            ("doubtful", DOUBTFUL, "energy is wrong by more than a thousandth, take a smaller step"),
            ("went on", WENT_ON, "no .stop came; their numbers are of the whole time"),
        ):
            if (status == code).any():
                where = f"{int((status == code).sum()):,}, the first at {self.place_of((status == code).argmax())}"
                lines.append((f"  {what}", f"{where}: {why}"))
        if self.dataset.attrs.get(CAREFUL):
            lines.append(("  run with care", f"{self.dataset.attrs[CAREFUL]:,}"))
        if self.unmeasured:
            card = f".meas top MAX Y({self.unmeasured})"
            lines.append(("  measured", f"nothing: add a .meas, which takes a number from each run, such as {card}"))
        return lines + [(f"  {name}", self._told(name, runs)) for name in self.columns]

    @property
    def first_unwell(self) -> int | None:
        """The number of the first run that broke down or was refused, if there is one."""
        unwell = np.isin(self.dataset["status"].values, (BROKE_DOWN, REFUSED))
        return int(unwell.argmax()) if unwell.any() else None

    def _told(self, name: str, runs: int) -> str:
        """A measure in words: its range, where its ends lie, and how many runs have it if not all do."""
        values = self._values(name)
        known = values[np.isfinite(values)]
        if not known.size:
            return "no run has it"
        words = f"{known.min():.6g} to {known.max():.6g} {self._unit(name)}".rstrip()
        if known.min() < known.max():
            words += (
                f", least at {self.place_of(np.nanargmin(values))}, largest at {self.place_of(np.nanargmax(values))}"
            )
        words += f", mean {known.mean():.6g}, sd {known.std():.3g}"
        return words if known.size == runs else f"{words}; {known.size:,} of {runs:,} runs have it"

    def place_of(self, number: Any) -> str:
        """Which run: `a=30deg`, or the number of a draw."""
        places = zip(self.dims, np.unravel_index(int(number), self.dataset["status"].shape), strict=True)
        return " ".join(self._at(name, int(place)) for name, place in reversed(list(places)))

    def _at(self, name: str, place: int) -> str:
        if name not in self.dataset.coords:
            return f"{name} {place}"
        return f"{name}={self._values(name)[place]:.6g}{self._unit(name).replace(' ', '')}"

    def _unit(self, name: str) -> str:
        """In which a column or an axis is shown: as the text has it, else that of SI; "" where nobody knows."""
        about = self.dataset[name].attrs
        return str(about.get("written_in") or about.get("units", ""))

    def _values(self, name: str) -> Floats:
        """Of a column or an axis, in the unit in which it is shown."""
        values = np.asarray(self.dataset[name].values, float)
        unit = UNITS.get(self.dataset[name].attrs.get("written_in", ""))
        return values if unit is None else values / (unit.factor * 10.0**unit.power)

    def _label(self, name: str) -> str:
        unit = self._unit(name)
        return f"{name} [{unit}]" if unit else name

    def data(self) -> dict[str, Any]:
        return {
            "dims": {name: self.dataset.sizes[name] for name in self.dims},
            "axes": {name: self.dataset[name].values.tolist() for name in self.dims if name in self.dataset.coords},
            "status": self.dataset["status"].values.tolist(),
            "columns": {name: self.dataset[name].values.tolist() for name in self.columns},
            "units": {name: self.dataset[name].attrs.get("units", "") for name in self.columns},
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
        values = self.dataset[name].copy(data=self._values(name))
        if not np.isfinite(values.values).any():
            return None
        file = "sweep-" + "".join(c if c.isalnum() else "-" for c in name).strip("-")
        machine = str(self.dataset.attrs.get("title", ""))
        title, label = f"{machine}: {name}" if machine else name, self._label(name)
        gaps = self._counted_gaps(values.values)
        if self.dims == (MEMBER,):
            return _histogram(file, title, label, values.values, gaps)
        if len(self.dims) == 2 and MEMBER not in self.dims:
            up, across = self.dims
            axes = self._label(across), self._label(up), self._values(across), self._values(up)
            log = across in self.logarithmic, up in self.logarithmic
            return Heat(file, label, *axes, values.values, machine, self._gaps(values.values), name, *log)
        if MEMBER in self.dims:
            title += f", mean of {values.sizes[MEMBER]:,} draws"
            values = values.mean(MEMBER)
        *outer, across = (str(dim) for dim in values.dims)
        curves = values.values.reshape(-1, values.shape[-1])
        shown = np.unique(np.linspace(0, len(curves) - 1, MOST_CURVES).astype(int))
        x = self._values(across)
        series = tuple(Series(self._curve(outer, values.shape[:-1], k), x, curves[k]) for k in shown)
        kind: Literal["dots", "line"] = "dots" if any(_is_rough(curves[k]) for k in shown) else "line"
        log_x = across in self.logarithmic
        return Chart(file, title, self._label(across), label, series, kind=kind, log_x=log_x, gaps=gaps)

    def _counted_gaps(self, values: Floats) -> str:
        missing = int(np.count_nonzero(~np.isfinite(values)))
        have = "has" if missing == 1 else "have"
        return f"{missing:,} of {values.size:,} runs {have} {self._gaps(values)}" if missing else ""

    def _gaps(self, values: Floats) -> str:
        """Why some runs have no value, in words."""
        status = self.dataset["status"].values[~np.isfinite(values)]
        told = {BROKE_DOWN: "the run broke down", REFUSED: "refused", NOT_COMPUTED: "not computed"}
        found = ["did not happen"] if (~np.isin(status, list(told))).any() else []
        return f"no value: {', or '.join([*found, *(words for code, words in told.items() if (status == code).any())])}"

    def _curve(self, outer: list[str], shape: tuple[int, ...], number: int) -> str:
        """The values of the other axes on one of several curves."""
        places = zip(outer, np.unravel_index(int(number), shape), strict=True)
        return " ".join(self._at(name, int(place)) for name, place in places)


def _counted(number: int) -> str:
    return "1 value" if number == 1 else f"{number:,} values"


def _is_rough(values: Floats) -> bool:
    """Many values that leap from one to the next, as chaos does: a line through them would be a block of colour."""
    slope, bend = np.abs(np.diff(values)), np.abs(np.diff(values, 2))
    return len(values) >= ROUGH and bool(np.nansum(bend) > 0.7 * np.nansum(slope) > 0.0)


def _histogram(file: str, title: str, label: str, values: Floats, gaps: str) -> Chart:
    """Whole numbers, such as yes and no, each have a bar of their own."""
    known = values[np.isfinite(values)]
    whole = bool((known == np.rint(known)).all()) and float(np.ptp(known)) < BINS
    bins: Any = int(np.clip(np.sqrt(len(known)), 5, BINS))
    if whole:
        bins = np.arange(known.min() - 0.5, known.max() + 1.0)
    counts, edges = np.histogram(known, bins)
    series = (Series("", edges, counts.astype(float)),)
    about = f"{title}, {len(known):,} runs"
    return Chart(file, about, label, "runs", series, kind="histogram", counts=whole, gaps=gaps)
