"""The equations of a mechanism at one state, as NumPy arrays: for checks, for tests, and for students.

The motion is M a + Aᵀλ = F with A a = b, where the rows of A and b are the constraints, differentiated twice.
Everything here runs the row kernels as they stand, in plain Python. `equations` gives dense arrays to experiment with;
`Layout` is the sparse form, one short row for each constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chainlist.constraints import REGISTRY
from chainlist.kernels.slots import DIM

if TYPE_CHECKING:
    from chainlist.model.mechanism import Mechanism, Point

Floats = NDArray[np.float64]

MANY = 8  # rows of one type from which on it pays to evaluate them together


class Rows(NamedTuple):
    """The constraints at one state; row k belongs to `mechanism.constraints[k]`."""

    phi: Floats  # Φ, in the paper's scaling
    J: Floats  # (rows, ends, dimension): the derivative of Φ by the coordinates of each end
    b: Floats  # −(A v)_q v
    point: NDArray[np.uint32]  # (rows, ends): the point of each end; J is 0 at ends that a row does not have


class Equations(NamedTuple):
    """Coordinates count body by body: x of the first, y of the first, x of the second, …"""

    A: Floats  # (constraints, coordinates)
    b: Floats  # (constraints,)
    phi: Floats  # (constraints,)
    M: Floats  # (coordinates, coordinates), diagonal [kg]
    F: Floats  # (coordinates,): gravity [N]


@dataclass(frozen=True, eq=False)
class Layout:
    """The constraints of a mechanism as arrays that the row kernels read. Points are the bodies, then the anchors."""

    bodies: int
    dimension: int
    anchors: tuple[Point, ...]
    point: NDArray[np.uint32]  # (rows, ends)
    par: Floats  # (rows, parameters)
    kernels: tuple[Callable[..., Any], ...]  # of each row

    def evaluate(self, q: ArrayLike, v: ArrayLike | None = None, only: Iterable[int] | None = None) -> Rows:
        """All rows at positions q and velocities v (0 if not given), each of shape (bodies, dimension).

        With `only`, the rows not named stay 0.
        """
        places = np.zeros((self.bodies + len(self.anchors), self.dimension))
        speeds = np.zeros_like(places)
        places[: self.bodies] = q
        if self.anchors:
            places[self.bodies :] = self.anchors
        if v is not None:
            speeds[: self.bodies] = v
        rows, ends = self.point.shape
        s = SimpleNamespace(point=self.point, par=self.par)
        w = SimpleNamespace(phi=np.zeros(rows), J=np.zeros((rows, ends * self.dimension)), b=np.zeros(rows))
        by_kernel: dict[Callable[..., Any], list[int]] = {}
        for k in range(rows) if only is None else only:
            by_kernel.setdefault(self.kernels[k], []).append(k)
        with np.errstate(all="ignore"):  # a state beyond all numbers shows in the result
            for kernel, which in by_kernel.items():
                _run(kernel, which, s, w, places, speeds)
        return Rows(w.phi, w.J.reshape(rows, ends, self.dimension), w.b, self.point)


def lay_out(mechanism: Mechanism) -> Layout:
    """The arrays behind the constraints of a mechanism; anchors are numbered in the order in which they appear."""
    number: dict[str | Point, int] = {body.name: i for i, body in enumerate(mechanism.bodies)}
    anchors = []
    for constraint in mechanism.constraints:
        for end in constraint.ends:
            if not isinstance(end, str) and end not in number:
                number[end] = len(number)
                anchors.append(end)
    rows = len(mechanism.constraints)
    ends = max([2, *(len(constraint.ends) for constraint in mechanism.constraints)])
    width = max([1, *(len(constraint.parameters) for constraint in mechanism.constraints)])
    point = np.zeros((rows, ends), dtype=np.uint32)
    par = np.zeros((rows, width))
    if rows:
        held = [[number[end] for end in constraint.ends] for constraint in mechanism.constraints]
        point[:] = [points + points[:1] * (ends - len(points)) for points in held]
        par[:] = [c.parameters + (0.0,) * (width - len(c.parameters)) for c in mechanism.constraints]
    dimension = mechanism.dimension
    kernel_of = {c.letter: _in_dimension(REGISTRY[c.letter].row, dimension) for c in mechanism.constraints}
    kernels = tuple(kernel_of[constraint.letter] for constraint in mechanism.constraints)
    return Layout(len(mechanism.bodies), dimension, tuple(anchors), point, par, kernels)


def _run(kernel: Callable[..., Any], which: list[int], s: Any, w: Any, q: Floats, v: Floats) -> None:
    """Run a row kernel for some rows: for many at once if it has no branches, else for one after the other.

    A kernel without branches does the same with an array of row numbers as with each of them; one with branches
    refuses arrays with an exception.
    """
    if len(which) > MANY:
        try:
            kernel(np.array(which), s, w, 0.0, q, v)
            return
        except (TypeError, ValueError):
            pass
    for k in which:
        kernel(k, s, w, 0.0, q, v)


def _in_dimension(kernel: Callable[..., Any], dimension: int) -> Callable[..., Any]:
    """The kernel with its slot DIM filled; in the plane it is filled as it stands."""
    if dimension == DIM or not isinstance(kernel, FunctionType):
        return kernel
    return FunctionType(kernel.__code__, kernel.__globals__ | {"DIM": dimension}, kernel.__name__)


def _check_one_state(name: str, found: tuple[int, ...], wanted: tuple[int, int]) -> None:
    try:
        fits = np.broadcast_shapes(found, wanted) == wanted
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name} has the shape {found}, and (bodies, dimension) is {wanted}: give one state, such as motion.{name}[0]"
        )


def rows(mechanism: Mechanism, q: ArrayLike, v: ArrayLike) -> Rows:
    """Φ, the rows of A and b at positions q and velocities v, each of shape (bodies, dimension)."""
    return lay_out(mechanism).evaluate(q, v)


def equations(mechanism: Mechanism, q: ArrayLike, v: ArrayLike) -> Equations:
    """A, b, Φ, M, F at one state. The motion is M a + Aᵀλ = F with A a = b.

    q and v have the shape (bodies, dimension). Gravity acts along the last coordinate, downward.
    """
    for name, state in (("q", q), ("v", v)):
        _check_one_state(name, np.shape(state), (len(mechanism.bodies), mechanism.dimension))
    phi, J, b, point = rows(mechanism, q, v)
    bodies, dimension = len(mechanism.bodies), mechanism.dimension
    A = np.zeros((len(phi), bodies, dimension))
    for end in range(J.shape[1]):
        moving = np.flatnonzero(point[:, end] < bodies)
        np.add.at(A, (moving, point[moving, end]), J[moving, end])
    masses = np.array([body.mass for body in mechanism.bodies], dtype=float)
    F = np.zeros((bodies, dimension))
    F[:, -1] = -masses * mechanism.options.gravity
    M = np.diag(np.repeat(masses, dimension))
    return Equations(A.reshape(len(phi), bodies * dimension), b, phi, M, F.reshape(-1))
