"""Batches on an NVIDIA card: python benchmarks/gpu.py [--members 1e5 1e6 1e7] [--room 72 88 100]

Prints a table: member-steps a second of the kernel alone (by the clock of the card), with the transfers of inputs and results, and the
time to compile. Each kernel is held against the same members on the processor first. `--room` tries several numbers of values in
registers for machines whose values stand on shelves.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks.ensemble import FOUR_BAR, chain  # noqa: E402  the path comes first
from chainlist.compile.read import parse  # noqa: E402
from chainlist.compile.straight import numbers_of, trace  # noqa: E402
from chainlist.compile.system import assemble  # noqa: E402
from chainlist.kernels import print_cuda, print_llvm  # noqa: E402

CASES = (("double pendulum", chain(2), 4e10), ("four-bar", FOUR_BAR, 3e10), ("16 links", chain(16), 1.5e9))
MEMORY = 100e9  # bytes of the card that may be used
CHECKED, CHECK_STEPS = 64, 200


class Case:
    """One machine: its step, its numbers, its start."""

    def __init__(self, text: str, room: int) -> None:
        assembly = assemble(parse(text))
        straight = trace(assembly, newton=1)
        self.parts = straight.graph, straight.state, straight.after, straight.numbers
        self.text = print_cuda.printed(*self.parts, room=room)
        numbers = numbers_of(assembly, 1e-3)
        self.numbers = np.array([[numbers[name]] for name in straight.numbers])
        self.start = np.array([[numbers[name]] for name in straight.state])
        clock = time.perf_counter()
        self.march = print_cuda.OnCard(self.text)
        self.compiled = time.perf_counter() - clock

    def states(self, members: int) -> Any:
        """All start alike: a member takes the same time wherever it is, and numbers are what is checked elsewhere."""
        return np.repeat(self.start, members, axis=1)

    def difference(self) -> float:
        """Of the card from the processor."""
        X, P = self.states(CHECKED), np.repeat(self.numbers, CHECKED, axis=1)
        F = np.ones(CHECKED, np.uint8)
        march = self.march
        on_card = march.place(X), march.place_numbers(P), march.place(F)
        march(*on_card, CHECK_STEPS)
        print_llvm.Compiled(print_llvm.printed(*self.parts))(X, P, F, CHECK_STEPS)
        same = np.array_equal(march.fetch(on_card[2]), F)
        return float(np.abs(march.fetch(on_card[0]) - X).max()) if same else float("inf")

    def rates(self, members: int, goal: float) -> tuple[float, float, bool]:
        """Member-steps a second of the kernel, and with transfers of a run of so many steps; and whether members stayed healthy."""
        import cupy

        march, steps = self.march, int(max(20, min(2000, 0.5 * goal / members)))
        X, F = self.states(members), np.ones(members, np.uint8)
        best = whole = 1e30
        fine = True
        for _ in range(4):
            clock = time.perf_counter()
            on_card = march.place(X), march.place(self.numbers), march.place(F)
            begun, ended = cupy.cuda.Event(), cupy.cuda.Event()
            begun.record()
            march(*on_card, steps)
            ended.record()
            ended.synchronize()
            march.fetch(on_card[0])
            fine = fine and bool(march.fetch(on_card[2]).all())
            whole = min(whole, time.perf_counter() - clock)
            best = min(best, cupy.cuda.get_elapsed_time(begun, ended) * 1e-3)
            del on_card
        return members * steps / best, members * steps / whole, fine


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--members", nargs="+", type=float, default=[1e5, 1e6, 1e7])
    options.add_argument("--room", nargs="+", type=int, default=[print_cuda.ROOM])
    asked = options.parse_args()
    try:
        print_cuda.look_for_card()
    except print_cuda.NoCard as reason:
        sys.stdout.write(f"not run: {reason}\n")
        return 1
    head = ("machine", "room", "shelves", "members", "kernel/s", "with transfers/s", "goal/s", "compile s", "off", "")
    _print(*head)
    for name, text, goal in CASES:
        for room in asked.room:
            case = Case(text, room)
            off = case.difference()
            for members in map(int, asked.members):
                if 3.0 * members * 8 * len(case.start) > MEMORY:
                    continue
                kernel, whole, fine = case.rates(members, goal)
                words = ("" if fine else "members need care ") + ("reached" if kernel >= goal else "below the goal")
                _print(
                    name, room, case.text.shelves, f"{members:.0e}", f"{kernel:.3g}", f"{whole:.3g}", f"{goal:.2g}",
                    f"{case.compiled:.2f}", f"{off:.1e}", words,
                )  # fmt: skip
            if not case.text.shelves:
                break  # all its values stand in registers: there is no other room to try
    return 0


def _print(*cells: object) -> None:
    widths = (16, 5, 8, 8, 10, 17, 8, 10, 9, 0)
    sys.stdout.write("  ".join(f"{cell!s:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
