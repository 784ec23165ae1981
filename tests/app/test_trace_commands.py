"""`chainlist plot`, `play` and `animate` as subprocesses: pictures of a stored trace, and of a fresh run."""

import dataclasses

import numpy as np
import pytest
from PIL import Image

import chainlist
from chainlist.app.tracing import stored_columns
from chainlist.output.plots import draw_figure
from chainlist.output.traces import write_trace
from tests.command import run

PENDULUM = "* Pendulum\nB1 (L,0) 1\nC1 B1 (0,0)\n.param L=1\n.tran 0 0.5 1E-3\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a chainlist and its traces; it asks for no plot."""
    folder = tmp_path_factory.mktemp("traces")
    (folder / "a.chain").write_text(
        PENDULUM + ".print BINTRACEFILE=a.npz TEXTTRACEFILE=a.txt\n.print BINTRACEFILE=b.csv\n"
    )
    assert run("run", "a.chain", "-o", ".", "-q", cwd=folder)[0] == 0
    return folder


def test_plot_draws_items_of_a_trace(folder):
    status, out, err = run("plot", "a.npz", "Q(B1)", "Etotal", "-o", "both.svg", cwd=folder)
    assert (status, out, err) == (0, "", "both.svg\n")
    assert (folder / "both.svg").read_text().startswith("<?xml")


def test_several_items_in_quotes_share_a_panel(folder):
    for words in ("X(B1) Y(B1)", '"X(B1) Y(B1)"'):
        assert run("plot", "a.npz", words, "Etotal", "-o", "group.svg", cwd=folder) == (0, "", "group.svg\n")
        assert (folder / "group.svg").read_text().count('id="axes_') == 2
    status, _, err = run("plot", "a.npz", "X(B1) - Y(B1)", cwd=folder)
    assert status == 2 and "E117" in err
    assert run("plot", "a.npz", " ", cwd=folder)[0] == 2


def test_a_chainlist_is_no_trace_and_is_told_how_to_get_one(folder):
    status, _, err = run("plot", "a.chain", "X(B1)", cwd=folder)
    assert status == 2 and "E401" in err
    assert "put .print BINTRACEFILE=a.npz into the chainlist; chainlist run a.chain then writes a.out/a.npz" in err


@pytest.mark.parametrize("hold", ["S1 B1 LINE(0,1,0)", "C1 B1 (1,1)"])
def test_a_picture_needs_the_positions(folder, hold):
    text = (
        f"* Held\nB1 (0,0) 1\n{hold}\n.tran 0 1 0.1\n.plot CONSTRAINTS(ALL)\n.print TEXTTRACEFILE=e.txt Time Etotal\n"
    )
    (folder / "e.chain").write_text(text)
    assert run("run", "e.chain", "-o", ".", "-q", "--no-plots", cwd=folder)[0] == 0
    status, _, err = run("plot", "e.txt", "-o", "e.png", cwd=folder)
    assert status == 2 and "E402" in err and not (folder / "e.png").exists()
    assert 'it holds Etotal: chainlist plot e.txt "Etotal"' in err


def test_a_trace_that_ends_too_early_says_so(folder):
    motion = chainlist.simulate(PENDULUM)
    write_trace(dataclasses.replace(motion, t=motion.t[:300], q=motion.q[:300], v=motion.v[:300]), folder / "f.nc")
    status, _, err = run("plot", "f.nc", "X(B1)", "-o", "f.png", cwd=folder)
    assert status == 0 and "ends at t = 0.299 s, its run was to end at 0.5 s" in err


def test_plot_tells_all_that_is_wrong(folder):
    status, _, err = run("plot", "a.txt", "Q(B7)", "Ettotal", "Q(B1)", cwd=folder)
    assert status == 2 and "unknown body B7" in err and "Ettotal" in err
    status, _, err = run("plot", "a.npz", cwd=folder)
    assert status == 2 and "no .plot" in err
    assert run("plot", "a.npz", "Q(B1)", "-o", "a.gif", cwd=folder)[0] == 2
    assert run("plot", "nowhere.npz", "Q(B1)", cwd=folder)[0] == 1


