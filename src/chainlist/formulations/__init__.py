"""The systems of equations that DAESYSTEM names, the default first."""

from chainlist.formulations import projected, index1, index1_2, index1_2_damped  # isort: skip
from chainlist.formulations.base import REGISTRY, Formulation, register

__all__ = ["REGISTRY", "Formulation", "index1", "index1_2", "index1_2_damped", "projected", "register"]
