"""Run one check in a process of its own: `python -m chainlist.labs.exercises.runner 4 my_solution.py result.json`.

The student's file may print, loop for ever or fail: the parent sees only the result file and the clock.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from chainlist.labs.exercises.finding import Mark, Missing
from chainlist.syntax.errors import ChainlistError


def check_solution(number: int, path: Path, limit: float) -> list[Mark]:
    """Check a student's file in a process of its own; at most `limit` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        command = [sys.executable, "-m", "chainlist.labs.exercises.runner", str(number), str(path), str(result)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), timeout=limit)
        except subprocess.TimeoutExpired:
            return [
                *_read(result),
                Mark(False, f"your program was still running after {limit:g} s: is there a loop without end?"),
            ]
        found = _read(result)
        if done.returncode != 0 or not found:
            found.append(Mark(False, f"the check stopped before its end (exit status {done.returncode})"))
        return found


def _read(path: Path) -> list[Mark]:
    """The findings so far: one JSON object a line."""
    if not path.exists():
        return []
    found = []
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            found.append(Mark(bool(data["ok"]), str(data["text"])))
    except (ValueError, KeyError, TypeError, RecursionError):  # cut short, or written by the program that is checked
        found.append(Mark(False, "what the check has found cannot be read"))
    return found


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("solution", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module  # kernels of a plug-in are looked up by their module
    spec.loader.exec_module(module)
    return module


def _place(error: BaseException, path: Path) -> str:
    """The line of the student's file in which an error arose, and the error."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"line {error.lineno} of {path.name}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f"line {lines[-1]} of {path.name}: " if lines else ""
    return f"{where}{type(error).__name__}: {error}"


def findings(number: int, path: Path) -> Iterator[Mark]:
    """Check a student's file in this process; whatever it does wrong becomes a finding too."""
    try:
        yield from import_module(f"chainlist.labs.exercises.check_{number}").check(_load(path))
    except Missing as missing:
        yield Mark(False, str(missing))
    except ChainlistError as error:
        yield Mark(False, f"your chainlist has mistakes:\n{error}")
    except Exception as error:  # the student's mistake, not ours
        yield Mark(False, _place(error, path))


def main(number: int, path: Path, result: Path) -> None:
    """Write each finding as soon as it is known."""
    with result.open("w", encoding="utf-8") as out:
        for finding in findings(number, path):
            out.write(json.dumps(dataclasses.asdict(finding), ensure_ascii=False) + "\n")
            out.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]).resolve(), Path(sys.argv[3]))
