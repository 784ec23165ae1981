"""Gauss' principle, the pseudoinverse, projection and the pivot, as geometry in the plane."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chainlist.compile.rank import DEPENDENT
from chainlist.kernels.slots import REFINE
from docsite.figures import runs
from docsite.figures.drawing import (
    BLUE,
    GREEN,
    GREY,
    INK,
    PALE,
    RED,
    arrow,
    dot,
    line,
    logarithmic,
    panels,
    right_angle,
    say,
    sketch,
    slope,
    title,
)


def gauss(figure: Any) -> None:
    """The allowed accelerations as a line, and the nearest to the free one, for equal and for unequal masses."""
    row, wanted, free = np.array([1.0, 2.0]), 5.0, np.array([1.3, 1.0])
    for axes, masses in zip(panels(figure, 2.0, 2), ((1.0, 1.0), (1.0, 6.0)), strict=True):
        mass = np.array(masses)
        true = runs.nearest(row, wanted, free, mass)
        sketch(axes, (-0.5, 3.1), (-0.4, 2.75))
        title(axes, "equal masses" if masses[0] == masses[1] else f"the second mass {masses[1]:g} times the first")
        arrow(axes, (-0.3, -0.1), (3.0, -0.1), GREY, 0.8)
        arrow(axes, (-0.2, -0.2), (-0.2, 2.6), GREY, 0.8)
        say(axes, (3.0, -0.02), r"$\dot v_1$", GREY, "above")
        say(axes, (-0.12, 2.62), r"$\dot v_2$", GREY, "right")
        _equally_far(axes, free, true, mass)
        ends = [np.array([x, (wanted - row[0] * x) / row[1]]) for x in (0.3, 3.0)]
        line(axes, *ends, BLUE, 1.8)
        say(axes, np.add(ends[0], (0.08, 0.1)), r"$A\,\dot v = b$", BLUE, "right")
        arrow(axes, free, true, RED)
        dot(axes, free)
        dot(axes, true, RED, 6)
        say(axes, np.subtract(free, 0.08), "$a$", to="left")
        say(axes, np.add(true, (0.1, 0.12)), r"$\dot v$", RED, "right")


def _equally_far(axes: Any, centre: Any, through: Any, mass: Any) -> None:
    """Curves of the same distance in the mass norm; the largest goes through a point."""
    away = math.sqrt(float((mass * (through - centre) ** 2).sum()))
    turn = np.linspace(0.0, 2 * math.pi, 181)
    for part in (1 / 3, 2 / 3, 1.0):
        x, y = part * away / np.sqrt(mass)[:, None] * np.stack([np.cos(turn), np.sin(turn)])
        axes.plot(centre[0] + x, centre[1] + y, color=RED if part == 1.0 else PALE, linewidth=0.9)


def greville(figure: Any) -> None:
    """A new column: the part that the old ones can make, and the part c that they cannot; and the case c = 0."""
    left, right = panels(figure, 2.1, 2, width_ratios=(1.35, 1))
    sketch(left, (-0.35, 4.4), (-0.65, 2.75))
    title(left, r"$c \neq 0$")
    left.fill(
        *np.transpose([(-0.3, -0.55), (2.8, -0.55), (4.35, 0.85), (1.25, 0.85)]), color=BLUE, alpha=0.13, linewidth=0
    )
    start, foot, tip = np.array([0.5, 0.0]), np.array([2.8, 0.35]), np.array([2.8, 2.55])
    arrow(left, start, (2.2, -0.1), BLUE)
    arrow(left, start, (1.4, 0.7), BLUE)
    arrow(left, start, foot, GREEN)
    arrow(left, foot, tip, RED)
    arrow(left, start, tip)
    right_angle(left, foot, (0, 1), start - foot, 0.22)
    say(left, (1.45, 1.62), r"$\beta_k$", to="left")
    say(left, np.subtract(tip, (-0.1, 1.0)), "$c$", RED, "right")
    say(left, np.add(foot, (0.06, -0.14)), r"$B_{k-1}\,e$", GREEN, "right")
    say(left, (1.5, -0.32), "old columns", BLUE, fontsize=7.5)
    _many_solutions(right)


def _many_solutions(axes: Any) -> None:
    """With c = 0 each point of a line solves the system; e and w are numbers here."""
    e, w = 0.75, 1.6
    best = np.array([w, e * w]) / (1 + e * e)
    sketch(axes, (-0.45, 2.2), (-0.45, 2.5))
    title(axes, "$c = 0$")
    arrow(axes, (-0.35, 0), (2.15, 0), GREY, 0.8)
    arrow(axes, (0, -0.35), (0, 2.4), GREY, 0.8)
    say(axes, (2.15, 0.08), "$u$", GREY, "above")
    say(axes, (0.1, 2.35), "$s$", GREY, "right")
    line(axes, (w + 0.2 * e, -0.2), (w - 2.05 * e, 2.05), BLUE, 1.8)
    say(axes, (0.52, 1.72), "$u + e\\,s = w$", BLUE, "right")
    arrow(axes, (0, 0), best, RED)
    dot(axes, best, RED, 6)
    right_angle(axes, best, -best, (-e, 1), 0.13)
    say(axes, np.add(best, (0.1, 0.05)), "shortest", RED, "right")


def projection(figure: Any) -> None:
    """One step: the state where it ends, the nearest on the constraints, the true one."""
    axes = panels(figure, 2.4)
    sketch(axes, (-2.5, 2.4), (-1.05, 1.6))
    middle, radius = np.array([0.0, -3.0]), 3.0

    def on(angle: float, out: float = 0.0) -> Any:
        return middle + (radius + out) * np.array([math.sin(angle), math.cos(angle)])

    axes.plot(*np.transpose([on(a) for a in np.linspace(-0.85, 0.78, 90)]), color=BLUE, linewidth=1.8)
    say(axes, np.add(on(-0.74), (-0.1, 0.08)), r"$\Phi = 0$", BLUE, "left")
    before, end, near, true = on(-0.55), on(0.12, 0.75), on(0.12), on(0.36)
    turn, away = np.linspace(0, 2 * math.pi, 181), float(np.linalg.norm(near - end))
    axes.plot(end[0] + away * np.cos(turn), end[1] + away * np.sin(turn), color=PALE, linewidth=0.9)
    way = np.array([on(-0.55 + 0.67 * part, 0.75 * part**2) for part in np.linspace(0, 1, 40)])
    axes.plot(*way[:-2].T, "--", color=GREY, linewidth=1.1)
    arrow(axes, way[-3], end, GREY, 1.1)
    arrow(axes, end, near, RED)
    line(axes, end, true, INK, 0.9, ":")
    line(axes, near, true, GREEN, 1.6)
    right_angle(axes, near, end - near, on(0.0) - on(0.24), 0.14)
    for at, name, colour, to in (
        (before, "$y_0$", INK, "below"),
        (end, r"$\tilde y$", INK, "above"),
        (near, r"$\hat y$", RED, "below"),
        (true, "$y$", GREEN, "right"),
    ):
        dot(axes, at, colour, 6)
        shift = {"below": (0, -0.12), "above": (0, 0.1), "right": (0.12, 0.06)}[to]
        say(axes, np.add(at, shift), name, colour, to, fontsize=10)
    say(axes, np.add(way[20], (-0.1, 0.1)), "a step of (4)", GREY, "left")


def pivot(figure: Any) -> None:
    """ρ as the squared sine of an angle, and how it vanishes where a parallelogram folds flat."""
    left, right = panels(figure, 2.3, 2)
    sketch(left, (-0.3, 4.3), (-0.55, 2.6))
    left.fill(*np.transpose([(-0.2, -0.4), (3.0, -0.4), (4.2, 0.9), (1.0, 0.9)]), color=BLUE, alpha=0.13, linewidth=0)
    start, foot, tip = np.array([0.7, 0.05]), np.array([2.9, 0.45]), np.array([2.9, 2.35])
    line(left, start, foot, GREY, 1.0)
    arrow(left, start, tip)
    line(left, foot, tip, RED, 1.6)
    right_angle(left, foot, (0, 1), start - foot, 0.22)
    toward = math.atan2(*(foot - start)[::-1]), math.atan2(*(tip - start)[::-1])
    arc = np.linspace(*toward, 30)
    left.plot(start[0] + 0.85 * np.cos(arc), start[1] + 0.85 * np.sin(arc), color=GREEN, linewidth=1.2)
    say(left, start + 1.13 * np.array([math.cos(np.mean(toward)), math.sin(np.mean(toward))]), r"$\sigma$", GREEN)
    say(left, (1.75, 1.5), r"$\sqrt{S_{ii}}$", to="left")
    say(left, (3.0, 1.4), r"$\sqrt{d_i}$", RED, "right")
    say(left, (2.0, -0.13), "rows before row $i$", BLUE, fontsize=7.5)
    title(left, r"$\rho_i = d_i/S_{ii} = \sin^2\!\sigma$")
    curve = runs.pivots()
    logarithmic(right, "angle from flat [rad]", "")
    right.plot(curve.x, curve.y, color=RED, linewidth=1.4)
    right.set(xlim=(curve.x[0], 3.0), ylim=(1e-13, 9.0), xticks=(1e-6, 1e-4, 1e-2, 1), yticks=(1e-12, 1e-8, 1e-4, 1))
    slope(right, (3e-5, 3e-10), 3e-3, 2, "slope 2")
    for limit, words in ((DEPENDENT, "dropped"), (REFINE, "corrected")):
        right.axhline(limit, color=GREEN, linewidth=0.9, linestyle="--")
        right.annotate(
            words, (3.0, limit), (-1, -2), textcoords="offset points", color=GREEN, ha="right", va="top", fontsize=7.5
        )
    title(right, r"least $\rho$ of a parallelogram")
