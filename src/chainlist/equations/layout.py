"""Scratch for rows and forces, empty. What its arrays are: `kernels/bundles.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from chainlist.kernels.bundles import Acting, ForceTable, Rows, RowTable, SwitchTable, SwitchWork, Tape, TapeWork


def empty_tape_work(tape: Tape) -> TapeWork:
    N = len(tape.op)
    turn, rate = np.zeros(len(tape.turning)), np.array([1.0, 0.0])
    return TapeWork(np.zeros(N), np.zeros(N), np.zeros(N), np.zeros(N), np.zeros(N), turn, rate)


def empty_rows(table: RowTable, d: int) -> Rows:
    m, ends = table.point.shape
    phi, b, c, r, diagonal = (np.zeros(m) for _ in range(5))
    rows = Rows(np.zeros((m, ends * d)), phi, b, c, r, diagonal)
    if table.told is None:
        return rows
    return rows._replace(carried=np.zeros((len(table.told.moving), d)), tape=empty_tape_work(table.told.tape))


def empty_acting(table: ForceTable, d: int, rows: int = 0) -> Acting:
    f, ends = table.point.shape
    laws, weightless = len(table.law), len(table.weightless)
    return Acting(np.zeros((f, ends * d)), np.zeros(laws), np.zeros(laws), np.zeros((weightless, d)), np.zeros(rows))


FIRST_CAPACITY = 16  # engaged rows


def empty_switch_work(table: SwitchTable, points: int, d: int, rows: int, capacity: int = FIRST_CAPACITY) -> SwitchWork:
    """Scratch for `capacity` engaged rows over so many points and rows that always hold."""
    count, n, j = len(table.table.scale), len(table.side), len(table.condition)
    lists = table.table._replace(rows=np.zeros(count, np.uint32), start=np.zeros_like(table.table.start))
    shapes: dict[str, tuple[int, ...]] = {
        "W": (capacity, points, d),
        "Y": (capacity, rows),
        **dict.fromkeys(("D", "F", "G", "tilted"), (capacity, capacity)),
        **dict.fromkeys(("inverse", "pivot", "x", "turn", "rate", "pull"), (capacity,)),
        **dict.fromkeys(("kept", "nothing"), (rows,)),
        **dict.fromkeys(("lam", "way"), (count,)),
        **dict.fromkeys(("mu", "mus", "speed", "speed0"), (n,)),
        **dict.fromkeys(("z", "z0"), (2 * n + j,)),
    }
    arrays: dict[str, Any] = {name: np.zeros(shape) for name, shape in shapes.items()}
    return SwitchWork(
        **arrays,
        table=lists,
        rows=empty_rows(table.table, d),
        seen=empty_rows(table.table, d),
        list=np.zeros(capacity, np.int64),
        under=np.zeros(capacity, np.int64),
        mode=np.zeros(n, np.uint8),
        grip=np.zeros(n, np.uint8),
        armed=np.zeros(j, np.uint8),
    )


CAPACITY = ("list", "under", "W", "Y", "D", "F", "G", "tilted", "inverse", "pivot", "x", "turn", "rate", "pull")
