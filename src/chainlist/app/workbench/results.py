"""Results of runs, kept for a while: each has a folder of its own, and an unguessable key. Old ones are evicted."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from chainlist.app.workbench import wire
from chainlist.app.workbench.wire import Message


@dataclass(eq=False)
class RunResult:
    """One run: what was said about it so far (for the browser, in order), and the folder of its trajectory."""

    key: str
    folder: Path
    text: str = ""  # the chainlist that was run
    messages: list[bytes] = field(default_factory=list)
    last: bytes | None = None
    motion: Message | None = None  # of a run whose analyses are still computed
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _fetched: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def ended(self) -> bool:
        return self.last is not None

    def say(self, message: Message) -> None:
        self.messages.append(wire.encode(message))
        self._wake()

    def end(self, message: Message) -> None:
        """The last message. It says all that was streamed before once more, so that this can be dropped."""
        self.last = wire.encode(message)
        self.messages.clear()
        self.motion = None
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def follow(self) -> AsyncIterator[bytes]:
        """The messages so far, then those to come, and the last."""
        at = 0
        while self.last is None:
            news = self._news
            while at < len(self.messages):
                at += 1
                yield self.messages[at - 1]
            if self.last is None and at >= len(self.messages):
                await news.wait()
        yield self.last
        self._fetched.set()

    async def wait_until_fetched(self, seconds: float) -> None:
        """Until somebody has followed it to its end, or so long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._fetched.wait(), seconds)

    @property
    def size(self) -> int:
        """Bytes in memory and on the disk."""
        return self._on_disk() + sum(map(len, self.messages)) + len(self.last or b"")

    def _on_disk(self) -> int:
        try:
            return sum(path.stat().st_size for path in self.folder.iterdir() if path.is_file())
        except OSError:  # somebody has tidied up the system's folder for temporary files
            return 0


class ResultStore:
    """The latest results, at most `most` of them and `megabytes` in all."""

    def __init__(self, most: int, megabytes: int) -> None:
        self._most = most
        self._bytes = megabytes * 1_000_000
        self._folder = Path(tempfile.mkdtemp(prefix="chainlist-gui-"))
        self._results: OrderedDict[str, RunResult] = OrderedDict()

    def new(self, text: str = "") -> RunResult:
        key = secrets.token_urlsafe(16)
        folder = self._folder / key
        folder.mkdir(parents=True)
        result = RunResult(key, folder, text)
        self._results[key] = result
        self._evict()
        return result

    def get(self, key: str) -> RunResult | None:
        """The result of a key, which becomes the latest used; None if it was evicted or never was."""
        result = self._results.get(key)
        if result is not None:
            self._results.move_to_end(key)
        return result

    def drop(self, key: str) -> None:
        result = self._results.pop(key, None)
        if result is not None:
            shutil.rmtree(result.folder, ignore_errors=True)

    def make_room(self) -> None:
        """To be called when a result has ended: now its size is known."""
        self._evict()

    def __len__(self) -> int:
        return len(self._results)

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _evict(self) -> None:
        sizes = {key: result.size for key, result in self._results.items()}
        total = sum(sizes.values())
        for key in list(self._results)[:-1]:  # the latest always stays
            if len(self._results) <= self._most and total <= self._bytes:
                return
            if self._results[key].ended:
                total -= sizes[key]
                self.drop(key)
