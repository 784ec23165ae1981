"""Ten million members of an ensemble that keep three measures: the peak memory of the process, everything counted."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.ensemble import chain
from benchmarks.report import Goal, Line

TITLE = "peak memory of 10⁷ double pendulums that keep three measures, masses from an array, 20 steps each, one process"
MEMBERS = 10_000_000
PROGRAM = """
import resource, sys
import numpy as np
import chainlist
masses = np.linspace(0.5, 2.0, int(sys.argv[1]))
table = chainlist.ensemble(sys.stdin.read(), masses={"B2": masses}, tran=(0, 0.1, 5e-3), workers=1,
                           measure={"low": "MIN Y(B2)", "fast": "MAX SPEED(B2)", "down": "WHEN Y(B1)=-0.02"})
assert all(np.isfinite(table[name].values).all() for name in ("low", "fast", "down"))
sys.stdout.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss} {table.attrs['well']}")
"""


def run() -> list[Line]:
    words = [sys.executable, "-c", PROGRAM, str(MEMBERS)]
    done = subprocess.run(words, input=chain(2), text=True, capture_output=True, check=True)
    peak, well = done.stdout.split()
    kilobyte = 1e3 if sys.platform == "darwin" else 1.0  # macOS counts bytes, Linux kilobytes
    gigabytes = float(peak) / kilobyte / 1e6
    figures: dict[str, float | str] = {"members": MEMBERS, "every state would be [GB]": MEMBERS * 21 * 12 * 8 / 1e9}
    wrong = "" if int(well) == MEMBERS else f"{int(well):,} members went well"
    return [Line("double pendulum", figures, gigabytes, Goal(2.0), wrong)]
