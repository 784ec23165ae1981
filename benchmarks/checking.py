"""What a check costs where geometry is hard: rough positions, lengths that contradict, frames with far too many links."""

from __future__ import annotations

import random

from benchmarks.report import Goal, Line
from benchmarks.timing import best_seconds

TITLE = "reading and checking machines of up to 200 bodies, in seconds, which should be at most 1"
Pairs = list[tuple[int, int]]


def chain(bodies: int, extra: int, seed: int, part: float | None = None) -> str:
    """A chain with extra links between some of its bodies, each as long as a part of the way, or as the positions say."""
    rng = random.Random(seed)
    lines = ["* Chain", *(f"B{i} ({i},{rng.uniform(-0.3, 0.3)}) 1" for i in range(1, bodies + 1)), "C1 B1 (0,0)"]
    lines += [f"C{i} B{i - 1} B{i}" for i in range(2, bodies + 1)]
    for k in range(extra):
        a, b = rng.sample(range(1, bodies + 1), 2)
        length = "" if part is None else f" LENGTH={abs(a - b) * part * rng.uniform(0.5, 1)}"
        lines.append(f"C{bodies + 1 + k} B{a} B{b}{length}")
    return "\n".join(lines) + "\n"


def grid(across: int, up: int) -> str:
    """Bodies in a grid with both diagonals in every square, a little off their places."""
    luck = random.Random(1)
    place = {(i, j): i * up + j + 1 for i in range(across) for j in range(up)}
    bodies = [f"B{n} ({i + luck.uniform(0, 0.1)},{j + luck.uniform(0, 0.1)}) 1" for (i, j), n in place.items()]
    pairs = [
        (n, place.get((i + a, j + b))) for (i, j), n in place.items() for a, b in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]
    return frame(bodies, [(one, two) for one, two in pairs if two])


def complete(count: int, seed: int = 1, straight: int = 0) -> str:
    """Bodies each of which is linked with every other one; the first of them may lie on a straight line."""
    luck = random.Random(seed)
    bodies = [f"B{n} ({luck.uniform(0, 5)},{luck.uniform(0, 5)}) 1" for n in range(1, count + 1)]
    bodies[:straight] = [f"B{n} ({n * n / 7},{n * n / 7}) 1" for n in range(1, straight + 1)]
    return frame(bodies, [(one, two) for one in range(1, count + 1) for two in range(one + 1, count + 1)])


def frame(bodies: list[str], pairs: Pairs) -> str:
    return "\n".join(["* Frame", *bodies, *(f"C{k} B{a} B{b}" for k, (a, b) in enumerate(pairs, start=1))])


MACHINES = {
    "41 bodies, 6 links too short": chain(41, 6, 3, 0.3),
    "200 bodies, 6 links too short": chain(200, 6, 3, 0.9),
    "200 bodies, 60 links more": chain(200, 60, 1),
    "200 bodies, 250 links more": chain(200, 250, 1),
    "a grid of 10 by 20 with diagonals": grid(10, 20),
    "40 bodies, all linked": complete(40),
    "60 bodies, all linked": complete(60),
}


def run() -> list[Line]:
    lines = []
    for what, text in MACHINES.items():
        taken = best_seconds(lambda text=text: checked(text), 3)
        lines.append(Line(what, {"seconds": taken}, taken, Goal(1.0)))
    return lines


def checked(text: str) -> set[str]:
    """The codes of what is said of a text."""
    import chainlist

    try:
        return {told.code for told in chainlist.parse(text).diagnostics}
    except chainlist.ChainlistError as error:
        return {told.code for told in error.diagnostics}
