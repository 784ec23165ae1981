"""The pseudoinverses, the default first."""

from chainlist.solvers import auto, greville, cholesky, gencholesky, svd  # isort: skip
from chainlist.solvers.base import REGISTRY, Solver, register

__all__ = ["REGISTRY", "Solver", "auto", "cholesky", "gencholesky", "greville", "register", "svd"]
