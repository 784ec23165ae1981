"""Motions as pictures show them: what was sampled, and how it was just before and behind each event."""

from __future__ import annotations

from chainlist.analyses.splitting import with_states_of_events
from chainlist.model.mechanism import Item
from chainlist.run.observables import Observable, kind_of_item, observe_moments
from chainlist.run.quantities import Moments, Motion
from chainlist.run.trajectory import Trajectory


def with_events(motion: Motion) -> Motion:
    """With both states of each event as samples of their own: a ball touches the floor, and where velocities jump a line is upright.

    A motion that was read from a trace holds no such states, and stays as it is.
    """
    return with_states_of_events(motion) if isinstance(motion, Trajectory) else motion


def observe_drawn(item: Item, even: Moments, moments: Moments) -> Observable:
    """An item with the states of events, `moments`; a spectrum needs the samples alone, which are evenly apart."""
    return observe_moments(even if kind_of_item(item.formula) == "spectrum" else moments, item)
