"""A run as the workbench shows it: one scene with many plots, in groups.

The standalone page shows what was asked for (`panels.py`); here paths, phase portraits, energies and residuals of
every body and constraint come with it, each group in a tab of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from chainlist.model.mechanism import Quantity
from chainlist.output.camera import camera_of
from chainlist.output.corners import with_events
from chainlist.output.figures import figures, notes
from chainlist.output.panels import always_held, asked_panels, panels_of, tensions
from chainlist.output.scene import Panel, PanelCurve, Scene, build_scene
from chainlist.run.observables import observe_moments
from chainlist.run.quantities import Moments
from chainlist.run.trajectory import Trajectory

MOST_CURVES = 24  # of one panel that nobody asked for; more would be a carpet


@dataclass(frozen=True)
class Showing:
    """A scene, and which of its panels belong together: (name of the group, indices into `scene.panels`)."""

    scene: Scene
    groups: tuple[tuple[str, tuple[int, ...]], ...]


def show(trajectory: Trajectory, only: str | None = None) -> Showing:
    """All that can be shown of a run; the plots of one group `only`, for who is in a hurry."""
    wanted = [(name, make) for name, make in _groups(trajectory) if only in (None, name)]
    grouped = [(name, panels) for name, make in wanted if (panels := make())]
    scene = build_scene(
        trajectory.mechanism,
        trajectory.t,
        trajectory.q,
        trajectory.v,
        tension=tensions(trajectory),
        events=trajectory.events,
        panels=[panel for _, panels in grouped for panel in panels],
        figures=figures(trajectory),
        notes=notes(trajectory),
    )
    groups, at = [], 0
    for name, panels in grouped:
        groups.append((name, tuple(range(at, at + len(panels)))))
        at += len(panels)
    return Showing(scene, tuple(groups))


def _groups(trajectory: Trajectory) -> list[tuple[str, Callable[[], list[Panel]]]]:
    """Each group, and what makes its panels."""
    mechanism = trajectory.mechanism
    moments = Moments(with_events(trajectory))
    bodies = _some([body.name for body in mechanism.bodies if body.role in ("point", "held")])
    constraints = _some(always_held(mechanism))
    groups: list[tuple[str, Callable[[], list[Panel]]]] = [
        ("Plots", lambda: asked_panels(trajectory, mechanism.plots)),
        ("Paths", lambda: _panel(moments, "Paths", "PATH", bodies)),
    ]
    if trajectory.v is None:
        return groups
    return [
        *groups,
        ("Phase", lambda: _panel(moments, "Phase portraits", "PHASE", bodies)),
        ("Energy", lambda: _energy(moments)),
        ("Constraints", lambda: _residuals(moments, constraints)),
    ]


def _residuals(moments: Moments, constraints: tuple[str, ...]) -> list[Panel]:
    of_velocities = _panel(moments, "Its derivative dΦ/dt", "DERIVATIVE", constraints)
    return _panel(moments, "Residual Φ", "PHI", constraints) + of_velocities


def _some(names: list[str]) -> tuple[str, ...]:
    """Names spread over all of them, the first and the last among them."""
    if len(names) <= MOST_CURVES:
        return tuple(names)
    return tuple(names[i] for i in np.linspace(0, len(names) - 1, MOST_CURVES).round().astype(int))


def _panel(moments: Moments, title: str, function: str, names: tuple[str, ...]) -> list[Panel]:
    """One panel with a curve for each name; none where there is no name."""
    if not names:
        return []
    (panel,) = panels_of([observe_moments(moments, Quantity(function, names))], moments.t, camera_of(moments.mechanism))
    return [_titled(panel, title)]


def _energy(moments: Moments) -> list[Panel]:
    energies = [observe_moments(moments, Quantity(name)) for name in ("T", "U", "Etotal")]
    (panel,) = panels_of(energies, moments.t, camera_of(moments.mechanism))
    (work,) = observe_moments(moments, Quantity("Work")).curves  # what motors put in and bounces take is no error
    with np.errstate(invalid="ignore"):
        kept = energies[-1].curves[0].values - work.values
        name = "Etotal − Work − its start" if np.any(work.values) else "Etotal − its start"
        change = PanelCurve(name, moments.t, kept - kept[0])
    return [_titled(panel, "Energy"), Panel("Error of the energy", (change,), y_label="ΔE", y_unit="J")]


def _titled(panel: Panel, title: str) -> Panel:
    return replace(panel, title=title)
