"""SSPRK3: the strong-stability-preserving method of third order by Shu and Osher: a mean of Euler steps."""

from chainlist.integrators.base import runge_kutta

runge_kutta(
    "SSPRK3",
    order=3,
    meaning="Shu and Osher's strong-stability-preserving method",
    a=[[], [1], [1 / 4, 1 / 4]],
    b=[1 / 6, 1 / 6, 2 / 3],
    stable=(2.512, 1.732),
)
