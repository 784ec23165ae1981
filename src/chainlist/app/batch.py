"""Several chainlists, run one after another, and again each time they are saved."""

from __future__ import annotations

import json
import time
from pathlib import Path

from chainlist.app.browser import show_page
from chainlist.app.files import Input, take_or_complain
from chainlist.app.guard import INTERRUPTED, WORLD
from chainlist.app.running import Wishes, run_chainlist
from chainlist.app.terminal import complain, say, write_out


def run_all(chainlists: list[Input | None], output: Path | None, wishes: Wishes, *, as_json: bool, show: bool) -> int:
    """Run each; None stands for one that could not be read and was reported. Returns the largest status."""
    status = 0
    reports = []
    folders: set[Path] = set()
    for given in chainlists:
        if given is None:
            status = max(status, WORLD)
            continue
        folder = _folder(given, output, alone=len(chainlists) == 1, taken=folders)
        outcome = run_chainlist(given, folder, wishes)
        status = max(status, outcome.status)
        if outcome.data is not None:
            reports.append(outcome.data)
        if show and outcome.page is not None:
            show_page(outcome.page)
        if outcome.status == INTERRUPTED:
            if given is not chainlists[-1]:
                complain("the chainlists behind it were not run")
            break
    if as_json:
        write_out(json.dumps(reports, indent=2, ensure_ascii=False) + "\n")
    return status


def _folder(given: Input, output: Path | None, *, alone: bool, taken: set[Path]) -> Path:
    """Where the files of one chainlist go; two chainlists never share a folder."""
    stem = "stdin" if given.path is None else given.path.stem
    if output is not None:
        folder = output if alone else output / stem
    else:
        folder = (Path() if given.path is None else given.path.parent) / f"{stem}.out"
    number = 2
    unique = folder
    while unique in taken:
        unique = folder.with_name(f"{folder.name}-{number}")
        number += 1
    taken.add(unique)
    return unique


def run_when_saved(names: list[str], output: Path | None, wishes: Wishes, *, as_json: bool) -> None:
    """Run again whatever was saved, until Ctrl-C."""
    paths = [Path(name) for name in names if name != "-"]
    say("watching; Ctrl-C ends it")
    seen = {path: _stamp(path) for path in paths}
    while True:
        time.sleep(0.3)
        for path in paths:
            stamp = _stamp(path)
            if stamp is not None and stamp != seen[path]:
                seen[path] = stamp
                folder = output / path.stem if output is not None and len(names) > 1 else output
                if run_all([take_or_complain(str(path))], folder, wishes, as_json=as_json, show=False) == INTERRUPTED:
                    raise KeyboardInterrupt


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
