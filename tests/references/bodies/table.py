"""The table of mechanisms of rigid bodies whose motion is known.

    from tests.references.bodies.table import BODIES
    BODIES["andrews"].values([0.0, 0.03])["ANGLE(R1)"]

Nothing here uses the program.
"""

from types import ModuleType

from tests.references.bodies import (
    andrews,
    bricard,
    cranks,
    disks,
    forces,
    governor,
    hinged,
    linkages,
    rolling,
    skates,
    spinning,
    swings,
)
from tests.references.bodies.problem import BodyProblem

_PLANE = (swings, andrews, cranks, linkages, forces, rolling, skates)
_SPACE = (spinning, hinged, disks, bricard, governor)


def _named(*modules: ModuleType) -> dict[str, BodyProblem]:
    return {problem.name: problem for module in modules for problem in module.PROBLEMS}


PLANE, SPACE = _named(*_PLANE), _named(*_SPACE)
BODIES = PLANE | SPACE
