"""A row kernel of a plug-in, tried out when it is registered: its derivatives against differences, at random states."""

from __future__ import annotations

import dis
from collections.abc import Callable
from typing import Any

import numpy as np

from chainlist.elements.base import ElementType
from chainlist.equations.interpret import interpreted
from chainlist.equations.layout import empty_rows
from chainlist.kernels.bind import KernelError
from chainlist.kernels.bundles import Floats, RowTable

STATES = 5  # tried; a kernel need not be defined everywhere
PARAMETERS = 16  # numbers that a kernel may ask for
STEP = 1e-5
OFF = 1e-4  # relative difference that is no rounding


def rehearse(kind: ElementType) -> None:
    """Raise `ValueError`, or `KernelError`, with one line on what is wrong with the row of an element."""
    for kernel in (kind.row, kind.force, kind.energy):
        if kernel is not None:
            _check_code(kernel)
    if kind.row is None:
        return
    random = np.random.default_rng(0)
    found = [_state(kind, interpreted(kind.row, 2), random) for _ in range(STATES)]
    tried = [slopes for slopes in found if slopes is not None]
    if tried and kind.ends > 1:
        idle = np.all([np.abs(slopes.reshape(kind.ends, 2)).max(axis=1) == 0.0 for slopes in tried], axis=0)
        if idle.any():
            raise ValueError(f"{kind.name}: ends={kind.ends}, but its row depends on {int((~idle).sum())} points alone")


def _check_code(kernel: Callable[..., Any]) -> None:
    if any(step.opname == "IMPORT_NAME" for step in dis.get_instructions(kernel.__code__)):
        raise KernelError(kernel, f"{kernel.__name__} imports something: do that at the top of the file")


def _state(kind: ElementType, kernel: Callable[..., Any], random: np.random.Generator) -> Floats | None:
    """The derivatives of Φ at one random state, by differences; None where the kernel has no value there."""
    n, d = kind.ends, 2
    q, v = random.normal(size=(n, d)), random.normal(size=(n, d))
    par = random.uniform(0.5, 1.5, size=(1, PARAMETERS))
    whole = np.zeros(1, np.uint32)
    table = RowTable(
        np.arange(n, dtype=np.uint32)[None], par, np.ones(1), whole, np.array([0, 1]), whole + n, np.ones(1)
    )

    def at(shift: Floats) -> tuple[float, Floats, float]:
        rows = empty_rows(table, d)
        try:
            kernel(0, table, rows, 0.0, q + shift, v)
        except IndexError:
            raise ValueError(
                f"{kind.name}: ends={n}, but its row asks for more points, or sets more than them"
            ) from None
        return float(rows.phi[0]), rows.J[0].copy(), float(rows.b[0])

    with np.errstate(all="ignore"):
        _, J, b = at(np.zeros((n, d)))
        slopes = np.empty(n * d)
        for c in range(n * d):
            shift = np.zeros(n * d)
            shift[c] = STEP
            ahead, behind = (at(sign * shift.reshape(n, d))[0] for sign in (1.0, -1.0))
            slopes[c] = (ahead - behind) / (2 * STEP)
        bend = (at(STEP * v)[1] - at(-STEP * v)[1]) @ v.reshape(-1) / (2 * STEP)
    if not (np.isfinite(slopes).all() and np.isfinite(J).all() and np.isfinite(bend)):
        return None
    _compare(kind.name, J, slopes, b, float(bend), float(np.abs(slopes).max()))
    return slopes


def _compare(name: str, J: Floats, slopes: Floats, b: float, bend: float, scale: float) -> None:
    off = int(np.argmax(np.abs(J - slopes)))
    if abs(J[off] - slopes[off]) > OFF * max(scale, 1.0):
        end, axis = divmod(off, 2)
        where = f"coordinate {'xy'[axis]} of end {end + 1}"
        raise ValueError(f"{name}: J is {J[off]:.4g} where the derivative of Φ by {where} is {slopes[off]:.4g}")
    if abs(b + bend) > OFF * max(abs(bend), scale, 1.0):
        sign = ": its sign is wrong" if abs(b - bend) <= OFF * max(abs(bend), scale, 1.0) else ""
        raise ValueError(f"{name}: b is {b:.4g} where −(A v)_q v is {-bend:.4g}{sign}")
