"""Worker processes under supervision: a bounded number at a time, a queue, progress, cancel, replacement.

A `Pool` belongs to one event loop. Each of its slots holds one process, which serves job after job and stays warm;
a process that dies, does not obey a cancel in time or has failed inside is replaced by a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from chainlist.app.workbench import wire
from chainlist.app.workbench.talk import ONE_HOUR
from chainlist.app.workbench.wire import Message

WORKER = (sys.executable, "-P", "-m", "chainlist.app.workbench.worker")
GRACE = 1.0  # s that a worker has to obey before it is killed
FINISHING = 30.0  # s to make a report of what was computed, once the computing has ended
START_TIME = 60.0  # s that a new process may take to say that it is ready
_BUFFER = 1 << 22

_LOG = logging.getLogger(__name__)

Ending = Literal["done", "failed", "cancelled"]


class QueueFull(Exception):
    """Too many jobs are waiting already."""


@dataclass(frozen=True)
class JobOutcome:
    """How a job ended. `message` says why it failed, in words for the user."""

    ending: Ending
    data: dict[str, Any] = field(default_factory=dict)
    blob: bytes = b""
    message: str = ""


@dataclass(eq=False)
class Job:
    """One request on its way. `position` is 0 while it is worked on, else its place in the queue, from 1."""

    kind: str
    data: dict[str, Any]
    on_message: Callable[[Message], None]
    on_position: Callable[[int], None]
    _leave_queue: Callable[[Job], None]
    position: int = -1
    cancelled: bool = False
    abandoned: bool = False
    _deadline: float = 0.0
    _finish_by: float = 0.0  # set once all is computed, and is being written down
    _cancel_now: asyncio.Event = field(default_factory=asyncio.Event)
    _unsaid: list[bytes] = field(default_factory=list)  # until it is worked on
    _pipe: asyncio.StreamWriter | None = None  # to the process that works on it
    _outcome: asyncio.Future[JobOutcome] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def cancel(self) -> None:
        """Ask the job to stop: at once if it waits, soon if it is worked on."""
        self.cancelled = True
        self._cancel_now.set()
        if self.position > 0 and not self.ended:
            self._end(JobOutcome("cancelled"))
            self._leave_queue(self)

    def steer(self, data: dict[str, Any]) -> None:
        """Tell whoever works on it, or will, what the user does."""
        self._unsaid.append(wire.encode(Message("steer", data)))
        if self._pipe is not None and not self.ended:
            with contextlib.suppress(ConnectionError):
                self._pipe.writelines(self._unsaid)
            self._unsaid.clear()

    def abandon(self) -> None:
        """Nobody will look at what comes out: also what is being written down is given up."""
        self.abandoned = True
        self.cancel()

    async def wait(self) -> JobOutcome:
        return await asyncio.shield(self._outcome)

    @property
    def ended(self) -> bool:
        return self._outcome.done()

    def _end(self, outcome: JobOutcome) -> None:
        if not self._outcome.done():
            self._outcome.set_result(outcome)

    def _place(self, position: int) -> None:
        if position != self.position:
            self.position = position
            try:
                self.on_position(position)
            except Exception:  # of whoever listens: the others in the queue must not suffer
                _LOG.exception("whoever waits for a job stumbled over its place")


class Pool:
    """`size` worker processes, and the jobs that wait for them."""

    def __init__(self, size: int, *, command: Sequence[str] = WORKER, most_waiting: int = 200) -> None:
        self.size = size
        self._command = tuple(command)
        self._most_waiting = most_waiting
        self._waiting: list[Job] = []
        self._arrived: asyncio.Queue[Job] = asyncio.Queue()
        self._slots: list[asyncio.Task[None]] = []
        self.replaced = 0  # processes that had to be replaced

    async def start(self) -> None:
        self._slots = [asyncio.create_task(self._slot()) for _ in range(self.size)]

    async def stop(self) -> None:
        """End all processes; whoever waits for a job is told that it was cancelled."""
        for slot in self._slots:
            slot.cancel()
        await asyncio.gather(*self._slots, return_exceptions=True)
        for job in self._waiting:
            job._end(JobOutcome("cancelled", message="the workbench is closing"))

    def submit(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        on_message: Callable[[Message], None] = lambda message: None,
        on_position: Callable[[int], None] = lambda position: None,
    ) -> Job:
        """Queue a request. Its `seconds` bound the time of work, after at most `preparing` seconds before.

        The callbacks are called in the loop, never before this returns: `job.position` is the first place.
        """
        if len(self._waiting) >= self._most_waiting:
            raise QueueFull
        job = Job(kind, data, on_message, on_position, self._forget)
        self._waiting.append(job)
        job.position = len(self._waiting)
        self._arrived.put_nowait(job)
        return job

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def _forget(self, job: Job) -> None:
        self._waiting.remove(job)
        self._tell_positions()

    def _tell_positions(self) -> None:
        for place, job in enumerate(self._waiting, start=1):
            job._place(place)

    async def _next_job(self) -> Job:
        while True:
            job = await self._arrived.get()
            if not job.ended:  # a job that was cancelled while it waited has left the queue already
                self._forget(job)
                return job

    async def _slot(self) -> None:
        """One process after the other, each serving jobs until it must be replaced."""
        while True:
            process = await _start(self._command)
            try:
                while await self._serve_one(process):
                    pass
            finally:
                await _end_process(process)
            self.replaced += 1

    async def _serve_one(self, process: asyncio.subprocess.Process) -> bool:
        """Give the next job to a process; False if the process is of no more use."""
        job = await self._next_job()
        job._place(0)
        try:
            outcome, good = await _work(process, job)
        except Exception:
            # A listener stumbled, and what the process still says belongs to this job: a new process serves the next.
            _LOG.exception("a job stumbled")
            outcome, good = JobOutcome("failed", message="internal error"), False
        except BaseException:
            job._end(JobOutcome("cancelled", message="the workbench is closing"))
            raise
        job._end(outcome)
        return good


async def _work(process: asyncio.subprocess.Process, job: Job) -> tuple[JobOutcome, bool]:
    """Send a job, pass its messages on, and wait for its end; the flag says whether the process may go on."""
    assert process.stdin is not None and process.stdout is not None
    seconds = float(job.data.get("seconds", ONE_HOUR))
    job._deadline = time.monotonic() + float(job.data.get("preparing", 0.0)) + seconds + GRACE
    conversation = asyncio.create_task(_converse(process, job))
    cancel = asyncio.create_task(job._cancel_now.wait())
    try:
        while not conversation.done() and not job.cancelled and (left := job._deadline - time.monotonic()) > 0:
            await asyncio.wait({conversation, cancel}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if not conversation.done() and job.cancelled:
            with contextlib.suppress(ConnectionError):
                process.stdin.write(wire.encode(Message("cancel", {})))
                await process.stdin.drain()
            await _obey(conversation, job)
        if not conversation.done():
            if job.cancelled:
                return JobOutcome("cancelled"), False
            return JobOutcome("failed", message=f"the run was stopped: it took more than {seconds:g} s"), False
        answer = conversation.result()
    finally:
        for task in (conversation, cancel):
            task.cancel()
        await asyncio.gather(conversation, cancel, return_exceptions=True)
    if answer is None:
        return JobOutcome("failed", message=await _why_dead(process)), False
    if answer.kind == "failed":
        return JobOutcome("failed", answer.data, message=answer.data["message"]), not answer.data.get("worn", False)
    return JobOutcome("cancelled" if job.cancelled else "done", answer.data, answer.blob), True


async def _obey(conversation: asyncio.Task[Message | None], job: Job) -> None:
    """Wait for a process that was told to stop: a moment, and longer while it writes down what it has computed."""
    until = time.monotonic() + GRACE
    while not conversation.done() and (left := until - time.monotonic()) > 0:
        await asyncio.wait({conversation}, timeout=min(0.1, left))
        if not job.abandoned:
            until = max(until, job._finish_by)


async def _converse(process: asyncio.subprocess.Process, job: Job) -> Message | None:
    """The last message of a job; None if the process has died."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.writelines([wire.encode(Message(job.kind, job.data)), *job._unsaid])
        job._pipe, job._unsaid = process.stdin, []
        await process.stdin.drain()
        while True:
            message = await wire.receive(process.stdout)
            if message.kind in ("done", "failed"):
                return message
            if message.kind == "clock":  # the preparations are over: the time of work counts from here
                job._deadline = time.monotonic() + float(job.data.get("seconds", ONE_HOUR)) + GRACE
            elif message.kind == "finishing":
                job._finish_by = time.monotonic() + FINISHING
                job._deadline = max(job._deadline, job._finish_by)
            else:
                job.on_message(message)
    except (wire.Closed, ConnectionError):
        return None


