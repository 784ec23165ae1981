"""What analyses found as plain data, which `web/findings.js` shows: in the standalone page and in the workbench alike."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from chainlist.analyses.base import Animation, Chart, Finding, Heat
from chainlist.kernels.bundles import Floats
from chainlist.output.charts import ticks_at_values
from chainlist.output.packing import drawable, machine_of
from chainlist.output.scene import build_scene

MOST_POINTS = 20_000  # of one curve: more than a screen has
MOST_TILES = 400  # of a heat map along each axis
DIGITS = 7


def views_of(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Card by card: the command, its figures as labels and values, its pictures."""
    return [
        {
            "command": finding.asked.command,
            "figures": finding.result.figures(),
            "pictures": [_view(picture) for picture in finding.result.pictures()],
        }
        for finding in findings
    ]


def _view(picture: Chart | Heat | Animation) -> dict[str, Any]:
    if isinstance(picture, Chart):
        return _chart(picture)
    return _heat(picture) if isinstance(picture, Heat) else _motion(picture)


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "kind": chart.kind,
        "title": f"{chart.title} ({chart.gaps})" if chart.gaps else chart.title,
        "across": chart.across,
        "up": chart.up,
        "log": chart.log,
        "logX": chart.log_x,
        "counts": chart.counts,
        "series": [{"label": s.label, "x": _numbers(_some(s.x)), "y": _numbers(_some(s.y))} for s in chart.series],
    }


def _heat(heat: Heat) -> dict[str, Any]:
    rows, columns = (max(1, -(-length // MOST_TILES)) for length in heat.values.shape)
    return {
        "kind": "heat",
        "title": heat.title,
        "log": heat.log_y,
        "logX": heat.log_x,
        "across": heat.across,
        "up": heat.up,
        "ticksX": ticks_at_values(heat.across_values, log=heat.log_x),
        "ticksY": ticks_at_values(heat.up_values, log=heat.log_y),
        "gaps": heat.gaps if heat.has_gaps else "",
        "x": _numbers(heat.across_values[::columns]),
        "y": _numbers(heat.up_values[::rows]),
        "values": _numbers(heat.values[::rows, ::columns].ravel()),
    }


def _motion(motion: Animation) -> dict[str, Any]:
    """A machine, and its motion as times and places."""
    run = motion.trajectory
    scene = build_scene(run.mechanism, run.t, run.q)
    return {
        "kind": "motion",
        "title": motion.title or motion.file.replace("-", " ").capitalize(),
        "lasting": motion.lasting,
        "machine": machine_of(scene),
        "t": _numbers(scene.t),
        "q": _numbers(drawable(scene.q).astype(float).ravel()),
    }


def _some(values: Floats) -> Floats:
    return values[:: max(1, -(-len(values) // MOST_POINTS))]


def _numbers(values: Floats) -> list[float | None]:
    """As JSON has them: no more digits than can be seen, None for what is not finite."""
    return [float(f"{x:.{DIGITS}g}") if math.isfinite(x) else None for x in np.asarray(values, float).tolist()]
