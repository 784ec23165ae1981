"""`--plugin FILE`: what is wrong with a user's file is told with its line, without a traceback."""

import dataclasses
import math

import pytest
import typer

import chainlist
from chainlist.app.plugins import load_plugin
from chainlist.elements import REGISTRY
from chainlist.elements.base import register
from chainlist.integrators import REGISTRY as INTEGRATORS
from chainlist.integrators import runge_kutta
from chainlist.model.units import value
from chainlist.syntax.tree import Number
from tests.command import plugins_forgotten, run, run_apart

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


def outcome(folder, plugin, command="run", run=run):
    (folder / "a.chain").write_text(CHAIN)
    (folder / "rail.py").write_text(plugin)
    return run(command, "a.chain", "--plugin", "rail.py", cwd=folder, COLUMNS="300")


@pytest.mark.parametrize("where", [run_apart, run])
def test_a_plug_in_runs(tmp_path, where):
    status, out, _ = outcome(tmp_path, PLUGIN, run=where)
    assert status == 0 and out.endswith("0.01 0\n")
    assert "L" not in REGISTRY


@pytest.mark.parametrize(
    ("command", "right", "wrong", "words"),
    [
        ("check", "card.body()", "card.bodi()", "rail.py:7: AttributeError"),
        ("check", "= q[i, 1]", "= q[i, 1] + missing", "rail.py:10: row uses missing, which is not defined"),
        ("run", "= q[i, 1]", "= np.abs(q[i, 1])", "rail.py:10: row uses np, which is neither"),
        ("run", "= q[i, 1]", "= q[i, 1] + 0.0*float(str(k))", "rail.py:12: this cannot be compiled: No implementation"),
        ("run", "import numpy as np", "1/0", "rail.py:1: division by zero"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path, command, right, wrong, words):
    status, _, err = outcome(tmp_path, PLUGIN.replace(right, wrong), command)
    assert status == 2 and words in err.replace("\n", " ") and "Traceback" not in err


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("w.J[k, 1] = 1.0", "w.J[k, 1] = -1.0", "J is -1 where the derivative of Φ by coordinate y of end 1 is 1"),
        ("ends=1", "ends=3", "ends=3, but its row depends on 1 points alone"),
        ("i = s.point[k, 0]", "i = s.point[k, 1]", "ends=1, but its row asks for more points"),
        ("i = s.point[k, 0]", "import math; i = s.point[k, 0]", "rail.py:10: row imports something"),
        ("w.phi[k] = q[i, 1]", "w.phi[k] = q[i, 1] ** 2 / 2", "J is 1 where the derivative"),
    ],
)
def test_a_row_is_tried_out_when_it_is_registered(tmp_path, right, wrong, words):
    with pytest.raises(typer.BadParameter) as caught:
        load(tmp_path, PLUGIN.replace(right, wrong))
    assert words in str(caught.value)


def test_a_b_of_the_wrong_sign_is_found(tmp_path):
    circle = PLUGIN.replace("w.phi[k] = q[i, 1]", "w.phi[k] = q[i, 0] ** 2 + q[i, 1] ** 2 - 1")
    circle = circle.replace("= 0.0\n    w.J[k, 1] = 1.0", "= 2 * q[i, 0]\n    w.J[k, 1] = 2 * q[i, 1]")
    for b, words in (("2 * (v[i, 0] ** 2 + v[i, 1] ** 2)", "its sign is wrong"), ("0.0", "b is 0 where −(A v)_q v is")):
        with pytest.raises(typer.BadParameter) as caught:
            load(tmp_path, circle.replace("w.b[k] = 0.0", f"w.b[k] = {b}"))
        assert words in str(caught.value)
    load(tmp_path, circle.replace("w.b[k] = 0.0", "w.b[k] = -2 * (v[i, 0] ** 2 + v[i, 1] ** 2)"))


def load(folder, text):
    path = folder / f"rail{len(list(folder.iterdir())) or ''}.py"
    path.write_text(text)
    with plugins_forgotten():
        load_plugin(path)


@pytest.mark.parametrize(
    ("a", "b", "order", "words"),
    [
        ([[], [0.5]], [0.0, 0.9], 2, "the weights b sum to 0.9, and must be 1"),
        ([[], [0.5]], [0.5, 0.5], 2, "Σ b c is 0.25, and must be 0.5"),
        ([[], [0.5]], [0.0, 1.0], 3, "Σ b c² is 0.25, and must be 0.333333 for order 3"),
        ([[1.0], [0.5]], [0.0, 1.0], 2, "an explicit method"),
    ],
)
def test_a_tableau_must_be_of_its_order(a, b, order, words):
    with pytest.raises(ValueError) as caught:
        runge_kutta("WRONG", order=order, meaning="wrong", a=a, b=b)
    assert words in str(caught.value) and "WRONG" not in INTEGRATORS


