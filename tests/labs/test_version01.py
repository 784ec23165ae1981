"""The paper's version 0.1 in sixty lines, held against the engine."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chainlist.compile.read import changed
from chainlist.labs.bench import motion
from chainlist.model.mechanism import Changes

PROGRAM = Path(__file__).parents[2] / "labs" / "version01.py"
MECHANISM = """* Slider-crank with unequal masses
B1 (0.6,0.8) 2
B2 (1.8,0) 0.5
C1 B1 (0,0)
C2 B1 B2
S1 B2 LINE(0,1,0)
.tran 0 0.5 0.01
.options gravity=1
"""


@pytest.fixture(scope="module")
def version01():
    spec = importlib.util.spec_from_file_location("version01", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_has_sixty_lines():
    assert len(PROGRAM.read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("integrator", ["EULER", "MIDPOINT", "HEUN", "RK4"])
def test_it_computes_what_the_engine_computes(version01, integrator):
    settings = {"daesystem": "INDEX1", "mpi_algo": "GREVILLE", "integrator": integrator}
    t, q = version01.simulate(changed(MECHANISM, Changes({}, settings, None)))
    engine = motion(MECHANISM, tiny=True, **settings)
    np.testing.assert_allclose(t, engine.t, atol=1e-12)
    np.testing.assert_allclose(q, engine.q, atol=1e-12)


def test_it_drifts_where_the_engine_s_defaults_do_not(version01):
    settings = {"daesystem": "INDEX1", "mpi_algo": "GREVILLE", "integrator": "EULER"}
    _, q = version01.simulate(changed(MECHANISM, Changes({}, settings, None)))
    assert abs(np.linalg.norm(q[-1, 0]) - 1) > 1e-5
    assert abs(np.linalg.norm(motion(MECHANISM, tiny=True).q[-1, 0]) - 1) < 1e-14


def test_it_runs_as_a_program(tmp_path):
    path = tmp_path / "crank.chain"
    path.write_text(MECHANISM, encoding="utf-8")
    done = subprocess.run([sys.executable, str(PROGRAM), str(path)], capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    assert len(lines) == 51
    assert lines[0] == "0 0.6 0.8 1.8 0"
