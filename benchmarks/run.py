"""The benchmark: python benchmarks/run.py [SECTION …]

Prints a table per section and writes build/bench.json. Whatever is compared runs side by side in this one process, or
in children of it, on one core; times are CPU times, the best of several, unless a title says otherwise.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECTIONS = {
    "rhs": "benchmarks.rhs",
    "projected": "benchmarks.projected",
    "versions": "benchmarks.versions",
    "mujoco": "benchmarks.mujoco_step",
    "bodies": "benchmarks.bodies",
    "forces": "benchmarks.forces",
    "switches": "benchmarks.switches",
    "expression": "benchmarks.expression",
    "repeat": "benchmarks.repeat",
    "ensemble": "benchmarks.ensemble",
    "worth": "benchmarks.worth",
    "precision": "benchmarks.precision",
    "bodies-precision": "benchmarks.bodies_precision",
    "growth": "benchmarks.growth",
    "net": "benchmarks.net",
    "startup": "benchmarks.startup",
    "members": "benchmarks.members",
    "memory": "benchmarks.memory",
    "reading": "benchmarks.reading",
    "checking": "benchmarks.checking",
    "language": "benchmarks.language",
    "workbench": "benchmarks.workbench",
}


def one_core() -> None:
    """Keep to a single core, and tell the libraries to."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(names: list[str]) -> int:
    one_core()
    sys.path[0] = str(ROOT)
    from rich.console import Console

    from benchmarks.report import Section, Unavailable

    console = Console(width=None if sys.stdout.isatty() else 140)
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        console.print(f"unknown section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
        return 2
    done = []
    for name in names or SECTIONS:
        module = importlib.import_module(SECTIONS[name])
        try:
            section = Section(name, module.TITLE, module.run())
        except Unavailable as reason:
            section = Section(name, module.TITLE, remark=f"not run: {reason}")
        console.print(section.table())
        done.append(section.as_json())
    target = ROOT / "build" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    facts = {"machine": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
    target.write_text(json.dumps({**facts, "sections": done}, indent=1, ensure_ascii=False), encoding="utf-8")
    console.print(f"written to {target.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
