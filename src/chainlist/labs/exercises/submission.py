"""Answers as files: a student writes one, a teacher collects them. Nothing is sent anywhere.

A file holds the solution itself and what its check found. A check can be believed only where it was run: who collects can run
them again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chainlist.labs.exercises import EXERCISES
from chainlist.labs.exercises.finding import Mark
from chainlist.labs.exercises.runner import check_solution

KIND = "chainlist exercise"
SUFFIX = ".answer.json"


class BadSubmission(ValueError):
    """A file that is no answer, or not the one that was written."""


@dataclass(frozen=True)
class Submission:
    """One answer: who, which exercise, the solution, and what its check found."""

    name: str
    exercise: int
    version: str
    solution: str
    findings: tuple[Mark, ...]

    @property
    def solved(self) -> bool:
        return bool(self.findings) and all(finding.ok for finding in self.findings)

    @property
    def points(self) -> str:
        return f"{sum(finding.ok for finding in self.findings)} of {len(self.findings)}"

    def text(self) -> str:
        """The file, with a mark that shows if it was changed by accident."""
        data: dict[str, Any] = {"kind": KIND, **dataclasses.asdict(self)}
        data["mark"] = _mark(data)
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def is_name(name: str) -> bool:
    """Whether somebody may be called so: it stands in the name of a file, and in a table that a spreadsheet reads."""
    return name.replace("-", "").replace("_", "").isalnum() and name[0] not in "-_"


def read(path: Path) -> Submission:
    """The answer in a file; raises `BadSubmission` or `OSError`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        mark = data.pop("mark")
        if data.pop("kind") != KIND or mark != _mark({"kind": KIND, **data}):
            raise BadSubmission("it was changed after it was written")
        findings = tuple(Mark(bool(found["ok"]), str(found["text"])) for found in data["findings"])
        found = Submission(
            str(data["name"]), int(data["exercise"]), str(data["version"]), str(data["solution"]), findings
        )
    except BadSubmission:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise BadSubmission("it is no answer that chainlist wrote") from None
    if not is_name(found.name):
        raise BadSubmission("its name is none: letters, digits, - and _")
    if found.exercise not in EXERCISES:
        raise BadSubmission(f"there is no exercise {found.exercise}")
    return found


def again(submission: Submission, limit: float) -> Submission:
    """The same after its check was run here, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "solution.py"
        path.write_text(submission.solution, encoding="utf-8")
        return dataclasses.replace(submission, findings=tuple(check_solution(submission.exercise, path, limit)))


def _mark(data: dict[str, Any]) -> str:
    """A hash: it shows damage, and no more. Whoever can write a file can write its hash too."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
