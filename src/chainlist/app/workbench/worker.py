"""A worker process: takes one request at a time from standard input, answers on standard output.

Started by `pool.py` as `python -m chainlist.app.workbench.worker`. It imports nothing of the web, and the solver
only when a request needs it. While a request is worked on, a thread listens for `cancel` and `steer`.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from collections.abc import Mapping
from typing import BinaryIO

from chainlist.app.workbench import wire
from chainlist.app.workbench.talk import ONE_HOUR, RequestRefused, Talk, Task
from chainlist.app.workbench.wire import Message


def serve(tasks: Mapping[str, Task]) -> None:
    """Answer requests until standard input ends. The kind of a request names its task."""
    requests, out = _take_over_streams()
    inbox: queue.Queue[tuple[Message, Talk]] = queue.Queue()
    threading.Thread(target=_listen, args=(requests, out, inbox), daemon=True).start()
    wire.write(out, Message("ready", {"pid": os.getpid()}))
    while True:
        request, talk = inbox.get()
        wire.write(out, _answer(tasks, request, talk))


def _answer(tasks: Mapping[str, Task], request: Message, talk: Talk) -> Message:
    try:
        if request.kind not in tasks:
            raise RequestRefused(f"a worker knows no task {request.kind}")
        _limit_memory(request.data.get("megabytes"))
        data, blob = tasks[request.kind](request.data, talk)
        return Message("done", data, blob)
    except RequestRefused as refusal:
        return Message("failed", {"message": str(refusal)})
    except MemoryError:
        megabytes = request.data.get("megabytes")
        return Message("failed", {"message": f"the run needs more than the {megabytes} MB it may have", "worn": True})
    except RecursionError:
        return Message("failed", {"message": "the chainlist is nested too deeply", "worn": True})
    except Exception as error:
        # Whatever goes wrong in one run must reach its user, and leave the worker alive for the others.
        logging.getLogger(__name__).exception("a task stumbled")
        return Message("failed", {"message": f"the run stopped with an internal error: {error}", "worn": True})


def _listen(requests: BinaryIO, out: BinaryIO, inbox: queue.Queue[tuple[Message, Talk]]) -> None:
    """Runs in a thread: hands requests over, and `cancel` and `steer` to the latest; the end of input ends the process."""
    latest: Talk | None = None
    try:
        while True:
            message = wire.read(requests)
            if message.kind == "steer":
                if latest is not None:
                    latest.hear(message.data)
            elif message.kind != "cancel":
                data = message.data
                latest = Talk(out, data.get("seconds", ONE_HOUR), data.get("preparing", 0.0))
                inbox.put((message, latest))
            elif latest is not None:
                latest.cancel()
    except wire.Closed:
        os._exit(0)


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for messages alone: what anything else prints goes to standard error."""
    requests = os.fdopen(os.dup(0), "rb")
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    return requests, out


def _limit_memory(megabytes: int | None) -> None:
    """Let the process grow by so much and no more (where the system can say so)."""
    if megabytes is None or not sys.platform.startswith("linux"):
        return
    import resource

    with open("/proc/self/status", encoding="ascii") as status:
        used = next(int(line.split()[1]) for line in status if line.startswith("VmData"))
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used * 1024 + megabytes * 1_000_000, hard))


def main() -> None:
    from chainlist.app.workbench.tasks import TASKS

    if hasattr(os, "nice"):
        os.nice(5)  # the server itself answers first
    serve(TASKS)


if __name__ == "__main__":
    main()
