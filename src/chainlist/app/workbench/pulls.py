"""A user who pulls at a body: the motion of their text goes on in a worker, which is told where the pointer is."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chainlist.app.workbench.pool import Job, Pool, QueueFull
from chainlist.app.workbench.results import ResultStore, RunResult
from chainlist.app.workbench.screen import Screen
from chainlist.app.workbench.wire import Message

KEPT = 20.0  # s for which the end of a motion can still be heard
OTHERS_WAIT = 3.0  # s, while somebody pulls: then they have the worker
WHY_OTHERS = "others wait for their runs: pull again in a while"
MOST_PULLS = 100_000  # that a motion may have before it is taken hold of


@dataclass(frozen=True)
class Grab:
    """A body is taken hold of: where the pointer is, when in the motion, how fast it plays, and what was pulled before."""

    body: str
    at: list[float] | None  # None: let go
    time: float = 0.0
    speed: float = 1.0
    pulls: tuple[tuple[Any, ...], ...] = ()  # from when on, which body, force

    @classmethod
    def of(cls, data: dict[str, Any]) -> Grab | None:
        """What a browser says, all of which could be forged; None for nonsense."""
        try:
            at = None if data["at"] is None else _numbers(data["at"])
            pulls = data.get("pulls") or []
            if len(pulls) > MOST_PULLS:
                return None
            before = tuple((*_numbers([when]), str(body), *_numbers(force)) for when, body, *force in pulls)
            time, speed = _numbers([data.get("time", 0.0), data.get("speed", 1.0)])
        except (KeyError, TypeError, ValueError, OverflowError):  # a whole number may have any number of digits
            return None
        return cls(str(data.get("body", "")), at, max(0.0, time), speed, before)


def _numbers(values: Sequence[Any]) -> list[float]:
    """At most three finite numbers."""
    found = [float(value) for value in values]
    if len(found) > 3 or not all(map(math.isfinite, found)):
        raise ValueError("these are no coordinates")
    return found


class Pulls:
    """What one session pulls: one motion at a time."""

    def __init__(self, runs: Pool, results: ResultStore, screen: Screen, request: Callable[[], dict[str, Any]]) -> None:
        """`request` gives what a worker needs to run the present text."""
        self._runs, self._results, self._screen, self._request = runs, results, screen, request
        self._job: Job | None = None
        self._waiting: set[asyncio.Task[None]] = set()  # for the ends of pulls
        self._others_since: float | None = None  # wait for a worker
        self._why = ""  # it ends, if not by itself

    @property
    def going_on(self) -> bool:
        return self._job is not None

    def begin(self, grab: Grab) -> None:
        """Let the motion go on from where it is shown."""
        self.end()
        self._why, self._others_since = "", None
        request = self._request() | asdict(grab)
        result = self._results.new(request["text"])
        try:
            job = self._runs.submit("pull", request, on_message=lambda message: self._take(result, message))
        except QueueFull:
            result.end(Message("failed", {"message": "too many runs are waiting already; try again in a while"}))
        else:
            self._job = job
            task = asyncio.create_task(self._wait(job, result))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)
        self._screen.follow_pull(f"/runs/{result.key}")

    def steer(self, grab: Grab) -> None:
        """The pointer has moved, or let go; whoever lets go leaves the worker to those who wait for it."""
        if self._job is None:
            return
        self._job.steer({"body": grab.body, "at": grab.at})
        if grab.at is None and self._runs.waiting:
            self.end()

    def end(self) -> None:
        if self._job is not None:
            self._job.abandon()
            self._job = None

    def _take(self, result: RunResult, message: Message) -> None:
        """A frame for the browser; others who wait for a worker do not wait for ever."""
        if message.kind == "progress" or self._job is None:
            return
        result.say(message)
        now = asyncio.get_running_loop().time()
        if not self._runs.waiting:
            self._others_since = None
        elif self._others_since is None:
            self._others_since = now
        elif now - self._others_since > OTHERS_WAIT:
            self._why = WHY_OTHERS
            self.end()

    async def _wait(self, job: Job, result: RunResult) -> None:
        outcome = await job.wait()
        if job is self._job:
            self._job = None
        why = outcome.message or str(outcome.data.get("why", "")) or self._why
        result.end(Message("failed" if outcome.ending == "failed" else "ended", {"message": why}))
        await asyncio.sleep(KEPT)
        self._results.drop(result.key)
