"""Rigid bodies beside other simulators, time to eight digits: python benchmarks/peers/bodies.py

Writes benchmarks/peers/bodies.json, from which the page "Other simulators" makes its table. It is the section
`bodies-precision` of the benchmark, kept.
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import platform
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT)

from benchmarks.bodies_precision import Finish, finishes, races, times_less  # noqa: E402
from benchmarks.precision import PATIENCE  # noqa: E402
from benchmarks.run import one_core  # noqa: E402


def _plain(finish: Finish) -> dict[str, Any]:
    """JSON knows no infinity."""
    return {key: value if value == value and value != math.inf else None for key, value in asdict(finish).items()}


def main() -> int:
    one_core()
    cases = []
    for race in races():
        found = finishes(race)
        sys.stderr.write(f"{race.title}: measured\n")
        cases.append(
            {
                "what": race.title,
                "stop": race.stop,
                "times_less": times_less(found),
                "runs": [_plain(finish) for finish in found],
            }
        )
    facts = {"machine": platform.machine(), "system": platform.system(), "python": platform.python_version()}
    versions = {name: importlib.metadata.version(name) for name in ("chainlist", "mujoco", "exudyn") if _has(name)}
    target = Path(__file__).with_name("bodies.json")
    data = {**facts, "versions": versions, "patience": PATIENCE, "cases": cases}
    target.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stderr.write(f"written to {target.relative_to(ROOT)}\n")
    return 0


def _has(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
