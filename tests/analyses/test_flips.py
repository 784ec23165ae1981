"""The map of first flips in the gallery: energy says where it must be empty, symmetry what must be equal, single runs the rest."""

import numpy as np
import pytest
from typer.testing import CliRunner

import chainlist
from chainlist.app.cli import app
from chainlist.examples import find


@pytest.fixture(scope="module")
def flips():
    return chainlist.ensemble(chainlist.parse(find("double-pendulum-flips").text, params={"by": np.pi / 6}), workers=1)


def test_no_flip_where_there_is_too_little_energy(flips):
    a, b = np.meshgrid(flips["a"].values, flips["b"].values, indexing="ij")
    never = 2 * np.cos(a) + np.cos(b) > 1
    assert flips["flip"].dims == ("a", "b") and flips["flip"].shape == (12, 12)
    assert np.isnan(flips["flip"].values[never]).all() and 40 < never.sum() < 100
    assert np.isfinite(flips["flip"].values[~never]).mean() > 0.6
    assert flips.attrs["careful"] == 0


def test_the_map_is_its_own_image_in_the_centre(flips):
    times = flips["flip"].values
    early = times < 1.5  # later, roundoff has grown
    assert early.sum() > 10 and np.abs(times - times[::-1, ::-1])[early].max() < 1e-9


def test_times_are_those_of_single_runs(flips):
    a, b = flips["a"].values, flips["b"].values
    for i, k in ((0, 6), (1, 3), (10, 1)):
        run = chainlist.simulate(chainlist.parse(find("double-pendulum-flips").text, params={"a": a[i], "b": b[k]}))
        turned = [np.unwrap(np.arctan2(*(d[:, c] for c in (0, 1)))) for d in (run.q[:, 0], run.q[:, 1] - run.q[:, 0])]
        over = np.any([np.floor(x / (2 * np.pi)) != np.floor(x[0] / (2 * np.pi)) for x in turned], axis=0)
        first = run.t[np.argmax(over)]  # arctan2(x, y) is 0 where a rod stands upright
        assert first - 0.02 <= flips["flip"].values[i, k] <= first


def test_without_a_card_the_command_says_so(tmp_path):
    try:
        import cupy

        if cupy.cuda.runtime.getDeviceCount() > 0:
            pytest.skip("this machine has a card")
    except Exception:  # no CuPy, or no driver: which one is what the message tells
        pass
    words = ["sweep", "--example", "double-pendulum-flips", "--device", "gpu", "-o", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1 and 'device="gpu"' in done.stderr and "Traceback" not in done.stderr
    done = CliRunner().invoke(app, ["sweep", "--example", "double-pendulum-flips", "--device", "tpu"])
    assert done.exit_code == 2 and "cpu or gpu" in done.stderr


def test_a_package_for_the_table_is_missed_before_the_runs(tmp_path, monkeypatch):
    from chainlist.syntax import extras

    found = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "h5netcdf" else found(name))
    done = CliRunner().invoke(app, ["sweep", "--example", "double-pendulum-flips", "-o", str(tmp_path)])
    assert done.exit_code == 2 and "chainlist[data]" in done.stderr
    assert not list(tmp_path.iterdir())
