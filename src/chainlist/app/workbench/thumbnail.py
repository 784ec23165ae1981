"""A small picture of a mechanism at its start, as SVG: for the gallery."""

from __future__ import annotations

from chainlist.model.mechanism import End, Mechanism

WIDTH, HEIGHT, MARGIN = 160, 110, 14
_BODIES = ("#2b7fc4", "#e0702b", "#1fa27a", "#b55aa3", "#c48a12", "#3aa3d4")
_ROD, _GROUND, _RAIL = "#7c8996", "#66727f", "#a9b4bf"
MOST_DRAWN = 400  # links and bodies; more would not be seen


def thumbnail(mechanism: Mechanism) -> str:
    """The start of a mechanism. Holds numbers only, no text of the chainlist."""
    places = {body.name: (body.start[0], body.start[1]) for body in mechanism.bodies}
    ends = [tuple(_place(end, places) for end in c.ends) for c in mechanism.links[:MOST_DRAWN]]
    fixed = list(dict.fromkeys((e[0], e[1]) for c in mechanism.links for e in c.ends if not isinstance(e, str)))
    x, y, scale = _fit([*places.values(), *fixed])

    def at(point: tuple[float, float]) -> tuple[str, str]:
        return f"{x + scale * point[0]:.1f}", f"{y - scale * point[1]:.1f}"

    parts = [_line(at(a), at(b), _ROD, 2.4) for a, b in ends]
    for slider in mechanism.sliders[:MOST_DRAWN]:
        (body,) = slider.ends
        k1, k2, _ = slider.parameters
        px, py = _place(body, places)
        reach = 22 / scale / (k1 * k1 + k2 * k2) ** 0.5
        one, two = (px - k2 * reach, py + k1 * reach), (px + k2 * reach, py - k1 * reach)
        parts.insert(0, _line(at(one), at(two), _RAIL, 5))
    for point in fixed[:MOST_DRAWN]:
        px, py = (float(c) for c in at(point))
        parts.append(f'<path d="M{px:.1f} {py:.1f}l-5 9h10z" fill="{_GROUND}"/>')
    radius = 4.2 if len(places) < 30 else 2.4
    for i, point in enumerate(list(places.values())[:MOST_DRAWN]):
        cx, cy = at(point)
        parts.append(f'<circle cx="{cx}" cy="{cy}" r="{radius}" fill="{_BODIES[i % len(_BODIES)]}"/>')
    body = "".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</svg>'


def _place(end: End, places: dict[str, tuple[float, float]]) -> tuple[float, float]:
    return places[end] if isinstance(end, str) else (end[0], end[1])


def _fit(points: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Where the origin goes, and pixels per metre, so that all points are inside."""
    if not points:
        return WIDTH / 2, HEIGHT / 2, 1.0
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min((WIDTH - 2 * MARGIN) / max(wide, 1e-9), (HEIGHT - 2 * MARGIN) / max(high, 1e-9))
    if max(wide, high) < 1e-9:
        scale = 1.0
    return WIDTH / 2 - scale * (max(xs) + min(xs)) / 2, HEIGHT / 2 + scale * (max(ys) + min(ys)) / 2, scale


def _line(a: tuple[str, str], b: tuple[str, str], color: str, width: float) -> str:
    place = f'x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}"'
    return f'<line {place} stroke="{color}" stroke-width="{width}" stroke-linecap="round"/>'
