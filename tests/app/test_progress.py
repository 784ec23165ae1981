"""What takes long is announced on a log, also when it comes again."""

import time
from contextlib import contextmanager

import pytest

from chainlist.app import comparing, progress, sweeping
from chainlist.run import announcing
from chainlist.run.simulate import PREPARING

from ..command import run


def test_what_was_short_at_first_is_announced_when_it_takes_long_later(monkeypatch):
    said = []
    monkeypatch.setattr(progress, "_MOMENT", 0.05)
    monkeypatch.setattr(progress, "is_terminal", lambda: False)
    monkeypatch.setattr(progress, "say", said.append)
    with progress.progress_bar("a.chain", quiet=False) as tell:
        tell(0.0, "preparing")
        tell(0.0, "running")
        tell(0.5, "preparing")
        time.sleep(0.3)
        tell(0.6, "running")
        tell(0.7, "preparing")
        time.sleep(0.3)
    assert said == ["a.chain: preparing …"]


@pytest.mark.parametrize(
    "command, where, said",
    [
        (("compare", "--over", "INTEGRATOR=RK4", "--no-plot"), comparing, f"RK4: {PREPARING}"),
        (("sweep", "--step", "gravity 1 2 1", "--no-plots"), sweeping, PREPARING),
    ],
)
def test_commands_of_many_runs_say_that_kernels_are_prepared(tmp_path, monkeypatch, command, where, said):
    told = []

    @contextmanager
    def listening(title, *, quiet):
        yield lambda part, what: told.append(what)

    monkeypatch.setattr(where, "progress_bar", listening)
    (tmp_path / "a.chain").write_text("* t\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.1 1E-2\n.meas a MAX Y(B1)\n")
    status, _, err = run(command[0], "a.chain", *command[1:], cwd=tmp_path)
    assert status == 0, err
    assert said in told


def test_in_python_standard_error_says_that_kernels_are_prepared_for_long(monkeypatch, capsys):
    monkeypatch.setattr(announcing, "MOMENT", 0.05)
    with announcing.announced() as tell:
        tell(0.0, PREPARING)
        tell(0.0, "running")
        time.sleep(0.15)
        assert capsys.readouterr().err == ""
        tell(0.5, PREPARING)
        time.sleep(0.3)
        tell(0.6, "running")
    assert capsys.readouterr().err == f"chainlist: {PREPARING} …\n"
