"""`.mat`: for MATLAB and GNU Octave. t, q and v as arrays, names as cells, and the chainlist; q(k, body, axis)."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np

from chainlist.model.mechanism import Mechanism
from chainlist.output.trace_reader import fail, mechanism_of
from chainlist.run.eventlog import event_arrays, events_from
from chainlist.run.provenance import provenance
from chainlist.run.quantities import Motion
from chainlist.run.trajectory import Trajectory


def write(motion: Motion, path: Path) -> None:
    from scipy.io import savemat

    bodies = motion.mechanism.bodies
    arrays: dict[str, Any] = {
        "t": motion.t[:, None],
        "q": motion.q,
        "bodies": _cells([body.name for body in bodies]),
        "mass": np.array([body.mass for body in bodies]),
        "title": motion.mechanism.title,
        "chainlist": motion.mechanism.text,
        "provenance": provenance(motion.mechanism, "Time Bodies(POS) Bodies(VEL)"),
    }
    if motion.v is not None:
        arrays["v"] = motion.v
    if motion.memory is not None:
        arrays["memory"] = motion.memory
    for name, values in event_arrays(motion).items():
        arrays[name] = _cells(values.tolist()) if np.issubdtype(values.dtype, np.str_) else values
    savemat(str(path), arrays, appendmat=False, do_compression=True)


def _cells(names: list[str]) -> Any:
    """Texts of any length: a cell each."""
    found = np.empty(len(names), dtype=object)
    found[:] = names
    return found


def read(path: Path, mechanism: Mechanism | None) -> Trajectory:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        stored = loadmat(str(path), appendmat=False)
        t, text = stored["t"].ravel(), str(stored["provenance"][0])
        q = np.ascontiguousarray(stored["q"])  # MATLAB has the order of Fortran
        v = np.ascontiguousarray(stored["v"]) if "v" in stored else None
        events = events_from({name: _plain(values) for name, values in stored.items() if not name.startswith("__")})
    except KeyError as error:
        fail(path, f"this is not a trace of chainlist: it lacks the array {error}")
    except (OSError, MatReadError, ValueError, TypeError, NotImplementedError, IndexError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        fail(path, "this is not a file of MATLAB, or it is damaged")
    known = mechanism or mechanism_of(text, path)
    return Trajectory(t=t, q=q, v=v, memory=stored.get("memory"), events=events, mechanism=known)


def _plain(values: Any) -> Any:
    """A row as a vector, cells as texts."""
    flat = np.asarray(values).ravel()
    if flat.dtype == object:
        return np.array([str(cell.ravel()[0]) if np.size(cell) else "" for cell in flat])
    return flat
