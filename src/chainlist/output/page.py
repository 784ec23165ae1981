"""The standalone page: one HTML file with the motion, the plots and the chainlist, which opens offline in a browser.

Nothing is fetched: the player's modules (`web/*.js`) and the style are written into the page, the data follow as
base64 of gzip. A content security policy in the page itself forbids every request. All text that comes from a user
is escaped; the data cannot end a script element, for base64 has no `<`.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from chainlist.output.packing import pack
from chainlist.output.scene import Panel, Scene

# In the order of their imports: joined into one script, each must stand below those that it uses.
MODULES = (
    "motion.js",
    "camera.js",
    "scene.js",
    "theme.js",
    "ticks.js",
    "icons.js",
    "style.js",
    "view.js",
    "parts.js",
    "bodies.js",
    "floor.js",
    "extent.js",
    "surroundings.js",
    "space.js",
    "rails.js",
    "names.js",
    "drawing.js",
    "past.js",
    "readout.js",
    "arrows.js",
    "scale.js",
    "controls.js",
    "player.js",
    "axes.js",
    "pointer.js",
    "plot.js",
    "chart.js",
    "findings.js",
    "family.js",
    "page.js",
)

# Parts of a drawing as the line under the title counts them.
COUNTED = (
    (("rod", "string", "rope"), "link", "links"),
    (("rail", "guide", "circle", "sphere", "tile"), "slider", "sliders"),
    (("pin",), "pin", "pins"),
    (("motor",), "motor", "motors"),
    (("spring", "spiral"), "spring", "springs"),
    (("damper", "brake", "drag"), "damper", "dampers"),
    (("force", "pull"), "force", "forces"),
    (("torque",), "torque", "torques"),
    (("wall", "drum", "pane", "globe"), "wall", "walls"),
)

_HELP = {
    2: "Drag to move the picture, wheel or pinch to zoom, drag in a plot to move in time. Space plays, arrows step.",
    3: "Drag or use the arrow keys to turn the picture; drag with shift, or with two fingers, to move it; wheel, pinch or + and −"
    " to zoom; a double click or 0 shows it as at first. Drag in a plot to move in time. Space plays, comma and full stop step.",
}

_HEIGHT, _HEIGHTS = 286, {"path": 396}  # pixels of a panel and of the gap below it, as in page.css
_BESIDE = 650  # pixels of panels from which on the player has enough beside it

_IMPORT = re.compile(r'^import [^;]*? from "\./[a-z]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async )?(class|function|const) )", re.MULTILINE)


@dataclass(frozen=True)
class Variants:
    """A parameter of which the page has several motions: those of other values than that of the text, zipped; None where there is none."""

    name: str
    unit: str
    base: float
    values: tuple[float, ...]
    scenes: tuple[str | None, ...]


def page(scene: Scene, views: Sequence[dict[str, Any]] = (), choices: Sequence[Variants] = ()) -> str:
    """The text of the HTML file that shows a scene, what analyses found (`views.py`), and sliders for parameters."""
    beside, more = _places(scene.panels)
    return Template(_web("page.html")).substitute(
        title=escape(scene.title.strip() or "Untitled mechanism"),
        style=_web("page.css"),
        summary=escape(_summary(scene)),
        layout="with-panels" if scene.panels else "alone",
        panels="".join(_panel_host(panel) for panel in beside),
        more="".join(_panel_host(panel) for panel in more),
        columns="two" if len(more) in (2, 4) else "",
        facts=_facts(scene),
        text=escape(scene.text),
        data=zipped(pack(scene)),
        findings=zipped(json.dumps(list(views), allow_nan=False).encode()) if views else "",
        family=zipped(json.dumps([asdict(choice) for choice in choices]).encode()) if choices else "",
        help=_HELP[scene.dimension],
        script=joined_script(),
    )


def zipped(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode("ascii")


def joined_script() -> str:
    """All modules as one: in a page from a disk a module cannot import another file."""
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", _web(name))) for name in MODULES)
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError("a module holds text that would end the script element")
    return script


def _web(name: str) -> str:
    return files("chainlist.output").joinpath("web", name).read_text(encoding="utf-8")


def _summary(scene: Scene) -> str:
    """One line under the title: what is in the mechanism, and how long the motion is."""
    kinds = Counter(kind for kind, _ in {(part.kind, part.name) for part in scene.parts})
    points = sum(body.role in ("point", "held") for body in scene.bodies)
    counts = [(points, "body", "bodies"), (len(scene.shapes), "rigid body", "rigid bodies")]
    counts += [(sum(kinds[kind] for kind in of), one, many) for of, one, many in COUNTED]
    parts = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
    parts.append(f"{scene.t[0]:g} to {scene.t[-1]:g} s")
    return " · ".join(parts)


def _places(panels: Sequence[Panel]) -> tuple[Sequence[Panel], Sequence[Panel]]:
    """The panels beside the player, as many as it is high, and those that have the whole width below it."""
    high, count = 0, 0
    while count < len(panels) and high < _BESIDE:
        high += _HEIGHTS.get(panels[count].kind, _HEIGHT)
        count += 1
    return panels[:count], panels[count:]


def _panel_host(panel: Panel) -> str:
    return f'<div class="card {panel.kind}"></div>'


def _facts(scene: Scene) -> str:
    """The report: figures as label and value, notes as sentences."""
    sections = []
    if scene.figures:
        rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in scene.figures)
        sections.append(f'<section class="card"><h2>The run</h2><dl>{rows}</dl></section>')
    if scene.notes:
        items = "".join(f"<li>{escape(note)}</li>" for note in scene.notes)
        sections.append(f'<section class="card"><h2>Notes</h2><ul>{items}</ul></section>')
    return f'<div class="facts">{"".join(sections)}</div>' if sections else ""
