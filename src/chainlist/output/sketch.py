"""What a picture of a mechanism is made of: rods, bodies, pivots, rails, and the part of the plane to show.

Drawn by `pictures.py` (matplotlib) and `frames.py` (Pillow) in the same proportions and colours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Element, Mechanism
from chainlist.run.quantities import Motion
from chainlist.run.status import CANCELLED, INCOMPLETE, Status

Floats = NDArray[np.float64]
Place = tuple[float, float]

# Colours (red, green, blue), readable for all kinds of colour vision and in grey.
ROD = (38, 70, 112)
BODY = (194, 92, 10)
FIXED = (70, 70, 70)
PATH = (150, 165, 180)
PALE = (205, 216, 228)  # the oldest exposure
PALE_BODY = (245, 214, 184)

_FULL_SIZE = 0.02  # of the picture: the diameter of the heaviest body
RUNAWAY = 30.0  # where a run broke down: states that far away, in sizes of the mechanism at its start, are not shown
OUT_OF_SIGHT = 1e30  # m: no axis holds that


@dataclass(frozen=True)
class Rod:
    """A link; each end is the index of a body, or a fixed point."""

    name: str
    ends: tuple[int | Place, int | Place]


@dataclass(frozen=True)
class Rail:
    """A slider's line, cut to where its body goes: from `start` to `stop`."""

    body: int
    start: Place
    stop: Place


@dataclass(frozen=True)
class View:
    """The part of the plane that is shown."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass(frozen=True)
class Sketch:
    """The parts of a mechanism that a picture shows. `bodies` are indices, `radius` from 0 to 1 by the cube root of mass."""

    bodies: tuple[int, ...]
    names: tuple[str, ...]
    radius: tuple[float, ...]
    rods: tuple[Rod, ...]
    rails: tuple[Rail, ...]
    pivots: tuple[Place, ...]
    view: View
    crowding: float  # bodies are drawn smaller by this factor where rods are short


def sketch(motion: Motion, names: tuple[str, ...] | None = None) -> Sketch:
    """The named constraints with the bodies at their ends; without names, everything."""
    mechanism = motion.mechanism
    chosen = [c for c in mechanism.constraints if names is None or c.name in names]
    bodies = _bodies(mechanism, chosen, everything=names is None or len(chosen) == len(mechanism.constraints))
    rods = tuple(_rod(mechanism, c) for c in chosen if len(c.ends) == 2)
    pivots = tuple(dict.fromkeys(end for rod in rods for end in rod.ends if not isinstance(end, int)))
    view = _view(motion, bodies, pivots)
    return Sketch(
        bodies=bodies,
        names=tuple(mechanism.bodies[i].name for i in bodies),
        radius=_radii(mechanism, bodies),
        rods=rods,
        rails=tuple(_rail(motion, c, view) for c in chosen if c.letter == "S"),
        pivots=pivots,
        view=view,
        crowding=_crowding(mechanism, len(bodies), view),
    )


def finite_states(motion: Motion) -> NDArray[np.bool_]:
    """(samples,): True for samples that a picture shows: numbers, and, where a run broke down, not far away.

    A run that ended well may go as far as it likes: a body in free fall has no size that it could be measured by.
    """
    q = motion.q.reshape(len(motion.t), -1, motion.mechanism.dimension)
    with np.errstate(all="ignore"):
        shown = np.asarray((np.abs(q) < OUT_OF_SIGHT).all(axis=(1, 2)))
        lengths = [c.parameters[1] for c in motion.mechanism.links]
        center = q[0].mean(axis=0)
        size = max([float(np.abs(q[0] - center).max()), *lengths])
        if size > 0 and (_broke_down(motion) or not shown.all()):
            reach = RUNAWAY * size * max(1, len(lengths)) ** 0.5
            shown &= (np.abs(q - center) < reach).all(axis=(1, 2))
        return shown


def _broke_down(motion: Motion) -> bool:
    """A trace does not say how its run ended; what is not a number in it does."""
    status: Status | None = getattr(motion, "status", None)
    return status is not None and not status.ok and status.code not in (CANCELLED, INCOMPLETE)


def _bodies(mechanism: Mechanism, chosen: list[Element], *, everything: bool) -> tuple[int, ...]:
    if everything:
        return tuple(range(len(mechanism.bodies)))
    held = {end for constraint in chosen for end in constraint.ends if isinstance(end, str)}
    return tuple(i for i, body in enumerate(mechanism.bodies) if body.name in held)


def _rod(mechanism: Mechanism, constraint: Element) -> Rod:
    first, second = (mechanism.body_index[end] if isinstance(end, str) else (end[0], end[1]) for end in constraint.ends)
    return Rod(constraint.name, (first, second))


def _crowding(mechanism: Mechanism, bodies: int, view: View) -> float:
    """1, or less where bodies of full size would hide the rods between them, or are very many."""
    lengths = [link.parameters[1] for link in mechanism.links]
    rods = 0.4 * float(np.median(lengths)) / (_FULL_SIZE * max(view.width, view.height)) if lengths else 1.0
    return float(np.clip(min(rods, (40 / max(bodies, 1)) ** 0.5), 0.3, 1.0))


def _radii(mechanism: Mechanism, bodies: tuple[int, ...]) -> tuple[float, ...]:
    masses = np.array([mechanism.bodies[i].mass for i in bodies])
    if len(masses) == 0 or not np.isfinite(masses).all():
        return (0.7,) * len(bodies)
    return tuple(float(r) for r in np.clip(np.cbrt(masses / masses.max()), 0.5, 1.0))


def _rail(motion: Motion, slider: Element, view: View) -> Rail:
    """The line where the body moves, and a little more on both sides."""
    mechanism = motion.mechanism
    body = mechanism.body_index[str(slider.ends[0])]
    k1, k2, konst = slider.parameters
    length = float(np.hypot(k1, k2))
    n = np.array([k1, k2]) / length
    along = np.array([n[1], -n[0]])
    foot = n * konst / length
    where = motion.q[finite_states(motion)][:, body] @ along
    margin = 0.08 * max(view.width, view.height)
    start, stop = foot + along * (where.min() - margin), foot + along * (where.max() + margin)
    return Rail(body, (float(start[0]), float(start[1])), (float(stop[0]), float(stop[1])))


def _view(motion: Motion, bodies: tuple[int, ...], pivots: tuple[Place, ...]) -> View:
    """Everything that the bodies reach and all pivots, with a margin; never flat."""
    seen = motion.q[finite_states(motion)][:, list(bodies)].reshape(-1, motion.mechanism.dimension)[:, :2]
    points = np.concatenate([seen, np.array(pivots).reshape(-1, 2)])
    low, high = points.min(axis=0), points.max(axis=0)
    size = float((high - low).max()) or 1.0
    center, half = (low + high) / 2, (high - low) / 2
    half = np.maximum(half, 0.12 * size) + 0.08 * size
    return View(*(float(x) for x in (*(center - half), *(center + half))))
