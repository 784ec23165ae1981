"""Simulators beside ours move the same mechanism: a description that were wrong would be measured for nothing."""

import numpy as np
import pytest

from benchmarks.mechanisms import chain, double_pendulum
from benchmarks.peers import exudyn_peer, ours


@pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning")  # of Exudyn about itself
@pytest.mark.parametrize("peer", exudyn_peer.PEERS, ids=lambda peer: peer.method)
@pytest.mark.parametrize("make", [double_pendulum, lambda: chain(3)], ids=["double pendulum", "chain"])
def test_exudyn_moves_as_we_do(peer, make):
    pytest.importorskip("exudyn")
    theirs, own = (one.build(make())(200, 1e-3) for one in (peer, ours.PEERS[0]))
    assert np.abs(theirs - own).max() < (1e-9 if "tree" in peer.method else 1e-4)
