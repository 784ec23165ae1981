"""How wide the arrays are. Where the compiler may take it for granted, an index needs no multiplication."""

from chainlist.kernels.slots import DIM, early, promise


@early
def promise_widths(s, w, q, v):  # type: ignore[no-untyped-def]
    promise(q.shape[1] == DIM)
    promise(v.shape[1] == DIM)
    promise(s.gravity.shape[1] == DIM)
    promise(s.pattern.pair.shape[1] == 4)
    promise(w.kq.shape[2] == DIM)
    promise(w.kv.shape[2] == DIM)
    promise(w.qt.shape[1] == DIM)
    promise(w.vt.shape[1] == DIM)
    promise(w.qn.shape[1] == DIM)
    promise(w.vn.shape[1] == DIM)
    promise(w.qdn.shape[1] == DIM)
    promise(w.vdn.shape[1] == DIM)
