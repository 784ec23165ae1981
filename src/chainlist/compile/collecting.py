"""Python's search for garbage, held back while large things are built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 100_000  # objects that live on


@contextmanager
def without_collecting() -> Iterator[None]:
    """What is built grows, and nothing in it becomes garbage: looking for some, again and again, takes up to half of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if gc.get_count()[0] > MANY and not gc.get_freeze_count():
                # straight to the oldest generation: else all of them are looked at once more, a tenth of the time
                gc.freeze()
                gc.unfreeze()
            gc.enable()
