"""`.csv`: one line of names, `Time,X(B1),Y(B1),…,VX(B1),…`, then one line for each sample; numbers read back exactly."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from chainlist.model.mechanism import Mechanism
from chainlist.output.number_format import number_format
from chainlist.output.trace_reader import fail, named_columns
from chainlist.run.labelled import column_names, column_values
from chainlist.run.quantities import Motion
from chainlist.run.trajectory import Trajectory

_ROWS = 4096  # written at once


def write(motion: Motion, path: Path) -> None:
    names = ["Time", *column_names(motion)]
    values = np.column_stack([motion.t, column_values(motion)])
    line = ",".join(["%s"] * len(names)) + "\n"
    texts = number_format().texts
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write(",".join(names) + "\n")
        for at in range(0, len(values), _ROWS):
            rows = values[at : at + _ROWS]
            out.write(line * len(rows) % tuple(texts(rows.ravel())))


def read(path: Path, mechanism: Mechanism | None) -> Trajectory:
    try:
        with open(path, encoding="utf-8") as lines, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a file without rows
            names = lines.readline().strip().split(",")
            if names[0] != "Time":
                fail(path, "this is not a trace of chainlist: its first column is not called Time")
            values = np.loadtxt(lines, delimiter=",", ndmin=2)
    except ValueError as error:
        fail(path, f"this is not a trace of chainlist ({error})")
    if values.size and values.shape[1] != len(names):
        fail(path, f"its rows hold {values.shape[1]} numbers, its first line {len(names)} names")
    return named_columns(path, names, values.reshape(-1, len(names)), mechanism)
