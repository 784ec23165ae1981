"""Chainlists as texts: what `chainlist check`, `fmt` and `dump` do. Each function returns the exit status."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from chainlist.app.files import Input, take_or_complain
from chainlist.app.guard import TEXT, WORLD
from chainlist.app.terminal import complain, show, write_out
from chainlist.compile.read import Checked, read
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse as parse_tree
from chainlist.syntax.render import as_data


def check_files(files: Sequence[str], *, as_json: bool = False) -> int:
    """Read chainlists and say what is wrong or remarkable."""
    status = 0
    results = []
    for name in files:
        given = take_or_complain(name)
        if given is None:
            status = max(status, WORLD)
            continue
        checked = _read(given)
        if checked.mechanism is None:
            status = TEXT
        if as_json:
            results.append(_check_data(given, checked))
        else:
            show(checked.diagnostics, given.name)
            if checked.mechanism is not None and checked.findings is not None:
                write_out(f"{given.name}: {checked.mechanism}; {checked.findings.freedom}\n")
    if as_json:
        write_out(json.dumps(results, indent=2, ensure_ascii=False) + "\n")
    return status


def format_files(files: Sequence[str], *, only_check: bool = False) -> int:
    """Rewrite chainlists in canonical form, or say which would be rewritten."""
    status = 0
    for name in files:
        given = take_or_complain(name)
        status = max(status, WORLD if given is None else _format(given, only_check))
    return status


def dump_file(file: str) -> int:
    """Print a chainlist with everything expanded."""
    from chainlist.model.dump import CannotWrite, dump

    given = take_or_complain(file)
    if given is None:
        return WORLD
    checked = _read(given)
    show([d for d in checked.diagnostics if d.is_error])
    if checked.mechanism is None:
        return TEXT
    try:
        text = dump(checked.mechanism)
    except CannotWrite as problem:
        complain(str(problem))
        return TEXT
    write_out(text)
    return 0


def _format(given: Input, only_check: bool) -> int:
    from chainlist.syntax.printer import print_chainlist

    if isinstance(given.source, ChainlistError):
        show(given.source.diagnostics)
        return TEXT
    report = Diagnostics()
    tree = parse_tree(given.source, report, Limits())
    if report.errors:
        show(report.errors)
        return TEXT
    text = print_chainlist(tree)
    if "\r\n" in given.source.text:
        text = text.replace("\n", "\r\n")
    if only_check:
        if text == given.source.text:
            return 0
        complain(f"{given.name} would be rewritten")
        return WORLD
    if given.path is None:
        write_out(text)
    elif text != given.source.text:
        return _write(given.path, text)
    return 0


def _write(path: Path, text: str) -> int:
    from chainlist.output.files import replace_file

    try:
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}")
        return WORLD
    return 0


def _read(given: Input) -> Checked:
    if isinstance(given.source, ChainlistError):
        return Checked(None, None, given.source.diagnostics)
    return read(given.source, given.base)


def _check_data(given: Input, checked: Checked) -> dict[str, object]:
    data: dict[str, object] = {
        "file": given.name,
        "ok": checked.mechanism is not None,
        "diagnostics": [as_data(d) for d in checked.diagnostics],
    }
    if checked.mechanism is not None and checked.findings is not None:
        data["bodies"] = len(checked.mechanism.bodies)
        data |= {name.replace(" ", "_"): number for name, number in checked.mechanism.counts.items()}
        data["freedom"] = checked.findings.freedom.as_data()
    return data