def test_a_misspelt_kind_of_unit_is_told():
    with pytest.raises(ValueError, match="no kind of unit called 'lenght': there are angle"):
        value(Number("1", "", None), "lenght")


@pytest.mark.parametrize(
    "asks",
    [
        'card.number("lenght")',
        'card.named("L", "lenght")',
        'card.numbers("F", "mass", "lenght")',
        'card.expression("time", "lenght")',
    ],
)
def test_it_is_told_when_the_plug_in_is_loaded(tmp_path, asks):
    path = tmp_path / "rail.py"
    path.write_text(PLUGIN.replace('"L"', '"Q"').replace("(card.body(),), ()", f"(card.body(),), ({asks},)"))
    with (
        plugins_forgotten(),
        pytest.raises(typer.BadParameter, match=r"rail\.py:7: there is no kind of unit called 'lenght'"),
    ):
        load_plugin(path)


@pytest.mark.parametrize(
    "right, wrong, words",
    [
        (
            "(card.body(),), ()",
            '(card.body(),), (), (card.expression("lenght"),)',
            r"rail\d*.py:7: there is no place called 'lenght'",
        ),
        ("return Reading", "Reading", r"rail: its reader \(line 6\) returns None, and a Reading is wanted"),
    ],
)
def test_what_a_reader_does_wrong_is_told_when_it_is_loaded(tmp_path, right, wrong, words):
    with pytest.raises(typer.BadParameter, match=words):
        load(tmp_path, PLUGIN.replace('"L"', '"Q"').replace(right, wrong))
    chain = "* t\nB1 (0,0) 1\nQ1 B1\n"
    kind = dataclasses.replace(REGISTRY["C"], letter="Q", read=lambda card: card.body() and None)
    with plugins_forgotten(), pytest.raises(ValueError, match="returns None"):
        register(kind)
        chainlist.parse(chain)


STEP = """\
from chainlist.integrators import Integrator, register
from chainlist.kernels.slots import DIM, rhs


def advance(s, w, t, h, q, v):
    for i in range(q.shape[0]):
        for c in range(DIM):
            w.qt[i, c] = q[i, c] + h * v[i, c]
            w.vt[i, c] = v[i, c] + h * w.kv[0, i, c]
    rhs(s, w, t + h, w.qt, w.vt, w.kq[1], w.kv[1], 0.0)
    for i in range(q.shape[0]):
        for c in range(DIM):
            w.qn[i, c] = q[i, c] + 0.5 * h * (v[i, c] + w.vt[i, c])
            w.vn[i, c] = v[i, c] + 0.5 * h * (w.kv[0, i, c] + w.kv[1, i, c])


register(Integrator("MINE", 2, "Heun's", advance, stages=2))
"""


@pytest.mark.parametrize(
    "right, wrong, words",
    [
        ("", "", ""),
        (
            "stages=2",
            "stages=1",
            "MINE: its step asks for more than there is (index 1 is out of bounds for axis 0 with size 1): stages=1 keeps 1 pair",
        ),
        ('"MINE", 2', '"MINE", 0', "INTEGRATOR MINE: order is a whole number from 1 on, not 0"),
        ("stages=2", "stages=0", "INTEGRATOR MINE: stages is a whole number from 1 on, not 0"),
        ("v[i, c] + w.vt[i, c]", "math.inf", "after 4 steps of a double pendulum its state is no number"),
        ("h * v[i, c]", "h * missing", "missing"),
    ],
)
def test_an_integrator_is_tried_out_when_it_is_loaded(tmp_path, right, wrong, words):
    text = "import math\n" + (STEP.replace(right, wrong) if right else STEP)
    if not words:
        load(tmp_path, text)
        return
    with pytest.raises(typer.BadParameter) as caught:
        load(tmp_path, text)
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("b", [[math.nan, 1.0], []])
def test_weights_must_be_numbers(b):
    with pytest.raises(ValueError, match="WRONG"):
        runge_kutta("WRONG", order=2, meaning="wrong", a=[[], [0.5]], b=b)
    assert "WRONG" not in INTEGRATORS
