"""The integrators, the default first."""

from chainlist.integrators import rk4, euler, midpoint, heun, ssprk3  # isort: skip
from chainlist.integrators.base import REGISTRY, Integrator, register, runge_kutta

__all__ = [
    "REGISTRY",
    "Integrator",
    "euler",
    "heun",
    "midpoint",
    "register",
    "rk4",
    "runge_kutta",
    "ssprk3",
]
