"""A page with sliders that needs no server: for each knob its motions over the range are computed now, and the page chooses among them.

While one knob is off its value in the text, the others stand at theirs: the page shows no motion that was not computed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from chainlist.app.player import Model
from chainlist.app.workbench.knobs import Knob
from chainlist.compile.read import changed
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.model.units import UNITS
from chainlist.output.packing import pack
from chainlist.output.page import Variants, zipped
from chainlist.output.panels import scene_of
from chainlist.run.grid import RunRefused
from chainlist.run.simulate import simulate
from chainlist.syntax.errors import ChainlistError

MOST_KNOBS = 4
VALUES = 11  # over the range of a knob
MOST_BYTES = 24_000_000  # of the page


class TooMuch(Exception):
    """The page cannot be made; the words are for the user."""


def family(mechanism: Mechanism, progress: Callable[[float, str], None], stop: Callable[[], bool]) -> list[Variants]:
    """For each knob, the first few of them: its values, and the motion of each; None is the one of the text, or one that cannot be."""
    found = Model(mechanism).knobs[:MOST_KNOBS]
    if not found:
        raise TooMuch("there is no knob in this text: write a parameter, .param L=1 ; 0.5..2")
    choices, size, done = [], 0, 0
    for knob in found:
        scenes: list[str | None] = []
        values = values_of(knob)
        for value in values:
            if stop():
                raise TooMuch("these runs take longer than is allowed here: shorten .tran, or take fewer knobs")
            scenes.append(None if value == knob.value else _scene(mechanism, knob, value))
            size += len(scenes[-1] or "")
            if size > MOST_BYTES:
                raise TooMuch(
                    "this page would be too large: keep fewer samples with .options SAVE=, or take fewer knobs"
                )
            done += 1
            progress(done / (len(found) * len(values)), f"{knob.name} = {value:g}")
        choices.append(Variants(knob.name, knob.unit, knob.value, values, tuple(scenes)))
    return choices


def values_of(knob: Knob) -> tuple[float, ...]:
    """Evenly over the range, and the value of the text among them."""
    evenly = (float(f"{value:.6g}") for value in np.linspace(knob.low, knob.high, VALUES))
    return tuple(sorted({*evenly, knob.value}))


def _scene(mechanism: Mechanism, knob: Knob, value: float) -> str | None:
    """The packed motion; None where the machine cannot be with this value."""
    unit = UNITS.get(knob.unit)
    factor = 1.0 if unit is None else float(unit.factor * 10.0**unit.power)
    try:
        run = simulate(changed(mechanism, Changes({knob.name: value * factor})))
    except (ChainlistError, RunRefused):
        return None
    return zipped(pack(scene_of(run, [], [])))
