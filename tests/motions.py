"""Motions written down as formulas, so that what is shown of them can be checked against the formula."""

from __future__ import annotations

import numpy as np

from chainlist.compile.read import parse
from chainlist.run.trajectory import Trajectory

CROSSHAIR = """* Crosshair
.param k=2
B1 (0,0) 1 IC_VEL=(1,0)
B2 (0,1) 3
C1 B1 B2
S1 B1 LINE(0,1,0)
S2 B2 LINE(2,0,0)
.tran 0 6.28 0.01
.options gravity=0 FRAME=0.4s PLOTMODE=ANIMATEWITHSTROBO
"""


def crosshair(extra: str = "", samples: int = 629, **changes: float) -> Trajectory:
    """Two masses on crossed rails: B1 = (sin t, 0), B2 = (0, cos t), exactly (for equal masses a motion without forces)."""
    mechanism = parse(CROSSHAIR + extra)
    t = np.array([k / 100 for k in range(samples)])
    zero = np.zeros_like(t)
    q = np.stack([np.stack([np.sin(t), zero], -1), np.stack([zero, np.cos(t)], -1)], 1)
    v = np.stack([np.stack([np.cos(t), zero], -1), np.stack([zero, -np.sin(t)], -1)], 1)
    return Trajectory(mechanism=mechanism, t=t, q=q, v=v)


def wanderers(extra: str = "", samples: int = 2001) -> Trajectory:
    """Three bodies on smooth paths that keep to no constraint: residuals and their derivatives are large."""
    mechanism = parse(
        "* Wanderers\nB1 (1,0) 1\nB2 (2,0) 2\nB3 (3,1) 0.5\nC1 B1 (0,0)\nC2 B1 B2\nC3 B3 B2\nS1 B3 LINE(3,-4,2)\n"
        ".tran 0 2 1E-3\n" + extra
    )
    t = np.array([k / 1000 for k in range(samples)])
    phase = np.arange(6).reshape(3, 2)
    pace = 1.0 + 0.3 * phase
    angle = t[:, None, None] * pace + phase
    return Trajectory(mechanism=mechanism, t=t, q=np.sin(angle) * pace, v=np.cos(angle) * pace**2)


def whirl(turns: float, samples: int, *, stored: bool = True) -> Trajectory:
    """A pendulum that goes round at a constant rate, `turns` times in one second."""
    mechanism = parse("* Whirl\nB1 (1,0) 1\nC1 (0,0) B1\n.tran 0 1 1E-3\n")
    t = np.linspace(0.0, 1.0, samples)
    rate = 2 * np.pi * turns
    q = np.stack([np.cos(rate * t), np.sin(rate * t)], -1)[:, None]
    v = rate * np.stack([-np.sin(rate * t), np.cos(rate * t)], -1)[:, None]
    return Trajectory(mechanism=mechanism, t=t, q=q, v=v if stored else None)