def test_plot_draws_what_a_text_trace_holds_where_nothing_is_asked_for(folder):
    text = PENDULUM + ".print TEXTTRACEFILE=c.txt Time Q(B1) Etotal X(B1)*2\n"
    (folder / "c.chain").write_text(text)
    assert run("run", "c.chain", "-o", ".", "-q", cwd=folder)[0] == 0
    assert run("plot", "c.txt", "-o", "c.svg", cwd=folder) == (0, "", "c.svg\n")
    assert titles(folder / "c.txt") == ["Q(B1)", "Etotal", "X(B1)*2"]
    assert titles(folder / "a.npz") == []


def titles(path):
    motion = chainlist.read_trace(path)
    return [axes.get_title(loc="left") for plot in stored_columns(motion) for axes in draw_figure(motion, plot).axes]


def test_a_table_needs_its_chainlist_for_energies(folder):
    for item in ("Etotal", "TENSION(ALL)", "TENSION(C1)"):
        status, _, err = run("plot", "b.csv", item, cwd=folder)
        assert status == 2 and "--chainlist FILE" in err and "write TENSION" not in err
    assert run("plot", "b.csv", "Etotal", "--chainlist", "a.chain", "-o", "b.png", cwd=folder)[0] == 0
    with Image.open(folder / "b.png") as picture:
        assert picture.size[0] > 400


def test_the_chainlist_of_a_table_takes_the_changes_of_its_run(folder):
    assert run("run", "a.chain", "-o", "long", "-q", "--param", "L=2", cwd=folder)[0] == 0
    words = ["plot", "long/b.csv", "PHI(C1)", "--chainlist", "a.chain", "-o", "phi.png"]
    status, _, err = run(*words, cwd=folder)
    assert status == 0 and "this trace does not fit a.chain: C1 is 2 m long in it, 1 m in the chainlist" in err
    assert run(*words, "--param", "L=2", cwd=folder) == (0, "", "phi.png\n")
    words = ["play", "long/b.csv", "--chainlist", "a.chain", "--set", "gravity=1.62", "-o", "p.html", "--no-show"]
    assert run(*words, "--param", "L=2", cwd=folder) == (0, "", "p.html\n")
    status, _, err = run("plot", "a.npz", "PHI(C1)", "--param", "L=2", cwd=folder, COLUMNS="200")
    assert status == 2 and "give --chainlist FILE" in err


def test_play_writes_a_page_and_nothing_else(folder):
    status, _, err = run("play", "a.txt", "--no-show", cwd=folder)
    assert (status, err) == (0, "a.html\n")
    assert "<canvas" in (folder / "a.html").read_text()
    status, _, err = run("play", "a.txt", "-o", "a.png", "--no-show", cwd=folder)
    assert status == 2 and ".html" in err


def test_a_text_trace_is_known_whatever_it_is_called(folder):
    (folder / "renamed.npz").write_bytes((folder / "a.txt").read_bytes())
    whole = chainlist.read_trace(folder / "a.npz")
    assert np.array_equal(chainlist.read_trace(folder / "renamed.npz").q, whole.q)


def test_animate_takes_settings_and_examples(folder):
    words = ["--set", "tran=0,200ms,1ms", "--param", "L=40cm", "-o", "a.gif"]
    assert run("animate", "a.chain", *words, cwd=folder)[0] == 0
    with Image.open(folder / "a.gif") as moving:
        assert moving.n_frames > 2
    assert run("animate", "--example", "watt", "--set", "tran=0,0.1,0.001", cwd=folder)[0] == 0
    assert (folder / "watt.html").exists()
    assert run("animate", cwd=folder)[0] == 2
    assert run("animate", "a.chain", "--example", "watt", cwd=folder)[0] == 2


@pytest.mark.parametrize(
    "wrong", ["--param=L=40qm", "--param=L=1kg*", "--set=tran=0,1kg,1ms", "--set=tran=0,1", "--set=L"]
)
def test_wrong_settings_are_told(folder, wrong):
    status, _, err = run("run", "a.chain", wrong, cwd=folder)
    assert status == 2 and err


def test_parameters_from_outside_are_told_as_they_are_written(folder):
    status, _, err = run("run", "a.chain", "--param", "L=2 m", cwd=folder, COLUMNS="200")
    assert status == 2 and "a unit stands directly behind its number: write 2m" in err
    status, _, err = run("run", "a.chain", "--param", "K=2", cwd=folder)
    assert status == 2 and "parameters of this chainlist: L\n" in err
