"""A motion in a notebook with sliders for its parameters: `chainlist.player(mechanism)`; a slider that is moved runs it again.

It is an anywidget: JupyterLab, VS Code and Colab show it. All that it needs travels in it, nothing is fetched. Where there is no
kernel, in a saved notebook or one exported as HTML, its last motion is still there, without the sliders.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from chainlist.app.workbench.knobs import Knob, knobs
from chainlist.compile.read import changed
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.model.units import UNITS
from chainlist.output.figures import figures, notes
from chainlist.output.notebook import HEIGHT, frame
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.run.entry import changes_of
from chainlist.run.grid import RunRefused
from chainlist.run.simulate import simulate
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.extras import extra
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse as parse_tree
from chainlist.syntax.source import Source


def player(source: Mechanism | str | Path, **options: Any) -> Any:
    """A player with a slider for each `.param` that is a number. `source` is a mechanism, a text or a path; options as in
    `simulate`: `params={"L": 2}`, `integrator="DOP853"`, `tran=(0, 10, 1e-3)`."""
    return _widget()(Model(changed(source, changes_of(**options))))


class Model:
    """What a player shows: the mechanism, its knobs, and its motion with the values of the knobs."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        tree = parse_tree(Source("chainlist", mechanism.text), Diagnostics(), Limits())
        self.knobs = [knob for knob in knobs(tree) if knob.name.lower() in _lower(mechanism.parameters)]

    def sliders(self) -> list[dict[str, Any]]:
        """The knobs as data for the page, in the units of the text."""
        given = {name.lower(): value for name, value in self.mechanism.changes.params.items()}
        return [
            {
                "name": knob.name,
                "unit": knob.unit,
                "low": knob.low,
                "high": knob.high,
                "value": given[knob.name.lower()] / _si(knob) if knob.name.lower() in given else knob.value,
            }
            for knob in self.knobs
        ]

    def page(self, values: dict[str, float]) -> str:
        """The page of the motion with these values, in the units of the text; raises `ChainlistError` or `RunRefused`."""
        units = {knob.name: _si(knob) for knob in self.knobs}
        numbers = {name: float(value) * units[name] for name, value in values.items() if name in units}
        trajectory = simulate(changed(self.mechanism, Changes(numbers)))
        return page(scene_of(trajectory, figures(trajectory), notes(trajectory)))


def _lower(names: Any) -> set[str]:
    return {name.lower() for name in names}


def _si(knob: Knob) -> float:
    """SI units in one of the knob's."""
    unit = UNITS.get(knob.unit)
    return 1.0 if unit is None else float(unit.factor * 10.0**unit.power)


def _widget() -> Any:
    """The class of the widget; made when the first one is wanted, for its package is an extra."""
    anywidget = extra("anywidget", "jupyter", "players with sliders")
    traitlets = extra("traitlets", "jupyter", "players with sliders")
    module = resources.files("chainlist.app").joinpath("web", "player_widget.js").read_text(encoding="utf-8")

    class Player(anywidget.AnyWidget):  # type: ignore[misc, name-defined]  # an extra
        """Sliders beside a motion. `values` are those of the sliders; set them, and the motion follows."""

        _esm = module
        sliders = traitlets.List().tag(sync=True)
        values = traitlets.Dict().tag(sync=True)
        page = traitlets.Unicode().tag(sync=True)
        problem = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(HEIGHT).tag(sync=True)

        def __init__(self, model: Model) -> None:
            sliders = model.sliders()
            values = {slider["name"]: slider["value"] for slider in sliders}
            super().__init__(sliders=sliders, values=values, page=model.page(values))
            self._model = model
            self.observe(self._run, "values")

        def _run(self, change: Any) -> None:
            try:
                self.page = self._model.page(change["new"])
                self.problem = ""
            except (ChainlistError, RunRefused) as error:  # a value with which the machine cannot be
                self.problem = str(error).strip()

        def _repr_mimebundle_(self, **kwargs: Any) -> Any:
            """Beside the widget the page itself, for where no kernel is."""
            bundle = super()._repr_mimebundle_(**kwargs)
            data, *rest = bundle if isinstance(bundle, tuple) else (bundle,)
            data = {**(data or {}), "text/html": frame(self.page)}
            return (data, *rest) if rest else data

    return Player
