"""The integrators, the default first."""

from chainlist.integrators import rk4, euler, midpoint, heun, ssprk3, dopri5, dop853, sdirk4, rattle, rattle4  # isort: skip
from chainlist.integrators.base import REGISTRY, Integrator, register, runge_kutta

__all__ = [
    "REGISTRY",
    "Integrator",
    "dop853",
    "dopri5",
    "euler",
    "heun",
    "midpoint",
    "rattle",
    "rattle4",
    "register",
    "rk4",
    "runge_kutta",
    "sdirk4",
    "ssprk3",
]
