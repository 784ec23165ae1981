"""`.nc`: NetCDF through xarray, with names, units and the chainlist inside."""

from __future__ import annotations

from pathlib import Path

from chainlist.model.mechanism import Mechanism
from chainlist.output.trace_reader import fail, mechanism_of
from chainlist.run.eventlog import NAMES, events_from
from chainlist.run.labelled import to_xarray
from chainlist.run.quantities import Motion
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.extras import extra

_LARGEST_OLD = 2**31 - 1  # bytes of a variable in NetCDF 3, which is written several times faster than HDF5


def write(motion: Motion, path: Path) -> None:
    data = to_xarray(motion)
    data.to_netcdf(path, engine="scipy" if motion.q.nbytes <= _LARGEST_OLD else "h5netcdf")


def read(path: Path, mechanism: Mechanism | None) -> Trajectory:
    xarray = extra("xarray", "data", "NetCDF traces")

    try:
        data = xarray.load_dataset(path)
        t, q, text = data["time"].values, data["q"].values, data.attrs["provenance"]
    except Exception as error:  # readers of damaged files raise whatever they stumble over
        if isinstance(error, OSError) and error.errno is not None:
            raise
        fail(path, f"this is not a trace of chainlist, or it is damaged ({error})")
    v = data["v"].values if "v" in data else None
    memory = data["memory"].values if "memory" in data else None
    stored = {name: data[name].values for name in NAMES if name in data}
    known = mechanism or mechanism_of(str(text), path)
    return Trajectory(t=t, q=q, v=v, memory=memory, events=events_from(stored), mechanism=known)
