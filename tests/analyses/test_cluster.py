"""Sweeps on a Dask cluster, one for all tests here: plug-ins travel there, and a worker that is killed loses nothing."""

import os
import signal

import numpy as np
import pytest

import chainlist
from tests.analyses.test_ensemble import table
from tests.command import plugins_forgotten

pytestmark = pytest.mark.filterwarnings("ignore")  # of the cluster, which has its own

OVAL = """
from chainlist.elements.base import ElementType, Parts, Reading, Row, register
from chainlist.formula import Quantity


def read(card):
    return Reading((card.body(),), card.numbers("OVAL", "length", "length"))


def parts(placed):
    (a, b), body = placed.values, placed.ends
    return Parts(rows=(Row(Quantity("X", body) ** 2 / a**2 + Quantity("Y", body) ** 2 / b**2 - 1.0),))


register(ElementType(letter="O", name="oval", syntax="O<name> <body> OVAL(<a>,<b>)", meaning="", read=read, parts=parts))
"""
CHAIN = """* Bead on an oval
.param b=1
B1 (2,0) 1
O1 B1 OVAL(2,b)
.tran 0 1 10ms
.meas low MIN Y(B1)
.step b 1 2.5 0.5
.plot Y(B1)
"""


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as running:
        yield running


@pytest.fixture(scope="module")
def client(cluster):
    from distributed import Client

    with Client(cluster) as found:
        yield found


@pytest.mark.long
def test_plug_ins_travel_to_workers(tmp_path, client):
    """To other processes, and to those of a cluster that never saw the file."""
    path, plugin = tmp_path / "oval.chain", tmp_path / "oval.py"
    path.write_text(CHAIN, encoding="utf-8")
    plugin.write_text(OVAL, encoding="utf-8")
    with plugins_forgotten():
        alone = chainlist.ensemble(path, workers=1, plugins=[plugin])
        assert np.abs(alone["low"].values + np.array([1, 1.5, 2, 2.5])).max() < 0.8 and (alone["status"] == 0).all()
        assert alone.identical(chainlist.ensemble(path, workers=2, chunk=1))
        assert alone.identical(chainlist.ensemble(path, client=client, chunk=2))


@pytest.mark.long
def test_with_a_worker_killed(cluster, client):
    killed = []

    def kill_one(part, what):
        if not killed:
            killed.append(next(iter(cluster.workers.values())).process.pid)
            os.kill(killed[0], signal.SIGKILL)

    found = table(client=client, chunk=4, progress=kill_one)
    assert killed
    assert found.identical(table(workers=1))
