"""Motions that are known exactly, for tests of what is shown: a crank that turns evenly and drives a slider."""

import numpy as np

import chainlist
from chainlist.output.scene import Panel, PanelCurve, build_scene

TEXT = """Slider and crank
B1 (1,0) 1
B2 (3,0) 8
C1 B1 (0,0)
C2 B1 B2
S1 B2 LINE(0,1,0)
.tran 0 4 1E-3
.options FRAME=0.5s PLOTMODE=ANIMATE
"""
TURNS_PER_SECOND = 0.5


def crank_at(t):
    """Exact positions and velocities, (samples, 2, 2): the crank has length 1, the rod length 2."""
    rate = 2 * np.pi * TURNS_PER_SECOND
    c, s = np.cos(rate * t), np.sin(rate * t)
    root = np.sqrt(4 - s * s)
    zero = np.zeros_like(t)
    q = np.stack([np.stack([c, s], -1), np.stack([c + root, zero], -1)], 1)
    v = rate * np.stack([np.stack([-s, c], -1), np.stack([-s - s * c / root, zero], -1)], 1)
    return q, v


def crank_panels(t, q):
    distance = np.hypot(*(q[:, 1] - q[:, 0]).T)
    return (
        Panel(
            "X(ALL)", (PanelCurve("X(B1)", t, q[:, 0, 0]), PanelCurve("X(B2)", t, q[:, 1, 0])), y_label="x", y_unit="m"
        ),
        Panel("Constraint error", (PanelCurve("C2", t, distance - 2),), y_label="error", y_unit="m"),
        Panel("PATH(B1)", (PanelCurve("B1", q[:, 0, 0], q[:, 0, 1]),), "path", "x", "y", "m", "m"),
    )


def crank_scene(text=TEXT, samples=4001, **more):
    t = np.linspace(0, 4, samples)
    q, v = crank_at(t)
    tension = np.stack([np.cos(t), np.sin(t)], 1)
    settings = {"tension": tension, "panels": crank_panels(t, q), "figures": [("steps", "4000")], "notes": ["A note."]}
    return build_scene(chainlist.parse(text), t, q, v, **(settings | more))
