"""Trajectories as labelled tables: xarray datasets and pandas frames, with names and units."""

from __future__ import annotations

from typing import Any

import numpy as np

from chainlist.elements.base import shortest
from chainlist.run.eventlog import UNITS, event_arrays
from chainlist.run.moments import Motion
from chainlist.run.provenance import options_text, provenance
from chainlist.syntax.extras import extra

AXES = ("x", "y", "z")


def to_xarray(motion: Motion) -> Any:
    """A Dataset: `q` and, where they are known, `v` over time, body and axis; the masses; the events.

    Attributes are the chainlist, its parameters and options as they counted, and all that a trace carries.
    """
    xarray = extra("xarray", "data", "labelled tables")

    mechanism = motion.mechanism
    over = ("time", "body", "axis")
    data: dict[str, Any] = {"q": (over, motion.q, {"units": "m", "long_name": "position"})}
    if motion.v is not None:
        data["v"] = (over, motion.v, {"units": "m/s", "long_name": "velocity"})
    if motion.memory is not None:
        names = {"units": "J, rad …", "long_name": "Work, then continuous angles"}
        data["memory"] = (("time", "remembered"), motion.memory, names)
    masses = [body.mass for body in mechanism.bodies]
    data["mass"] = (("body",), masses, {"units": "kg", "long_name": "mass"})
    data |= {name: (("event",), values, UNITS.get(name, {})) for name, values in event_arrays(motion).items()}
    coordinates = {
        "time": ("time", motion.t, {"units": "s", "long_name": "time"}),
        "body": ("body", [body.name for body in mechanism.bodies]),
        "axis": ("axis", list(AXES[: mechanism.dimension])),
    }
    told = {
        "title": mechanism.title,
        "chainlist": mechanism.text,
        "parameters": " ".join(f"{name}={shortest(number)}" for name, number in mechanism.parameters.items()),
        "options": options_text(mechanism),
        "provenance": provenance(mechanism, "Time Bodies(POS) Bodies(VEL)"),
    }
    return xarray.Dataset(data, coordinates, told)


def to_pandas(motion: Motion) -> Any:
    """A DataFrame over the time; its columns are called as items are: X(B1), Y(B1), VX(B1), VY(B1) …"""
    pandas = extra("pandas", "data", "data frames")

    names = column_names(motion)
    return pandas.DataFrame(column_values(motion), index=pandas.Index(motion.t, name="Time"), columns=names)


def column_names(motion: Motion) -> list[str]:
    """X(B1), Y(B1), X(B2) …, then the velocities: what the items of each column are called."""
    axes = [axis.upper() for axis in AXES[: motion.mechanism.dimension]]
    kinds = [""] if motion.v is None else ["", "V"]
    names = [f"{kind}{axis}({body.name})" for kind in kinds for body in motion.mechanism.bodies for axis in axes]
    return names if motion.memory is None else [*names, "Work"]


def column_values(motion: Motion) -> Any:
    """(samples, columns) in the order of `column_names`."""
    shape = (len(motion.t), len(motion.mechanism.bodies) * motion.mechanism.dimension)
    blocks = [block.reshape(shape) for block in (motion.q, motion.v) if block is not None]
    if motion.memory is not None:
        blocks.append(motion.memory[:, :1])
    return np.concatenate(blocks, axis=1)
