"""The world outside: folders that cannot be written, and readers that go away."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chainlist.app import comparing, running, sweeping, tracing
from chainlist.app.guard import WORLD, guarded
from chainlist.labs import pages
from chainlist.output.files import writable_folder

from ..command import run

PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.1 1E-3\n.plot Etotal\n"


@pytest.mark.long
def test_files_are_written_though_nobody_reads_what_is_said(tmp_path):
    (tmp_path / "a.chain").write_text(PENDULUM)
    reader, writer = os.pipe()
    os.close(reader)  # as `2>&1 | head -1` does, once it has its line
    command = [sys.executable, "-m", "chainlist", "run", "a.chain"]
    done = subprocess.run(command, cwd=tmp_path, stdout=writer, stderr=writer)
    os.close(writer)
    assert done.returncode == 0
    assert {path.name for path in (tmp_path / "a.out").iterdir()} == {"plot.png", "report.json"}


@pytest.mark.parametrize("number, words", [(errno.EACCES, "choose another folder with -o"), (errno.ENOENT, "a.out: ")])
def test_where_nothing_can_be_written_another_folder_is_suggested(capsys, number, words):
    def work():
        raise OSError(number, os.strerror(number), "a.out")

    assert guarded(work) == WORLD
    said = capsys.readouterr().err
    assert words in said and ("-o" in said) == (number == errno.EACCES)


def test_where_no_folder_can_be_made_another_one_is_suggested(tmp_path, capsys, monkeypatch):
    def refuse(self, *args, **more):  # as /proc does
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert guarded(lambda: writable_folder(tmp_path / "xx") or 0) == WORLD
    said = capsys.readouterr().err
    assert "xx: no folder can be made here; choose another folder with -o" in said


def test_the_folder_of_an_animation_is_tried_out_before_the_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(tracing, "simulate", lambda *args, **more: pytest.fail("it ran"))
    (tmp_path / "a.chain").write_text(PENDULUM)
    (tmp_path / "file").write_text("")
    status = tracing.animate(str(tmp_path / "a.chain"), tmp_path / "file" / "a.gif", None, None, None)
    assert status == WORLD and "a folder is wanted" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("run", "a.chain", "-q"),
        ("sweep", "a.chain", "--step", "gravity 1 2 1", "-q"),
        ("compare", "a.chain", "--over", "INTEGRATOR=RK4"),
        ("claim", "10"),
        ("export", "a.chain", "--to", "mjcf"),
        ("examples", "--copy"),
    ],
)
def test_a_folder_inside_a_file_is_told_before_anything_is_computed(tmp_path, words, monkeypatch):
    for runs in (running, sweeping, comparing, pages):
        name = {running: "_march", sweeping: "run_sweep", comparing: "_reference", pages: "as_data"}[runs]
        monkeypatch.setattr(runs, name, lambda *args, **more: pytest.fail("it ran"))
    (tmp_path / "a.chain").write_text(PENDULUM)
    (tmp_path / "file").write_text("")
    target = tmp_path / "file" / "x" / "a.png" if words[0] in ("compare", "export") else tmp_path / "file" / "x"
    status, out, err = run(*words, *(() if words[0] == "examples" else ("-o",)), target, cwd=tmp_path)
    told = " ".join(err.replace("│", " ").split())
    assert (status, out) == (WORLD, "")
    assert f"{tmp_path / 'file'} is a file, and no folder can be made in it; choose another folder with -o" in told


def test_a_comparison_without_a_format_is_told_before_anything_is_computed(tmp_path, monkeypatch):
    monkeypatch.setattr(comparing, "_reference", lambda *args: pytest.fail("it ran"))
    (tmp_path / "a.chain").write_text(PENDULUM)
    status, out, err = run("compare", "a.chain", "--over", "INTEGRATOR=RK4", "-o", "picture", cwd=tmp_path)
    assert (status, out) == (2, "") and "the output must end in .png" in err
