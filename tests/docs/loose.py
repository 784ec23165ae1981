"""Expected output in a page against what a program printed: loosely."""

from __future__ import annotations

import re


def missing_line(expected: str, printed: str) -> str | None:
    """The first line of `expected` that is not found in order in `printed`; None if all are.

    Spaces count as one; `…` stands for anything in a line, and alone for any number of lines.
    """
    lines = [_single_spaced(line) for line in printed.splitlines()]
    at = 0
    for wanted in (_single_spaced(line) for line in expected.splitlines()):
        if wanted in ("", "…"):
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in wanted.split("…")))
        at = next((k + 1 for k in range(at, len(lines)) if pattern.fullmatch(lines[k])), -1)
        if at < 0:
            return wanted
    return None


def _single_spaced(line: str) -> str:
    return " ".join(line.split())
