"""MIDPOINT: the explicit midpoint rule. Half an Euler step gives the slope of the whole."""

from chainlist.integrators.base import runge_kutta

runge_kutta("MIDPOINT", order=2, meaning="the explicit midpoint rule", a=[[], [1 / 2]], b=[0, 1])
