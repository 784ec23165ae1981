"""`--size`, `--dpi`, `--fps`, `--speed`, `--names`: how the pictures of `run`, `plot` and `animate` look."""

from __future__ import annotations

from typing import Annotated

import typer

from chainlist.output.look import Look

Size = Annotated[
    int | None,
    typer.Option("--size", metavar="PIXELS", min=64, max=8192, help="Width of the picture.", show_default=False),
]
Dpi = Annotated[int | None, typer.Option("--dpi", min=20, max=2400, help="Dots per inch of a PNG.", show_default=False)]
Fps = Annotated[int | None, typer.Option("--fps", help="Frames a second of .gif and .mp4.", show_default=False)]
Speed = Annotated[
    float | None,
    typer.Option(
        "--speed", min=1e-4, max=1e4, help="Of .gif and .mp4: 0.1 is ten times slower than real.", show_default=False
    ),
]
Names = Annotated[bool, typer.Option("--names", help="Write the names of bodies beside them.")]


def look_of(size: int | None, dpi: int | None, fps: int | None, *, names: bool, speed: float | None = None) -> Look:
    """What was asked for; a rate that a GIF cannot keep is told."""
    if fps is not None:
        from chainlist.output.gif import RATES

        if fps not in RATES:
            raise typer.BadParameter(f"choose one of {', '.join(map(str, RATES))} frames a second", param_hint="--fps")
    return Look(size or 0, dpi or 0, fps or 0, names, speed or 0.0)
