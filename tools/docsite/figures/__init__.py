"""The figures of the page on mathematics: each is a function that draws on an empty figure of matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from docsite.figures import drawing, measured, mechanisms, principles

FIGURES: dict[str, Callable[[Any], None]] = {
    "figure-gauss": principles.gauss,
    "figure-greville": principles.greville,
    "figure-drift": measured.drift,
    "figure-damping": measured.damping,
    "figure-projection": principles.projection,
    "figure-ways": mechanisms.ways,
    "figure-lever": mechanisms.lever,
    "figure-straight": mechanisms.straight,
    "figure-pivot": principles.pivot,
    "figure-guard": measured.guard,
    "figure-energy": measured.energy,
    "figure-body": mechanisms.body,
    "figure-stiff": measured.stiff,
}
PICTURES: dict[str, Callable[[Path], None]] = {name: partial(drawing.save, draw) for name, draw in FIGURES.items()}

# what the figures depend on beside the program
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")))
