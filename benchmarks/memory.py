"""A long run keeps only its samples: the peak memory of 10⁷ steps kept at 10³ samples, against that of 10⁴ steps."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line

TITLE = "peak memory of a run of 10⁷ steps kept at 10³ samples (one link), each in a process of its own"
PROGRAM = """
import resource, sys
import chainlist
steps = int(sys.argv[1])
trajectory = chainlist.simulate(sys.stdin.read(), tran=(0, steps * 1e-4, 1e-4), save=steps * 1e-7)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sys.stdout.write(f"{peak} {len(trajectory.t)}")
"""


def peak_megabytes(steps: int) -> tuple[float, int]:
    words = [sys.executable, "-c", PROGRAM, str(steps)]
    done = subprocess.run(words, input=chain(1).text, text=True, capture_output=True, check=True)
    peak, samples = done.stdout.splitlines()[-1].split()
    kilobyte = 1e3 if sys.platform == "darwin" else 1.0  # macOS counts bytes, Linux kilobytes
    return float(peak) / kilobyte / 1e3, int(samples)


def run() -> list[Line]:
    short, _ = peak_megabytes(10**4)
    long, samples = peak_megabytes(10**7)
    figures = {
        "10⁴ steps [MB]": short,
        "10⁷ steps [MB]": long,
        "samples": samples,
        "every state would be [MB]": 1e7 * 5 * 8 / 1e6,
    }
    wrong = "" if samples == 1001 else f"{samples} samples instead of 1001"
    return [Line("one link", figures, long - short, Goal(10.0), wrong)]
