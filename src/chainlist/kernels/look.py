"""What the handling of events asks beside steps: the mobilities of rows that touch, their rates and accelerations."""

from __future__ import annotations

from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import ASKS, correct, free, prepare, rows
from chainlist.kernels.switches import along_row, engage
from chainlist.kernels.widths import promise_widths


def weigh(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """D and W of the rows in w.switch.list, their rates N v − c and, with the accelerations a of what always holds, N a − b.

    Returns ASKS where the careful kernels are needed.
    """
    promise_widths(s, w, q, v)
    a, vd, r = w.switch, w.vdn, w.rows.r
    free(s, w, t, q, v, vd)
    rows(s.table, w.rows, w.mobility, t, q, v, vd)
    prepare(s, w, 1.0)
    engage(s, w, t, q, v)
    for k in range(r.shape[0]):
        r[k] += w.rows.b[k]
    correct(s, w, w.rows.b, vd)
    if w.count.asked != 0:
        w.count.asked = 0
        return ASKS
    for p in range(w.count.shown):
        k = a.list[p]
        a.rate[p] = along_row(a.table, a.rows.J, k, v) - a.rows.c[k]
        a.pull[p] = along_row(a.table, a.rows.J, k, vd) - a.rows.b[k]
    return 0
