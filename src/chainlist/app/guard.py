"""Exit statuses, and the one place where whatever goes wrong becomes a message and a status."""

from __future__ import annotations

import errno
from collections.abc import Callable

from chainlist.app.terminal import complain, show
from chainlist.syntax.errors import ChainlistError

_NOT_THERE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)  # where nothing can be written
WORLD, TEXT, BROKE_DOWN, INTERRUPTED = 1, 2, 3, 130


def guarded(work: Callable[[], int], name: str = "") -> int:
    """Do the work; what a text or the world does wrong is said on standard error. `name` is what it is about."""
    from chainlist.run.grid import RunRefused  # it brings NumPy, which no help page needs

    try:
        return work()
    except ChainlistError as error:
        show(error.diagnostics, name)
        return TEXT
    except RunRefused as refusal:
        complain(f"{name}: {refusal}".removeprefix(": "))
        return TEXT
    except OSError as error:
        elsewhere = "; choose another folder with -o" if error.errno in _NOT_THERE else ""
        complain(f"{error.filename or name}: {error.strerror or error}{elsewhere}".removeprefix(": "))
        return WORLD
