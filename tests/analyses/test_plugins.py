"""Plug-ins reach the workers of a sweep: other processes, and those of a cluster that never saw the file."""

import os
import subprocess
import sys

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
PROGRAM = """
import sys, warnings
import numpy as np
import chainlist
warnings.simplefilter("ignore")

if __name__ == "__main__":
    from distributed import Client, LocalCluster
    alone = chainlist.ensemble(sys.argv[1], workers=1, plugins=[sys.argv[2]])
    assert np.abs(alone["low"].values + [1, 1.5, 2, 2.5]).max() < 0.8 and (alone["status"] == 0).all()
    assert alone.identical(chainlist.ensemble(sys.argv[1], workers=2, chunk=1))
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        assert alone.identical(chainlist.ensemble(sys.argv[1], client=client, chunk=2))
"""


def test_plug_ins_travel_to_workers(tmp_path):
    files = {"oval.py": OVAL, "oval.chain": CHAIN, "all.py": PROGRAM}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = [sys.executable, "all.py", "oval.chain", "oval.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_worker_leaves_no_files_behind(tmp_path):
    program = "from chainlist.analyses.plugins import run_plugins; run_plugins((('a.py', 'import os; print(os.path.isfile(__file__))'),))"
    surroundings = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=surroundings, check=True)
    assert done.stdout == "True\n" and not list(tmp_path.iterdir())
