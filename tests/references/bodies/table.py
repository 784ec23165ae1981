"""The table of mechanisms of rigid bodies whose motion is known.

    from tests.references.bodies.table import BODIES
    BODIES["andrews"].values([0.0, 0.03])["ANGLE(R1)"]

Nothing here uses the program.
"""

from tests.references.bodies import andrews, cranks, linkages, rolling, skates, swings
from tests.references.bodies.problem import BodyProblem

_MODULES = (swings, andrews, cranks, linkages, rolling, skates)

BODIES: dict[str, BodyProblem] = {p.name: p for module in _MODULES for p in module.PROBLEMS}
