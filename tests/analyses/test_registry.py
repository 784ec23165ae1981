"""Analyses as plug-ins: a file of the user's adds a command, with its reading, result and pictures."""

import json
import subprocess
import sys

import pytest

import chainlist
from chainlist.app.texts import dump_file
from chainlist.model.analysis import known_analyses
from tests.command import run

PLUGIN = '''
"""`.heaviest [n]`: the heaviest bodies."""

from dataclasses import dataclass

import numpy as np

from chainlist.analyses.base import Analysis, Chart, Series, register


@dataclass(frozen=True)
class Heaviest:
    names: tuple[str, ...]
    masses: tuple[float, ...]

    def figures(self):
        return [("heaviest", ", ".join(self.names))]

    def data(self):
        return {"names": list(self.names)}

    def pictures(self):
        across = np.arange(1.0, len(self.names) + 1)
        return [Chart("heaviest", "Masses", "rank", "mass [kg]", (Series("", across, np.array(self.masses)),), "stems")]


def read(card):
    return card.whole("how many") if card.more else 1


def run(count, study):
    bodies = sorted(study.mechanism.bodies, key=lambda body: -body.mass)[:count]
    return Heaviest(tuple(b.name for b in bodies), tuple(b.mass for b in bodies))


register(Analysis("heaviest", ".heaviest [n]", "the heaviest bodies", read, run))
'''
TEXT = "* Two\nB1 (1,0) 1\nB2 (2,0) 3\nC1 B1 (0,0)\nC2 B1 B2\n.heaviest 2\n.tran 0 0.1 1ms\n.plot X(B1)\n"


def test_a_plugin_adds_a_command_with_report_json_and_picture(tmp_path):
    (tmp_path / "heaviest.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "two.chain").write_text(TEXT, encoding="utf-8")
    status, _, err = run("run", "two.chain", "--plugin", "heaviest.py", "-o", "out", cwd=tmp_path)
    assert status == 0, err
    assert "heaviest" in err and "B2, B1" in err
    report = json.loads((tmp_path / "out/report.json").read_text(encoding="utf-8"))
    assert report["analyses"] == [{"command": "heaviest", "names": ["B2", "B1"]}]
    assert (tmp_path / "out/heaviest.png").stat().st_size > 1_000


def test_every_analysis_says_how_it_is_written():
    for command, analysis in known_analyses().items():
        assert analysis.syntax.startswith(f".{command}")
        assert analysis.meaning and analysis.meaning[0].islower()


def test_a_dump_keeps_the_analyses(tmp_path, capsys):
    path = tmp_path / "two.chain"
    path.write_text(TEXT.replace(".heaviest 2", ".param n=2\n.op\n.modes 1+n AT=START"), encoding="utf-8")
    assert dump_file(str(path)) == 0
    again = chainlist.parse(capsys.readouterr().out)
    assert again.analyses == chainlist.load(path).analyses


def test_only_chainlists_that_ask_for_an_analysis_load_them():
    code = (
        "import sys, chainlist\n"
        "chainlist.parse('* P\\nB1 (1,0) 1\\nC1 B1 (0,0)\\n')\n"
        "print('chainlist.analyses' in sys.modules)\n"
        "chainlist.parse('* P\\nB1 (1,0) 1\\nC1 B1 (0,0)\\n.op\\n')\n"
        "print('chainlist.analyses' in sys.modules, 'scipy' in sys.modules, 'numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "True", "False", "False"], done.stderr


@pytest.mark.parametrize("name", ["equilibrium", "equilibria", "modes"])
def test_the_package_offers_them(name):
    assert callable(getattr(chainlist, name))
