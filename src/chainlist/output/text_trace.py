"""Text traces: `0.001 B1(0.2,-5E-7) B2(0.4,-5E-7) …`, written while a run goes on.

Rows leave the program whole, chunk by chunk: a run that is killed leaves a trace that reads back to its last full row.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.system import Assembly
from chainlist.model.mechanism import Item, Mechanism, Print, Quantity
from chainlist.output.header import header_text
from chainlist.output.number_format import number_format
from chainlist.run.angles import Turning
from chainlist.run.observables import Curve, Observable, observe_moments
from chainlist.run.quantities import Moments, Motion

Floats = NDArray[np.float64]


class TextTrace:
    """Writes one `.print` to a stream: the header at once, then the rows of each chunk of samples."""

    def __init__(self, stream: TextIO, mechanism: Mechanism, request: Print, *, owned: bool = False):
        self.columns = request.columns
        self.rows = 0
        self._stream = stream
        self.owned = owned  # a file of its own, not standard output
        self._numbers = number_format(request.format)
        self._times = _TimeTexts(mechanism)
        self._turning = [Turning() for _ in self.columns]
        self._template = ""
        self._assembly: Assembly | None = None
        stream.write(header_text(mechanism, self.columns))
        stream.flush()

    @classmethod
    def create(cls, path: Path, mechanism: Mechanism, request: Print) -> TextTrace:
        """A trace in a file, which carries its final name from the first row on."""
        stream = open(path, "w", encoding="utf-8", newline="\n")
        try:
            return cls(stream, mechanism, request, owned=True)
        except BaseException:
            stream.close()
            raise

    def write(self, samples: Motion) -> None:
        """Append a row for each sample."""
        if len(samples.t) == 0:
            return
        moments = Moments(samples, assembly=self._assembly)
        found = []
        for item, turning in zip(self.columns, self._turning, strict=True):
            moments.turning = turning
            found.append(observe_moments(moments, item))
        if "assembly" in vars(moments):  # forces were asked for: the next chunk needs the same equations
            self._assembly = moments.assembly
        self._template = self._template or row_template(self.columns, found)
        texts = self._texts(samples.t, found)
        self._stream.write(self._template * len(samples.t) % tuple(texts))
        self._stream.flush()
        self.rows += len(samples.t)

    def _texts(self, t: Floats, found: list[Observable]) -> list[str]:
        """The numbers of all rows as texts, row after row."""
        count = len(t)
        blocks = [np.column_stack([curve.values for curve in observable.curves]) for observable in found]
        numbers = np.concatenate(blocks, axis=1)
        width = numbers.shape[1]
        texts = self._numbers.texts(numbers.ravel())
        at = 0
        for item, block in zip(self.columns, blocks, strict=True):
            if _is_time(item):
                texts[at::width] = self._times.texts(t)
            at += block.shape[1]
        assert len(texts) == count * width
        return texts

    def close(self) -> None:
        self._stream.flush()
        if self.owned:
            self._stream.close()

    def __enter__(self) -> TextTrace:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def row_template(columns: tuple[Item, ...], found: list[Observable]) -> str:
    """One row with a `%s` for each number: scalars bare, vectors behind the name of their body."""
    vectors = Counter(curve.entity for observable in found for curve in observable.curves if curve.is_vector)
    words = []
    for observable in found:
        for curve in observable.curves:
            if curve.is_vector:
                places = ",".join(["%s"] * curve.values.shape[1])
                words.append(f"{_label(curve, vectors[curve.entity] > 1).replace('%', '%%')}({places})")
            else:
                words.append("%s")
    return " ".join(words) + "\n"


def _label(curve: Curve, among_several: bool) -> str:
    """`B1`; where one body has several vectors in a row, `V(B1)` for all but its position."""
    if curve.text == f"Q({curve.entity})":
        return curve.entity
    plain = curve.text in (f"V({curve.entity})", f"A({curve.entity})")
    return curve.entity if plain and not among_several else curve.text


def _is_time(item: Item) -> bool:
    return item.formula == Quantity("Time")


class _TimeTexts:
    """Times as k·step in their shortest decimal form: 0.3, not 0.30000000000000004."""

    def __init__(self, mechanism: Mechanism):
        times, save = mechanism.transient, mechanism.options.save
        self._grids = [(0.0, times.step)] + ([(times.start, save)] if save else [])
        self._format = number_format()

    def texts(self, t: Floats) -> list[str]:
        exact = t.copy()
        left = np.ones(len(t), dtype=bool)
        for start, step in self._grids:
            count = np.rint((t - start) / step)
            near = left & np.isfinite(count) & (np.abs(start + count * step - t) <= 4 * np.spacing(np.abs(t)))
            exact[near] = _grid_points(start, step, count[near])
            left &= ~near
        return self._format.texts(exact)


def _grid_points(start: float, step: float, count: Floats) -> Floats:
    """start + k·step in decimal, rounded once: the quotient of two whole numbers is."""
    first, last = (number.as_integer_ratio() for number in (_decimal(start), _decimal(step)))
    scale = first[1] * last[1]
    a, b = first[0] * last[1], last[0] * first[1]
    return np.array([(a + int(k) * b) / scale for k in count.tolist()])


def _decimal(number: float) -> Decimal:
    return Decimal(repr(number))
