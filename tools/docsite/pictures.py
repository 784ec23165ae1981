"""Pictures of the pages, from runs. What was drawn before by the same program is kept in a cache."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chainlist
from chainlist.examples import Example, gallery
from chainlist.output.figures import figures, notes
from chainlist.output.page import page as motion_page
from chainlist.output.panels import scene_of
from chainlist.output.pictures import draw_picture
from chainlist.output.plots import draw_figure, save_figure
from chainlist.output.sketch import sketch
from docsite import figures as ideas
from docsite import precision
from docsite.blocks import blocks, motion_name, picture_name

GALLERY = "<!-- table: gallery -->"


class Studio:
    """Draws what pages ask for into a folder, each thing once for each state of the program."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache

    def pictures_of(self, page: str, markdown: str) -> dict[str, Path]:
        """Names in the site → files, for everything that one page shows."""
        out: dict[str, Path] = {}
        for block in blocks(markdown):
            if block.language != "chain":
                continue
            if "plot" in block.words:
                count = len(chainlist.parse(block.text).plots)
                for number in range(1, count + 1):
                    out[picture_name(page, block, number)] = self.plot(block.text, number)
            if "play" in block.words:
                out[motion_name(page, block)] = self.motion(block.text)
        for drawings in (precision, ideas):
            for name, draw in drawings.PICTURES.items():
                if f"pictures/{name}.svg" in markdown:
                    out[f"pictures/{name}.svg"] = self._drawn(f"{name}\n{drawings.SOURCE}", ".svg", draw)
        if GALLERY in markdown:
            for example in gallery():
                out[f"gallery/{example.name}.png"] = self.thumbnail(example)
                out[f"gallery/{example.name}.html"] = self.motion(example.text)
        return out

    def plot(self, text: str, number: int) -> Path:
        """The figure of the `number`-th `.plot`."""

        def draw(path: Path) -> None:
            trajectory = _run(text)
            save_figure(draw_figure(trajectory, trajectory.mechanism.plots[number - 1], title=False), path)

        return self._drawn(f"plot {number}\n{text}", ".svg", draw)

    def motion(self, text: str) -> Path:
        """The standalone page with the player."""

        def draw(path: Path) -> None:
            trajectory = _run(text)
            scene = scene_of(trajectory, figures(trajectory), notes(trajectory))
            path.write_text(motion_page(scene), encoding="utf-8")

        return self._drawn(f"motion\n{text}", ".html", draw)

    def thumbnail(self, example: Example) -> Path:
        """The mechanism alone, without axes."""

        def draw(path: Path) -> None:
            from matplotlib.figure import Figure

            trajectory = _run(example.text)
            figure = Figure(figsize=(3.2, 2.4))
            axes = figure.add_axes((0, 0, 1, 1))
            options = trajectory.mechanism.options
            names = tuple(constraint.name for constraint in trajectory.mechanism.constraints)
            picture = sketch(trajectory, names)
            draw_picture(axes, trajectory, picture, "ANIMATEWITHSTROBO", options.frame, names=False)
            axes.set_axis_off()
            save_figure(figure, path, dpi=150)

        return self._drawn(f"thumbnail\n{example.text}", ".png", draw)

    def _drawn(self, key: str, suffix: str, draw: Callable[[Path], None]) -> Path:
        """The file of a picture; drawn unless the cache has it."""
        name = hashlib.sha256(f"{_state_of_the_program()}\n{key}".encode()).hexdigest()[:20]
        path = self.cache / f"{name}{suffix}"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_name(f"new-{path.name}")
            draw(fresh)
            fresh.replace(path)
        return path


@functools.lru_cache(maxsize=4)
def _run(text: str) -> Any:
    """The motion of a chainlist. Some listings of the paper break down by design; there must be something to show."""
    trajectory = chainlist.simulate(text)
    if len(trajectory) < 2:
        raise RuntimeError(f"{trajectory.mechanism.title}: {trajectory.status}")
    return trajectory


@functools.cache
def _state_of_the_program() -> str:
    """A hash of the whole package: no picture outlives the code that drew it."""
    folder = Path(chainlist.__file__).parent
    state = hashlib.sha256()
    for path in [
        *sorted(folder.rglob("*.py")),
        *sorted(folder.rglob("web/*")),
        Path(__file__),
        Path(precision.__file__),
    ]:
        if path.is_file():
            state.update(path.read_bytes())
    return state.hexdigest()
