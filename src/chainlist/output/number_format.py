"""How numbers are written in a trace: `FORMAT="0.###E0"`, `FORMAT="%.9g"`, or the shortest text that reads back.

Whole columns are turned into text at once: the digits come from C (`repr`, `%`), and what our patterns write otherwise
(`5E-7` for `5e-07`, `0` for `-0`) is replaced in one joined text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError

Floats = NDArray[np.float64]

_DIGITS = re.compile(r"0(?:\.(?P<always>0*)(?P<wanted>#*))?(?P<exponent>E0)?")
_C = re.compile(r"%\.(?P<digits>[0-9]{1,2})(?P<letter>[gfe])")
_ACCEPTED = '"0.###E0" (digits, `#` dropped when zero, `0` kept), "0.###" (never an exponent), "%.9g", "%.6f" or "%.3e"'


@dataclass(frozen=True)
class NumberFormat:
    """One way of writing numbers. `pattern` is what the user wrote, None for the shortest text that reads back."""

    pattern: str | None
    _write: Callable[[Floats], list[str]]

    def texts(self, values: Floats) -> list[str]:
        """The text of each number of a flat array."""
        if len(values) == 0:
            return []
        return self._write(np.asarray(values, dtype=np.float64) + 0.0)  # -0.0 + 0.0 is 0.0

    def text(self, value: float) -> str:
        return self.texts(np.array([value]))[0]


def number_format(pattern: str | None = None) -> NumberFormat:
    """The format that a pattern stands for; raises `ChainlistError` for a pattern that is none of ours."""
    if pattern is None:
        return NumberFormat(None, _shortest)
    c = _C.fullmatch(pattern)
    if c:
        return NumberFormat(pattern, _c_writer(int(c["digits"]), c["letter"]))
    ours = _DIGITS.fullmatch(pattern)
    if ours is None:
        message = f"`{pattern}` is not a format of numbers"
        raise ChainlistError([Diagnostic("E279", message, help=f"write {_ACCEPTED}")])
    always, wanted = len(ours["always"] or ""), len(ours["wanted"] or "")
    return NumberFormat(pattern, _digits_writer(1 + always, 1 + always + wanted, bool(ours["exponent"])))


def _shortest(values: Floats) -> list[str]:
    """`repr`, without the `.0` of whole numbers."""
    text = "\n".join(map(repr, values.tolist())) + "\n"
    return _short_exponents(text.replace(".0\n", "\n")).split("\n")[:-1]


def _c_writer(digits: int, letter: str) -> Callable[[Floats], list[str]]:
    form = f"%.{digits}{letter}"

    def write(values: Floats) -> list[str]:
        texts = _special(_printf(form, values)).split("\n")[:-1]
        if letter == "f":  # small negative numbers come out as -0.000
            for at in np.flatnonzero((values < 0) & (values > -(10.0**-digits))):
                if float(texts[at]) == 0:
                    texts[at] = texts[at][1:]
        return texts

    return write


def _digits_writer(least: int, most: int, with_exponent: bool) -> Callable[[Floats], list[str]]:
    """Writer of at most `most` significant digits, of which `least` are always written.

    C's %g switches to an exponent exactly where the pattern asks for it; %#g keeps trailing zeros.
    """
    form = f"%.{most}g"
    padded = f"%#.{least}g"

    def write(values: Floats) -> list[str]:
        texts = _printf(form, values).split("\n")[:-1]
        if least > 1:
            for at, text in enumerate(texts):
                if _count_digits(text) < least and np.isfinite(values[at]):
                    texts[at] = (padded % values[at]).replace(".e", "e").rstrip(".")
        if not with_exponent:
            for at, text in enumerate(texts):
                if "e" in text:
                    texts[at] = format(Decimal(text), "f")
        return _short_exponents("\n".join(texts) + "\n").split("\n")[:-1]

    return write


def _count_digits(text: str) -> int:
    """Significant digits that are written: `0.050` has two, and so has `5.0e-07`."""
    mantissa = text.partition("e")[0].lstrip("-").replace(".", "")
    return len(mantissa.lstrip("0")) or len(mantissa)


def _printf(form: str, values: Floats) -> str:
    numbers = tuple(values.tolist())
    return (form + "\n") * len(numbers) % numbers


def _short_exponents(text: str) -> str:
    """`5e-07` → `5E-7`, `1e+16` → `1E16`; nan and inf in our spelling."""
    if "e" in text:
        text = text.replace("e+0", "E").replace("e-0", "E-").replace("e+", "E").replace("e-", "E-")
    return _special(text)


def _special(text: str) -> str:
    return text.replace("nan", "NaN").replace("inf", "Inf") if "n" in text else text
