"""Processes that need the same kernel at the same time take turns: the first compiles it, the others load what it made.

Without this every worker of a first sweep would compile the same kernels beside the others.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.platform != "win32":  # there each process compiles for itself
    import fcntl


@contextlib.contextmanager
def taking_turns(folder: str | None, ident: str) -> Iterator[None]:
    """While this is open, no other process is in it for the same kernel. Whoever dies gives its turn back.

    One file per folder of machine code, in which a kernel has one byte to lock. Where nothing can be locked (a folder that
    is read only, some network drives) nobody waits: the same work may be done twice, and comes out the same.
    """
    with contextlib.ExitStack() as undo:
        if sys.platform != "win32" and folder is not None:
            with contextlib.suppress(OSError):
                Path(folder).mkdir(parents=True, exist_ok=True)
                turns = undo.enter_context((Path(folder) / "turns.lock").open("ab"))
                fcntl.lockf(turns, fcntl.LOCK_EX, 1, int(ident[:7], 16))
        yield
