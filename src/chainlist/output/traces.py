"""Traces by the suffix of their file: `.nc`, `.npz`, `.csv`, `.raw`; everything else is read as a text trace.

They always hold t, q and v. Other programs open them: xarray and netCDF tools, NumPy, spreadsheets, waveform viewers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chainlist.model.mechanism import Mechanism
from chainlist.output import csv_table, netcdf, npz, rawfile
from chainlist.output.files import replacing
from chainlist.output.trace_reader import read_text_trace
from chainlist.run.quantities import Motion
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.source import Span


@dataclass(frozen=True)
class TraceFormat:
    """One kind of file. `read` takes the mechanism that the caller knows; formats with a chainlist inside have their own."""

    meaning: str
    write: Callable[[Motion, Path], None]
    read: Callable[[Path, Mechanism | None], Trajectory]


FORMATS: dict[str, TraceFormat] = {
    ".nc": TraceFormat("NetCDF, with names, units and the chainlist", netcdf.write, netcdf.read),
    ".npz": TraceFormat("arrays of NumPy, with the chainlist", npz.write, npz.read),
    ".csv": TraceFormat("a table for spreadsheets", csv_table.write, csv_table.read),
    ".raw": TraceFormat("a rawfile of ngspice, for waveform viewers", rawfile.write, rawfile.read),
}


def format_of(path: Path, span: Span | None = None) -> TraceFormat:
    """The format that the suffix of a binary trace asks for; raises `ChainlistError` where there is none."""
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(f"{suffix} ({form.meaning})" for suffix, form in FORMATS.items())
        what = f"`{path.suffix}`" if path.suffix else "nothing"
        message = f"the suffix of {path.name} says what a binary trace is, and {what} is none of them"
        raise ChainlistError([Diagnostic("E403", message, span, label="unknown suffix", help=f"suffixes are {known}")])
    return found


def write_trace(motion: Motion, path: str | Path) -> None:
    """Write a binary trace; under its name it is whole or not there. Raises `OSError` where the disk refuses."""
    path = Path(path)
    form = format_of(path)
    with replacing(path) as temporary:
        form.write(motion, temporary)


def read_trace(path: str | Path, mechanism: Mechanism | None = None) -> Trajectory:
    """A trajectory from a trace of any kind.

    Tables and rawfiles hold names and numbers only: give their `mechanism` to see energies, forces or pictures.
    `.v` is None where velocities were not stored.
    """
    path = Path(path)
    form = FORMATS.get(path.suffix.lower())
    return form.read(path, mechanism) if form else read_text_trace(path)
