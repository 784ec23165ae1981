"""How space is seen: an orthographic camera. The plane is seen as it is. `web/camera.js` does the same.

Azimuth 0 and elevation 0 look at the plane of x and y as pictures of the plane do: x to the right, y up, z to the eye.
The azimuth takes the eye around the vertical to the right, the elevation up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chainlist.model.mechanism import Mechanism
from chainlist.run.observables import Curve

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Angles in degrees; parallel lines stay parallel, and a metre across the view is as long wherever it is."""

    azimuth: float = 0.0
    elevation: float = 0.0

    @cached_property
    def axes(self) -> Floats:
        """(3, 3): the directions to the right, up, and to the eye."""
        a, e = np.radians([self.azimuth, self.elevation])
        right = (np.cos(a), 0.0, -np.sin(a))
        up = (-np.sin(e) * np.sin(a), np.cos(e), -np.sin(e) * np.cos(a))
        eye = (np.cos(e) * np.sin(a), np.sin(e), np.cos(e) * np.cos(a))
        return np.array([right, up, eye])

    def flat(self, points: ArrayLike) -> Floats:
        """(…, 2) of (…, dim): to the right and up [m]."""
        given = np.asarray(points, float)
        return given if given.shape[-1] == 2 else given @ self.axes[:2].T

    def depth(self, points: ArrayLike) -> Floats:
        """(…): how near to the eye [m]; in the plane 0."""
        given = np.asarray(points, float)
        return np.zeros(given.shape[:-1]) if given.shape[-1] == 2 else given @ self.axes[2]


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


FRONT = Camera()


def seen_path(curve: Curve, camera: Camera) -> tuple[Floats, Floats]:
    """What a path is drawn over, and its values: in space as the camera sees it."""
    assert curve.over is not None
    if curve.away is None:
        return curve.over, curve.values
    x, y = camera.flat(np.stack([curve.over, curve.values, curve.away], axis=-1)).T
    return x, y


def camera_of(mechanism: Mechanism) -> Camera:
    """The camera that the options ask for."""
    return Camera(*mechanism.options.view)
