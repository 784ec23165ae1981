"""Shared by all tests: where the listings are, and a browser."""

import os

# Before NumPy is loaded: beside another worker the threads of its BLAS only wait for one another, which took ten times the work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gc
import signal
from pathlib import Path

import pytest
from hypothesis import settings

import chainlist

from .browser import FLAGS, chromium

settings.register_profile("default", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("default")

EXAMPLES = Path(chainlist.__file__).parent / "examples"
TESTS = Path(__file__).parent
WORKBENCH = [f"tests/app/workbench/{path.name}" for path in sorted((TESTS / "app/workbench").glob("test_*.py"))]


def pytest_configure():
    """A shell starts background jobs deaf to Ctrl-C, and so would every process be that a test starts and interrupts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """What is loaded stays. It need not be looked through for garbage again and again, thousands of tests long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A worker takes a file as a whole, or a part of all about the workbench: to start it, with a browser and a first page, is
    as much work as ten of the tests that share them. Of two parts one is half as long, so that both end before the others.
    """
    if config.getvalue("dist") != "loadfile":
        return None  # the campaigns of `make test-long` go one by one
    from xdist.scheduler.loadfile import LoadFileScheduling

    class Files(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return f"workbench {WORKBENCH.index(file) % 3 == 0}" if file in WORKBENCH else file

    return Files(config, log)


def pytest_collection_modifyitems(items):
    """Tests of the workbench, then those that drive a browser, are begun first: they wait, while the others compute, and a
    last one would have a worker for itself.

    In CI a browser test that fails is tried once more, and told: the machine is shared, and a page can be late there.
    Nowhere else: a click that is lost once in a hundred is a fault, and `make test-long` counts them.
    """
    items.sort(key=lambda item: ("app/workbench/" not in item.nodeid, "browser" not in item.fixturenames))
    if "CI" in os.environ:
        for item in items:
            if "browser" in item.fixturenames and not item.get_closest_marker("long"):
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def listing():
    """The path of a listing of the paper by its number."""

    def find(number: int) -> Path:
        (path,) = (EXAMPLES / "paper").glob(f"{number:02d}-*.chain")
        return path

    return find


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a process: Playwright's loop can be started only once.

    While it is there, `asyncio.run` works in other threads only.
    """
    path = chromium()
    if not path:
        pytest.skip("no chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()


def pytest_terminal_summary(terminalreporter):
    """Which browser tests were tried twice, and one line where they were skipped."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"tried once more: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
    skipped = [r for r in terminalreporter.stats.get("skipped", []) if "no chromium" in str(r.longrepr)]
    if skipped:
        terminalreporter.write_line(
            f"{len(skipped)} browser tests skipped: no chromium (on Debian tools/install-browser.sh installs it)"
        )