async def _why_dead(process: asyncio.subprocess.Process) -> str:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), GRACE)
    code = process.returncode
    how = "stopped answering" if code is None else f"was ended by signal {-code}" if code < 0 else f"left with {code}"
    return f"the process that computed this run {how} (perhaps it ran out of memory); a new one takes its place"


async def _start(command: Sequence[str]) -> asyncio.subprocess.Process:
    """A process that has said that it is ready. One that cannot start is tried again, ever more slowly."""
    pause = 0.5
    while True:
        try:
            process = await _spawn(command)
        except OSError:  # no handles, no memory: perhaps later
            _LOG.exception("a worker process could not be started; trying again")
            await asyncio.sleep(pause)
            pause = min(60.0, 2 * pause)
            continue
        assert process.stdout is not None
        try:
            await asyncio.wait_for(wire.receive(process.stdout), START_TIME)
            return process
        except (wire.Closed, TimeoutError):
            _LOG.error("a worker process could not be started; trying again")
            await _end_process(process)
            await asyncio.sleep(pause)
            pause = min(60.0, 2 * pause)
        except BaseException:
            await _end_process(process)
            raise


async def _spawn(command: Sequence[str]) -> asyncio.subprocess.Process:
    """A new process; one that is born while the pool stops is ended, not lost."""
    pipe = asyncio.subprocess.PIPE
    birth = asyncio.ensure_future(asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=_BUFFER))
    try:
        return await asyncio.shield(birth)
    except asyncio.CancelledError:
        await _end_process(await birth)
        raise


async def _end_process(process: asyncio.subprocess.Process) -> None:
    """Kill a process; a pool that stops meanwhile waits until this is done."""
    ending = asyncio.ensure_future(_kill(process))
    try:
        await asyncio.shield(ending)
    except asyncio.CancelledError:
        await ending
        raise


async def _kill(process: asyncio.subprocess.Process) -> None:
    """End a process, and see to it that its pipes are closed before the loop may end."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
    transport = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()
    if process.stdin is not None:
        process.stdin.close()
        with contextlib.suppress(ConnectionError, TimeoutError):
            await asyncio.wait_for(process.stdin.wait_closed(), GRACE)
    await asyncio.sleep(0)
