"""The same chains with another version of the program, whose folder `CHAINLIST_BEFORE` names: a step now against a step then.

Where arrays and machine code happen to lie changes a time by some per cent, from one start of a process to the next. So both
versions are started several times, and march in turns; the median of their best times counts.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line, Unavailable

TITLE = "chains with this version and with the one in CHAINLIST_BEFORE: µs per step, median of several starts"
STEPS = {2: 5_000, 16: 1_000, 128: 150, 1024: 30}
STARTS, ROUNDS = 7, 120
MARCH = """
import sys
import chainlist

text, steps = sys.argv[1], int(sys.argv[2])
mechanism = chainlist.parse(text + f".tran 0 {steps * 1e-3:g} 1E-3\\n.options SAVE={steps * 1e-3:g}\\n")
chainlist.simulate(mechanism)
print("ready", flush=True)
for _ in sys.stdin:
    print(chainlist.simulate(mechanism).report.seconds_run / steps * 1e6, flush=True)
"""


class Marching:
    """A process that marches once whenever it is asked to."""

    def __init__(self, sources: Path, links: int) -> None:
        command = [sys.executable, "-c", MARCH, chain(links).text, str(STEPS[links])]
        env = {**os.environ, "PYTHONPATH": str(sources)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.answer()

    def answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("a version did not answer: see above")
        return line

    def microseconds(self) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write("once\n")
        self.process.stdin.flush()
        return float(self.answer())

    def stop(self) -> None:
        self.process.communicate()


def run() -> list[Line]:
    before = os.environ.get("CHAINLIST_BEFORE")
    if not before:
        raise Unavailable("CHAINLIST_BEFORE does not name the folder of another version")
    folders = [Path(before) / "src", Path(__file__).resolve().parents[1] / "src"]
    return [compared(links, folders) for links in STEPS]


def compared(links: int, folders: list[Path]) -> Line:
    best: list[list[float]] = [[] for _ in folders]
    for _ in range(STARTS):
        versions = [Marching(folder, links) for folder in folders]
        times = [[version.microseconds() for version in versions] for _ in range(ROUNDS)]
        for found, column in zip(best, zip(*times, strict=True), strict=True):
            found.append(min(column))
        for version in versions:
            version.stop()
    then, now = (statistics.median(found) for found in best)
    return Line(f"{links} links", {"then [µs]": then, "now [µs]": now}, now / then, Goal(1.03))
