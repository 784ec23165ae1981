"""Energies over the samples of a run, apart for bodies that do not feel one another."""

from __future__ import annotations

import numpy as np

from chainlist.compile.layout import Floats
from chainlist.run.runner import Runner


def energies_of_groups(runner: Runner) -> tuple[Floats, Floats]:
    """T and T + U, (samples, groups) each [J]."""
    bodies, kept = runner.assembly.bodies, runner.written
    groups = runner.system.groups
    kinetic = np.zeros((kept, len(groups.size)))
    energy = np.zeros_like(kinetic)
    for g in range(len(groups.size)):
        chosen = np.flatnonzero(groups.of_point[:bodies] == g)
        members = slice(0, bodies) if len(chosen) == bodies else chosen  # all of them need not be copied
        mass, gravity = runner.system.mass[:bodies][members], runner.system.gravity[:bodies][members]
        q, v = runner.Q[:kept, members], runner.V[:kept, members]
        with np.errstate(over="ignore", invalid="ignore"):
            kinetic[:, g] = 0.5 * np.einsum("i,tic,tic->t", mass, v, v)
            energy[:, g] = kinetic[:, g] - np.einsum("i,ic,tic->t", mass, gravity, q)
    return kinetic, energy
