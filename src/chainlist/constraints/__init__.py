"""The types of constraint, in the order in which they were registered."""

from chainlist.constraints import link, slider
from chainlist.constraints.base import REGISTRY, ConstraintType

__all__ = ["REGISTRY", "ConstraintType", "link", "slider"]
