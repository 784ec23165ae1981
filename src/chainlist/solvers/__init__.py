"""The pseudoinverses, the default first."""

from chainlist.solvers import auto  # isort: skip
from chainlist.solvers.base import REGISTRY, Solver, register

__all__ = ["REGISTRY", "Solver", "auto", "register"]
