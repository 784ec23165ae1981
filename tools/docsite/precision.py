"""Work-precision plots: what `chainlist compare` draws, for the page on choosing a method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import chainlist
from chainlist.analyses.compare import Trial, combinations, tight_reference, work_precision
from chainlist.output.precision_plot import save_precision

DOUBLE_PENDULUM = """* Double pendulum, 5 s
B1 (0,-1) 1
B2 (1,-1) 1
C1 B1 (0,0)
C2 B2 B1
.tran 0 5 5E-3
"""

ROUNDS = 3
SOURCE = Path(__file__).read_text(encoding="utf-8")  # what the plots depend on beside the program

CHAIN = """* Chain of 12 links, 2 s
B1 (0.2,0) 1
...
B12 (2.4,0) 1
C1 B1 (0,0)
...
C12 B11 B12
.tran 0 2 4E-3
.options gravity=1
"""


def _draw(text: str, over: Mapping[str, Sequence[Any]], path: Path) -> None:
    mechanism = chainlist.parse(text)
    reference = tight_reference(mechanism)
    good, _ = combinations(mechanism, over)
    curves = {}
    for settings in good:
        rounds = [list(work_precision(mechanism, settings, reference)) for _ in range(ROUNDS)]
        name = " ".join(str(value) for value in settings.values())
        curves[name] = [_fastest(rows) for rows in zip(*rounds, strict=False)]  # a slow one ends early
    save_precision(curves, mechanism.title, path)


def _fastest(rows: tuple[Trial, ...]) -> Trial:
    """The same run several times: the machine may have been busy."""
    return min(rows, key=lambda row: row.seconds)


INTEGRATORS = ("EULER", "MIDPOINT", "HEUN", "SSPRK3", "RK4", "RATTLE", "RATTLE4", "DOPRI5", "DOP853")
SYSTEMS = ("PROJECTED", "INDEX1", "INDEX1_2", "INDEX1_2_DAMPED")
ALGORITHMS = ("AUTO", "GREVILLE", "CHOLESKY", "GENCHOLESKY", "SVD")

PICTURES: dict[str, Callable[[Path], None]] = {
    "precision-integrators": partial(_draw, DOUBLE_PENDULUM, {"integrator": INTEGRATORS}),
    "precision-systems": partial(_draw, DOUBLE_PENDULUM, {"integrator": ("RK4", "MIDPOINT"), "daesystem": SYSTEMS}),
    "precision-algorithms": partial(_draw, CHAIN, {"mpi_algo": ALGORITHMS}),
}
