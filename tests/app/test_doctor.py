"""`chainlist doctor`: what is there, and what is missing for what."""

import json

from typer.testing import CliRunner

import chainlist
from chainlist.app import surroundings
from chainlist.app.cli import app
from chainlist.app.surroundings import Installation, Package, requirements


def test_the_doctor_names_versions_compiler_kernels_and_extras():
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0
    labels = {line.split("  ")[0].strip() for line in done.output.splitlines()}
    assert {"chainlist", "Python", "compiler", "kernels", "graphics card", "browser", "numpy", "numba"} <= labels
    assert f"{chainlist.__version__}, in" in done.output


def test_the_doctor_as_data_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(surroundings, "_version", lambda name: "" if name == "nicegui" else "1")
    found = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).output)
    assert found["missing"]["gui"] == ["nicegui"] and found["can_run"]


def test_without_a_package_of_a_run_it_fails():
    found = Installation({}, (Package("numba", ""),), {"gui": (Package("nicegui", ""),)})
    assert not found.can_run
    assert "MISSING" in found.text() and "not there: nicegui" in found.text()


def test_extras_may_name_one_another():
    lines = ["numpy>=2", 'xarray>=1; extra == "data"', 'zarr; extra == "sweep"', 'chainlist[data]; extra == "sweep"']
    assert requirements(lines) == (["numpy"], {"data": ["xarray"], "sweep": ["xarray", "zarr"]})
