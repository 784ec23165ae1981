"""The plots of a chainlist as panels of a page: the observables that `plots.py` draws, as curves with names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chainlist.elements.base import Row
from chainlist.model.mechanism import Element, Item, Mechanism, Plot, Quantity
from chainlist.model.observables import OBSERVABLES
from chainlist.output.camera import Camera, camera_of, seen_path
from chainlist.output.corners import observe_drawn, with_events
from chainlist.output.labels import FREQUENCY, crossed_label, curve_label, value_label
from chainlist.output.proportions import shares_scale
from chainlist.output.scene import Panel, PanelCurve, Scene, build_scene
from chainlist.run.observables import Curve, Kind, Observable, observe, observe_moments
from chainlist.run.quantities import Floats, Moments
from chainlist.run.samples import Samples
from chainlist.run.spectrum import drawn
from chainlist.run.trajectory import Trajectory

KINDS: tuple[Kind, ...] = ("time", "path", "spectrum", "versus", "phase")  # the order of the panels of a group
_MOST_COLOURS = 1_500  # samples at which tensions are computed to colour the links
_MOST_VALUES = 20_000_000  # samples times constraints that are worth computing for a picture


def scene_of(trajectory: Trajectory, figures: list[tuple[str, str]], notes: list[str]) -> Scene:
    """Everything that a page shows of a run."""
    mechanism = trajectory.mechanism
    return build_scene(
        mechanism,
        trajectory.t,
        trajectory.q,
        trajectory.v,
        tension=tensions(trajectory),
        events=trajectory.events,
        panels=[*asked_panels(trajectory, mechanism.plots), *general_panels(trajectory)],
        figures=figures,
        notes=notes,
    )


def asked_panels(trajectory: Trajectory | Samples, plots: tuple[Plot, ...]) -> list[Panel]:
    """The panels of all `.plot`s; pictures of the mechanism are left to the player."""
    even, moments = Moments(trajectory), Moments(with_events(trajectory))
    camera = camera_of(trajectory.mechanism)
    return [
        panel
        for plot in plots
        for items in plot.panels
        for panel in panels_of(
            [observe_drawn(item, even, moments) for item in items if not _is_picture(item)],
            moments.t,
            camera,
        )
    ]


def general_panels(trajectory: Trajectory) -> list[Panel]:
    """Energies and the largest residual of the constraints: wanted with every motion."""
    out = []
    if trajectory.v is not None:
        moments = Moments(with_events(trajectory))
        energies = [observe_moments(moments, Quantity(name)) for name in ("T", "U", "Etotal")]
        out += [_over_time("Energy", energies, moments.t)]
    worst = _largest_residual(trajectory)
    if worst is not None:
        curve = PanelCurve("largest |Φ|", trajectory.t, worst)
        out.append(Panel("Constraint error", (curve,), y_label="largest |Φ|", y_unit=_residual_unit(trajectory)))
    return out


def _is_picture(item: Item) -> bool:
    return isinstance(item.formula, Quantity) and item.formula.function.upper() == "CONSTRAINTS"


def panels_of(observables: list[Observable], t: Floats, camera: Camera) -> Iterator[Panel]:
    """Curves of one kind share axes, as they do in a figure; paths in space are those that the camera sees."""
    over_time = [o for o in observables if o.kind == "time"]
    if over_time:
        yield _over_time("  ".join(o.text for o in over_time), over_time, t)
    paths = [o for o in observables if o.kind == "path"]
    if paths:
        in_space = any(curve.away is not None for o in paths for curve in o.curves)
        labels = ("across the view", "up the view") if in_space else ("x", "y")
        yield Panel("  ".join(o.text for o in paths), _crossed(paths, t, camera), "path", *labels, "m", "m")
    spectra = [o for o in observables if o.kind == "spectrum"]
    if spectra:
        yield _spectrum(spectra)
    versus = [o for o in observables if o.kind == "versus"]
    if versus:
        pairs = [o.versus for o in versus if o.versus is not None]
        (up, up_unit), (across, unit) = (_label_and_unit([pair[side] for pair in pairs]) for side in (0, 1))
        curves = _crossed(versus, t, camera)
        title, equal = "  ".join(o.text for o in versus), shares_scale(versus)
        yield Panel(title, curves, "versus", across, up, unit, up_unit, equal)
    phases = [o for o in observables if o.kind == "phase"]
    if phases:
        yield Panel(
            "  ".join(o.text for o in phases), _crossed(phases, t, camera), "phase", "position", "velocity", "m", "m/s"
        )


def _spectrum(observables: list[Observable]) -> Panel:
    """Amplitudes over the frequency, as far as there are any, but for the mean."""
    curves = [curve for o in observables for curve in o.curves if curve.over is not None]
    spectra = drawn([(curve.over, curve.values) for curve in curves if curve.over is not None])
    several = len(observables) > 1
    shown = tuple(
        PanelCurve(f"{c.words if several else c.entity} {c.axes}".rstrip(), *spectrum)
        for c, spectrum in zip(curves, spectra, strict=True)
    )
    units = {curve.unit for curve in curves}
    unit = units.pop() if len(units) == 1 else ""
    return Panel("  ".join(o.text for o in observables), shown, "spectrum", FREQUENCY, "amplitude", "Hz", unit)


def _over_time(title: str, observables: list[Observable], t: Floats) -> Panel:
    curves = []
    for observable in observables:
        for curve in observable.curves:
            values = curve.values if curve.is_vector else curve.values[:, None]
            for c in range(values.shape[1]):
                name = curve_label(observable, curve, observable.components[c : c + 1], alone=len(observables) == 1)
                curves.append(_with_gaps(PanelCurve(name, t, values[:, c]), curve))
    label, unit = _label_and_unit(observables)
    return Panel(title, tuple(curves), y_label=label, y_unit=unit)


def _label_and_unit(observables: list[Observable]) -> tuple[str, str]:
    """What stands at an axis, and the unit behind it where all have the same."""
    units = {observable.unit for observable in observables}
    unit = units.pop() if len(units) == 1 else ""
    label = value_label(observables)
    return (label.removesuffix(f"[{unit}]").rstrip() if unit else label), unit


def _crossed(observables: list[Observable], t: Floats, camera: Camera) -> tuple[PanelCurve, ...]:
    return tuple(
        _with_gaps(
            PanelCurve(crossed_label(curve, observable, alone=len(observables) == 1), *seen_path(curve, camera), t),
            curve,
        )
        for observable in observables
        for curve in observable.curves
        if curve.over is not None
    )


def _with_gaps(shown: PanelCurve, curve: Curve) -> PanelCurve:
    """The same with a point without a value wherever the values jump (formula/jumps.py): a page draws a gap there."""
    if not curve.jumps or len(shown.y) <= curve.jumps[-1]:
        return shown
    at = np.asarray(curve.jumps)

    def between(values: Floats) -> Floats:
        return np.insert(values, at, 0.5 * (values[at - 1] + values[at]))

    x, y = np.asarray(shown.x, float), np.insert(np.asarray(shown.y, float), at, np.nan)
    return PanelCurve(shown.name, between(x), y, None if shown.t is None else between(np.asarray(shown.t, float)))


def _largest_residual(trajectory: Trajectory) -> Floats | None:
    names = tuple(constraint.name for constraint in _of_places(trajectory.mechanism))
    if not names or len(names) * len(trajectory) > _MOST_VALUES:
        return None
    curves = observe(trajectory, Quantity("PHI", names)).curves
    worst = np.zeros(len(trajectory))
    for curve in curves:
        np.fmax(worst, np.abs(curve.values), out=worst)
    return worst


def always_held(mechanism: Mechanism) -> list[str]:
    """Constraints that have a residual: not those that hold only at times."""
    return [constraint.name for constraint in mechanism.constraints if not constraint.parts.switches]


def _of_places(mechanism: Mechanism) -> list[Element]:
    """Those that always hold, and not of velocities alone: a motor by its speed has no Φ of places."""
    return [
        constraint
        for constraint in mechanism.constraints
        if not constraint.parts.switches
        and not all(isinstance(row, Row) and row.of_velocities for row in constraint.parts.rows)
    ]


def _residual_unit(trajectory: Trajectory) -> str:
    """The unit of Φ where all constraints have the same: m² for links, m for sliders; else none."""
    which = OBSERVABLES["phi"].unit_of
    assert which is not None
    units = {constraint.units[which] for constraint in _of_places(trajectory.mechanism)}
    return units.pop() if len(units) == 1 else ""


def tensions(trajectory: Trajectory) -> Floats | None:
    """(samples, links) N, or None where they are not known or not worth computing."""
    names = tuple(link.name for link in trajectory.mechanism.links)
    if not names or trajectory.v is None or len(names) * len(trajectory) > _MOST_VALUES:
        return None
    stride = 1 + len(trajectory) // _MOST_COLOURS  # between two of these a colour moves evenly
    some = np.unique([*range(0, len(trajectory), stride), len(trajectory) - 1])
    chosen = (trajectory.t[some], trajectory.q[some], trajectory.v[some])
    kept = Samples(trajectory.mechanism, *chosen, chapters=trajectory.chapters)
    curves = observe(kept, Quantity("TENSION", names)).curves
    return np.column_stack([np.interp(trajectory.t, kept.t, curve.values) for curve in curves])
