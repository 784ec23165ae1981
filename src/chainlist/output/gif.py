"""Animations as files: GIF with exact timing, MP4 where the optional extra `video` is installed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Item
from chainlist.output.corners import with_events
from chainlist.output.files import replacing
from chainlist.output.formats import MOVING
from chainlist.output.frames import FLASHING, WHITE, Studio, faint
from chainlist.output.look import Look
from chainlist.output.painting import AXES
from chainlist.output.pictures import as_far_as_it_goes
from chainlist.output.sketch import BODY, FIXED, ROD, sketch
from chainlist.output.trails import trails_of, with_room
from chainlist.run.grid import RunRefused
from chainlist.run.quantities import Motion
from chainlist.syntax.extras import extra

if TYPE_CHECKING:
    from PIL.Image import Image

Floats = NDArray[np.float64]

FASTEST = 240  # frames a second
_SHORTEST, _LONGEST = 2, 65535  # centiseconds that a GIF shows a frame; viewers slow down what is shorter
FPS, WIDTH = 25, 640  # frames a second, pixels
_MOST_FRAMES = 1500  # where nobody chose
LARGEST = 20_000  # where somebody did
_SPEEDS = (1, 2, 4, 5, 8, 10, 20, 50, 100, 200, 500, 1000)
_TRANSPARENT = 63  # number of the colour that lets the frame before shine through; those below it are colours


@dataclass(frozen=True)
class Timing:
    """When frames are taken and how long each is shown. `speed` is seconds of motion for each second of viewing."""

    times: Floats
    delay: float  # centiseconds; whole ones in a GIF
    speed: float


def gif_delay(fps: int) -> int:
    """The centiseconds of a frame that come nearest to a rate: 30 frames a second are 33.3 in a GIF."""
    return max(_SHORTEST, round(100 / fps))


def timing(motion: Motion, fps: int = FPS, speed: float | None = None, kind: str = "gif") -> Timing:
    """Real time, unless that needs too many frames; with PLOTMODE=ANIMATE the frames that FRAME asks for.

    The last state is always shown.
    """
    if not 1 <= fps <= FASTEST:
        raise ValueError(f"films have 1 to {FASTEST} frames a second, not {fps}")
    options = motion.mechanism.options
    first, last = float(motion.t[0]), float(motion.t[-1])
    delay: float = gif_delay(fps) if kind == "gif" else 100 / fps
    if options.plotmode == "ANIMATE" and options.frame and speed is None:
        step = options.frame
        shown = round(100 * step)
        if shown >= 2 and abs(shown - 100 * step) < 1e-9:
            delay = shown
    else:
        step = (speed or _speed_for(last - first, fps)) * delay / 100
    if kind == "gif" and delay > _LONGEST:
        what = f"a GIF shows a frame for {_LONGEST / 100:g} s at most, and FRAME is {step:g} s"
        raise RunRefused(f"{what}: choose a smaller FRAME, or a --speed, with which frames follow faster")
    count = int(np.floor((last - first) / step + 1e-9))
    if count > LARGEST:
        raise RunRefused(
            f"{count:,} frames are more than an animation should have: choose a higher speed, or a shorter .tran"
        )
    times: Floats = first + step * np.arange(count + 1, dtype=np.float64)
    if last - times[-1] > 1e-9 * step:
        times = np.append(times, last)
    return Timing(times, delay, 100 * step / delay)


def _speed_for(duration: float, fps: int) -> float:
    return float(next((s for s in _SPEEDS if duration * fps / s <= _MOST_FRAMES), duration * fps / _MOST_FRAMES))


def write_animation(
    motion: Motion,
    path: str | Path,
    *,
    constraints: tuple[str, ...] | None = None,
    fps: int = FPS,
    speed: float | None = None,
    width: int = WIDTH,
    names: bool = False,
    items: tuple[Item, ...] = (),
) -> None:
    """Write the mechanism in motion (or the named constraints of it) as `.gif` or `.mp4`, over the paths among `items`."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in MOVING:
        raise ValueError(f"animations are written as {', '.join(MOVING)}, not as {path.suffix or path.name}")
    motion = with_events(motion)
    parts = sketch(motion, constraints)
    trails = trails_of(motion, items, parts.camera)
    parts = with_room(parts, [trail.line for trail in trails])
    shown = as_far_as_it_goes(motion)
    when = timing(shown, fps, speed, kind)
    strobe = motion.mechanism.options.plotmode == "ANIMATEWITHSTROBO"
    studio = Studio(shown, parts, width=width, strobe=strobe, names=names, speed=when.speed, trails=trails)
    if kind == "mp4":
        writer = _video_writer()
        with replacing(path) as temporary:
            _write_video(writer, studio, when, temporary)
    else:
        with replacing(path) as temporary:
            _write_gif(studio, when, temporary)


