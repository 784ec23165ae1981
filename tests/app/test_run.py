"""`chainlist run`: what it writes, what it says, how it ends, and what an accident leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import chainlist
from tests.command import run

from .test_commands import interrupt

PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.5 1E-3\n"
LONG = "* Long\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 2000 1E-3\n.options SAVE=0.1\n"
LEVER_THAT_BREAKS = (
    "* Lever\nB1 (-1,0) 1\nB2 (1,0) 2\nC1 B1 (0,0)\nC2 B2 (0,0)\nC3 B1 B2\n.tran 0 1 1E-3\n"
    ".options DAESYSTEM=INDEX1 MPI_ALGO=CHOLESKY\n.print TEXTTRACEFILE=t.txt BINTRACEFILE=t.npz\n.plot Q(B1)\n"
)


def write(folder, text, name="a.chain"):
    path = folder / name
    path.write_text(text)
    return path


def test_every_output_is_written_beside_the_file_and_named(tmp_path):
    text = PENDULUM + ".plot Q(B1)\n.plot PATH(B1)\n.print TEXTTRACEFILE=deep/er/t.txt BINTRACEFILE=t.nc\n"
    path = write(tmp_path, text, "swing.chain")
    status, out, err = run("run", path, "--format", "png,svg,pdf")
    assert (status, out) == (0, "")
    folder = tmp_path / "swing.out"
    files = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    plots = {f"plot{n}.{kind}" for n in (1, 2) for kind in ("png", "svg", "pdf")}
    assert files == {"deep/er/t.txt", "t.nc", "report.json", *plots}
    for name in files:
        assert str(folder / name) in err
    assert "energy error" in err
    assert json.loads((folder / "report.json").read_text())["status"]["ok"]


def test_console_traces_and_json_are_all_that_standard_output_carries(tmp_path):
    path = write(tmp_path, PENDULUM + ".print Time X(B1)\n")
    status, out, _ = run("run", path, "--quiet")
    assert status == 0 and out.startswith("HEADER\n* Pendulum\n")
    rows = out.split("DATA SECTION\n")[1].splitlines()
    assert len(rows) == 501 and rows[0] == "0 1"
    status, out, err = run("run", write(tmp_path, PENDULUM + ".plot Q(B1)\n"), "--json", "--no-plots", "-q")
    assert (status, err) == (0, "")
    (report,) = json.loads(out)
    assert report["report"]["steps"] == 500


def test_json_is_alone_on_standard_output_and_console_traces_go_to_files(tmp_path):
    path = write(tmp_path, PENDULUM + ".print Time X(B1)\n.print Time Y(B1)\n.print TEXTTRACEFILE=console.txt Time\n")
    status, out, _ = run("run", path, "--json", "-q")
    (report,) = json.loads(out)
    folder = tmp_path / "a.out"
    names = ["console2.txt", "console3.txt", "console.txt", "report.json"]
    assert status == 0 and report["files"] == [str(folder / name) for name in names]
    assert (folder / "console2.txt").read_text().splitlines()[-501] == "0 1"
    assert "console.txt" in run("run", "--help", COLUMNS="200")[1]


def test_a_reader_that_goes_away_ends_the_console_trace_and_nothing_else(tmp_path):
    prints = ".print Time X(B1)\n.print TEXTTRACEFILE=t.txt Time X(B1)\n.print BINTRACEFILE=t.npz\n.plot Etotal\n"
    path = write(tmp_path, PENDULUM.replace("0.5", "20") + prints)
    process = start(path, "-q", stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"HEADER\n"
    process.stdout.close()
    with process.stderr as messages:
        assert messages.read() == b""
    assert process.wait(60) == 0
    folder = tmp_path / "a.out"
    assert set(os.listdir(folder)) == {"t.txt", "t.npz", "report.json", "plot.png"}
    assert len(chainlist.read_trace(folder / "t.txt").t) == 20_001


def test_set_and_param_replace_what_the_text_says(tmp_path):
    path = write(tmp_path, "* P\nB1 (L,0) 1\nC1 B1 (0,0)\n.param L=1\n.plot Etotal\n")
    words = ["--set", "tran=0,1,0.01", "--set", "integrator=HEUN", "--param", "L=2", "--no-plots", "--json", "-q"]
    status, out, _ = run("run", path, *words)
    (report,) = json.loads(out)
    assert status == 0 and report["options"]["integrator"] == "HEUN" and report["report"]["steps"] == 100
    assert run("run", path, "--set", "integrater=HEUN")[0] == 2
    assert run("run", path, "--set", "nonsense")[0] == 2
    assert run("run", path, "--param", "M=2")[0] == 2


def test_several_files_have_a_folder_each_and_the_largest_status(tmp_path):
    good = write(tmp_path, PENDULUM + ".plot Etotal\n", "good.chain")
    bad = write(tmp_path, "* t\nB1 (1,0\n", "bad.chain")
    status, _, _ = run("run", good, bad, tmp_path / "nowhere.chain", "-o", tmp_path / "all", "--no-plots")
    assert status == 2
    assert (tmp_path / "all" / "good" / "report.json").exists()
    assert not (tmp_path / "all" / "bad").exists()  # errors in the text write nothing


def test_a_run_that_breaks_down_is_status_3_and_keeps_everything(tmp_path):
    status, _, err = run("run", write(tmp_path, LEVER_THAT_BREAKS))
    assert status == 3
    assert "the pseudoinverse broke down" in err and "MPI_ALGO=AUTO" in err
    folder = tmp_path / "a.out"
    assert {"t.txt", "t.npz", "plot.png", "report.json"} <= set(os.listdir(folder))
    assert not json.loads((folder / "report.json").read_text())["status"]["ok"]


def test_traces_stay_inside_the_output_folder_unless_allowed(tmp_path):
    outside = tmp_path / "elsewhere.txt"
    for name in ("../elsewhere.txt", str(outside)):
        path = write(tmp_path, PENDULUM + f'.print TEXTTRACEFILE="{name}" Time\n')
        status, _, err = run("run", path)
        assert status == 2 and "--allow-outside" in err and not outside.exists()
    assert run("run", path, "--allow-outside")[0] == 0 and outside.exists()


def test_standard_input(tmp_path):
    status, _, _ = run("run", "-", "--no-plots", stdin=(PENDULUM + ".plot Etotal\n").encode(), cwd=tmp_path)
    assert status == 0 and (tmp_path / "stdin.out" / "report.json").exists()


def test_a_page_that_holds_everything(tmp_path):
    status, _, _ = run("run", write(tmp_path, PENDULUM + ".plot Q(B1)\n"), "--html", "--no-plots")
    page = (tmp_path / "a.out" / "page.html").read_text()
    assert status == 0 and "Pendulum" in page and "default-src 'none'" in page


@pytest.mark.parametrize("trouble", ["folder is a file", "full disk"])
def test_the_world_outside_is_one_line_and_status_1(tmp_path, trouble):
    path = write(tmp_path, PENDULUM + ".print BINTRACEFILE=t.npz\n.plot Etotal\n")
    if trouble == "full disk":
        if not os.path.exists("/dev/full"):
            pytest.skip("no /dev/full here")
        path = write(tmp_path, PENDULUM + '.print TEXTTRACEFILE="/dev/full" Time Q(B1)\n')
        status, _, err = run("run", path, "--allow-outside", "-q")
    else:
        (tmp_path / "a.out").write_text("in the way")
        status, _, err = run("run", path, "-q")
    assert status == 1
    assert len([line for line in err.splitlines() if line.startswith("error")]) == 1


def start(path, *words, stdout=subprocess.DEVNULL):
    return subprocess.Popen(
        [sys.executable, "-m", "chainlist", "run", str(path), *words], stdout=stdout, stderr=subprocess.PIPE
    )


def wait_until(happened):
    for _ in range(1200):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError("this did not happen in a minute")


def wait_for_rows(trace, count=50):
    wait_until(lambda: trace.exists() and trace.read_text().count("\n") > count)


def test_a_killed_run_leaves_a_readable_trace(tmp_path):
    path = write(tmp_path, LONG + ".print TEXTTRACEFILE=t.txt Time Q(ALL) V(ALL)\n")
    process = start(path)
    trace = tmp_path / "a.out" / "t.txt"
    wait_for_rows(trace)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    motion = chainlist.read_trace(trace)
    assert len(motion.t) > 30 and np.isfinite(motion.q).all()
    assert np.allclose(np.hypot(*motion.q[:, 0].T), 1, atol=1e-9)


def test_ctrl_c_ends_the_whole_command_and_leaves_valid_files_of_every_format(tmp_path):
    prints = "".join(f".print BINTRACEFILE=t.{kind}\n" for kind in ("nc", "npz", "csv", "raw"))
    path = write(tmp_path, LONG + prints + ".print TEXTTRACEFILE=t.txt Time Q(ALL) V(ALL)\n.plot Q(B1)\n")
    process = start(path, str(write(tmp_path, PENDULUM, "b.chain")), "--html")
    folder = tmp_path / "a.out"
    wait_for_rows(folder / "t.txt")
    _, err = interrupt(process)
    assert process.returncode == 130, err.decode()
    assert b"Traceback" not in err and b"the chainlists behind it were not run" in err
    assert not (tmp_path / "b.out").exists()
    lengths = {len(chainlist.read_trace(folder / f"t.{kind}").t) for kind in ("txt", "nc", "npz", "csv", "raw")}
    assert len(lengths) == 1 and 30 < lengths.pop() < 20_000
    assert not chainlist.read_trace(folder / "t.npz").status.ok
    assert {"plot.png", "page.html", "report.json"} <= set(os.listdir(folder))
    assert not [name for name in os.listdir(folder) if name.startswith(".")]


@pytest.mark.long
def test_ctrl_c_after_a_breakdown_that_goes_on_draws_the_pictures(tmp_path):
    wild = "* Wild\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 1E6 1\n.print TEXTTRACEFILE=t.txt\n.plot X(B1)\n"
    settings = ".options DAESYSTEM=INDEX1 INTEGRATOR=MIDPOINT MPI_ALGO=SVD BREAKDOWN=GO SAVE=100\n"
    process = start(write(tmp_path, wild + settings))
    wait_for_rows(tmp_path / "a.out" / "t.txt")
    _, err = interrupt(process)
    assert process.returncode == 130 and b"interrupted at t = " in err and b"s the " in err
    assert (tmp_path / "a.out" / "plot.png").exists()


def test_ctrl_c_while_pictures_are_drawn_ends_the_command_and_leaves_whole_files(tmp_path):
    text = PENDULUM.replace("0.5", "500") + ".options PLOTMODE=ANIMATE\n.plot CONSTRAINTS(ALL)\n"
    process = start(write(tmp_path, text + ".print BINTRACEFILE=t.npz\n"), "--format", "png,gif")
    folder = tmp_path / "a.out"
    wait_until((folder / "plot.png").exists)
    _, err = interrupt(process)
    assert process.returncode == 130 and b"before all pictures were drawn" in err and b"Traceback" not in err
    assert set(os.listdir(folder)) == {"plot.png", "t.npz", "report.json"}
    assert str(folder / "plot.png").encode() in err and b"plot.gif\n" not in err


def test_an_animation_that_is_asked_for_shows_all_that_moves(tmp_path):
    path = write(tmp_path, PENDULUM + ".plot X(B1)\n")
    assert run("run", path, "-q", "--format", "png,gif")[0] == 0
    assert set(os.listdir(tmp_path / "a.out")) == {"plot.png", "motion.gif", "report.json"}
    assert run("run", path, "-q", "-o", tmp_path / "still")[0] == 0
    assert set(os.listdir(tmp_path / "still")) == {"plot.png", "report.json"}


def test_watch_runs_again_when_the_file_is_saved(tmp_path):
    path = write(tmp_path, PENDULUM + ".plot Etotal\n")
    process = start(path, "--watch", "--no-plots")
    report = tmp_path / "a.out" / "report.json"
    try:
        deadline = time.monotonic() + 120
        while not report.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.5)
        path.write_text(PENDULUM.replace("Pendulum", "Saved again") + ".plot Etotal\n")
        while "Saved again" not in report.read_text() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert "Saved again" in report.read_text()
    finally:
        interrupt(process)
    assert process.returncode == 130


def test_an_output_folder_that_is_a_file_is_told_before_the_run(tmp_path):
    path = write(tmp_path, PENDULUM)
    (tmp_path / "taken").write_text("mine")
    status, out, err = run("run", path, "-q", "-o", tmp_path / "taken")
    assert (status, out) == (1, "") and "a folder is wanted" in err and len(err.splitlines()) == 1
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_file_that_is_announced_when_it_takes_long_is_the_file_that_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr("chainlist.app.progress._MOMENT", 0.01)
    path = write(tmp_path, PENDULUM.replace("0.5", "5") + ".options PLOTMODE=ANIMATE\n.plot CONSTRAINTS(ALL)\n")
    status, _, err = run("run", path)
    assert status == 0 and "writing plot.gif …" in err
    assert (tmp_path / "a.out" / "plot.gif").exists()


def test_an_analysis_that_cannot_be_made_does_not_take_the_run_along(tmp_path):
    path = write(tmp_path, "* Free\nB1 (0,0) 1\n.tran 0 0.1 1ms\n.op\n.meas low MIN Y(B1)\n")
    status, _, err = run("run", path, "--no-plots")
    assert status == 2 and ".op: no equilibrium was found" in err and "low" in err and "ended" in err
    found = json.loads((tmp_path / "a.out" / "report.json").read_text())["analyses"]
    assert "error" in str(found) and "low" in str(found)
