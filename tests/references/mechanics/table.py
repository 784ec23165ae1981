"""The table of mechanisms with forces, drives and velocity constraints whose motion is known.

    from tests.references.mechanics.table import MECHANICS
    problem = MECHANICS["car_axis"]
    problem.states([0.0, 3.0])          # (2, 2, 2), bodies in the order of problem.text

Nothing here uses the program. `test_mechanics_references.py` holds every entry against a second way to compute it.
"""

from tests.references.mechanics import arms, car_axis, drives, pendulums, pieces, springs, strings, velocities
from tests.references.mechanics.problem import MechanicsProblem

_MODULES = (drives, car_axis, springs, velocities, strings, pendulums, arms, pieces)

MECHANICS: dict[str, MechanicsProblem] = {p.name: p for module in _MODULES for p in module.PROBLEMS}
