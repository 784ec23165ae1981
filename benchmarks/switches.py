"""What one-sided elements cost where they never engage, and what a heap of disks costs where all of them do."""

from __future__ import annotations

import random
import time
from typing import Any

import chainlist
from benchmarks import ours
from benchmarks.report import Goal, Line, Unavailable
from benchmarks.timing import in_turns
from chainlist.compile.read import parse

TITLE = (
    "an RK4 step of a chain above a floor that it never reaches, against the chain alone; disks that fall into a box"
)
STEPS = 1500
RADIUS, RESTITUTION, SECONDS = 0.1, 0.3, 3.0


def _chain(links: int, floor: str) -> str:
    text = "* A chain\n"
    for i in range(1, links + 1):
        text += f"B{i} ({0.2 * i},0) 1\nC{i} {f'B{i} (0,0)' if i == 1 else f'B{i} B{i - 1}'}\n"
    return text + floor + f".tran 0 {STEPS * 1e-4:g} 1E-4\n.options SAVE={STEPS * 1e-4:g}\n.plot Etotal\n"


def never(links: int, floor: str, what: str) -> Line:
    alone, above = parse(_chain(links, "")), parse(_chain(links, floor))
    bare, full = in_turns(
        lambda: ours.march(alone, STEPS, 1e-4, 1)[0],
        lambda: ours.march(above, STEPS, 1e-4, 1)[0],
        rounds=25,
    )
    return Line(what, {"with [µs]": full * 1e6, "without [µs]": bare * 1e6}, full / bare, Goal(1.15))


def places(count: int) -> tuple[list[tuple[float, float]], float]:
    """Where disks begin, row above row, and how wide the box is."""
    luck, side = random.Random(1), round(count**0.5)
    found = [
        (0.25 * (i % side) + luck.uniform(0, 0.04), 0.2 + 0.25 * (i // side) + luck.uniform(0, 0.04))
        for i in range(count)
    ]
    return found, 0.25 * side + 0.2


def disks_here(count: int) -> Any:
    begin, width = places(count)
    text = "* Disks in a box\n" + "".join(f"B{i} ({x!r},{y!r}) 1 RADIUS={RADIUS}\n" for i, (x, y) in enumerate(begin))
    text += f"W1 LINE(0,1,0) REST={RESTITUTION}\nW2 LINE(1,0,-0.2) REST={RESTITUTION}\n"
    text += f"W3 LINE(-1,0,{-width!r}) REST={RESTITUTION}\nW4 ALL REST={RESTITUTION}\n"
    return chainlist.simulate(text + f".tran 0 {SECONDS:g} 5e-3\n.plot Etotal\n")


def disks_in_pymunk(count: int) -> tuple[float, float]:
    """CPU seconds, and how deep a disk goes into another or into the floor."""
    try:
        import pymunk
    except ImportError as error:
        raise Unavailable(f"pymunk is not installed: pip install 'chainlist[bench]' ({error})") from error
    begin, width = places(count)
    space = pymunk.Space()
    space.gravity = (0.0, -9.81)
    walls = [((-9.0, 0.0), (9.0, 0.0)), ((-0.2, 0.0), (-0.2, 99.0)), ((width, 0.0), (width, 99.0))]
    bodies = [pymunk.Body(1.0, float("inf")) for _ in begin]
    shapes = [pymunk.Segment(space.static_body, a, b, 0.0) for a, b in walls]
    for body, place in zip(bodies, begin, strict=True):
        body.position = place
        shapes.append(pymunk.Circle(body, RADIUS))
    for shape in shapes:
        shape.elasticity = RESTITUTION**0.5  # the product of both counts
    space.add(*bodies, *shapes)
    deepest, begun = 0.0, time.process_time()
    for _ in range(round(SECONDS / 1e-3)):
        space.step(1e-3)
        deepest = max(deepest, max(RADIUS - body.position.y for body in bodies))
    return time.process_time() - begun, deepest


def heap(count: int) -> Line:
    begun = time.process_time()
    motion = disks_here(count)
    here = time.process_time() - begun
    there, deepest = disks_in_pymunk(count)
    figures: dict[str, float | str] = {
        "ours [s]": here,
        "pymunk [s]": there,
        "events": float(len(motion.events)),
        "pymunk: deepest in the floor [m]": deepest,
    }
    return Line(f"{count} disks, {SECONDS:g} s", figures, here / there, None, motion.status.message)


def run() -> list[Line]:
    ropes = "".join(f"C{100 + i} B{i} (0,0) ROPE LENGTH=99\n" for i in range(1, 17))
    return [
        never(16, "W1 B16 LINE(0,1,-99)\n", "16 links, a floor below the last"),
        never(16, "W1 LINE(0,1,-99)\n", "16 links, a floor below all"),
        never(16, ropes, "16 links, 16 slack ropes"),
        never(64, "W1 LINE(0,1,-99)\n", "64 links, a floor below all"),
        heap(4),
        heap(9),
    ]
