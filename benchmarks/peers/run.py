"""Chainlist beside other simulators on the same mechanisms: python benchmarks/peers/run.py

Writes benchmarks/peers/results.json, from which the page "Other simulators" of the documentation is made. All runs are
in this one process on one core; times are CPU times, the best of several. A simulator that is not installed is left out
(pip install mujoco exudyn sympy pymunk).
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT)

from benchmarks.mechanisms import Mechanism, chain, double_pendulum  # noqa: E402
from benchmarks.peers import exudyn_peer, mujoco_peer, ours, pymunk_peer, sympy_peer  # noqa: E402
from benchmarks.peers.base import March, Motion, Peer  # noqa: E402
from benchmarks.run import one_core  # noqa: E402
from benchmarks.timing import best_seconds  # noqa: E402

PEERS: list[Peer] = [*ours.PEERS, *mujoco_peer.PEERS, *exudyn_peer.PEERS, *sympy_peer.PEERS, *pymunk_peer.PEERS]
H, STOP, WANTED = 1e-3, 2.0, 1e-8
STEPS = [round(40 * 1.25**k) for k in range(26)]  # of the search for the cheapest: h from 0.05 to 0.0002
IN_A_ROW = 3
LEVER_STOP = 6.0


def lever() -> Mechanism:
    """Arms of 1 m and 2 m on one line, held by three links: the constraint that the index-1 equations do not contain."""
    points = [(0.0, 0.0), (-1.0, 0.0), (2.0, 0.0)]
    return Mechanism("lever", 1.0, points, frozenset({0}), [(1, 0), (2, 0), (1, 2)])


def lever_truth() -> np.ndarray:
    """θ'' = −(g/5) cos θ of the long arm."""
    from scipy.integrate import solve_ivp

    done = solve_ivp(
        lambda t, y: [y[1], -math.cos(y[0]) / 5], (0, LEVER_STOP), [0, 0], method="DOP853", rtol=1e-13, atol=1e-14
    )
    arm = np.array([math.cos(done.y[0, -1]), math.sin(done.y[0, -1])])
    return np.array([-arm, 2 * arm])


def truth(name: str) -> np.ndarray:
    from tests.references.problems import PROBLEMS

    return np.asarray(PROBLEMS[name].states([STOP])[0])


CASES: dict[str, tuple[Callable[[], Mechanism], str]] = {
    "double pendulum": (double_pendulum, "double_pendulum"),
    "chain of 16 links": (lambda: chain(16), "chain_16"),
}


def gap(march: March, steps: int, h: float, right: np.ndarray) -> float:
    """The largest distance of a body from where it belongs; inf where the run fails."""
    with np.errstate(all="ignore"):
        distance = np.linalg.norm(march(steps, h) - right, axis=1).max()
    return float(distance) if np.isfinite(distance) else math.inf


def cheapest(march: March, motion: Motion, right: np.ndarray) -> dict[str, Any]:
    """The coarsest of the steps from which on all are good enough, and what it costs: motion alone, and the whole."""
    good: list[int] = []
    for steps in STEPS:
        good = [*good, steps] if gap(march, steps, STOP / steps, right) <= WANTED else []
        if len(good) == IN_A_ROW:
            return _cost(march, motion, good[0])
    return {"h": None, "motion_ms": None, "whole_ms": None}


def _cost(march: March, motion: Motion, steps: int) -> dict[str, Any]:
    h = STOP / steps
    whole = best_seconds(lambda: march(steps, h), 5)
    return {"h": h, "motion_ms": motion(steps, h) * 1e3, "whole_ms": whole * 1e3}


def _whole(march: March) -> Motion:
    return lambda steps, h: best_seconds(lambda: march(steps, h), 3)


def measure(peer: Peer) -> dict[str, Any]:
    out: dict[str, Any] = {"name": peer.name, "method": peer.method, "version": "", "cases": {}, "lever": None}
    out["version"] = importlib.metadata.version(peer.distribution)
    for name, (make, reference) in CASES.items():
        right = truth(reference)
        march = peer.build(make())
        motion = peer.motion(make()) if peer.motion else _whole(march)
        steps = round(STOP / H)
        out["cases"][name] = {
            "us_per_step": motion(steps, H) / steps * 1e6,
            "error": gap(march, steps, H, right),
            "to_1e-8": cheapest(march, motion, right),
        }
    if peer.takes_links:
        try:
            error = gap(peer.build(lever()), round(LEVER_STOP / H), H, lever_truth())
            out["lever"] = {"error": error if math.isfinite(error) else None, "failed": ""}
        except Exception as failure:  # whatever a simulator does with it is the result
            out["lever"] = {"error": None, "failed": str(failure).splitlines()[0].split(" [")[0][:120]}
    return out


def main() -> int:
    one_core()
    done, missing = [], []
    for peer in PEERS:
        try:
            done.append(measure(peer))
        except (ImportError, importlib.metadata.PackageNotFoundError):
            missing.append(peer.name)
        sys.stderr.write(f"{peer.name}, {peer.method}: {'not installed' if peer.name in missing else 'measured'}\n")
    facts = {"machine": platform.machine(), "system": platform.system(), "python": platform.python_version()}
    target = Path(__file__).with_name("results.json")
    data = {**facts, "h": H, "stop": STOP, "lever_stop": LEVER_STOP, "missing": sorted(set(missing)), "peers": done}
    target.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stderr.write(f"written to {target.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
