"""Springs and dampers as soft rows: what an implicit method solves for together with the constraints.

A spring of stiffness k along a coordinate g is a row A = ∂g/∂q that gives way: over a step γh its force changes by −κ A δa for a
change δa of the accelerations, κ = k (γh)² + c γh. So S gets 1/κ on its diagonal there, and masses stay diagonal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chainlist.compile.pattern import Elimination
from chainlist.elements import REGISTRY
from chainlist.equations.equation import FORMULA, Equation, Force, points_in
from chainlist.equations.primitive import Primitive
from chainlist.equations.tables import Points, Tables
from chainlist.formula import End, Quantity
from chainlist.kernels.bundles import Stiff
from chainlist.model.mechanism import Mechanism


def soften(
    mechanism: Mechanism, points: Points, equations: Sequence[Equation], forces: Sequence[Force], size: float
) -> Stiff:
    """The rows of a run, in their order, and those of its springs and dampers, eliminated together."""
    soft, numbers = soft_equations(forces, mechanism.dimension)
    elimination = Elimination([*equations, *soft], mechanism.vector_index)
    place = np.argsort(elimination.order)
    tables = Tables(points, elimination.equations, (), plain=False)
    table = tables.rows(size, as_written=False)
    table.scale[place[len(equations) :]] = 1.0  # a soft row is as long as its gradient: κ is in its units
    return Stiff(
        table,
        elimination.pattern(table.point, mechanism.dimension),
        place[: len(equations)].astype(np.uint32),
        place[len(equations) :].astype(np.uint32),
        np.array(numbers, float).reshape(-1, 2),
    )


def soft_equations(forces: Sequence[Force], dimension: int) -> tuple[list[Equation], list[tuple[float, float]]]:
    """A row for each spring and damper, and its stiffness and damping. Forces by expression stay what they are."""
    spell = Primitive(dimension, _no_link)
    equations, numbers = [], []
    for force in forces:
        native, law = force.native, force.law
        if native is not None and (soft := REGISTRY[native.kind].soft) is not None:
            along = spell(Quantity("DIST", native.ends))
            numbers.append(soft(native.parameters))
        elif law is not None and law.force is None:
            along = law.along
            numbers.append((law.stiffness, law.damping))
        else:
            continue
        equations.append(Equation(FORMULA, points_in(along), formula=along))
    return equations, numbers


def _no_link(name: str) -> tuple[End, End]:
    raise ValueError(f"{name} was not replaced by its two ends")
