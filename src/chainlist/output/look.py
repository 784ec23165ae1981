"""How pictures look where the command line says so: their width, resolution, frames a second, names of bodies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """0 stands for what a picture has by itself."""

    size: int = 0  # pixels, the width
    dpi: int = 0
    fps: int = 0
    names: bool = False


PLAIN = Look()
