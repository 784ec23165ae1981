"""Figures of what runs do: drift, order, the guard, energy, stiffness."""

from __future__ import annotations

from typing import Any

import numpy as np

from docsite.figures import runs
from docsite.figures.drawing import (
    BLUE,
    GREEN,
    GREY,
    INK,
    RED,
    anchor,
    linkage,
    logarithmic,
    panels,
    say,
    sketch,
    slope,
    title,
)

SHOWN = 300  # points of a curve


def _thinned(curve: runs.Curve) -> runs.Curve:
    """Points that are evenly spread on a logarithmic axis."""
    wanted = np.logspace(np.log10(curve.x[0]), np.log10(curve.x[-1]), SHOWN)
    keep = np.unique(np.clip(np.searchsorted(curve.x, wanted), 0, len(curve.x) - 1))
    return runs.Curve(curve.x[keep], curve.y[keep])


def drift(figure: Any) -> None:
    """The largest |Φ| so far, over time."""
    axes = panels(figure, 3.0)
    logarithmic(axes, "time [s]", "")
    title(axes, f"largest |Φ| so far [m²], step {runs.DRIFT_STEP:g} s")
    looks = {"INDEX1": "-", "INDEX1_2": "--"}
    colours = {"RK4": BLUE, "MIDPOINT": RED}
    for (system, integrator), curve in runs.drift().items():
        shown = _thinned(curve)
        axes.plot(*shown, looks[system], color=colours[integrator], label=f"{integrator}, {system}", linewidth=1.3)
    axes.set(xlim=(0.3, runs.DRIFT_STOP), ylim=(1e-11, 1e-1), xticks=(1, 10), yticks=(1e-9, 1e-6, 1e-3))
    slope(axes, (5, 2e-7), 50, 2, "slope 2")
    slope(axes, (5, 3e-10), 50, 1, "slope 1")
    axes.legend(ncols=2, loc="upper left")


def damping(figure: Any) -> None:
    """The error over the step."""
    axes = panels(figure, 3.0)
    logarithmic(axes, "step [s]", "")
    title(axes, f"largest error of the bob in {runs.SWING:g} s [m], RK4")
    marks = {"INDEX1_2_DAMPED": ("o", RED), "INDEX1": ("s", BLUE), "PROJECTED": ("D", GREEN)}
    found = runs.orders()
    for system, (mark, colour) in marks.items():
        axes.plot(*found[system], mark, linestyle="-", color=colour, markersize=4, label=system, linewidth=1.3)
    axes.set(xticks=(1e-3, 1e-2), yticks=(1e-12, 1e-9, 1e-6, 1e-3))
    slope(axes, (7e-4, 5e-7), 5e-3, 2, "slope 2", "left")
    slope(axes, (1.5e-3, 4e-11), 1e-2, 4, "slope 4")
    axes.legend(loc="upper left")


def guard(figure: Any) -> None:
    """η of each step of the rhombus, with the guard and without, and where it ends up."""
    figure.set_size_inches(4.4, 3.7)
    cells = figure.subplot_mosaic([["before", "on", "off"], ["eta"] * 3], height_ratios=(1, 1.55))
    on, off = runs.passage("ON"), runs.passage("OFF")
    for name, run, time, colour, words in (
        ("before", on, 1.5, GREY, ""),
        ("on", on, 2.2, BLUE, ", guard on"),
        ("off", off, 2.2, RED, ", guard off"),
    ):
        sketch(cells[name], (-1.6, 1.6), (-1.35, 1.35))
        title(cells[name], f"{time:g} s{words}")
        b1, b2, b3 = run.at(time)
        linkage(cells[name], (0, 0), b1, b3, b2, (0, 0), colour=colour)
        anchor(cells[name], (0, 0))
        say(
            cells[name],
            np.add(b3, (0, 0.14 if b3[1] > -0.1 else -0.14)),
            "B3",
            INK,
            "above" if b3[1] > -0.1 else "below",
        )
    axes = cells["eta"]
    for run, colour, words in ((off, RED, "guard off"), (on, BLUE, "guard on")):
        axes.semilogy(run.times[1:], run.eta, color=colour, label=words, linewidth=1.3)
    axes.axhline(runs.MOST_ETA, color=GREEN, linestyle="--", linewidth=0.9)
    axes.annotate(
        "limit near a singular position",
        (0.02, runs.MOST_ETA),
        (0, 3),
        textcoords="offset points",
        color=GREEN,
        fontsize=7.5,
    )
    axes.set(xlabel="time [s]", ylim=(1e-13, 1), yticks=(1e-12, 1e-9, 1e-6, 1e-3, 1))
    axes.legend(loc="upper left", ncols=2)
    title(axes, f"η of each step of {runs.RHOMBUS_STEP:g} s")


def energy(figure: Any) -> None:
    """The energy error so far over thousands of periods."""
    axes = panels(figure, 2.7)
    logarithmic(axes, "periods", "")
    title(axes, f"largest energy error so far (relative), step {runs.LONG_STEP:g} s")
    for (integrator, curve), colour in zip(runs.energies().items(), (BLUE, RED), strict=True):
        axes.plot(*_thinned(curve), color=colour, label=integrator, linewidth=1.4)
    axes.set(xlim=(0.3, runs.PERIODS), xticks=(1, 10, 100, 1000), ylim=(1e-6, 1), yticks=(1e-6, 1e-4, 1e-2, 1))
    slope(axes, (30, 3e-5), 1000, 1, "slope 1")
    axes.legend(loc="upper left", ncols=2)


def stiff(figure: Any) -> None:
    """The error over the step for two bodies that a stiff spring joins."""
    axes = panels(figure, 2.9)
    logarithmic(axes, "step [s]", "")
    title(axes, f"error of the slow motion after {runs.STIFF_STOP:g} s [m]")
    limit, found = runs.stability_limit(), runs.stiff()
    for integrator, colour, mark in (("RK4", BLUE, "s"), ("SDIRK4", RED, "o")):
        good = found[integrator].y < 1.0
        axes.plot(
            found[integrator].x[good],
            found[integrator].y[good],
            mark,
            linestyle="-",
            color=colour,
            markersize=4,
            label=integrator,
        )
    axes.axvspan(limit, 0.3, color=BLUE, alpha=0.1, linewidth=0)
    axes.axvline(limit, color=BLUE, linewidth=0.9, linestyle="--")
    axes.set(xlim=(2e-3, 0.3), xticks=(1e-2, 1e-1), ylim=(1e-12, 1e-3), yticks=(1e-12, 1e-9, 1e-6, 1e-3))
    say(axes, (limit * 1.15, 1e-4), "RK4 blows up", BLUE, "right")
    slope(axes, (0.03, 2e-9), 0.15, 4, "slope 4")
    axes.legend(loc="upper left")
