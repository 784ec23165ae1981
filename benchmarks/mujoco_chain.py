"""The chains once more for MuJoCo: one hinge per link, its own RK4, marched by `rollout` without a return to Python.

Everything that a chain does not need is switched off. Point masses get the smallest inertia that MuJoCo accepts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.mechanisms import Mechanism
from benchmarks.report import Unavailable


def require() -> Any:
    """The module, or a word why not."""
    try:
        import mujoco
        import mujoco.rollout
    except ImportError as error:
        raise Unavailable(f"MuJoCo is not installed: pip install 'chainlist[bench]' ({error})") from error
    return mujoco


def _model_text(lengths: list[float], gravity: float) -> str:
    inner = ""
    for k in reversed(range(len(lengths))):
        place = lengths[k - 1] if k else 0.0
        inner = (
            f'<body pos="{place!r} 0 0"><joint type="hinge" axis="0 -1 0"/>'
            f'<inertial pos="{lengths[k]!r} 0 0" mass="1" diaginertia="1e-14 1e-14 1e-14"/>{inner}</body>'
        )
    return (
        f'<mujoco><option integrator="RK4" gravity="0 0 {-gravity!r}">'
        '<flag contact="disable" constraint="disable" limit="disable" equality="disable" frictionloss="disable"/>'
        f"</option><worldbody>{inner}</worldbody></mujoco>"
    )


@dataclass
class HingeChain:
    """A chain as MuJoCo sees it. Angles are relative, from link to link."""

    lengths: list[float]
    angles: np.ndarray
    model: Any
    data: Any

    @classmethod
    def of(cls, mechanism: Mechanism) -> HingeChain:
        mujoco = require()
        spans = np.diff(np.array(mechanism.points), axis=0)
        lengths = [float(length) for length in np.hypot(*spans.T)]
        absolute = np.arctan2(spans[:, 1], spans[:, 0])
        model = mujoco.MjModel.from_xml_string(_model_text(lengths, mechanism.gravity))
        return cls(lengths, np.diff(absolute, prepend=0.0), model, mujoco.MjData(model))

    def run(self, steps: int, h: float) -> np.ndarray:
        """March and return the states of all steps, as rollout stores them."""
        mujoco = require()
        self.model.opt.timestep = h
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        start = np.zeros(mujoco.mj_stateSize(self.model, full))
        start[1 : 1 + len(self.angles)] = self.angles  # behind the time
        states, _ = mujoco.rollout.rollout(self.model, [self.data], start, nstep=steps)
        return np.asarray(states[0])

    def run_many(self, members: int, steps: int, h: float) -> np.ndarray:
        """The same for many members that start alike, on one thread; the states at the end."""
        mujoco = require()
        self.model.opt.timestep = h
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        start = np.zeros((members, mujoco.mj_stateSize(self.model, full)))
        start[:, 1 : 1 + len(self.angles)] = self.angles
        states, _ = mujoco.rollout.rollout(self.model, [self.data], start, nstep=steps)
        return np.asarray(states)[:, -1]

    def tip(self, states: np.ndarray) -> tuple[float, float]:
        """Where the last body is in the last state."""
        angles = np.cumsum(states[-1, 1 : 1 + len(self.angles)])
        return float(self.lengths @ np.cos(angles)), float(self.lengths @ np.sin(angles))
