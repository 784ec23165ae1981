"""Compile floor.c where there is a compiler, and ask it what a step costs."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from benchmarks.mechanisms import Mechanism
from benchmarks.report import Unavailable

HERE = Path(__file__).parent


def program() -> Path:
    """The compiled floor.c, in build/."""
    return compiled("floor")


@cache
def compiled(name: str) -> Path:
    """The program that name.c becomes."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        raise Unavailable("no C compiler found (cc, gcc, clang, or $CC)")
    target = HERE.parent / "build" / name
    target.parent.mkdir(exist_ok=True)
    subprocess.run([compiler, "-std=c11", "-O3", "-o", str(target), str(HERE / f"{name}.c"), "-lm"], check=True)
    return target


def floor_step(mechanism: Mechanism, steps: int, h: float, repeats: int = 3) -> tuple[float, tuple[float, float]]:
    """Seconds of one RK4 step in C, and where the last moving point is after `steps` steps."""
    words = [str(program()), str(steps), repr(h), str(repeats)]
    done = subprocess.run(words, input=mechanism.numbers, text=True, capture_output=True, check=True)
    nanoseconds, x, y = map(float, done.stdout.split())
    return nanoseconds * 1e-9, (x, y)
