"""The benchmarks A01 to A05 of IFToMM's library, ours beside what others have published: python benchmarks/peers/iftomm.py

Writes benchmarks/peers/iftomm.json, from which the page "Other simulators" makes its table. Published times are those of other
machines and of the accuracy that the library asks for: they say the order of magnitude, not a ratio.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT)

import chainlist  # noqa: E402
from benchmarks import ours  # noqa: E402
from benchmarks.run import one_core  # noqa: E402

PENDULUM = "* Pendulum\nB1 (-1,0) 1\nC1 B1 (0,0)\n.tran 0 10 1E-3\n.plot Etotal\n"

# Name, what it is, the reference problem ("" for the pendulum), how long, steps.
CASES = (
    ("A01", "simple pendulum", "", 10.0, (1e-2, 1e-3)),
    ("A02", "two windows of four-bars, through their singular positions", "four_bars_2", 10.0, (1e-2, 1e-3)),
    ("A03", "Andrews' squeezing mechanism", "andrews", 0.03, (1e-4, 2e-5)),
    ("A04", "Bricard's mechanism", "bricard", 10.0, (1e-2, 2e-3)),
    ("A05", "flyball governor", "flyball_governor", 10.0, (2e-4, 1e-4)),
)

# Seconds for the time that the library asks for, as their authors give them.
PUBLISHED = {
    "OpenSim 3.2 (Core i5-4570)": {"A01": 0.637, "A02": 0.455, "A03": 0.384, "A04": 0.258, "A05": 0.233},
    "Exudyn (its examples; Core i9)": {"A01": 0.037, "A02": 0.0776},
}
REPEATS = 5


def measure(problem: str, stop: float, step: float) -> dict[str, Any]:
    """CPU seconds of the motion, the best of several; the largest error of positions and angles at the end; the energy balance."""
    from tests.references.bodies.table import BODIES

    text = BODIES[problem].text if problem else PENDULUM
    machine = chainlist.parse(text)
    seconds, motion = ours.timed(ours.with_settings(machine, (0.0, stop, step), save=stop), REPEATS)
    assert motion.report is not None
    error = None
    if problem:
        wanted = {k: v for k, v in BODIES[problem].known([0.0, stop]).items() if k[0] in "XYZ" or k.startswith("ANGLE")}
        error = max(_off(motion.observe(item).curves[0].values, v, item) for item, v in wanted.items())
    else:
        error = _pendulum_error(motion, stop)
    return {
        "step": step,
        "seconds": seconds,
        "error": float(error),
        "energy": float(motion.report.energy_error),
    }


def _off(found: Any, wanted: Any, item: str) -> float:
    """At the end. Of an angle what it turned since the start, without full turns: two samples do not tell them."""
    if not item.startswith("ANGLE"):
        return abs(float(found[-1] - wanted[-1]))
    difference = (found[-1] - found[0]) - (wanted[-1] - wanted[0])
    return abs(float(difference - 2 * np.pi * np.round(difference / (2 * np.pi))))


def _pendulum_error(motion: Any, stop: float) -> float:
    from scipy.integrate import solve_ivp

    done = solve_ivp(
        lambda t, y: [y[1], -9.81 * np.cos(y[0])], (0, stop), [np.pi, 0.0], method="DOP853", rtol=1e-13, atol=1e-14
    )
    angle = done.y[0, -1]
    return float(np.abs(motion.q[-1, 0] - (np.cos(angle), np.sin(angle))).max())


def main() -> int:
    one_core()
    cases = [
        {"name": name, "what": what, "stop": stop, "runs": [measure(problem, stop, step) for step in steps]}
        for name, what, problem, stop, steps in CASES
    ]
    facts = {"machine": platform.machine(), "system": platform.system(), "python": platform.python_version()}
    target = Path(__file__).with_name("iftomm.json")
    data = {**facts, "cases": cases, "published": PUBLISHED}
    target.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stderr.write(f"written to {target.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
