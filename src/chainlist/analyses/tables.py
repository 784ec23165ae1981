"""Where the columns of an ensemble go while they come: into memory, or into a Zarr store that can be read meanwhile and taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.members import NOT_COMPUTED, Columns
from chainlist.run.grid import RunRefused
from chainlist.syntax.extras import extra

FLAT = "run"  # the dimension of a store: members by their number


class MemberTable(Protocol):
    """Rows are members by their number. Status is the last to be written: what it does not show was not computed."""

    def missing(self) -> NDArray[np.bool_]:
        """Members that were not computed yet."""

    def write(self, first: int, columns: Columns) -> None:
        """The columns of some members."""

    def columns(self) -> Mapping[str, Any]:
        """All of them; what was not computed is nan, and its status 7."""


def missing_of(values: NDArray[Any]) -> Any:
    """What stands in a column where nothing was computed."""
    return np.nan if values.dtype.kind == "f" else 0


class Memory:
    def __init__(self, size: int) -> None:
        self._columns: dict[str, NDArray[Any]] = {"status": np.full(size, NOT_COMPUTED, np.int8)}

    def missing(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self._columns["status"] == NOT_COMPUTED
        return found

    def write(self, first: int, columns: Columns) -> None:
        size = len(self._columns["status"])
        for name, values in columns.items():
            if name not in self._columns:
                self._columns[name] = np.full((size, *values.shape[1:]), missing_of(values), values.dtype)
            self._columns[name][first : first + len(values)] = values

    def columns(self) -> Mapping[str, Any]:
        return self._columns


class Store:
    """A Zarr group: each column is an array whose chunks are those that workers compute."""

    def __init__(self, path: str | Path, size: int, chunk: int, mark: str, *, resume: bool) -> None:
        zarr = _zarr()
        self.path, self._size, self._chunk = Path(path), size, chunk
        if self.path.exists() and not resume:
            raise RunRefused(f"{path} exists: take it up with resume (--resume), or name another store")
        if self.path.exists():
            self._group = zarr.open_group(str(path), mode="r+")
            if self._group.attrs.get("mark") != mark:
                raise RunRefused(f"{path} holds the results of another sweep: name another store")
            self._chunk = int(self._group.attrs["chunk"])
        else:
            self._group = zarr.open_group(str(path), mode="w")
            self._group.attrs.update({"mark": mark, "chunk": chunk})
            self._create("status", np.zeros(0, np.int8), NOT_COMPUTED)

    @property
    def chunk(self) -> int:
        """How many members belong together."""
        return self._chunk

    def _create(self, name: str, like: NDArray[Any], fill: Any) -> None:
        rest = like.shape[1:]
        self._group.attrs["columns"] = [*self._group.attrs.get("columns", []), name]  # a folder has no order of its own
        self._group.create_array(
            name,
            shape=(self._size, *rest),
            chunks=(self._chunk, *rest),
            dtype=like.dtype,
            fill_value=fill,
            dimension_names=(FLAT, *(f"{name}_{k}" for k in range(len(rest)))),
        )

    def missing(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = np.asarray(self._group["status"][:]) == NOT_COMPUTED
        return found

    def write(self, first: int, columns: Columns) -> None:
        for name in sorted(columns, key=lambda name: name == "status"):
            values = columns[name]
            if name not in self._group:
                self._create(name, values, missing_of(values))
            self._group[name][first : first + len(values)] = values

    def columns(self) -> Mapping[str, Any]:
        # an older store has no list, and that of a process that was killed may name a column that is not there yet
        names = dict.fromkeys([*self._group.attrs.get("columns", []), *sorted(self._group.array_keys())])
        return {name: self._group[name][:] for name in names if name in self._group}


def _zarr() -> Any:
    return extra("zarr", "sweep", "stores of sweeps")
