"""The command line: what goes where, and the exit status."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from unittest import mock

import pytest

import chainlist
from chainlist.app.warm_command import _defaults
from chainlist.compile.system import assemble
from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS
from chainlist.run.runner import Runner
from tests.command import run, run_apart

take_care = Runner._take_care
GOOD = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1E-3\n.plot Q(B1)\n"
BAD = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0\nC2 B1 B7\n"


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.chain"
    path.write_text(GOOD)
    return path


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "bad.chain"
    path.write_text(BAD)
    return path


def test_check_says_what_it_is_on_standard_output(good):
    status, out, err = run("check", good)
    assert (status, err) == (0, "")
    assert out == f"{good}: Pendulum: 1 body, 1 link; 2 coordinates, 1 constraint, rank 1: 1 degree of freedom\n"


def test_check_shows_all_problems_on_standard_error(bad):
    status, out, err = run("check", bad)
    assert (status, out) == (2, "")
    assert "bad.chain:3:7" in err and "C1 B1 (0,0" in err and "^" in err
    assert "bad.chain:4:7" in err


def test_check_as_json(good, bad):
    status, out, err = run("check", "--json", good, bad)
    assert (status, err) == (2, "")
    first, second = json.loads(out)
    assert first["ok"] and first["freedom"]["degrees"] == 1
    assert next((d["code"], d["line"], d["column"]) for d in second["diagnostics"]) == ("E111", 3, 7)


@pytest.mark.parametrize(
    "words",
    [
        ["check", "good.chain"],
        ["check", "bad.chain", "good.chain", "gone.chain"],
        ["check", "--json", "good.chain", "bad.chain"],
        ["check", "good.chain", "--json"],
        ["fmt", "--check", "good.chain"],
        ["fmt", "bad.chain"],
        ["dump", "good.chain"],
        ["dump", "bad.chain"],
        ["dump", "good.chain", "bad.chain"],
        ["check", "--jason", "good.chain"],
        ["check"],
        ["run", "--quiet", "--no-plots", "good.chain"],
        ["run", "-q", "bad.chain"],
        ["run", "gone.chain"],
    ],
    ids=" ".join,
)
def test_plain_command_lines_do_what_all_others_do(good, bad, words):
    """They are read in two ways: at once, and by the library that reads every command line."""
    status, out, err = run(*words, cwd=good.parent)
    with mock.patch("tests.command.quick", lambda words: None):
        slowly = run(*words, cwd=good.parent)
    assert (status, out) == slowly[:2]
    if not err.startswith("Usage"):
        assert err == slowly[2]


@pytest.mark.parametrize(
    "words", [["check", "good.chain", "bad.chain"], ["options", "integrater"], ["--version"]], ids=" ".join
)
def test_a_process_of_its_own_says_the_same(good, bad, words):
    assert run_apart(*words, cwd=good.parent, COLUMNS="100") == run(*words, cwd=good.parent, COLUMNS="100")


def test_standard_input():
    assert run("check", "-", stdin=GOOD.encode())[0] == 0
    assert run("fmt", "-", stdin=b"* t\nB1 1 0 1\n")[1] == "* t\nB1 (1,0) 1\n"


@pytest.mark.parametrize("command", ["check", "fmt", "dump"])
def test_the_world_outside_is_status_1(tmp_path, command):
    status, out, err = run(command, tmp_path / "nowhere.chain")
    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 1 and "nowhere.chain" in err
    status, _, err = run(command, tmp_path)
    assert status == 1 and len(err.splitlines()) == 1


def test_the_largest_status_wins(good, bad, tmp_path):
    assert run("check", good, tmp_path / "nowhere.chain", bad)[0] == 2
    assert run("check", bad, tmp_path / "nowhere.chain")[0] == 2


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "latin.chain"
    path.write_bytes(b"* Pendel\nB1 (1,0) 1 ; gr\xfc\xdfe\n")
    status, _, err = run("check", path)
    assert status == 2 and "E103" in err and ":2:" in err


def test_fmt_rewrites_in_place_and_check_only_tells(tmp_path):
    path = tmp_path / "a.chain"
    path.write_bytes(b"* t\r\nB16 3.2 0 1 ;tip\r\n*+ IC_VEL = (0,1)\r\n")
    assert run("fmt", "--check", path)[0] == 1
    assert run("fmt", path) == (0, "", "")
    assert path.read_bytes() == b"* t\r\nB16 (3.2,0) 1 ; tip\r\n+ IC_VEL=(0,1)\r\n"
    assert run("fmt", "--check", path)[0] == 0
    assert os.listdir(tmp_path) == ["a.chain"]


def test_fmt_leaves_a_broken_file_alone(bad):
    status, _, err = run("fmt", bad)
    assert status == 2 and "E111" in err
    assert bad.read_text() == BAD


def test_dump_reads_back_as_itself(listing, tmp_path):
    status, out, err = run("dump", listing(5))
    assert (status, err) == (0, "")
    again = tmp_path / "again.chain"
    again.write_text(out)
    without_comments = [line.split(" ; ")[0] for line in out.splitlines()]
    assert [line.split(" ; ")[0] for line in run("dump", again)[1].splitlines()] == without_comments


def test_options():
    status, out, _ = run("options")
    assert status == 0 and len(out.splitlines()) == len(OPTIONS)
    assert all(choice in out for choice in (*OPTIONS["integrator"].choices, *OPTIONS["plotmode"].choices))
    status, out, _ = run("options", "integrator")
    assert status == 0 and "DOP853" in out
    status, out, err = run("options", "integrater")
    assert (status, out) == (2, "") and "INTEGRATOR" in err


def test_items():
    status, out, err = run("items")
    assert (status, err) == (0, "")
    assert all(any(line.startswith(o.name) for line in out.splitlines()) for o in OBSERVABLES.values())


def test_explain_without_a_code_lists_all():
    status, out, _ = run("explain")
    assert status == 0 and "E131  " in out and "W302  " in out


def test_explain():
    status, out, _ = run("explain", "e131")
    assert status == 0 and out.startswith("# E131")
    status, _, err = run("explain", "E999")
    assert status == 2 and re.search(r"there are E101 to E\d+, N\d+ to N\d+, W\d+ to W\d+$", err.strip())


def test_version_and_usage_errors():
    assert run("--version")[1] == f"chainlist {chainlist.__version__}\n"
    status, out, err = run("chekc")
    assert (status, out) == (2, "") and "chekc" in err
    assert run("check")[0] == 2


def test_a_reader_that_goes_away_is_no_traceback(good):
    script = f"{shlex.quote(sys.executable)} -m chainlist options | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_standard_output_that_is_full_is_one_line(good):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "chainlist", "dump", str(good)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_help_of_each_command_ends_with_an_example_that_runs(tmp_path):
    (tmp_path / "pendulum.chain").write_text(GOOD + '.print BINTRACEFILE="pendulum.npz"\n')
    assert run("run", "pendulum.chain", "-o", ".", "--quiet", cwd=tmp_path)[0] == 0
    _, out, _ = run("--help", NO_COLOR="1", TERM="dumb", COLUMNS="100")
    commands = re.findall(r"^[ │]+([a-z]+)  ", out, re.MULTILINE)
    assert {"check", "fmt", "dump", "options", "explain"} <= set(commands)
    for command in commands:
        _, out, _ = run(command, "--help", NO_COLOR="1", TERM="dumb", COLUMNS="100")
        last = out.strip().splitlines()[-1].strip()
        assert last.startswith("Example: chainlist "), (command, last)
        words = shlex.split(last.removeprefix("Example: chainlist "))
        if command == "gui":
            assert_serves(words, tmp_path)
            continue
        if command == "warm":
            assert words == ["warm"]  # it takes minutes where nothing is compiled yet; what it runs is looked at below
            continue
        # the language server has a loop of its own, and this process may have that of a browser
        status, _, err = (run_apart if command == "lsp" else run)(*words, stdin=b"", cwd=tmp_path)
        assert status == 0, (last, err)


def test_warm_knows_machines_of_every_kind():
    texts = _defaults()
    needs = set()
    for text in texts.values():
        mechanism = chainlist.parse(text)
        assembly = assemble(mechanism)
        acts, switches = assembly.acts, assembly.switches is not None
        apart = not acts and len(assembly.system.groups.size) > 1
        needs.add((mechanism.dimension, acts, switches, apart, assembly.tree is not None))
    kinds = [(False, False, False), (False, False, True), (True, False, False), (True, True, False)]
    hinges = {(3, acts, False, False, True) for acts in (False, True)}
    assert needs == {(dimension, *kind, False) for dimension in (2, 3) for kind in kinds} | hinges
    singular = {what for what, text in texts.items() if "W301" in [d.code for d in chainlist.parse(text).diagnostics]}
    assert len(singular) == 4  # with and without machines side by side, in the plane and in space


def test_warm_needs_the_careful_kernels_where_it_says_singular(monkeypatch):
    """Those of Bricard's mechanism; machines with forces have them anyway."""
    asked = []
    monkeypatch.setattr(Runner, "_take_care", lambda self: asked.append(self.plan.choice) or take_care(self))
    for what, text in _defaults().items():
        if "singular" in what:
            chainlist.simulate(text, breakdown="GO")
    assert {(choice.dimension, choice.apart) for choice in asked} == {(2, False), (2, True), (3, False), (3, True)}


def interrupt(process):
    """Press Ctrl-C; what does not end then is killed, and the test fails."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=120)
    finally:
        process.kill()


def assert_serves(words, folder):
    """A server does not end by itself: it must say where it is, and end when it is told to."""
    quiet = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    command = [sys.executable, "-m", "chainlist", *words]
    process = subprocess.Popen(command, cwd=folder, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert "http://127.0.0.1:" in process.stdout.readline().decode()
    finally:
        interrupt(process)


@pytest.mark.parametrize(
    ("name", "status", "words"), [("gone.py", 1, "No such file"), ("notes.txt", 2, "not a Python")]
)
def test_a_missing_plugin_is_the_world_and_another_file_a_mistake(good, name, status, words):
    (good.parent / "notes.txt").write_text("no code")
    found, out, err = run("check", good, "--plugin", name, cwd=good.parent, COLUMNS="200")
    assert (found, out) == (status, "")
    assert name in err and words in err
