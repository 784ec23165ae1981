"""How long a user waits: the first run ever, which compiles, and every later process, which loads what was compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from benchmarks.mechanisms import double_pendulum
from benchmarks.report import Goal, Line

TITLE = "wall time from `import chainlist` to the end of the first step, in a process of its own"
PROGRAM = """
import sys, time
begun = time.perf_counter()
import chainlist
chainlist.simulate(sys.stdin.read(), tran=(0, 1e-3, 1e-3))
sys.stdout.write(repr(time.perf_counter() - begun))
"""


def seconds(cache: str) -> tuple[float, bool]:
    """Seconds to the first step with this cache of compiled kernels, and whether anything was said meanwhile."""
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": cache}
    words = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        words, input=double_pendulum().text, text=True, capture_output=True, check=True, env=surroundings
    )
    return float(done.stdout.splitlines()[-1]), "ompil" in done.stdout + done.stderr


def run() -> list[Line]:
    with tempfile.TemporaryDirectory() as cache:
        first, said = seconds(cache)
        later = min(seconds(cache)[0] for _ in range(5))
    return [
        Line("first run ever", {"seconds": first, "says so": "yes" if said else "no"}, first, Goal(10.0)),
        Line("later processes", {"seconds": later}, later, Goal(1.0)),
    ]
