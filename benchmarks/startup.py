"""How long a user waits: the first run ever, which compiles, and every later process, which loads what was compiled."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

from benchmarks.mechanisms import double_pendulum
from benchmarks.report import Goal, Line

TITLE = "CPU time from `import chainlist` to the end of the first step, in a process of its own (wall time: beside it)"
TRIES = 24
PROGRAM = """
import sys, time
text = sys.stdin.read()
wall, cpu = time.perf_counter(), time.process_time()
import chainlist
said = []
chainlist.simulate(text, tran=(0, 1e-3, 1e-3), progress=lambda part, what: said.append(what))
sys.stdout.write(f"{time.process_time() - cpu} {time.perf_counter() - wall} {any('kernels' in s for s in said)}")
"""


def start(cache: str) -> tuple[float, float, bool]:
    """CPU and wall seconds to the first step with this cache of kernels, and whether the wait was announced."""
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": cache}
    words = [sys.executable, "-c", PROGRAM]
    text = double_pendulum().text
    done = subprocess.run(words, input=text, text=True, capture_output=True, check=True, env=surroundings)
    cpu, wall, said = done.stdout.splitlines()[-1].split()
    return float(cpu), float(wall), said == "True"


def command(cache: str, *words: str) -> float:
    """CPU seconds of a command on a double pendulum, with compiled kernels and bytecode: the least of many.

    A shared machine has slow minutes, which only add: seven tries within one of them told of it more than of the command.
    """
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": cache}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pendulum.chain")
        with open(path, "w", encoding="utf-8") as out:
            out.write(double_pendulum().text)
        for _ in range(TRIES + 1):
            before = _children()
            program = [sys.executable, "-m", "chainlist", *words, path]
            subprocess.run(program, capture_output=True, check=True, env=surroundings)
            found.append(_children() - before)
    return min(found[1:])


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run() -> list[Line]:
    with tempfile.TemporaryDirectory() as cache:
        cpu, wall, said = start(cache)
        later = [start(cache) for _ in range(TRIES // 2)]
        check, whole = command(cache, "check"), command(cache, "run", "--no-plots")
    announced = "" if said else "the wait is not announced"
    later_cpu, later_wall = min(one[0] for one in later), min(one[1] for one in later)
    return [
        Line("first run ever", {"CPU [s]": cpu, "wall [s]": wall}, cpu, Goal(10.0), announced),
        Line("later processes", {"CPU [s]": later_cpu, "wall [s]": later_wall}, later_cpu, Goal(1.0)),
        Line("chainlist check", {"CPU [s]": check}, check, Goal(0.35)),
        Line("chainlist run --no-plots", {"CPU [s]": whole}, whole, Goal(1.0)),
    ]
