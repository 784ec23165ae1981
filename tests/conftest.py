"""Shared by all tests: where the listings are, and how a chainlist is read."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

import chainlist

settings.register_profile("default", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("default")

EXAMPLES = Path(chainlist.__file__).parent / "examples"


@pytest.fixture
def listing():
    """The path of a listing of the paper by its number."""

    def find(number: int) -> Path:
        (path,) = (EXAMPLES / "paper").glob(f"{number:02d}-*.chain")
        return path

    return find


def pytest_terminal_summary(terminalreporter):
    """One line where the browser tests were skipped."""
    skipped = [r for r in terminalreporter.stats.get("skipped", []) if "no chromium" in str(r.longrepr)]
    if skipped:
        terminalreporter.write_line(
            f"{len(skipped)} browser tests skipped: no chromium (on Debian tools/install-browser.sh installs it)"
        )
