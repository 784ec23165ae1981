"""Promises about the code itself: sizes, imports, kernels, pages of codes."""

import ast
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import chainlist

PACKAGE = Path(chainlist.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_stay_below_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


# Class names that stand twice. Both of these are part of what plug-ins import: an element refuses what it was given, an analysis
# that could not be made stands among the results.
TWICE = {"Refused": {"analyses/base.py", "elements/base.py"}}


def test_a_class_name_means_one_thing():
    places: dict[str, set[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, set()).add(path.relative_to(PACKAGE).as_posix())
    assert {name: where for name, where in places.items() if len(where) > 1} == TWICE


@pytest.mark.parametrize("command", [["check"], ["fmt", "--check"], ["dump"]], ids=lambda command: command[0])
def test_checking_starts_without_the_heavy_libraries(command, listing):
    code = (
        "import sys; sys.argv = ['chainlist', *sys.argv[1:]]\n"
        "from chainlist.app.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'llvmlite', 'matplotlib', 'nicegui', 'fastapi', 'xarray', 'pandas', 'scipy'} & set(sys.modules)\n"
        "sys.stderr.write('HEAVY ' + ' '.join(sorted(heavy)) + '\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command, str(listing(2))], capture_output=True, text=True, timeout=60
    )
    assert done.stderr.strip().splitlines()[-1] == "HEAVY"


def codes_in_the_source():
    """Every diagnostic code that the program can say, found in its source."""
    found = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and re.fullmatch(r"[EWN]\d{3}", node.value)
            ):
                found.add(node.value)
    return found


def test_every_code_has_a_page_and_every_page_a_code():
    pages = {
        page.name.removesuffix(".md") for page in resources.files("chainlist.syntax").joinpath("explain").iterdir()
    }
    assert codes_in_the_source() == pages


def test_the_package_itself_loads_nothing_until_it_is_asked_for():
    """Else a Ctrl-C right after the start of a command finds Python in the middle of NumPy, and shows where."""
    code = (
        "import sys, chainlist\n"
        "print(sorted({'numpy', 'chainlist.syntax.errors', 'importlib.metadata'} & set(sys.modules)))\n"
        "from chainlist import *\n"
        "print(all(name in globals() for name in chainlist.__all__), set(chainlist.__all__) <= set(dir(chainlist)))\n"
        "print(chainlist.model.__name__, hasattr(chainlist, 'nonsense'), hasattr(Trajectory, '_repr_html_'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["[]", "True True", "chainlist.model False True"], done.stderr
