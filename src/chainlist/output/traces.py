"""Traces by the suffix of their file: `.nc`, `.npz`, `.mat`, `.csv`, `.raw`; everything else is read as a text trace.

They always hold t, q and v. Other programs open them: xarray and netCDF tools, NumPy, spreadsheets, waveform viewers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from chainlist.model.mechanism import Mechanism
from chainlist.model.requests import unknown_suffix
from chainlist.output import csv_table, matfile, netcdf, npz, rawfile
from chainlist.output.files import replacing
from chainlist.output.header import HEADER
from chainlist.output.trace_reader import NO_SAMPLES, fail, read_text_trace
from chainlist.run.quantities import Motion
from chainlist.run.status import INCOMPLETE, Status
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.extras import want


@dataclass(frozen=True)
class TraceFormat:
    """One kind of file. `read` takes the mechanism that the caller knows; formats with a chainlist inside have their own."""

    write: Callable[[Motion, Path], None]
    read: Callable[[Path, Mechanism | None], Trajectory]
    needs: str = ""  # a package of the extra `data`


FORMATS: dict[str, TraceFormat] = {
    ".nc": TraceFormat(netcdf.write, netcdf.read, needs="xarray"),
    ".npz": TraceFormat(npz.write, npz.read),
    ".mat": TraceFormat(matfile.write, matfile.read),
    ".csv": TraceFormat(csv_table.write, csv_table.read),
    ".raw": TraceFormat(rawfile.write, rawfile.read),
}


def format_of(path: Path) -> TraceFormat:
    """The format that the suffix of a binary trace asks for; raises `ChainlistError` where there is none."""
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        help = f"suffixes are {', '.join(FORMATS)}"
        raise ChainlistError([Diagnostic("E403", unknown_suffix(path.name), label="unknown suffix", help=help)])
    return found


def promise_trace(path: Path) -> None:
    """Raise `ChainlistError` now where a trace could not be written after the run."""
    needs = format_of(path).needs
    if needs:
        want(needs, "data", f"traces in {path.suffix} (those in .npz and .csv do not)")


def write_trace(motion: Motion, path: str | Path) -> None:
    """Write a binary trace; under its name it is whole or not there. Raises `OSError` where the disk refuses."""
    path = Path(path)
    form = format_of(path)
    with replacing(path) as temporary:
        form.write(motion, temporary)


def read_trace(path: str | Path, mechanism: Mechanism | None = None) -> Trajectory:
    """A trajectory from a trace of any kind; a text trace is known by its first line, whatever the file is called.

    Tables and rawfiles hold names and numbers only: give their `mechanism` to see energies, forces or pictures.
    `.v` is None where velocities were not stored; `.status` says where a trace ends before its run was to end.
    """
    path = Path(path)
    with path.open("rb") as file:
        is_text = file.read(len(HEADER)) == HEADER.encode()
    form = None if is_text else FORMATS.get(path.suffix.lower())
    found = form.read(path, mechanism) if form else read_text_trace(path)
    if not len(found):
        fail(path, NO_SAMPLES)
    return replace(found, status=_status(found))


def _status(trajectory: Trajectory) -> Status:
    """A trace that ends too early was left by a run that broke down or was interrupted."""
    stop, last = trajectory.mechanism.transient.stop, float(trajectory.t[-1])
    if stop - last <= 0.5 * trajectory.mechanism.transient.step:
        return Status()
    return Status(INCOMPLETE, last, message=f"this trace ends at t = {last:.6g} s, its run was to end at {stop:.6g} s")
