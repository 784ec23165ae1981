"""What a check costs where geometry is hard: rough positions, lengths far from them, rows by formula, frames with far too many links."""

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


def row(count: int, card: str) -> str:
    """Bodies in a row, each held to the one before it by the same cards, far from where these fit."""
    lines = (f"B{i} ({i},0.{i % 7}) 1\n{card.format(i=i, last=i - 1)}" for i in range(2, count + 1))
    return "\n".join(["* Row", "B1 (1,0) 1", "C1 B1 (0,0)", *lines])


def uneven(count: int, seed: int) -> str:
    """An open chain whose lengths are a thousandth to a thousand times those of its positions."""
    luck = random.Random(seed)
    bodies = [f"B{i} ({i / 10},0) 1" for i in range(1, count + 1)]
    ends = ["(0,0.1)", *(f"B{i}" for i in range(1, count))]
    return "\n".join(
        ["* Uneven", *bodies]
        + [f"C{i} {end} B{i} LENGTH={10 ** luck.uniform(-3, 3)}" for i, end in enumerate(ends, start=1)]
    )


MACHINES = {
    "41 bodies, 6 links too short": chain(41, 6, 3, 0.3),
    "200 bodies, 6 links too short": chain(200, 6, 3, 0.9),
    "200 bodies, 60 links more": chain(200, 60, 1),
    "200 bodies, 250 links more": chain(200, 250, 1),
    "a grid of 10 by 20 with diagonals": grid(10, 20),
    "40 bodies, all linked": complete(40),
    "60 bodies, all linked": complete(60),
    "an open chain of 60, far from its lengths": uneven(60, 1),
    "an open chain of 200, far from its lengths": uneven(200, 2),
    "200 bodies, each on a circle about the last": row(200, "S{i} B{i} CIRCLE(B{last},0.5)"),
    "200 bodies, each at an angle to the last": row(200, "C{i} B{last} B{i}\nG{i} {{ANGLE(B{last},B{i})-3}}"),
    "200 bodies on rails too far apart for their links": row(
        200, "S{i} B{i} LINE(0,1,{i})\nC{i} B{last} B{i} LENGTH=0.5"
    ),
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
