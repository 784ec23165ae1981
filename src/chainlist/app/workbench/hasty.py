"""Runs that must be there at once, while a knob is turned: only as much of the motion as there is time for.

The steps are those of the whole run, so what is shown is true; it only ends earlier.
"""

from __future__ import annotations

from dataclasses import replace

from chainlist.model.mechanism import Mechanism

BUDGET = 0.03  # s of computing
FEWEST_STEPS = 50
_FIRST_PACE = 4e6  # steps times (bodies + constraints) in a second, before anything was measured


class Pace:
    """How fast this process computes, learnt from run to run."""

    def __init__(self) -> None:
        self._pace = _FIRST_PACE

    def beginning(self, mechanism: Mechanism) -> Mechanism:
        """The mechanism with a run that is short enough."""
        transient = mechanism.transient
        steps = max(FEWEST_STEPS, int(BUDGET * self._pace / _size(mechanism)))
        least = transient.start + max(FEWEST_STEPS * transient.step, 2 * (mechanism.options.save or 0.0))
        stop = float(f"{max(least, steps * transient.step):.9g}")
        return mechanism if stop >= transient.stop else replace(mechanism, transient=replace(transient, stop=stop))

    def learn(self, mechanism: Mechanism, seconds: float) -> None:
        """A run took so long; one alone may have been disturbed, so it counts for a third."""
        if seconds > 0:
            steps = mechanism.transient.stop / mechanism.transient.step
            self._pace += (steps * _size(mechanism) / seconds - self._pace) / 3


def _size(mechanism: Mechanism) -> int:
    return 1 + len(mechanism.bodies) + len(mechanism.constraints)
