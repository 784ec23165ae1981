"""How wide the arrays are. Where the compiler may take it for granted, an index needs no multiplication."""

from __future__ import annotations

from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import ACTS, DIM, early, promise


@early
def promise_widths(s: System, w: Work, q, v):  # type: ignore[no-untyped-def]
    gravity, pair, kq, kv = s.gravity, s.pattern.pair, w.kq, w.kv
    qt, vt, qn, vn, qdn, vdn = w.qt, w.vt, w.qn, w.vn, w.qdn, w.vdn
    promise(q.shape[1] == DIM)
    promise(v.shape[1] == DIM)
    promise(gravity.shape[1] == DIM)
    promise(pair.shape[1] == 4)
    promise(kq.shape[2] == DIM)
    promise(kv.shape[2] == DIM)
    promise(qt.shape[1] == DIM)
    promise(vt.shape[1] == DIM)
    promise(qn.shape[1] == DIM)
    promise(vn.shape[1] == DIM)
    promise(qdn.shape[1] == DIM)
    promise(vdn.shape[1] == DIM)
    if ACTS == 1:
        point, F = s.forces.point, w.acting.F
        promise(point.shape[1] == 2)
        promise(F.shape[1] == 2 * DIM)
