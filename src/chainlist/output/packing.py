"""A scene as bytes: one message for the player, read by `web/scene.js`.

Layout: the length of the header (uint32), the header (JSON, UTF-8), zeros up to a multiple of 8, then the arrays one
after the other, each from a multiple of 8 on. All numbers are little-endian. Where the header means an array it
says {"array": [offset, length, "f4" or "f8"]}, the offset counted from the first array.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.output.drawing import DrawnPart, PartPoint, ToldPoint
from chainlist.output.presence import Flash, Span
from chainlist.output.scene import Panel, PanelCurve, Scene, SceneBody

ALIGN = 8
BEYOND_DRAWING = 1e30  # positions above are as good as infinite, and would overflow single precision


def machine_of(scene: Scene) -> dict[str, Any]:
    """What the player needs before the first frame: everything but the motion."""
    return {
        "title": scene.title,
        "dim": scene.dimension,
        "view": scene.view,
        "window": scene.window,
        "bodies": [_body(body) for body in scene.bodies],
        "shapes": [asdict(shape) for shape in scene.shapes],
        "parts": [_part(part, scene.spans.get(part.name)) for part in scene.parts],
        "pivots": [_point(point) for point in scene.pivots],
        "tracks": scene.tracks,
        "told": _told(scene),
        "strobe": scene.strobe,
        "plotmode": scene.plotmode,
        "events": [_event(flash) for flash in scene.events],
    }


def _body(body: SceneBody) -> dict[str, Any]:
    data: dict[str, Any] = {"name": body.name, "mass": body.mass, "role": body.role}
    return {**data, "radius": body.radius} if body.radius else data


def _part(part: DrawnPart, span: Span | None) -> dict[str, Any]:
    """`holds`: from when to when it is there, where that is not always; null has no end."""
    data: dict[str, Any] = {"kind": part.kind, "name": part.name, "points": [_point(point) for point in part.points]}
    if part.numbers:
        data["numbers"] = part.numbers
    if span is not None:
        never = BEYOND_DRAWING  # it waits for a time that does not come
        data["holds"] = [never if span[0] == math.inf else _finite(span[0]), _finite(span[1])]
    return data


def _event(flash: Flash) -> dict[str, Any]:
    place = [float(f"{x:.6g}") for x in flash.place] or None
    return {"t": flash.time, "text": flash.text, "place": place, "size": round(flash.size, 3)}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _point(point: PartPoint) -> Any:
    """A number for a body, its coordinates for a fixed place, {"told": n} for the n-th track."""
    return {"told": point.track} if isinstance(point, ToldPoint) else point


def _told(scene: Scene) -> dict[str, Any] | None:
    """The tracks as plain numbers, for a message without arrays; what is not known is null."""
    if not scene.tracks:
        return None
    values = [float(f"{x:.7g}") if np.isfinite(x) else None for x in drawable(scene.told).ravel()]
    return {"t": scene.told_t.tolist(), "q": values}


def pack(scene: Scene) -> bytes:
    """The bytes of a scene. Positions travel in single precision, times and curves in double."""
    arrays = _Arrays()
    header = {
        **machine_of(replace(scene, tracks=())),
        "tracks": scene.tracks,
        "told": {"t": arrays.add(scene.told_t), "q": arrays.add(drawable(scene.told))} if scene.tracks else None,
        "t": arrays.add(scene.t),
        "q": arrays.add(drawable(scene.q)),
        "v": None if scene.v is None else arrays.add(drawable(scene.v)),
        "tension": None if scene.tension is None else arrays.add(drawable(scene.tension)),
        "panels": [_panel(panel, arrays) for panel in scene.panels],
    }
    return _joined(header, arrays)


def pack_panels(panels: Sequence[Panel]) -> bytes:
    """The plots of a run that is still computed, without its motion."""
    arrays = _Arrays()
    return _joined({"panels": [_panel(panel, arrays) for panel in panels]}, arrays)


def _joined(header: dict[str, Any], arrays: _Arrays) -> bytes:
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
        "equal": panel.equal or panel.kind == "path",
        "curves": [_curve(curve, arrays) for curve in panel.curves],
    }


def _curve(curve: PanelCurve, arrays: _Arrays) -> dict[str, Any]:
    return {
        "name": curve.name,
        "x": arrays.add(curve.x),
        "y": arrays.add(curve.y),
        "t": None if curve.t is None else arrays.add(curve.t),
    }


def _padding(length: int) -> bytes:
    return bytes(-length % ALIGN)
