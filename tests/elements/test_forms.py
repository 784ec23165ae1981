"""Every form of every element: rows against differences in q, v and t, forces against their energy, power against F·v."""

import dataclasses

import numpy as np
import pytest

import chainlist
from chainlist.elements import REGISTRY
from chainlist.run.simulate import simulate
from tests.cards import OF_FORCES, OF_POSITIONS, OF_VELOCITIES, SWITCHED, with_bodies

CARDS = (*OF_POSITIONS, *OF_VELOCITIES, *OF_FORCES)
H = 1e-6
MOMENT = 0.3
Q, V = np.random.default_rng(8).normal(size=(2, 4, 2))


def with_card(card, stop="2ms"):
    lines = ["* t", *with_bodies(card), ".options gravity=0", f".tran 0 {stop} 1ms", ".plot Time"]
    return chainlist.parse("\n".join(lines))


def nudges():
    """Each coordinate in turn, moved by H."""
    for k in range(Q.size):
        step = np.zeros(Q.size)
        step[k] = H
        yield k, step.reshape(Q.shape)


def test_every_element_has_a_card():
    assert {card[0] for card in (*CARDS, *SWITCHED)} == {
        letter for letter, kind in REGISTRY.items() if not kind.rigid
    }  # see test_rigid.py


@pytest.mark.parametrize("card", OF_POSITIONS)
def test_rows_of_positions(card):
    made = with_card(card)
    found = made.equations(Q, V, MOMENT)

    def phi(q, t):
        return made.equations(q, V, t).phi

    for k, step in nudges():
        np.testing.assert_allclose(found.A[:, k], (phi(Q + step, MOMENT) - phi(Q - step, MOMENT)) / (2 * H), atol=1e-7)
    np.testing.assert_allclose(-found.c, (phi(Q, MOMENT + H) - phi(Q, MOMENT - H)) / (2 * H), atol=1e-7)


@pytest.mark.parametrize("card", OF_VELOCITIES)
def test_rows_of_velocities(card):
    """A is the derivative by velocities: it does not depend on them, and with c it gives Ψ = A v − c."""
    made = with_card(card)
    one, two = made.equations(Q, V, MOMENT), made.equations(Q, -3 * V, MOMENT)
    np.testing.assert_array_equal(one.A, two.A)
    np.testing.assert_allclose(one.c, two.c, atol=1e-13)
    assert np.abs(one.A[-1]).max() > 0.01


def at_states(card, q, v, t):
    """The trajectory of a machine, with other states put in."""
    motion = simulate(with_card(card), target="python")
    return dataclasses.replace(motion, mechanism=with_card(card, "1s"), q=q, v=v, t=t, memory=None)


def is_potential(card):
    return card.startswith("K") and "{" not in card and "DAMP" not in card


@pytest.mark.parametrize("card", [card for card in OF_FORCES if is_potential(card)])
def test_force_is_the_slope_of_its_energy(card):
    steps = np.array([step for _, step in nudges()])
    states = np.concatenate([Q + steps, Q - steps])
    t = np.linspace(0.0, 1.0, len(states))
    energy = at_states(card, states, np.broadcast_to(V, states.shape), t).observe("U").curves[0].values
    slope = (energy[: Q.size] - energy[Q.size :]) / (2 * H)
    force = with_card(card).equations(Q, V, 0.0).F
    np.testing.assert_allclose(force, -slope, atol=1e-7)
    assert np.abs(force).max() > 0.01


@pytest.mark.parametrize("card", OF_FORCES)
def test_power_is_force_times_velocity(card):
    rng = np.random.default_rng(4)
    q, v = rng.normal(size=(2, 6, 4, 2))
    q = Q + 0.05 * q  # near to one another: angles are followed from sample to sample
    t = np.linspace(0.1, 0.6, 6)
    made = with_card(card)
    name = card.split()[0]
    found = at_states(card, q, v, t).observe(f"POWER({name})").curves[0].values
    wanted = [made.equations(*state).F @ state[1].reshape(-1) for state in zip(q, v, t, strict=True)]
    np.testing.assert_allclose(found, wanted, atol=1e-10)
