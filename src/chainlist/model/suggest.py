"""Did you mean …? The name that is nearest to one that does not exist, or that is taken in another spelling.

Only asked for when something is wrong, and bounded: among few names all are compared; among many only those one slip away
are looked up, so that the cost does not grow with their number.
"""

from __future__ import annotations

import re
from collections.abc import Collection

FEW = 64  # up to so many names each one is compared
LONGEST = 40  # longer names are not compared
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_."


def nearest(wrong: str, names: Collection[str], but: Collection[str] = ()) -> str | None:
    """The name nearest to `wrong` (all in lower case) that is none of `but`, None if none is near."""
    wrong = wrong.lower()
    if not wrong or len(wrong) > LONGEST:
        return None
    if len(names) > FEW:
        return next((slip for slip in _slips(wrong) if slip in names and slip not in but), None)
    allowed = 1 if len(wrong) <= 4 else 2 if len(wrong) <= 8 else 3
    best = None
    for name in names:
        if abs(len(name) - len(wrong)) > allowed or name in but:
            continue
        away = distance(wrong, name)
        if away <= allowed and away < max(len(wrong), len(name)):
            found = (away, -_common_start(wrong, name), _between_indices(wrong, name), name)
            best = found if best is None else min(best, found)
    return best[3] if best else None


def distance(a: str, b: str) -> int:
    """How many letters must be changed, added, left out or swapped with their neighbour to turn a into b."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, above, row = row, before, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _common_start(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _between_indices(a: str, b: str) -> int:
    """How far the numbers at the ends of two names are apart."""
    numbers = [re.search(r"[0-9]*$", name) for name in (a, b)]
    first, second = (int(found[0] or 0) if found else 0 for found in numbers)
    return abs(first - second)


def _slips(wrong: str) -> list[str]:
    """All texts one slip away, the slips at the end first: there stands the index of a name."""
    found = []
    for at in range(len(wrong), -1, -1):
        head, tail = wrong[:at], wrong[at:]
        if tail:
            found.append(head + tail[1:])
            found.extend(head + letter + tail[1:] for letter in _LETTERS)
        if len(tail) > 1:
            found.append(head + tail[1] + tail[0] + tail[2:])
        found.extend(head + letter + tail for letter in _LETTERS)
    return found


def same_name(first: str, again: str) -> str:
    """The reason why two spellings are one name, to stand before a help; "" where they are spelled alike."""
    return "" if first == again else f"capitals do not count, {first} and {again} are one name; "
