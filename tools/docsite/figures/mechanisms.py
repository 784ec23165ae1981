"""Mechanisms that say something: four ways to lose rank, the lever, the straight bar, a body with extent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from docsite.figures.drawing import (
    BLUE,
    GREEN,
    GREY,
    INK,
    PALE,
    RED,
    anchor,
    arrow,
    dot,
    line,
    linkage,
    logarithmic,
    panels,
    say,
    sketch,
    title,
)


def ways(figure: Any) -> None:
    """Redundant, singular passage, degenerate, conflicting."""
    cells = panels(figure, 2.9, 2, 2)
    for axes, draw in zip(cells.flat, (_redundant, _passage, _degenerate, _conflicting), strict=True):
        draw(axes)


def _redundant(axes: Any) -> None:
    sketch(axes, (-0.9, 2.1), (-0.2, 1.2))
    title(axes, "redundant")
    a, b, c, d = (0, 0), (1, 0), (1, 1), (0, 1)
    linkage(axes, b, d, colour=RED)
    linkage(axes, a, b, c, d, a)
    linkage(axes, a, c)
    say(axes, (1.15, 0.5), "one too\nmany", RED, "right")


def _passage(axes: Any) -> None:
    """A parallelogram just before it is flat, and the two ways to go on: pins (0,0) and (1.2,0), cranks of 0.6."""
    sketch(axes, (-0.75, 2.25), (-0.68, 0.72))
    title(axes, "singular passage")
    pins, crank = np.array([[0.0, 0.0], [1.2, 0.0]]), 0.6
    angle = math.radians(-38)
    first = crank * np.array([math.cos(angle), math.sin(angle)])
    linkage(axes, pins[0], pins[0] + (crank, 0), pins[1] + (crank, 0), colour=PALE, width=4.0)
    linkage(axes, first, _crossed(first, pins[1]), pins[1], colour=RED, width=1.8)
    linkage(axes, pins[0], first, pins[1] + first, pins[1], colour=BLUE, width=1.8)
    for pin in pins:
        anchor(axes, pin)
    say(axes, (0.35, 0.07), "flat", GREY, "above")
    say(axes, (1.32, 0.42), "folded over", RED, "right")
    say(axes, (1.1, -0.42), "as before", BLUE, "below")


def _crossed(first: Any, pin: Any) -> Any:
    """The other place of the second joint: that of the parallelogram, mirrored at the line from the first joint to its pin."""
    along = (pin - first) / np.linalg.norm(pin - first)
    return first + 2 * along * (pin @ along) - pin


def _degenerate(axes: Any) -> None:
    sketch(axes, (-1.5, 1.5), (-0.7, 0.7))
    title(axes, "degenerate")
    linkage(axes, (-1, 0), (0, 0), (1, 0))
    bowed(axes, -1, 1, 0.3)
    anchor(axes, (0, 0))
    for x in (-0.5, 0.5):
        say(axes, (x, -0.08), "1", BLUE, "below")
    say(axes, (0, 0.33), "2", RED, "above")


def _conflicting(axes: Any) -> None:
    sketch(axes, (-1.4, 6.4), (-1.5, 2.14))
    title(axes, "conflicting")
    turn = np.linspace(0, 2 * math.pi, 121)
    for middle in (0, 5):
        axes.plot(middle + np.cos(turn), np.sin(turn), "--", color=GREY, linewidth=0.9)
        linkage(axes, (middle, 0), (middle + (0.77 if middle == 0 else -0.77), 0.64), colour=RED)
    linkage(axes, (0, 0), (5, 0))
    say(axes, (2.5, -0.2), "5", BLUE, "below")
    for x in (-0.05, 5.05):
        say(axes, (x, 0.28), "1", RED, "left" if x < 0 else "right")
    say(axes, (2.5, 0.95), "never meet", RED)


def lever(figure: Any) -> None:
    """The lever with one end moved sideways, and by how much its third length changes."""
    left, right = panels(figure, 2.2, 2, width_ratios=(1.1, 1))
    sketch(left, (-1.2, 1.5), (-0.75, 1.3))
    moved = np.array([1.0, 0.62])
    linkage(left, (-1, 0), (0, 0), (1, 0), colour=PALE)
    linkage(left, (-1, 0), (0, 0), moved)
    line(left, (-1, 0), moved, RED, 1.6, "--")
    arrow(left, (1.12, 0), (1.12, 0.62), GREEN)
    anchor(left, (0, 0))
    say(left, (1.2, 0.31), r"$\varepsilon$", GREEN, "right", fontsize=10)
    say(left, (-0.25, 0.42), "third length", RED, "above")
    say(left, (-0.5, -0.1), "1", BLUE, "below")
    say(left, (0.55, -0.1), "1", GREY, "below")
    off = np.logspace(-4, -0.3, 40)
    logarithmic(right, r"$\varepsilon$ [m]", "")
    title(right, "change of the third length [m]")
    right.plot(off, _longer((2.0, 0.0), off), color=RED, linewidth=1.4)
    right.plot(off, _longer((1.0, 1.0), off), color=BLUE, linewidth=1.4)
    right.set(xticks=(1e-4, 1e-3, 1e-2, 1e-1), ylim=(1e-10, 1e3), yticks=(1e-9, 1e-6, 1e-3, 1))
    say(right, (3.5e-2, 3e-7), r"lever: $\varepsilon^2/4$", RED)
    say(right, (1.4e-4, 8.0), "links at a right\nangle: about $0.7\\,\\varepsilon$", BLUE, "right")


def _longer(apart: tuple[float, float], off: Any) -> Any:
    """By how much the distance of two points grows when one moves up; both far apart by `apart`. Without cancellation."""
    before = math.hypot(*apart)
    after = np.hypot(apart[0], apart[1] + off)
    return (2 * apart[1] * off + off**2) / (after + before)


def bowed(axes: Any, left: float, right: float, height: float) -> None:
    """A link that lies on others, bent so that one sees it."""
    way = np.linspace(0, math.pi, 60)
    middle, half = (left + right) / 2, (right - left) / 2
    axes.plot(middle - half * np.cos(way), height * np.sin(way), color=RED, linewidth=2.2)


def straight(figure: Any) -> None:
    """Three links on a line, and what AUTO puts in their place."""
    before, after = panels(figure, 2.3, rows=2)
    for axes in (before, after):
        sketch(axes, (-0.5, 5.5), (-0.62, 0.95))
    a, p, b = (0.0, 0.0), (2.0, 0.0), (5.0, 0.0)
    title(before, "as written: three links whose rows depend on one another")
    linkage(before, a, p, b)
    bowed(before, a[0], b[0], 0.62)
    for x, text, colour, y in ((1.0, "2", BLUE, -0.12), (3.5, "3", BLUE, -0.12)):
        say(before, (x, y), text, colour, "below")
    say(before, (2.5, 0.66), "5", RED, "above")
    title(after, "as computed: one link, and a point by linear equations")
    linkage(after, a, b, colour=RED)
    dot(after, p, GREEN, 7)
    say(after, (2.5, 0.12), "5", RED, "above")
    weights = (b[0] - p[0]) / (b[0] - a[0]), (p[0] - a[0]) / (b[0] - a[0])
    say(after, (2.0, -0.16), f"$q_p = {weights[0]:g}\\,q_a + {weights[1]:g}\\,q_b$", GREEN, "below")
    for axes in (before, after):
        for at, name in ((a, "$a$"), (b, "$b$")):
            say(axes, np.add(at, (-0.18 if at == a else 0.18, 0)), name, INK, "left" if at == a else "right")
    say(before, (2.0, -0.16), "$p$", INK, "below")


def body(figure: Any) -> None:
    """A plate in the plane: its centre, its axis, and a point as a weighted sum."""
    axes = panels(figure, 3.2)
    sketch(axes, (-2.6, 2.6), (-1.75, 1.7))
    axes.set_title(r"$p = c + s_1\,a + s_2\,{\perp}a$", color=GREEN, pad=4, fontsize=10)
    wide, high, turn = 4.4, 1.9, math.radians(20)
    along, up = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    gyration = math.sqrt((wide**2 + high**2) / 12)
    corners = [sx * wide / 2 * along + sy * high / 2 * up for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    axes.fill(*np.transpose(corners), facecolor=BLUE, alpha=0.13, linewidth=0)
    axes.fill(*np.transpose(corners), fill=False, edgecolor=BLUE, linewidth=1.4)
    circle = np.linspace(0, 2 * math.pi, 181)
    axes.plot(gyration * np.cos(circle), gyration * np.sin(circle), "--", color=GREY, linewidth=0.9)
    axis, across = gyration * along, gyration * up
    first, second = 1.18, 0.5
    point = first * axis + second * across
    line(axes, axis, first * axis, GREEN, 1.1, ":")
    arrow(axes, first * axis, point, GREEN, 1.1)
    arrow(axes, (0, 0), across, GREY, 1.1)
    arrow(axes, (0, 0), axis, RED, 2.0)
    dot(axes, (0, 0), INK, 6)
    dot(axes, point, GREEN, 7)
    say(axes, (-0.08, -0.12), "$c$", INK, "below", fontsize=10)
    say(axes, np.add(0.62 * axis, (0.05, -0.1)), "$a$", RED, "below", fontsize=10)
    say(axes, np.add(across, (-0.08, 0.02)), r"${\perp}a$", GREY, "left")
    say(axes, np.add((first * axis + point) / 2, (0.06, 0)), r"$s_2\,{\perp}a$", GREEN, "right")
    say(axes, np.add(point, (-0.1, 0.02)), "$p$", GREEN, "left", fontsize=10)
    say(axes, np.add(first * axis, (0.02, -0.06)), r"$s_1\,a$", GREEN, "below")
    say(axes, (0.5, -1.45), "radius of gyration", GREY, "below")
