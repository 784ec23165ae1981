"""`--size`, `--dpi`, `--fps`, `--speed`, `--names`: how the pictures of `run`, `plot` and `animate` look."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import typer

from chainlist.output.look import Look

Size = Annotated[
    int | None,
    typer.Option("--size", metavar="PIXELS", min=64, max=8192, help="Width of the picture.", show_default=False),
]
Dpi = Annotated[int | None, typer.Option("--dpi", min=20, max=2400, help="Dots per inch of a PNG.", show_default=False)]
Fps = Annotated[
    int | None, typer.Option("--fps", min=1, max=240, help="Frames a second of .gif and .mp4.", show_default=False)
]
Speed = Annotated[
    float | None,
    typer.Option(
        "--speed", min=1e-4, max=1e4, help="Of .gif and .mp4: 0.1 is ten times slower than real.", show_default=False
    ),
]
Names = Annotated[bool, typer.Option("--names", help="Write the names of bodies beside them.")]


def look_of(
    size: int | None,
    dpi: int | None,
    fps: int | None,
    *,
    names: bool,
    speed: float | None = None,
    kinds: Collection[str] = (),
) -> Look:
    """What was asked for; a rate that a GIF, one of these kinds of files, cannot keep is told."""
    if fps is not None and "gif" in kinds:
        from chainlist.app.terminal import say
        from chainlist.output.gif import gif_delay

        kept = 100 / gif_delay(fps)
        if kept != fps:
            say(f"a GIF shows {kept:.3g} frames a second, not {fps}: it counts in hundredths of a second, from two on")
    return Look(size or 0, dpi or 0, fps or 0, names, speed or 0.0)
