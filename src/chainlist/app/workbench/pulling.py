"""Pulling, in a worker: the motion goes on in the time of the viewer, and a spring from the pointer to a body pulls.

The motion begins as that of the run, and the pulls before are done once more: so it goes on from just the state that is shown.
"""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist.app.workbench.talk import RequestRefused, Talk
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism
from chainlist.output.packing import drawable
from chainlist.run.grid import RunRefused
from chainlist.run.live import Live

FRAME = 1 / 60  # s of the viewer between two frames
BEATS = 2  # of a frame: so often the force follows the spring
COMPUTING = 0.02  # s of computing that a frame may take; a motion that needs more is slower than it should be
GOES_ON = 10.0  # s of the viewer for which the motion is continued when nobody pulls any more
FIRM = 9.0  # 1/s of the viewer: the spring would swing the whole machine so fast
CALM = 0.3  # most that the spring may swing a body within one beat: a force that follows in beats must not shake it
DAMPING = 0.5  # of critical


@dataclass
class PointerSpring:
    """The spring from the pointer to a body."""

    body: str
    target: Floats
    stiffness: float
    damping: float

    def force(self, place: Floats, velocity: Floats) -> Floats:
        pull: Floats = self.stiffness * (self.target - place) - self.damping * velocity
        return pull


def pull_along(mechanism: Mechanism, head: dict[str, Any], data: dict[str, Any], talk: Talk) -> dict[str, Any]:
    """Continue the motion from `data["time"]`, after the pulls before, and let it be pulled as `talk` hears; why it ended."""
    try:
        live = Live(mechanism, announce=lambda: talk.progress(0.0, "preparing the kernels (compiled once, then kept)"))
    except RunRefused as refusal:
        raise RequestRefused(str(refusal)) from None
    if not live.resistance(_known(mechanism, data["body"])):
        raise RequestRefused(f"{data['body']} has no mass of its own: pull a body beside it")
    _come_to(live, data, talk)
    talk.start_clock()
    talk.send("begin", head | {"text": data["text"]})
    _send(talk, live, [])
    _Hand(live, talk, data).go_on()
    return {"why": live.ended}


def _come_to(live: Live, data: dict[str, Any], talk: Talk) -> None:
    """To the state that is shown: as the run, with the pulls that were there before."""
    for when, body, *force in data["pulls"]:
        if when >= data["time"]:
            break
        live.go_to(float(when), talk.should_stop)
        live.pull(_known(live.mechanism, body) if body else "", [float(f) for f in force])
    live.go_to(float(data["time"]), talk.should_stop)
    live.pull("", ())
    if live.ended:
        raise RequestRefused(f"the motion does not go on from here: {live.ended}")


def _known(mechanism: Mechanism, name: str) -> str:
    """The body of a name, as the text writes it."""
    found = next((body.name for body in mechanism.bodies if body.name.lower() == str(name).lower()), None)
    if found is None or found not in {body.name for body in mechanism.points}:
        raise RequestRefused(f"there is no body {name} in this text")
    return found


class _Hand:
    """Who pulls, and how fast the motion passes."""

    def __init__(self, live: Live, talk: Talk, data: dict[str, Any]) -> None:
        self.live, self.talk = live, talk
        self.speed = float(np.clip(float(data["speed"]), 1e-4, 1e3))
        self.weight = sum(body.mass for body in live.mechanism.vectors if body.weighs)
        self.index = {body.name: i for i, body in enumerate(live.mechanism.bodies)}
        self.grip: PointerSpring | None = None
        self.steer(data)
        self.pace = 1.0  # s of the motion in a second of computing, learnt on the way

    def steer(self, data: dict[str, Any]) -> None:
        """The pointer has moved, or let go."""
        if data["at"] is None:
            self.grip = None
            return
        body = _known(self.live.mechanism, data["body"])
        inertia = self.live.resistance(body)
        target = np.array([float(x) for x in data["at"]], dtype=float)
        if not inertia or target.shape != (self.live.mechanism.dimension,) or not np.isfinite(target).all():
            return
        beat = max(self.speed * FRAME / BEATS, self.live.mechanism.transient.step)
        stiffness = min(self.weight * (FIRM / self.speed) ** 2, inertia * (CALM / beat) ** 2)
        self.grip = PointerSpring(body, target, stiffness, 2 * DAMPING * (stiffness * inertia) ** 0.5)

    def go_on(self) -> None:
        """Frame after frame, as long as somebody pulls, and a while longer."""
        before = held = time.perf_counter()
        while not self.talk.should_stop() and not self.live.ended:
            for news in self.talk.heard():
                self.steer(news)
            now = time.perf_counter()
            passed, before = min(now - before, 2 * FRAME), now
            if self.grip is not None:
                held = now
            elif now - held > GOES_ON:
                return
            self.frame(min(passed * self.speed, COMPUTING * self.pace))
            time.sleep(max(0.0, FRAME - (time.perf_counter() - now)))

    def frame(self, seconds: float) -> None:
        """So many seconds of the motion, in beats; then a frame for whoever watches."""
        live, begin, from_time = self.live, time.perf_counter(), self.live.time
        pulls: list[list[Any]] = []
        for beat in range(1, BEATS + 1):
            pulls.append([live.time, *self.pull(seconds / BEATS)])
            live.go_to(from_time + seconds * beat / BEATS, self.talk.should_stop)
        used = time.perf_counter() - begin
        if live.time > from_time and used > 0:
            self.pace += ((live.time - from_time) / used - self.pace) / 4
            _send(self.talk, live, pulls)

    def pull(self, beat: float) -> list[Any]:
        """Let the spring pull with the force of the middle of the beat; the body and the force."""
        if self.grip is None:
            self.live.pull("", ())
            return ["", *[0.0] * self.live.mechanism.dimension]
        q, v = self.live.state()
        i = self.index[self.grip.body]
        force = [float(f"{f:.6g}") for f in self.grip.force(q[i] + 0.5 * beat * v[i], v[i])]
        self.live.pull(self.grip.body, force)
        return [self.grip.body, *force]


def _send(talk: Talk, live: Live, pulls: list[list[Any]]) -> None:
    """One frame for the player, as those of a run: 1, then time (f8), positions and velocities (f4); and the pulls that led to it."""
    q, v = live.state()
    parts = [np.array([live.time], dtype="<f8"), drawable(q), drawable(v)]
    talk.send("chunk", {"pulls": pulls}, struct.pack("<II", 1, 0) + b"".join(part.tobytes() for part in parts))
