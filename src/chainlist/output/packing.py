"""A scene as bytes: one message for the player, read by `web/scene.js`.

Layout: the length of the header (uint32), the header (JSON, UTF-8), zeros up to a multiple of 8, then the arrays one
after the other, each from a multiple of 8 on. All numbers are little-endian. Where the header means an array it
says {"array": [offset, length, "f4" or "f8"]}, the offset counted from the first array.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.output.scene import Curve, Panel, Scene

ALIGN = 8
BEYOND_DRAWING = 1e30  # positions above are as good as infinite, and would overflow single precision


def machine_of(scene: Scene) -> dict[str, Any]:
    """What the player needs before the first frame: everything but the motion."""
    return {
        "title": scene.title,
        "bodies": [{"name": body.name, "mass": body.mass} for body in scene.bodies],
        "links": [{"name": link.name, "ends": link.ends} for link in scene.links],
        "rails": [{"name": rail.name, "body": rail.body, "line": rail.line} for rail in scene.rails],
        "anchors": scene.anchors,
        "strobe": scene.strobe,
        "plotmode": scene.plotmode,
    }


def pack(scene: Scene) -> bytes:
    """The bytes of a scene. Positions travel in single precision, times and curves in double."""
    arrays = _Arrays()
    header = {
        **machine_of(scene),
        "t": arrays.add(scene.t),
        "q": arrays.add(drawable(scene.q)),
        "v": None if scene.v is None else arrays.add(drawable(scene.v)),
        "tension": None if scene.tension is None else arrays.add(drawable(scene.tension)),
        "panels": [_panel(panel, arrays) for panel in scene.panels],
    }
    text = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    head = struct.pack("<I", len(text)) + text
    return b"".join([head, _padding(len(head)), *arrays.parts])


def drawable(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Single precision; what is too large to draw becomes NaN, which the player skips."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) < BEYOND_DRAWING, values, np.nan).astype("<f4")


class _Arrays:
    """The arrays of a message in the making."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.offset = 0

    def add(self, values: NDArray[Any]) -> dict[str, Any]:
        kind = "f4" if values.dtype.itemsize == 4 else "f8"
        data = np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()
        place = {"array": [self.offset, values.size, kind]}
        padded = data + _padding(len(data))
        self.parts.append(padded)
        self.offset += len(padded)
        return place


def _panel(panel: Panel, arrays: _Arrays) -> dict[str, Any]:
    return {
        "title": panel.title,
        "kind": panel.kind,
        "xLabel": panel.x_label,
        "yLabel": panel.y_label,
        "xUnit": panel.x_unit,
        "yUnit": panel.y_unit,
        "curves": [_curve(curve, arrays) for curve in panel.curves],
    }


def _curve(curve: Curve, arrays: _Arrays) -> dict[str, Any]:
    return {
        "name": curve.name,
        "x": arrays.add(curve.x),
        "y": arrays.add(curve.y),
        "t": None if curve.t is None else arrays.add(curve.t),
    }


def _padding(length: int) -> bytes:
    return bytes(-length % ALIGN)
