"""Bundles by address: compiled kernels read the same numbers that interpreted ones see."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import chainlist
from chainlist.kernels.address import hand_over
from chainlist.kernels.bind import bind


class Inner(NamedTuple):
    flags: Any
    nothing: None
    count: int


class Outer(NamedTuple):
    x: Any
    inner: Inner
    factor: float
    cube: Any


class Kept(Outer):
    """One that can keep its address."""


def read_all(s, out):
    out[0] = s.factor * s.x[1, 0] + s.inner.count
    out[1] = s.inner.flags[2] + s.cube[1, 0, 1] + s.cube.shape[2] + s.x.shape[0]
    s.x[0, 1] = 7.0


def bundle(kind=Outer, rows=3):
    x, cube = np.arange(2.0 * rows).reshape(rows, 2), np.arange(8.0).reshape(2, 2, 2)
    return kind(x, Inner(np.array([1, 2, 5], np.uint8), None, -3), 0.1, cube)


@pytest.mark.parametrize("kind", [Outer, Kept])
@pytest.mark.parametrize("rows", [2, 5])
def test_compiled_kernels_read_what_interpreted_ones_see(kind, rows):
    found = []
    for target in ("python", "cpu"):
        s, out = bundle(kind, rows), np.zeros(2)
        bind(read_all, target=target, entry=True)(s, out)
        assert s.x[0, 1] == 7.0, "arrays are handed over, not copied"
        found.append(out.tolist())
    assert found[0] == found[1] == [0.1 * 2.0 - 3.0, 5.0 + 5.0 + 2.0 + rows]


def test_a_changed_bundle_has_an_address_of_its_own():
    kernel = bind(read_all, target="cpu", entry=True)
    s, out = bundle(Kept), np.zeros(2)
    kernel(s, out)
    kernel(s._replace(factor=10.0), out)
    assert out[0] == 10.0 * 2.0 - 3.0
    kernel(s, out)
    assert out[0] == 0.1 * 2.0 - 3.0


def test_a_copy_of_a_run_does_not_share_its_address():
    import copy

    from chainlist.compile.layout import make_work
    from chainlist.compile.system import assemble

    s = assemble(chainlist.parse("* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n")).system
    for original in (s, make_work(s, stages=4, named=False)):
        hand_over(original)
        assert hand_over(original) is hand_over(original)
        twin = copy.deepcopy(original)
        assert "handed" not in twin.__dict__ and hand_over(twin).address != hand_over(original).address


def test_an_array_in_pieces_is_refused():
    s = bundle()
    with pytest.raises(TypeError, match="in one piece"):
        bind(read_all, target="cpu", entry=True)(s._replace(x=s.x[:, ::-1]), np.zeros(2))


def test_an_array_that_is_read_only():
    s, out = bundle(Kept), np.zeros(2)
    s.cube.flags.writeable = False
    bind(read_all, target="cpu", entry=True)(s, out)
    assert out[1] == 15.0
