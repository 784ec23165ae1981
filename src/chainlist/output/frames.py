"""Frames of an animation, drawn with Pillow: much faster than a plotting library, in the proportions of `pictures.py`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chainlist.output.interpolate import exposure_times, positions_at
from chainlist.output.painting import PaintedMark, floor_marks, past_marks, shape_marks, space_marks, triad
from chainlist.output.sketch import BODY, FADING, FIXED, PALE, PALE_BODY, RAIL, ROD, DrawnRail, Moment, Sketch
from chainlist.output.strokes import ABOVE, AMONG_RODS, GROUND, Stroke
from chainlist.output.trails import Trail
from chainlist.run.quantities import Motion

if TYPE_CHECKING:
    from PIL.Image import Image

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

_FINE = 2  # everything is drawn that much larger and scaled down: smooth edges
_CAPTION = 26  # pixels below the picture
_LARGEST_BODY = 7.0  # pixels
_ROD = 3.0
_THIN = 1.5
WHITE = (255, 255, 255)
FLASHING = (214, 40, 40)
FLASH = 0.3  # seconds of viewing that a flash lasts
SLOW = 0.25  # below this speed a caption has milliseconds, or more digits
_INK = (60, 60, 60)


class Studio:
    """Draws the frames of one motion. `strobe` leaves exposures behind, which fade as new ones come."""

    def __init__(
        self,
        motion: Motion,
        parts: Sketch,
        *,
        width: int,
        strobe: bool,
        names: bool,
        speed: float,
        trails: tuple[Trail, ...] = (),
    ):
        self.motion = motion
        self.parts = parts
        self.names = names
        self.speed = speed
        self.trails = trails
        self.size = _size(parts, width)
        self._scale = _FINE * min(self.size[0] / parts.view.width, (self.size[1] - _CAPTION) / parts.view.height)
        self._exposures = exposure_times(motion, motion.mechanism.options.frame) if strobe else np.zeros(0)

    def frames(self, times: Floats) -> Iterator[Image]:
        """One picture for each time, in order."""
        from PIL import Image, ImageDraw

        ground = Image.new("RGB", (self.size[0] * _FINE, self.size[1] * _FINE), WHITE)
        self._draw_ground(ImageDraw.Draw(ground))
        exposed, drawn = 0, float(self.motion.t[0])
        fading = 1.6 / max(len(self._exposures), 1)
        moments = self.parts.moments(self.motion, times, positions_at(self.motion, times))
        for t, moment in zip(times, moments, strict=True):
            while exposed < len(self._exposures) and self._exposures[exposed] <= t:
                ground = self._expose(ground, self._exposures[exposed], fading)
                exposed, drawn = exposed + 1, float(self.motion.t[0])
            drawn = self._draw_trails(ImageDraw.Draw(ground), drawn, float(t))
            frame = ground.copy()
            draw = ImageDraw.Draw(frame)
            if self.parts.floor is not None:
                self._draw_marks(draw, space_marks(self.parts, moment) if self._in_sight(moment) else [])
            else:
                self._draw_plane(draw, moment)
            self._draw_flashes(draw, float(t))
            self._write(draw, float(t), moment)
            yield frame.reduce(_FINE)

    def _draw_plane(self, draw: Any, moment: Moment) -> None:
        lines = self.parts.strokes(moment) if moment.is_finite else []
        self._draw_strokes(draw, lines, GROUND, FIXED, 1.0)
        self._draw_state(draw, moment, ROD, BODY, 1.0, lines)
        self._draw_pivots(draw, moment)
        self._draw_strokes(draw, lines, ABOVE, FIXED, 1.0)

    def _expose(self, ground: Image, t: float, fading: float) -> Image:
        from PIL import Image, ImageDraw

        ground = Image.blend(ground, Image.new("RGB", ground.size, WHITE), min(fading, 0.2))
        draw = ImageDraw.Draw(ground)
        when = np.array([t])
        (moment,) = self.parts.moments(self.motion, when, positions_at(self.motion, when))
        lines = self.parts.strokes(moment, FADING) if moment.is_finite else []
        self._draw_ground(draw)
        self._draw_state(draw, moment, _between(PALE, ROD, 0.45), _between(PALE_BODY, BODY, 0.5), 0.55, lines)
        return ground

    # Parts of a picture

    def _at(self, place: Any) -> tuple[float, float]:
        """Metres → pixels of the fine picture."""
        view = self.parts.view
        left = (self.size[0] * _FINE - view.width * self._scale) / 2
        top = ((self.size[1] - _CAPTION) * _FINE - view.height * self._scale) / 2
        return left + (float(place[0]) - view.left) * self._scale, top + (view.top - float(place[1])) * self._scale

    def _in_sight(self, moment: Moment) -> bool:
        return moment.is_finite and bool(np.abs(moment.state).max(initial=0.0) * self._scale <= 1e7)

    def _draw_state(
        self, draw: Any, moment: Moment, rod: Colour, body: Colour, size: float, lines: list[Stroke]
    ) -> None:
        if not self._in_sight(moment):
            return
        if self.parts.shapes:
            marks = shape_marks(self.parts, moment) if size == 1.0 else past_marks(self.parts, moment, rod)
            self._draw_marks(draw, marks)
        if size == 1.0:
            for rail in (*self.parts.rails, *self.parts.blocks(moment)):
                self._draw_block(draw, rail, moment)
        for part in self.parts.rods_at(moment):
            ends = [self._at(moment.place(end)) for end in part.points]
            draw.line(ends, fill=rod, width=max(1, round(_ROD * _FINE * size)))
        self._draw_strokes(draw, lines, AMONG_RODS, FIXED if size == 1.0 else _between(PALE, FIXED, 0.15), size)
        for i, radius, true in zip(self.parts.bodies, self.parts.radius, self.parts.disks, strict=True):
            if true and size == 1.0:
                self._draw_disk(draw, moment.state[i], true)
                continue
            if i in self.parts.pins:
                if size == 1.0:
                    self._draw_dot(
                        draw, PaintedMark(moment.state[i : i + 1], FIXED, 1.0, WHITE, 0.32 * self.parts.crowding)
                    )
                continue
            r = true * self._scale if true else _LARGEST_BODY * _FINE * radius * self.parts.crowding * size
            x, y = self._at(moment.state[i])
            if size == 1.0 and self.parts.crowding == 1.0:
                draw.ellipse((x - r - _FINE, y - r - _FINE, x + r + _FINE, y + r + _FINE), fill=WHITE)
            draw.ellipse((x - r, y - r, x + r, y + r), fill=body)

    def _draw_disk(self, draw: Any, place: Floats, radius: float) -> None:
        """A body of its true size, but never too small to be seen."""
        x, y = self._at(place)
        r = max(radius * self._scale, 2.0 * _FINE)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=_between(WHITE, BODY, 0.55), outline=BODY, width=_FINE)

    def _draw_flashes(self, draw: Any, t: float) -> None:
        """Rings around the places of the last events, which grow and fade."""
        for flash in self.parts.flashes:
            age = (t - flash.time) / (FLASH * self.speed)
            if flash.place and 0 <= age < 1:
                x, y = self._at(self.parts.camera.flat(np.array(flash.place)))
                r = _LARGEST_BODY * _FINE * flash.size * (0.8 + 1.6 * age)
                colour = _between(FLASHING, WHITE, age)
                draw.ellipse((x - r, y - r, x + r, y + r), outline=colour, width=round(2.5 * _FINE * (1 - age)) or 1)

    def _draw_strokes(self, draw: Any, strokes: list[Stroke], layer: int, colour: Colour, size: float) -> None:
        for stroke in strokes:
            if stroke.layer != layer or np.abs(stroke.line).max() * self._scale > 1e7:
                continue
            line = [self._at(place) for place in stroke.line]
            width = max(1, round(_THIN * _FINE * size * stroke.width))
            if stroke.fill:
                draw.polygon(line, fill=WHITE if stroke.fill == "paper" else colour, outline=colour, width=width)
            else:
                draw.line(line, fill=colour, width=width, joint="curve")

    def _draw_marks(self, draw: Any, marks: list[PaintedMark]) -> None:
        for mark in marks:
            line = [self._at(place) for place in mark.line]
            width = max(1, round(_THIN * _FINE * mark.width)) if mark.width else 0
            if mark.dot:
                self._draw_dot(draw, mark)
            elif mark.fill is not None:
                draw.polygon(line, fill=mark.fill)
                if width:
                    draw.line(line, fill=mark.colour, width=width, joint="curve")
            else:
                draw.line(line, fill=mark.colour, width=width, joint="curve")

    def _draw_dot(self, draw: Any, mark: PaintedMark) -> None:
        r, width = _LARGEST_BODY * _FINE * mark.dot, max(1, round(_THIN * _FINE * mark.width))
        for x, y in (self._at(place) for place in mark.line):
            draw.ellipse((x - r - width, y - r - width, x + r + width, y + r + width), fill=mark.colour)
            draw.ellipse((x - r, y - r, x + r, y + r), fill=mark.fill)

    def _draw_ground(self, draw: Any) -> None:
        if self.parts.floor is not None:
            self._draw_marks(draw, floor_marks(self.parts.floor, self.parts.camera))
            self._draw_triad(draw)
        for rail in self.parts.rails:
            start, stop = np.array(self._at(rail.start)), np.array(self._at(rail.stop))
            length = float(np.hypot(*(stop - start)))
            along = (stop - start) / length
            if along[0] < 0 or (along[0] == 0 and along[1] > 0):
                along = -along
            down = np.array([-along[1], along[0]])
            for x in np.arange(12 * _FINE, length, 12 * _FINE):
                foot = start + x * (stop - start) / length
                tip = foot + 6 * _FINE * (down - along)
                draw.line([tuple(foot), tuple(tip)], fill=RAIL, width=1)
            draw.line([tuple(start), tuple(stop)], fill=RAIL, width=_FINE)
        for trail in self.trails:
            self._draw_trail(draw, trail.line, faint(trail.colour))

    def _draw_trails(self, draw: Any, start: float, stop: float) -> float:
        """The pieces of paths between two times, in strong colours. Returns up to when they are drawn."""
        span = np.searchsorted(self.motion.t, [start, stop + 1e-12], side="right") - 1
        for trail in self.trails:
            self._draw_trail(draw, trail.line[max(span[0], 0) : span[1] + 1], trail.colour)
        return float(self.motion.t[max(span[1], 0)])

    def _draw_trail(self, draw: Any, line: Floats, colour: Colour) -> None:
        seen = (np.abs(line) * self._scale <= 1e7).all(axis=1)  # not where there is no number
        edges = np.flatnonzero(np.diff(np.concatenate([[False], seen, [False]])))
        for first, last in edges.reshape(-1, 2):
            points = [self._at(place) for place in line[first:last]]
            if len(points) > 1:
                draw.line(points, fill=colour, width=round(_THIN * _FINE), joint="curve")

    def _draw_triad(self, draw: Any) -> None:
        """Where the axes point, in the lower right corner."""
        x, y, length = (self.size[0] - 44) * _FINE, (self.size[1] - 40) * _FINE, 24 * _FINE
        for name, arm in triad(self.parts.camera):
            right, up = arm.line[1] * length
            draw.line([(x, y), (x + right, y - up)], fill=arm.colour, width=round(1.3 * _FINE))
            tip = (x + 1.4 * right, y - 1.4 * up)
            draw.text(tip, name, fill=arm.colour, font=_font(11 * _FINE), anchor="mm")

    def _draw_block(self, draw: Any, rail: DrawnRail, moment: Moment) -> None:
        start, stop = np.array(self._at(rail.start)), np.array(self._at(rail.stop))
        along = (stop - start) / np.hypot(*(stop - start))
        across = np.array([-along[1], along[0]])
        center = np.array(self._at(moment.state[rail.body]))
        corners = [
            tuple(center + _FINE * (13 * a * along + 8 * b * across)) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))
        ]
        draw.polygon(corners, fill=WHITE, outline=FIXED, width=_FINE)

    def _draw_pivots(self, draw: Any, moment: Moment) -> None:
        unit = 9 * _FINE
        for pivot in self.parts.pivots:
            x, y = self._at(moment.place(pivot))
            if not np.isfinite([x, y]).all():
                continue
            draw.polygon(
                [(x, y), (x - 0.62 * unit, y + unit), (x + 0.62 * unit, y + unit)],
                fill=WHITE,
                outline=FIXED,
                width=_FINE,
            )
            draw.line([(x - unit, y + unit), (x + unit, y + unit)], fill=FIXED, width=_FINE)
            for n in range(5):
                foot = x - 0.7 * unit + n * 0.42 * unit
                draw.line([(foot, y + unit), (foot - 0.34 * unit, y + 1.42 * unit)], fill=FIXED, width=_FINE)
            r = 2.4 * _FINE
            draw.ellipse((x - r, y - r, x + r, y + r), fill=WHITE, outline=FIXED, width=_FINE)

    def _write(self, draw: Any, t: float, moment: Moment) -> None:
        font = _font(13 * _FINE)
        if self.parts.windowed:  # nothing that leaves the window lies below the caption
            width, height = self.size
            draw.rectangle((0, (height - _CAPTION) * _FINE, width * _FINE, height * _FINE), fill=WHITE)
        at = (10 * _FINE, (self.size[1] - _CAPTION + 4) * _FINE)
        draw.text(at, caption(t, self.speed), fill=_INK, font=font)
        if self.names and moment.is_finite:
            for i, name in zip(self.parts.bodies, self.parts.names, strict=True):
                x, y = self._at(moment.state[i])
                draw.text((x + 8 * _FINE, y - 20 * _FINE), name, fill=_INK, font=font)


def faint(colour: Colour) -> Colour:
    """Of a path where its body has not been yet."""
    return _between(WHITE, colour, 0.3)


def caption(t: float, speed: float) -> str:
    """In letters that Pillow's own font has: it knows no ×."""
    decimals = 2 if speed >= SLOW else max(3, 2 + math.ceil(-math.log10(speed)))
    slower = "" if speed == 1 else f"   {speed:.4g} times real time"
    return f"t = {t:.{decimals}f} s{slower}"


def _size(parts: Sketch, width: int) -> tuple[int, int]:
    """Even numbers of pixels, as video wants them."""
    height = float(np.clip(width * parts.view.height / parts.view.width, 0.3 * width, 1.1 * width)) + _CAPTION
    return width // 2 * 2, int(height) // 2 * 2


def _between(old: Colour, new: Colour, weight: float) -> Colour:
    r, g, b = (round((1 - weight) * a + weight * c) for a, c in zip(old, new, strict=True))
    return r, g, b


def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
