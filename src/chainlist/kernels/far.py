"""Gaps that are far from closing are not looked at in every step: how far everything may move before one of them could close."""

from __future__ import annotations

from chainlist.kernels.bundles import SwitchTable, SwitchWork
from chainlist.kernels.gauges import Count, Gauge
from chainlist.kernels.slots import DIM, apart, early
from chainlist.kernels.switches import OPEN, evaluate


@early
def passes_by(s: SwitchTable, a: SwitchWork, gauge: Gauge, count: Count, mobility, t, h, q, v, vn):  # type: ignore[no-untyped-def]
    """1 where the step of size h from q, v, which ended with vn, is too short for any gap to close. Else gaps at its start are known."""
    gauge.moved = 0.0
    if gauge.far <= 0.0 or h <= 0.0 or count.aimed != 0:
        return 0
    moved = (
        2.0 * h * max(fastest(v), fastest(vn))
    )  # twice: for what is faster in between, and for gaps that grow steeper
    if 0.0 < moved < gauge.far:
        gauge.moved = moved
        return 1
    look_at_start(s, a, mobility, t, q, v)
    return 0


def fastest(v):  # type: ignore[no-untyped-def]
    """m/s: no point is faster."""
    largest = 0.0
    for i in range(v.shape[0]):
        squares = 0.0
        for c in range(DIM):
            squares += v[i, c] * v[i, c]
        if not squares <= largest:
            largest = squares
    return largest**0.5


@apart
def look_at_start(s: SwitchTable, a: SwitchWork, mobility, t, q, v):  # type: ignore[no-untyped-def]
    """Steps before were passed by: open gaps and their rates as they are now."""
    evaluate(s.table, a.seen, mobility, t, q, v, v)
    for k in range(s.side.shape[0]):
        if a.mode[k] == OPEN:
            a.z0[k] = s.side[k] * a.seen.phi[k]
            a.speed0[k] = s.side[k] * (-a.seen.r[k] - a.seen.c[k])


@apart
def reach(s: SwitchTable, a: SwitchWork, shown):  # type: ignore[no-untyped-def]
    """m that points may move before an open gap could close; 0 where something holds, is asked, or moves as told: then always look."""
    told = s.table.told
    if shown > 0 or s.condition.shape[0] > 0 or told.tape.op.shape[0] > 0 or told.moving.shape[0] > 0:
        return 0.0
    least = 1e300
    for k in range(s.side.shape[0]):
        if a.mode[k] == OPEN:
            steep = 0.0
            for e in range(s.table.ends[k]):
                for c in range(DIM):
                    steep += abs(a.seen.J[k, e * DIM + c])
            if not a.z[k] >= least * steep:
                least = a.z[k] / steep
    return least
