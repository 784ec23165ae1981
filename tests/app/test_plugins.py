"""`--plugin FILE`: what is wrong with a user's file is told with its line, without a traceback."""

import pytest

from .test_commands import run

PLUGIN = """\
import numpy as np

from chainlist.elements.base import ElementType, Reading, register


def read(card):
    return Reading((card.body(),), ())


def row(k, s, w, t, q, v):
    i = s.point[k, 0]
    w.phi[k] = q[i, 1]
    w.J[k, 0] = 0.0
    w.J[k, 1] = 1.0
    w.b[k] = 0.0


register(
    ElementType(
        letter="L", name="rail", syntax="L<name> <body>", meaning="the x axis", read=read,
        parameters=lambda values, points: (0.0,), row=row, ends=1,
    )
)
"""
CHAIN = "* Rail\nB1 (0,0) 1\nL1 B1\n.tran 0 1E-2 1E-3\n.print Time X(B1)\n"


def outcome(folder, plugin, command="run"):
    (folder / "a.chain").write_text(CHAIN)
    (folder / "rail.py").write_text(plugin)
    return run(command, "a.chain", "--plugin", "rail.py", cwd=folder)


def test_a_plug_in_runs(tmp_path):
    status, out, _ = outcome(tmp_path, PLUGIN)
    assert status == 0 and out.endswith("0.01 0\n")


@pytest.mark.parametrize(
    ("command", "right", "wrong", "words"),
    [
        ("check", "card.body()", "card.bodi()", "rail.py:7: AttributeError"),
        ("check", "= q[i, 1]", "= q[i, 1] + missing", "rail.py:10: row uses missing, which is not defined"),
        ("run", "= q[i, 1]", "= np.abs(q[i, 1])", "rail.py:10: row uses np, which is neither"),
        ("run", "= q[i, 1]", "= float(str(k))*q[i, 1]", "rail.py:12: this cannot be compiled: No implementation"),
        ("run", "import numpy as np", "1/0", "rail.py:1: division by zero"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path, command, right, wrong, words):
    status, _, err = outcome(tmp_path, PLUGIN.replace(right, wrong), command)
    assert status == 2 and words in err.replace("\n", " ") and "Traceback" not in err
