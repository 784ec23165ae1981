"""Names, numbers and sets as messages show them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from chainlist.compile.findings import Clash, Names

NAMES_SHOWN = 8  # of one set
SETS_SHOWN = 4  # of one kind


def rounded_down(number: float) -> str:
    """Two digits, not more than the number."""
    power = 10.0 ** (math.floor(math.log10(number)) - 1)
    return f"{math.floor(number / power) * power:.2g}"


def spin_of(axis: Sequence[float], velocity: Sequence[float]) -> str:
    """ω of a body of the plane, from the velocity of its axis."""
    (x, y), (u, v) = axis, velocity
    return f"{(x * v - y * u) / (x * x + y * y):.6g}"


def vector(components: tuple[float, ...]) -> str:
    return f"({','.join(f'{x:.6g}' for x in components)})"


def listed(names: Iterable[str]) -> str:
    """C1, C2 and C3, or with many names C1, C2, … (12 in all)."""
    names = list(names)
    if len(names) > NAMES_SHOWN:
        return f"{', '.join(names[: NAMES_SHOWN - 2])}, … ({len(names)} in all)"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def sets_of_names(sets: Sequence[Names]) -> str:
    """One list of names for each set; of many sets only the first."""
    if len(sets) == 1:
        return listed(sets[0])
    shown = "; ".join(listed(names) for names in sets[:SETS_SHOWN])
    return f"{shown}; … ({len(sets)} sets in all)" if len(sets) > SETS_SHOWN else shown


def largest_sets(sets: Sequence[Names]) -> list[Names]:
    """Without those of which another set has all the names: whatever is redundant is named once."""
    whole = [frozenset(names) for names in sets]
    having: dict[str, list[frozenset[str]]] = {}
    for one in whole:
        for name in one:
            having.setdefault(name, []).append(one)
    found = []
    for names, one in zip(sets, whole, strict=True):
        rarest = min(one, key=lambda name: len(having[name]))
        if not any(one < other for other in having[rarest]):
            found.append(names)
    return found


def flat(sets: Iterable[Names]) -> list[str]:
    """The names of the sets, the first of each set first: they are shown in the text."""
    sets = list(sets)
    return [names[0] for names in sets] + [name for names in sets for name in names[1:]]


def what_stays_off(unfound: Sequence[Clash]) -> str:
    """Of sets for which no position was found: the worst, and how many there are beside it."""
    worst = max(unfound, key=lambda clash: clash.off)
    others, one = len(unfound) - 1, len(worst.constraints) == 1
    more = f" (and {others} more set{'s' if others > 1 else ''})" if others else ""
    off = f"is off by {worst.off:.3g}" if one else f"are off by up to {worst.off:.3g}"
    return f"at the nearest one tried {listed(worst.constraints)} {off}{more}"
