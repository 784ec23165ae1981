"""`.raw`: a binary rawfile as ngspice writes it, so that waveform viewers open a motion."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from chainlist.model.mechanism import Mechanism
from chainlist.output.trace_reader import fail, named_columns
from chainlist.run.labelled import column_names, column_values
from chainlist.run.quantities import Motion
from chainlist.run.trajectory import Trajectory

_BINARY = b"Binary:\n"
_POINTS = re.compile(rb"^No\. Points:\s*(\d+)", re.MULTILINE)
_VARIABLE = re.compile(r"\t\d+\t(?P<name>\S+)\t\S+")


def write(motion: Motion, path: Path) -> None:
    names = column_names(motion)
    lines = [
        f"Title: {' '.join(motion.mechanism.title.split()) or 'chainlist'}",
        "Plotname: Transient Analysis",
        "Flags: real",
        f"No. Variables: {len(names) + 1}",
        f"No. Points: {len(motion.t)}",
        "Command: chainlist ngspice",  # readers look for the name of the dialect
        "Variables:",
        "\t0\ttime\ttime",
        *(f"\t{i}\t{name}\tnotype" for i, name in enumerate(names, 1)),
    ]
    with open(path, "wb") as out:
        out.write(("\n".join(lines) + "\n").encode("utf-8") + _BINARY)
        np.column_stack([motion.t, column_values(motion)]).astype("<f8").tofile(out)


def read(path: Path, mechanism: Mechanism | None) -> Trajectory:
    data = path.read_bytes()
    header, found, binary = data.partition(_BINARY)
    names = [match["name"] for match in _VARIABLE.finditer(header.decode("utf-8", errors="replace"))]
    if not found or not names or names[0].lower() != "time":
        fail(path, "this is not a rawfile with a motion in it")
    rows = len(binary) // (8 * len(names))
    points = _POINTS.search(header)
    if points and rows < int(points[1]):
        fail(path, f"this rawfile is damaged: it holds {rows:,} of its {int(points[1]):,} points")
    values = np.frombuffer(binary, "<f8", rows * len(names)).astype(np.float64).reshape(rows, len(names))
    return named_columns(path, ["Time", *names[1:]], values, mechanism)
