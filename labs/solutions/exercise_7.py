"""Model solution of exercise 7: the energy corrector, and the pendulum whose period it gets wrong."""

import numpy as np


def corrected(v, masses, E, U):
    """v scaled by √((E − U)/T): then the kinetic energy is E − U. At rest, or where E < U, v stays as it is."""
    T = 0.5 * masses @ (v**2).sum(axis=1)
    if T <= 1e-12 * max(abs(E), abs(U), 1e-300) or E <= U:
        return v.copy()
    return v * np.sqrt((E - U) / T)


CHAINLIST = """* Pendulum from the top, corrected
B1 (0.001,0.9999995) 1
C1 B1 (0,0)
.tran 0 200 0.1
.options gravity=1 DAESYSTEM=INDEX1_2_DAMPED INTEGRATOR=MIDPOINT ENERGYCORRECTOR=ON
"""

EXPLANATION = """
The kinetic energy goes with the square of the velocities, so one common factor √((E − U)/T) puts the total energy right and
leaves all directions as they are. What it repairs is one number. The phase of the motion, the way in which energy is shared
among several bodies and the direction in which they go remain as wrong as the step has made them: here the pendulum comes
back a little too early each time, until it is on the other side of the circle. And the energy, which would have warned us
that the step is too long, no longer does.
"""
