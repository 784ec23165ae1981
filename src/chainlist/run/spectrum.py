"""The spectrum of an item: how much of it swings at which frequency."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chainlist.run.moments import Floats

FINER = 4  # times as many frequencies as the run resolves: then no peak falls between two of them
LARGEST = 1 << 22  # points that are transformed; beyond, frequencies are not refined
FAINT = 1e-3  # of the largest amplitude: what lies above the last frequency that reaches it is not drawn
LEAST = 32  # frequencies that are drawn anyway


def spectrum(t: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Frequencies (Hz) and amplitudes of values over even times; at 0 the mean.

    Hann's window keeps a frequency that does not fit the length of the run from spilling over all others.
    """
    count = len(t) - 1  # the last sample begins the next period
    if count < 2 or not np.isfinite(values).all():
        return np.zeros(1), np.full(1, np.nan)
    even = np.linspace(t[0], t[-1], count + 1)
    if not np.allclose(t, even, rtol=0.0, atol=1e-6 * (even[1] - even[0])):
        values = np.interp(even, t, values)
    mean = float(values[:count].mean())
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(count) / count)
    points = FINER * count if FINER * count <= LARGEST else count
    amplitudes = 2.0 * np.abs(np.fft.rfft(window * (values[:count] - mean), points)) / window.sum()
    amplitudes[0] = abs(mean)
    return np.fft.rfftfreq(points, (even[-1] - even[0]) / count), amplitudes


def drawn(spectra: Sequence[tuple[Floats, Floats]]) -> list[tuple[Floats, Floats]]:
    """Frequencies and amplitudes that are worth drawing: up to where all are faint, and without the mean, which would dwarf them."""
    last = LEAST
    for _, amplitudes in spectra:
        swings = amplitudes[1:]
        largest = float(np.nanmax(swings, initial=0.0))
        strong = np.flatnonzero(swings > FAINT * largest)
        last = max(last, int(1.2 * strong[-1]) + 2 if len(strong) else 0)
    return [(over[1:last], amplitudes[1:last]) for over, amplitudes in spectra]
