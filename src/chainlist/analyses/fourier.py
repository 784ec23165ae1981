"""`.four`: harmonics of an item over whole periods at the end of the run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist.analyses.base import Analysis, Chart, Series, Study, register
from chainlist.analyses.between import Between, value_of
from chainlist.analyses.measure import Measure
from chainlist.kernels.bundles import Floats
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.mechanism import Item
from chainlist.run.grid import RunRefused
from chainlist.run.observables import unit_of
from chainlist.run.trajectory import Trajectory

HARMONICS = 9  # as SPICE gives, unless so many are asked for
POINTS = 64  # in each period, and for each harmonic
LARGEST = 2_000_000  # points over all periods: earlier periods are left out beyond


@dataclass(frozen=True)
class Fourier:
    """x(t) = mean + Σ amplitude·cos(2π k f t + phase)."""

    item: str
    unit: str
    frequency: float  # Hz, of the fundamental
    periods: int  # that were looked at, the last ones of the run
    mean: float
    amplitudes: Floats  # of the harmonics 1, 2, …
    phases: Floats  # rad

    @property
    def distortion(self) -> float:
        """All harmonics above the first, relative to it."""
        return float(np.linalg.norm(self.amplitudes[1:]) / self.amplitudes[0]) if self.amplitudes[0] else math.inf

    def figures(self) -> list[tuple[str, str]]:
        unit = f" {self.unit}" if self.unit else ""
        lines = [
            (f"harmonics of {self.item}", f"{self.frequency:.9g} Hz, over {self.periods} periods"),
            ("  mean", f"{self.mean:.6g}{unit}"),
        ]
        for k, (amplitude, phase) in enumerate(zip(self.amplitudes, self.phases, strict=True), start=1):
            lines.append((f"  {k}", f"{amplitude:.6g}{unit}, {math.degrees(phase):.4g}°"))
        lines.append(("  distortion", f"{100 * self.distortion:.4g} %"))
        return lines

    def data(self) -> dict[str, Any]:
        return {
            "item": self.item,
            "unit": self.unit,
            "frequency": self.frequency,
            "periods": self.periods,
            "mean": self.mean,
            "amplitudes": self.amplitudes.tolist(),
            "phases": self.phases.tolist(),
            "distortion": self.distortion,
        }

    def pictures(self) -> list[Chart]:
        numbers = np.arange(1.0, len(self.amplitudes) + 1.0)
        up = f"amplitude [{self.unit}]" if self.unit else "amplitude"
        series = (Series("", numbers, self.amplitudes),)
        return [Chart("four", f"Harmonics of {self.item}", "harmonic", up, series, kind="stems", counts=True)]


@dataclass(frozen=True)
class NoHarmonics:
    """A motion without a period has none: that is an answer, as of a measure without a value."""

    item: str
    why: str

    def figures(self) -> list[tuple[str, str]]:
        return [(f"harmonics of {self.item}", f"there are none: {self.why}")]

    def data(self) -> dict[str, Any]:
        return {"item": self.item, "why": self.why}

    def pictures(self) -> list[Chart]:
        return []


def fourier(run: Trajectory, item: Item, frequency: float | None = None, harmonics: int = HARMONICS) -> Fourier:
    """Harmonics by the mean of x·exp(−iωt) over whole periods: exact for what is periodic, but for the motion's own error."""
    between = Between(run)
    if frequency is None:
        asked = Measure("", "PERIOD", item)
        period = asked.value(run, {}, between)
        if not math.isfinite(period):
            why = asked.why_none(run) or "the run has one sample"
            raise RunRefused(f"{why}. Give a frequency, FREQ=1Hz, or let it run longer")
        frequency = 1.0 / period
    span = float(run.t[-1] - run.t[0])
    periods = int(span * frequency * (1.0 + 1e-9))
    if periods < 1:
        raise RunRefused(f"the run is shorter than one period of {frequency:g} Hz")
    points = POINTS * harmonics
    periods = min(periods, max(1, LARGEST // points))
    first = float(run.t[-1]) - periods / frequency
    times = np.clip(first + np.arange(periods * points) / (frequency * points), run.t[0], run.t[-1])
    values = _over(between, item, times)
    spectrum = np.fft.rfft(values) / len(values)
    lines = spectrum[periods * np.arange(1, harmonics + 1)] * np.exp(
        -2j * np.pi * np.arange(1, harmonics + 1) * frequency * first
    )
    unit = unit_of(run.mechanism, item.formula)
    return Fourier(item.text, unit, frequency, periods, float(spectrum[0].real), 2.0 * np.abs(lines), np.angle(lines))


def _over(between: Between, item: Item, times: Floats) -> Floats:
    """The item at these times; angles go on from sample to sample before them."""
    everything = np.union1d(between.trajectory.t, times)
    found: Floats = value_of(between.at(everything), item.formula)[np.searchsorted(everything, times)]
    return found


@dataclass(frozen=True)
class _Asked:
    item: Item
    frequency: float | None
    harmonics: int


def _read(card: AnalysisCard) -> _Asked:
    item = card.item()
    frequency = card.named("FREQ", "frequency")
    if frequency is not None and frequency <= 0.0:
        card.fail("a frequency is positive", help="write FREQ=2Hz")
    return _Asked(item, frequency, card.named_whole("N") or HARMONICS)


def _run(asked: _Asked, study: Study) -> Fourier | NoHarmonics:
    motion = study.motion()
    try:
        return fourier(motion, asked.item, asked.frequency, asked.harmonics)
    except RunRefused as refusal:
        return NoHarmonics(asked.item.text, str(refusal))


register(
    Analysis(
        "four",
        ".four item [FREQ=f] [N=n]",
        "harmonics of an item over whole periods at the end of the run; without FREQ its own period is taken",
        _read,
        _run,
        once=False,
    )
)
