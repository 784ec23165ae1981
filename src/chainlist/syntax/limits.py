"""How much work a text may ask for. Every count is a parameter; the defaults are far above honest use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds of reading one chainlist, its includes and expansions together."""

    characters: int = 50_000_000
    cards: int = 1_000_000
    tokens: int = 20_000_000
    nesting: int = 100  # brackets inside brackets; functions and braces count
    entities: int = 1_000_000  # after ellipses and submachines
    includes: int = 32  # files inside files
    files: int = 1_000  # included in all
    submachines: int = 32  # instances inside instances
