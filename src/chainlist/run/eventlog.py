"""Events in traces: as arrays of times, words, names, impulses and losses, which other programs read too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from chainlist.run.happenings import Happening, events_of

UNITS = {"event_time": {"units": "s"}, "event_impulse": {"units": "N s"}, "event_lost": {"units": "J"}}
NAMES = ("event_time", "event_what", "event_who", "event_impulse", "event_lost", "event_note")


def event_arrays(motion: Any) -> dict[str, Any]:
    """One array for each of `NAMES`, an event an entry; empty where nothing happened. `who` are names between spaces."""
    events = events_of(motion)
    if not events:
        return {}
    columns = (
        np.array([event.time for event in events]),
        np.array([event.what for event in events]),
        np.array([" ".join(event.who) for event in events]),
        np.array([event.impulse for event in events]),
        np.array([event.lost for event in events]),
        np.array([event.note for event in events]),
    )
    return dict(zip(NAMES, columns, strict=True))


def events_from(stored: Mapping[str, Any]) -> tuple[Happening, ...]:
    """What `event_arrays` gave; nothing from a trace without events."""
    if any(name not in stored for name in NAMES):
        return ()
    rows = zip(*(np.asarray(stored[name]).tolist() for name in NAMES), strict=True)
    return tuple(
        Happening(time, str(what), tuple(str(who).split()), impulse, lost, str(note))
        for time, what, who, impulse, lost, note in rows
    )
