"""The wheel: all that a run needs is in it, nothing that a run does not need is asked for, and it runs by itself."""

import configparser
import email
import importlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from chainlist.app.surroundings import PURPOSES, requirements
from chainlist.app.workbench.learning import GUIDE

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST, NEWEST = "3.11", "3.13"
TEXT = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1E-2\n.print BINTRACEFILE=a{suffix}\n.plot Q(B1)\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, so that nothing is left in the sources."""
    place = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place)
    for folder in ("docs", "docs/language"):
        (place / folder).mkdir()
        for page in (ROOT / folder).glob("*.md"):
            shutil.copy(page, place / folder)
    shutil.copytree(ROOT / "src", place / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place / "dist"), str(place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = (place / "dist").glob("*.whl")
    return found


def test_the_wheel_holds_every_file_of_the_package(wheel):
    package = ROOT / "src" / "chainlist"
    ours = {
        f"chainlist/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and not {"__pycache__"} & set(path.parts) and path.suffix != ".pyc"
    }
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert not ours - inside


def test_the_wheel_holds_the_pages_of_learn(wheel):
    archive = zipfile.ZipFile(wheel)
    for name in (*GUIDE, "language/index", "language/items"):
        inside = archive.read(f"chainlist/app/workbench/guide/{name}.md").decode()
        assert inside == (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def test_the_wheel_is_for_every_machine_and_asks_for_what_pyproject_says(wheel):
    assert wheel.name == f"chainlist-{PROJECT['version']}-py3-none-any.whl"
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    told = email.message_from_string(archive.read(name).decode())
    runtime, extras = requirements(told.get_all("Requires-Dist"))
    assert runtime == [re.match(r"[\w.-]+", line)[0] for line in PROJECT["dependencies"]]
    assert set(extras) == set(PROJECT["optional-dependencies"]) == set(PURPOSES)


def test_the_command_and_the_lexer_are_found_where_the_wheel_says(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt"))
    told = configparser.ConfigParser()
    told.read_string(archive.read(name).decode())
    assert told["console_scripts"]["chainlist"] == "chainlist.__main__:main"
    for group in told.values():
        for value in group.values():
            module, _, attribute = value.partition(":")
            assert hasattr(importlib.import_module(module), attribute), value
    assert told["pygments.lexers"]


def test_the_version_stands_in_one_place_and_is_copied_truly():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == PROJECT["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == PROJECT["version"]


def with_runtime_alone(arguments: list[str], folder: Path) -> subprocess.CompletedProcess:
    """The command in a process in which the packages of all extras cannot be imported."""
    hidden = ("IPython", "anywidget", "dask", "distributed", "h5netcdf", "h5py", "nicegui", "pandas", "pygls", "sympy")
    hidden += ("xarray", "zarr", "imageio_ffmpeg")
    program = f"import sys; sys.modules.update(dict.fromkeys({hidden!r})); from chainlist.__main__ import main; main()"
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_a_run_needs_the_runtime_dependencies_alone(tmp_path):
    (tmp_path / "a.chain").write_text(TEXT.format(suffix=".npz"))
    done = with_runtime_alone(["run", "a.chain", "--html", "-o", "."], tmp_path)
    assert done.returncode == 0, done.stderr
    assert {"a.npz", "plot.png", "page.html", "report.json"} <= {path.name for path in tmp_path.iterdir()}


def test_what_needs_an_extra_says_which_before_it_runs(tmp_path):
    (tmp_path / "a.chain").write_text(TEXT.format(suffix=".nc"))
    done = with_runtime_alone(["run", "a.chain", "--no-plots", "-o", "."], tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "xarray" in done.stderr and "pip install 'chainlist[data]'" in done.stderr
    (tmp_path / "b.chain").write_text(
        "* Pendulum\nB1 (1,0) M\nC1 B1 (0,0)\n.param M=1\n.tran 0 1 1E-2\n.step M 1 2 1\n"
    )
    done = with_runtime_alone(["sweep", "b.chain", "-o", "."], tmp_path)
    assert done.returncode == 2 and "pip install 'chainlist[data]'" in done.stderr


def interpreter(version: str) -> Path:
    """A Python of this version: of the system, or one that pyenv built."""
    name = f"python{version}"
    built = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/{name}"))
    for candidate in (*built, shutil.which(name)):
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True, timeout=60).returncode == 0:
            return Path(candidate)
    pytest.skip(f"there is no Python {version} here")


@pytest.mark.long
@pytest.mark.parametrize(
    ("python", "pins"),
    [(OLDEST, ["numpy==2.0.*", "numba==0.61.*"]), (NEWEST, [])],
    ids=["oldest", "newest"],
)
def test_the_wheel_runs_in_an_empty_environment(wheel, tmp_path, python, pins):
    """On the oldest Python and NumPy that we name, and on the newest."""
    subprocess.run([interpreter(python), "-m", "venv", str(tmp_path / "empty")], check=True, timeout=300)
    own = tmp_path / "empty" / "bin"
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    install = [str(own / "python"), "-m", "pip", "install", "--quiet", str(wheel), *pins]
    subprocess.run(install, check=True, timeout=600)  # with the surroundings of the caller: they name the index
    told = subprocess.run(
        [own / "chainlist", "doctor", "--json"], env=clean, capture_output=True, text=True, timeout=300
    )
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["can_run"]
    command = [own / "chainlist", "run", "--example", "peaucellier-lipkin", "--html", "-o", str(tmp_path / "out")]
    done = subprocess.run(command, env=clean, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "page.html").stat().st_size > 10_000
