"""HEUN: the explicit trapezoidal rule of second order (not Heun's method of third order)."""

from chainlist.integrators.base import runge_kutta

runge_kutta("HEUN", order=2, meaning="the explicit trapezoidal rule", a=[[], [1]], b=[1 / 2, 1 / 2])