def animate_as(
    look: Look,
    motion: Motion,
    path: Path,
    constraints: tuple[str, ...] | None = None,
    items: tuple[Item, ...] = (),
) -> None:
    """The same as the command line says how it looks."""
    how: dict[str, Any] = {"fps": look.fps or FPS, "width": look.size or WIDTH, "names": look.names}
    how["speed"] = look.speed or None
    write_animation(motion, path, constraints=constraints, items=items, **how)


def _write_gif(studio: Studio, when: Timing, path: Path) -> None:
    """Frame after frame, so that memory stays bounded; of each frame only the part that changed, in one palette."""
    from PIL import ImageChops
    from PIL.GifImagePlugin import getdata, getheader
    from PIL.Image import Dither

    palette = _palette(studio, when.times)
    shown: Image | None = None
    with open(path, "wb") as out:
        for frame in studio.frames(when.times):
            frame = frame.quantize(palette=palette, dither=Dither.NONE)
            timed: dict[str, Any] = {"duration": 10 * int(when.delay), "disposal": 1}
            if shown is None:
                out.writelines(getheader(frame, info={"loop": 0})[0])
                out.writelines(getdata(frame, (0, 0), **timed))
            else:
                same = ImageChops.difference(frame, shown).point([255] + [0] * 255, "L")
                box = ImageChops.invert(same).getbbox() or (0, 0, 1, 1)
                part = frame.crop(box)
                part.paste(_TRANSPARENT, mask=same.crop(box))
                out.writelines(getdata(part, box[:2], transparency=_TRANSPARENT, **timed))
            shown = frame
        out.write(b";")


def _palette(studio: Studio, times: Floats) -> Image:
    """The colours of a few frames that hold all of them, and one that no frame has, for what did not change."""
    from PIL import Image
    from PIL.Image import Dither

    samples = list(studio.frames(times[np.linspace(0, len(times) - 1, 4).astype(int)]))
    sheet = Image.new("RGB", (studio.size[0], studio.size[1] * len(samples)))
    for n, sample in enumerate(samples):
        sheet.paste(sample, (0, n * studio.size[1]))
    found = np.reshape(sheet.quantize(_TRANSPARENT - 4, dither=Dither.NONE).getpalette() or [], (-1, 3))
    found = found[
        found.min(axis=1) < 244
    ]  # Pillow looks for the nearest colour roughly: nothing may compete with white
    axes = (
        [colour for _, colour in AXES] if studio.parts.floor is not None else []
    )  # thin lines, which no sample is full of
    flash = [FLASHING] if studio.parts.flashes else []
    trails = [colour for trail in studio.trails[:12] for colour in (trail.colour, faint(trail.colour))]
    colours = np.concatenate([[WHITE, ROD, BODY, FIXED, *axes, *flash, *trails], found])[:_TRANSPARENT]
    spare = np.tile(WHITE, (_TRANSPARENT - len(colours), 1))
    palette = Image.new("P", (1, 1))
    palette.putpalette([*np.concatenate([colours, spare]).ravel().tolist(), 255, 0, 255])
    return palette


def _video_writer() -> Any:
    return extra("imageio_ffmpeg", "video", "films in MP4 (a GIF does not)").write_frames


def _write_video(writer: Any, studio: Studio, when: Timing, path: Path) -> None:
    faststart = ["-movflags", "+faststart"]
    frames = writer(str(path), studio.size, fps=100 / when.delay, macro_block_size=2, output_params=faststart)
    with closing(frames) as out:  # whatever happens, the encoder has left the file when it is renamed or removed
        out.send(None)
        for frame in islice(studio.frames(when.times), len(when.times)):
            out.send(frame.tobytes())
