"""Who runs the chunks of an ensemble: this process, several processes, or a Dask cluster.

Each takes chunks and gives back columns in whatever order they come. A worker that dies loses nothing: its chunks are done again, and since
all of a member follows from its number, with the same bits.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from types import ModuleType
from typing import Any

from chainlist.analyses.batches import run_chunk
from chainlist.analyses.members import Columns, Task
from chainlist.analyses.worth import PROCESS

Chunk = tuple[int, int]  # first member, how many
AHEAD = 2  # chunks that wait for each worker: no more of the results lie in memory
TRIES = 4  # of one chunk, before its workers are taken to die of it


def here(task: Task, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, Columns]]:
    """One after the other, in this process."""
    for first, count in chunks:
        yield (first, count), run_chunk(task.part(first, count), first, count)


def here_at_first(task: Task, chunks: Sequence[Chunk], workers: int) -> Iterator[tuple[Chunk, Columns]]:
    """What nobody can tell the cost of: in this process, until the rest would be done sooner by others that have yet to begin."""
    begin = monotonic()
    for number, found in enumerate(here(task, chunks), 1):
        yield found
        left = len(chunks) - number
        if (monotonic() - begin) / number * (left - left / workers) > PROCESS:
            yield from in_processes(task, chunks[number:], min(workers, left))
            return


def in_processes(task: Task, chunks: Iterable[Chunk], workers: int) -> Iterator[tuple[Chunk, Columns]]:
    """On several cores of this machine."""
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    waiting, tries = deque(chunks), Counter[Chunk]()
    while waiting:
        running: dict[Future[Columns], Chunk] = {}
        # `spawn`: a fork of a process with threads, which the kernels' compiler has, may hang
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            try:
                while waiting or running:
                    while waiting and len(running) < AHEAD * workers:
                        chunk = waiting[0]
                        with _script_hidden():
                            running[pool.submit(run_chunk, task.part(*chunk), *chunk)] = chunk
                        waiting.popleft()
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        columns = future.result()
                        yield running.pop(future), columns
            except BrokenProcessPool:
                lost = list(running.values())
                tries.update(lost)
                if max(tries.values(), default=TRIES) >= TRIES:
                    raise
                waiting.extendleft(reversed(lost))
            finally:
                for future in running:
                    future.cancel()


@contextmanager
def _script_hidden() -> Iterator[None]:
    """Workers start within: they need nothing of the user's script, and must not run it again, nor fail where it has no file."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def on_dask(task: Task, chunks: Iterable[Chunk], client: Any) -> Iterator[tuple[Chunk, Columns]]:
    """On the workers of a Dask cluster; `client` is a `distributed.Client`."""
    from distributed import as_completed

    waiting = deque(chunks)
    running: dict[Any, Chunk] = {}

    def submit() -> Any:
        chunk = waiting.popleft()
        future = client.submit(run_chunk, task.part(*chunk), *chunk, pure=False, retries=TRIES)
        running[future.key] = chunk
        return future

    threads = sum(client.nthreads().values()) or 1
    flow = as_completed([submit() for _ in range(min(len(waiting), AHEAD * threads))])
    for future in flow:
        columns = future.result()
        yield running.pop(future.key), columns
        if waiting:
            flow.add(submit())
