"""`--size`, `--fps`, `--dpi`, `--names`: how pictures of a trace or a run look."""

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

import chainlist
from chainlist.app import tracing
from chainlist.app.cli import app
from chainlist.app.look import look_of
from chainlist.output.look import Look
from chainlist.output.traces import write_trace

PENDULUM = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.5 1E-2\n.plot CONSTRAINTS(ALL) Etotal\n"


@pytest.fixture
def given(tmp_path):
    (tmp_path / "a.chain").write_text(PENDULUM)
    write_trace(chainlist.simulate(PENDULUM), tmp_path / "a.npz")
    return tmp_path


def test_an_animation_has_the_size_and_the_rate_that_were_asked_for(given):
    look = Look(size=320, fps=10)
    assert tracing.animate(str(given / "a.chain"), given / "a.gif", None, None, None, look) == 0
    with Image.open(given / "a.gif") as found:
        assert found.size[0] == 320 and found.info["duration"] == 100 and found.n_frames == 6


def test_a_rate_that_a_gif_cannot_keep_is_told(capsys):
    for fps, kinds, said in ((7, ("gif",), "7.14 frames a second, not 7"), (50, ("gif",), ""), (7, ("mp4",), "")):
        assert look_of(None, None, fps, names=False, kinds=kinds).fps == fps
        err = capsys.readouterr().err
        assert said in err and bool(said) == bool(err)


def test_a_page_takes_none_of_them(given):
    with pytest.raises(typer.BadParameter, match=r"for \.gif and \.mp4"):
        tracing.animate(str(given / "a.chain"), given / "a.html", None, None, None, Look(size=400))
    assert not (given / "a.html").exists()


def test_a_plot_has_the_size_and_the_resolution_that_were_asked_for(given):
    sizes = []
    for look in (Look(), Look(dpi=100), Look(size=900, dpi=100, names=True)):
        assert tracing.plot(given / "a.npz", None, given / "a.png", None, None, None, look) == 0
        with Image.open(given / "a.png") as found:
            sizes.append(found.size)
    assert sizes[0][0] == 1260 and sizes[1][0] == 630 and sizes[2][0] == 900
    assert sizes[2][1] / 900 == pytest.approx(sizes[1][1] / 630, rel=0.01)


def test_the_pictures_of_a_run_look_as_was_asked_for(given):
    words = "--format png,gif --size 300 --dpi 60 --fps 10 --quiet".split()
    assert CliRunner().invoke(app, ["run", str(given / "a.chain"), *words]).exit_code == 0
    with Image.open(given / "a.out" / "plot.png") as still, Image.open(given / "a.out" / "plot.gif") as moving:
        assert still.size[0] == moving.size[0] == 300
        assert moving.info["duration"] == 100
    words = [str(given / "a.chain"), "--fps", "30", "--size", "120"]
    told = CliRunner().invoke(app, ["run", *words, "--format", "gif", "-q"])
    assert told.exit_code == 0 and "a GIF shows 33.3 frames a second, not 30" in told.output + told.stderr
    told = CliRunner().invoke(app, ["animate", *words, "-o", str(given / "b.gif")])
    assert told.exit_code == 0 and "a GIF shows 33.3 frames a second, not 30" in told.output + told.stderr
    told = CliRunner().invoke(app, ["run", *words, "--format", "png", "-q"])
    assert told.exit_code == 0 and "a GIF" not in told.output + told.stderr


def test_slow_motion(given):
    """Half a second at a fifth of the speed: 2.5 s of 10 frames a second."""
    words = ["animate", str(given / "a.chain"), "-o", str(given / "slow.gif"), "--speed", "0.2", "--fps", "10"]
    assert CliRunner().invoke(app, words).exit_code == 0
    with Image.open(given / "slow.gif") as found:
        assert found.info["duration"] == 100 and found.n_frames == 26
    told = CliRunner().invoke(app, [*words[:-3], "0.0001", "--fps", "50"])
    assert told.exit_code == 2 and "250,000 frames are more" in told.output + told.stderr
