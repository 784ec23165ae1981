"""Text traces, read back: the chainlist from the header, the motion from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.read import read
from chainlist.model.ask import ask_all
from chainlist.model.mechanism import Body, Item, Mechanism, Transient
from chainlist.model.options import Options
from chainlist.output.header import TraceHeader, read_header, split_trace
from chainlist.run.observables import chainlist_text, has_components, split
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.source import Source, Span

Floats = NDArray[np.float64]
_AXES = ("X", "Y", "Z")
NO_SAMPLES = "this trace holds no samples"


def read_text_trace(path: Path) -> Trajectory:
    """The motion of a text trace. Positions and velocities that it does not hold are nan, or None as a whole."""
    try:
        parts = split_trace(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        parts = None
    if parts is None:
        fail(path, "this is not a text trace: it must begin with HEADER and have a line DATA SECTION")
    header = read_header(parts[0])
    mechanism = read_mechanism(header, path)
    columns = _columns(path, header, mechanism)
    widths = [_width(item, mechanism) for item in columns]
    numbers = _numbers(path, parts[1], sum(widths))
    stored: dict[str, Floats] = {}
    at = 0
    for item, width in zip(columns, widths, strict=True):
        stored |= _curves(item, mechanism, numbers[:, at : at + width])
        at += width
    if "Time" not in stored:
        fail(path, "this trace holds no times", "add the column Time to the .print that writes it")
    return trajectory_of(mechanism, stored)


def read_mechanism(header: TraceHeader, path: Path) -> Mechanism:
    """The mechanism of a chainlist that was stored with a trace, as it was when it ran."""
    checked = read(Source(str(path), header.text), None, changes=header.changes)
    if checked.mechanism is None:
        raise ChainlistError(checked.diagnostics)
    return checked.mechanism


def fail(path: Path, message: str, help: str = "") -> NoReturn:
    raise ChainlistError([Diagnostic("E401", f"{path.name}: {message}", help=help or _how_to_get_one(path))])


def _how_to_get_one(path: Path) -> str:
    name = f"{path.stem}.npz"
    card = f"a trace is what a run leaves behind: put .print BINTRACEFILE={name} into the chainlist"
    if path.suffix.lower() in (".chain", ".txt"):
        return f"{card}; chainlist run {path.name} then writes {path.stem}.out/{name}, which can be read here"
    return f"{card}, and run it"


def _columns(path: Path, header: TraceHeader, mechanism: Mechanism) -> tuple[Item, ...]:
    if header.columns is not None:
        return ask_all(mechanism, header.columns, pictures=False)
    requests = [request for request in mechanism.prints if request.text is not None]
    if len(requests) != 1:
        fail(path, "its header does not say which .print wrote it", "keep that one .print in its header")
    return requests[0].columns


def _names(mechanism: Mechanism) -> dict[str, bool]:
    return dict.fromkeys((constraint.name for constraint in mechanism.constraints), True)


def _width(item: Item, mechanism: Mechanism) -> int:
    """How many numbers of a row belong to an item."""
    singles = split(item.formula, _names(mechanism))
    return len(singles) * (mechanism.dimension if has_components(item.formula, mechanism.dimension) else 1)


def _curves(item: Item, mechanism: Mechanism, numbers: Floats) -> dict[str, Floats]:
    texts = [chainlist_text(single) for single in split(item.formula, _names(mechanism))]
    each = numbers.shape[1] // len(texts)
    blocks = (numbers[:, i * each : (i + 1) * each] for i in range(len(texts)))
    vector = has_components(item.formula, mechanism.dimension)
    return {text: block if vector else block[:, 0] for text, block in zip(texts, blocks, strict=True)}


def _numbers(path: Path, data: str, width: int) -> Floats:
    """The rows as numbers; a last line that was cut short is left out."""
    whole = data[: data.rfind("\n") + 1]
    bare = _without_names(whole).replace(")", " ").replace(",", " ")
    lines = [line for line in bare.split("\n") if line.strip()]
    words = bare.split()
    if len(words) != width * len(lines):
        _bad_row(path, lines, width)
    try:
        return np.array([float(word) for word in words]).reshape(len(lines), width)
    except ValueError as error:
        fail(path, f"a row holds what is no number ({error})")


def _without_names(rows: str) -> str:
    """The rows without the names of vectors, which are the same in all of them."""
    for place, word in enumerate(rows.lstrip().partition("\n")[0].split()):
        if word.endswith(")"):
            name = word[: word.rfind("(") + 1]
            rows = rows.replace(f" {name}", " ")
            if place == 0:
                rows = rows.replace(f"\n{name}", "\n").removeprefix(name)
    return rows


def _bad_row(path: Path, lines: list[str], width: int) -> NoReturn:
    at = next(i for i, line in enumerate(lines) if len(line.split()) != width)
    fail(path, f"row {at + 1} of its data has {len(lines[at].split())} numbers instead of {width}")


def trajectory_of(mechanism: Mechanism, stored: dict[str, Floats]) -> Trajectory:
    """A trajectory of columns by the text of their item: Q(B1), or X(B1), Y(B1) and in space Z(B1), and so on. All of them are kept."""
    t = stored["Time"]
    axes = _AXES[: mechanism.dimension]
    q = _state(mechanism, stored, len(t), ("Q", *axes))
    v = _state(mechanism, stored, len(t), ("V", *(f"V{axis}" for axis in axes)))
    return Trajectory(t=t, q=q, v=None if np.isnan(v[:1]).all() else v, mechanism=mechanism, columns=stored)


def _state(mechanism: Mechanism, stored: dict[str, Floats], samples: int, functions: tuple[str, ...]) -> Floats:
    state = np.full((samples, len(mechanism.bodies), mechanism.dimension), np.nan)
    for i, body in enumerate(mechanism.bodies):
        whole = stored.get(f"{functions[0]}({body.name})")
        if whole is not None:
            state[:, i] = whole
        for c, function in enumerate(functions[1:]):
            part = stored.get(f"{function}({body.name})")
            if part is not None:
                state[:, i, c] = part
    return state


def mechanism_of(provenance: str, path: Path) -> Mechanism:
    """The mechanism that a binary trace carries with it."""
    return read_mechanism(read_header(provenance), path)


def named_columns(path: Path, names: list[str], values: Floats, mechanism: Mechanism | None) -> Trajectory:
    """A trajectory from a table whose columns are called X(B1), VY(B2) …"""
    stored = dict(zip(names, values.T.copy(), strict=True))
    bodies = [name[2:-1] for name in names if name.startswith("X(")]
    if not bodies:
        fail(path, "this is not a trace of chainlist: no column is called X(…)")
    if not len(values):
        fail(path, NO_SAMPLES)
    axes = _AXES if any(name.startswith("Z(") for name in names) else _AXES[:2]
    missing = [name for body in bodies for axis in axes if (name := f"{axis}({body})") not in stored]
    if missing:
        fail(path, f"the column {missing[0]} is missing")
    if mechanism is None:
        mechanism = _bare_mechanism(path, bodies, axes, stored)
    if mechanism.dimension != len(axes):
        what = f"its points have {len(axes)} coordinates, those of the mechanism {mechanism.dimension}"
        fail(path, what, "give the chainlist that this trace was made from")
    strange = [name for name in bodies if name not in mechanism.body_index]
    if strange:
        fail(path, f"the mechanism has no body {strange[0]}", "give the chainlist that this trace was made from")
    found = trajectory_of(mechanism, stored)
    work = {"Work": stored["Work"]} if "Work" in stored else {}
    return Trajectory(t=found.t, q=found.q, v=found.v, mechanism=mechanism, columns=work)


def _bare_mechanism(path: Path, names: list[str], axes: Sequence[str], stored: dict[str, Floats]) -> Mechanism:
    """Bodies without masses (nan) or constraints: all that a table says."""
    place = Span(Source(str(path), ""), 0, 0)
    starts = [tuple(float(stored[f"{axis}({name})"][0]) for axis in axes) for name in names]
    rest = (0.0,) * len(axes)
    bodies = tuple(Body(name, at, float("nan"), at, rest, place) for name, at in zip(names, starts, strict=True))
    t = stored["Time"]
    step = float(t[1] - t[0]) if len(t) > 1 else 1.0
    times = Transient(float(t[0]), float(t[-1]), step)
    return Mechanism(title=path.stem, bodies=bodies, constraints=(), options=Options(), transient=times)
