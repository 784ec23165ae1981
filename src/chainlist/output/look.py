"""How pictures look where the command line says so: their width, resolution, frames a second and speed, names of bodies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """0 stands for what a picture has by itself."""

    size: int = 0  # pixels, the width
    dpi: int = 0
    fps: int = 0
    names: bool = False
    speed: float = 0.0  # of an animation: seconds of the motion in a second of viewing


PLAIN = Look()
