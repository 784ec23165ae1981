"""A run as it is shown: the scene with all its plots, grouped, and the report in figures and plain words.

Used by the standalone page, the workbench and Jupyter alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.model.ask import ask
from chainlist.model.mechanism import Item
from chainlist.output.labels import curve_label
from chainlist.output.scene import Curve, Panel, PanelKind, Scene, build_scene
from chainlist.run.observables import Observable, observe_moments
from chainlist.run.quantities import Moments
from chainlist.run.report import Report
from chainlist.run.trajectory import Trajectory

Floats = NDArray[np.float64]
Figures = tuple[tuple[str, str], ...]

ASKED, PATHS, PHASE, ENERGY, CONSTRAINTS = "Plots", "Paths", "Phase", "Energy", "Constraints"
MOST_CURVES = 24  # of one panel that nobody asked for; more would be a carpet
MOST_TENSIONS = 4_000_000  # samples times constraints for which tensions are computed unasked


@dataclass(frozen=True)
class Showing:
    """A scene, and which of its panels belong together: (name of the group, indices into `scene.panels`)."""

    scene: Scene
    groups: tuple[tuple[str, tuple[int, ...]], ...]


def show(trajectory: Trajectory, *, figures: Figures | None = None, notes: Sequence[str] | None = None) -> Showing:
    """All that can be shown of a run; `figures` and `notes` are those of its report unless given."""
    report = trajectory.report
    moments = Moments(trajectory)
    grouped = [(name, panels) for name, panels in _groups(trajectory, moments) if panels]
    tension = None
    from importlib.util import find_spec
    if find_spec('chainlist.run.forces') and trajectory.v is not None and len(trajectory.t) * len(trajectory.mechanism.constraints) <= MOST_TENSIONS:
        tension = _tensions(trajectory, moments)
    scene = build_scene(
        trajectory.mechanism,
        trajectory.t,
        trajectory.q,
        trajectory.v,
        tension=tension,
        panels=[panel for _, panels in grouped for panel in panels],
        figures=figures if figures is not None else (report_figures(report) if report else ()),
        notes=notes if notes is not None else (report_notes(report) if report else ()),
    )
    return Showing(scene, tuple(_numbered(grouped)))


def _numbered(grouped: list[tuple[str, list[Panel]]]) -> list[tuple[str, tuple[int, ...]]]:
    found, at = [], 0
    for name, panels in grouped:
        found.append((name, tuple(range(at, at + len(panels)))))
        at += len(panels)
    return found


def _groups(trajectory: Trajectory, moments: Moments) -> list[tuple[str, list[Panel]]]:
    mechanism = trajectory.mechanism
    asked = [p for plot in mechanism.plots for items in plot.panels for p in _panels(moments, items)]
    bodies = ",".join(_some([body.name for body in mechanism.bodies]))
    constraints = ",".join(_some([c.name for c in mechanism.constraints]))
    groups = [(ASKED, asked), (PATHS, _asked_by(trajectory, moments, [f"PATH({bodies})"]))]
    if trajectory.v is not None:
        groups.append((PHASE, _asked_by(trajectory, moments, [f"PHASE({bodies})"])))
        groups.append((ENERGY, _energy(trajectory, moments)))
        if constraints:
            groups.append((CONSTRAINTS, _asked_by(trajectory, moments, [f"PHI({constraints})", f"DERIVATIVE({constraints})"])))
    return groups


def _some(names: list[str]) -> list[str]:
    """Names spread over all of them, the first and the last among them."""
    if len(names) <= MOST_CURVES:
        return names
    return [names[i] for i in np.linspace(0, len(names) - 1, MOST_CURVES).round().astype(int)]


def _asked_by(trajectory: Trajectory, moments: Moments, texts: list[str]) -> list[Panel]:
    return [panel for text in texts for panel in _panels(moments, (ask(trajectory.mechanism, text),))]


def _energy(trajectory: Trajectory, moments: Moments) -> list[Panel]:
    items = tuple(ask(trajectory.mechanism, text) for text in ("T", "U", "Etotal"))
    (energies,) = _panels(moments, items)
    total = observe_moments(moments, items[-1]).curves[0].values
    drift = Curve("Etotal − Etotal(start)", trajectory.t, total - total[0])
    energies = Panel("Energy", energies.curves, "time", "t", "energy", "s", "J")
    return [energies, Panel("Error of the energy", (drift,), "time", "t", "ΔE", "s", "J")]


def _panels(moments: Moments, items: tuple[Item, ...]) -> list[Panel]:
    """The panels of items that were put together: one for curves over time, one for paths, one for phase curves."""
    observables = [observe_moments(moments, item) for item in items]
    found = []
    for kind in ("time", "path", "phase"):
        same = [o for o in observables if o.kind == kind]
        if same:
            found.append(_panel(moments, kind, same))
    return found


def _panel(moments: Moments, kind: PanelKind, observables: list[Observable]) -> Panel:
    title = "  ".join(o.text for o in observables)
    if len(title) > 60 and len(observables) == 1:
        title = observables[0].function or title[:57] + "…"
    if kind == "time":
        curves = [c for o in observables for c in _over_time(moments.t, o, alone=len(observables) == 1)]
        units = {o.unit for o in observables}
        return Panel(title, tuple(curves), kind, "t", "", "s", units.pop() if len(units) == 1 else "")
    curves = [
        Curve(f"{c.entity} {c.axes}".rstrip(), c.over, c.values)
        for o in observables
        for c in o.curves
        if c.over is not None
    ]
    if kind == "path":
        return Panel(title, tuple(curves), kind, "x", "y", "m", "m")
    return Panel(title, tuple(curves), kind, "position", "velocity", "m", "m/s")


def _over_time(t: Floats, observable: Observable, *, alone: bool) -> list[Curve]:
    found = []
    for curve in observable.curves:
        values = curve.values if curve.is_vector else curve.values[:, None]
        for c in range(values.shape[1]):
            label = curve_label(observable, curve, observable.components[c : c + 1], alone=alone)
            found.append(Curve(label, t, values[:, c]))
    return found


def _tensions(trajectory: Trajectory, moments: Moments) -> Floats:
    """(samples, links) N, in the order of the links."""
    rows = [i for i, c in enumerate(trajectory.mechanism.constraints) if c.letter == "C"]
    values: Floats = np.asarray(moments.forces.tension)[:, rows]
    return values


# The report


def report_figures(report: Report) -> Figures:
    """Numbers of a run, each with its name."""
    figures = [
        ("steps", f"{report.steps:,}" + (f" ({report.redone:,} redone)" if report.redone else "")),
        ("evaluations", f"{report.evaluations:,}"),
        ("computing time", f"{report.seconds_run:.3g} s"),
        ("energy error", f"{report.energy_error:.2e} J"),
        ("relative to the kinetic energy", f"{report.energy_error_relative:.2e}"),
    ]
    if report.predictor_energy_error is not None:
        figures.append(("energy error before the corrector", f"{report.predictor_energy_error:.2e} J"))
    for extreme, name in ((report.residual, "largest |Φ|"), (report.velocity_residual, "largest |dΦ/dt|")):
        if extreme is not None:
            where = f" ({extreme.constraint}, t = {extreme.time:.4g} s)" if extreme.value else ""
            figures.append((name, f"{extreme.value:.2e}{where}"))
    if report.adaptive_steps is not None:
        figures.append(("step sizes", f"{report.adaptive_steps[0]:.2g} to {report.adaptive_steps[1]:.2g} s"))
    if report.step_error is not None:
        figures.append(("half steps differ by", f"{report.step_error:.2g} m"))
    return tuple(figures)


def report_notes(report: Report) -> tuple[str, ...]:
    """What happened and what the solver found, in sentences."""
    notes = list(report.warnings)
    notes += report.replaced
    if report.dropped:
        names = ", ".join(report.dropped)
        notes.append(f"Redundant: {names} only repeat what other constraints say; the forces among them are not unique.")
    if max(report.start_moved) > 1e-12:
        notes.append(
            f"The start did not fit the constraints: positions were moved by up to {report.start_moved[0]:.3g} m, "
            f"velocities by up to {report.start_moved[1]:.3g} m/s."
        )
    notes += [
        f"Passes a singular configuration at t = {p.time:.4g} s: there {p.constraint} depends on the others."
        for p in report.passages[:8]
    ]
    if len(report.passages) > 8:
        notes.append(f"{len(report.passages)} singular configurations in all.")
    if report.refined:
        notes.append(
            f"{len(report.refined)} steps were redone in halves, the first at t = {report.refined[0]:.4g} s: "
            "the whole step would have leapt to another branch."
        )
    return tuple(note[0].upper() + note[1:] for note in notes)
