"""What one user does: a text that is read as it is typed, and run on request or by itself.

No web here: what the user sees is behind `Screen`, so that a session can be tested without a browser.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal

from chainlist.app.workbench import wire
from chainlist.app.workbench.handles import Offsets
from chainlist.app.workbench.pool import Job, JobOutcome, Pool, QueueFull
from chainlist.app.workbench.pulls import Pulls
from chainlist.app.workbench.results import ResultStore, RunResult
from chainlist.app.workbench.screen import Progress, Screen
from chainlist.app.workbench.settings import Settings
from chainlist.app.workbench.wire import Message

PAUSE_IN_TYPING = 0.1  # s between an edit and the next reading
SLOW_BROWSER = 1.0  # s that the next motion waits for one, while a knob is turned
CHECK_SECONDS = 10.0  # for reading a text
COMPILE_SECONDS = 300.0  # that do not count: a combination of options is compiled once on a machine

_LOG = logging.getLogger(__name__)

Origin = Literal["edit", "open", "shared"]
Kind = Literal["run", "turn"]  # the whole motion, or as much of it as can be computed in a moment


@dataclass
class Bench:
    """What all sessions share."""

    settings: Settings
    checks: Pool
    runs: Pool
    results: ResultStore
    previews: dict[str, bytes] = field(default_factory=dict)  # of each session
    sessions: dict[str, Session] = field(default_factory=dict)  # by their keys


class Session:
    """One user's text and runs."""

    def __init__(self, bench: Bench, screen: Screen, text: str) -> None:
        self.bench = bench
        self.screen = screen
        self.key = secrets.token_urlsafe(16)
        self.live = True
        # a knob is being turned, while this tab of plots is open: the text changes many times a second
        self.turning = ""
        self.text = text
        self.file_name = ""  # of the text in the workspace; "" for a text that has none
        self.reading: dict[str, Any] | None = None  # of the current text; None until it is read
        self.latest: str | None = None  # key of the latest result
        self._origin: Origin = "open"
        self._version = 0  # counts the texts
        self._opened = 0  # version of the text that was opened last
        self._job: Job | None = None
        self._job_text = ""
        self._job_address = ""  # where the browser follows it
        self._job_is_live = False
        self._asked_for = False  # the job was: by the user, not by live mode
        self._next: tuple[str, int, Kind] | None = None  # text, version and kind of the run that follows the job
        self._reader: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._own_results: list[str] = []
        self._hasty_results: list[str] = []
        self._away = False  # the browser is not connected, perhaps only for a moment
        self._replaced = False
        self._closed = False
        self.pulls = Pulls(bench.runs, bench.results, screen, lambda: self.request(self.text))
        bench.sessions[self.key] = self

    # Reading

    def set_text(self, text: str, origin: Origin) -> None:
        """A new text. One that came with a link is read, but never run by itself."""
        self.text = text
        self._origin = origin
        self._version += 1
        self.reading = None
        self.pulls.end()
        if self.turning:
            self._run_hastily()
            return
        if origin != "edit":
            self._opened = self._version
            self._let_go()
        if self._reader is None or self._reader.done():
            self._reader = self._do(self._keep_reading())

    async def _keep_reading(self) -> None:
        """Read the text, and again as long as it changes: while a number is dragged, several times a second."""
        read = -1
        while read < self._version:
            await asyncio.sleep(PAUSE_IN_TYPING if self._origin == "edit" else 0.0)
            read, text = self._version, self.text
            outcome = await self._read(text)
            if read >= self._opened:
                self._take_reading(outcome, text, read)

    def _take_reading(self, outcome: JobOutcome, text: str, version: int) -> None:
        """Show what was found in a text; edits since then are read next."""
        reading = outcome.data | {"length": Offsets(text)(len(text))}
        if version == self._version:
            self.reading = reading
        self.screen.show_reading(reading)
        if not reading["ok"]:
            return
        runs_itself = self.live and reading["small"] and self._origin != "shared"
        if not runs_itself and self._job is not None and self._job_text != text and not self._asked_for:
            self._let_go()  # nobody has asked for it, and nobody will look at it
        if outcome.blob:
            start = Message("start", {"text": text, "version": version}, outcome.blob)
            self.bench.previews[self.key] = wire.encode(start)
            self.screen.show_preview(
                f"/preview/{self.key}?v={version}", version=version, run_follows=runs_itself or self._is_running(text)
            )
        if self._is_running(text):  # the page has let go of it, if the text had no body meanwhile
            self._next = None
            self.screen.follow(self._job_address, version=version, live=self._job_is_live, asked=False)
        elif runs_itself:
            self._run_by_itself(text, version)

    async def _read(self, text: str) -> JobOutcome:
        """The reading of a text; what goes wrong on the way becomes one message about the whole."""
        limits = self.bench.settings.limits
        if len(text) > limits.characters:
            return _unreadable(f"{len(text):,} characters are more than the {limits.characters:,} allowed here")
        request = {
            "text": text,
            "name": self.file_name,
            "seconds": CHECK_SECONDS,
            "megabytes": limits.megabytes,
            **self._limits(),
        }
        try:
            job = self.bench.checks.submit("check", request)
        except QueueFull:
            return _unreadable("too many texts are waiting to be read; try again in a moment")
        try:
            outcome = await job.wait()
        except asyncio.CancelledError:
            job.cancel()
            raise
        return outcome if outcome.ending == "done" else _unreadable(outcome.message)

    def _limits(self) -> dict[str, Any]:
        settings = self.bench.settings
        return {"limits": settings.limits.as_data(), "folder": str(settings.folder) if settings.folder else None}

    # Running

    @property
    def running(self) -> bool:
        return self._job is not None

    @property
    def runs_earlier_text(self) -> bool:
        """A run is under way whose text is not the present one any more."""
        return self._job is not None and self._job_text != self.text

    def _is_running(self, text: str) -> bool:
        return self._job is not None and self._job.kind == "run" and self._job_text == text

    def run(self) -> None:
        """Run the text as it stands; a run that is under way ends first."""
        self._next = None
        if self._job is not None:
            self._job.cancel()
        self._start(self.text, self._version, "run", live=False, asked=True)
        self._asked_for = True

    def _run_by_itself(self, text: str, version: int) -> None:
        """An edit continues the motion that is shown; a text just opened begins anew.

        What the user asked for is not pushed aside by an edit: the new text is run behind it.
        """
        if self._job is None:
            self._start(text, version, "run", live=self._origin == "edit")
        else:
            self._next = (text, version, "run")

    def turn(self, tab: str) -> None:
        """A knob is taken hold of while this tab of plots is open, or let go (""): then the text is read and run as after any edit."""
        self.turning = tab
        if not tab and self.reading is None:
            self.set_text(self.text, "edit")

    def _run_hastily(self) -> None:
        """Show the beginning of the motion at once; of texts that come faster than that, the last."""
        if self._job is not None and self._job.kind == "turn":
            self._next = (self.text, self._version, "turn")
            return
        self._next = None
        if self._job is not None:
            self._job.cancel()
        self._start(self.text, self._version, "turn", live=True)

    def _let_go(self) -> None:
        """End the run of a text that is no longer there; nobody looks at it any more."""
        self.cancel()
        if self._job is not None:
            self._job = None
            self.screen.let_go()
            self.screen.show_progress(None)

    def cancel(self) -> None:
        self._next = None
        if self._job is not None:
            self._job.cancel()

    def _start(self, text: str, version: int, kind: Kind, *, live: bool, asked: bool = False) -> None:
        self.pulls.end()
        result = self.bench.results.new(text)
        self._remember(result, kind)
        request = self.request(text) | {"keep": str(result.folder), "quick": not asked, "tab": self.turning}
        try:
            job = self.bench.runs.submit(
                kind,
                request,
                on_message=lambda message: self._take(job, result, message),
                on_position=lambda place: self._place(job, place),
            )
        except QueueFull:
            result.end(Message("failed", {}))
            self.screen.show_end("failed", "too many runs are waiting already; try again in a while")
            return
        self._job, self._job_text, self._asked_for = job, text, False
        self._job_address, self._job_is_live = f"/runs/{result.key}", live
        if kind == "run":
            self.screen.show_progress(Progress(job.position))
        self.screen.follow(self._job_address, version=version, live=live, asked=asked)
        self._do(self._wait(job, result))

    def request(self, text: str) -> dict[str, Any]:
        """What a worker needs to compute the motion of a text."""
        limits = self.bench.settings.limits
        bounds = {"seconds": limits.seconds, "preparing": COMPILE_SECONDS, "megabytes": limits.megabytes}
        return {"text": text, "name": self.file_name, **bounds, **self._limits()}

    def _take(self, job: Job, result: RunResult, message: Message) -> None:
        if message.kind == "progress":
            if job is self._job:
                data = message.data
                self.screen.show_progress(Progress(0, data["fraction"], data["left"], data["text"]))
        else:
            if message.kind == "motion":  # analyses follow; should they be cut short, it is what remains
                result.motion = message
            result.say(message)

    def _place(self, job: Job, place: int) -> None:
        if job is self._job and job.kind == "run":
            self.screen.show_progress(Progress(place))

    async def _wait(self, job: Job, result: RunResult) -> None:
        outcome = await job.wait()
        if not outcome.blob and result.motion is not None:
            data = result.motion.data | {"findings": _cut_short(outcome)}
            outcome = JobOutcome(outcome.ending, data, result.motion.blob)
        if outcome.blob:
            result.end(Message("scene", outcome.data, outcome.blob))
        else:
            result.end(Message("failed", {"message": outcome.message}))
        self.bench.results.make_room()
        if job.kind == "turn":  # faster than the browser can take them they would only be in its way
            await result.wait_until_fetched(SLOW_BROWSER)
        if job is not self._job or self._closed:
            return
        self._job = None
        if job.kind == "run":
            if outcome.blob:
                self.latest = result.key
            self.screen.show_progress(None)
            self.screen.show_end(outcome.ending, outcome.message or _words(outcome.data))
        if self._next is not None:
            (text, version, kind), self._next = self._next, None
            self._start(text, version, kind, live=True)

    def _remember(self, result: RunResult, kind: Kind) -> None:
        """A session keeps its last few results: the one shown, the one pinned, and some before; of hasty ones two."""
        kept, most = (self._hasty_results, 2) if kind == "turn" else (self._own_results, 6)
        kept.append(result.key)
        for key in kept[:-most]:
            self.bench.results.drop(key)
        del kept[:-most]

    # Taking away

    async def export(self, format: str) -> JobOutcome:
        """Write the latest result in a format, in a worker; the outcome's data names the file in its folder."""
        result = self.bench.results.get(self.latest) if self.latest else None
        if result is None:
            return JobOutcome("failed", message="there is no run to take away: press Run first")
        limits = self.bench.settings.limits
        request = {"keep": str(result.folder), "format": format, "seconds": limits.seconds, **self._limits()}
        try:
            outcome = await self.bench.runs.submit("export", request | {"megabytes": limits.megabytes}).wait()
        except QueueFull:
            return JobOutcome("failed", message="too many runs are waiting already; try again in a while")
        if outcome.ending == "done":
            outcome.data.update(path=str(result.folder / outcome.data["file"]), text=result.text)
        return outcome

    # Coming and going

    def come(self) -> None:
        """The browser is connected."""
        self._away = False

    def leave(self) -> None:
        """The browser is not connected; it may come back, unless its tab shows a new page."""
        self._away = True
        self._end_if_replaced()

    def be_replaced(self) -> None:
        """A tab says that it shows a new page in place of this. A copy of a tab says the same while both are there."""
        self._replaced = True
        self._end_if_replaced()

    def be_gone(self) -> None:
        """The tab has said that it closes: its worker is for others at once, whatever it is at."""
        self._next = None
        self.pulls.end()
        if self._job is not None:
            self._job.abandon()

    def _end_if_replaced(self) -> None:
        """Leave the workers to others at once, not only when the browser is given up."""
        if self._replaced and self._away:
            self.cancel()

    def close(self) -> None:
        """The user has gone."""
        self._closed = True
        self.pulls.end()
        self.cancel()
        self._job = None  # what it still says has no page to be shown on
        for task in self._tasks:
            task.cancel()
        self.bench.previews.pop(self.key, None)
        self.bench.sessions.pop(self.key, None)
        for key in self._own_results + self._hasty_results:
            self.bench.results.drop(key)

    def _do(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("a session stumbled", exc_info=error)


def _unreadable(message: str) -> JobOutcome:
    diagnostic = {"code": "", "severity": "error", "message": message, "label": "", "help": "", "also": []}
    data = {
        "ok": False,
        "diagnostics": [diagnostic],
        "summary": "",
        "handles": [],
        "knobs": [],
        "options": [],
        "plots": [],
        "items": [],
        "refusal": "",
        "small": False,
    }
    return JobOutcome("done", data)


def _cut_short(outcome: JobOutcome) -> list[dict[str, Any]]:
    """In place of what analyses would have found."""
    words = outcome.message or "stopped before the analyses were done"
    return [{"command": "analyses", "figures": [], "pictures": [], "refused": words}]


def _words(data: dict[str, Any]) -> str:
    status = data.get("status", {})
    return "" if status.get("ok", True) else str(status.get("message", ""))
