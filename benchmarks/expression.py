"""What an expression of a chainlist costs inside a run, where it is data, against the same expression in C."""

from __future__ import annotations

import subprocess
import time

import numpy as np

from benchmarks.floor import compiled
from benchmarks.report import Goal, Line
from chainlist.compile.read import parse
from chainlist.elements.base import Law
from chainlist.equations.layout import empty_tape_work
from chainlist.equations.primitive import Primitive
from chainlist.equations.tape import TapeWriter
from chainlist.kernels.bind import Workshop
from chainlist.kernels.tape import forward

TITLE = "one evaluation of an expression with both derivatives, against the value alone in C"
TEXT = """* A force
B1 (0.3,-0.2) 1
F1 B1 ({3*cos(2*time)*exp(-0.1*X(B1))-0.5*X(B1)*Y(B1)+sqrt(1+X(B1)*X(B1))/(2+Y(B1)*Y(B1))},0)
"""
TIMES = 1_000_000


def evaluate_often(tape, w, n, q, v):  # type: ignore[no-untyped-def]
    total = 0.0
    last = tape.op.shape[0]
    for i in range(n):
        q[0, 0] = 0.3 + 1e-7 * i
        forward(tape, w, 0, last, 1e-6 * i, q, v)
        total += w.value[last - 1]
    return total


def run() -> list[Line]:
    (force,) = parse(TEXT).forces
    law = force.parts.forces[0]
    assert isinstance(law, Law) and law.force is not None
    writer = TapeWriter(lambda end: 0)
    writer.add(Primitive(2, lambda name: ((0.0, 0.0), (0.0, 0.0)))(law.force))
    tape = writer.tape()
    work, q, v = empty_tape_work(tape), np.array([[0.3, -0.2]]), np.array([[0.1, 0.0]])
    kernel = Workshop("cpu", DIM=2, ACTS=1).make(evaluate_often, entry=True)
    kernel(tape, work, 10, q, v)
    ours, theirs = [], []
    for _ in range(5):
        begun = time.process_time()
        value = kernel(tape, work, TIMES, q, v)
        ours.append((time.process_time() - begun) / TIMES)
        words = subprocess.run([str(compiled("expression")), str(TIMES)], capture_output=True, text=True, check=True)
        nanoseconds, other = map(float, words.stdout.split())
        theirs.append(nanoseconds * 1e-9)
    wrong = "" if abs(value - other) <= 1e-9 * abs(other) else f"the sums differ: {value} and {other}"
    figures = {"tape [ns]": min(ours) * 1e9, "C [ns]": min(theirs) * 1e9}
    return [Line(f"{len(tape.op)} nodes", figures, min(ours) / min(theirs), Goal(10), wrong)]
