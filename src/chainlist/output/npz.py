"""`.npz`: the arrays t, q, v, the names and masses of the bodies, and the chainlist, in one file of NumPy."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import numpy as np

from chainlist.model.mechanism import Mechanism
from chainlist.output.trace_reader import fail, mechanism_of
from chainlist.run.eventlog import event_arrays, events_from
from chainlist.run.provenance import provenance
from chainlist.run.quantities import Motion
from chainlist.run.trajectory import Trajectory


def write(motion: Motion, path: Path) -> None:
    bodies = motion.mechanism.bodies
    arrays = {
        "t": motion.t,
        "q": motion.q,
        "bodies": np.array([body.name for body in bodies]),
        "mass": np.array([body.mass for body in bodies]),
        "title": np.array(motion.mechanism.title),
        "chainlist": np.array(motion.mechanism.text),
        "provenance": np.array(provenance(motion.mechanism, "Time Bodies(POS) Bodies(VEL)")),
    }
    if motion.v is not None:
        arrays["v"] = motion.v
    if motion.memory is not None:  # Work, and continuous angles
        arrays["memory"] = motion.memory
    arrays.update(event_arrays(motion))
    np.savez(path, allow_pickle=False, **arrays)


def read(path: Path, mechanism: Mechanism | None) -> Trajectory:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            t, q, text = stored["t"], stored["q"], str(stored["provenance"])
            v = stored["v"] if "v" in stored else None
            memory = stored["memory"] if "memory" in stored else None
            events = events_from(stored)
    except KeyError as error:
        fail(path, f"this is not a trace of chainlist: it lacks the array {error}")
    except (ValueError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error):
        fail(path, "this is not a file of NumPy, or it is damaged")
    return Trajectory(t=t, q=q, v=v, memory=memory, events=events, mechanism=mechanism or mechanism_of(text, path))
