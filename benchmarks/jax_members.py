"""Members of an ensemble in jax: points on links, accelerations by the multipliers, RK4; vectorised, compiled, in double precision.

What a user of jax would write: no projection, no guards. A run returns the last positions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.report import Unavailable
from chainlist.model.mechanism import Mechanism

H = 1e-3


def require() -> Any:
    """The module, or a word why not."""
    try:
        import jax
    except ImportError as error:
        raise Unavailable(f"jax is not installed: pip install 'chainlist[bench]' ({error})") from error
    jax.config.update("jax_enable_x64", True)
    return jax


def runner(mechanism: Mechanism, members: int) -> Callable[[int], np.ndarray]:
    """`run(steps)`: all members from the start of the machine, (members, bodies, 2) at the end."""
    jax = require()
    jnp = jax.numpy
    index = {body.name: i for i, body in enumerate(mechanism.bodies)}
    start = np.array([body.start for body in mechanism.bodies])
    weights = jnp.array([1.0 / body.mass for body in mechanism.bodies])
    gravity = jnp.array(mechanism.gravity)
    ends = [[index.get(end, -1) if isinstance(end, str) else -1 for end in link.ends] for link in mechanism.links]
    fixed = jnp.array(
        [[end if isinstance(end, tuple) else (0.0, 0.0) for end in link.ends] for link in mechanism.links]
    )
    moves = jnp.array([[float(end >= 0) for end in pair] for pair in ends])
    place = np.array(ends)
    incidence = np.zeros((len(ends), len(start), 2))  # link, body, end
    for k, pair in enumerate(ends):
        for e, body in enumerate(pair):
            if body >= 0:
                incidence[k, body, e] = 1.0
    signs = jnp.array(incidence[:, :, 0] - incidence[:, :, 1])  # (links, bodies)

    def acceleration(q: Any, v: Any) -> Any:
        both = jnp.where(moves[:, :, None] > 0, q[place], fixed)
        d = both[:, 0] - both[:, 1]
        u = signs @ v
        J = signs[:, :, None] * d[:, None, :]
        S = jnp.einsum("kbc,b,lbc->kl", J, weights, J)
        right = jnp.einsum("kbc,c->k", J, gravity) + (u * u).sum(axis=1)
        force = jnp.linalg.solve(S, right)
        return gravity - weights[:, None] * jnp.einsum("kbc,k->bc", J, force)

    def step(state: Any, _: Any) -> Any:
        q, v = state
        k1 = acceleration(q, v)
        k2 = acceleration(q + 0.5 * H * v, v + 0.5 * H * k1)
        k3 = acceleration(q + 0.5 * H * v + 0.25 * H * H * k1, v + 0.5 * H * k2)
        k4 = acceleration(q + H * v + 0.5 * H * H * k2, v + H * k3)
        return (q + H * v + H * H / 6 * (k1 + k2 + k3), v + H / 6 * (k1 + 2 * k2 + 2 * k3 + k4)), None

    def one(q: Any, v: Any, steps: int) -> Any:
        return jax.lax.fori_loop(0, steps, lambda _, state: step(state, None)[0], (q, v))[0]

    every = jax.jit(jax.vmap(one, in_axes=(0, 0, None)))
    places = jnp.array(np.repeat(start[None], members, axis=0))
    return lambda steps: np.asarray(every(places, jnp.zeros_like(places), steps))
