"""Every example in README and documentation is run: chainlists, Python, commands with what they print."""

import contextlib
import io
import itertools
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import chainlist
from tests.command import run
from tests.docs.loose import missing_line
from tests.docs.pages import ROOT, name_of, pages
from tools.docsite.blocks import Block, blocks

MOST_WORK = 2_000_000  # bodies × steps of a chainlist that is simulated, not only read


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch):
    """One page after the other, its blocks in order, in a folder that holds the files the page has named so far."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    cells: list[str] = []
    found = blocks(page.read_text(encoding="utf-8"))
    for block, following in itertools.zip_longest(found, found[1:]):
        with _place(page, block):
            if block.title:
                Path(block.title).write_text(block.text, encoding="utf-8")
            if block.language == "chain":
                _read(block)
            elif block.language == "console":
                _run_commands(block)
            elif block.language == "python" and not block.title:
                printed = _execute(block, names)
                if following is not None and following.language == "text":
                    _compare(following.text, printed)
            elif block.language == "ipython":
                cells.append(block.text)
    _run_cells(cells)


@contextlib.contextmanager
def _place(page: Path, block: Block):
    try:
        yield
    except Exception as error:
        error.add_note(f"in {name_of(page)}, {block.name}")
        raise


def _read(block: Block) -> None:
    if "plugin" in block.words:
        return
    if "wrong" in block.words:
        with pytest.raises(chainlist.ChainlistError):
            chainlist.parse(block.text)
        return
    mechanism = chainlist.parse(block.text)
    times = mechanism.transient
    if len(mechanism.bodies) * times.stop / times.step <= MOST_WORK and mechanism.options.mpi_algo == "AUTO":
        assert chainlist.simulate(mechanism).status.ok


def _execute(block: Block, names: dict[str, object]) -> str:
    out = io.StringIO()
    path = list(sys.path)
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(block.text, block.name, "exec"), names)
    finally:
        sys.path[:] = path
    return out.getvalue()


def _run_cells(cells: list[str]) -> None:
    """The cells of a notebook in a process of its own, for a shell changes the one it lives in."""
    if not cells:
        return
    program = (
        "import json, sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell()\n"
        "for cell in json.load(sys.stdin):\n"
        "    shell.run_cell(cell).raise_error()\n"
    )
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "IPYTHONDIR": str(Path.cwd() / "ipython")}
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(cells), text=True, capture_output=True, env=surroundings
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _run_commands(block: Block) -> None:
    commands: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
    for command, expected in commands:
        printed = _run(shlex.split(command))
        _compare("\n".join(expected), printed)


def _run(words: list[str]) -> str:
    """What a command prints on both channels. `make` is only asked whether it knows the target."""
    name = Path(words[0]).name
    surroundings = {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200", "NO_COLOR": "1"}
    if name == "chainlist":
        status, printed = run(*words[1:], merged=True, **surroundings)
    else:
        command = {"make": ["make", "-C", str(ROOT), "-n"], "python": [sys.executable]}[name]
        done = subprocess.run(
            [*command, *words[1:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=300,
            env={**os.environ, **surroundings},
        )
        status, printed = done.returncode, done.stdout
    assert status in (0, 2), printed
    return printed


def _compare(expected: str, printed: str) -> None:
    missing = missing_line(expected, printed)
    assert missing is None, f"not printed: {missing}\nbut:\n{printed}"


def test_a_line_that_is_not_printed_is_found():
    assert missing_line("a\n…\nc", "a\nb\nc") is None
    assert missing_line("c\na", "a\nb\nc") == "a"
    assert missing_line("error 3… m", "error 3.14 m") is None
    assert missing_line("error 3… s", "error 3.14 m") == "error 3… s"
