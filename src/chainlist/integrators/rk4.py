"""RK4: the classical Runge–Kutta method of fourth order."""

from chainlist.integrators.base import runge_kutta

runge_kutta(
    "RK4",
    order=4,
    meaning="the classical Runge–Kutta method",
    a=[[], [1 / 2], [0, 1 / 2], [0, 0, 1]],
    b=[1 / 6, 1 / 3, 1 / 3, 1 / 6],
    stable=(2.785, 2.828),
)
