"""From text to a checked mechanism, in one call: the way every face of the program takes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chainlist.compile.checks import diagnose
from chainlist.compile.collecting import without_collecting
from chainlist.compile.findings import Findings
from chainlist.model.build import build
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.syntax.diagnostics import Diagnostic, Diagnostics
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse as parse_tree
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Chainlist


@dataclass(frozen=True)
class Checked:
    """What reading a chainlist gave: no mechanism where there are errors."""

    mechanism: Mechanism | None
    findings: Findings | None
    diagnostics: tuple[Diagnostic, ...]


def read(source: Source, base: Path | None, *, changes: Changes | None = None, limits: Limits | None = None) -> Checked:
    """Read and check a source, with `changes` to what its text says; includes are looked for below `base`."""
    with without_collecting():
        report = Diagnostics()
        tree = parse_tree(source, report, limits or Limits())
        return _check(tree, report, base, changes or Changes(), limits or Limits())


def read_tree(tree: Chainlist, report: Diagnostics, base: Path | None, limits: Limits) -> Checked:
    """Check a tree that has been read; `report` holds what reading it has said."""
    with without_collecting():
        return _check(tree, Diagnostics(list(report.diagnostics)), base, Changes(), limits)


def _check(tree: Chainlist, report: Diagnostics, base: Path | None, changes: Changes, limits: Limits) -> Checked:
    expanded = expand(tree, report, limits, base)
    wanted = {"params": changes.params, "options": changes.options, "tran": changes.tran, "draw": changes.draw}
    mechanism = build(expanded, report, limits, **wanted)  # type: ignore[arg-type]  # each by its name
    findings = None
    if mechanism is not None and not report.errors:
        findings = diagnose(mechanism, report)
    diagnostics = tuple(report.sorted())
    if report.errors:  # notes say what a run takes for granted, and there will be none
        diagnostics = tuple(d for d in diagnostics if d.severity != "note")
    if mechanism is None or report.errors:
        return Checked(None, findings, diagnostics)
    return Checked(dataclasses.replace(mechanism, diagnostics=diagnostics, changes=changes), findings, diagnostics)


def decode(data: bytes, name: str, path: Path | None = None) -> Source:
    """The source behind some bytes; raises `ChainlistError` if they are not UTF-8 text."""
    try:
        return Source(name, data.decode("utf-8"), path)
    except UnicodeDecodeError as error:
        readable = Source(name, data.decode("utf-8", errors="replace"), path)
        at = len(data[: error.start].decode("utf-8"))
        what = f"this is not UTF-8 text: byte {error.start + 1} is {data[error.start]:#04x}"
        help = "save the file as UTF-8"
        raise ChainlistError([Diagnostic("E103", what, Span(readable, at, at + 1), help=help)]) from None


def parse(
    text: str,
    name: str = "<text>",
    base: str | Path | None = None,
    *,
    params: Mapping[str, float] | None = None,
    limits: Limits | None = None,
) -> Mechanism:
    """The checked mechanism that a text describes; raises `ChainlistError` with every problem found.

    `.include` reads files below the folder `base`; without one it is an error. `params` replaces values of `.param`.
    """
    if "\n" not in str(text) and str(text).lower().endswith((".chain", ".txt")):
        raise ValueError(f"{text} is the path of a file, not a text: chainlist.load({str(text)!r}) reads it")
    folder = None if base is None else Path(base)
    return _mechanism(read(Source(name, text), folder, changes=Changes(params or {}), limits=limits))


def load(path: str | Path, *, params: Mapping[str, float] | None = None, limits: Limits | None = None) -> Mechanism:
    """The checked mechanism in a file; raises `ChainlistError`, or `OSError` where the file cannot be read."""
    if "\n" in str(path):
        raise ValueError("this is a text, not the path of a file: chainlist.parse(text) reads it")
    return _load(Path(path), Changes(params or {}), limits)


def changed(source: Mechanism | str | Path, changes: Changes) -> Mechanism:
    """A mechanism, the text of one (a str with a line break) or the path of its file, with changes to what it says."""
    if isinstance(source, Mechanism):
        if changes == Changes():
            return source
        if source.source is None:
            raise ValueError("this mechanism was not read from a text: change the value itself (dataclasses.replace)")
        again = Source(source.source.name, source.text)
        return _mechanism(read(again, None, changes=source.changes.and_then(changes)))
    if isinstance(source, str) and "\n" in source:
        return _mechanism(read(Source("<text>", source), None, changes=changes))
    return _load(Path(source), changes, None)


def _load(path: Path, changes: Changes, limits: Limits | None) -> Mechanism:
    source = decode(path.read_bytes(), str(path), path)
    return _mechanism(read(source, path.parent, changes=changes, limits=limits))


def _mechanism(checked: Checked) -> Mechanism:
    if checked.mechanism is None:
        raise ChainlistError(checked.diagnostics)
    return checked.mechanism
