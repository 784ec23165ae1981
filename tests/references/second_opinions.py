"""Every reference once more, by other equations or other numbers: their difference is what `Problem.error` bounds.

Where a right-hand side needs no linear algebra it runs in `numpy.longdouble`: extended precision on most machines, and
merely a different formula where that type is a double.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.references import one_freedom
from tests.references.chain import Chain
from tests.references.collocation import Motion, integrate
from tests.references.lagrange import MinimalCoordinates
from tests.references.linkage import Linkage
from tests.references.problems import PROBLEMS

Floats = NDArray[np.float64]
Times = Sequence[float] | Floats
Opinion = Callable[[Linkage, Times], Floats]
LONG = np.longdouble


def by_angle(linkage: Linkage, times: Times) -> Floats:
    """A rigid body on a pivot: γ̈ = −ω₀² sin γ integrated, instead of elliptic functions."""
    angle = _angle_motion(linkage)(times)[0][:, 0] - float(_rigid_body(linkage)[1])
    x, y = linkage.start.T
    turned_x = np.outer(np.cos(angle), x) - np.outer(np.sin(angle), y)
    return np.stack([turned_x, np.outer(np.sin(angle), x) + np.outer(np.cos(angle), y)], axis=-1)


def _rigid_body(linkage: Linkage) -> tuple[Any, Any]:
    """ω₀² and the angle of the centre of mass from straight down."""
    places, masses = linkage.start.astype(LONG), np.array(linkage.masses, LONG)
    x, y = masses @ places
    return LONG(linkage.gravity) * np.hypot(x, y) / (masses @ np.sum(places**2, axis=1)), np.arctan2(x, -y)


@cache
def _angle_motion(linkage: Linkage) -> Motion:
    rate2, angle = _rigid_body(linkage)
    return integrate(lambda u, w: -rate2 * np.sin(u), angle, 0.0, linkage.stop, kind=LONG)


def by_tensions(linkage: Linkage, times: Times) -> Floats:
    """A chain from Newton's law and its tensions, instead of a mass matrix."""
    chain = Chain.of(linkage)
    angles = _tension_motion(linkage)(times)[0]
    return np.stack([np.cumsum(chain.lengths * f(angles), axis=-1) for f in (np.cos, np.sin)], axis=-1)


@cache
def _tension_motion(linkage: Linkage) -> Motion:
    chain = Chain.of(linkage)
    start = chain.start_angles(linkage)
    return integrate(chain.by_tensions, start, np.zeros_like(start), linkage.stop, kind=LONG)


def by_hand(linkage: Linkage, times: Times) -> Floats:
    """The slider-crank: T = r²(1 + 4 sin²θ) θ̇²/2, U = g r sin θ, differentiated by hand."""
    angle = _crank_motion(linkage)(times)[0][:, 0]
    x, y = one_freedom.CRANK * np.cos(angle), one_freedom.CRANK * np.sin(angle)
    return np.stack([np.stack([x, y], -1), np.stack([2 * x, np.zeros_like(x)], -1)], axis=1)


@cache
def _crank_motion(linkage: Linkage) -> Motion:
    radius = np.hypot(LONG(linkage.places[0][0]), LONG(linkage.places[0][1]))
    start = np.arctan2(LONG(linkage.places[0][1]), LONG(linkage.places[0][0]))

    def acceleration(u: Any, w: Any) -> Any:
        s, c = np.sin(u), np.cos(u)
        return -(linkage.gravity / radius * c + 4 * s * c * w**2) / (1 + 4 * s**2)

    return integrate(acceleration, start, 0.0, linkage.stop, kind=LONG)


def by_two_freedoms(linkage: Linkage, times: Times) -> Floats:
    """The rhombus with both arms on their own: the symmetry is not put in, it comes out."""
    return _free_rhombus(linkage).positions(_free_rhombus_motion(linkage)(times)[0])


def _free_rhombus(linkage: Linkage) -> MinimalCoordinates:
    return MinimalCoordinates(one_freedom.free_rhombus, linkage.masses, linkage.gravity)


@cache
def _free_rhombus_motion(linkage: Linkage) -> Motion:
    start = np.array([one_freedom.RHOMBUS_START, np.pi - one_freedom.RHOMBUS_START])
    return integrate(_free_rhombus(linkage).accelerations, start, np.zeros(2), linkage.stop)


def by_multipliers(linkage: Linkage, times: Times) -> Floats:
    """Cartesian coordinates and Lagrange multipliers, dense; good where the motion stays clear of singular places."""
    places: Floats = _multiplier_motion(linkage)(times)[0]
    return places.reshape(len(places), -1, 2)


@cache
def _multiplier_motion(linkage: Linkage) -> Motion:
    shape = (-1, len(linkage.masses), 2)

    def acceleration(u: Any, w: Any) -> Any:
        return linkage.accelerations(u.reshape(shape), w.reshape(shape)).reshape(u.shape)

    return integrate(acceleration, linkage.start.ravel(), linkage.start_velocity.ravel(), linkage.stop)


_WAYS: dict[str, Opinion] = {
    "pendulum": by_angle,
    "pendulum_from_top": by_angle,
    "double_pendulum": by_tensions,
    "chain_9": by_tensions,
    "chain_12": by_tensions,
    "chain_16": by_tensions,
    "crosshair": by_multipliers,
    "slider_crank": by_hand,
    "rhombus": by_two_freedoms,
    "five_bar": by_multipliers,
    "lever": by_angle,
    "unbalanced_lever": by_angle,
    "free_triangle": by_multipliers,
    "braced_square": by_angle,
}

SECOND_OPINIONS = {name: partial(way, PROBLEMS[name].linkage) for name, way in _WAYS.items()}
