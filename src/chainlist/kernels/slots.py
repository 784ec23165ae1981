"""Names a kernel may leave open. Binding fills them; a slot that was never filled says so."""

from typing import Any


def _open(*_: Any) -> Any:
    raise RuntimeError("a kernel slot was never bound")


DIM = 2  # coordinates of a point: 2 in the plane, 3 in space
