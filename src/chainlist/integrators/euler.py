"""EULER: the explicit Euler method, one evaluation a step."""

from chainlist.integrators.base import runge_kutta

runge_kutta("EULER", order=1, meaning="the explicit Euler method", a=[[]], b=[1])
