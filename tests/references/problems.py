"""The table of reference motions: a chainlist, where its bodies truly are, until when, and how well that is known.

    from tests.references.problems import PROBLEMS
    problem = PROBLEMS["chain_12"]
    problem.states([0.0, 5.0])          # (2, 12, 2), bodies in the order of problem.text

Nothing here uses the program. Exact formulas where there are any; otherwise minimal coordinates, integrated once per
session and kept. `error` is the largest deviation in any coordinate [m] up to `span` that the comparisons in
`test_references.py` allow; `python -m tests.references.measure` prints what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from tests.references import one_freedom, pendulum
from tests.references.chain import DOUBLE_PENDULUM, Chain, horizontal_chain
from tests.references.collocation import Motion, integrate
from tests.references.free import CROSSHAIR, FREE_TRIANGLE, crosshair, thrown_triangle
from tests.references.lagrange import MinimalCoordinates
from tests.references.linkage import Linkage

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """One mechanism whose motion is known."""

    name: str
    linkage: Linkage
    states: Callable[[Sequence[float] | Floats], Floats]  # times -> positions (times, bodies, 2)
    span: float  # the reference can be trusted from 0 to here [s]
    error: float  # largest error of any coordinate up to `span` [m]

    @property
    def text(self) -> str:
        """The chainlist: bodies, links, sliders, .tran and gravity. Everything else is the program's default."""
        return self.linkage.text


@cache
def chain_motion(linkage: Linkage, stop: float) -> Motion:
    chain = Chain.of(linkage)
    start = chain.start_angles(linkage)
    return integrate(chain.by_mass_matrix, start, np.zeros_like(start), stop)


def chain_states(linkage: Linkage, stop: float, times: Sequence[float] | Floats) -> Floats:
    angles, _ = chain_motion(linkage, stop)(times)
    chain = Chain.of(linkage)
    return np.stack([np.cumsum(chain.lengths * f(angles), axis=-1) for f in (np.cos, np.sin)], axis=-1)


ONE_FREEDOM = {
    "slider_crank": (one_freedom.SLIDER_CRANK, one_freedom.slider_crank, one_freedom.CRANK_START),
    "rhombus": (one_freedom.RHOMBUS, one_freedom.rhombus, one_freedom.RHOMBUS_START),
    "five_bar": (one_freedom.FIVE_BAR, one_freedom.five_bar, 0.0),
}


def coordinates(name: str) -> MinimalCoordinates:
    linkage, geometry, _ = ONE_FREEDOM[name]
    return MinimalCoordinates(geometry, linkage.masses, linkage.gravity)


@cache
def one_freedom_motion(name: str) -> Motion:
    linkage, _, start = ONE_FREEDOM[name]
    return integrate(coordinates(name).accelerations, start, 0.0, linkage.stop)


def one_freedom_states(name: str, times: Sequence[float] | Floats) -> Floats:
    place, _ = one_freedom_motion(name)(times)
    return coordinates(name).positions(place)


def _swing(name: str, linkage: Linkage, error: float) -> Problem:
    return Problem(name, linkage, partial(pendulum.rigid_swing, linkage), linkage.stop, error)


def _chain(name: str, linkage: Linkage, error: float) -> Problem:
    return Problem(name, linkage, partial(chain_states, linkage, linkage.stop), linkage.stop, error)


def _folding(name: str, error: float) -> Problem:
    linkage = ONE_FREEDOM[name][0]
    return Problem(name, linkage, partial(one_freedom_states, name), linkage.stop, error)


_ALL = (
    _swing("pendulum", pendulum.PENDULUM, 1e-13),
    _swing("pendulum_from_top", pendulum.PENDULUM_FROM_TOP, 2e-11),
    _chain("double_pendulum", DOUBLE_PENDULUM, 1e-12),
    _chain("chain_9", horizontal_chain(9), 1e-12),
    _chain("chain_12", horizontal_chain(12), 3e-12),
    _chain("chain_16", horizontal_chain(16), 1e-12),
    Problem("crosshair", CROSSHAIR, crosshair, CROSSHAIR.stop, 1e-13),
    _folding("slider_crank", 1e-12),
    _folding("rhombus", 3e-12),
    _folding("five_bar", 2e-12),
    _swing("lever", pendulum.LEVER, 1e-13),
    _swing("unbalanced_lever", pendulum.UNBALANCED_LEVER, 1e-13),
    Problem("free_triangle", FREE_TRIANGLE, thrown_triangle, FREE_TRIANGLE.stop, 1e-12),
    _swing("braced_square", pendulum.BRACED_SQUARE, 1e-13),
)

PROBLEMS: dict[str, Problem] = {problem.name: problem for problem in _ALL}
