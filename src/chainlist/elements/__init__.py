"""The elements, in the order in which they were registered."""

from chainlist.elements import link, slider, pin, motor, general, rate, spring, damper, force, torque, rigid, wall  # isort: skip
from chainlist.elements.base import REGISTRY, ElementType

__all__ = [
    "REGISTRY",
    "ElementType",
    "damper",
    "force",
    "general",
    "link",
    "motor",
    "pin",
    "rate",
    "rigid",
    "slider",
    "spring",
    "torque",
    "wall",
]
