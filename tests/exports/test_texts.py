"""Exported files as texts: whatever a title says, and however long a chain is."""

import ast
from xml.etree import ElementTree

import numpy as np
import pytest

import chainlist
from chainlist.exports import REGISTRY, exudyn, tree
from chainlist.exports.sympy import write as write_sympy

LINKS = 1200  # more than Python calls functions inside one another


@pytest.fixture
def as_given(monkeypatch):
    """Machines start as the text says, so that nothing has to be compiled."""

    def start(mechanism):
        return np.array([body.start for body in mechanism.points]), np.zeros((len(mechanism.points), 2))

    for module in (exudyn, tree):
        monkeypatch.setattr(module, "start_of", start)


@pytest.mark.parametrize("title", ['"""; boom(); """', "C:\\users\\x", "GRAVITY {0} {x}", "it's \\", '"'])
@pytest.mark.parametrize("format", ["sympy", "exudyn"])
def test_a_title_is_text_and_never_code(as_given, format, title):
    if format == "sympy":
        pytest.importorskip("sympy")
    text = REGISTRY[format].write(chainlist.parse(f"* {title}\nB1 (1,0) 1\nC1 B1 (0,0)\n"))
    program = ast.parse(text)
    assert ast.get_docstring(program, clean=False).startswith(f"{title}: ")
    assert "boom" not in {node.id for node in ast.walk(program) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("format, bodies", [("mjcf", "body"), ("urdf", "joint")])
def test_a_chain_may_be_long(as_given, format, bodies):
    cards = [f"B{k} ({k},0) 1\nC{k} B{k} {f'B{k - 1}' if k > 1 else '(0,0)'}\n" for k in range(1, LINKS + 1)]
    found = ElementTree.fromstring(REGISTRY[format].write(chainlist.parse("* Long\n" + "".join(cards))))
    assert [one.get("name") for one in found.iter(bodies)] == [f"B{k}" for k in range(1, LINKS + 1)]


def test_names_that_differ_by_dots_alone_stay_apart():
    pytest.importorskip("sympy")
    part = ".submachine P (x0,y0)\nB1 (x0,y0) 1\n.end P\n.submachine Q (x0,y0)\nX2 P (x0,y0)\n.end Q\n"
    text = write_sympy(chainlist.parse(f"* a\n{part}X1 Q (1,0)\nX1_X2 P (2,0)\n"))
    names = next(line for line in text.splitlines() if line.startswith("q = ")).split('"')[1].split()
    assert len(set(names)) == len(names) == 4
