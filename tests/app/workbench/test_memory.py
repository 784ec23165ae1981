"""Many runs one after the other: nothing is kept that is not needed."""

import pathlib

import pytest

from .conftest import PENDULUM, Workbench

pytestmark = pytest.mark.browser

FIRST, RUNS = 100, 500  # after the first ones everything is loaded, and what is kept for a while is full
FEW = 12  # MB that a process may have more after the others


def megabytes(process):
    """Of private memory, of a process and of those it has started."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    rollup = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    own = sum(int(line.split()[1]) for line in rollup if line.startswith("Private_"))
    return [own / 1024, *(size for child in children for size in megabytes(int(child)))]


@pytest.fixture
def bench(workspace):
    """A server of its own: one that others have used before has free room, in which growth would not be seen."""
    running = Workbench("--max-seconds", "200", folder=workspace)
    yield running
    running.stop()


@pytest.mark.long
def test_five_hundred_runs_take_no_more_memory(visit, bench):
    """Of the server, of its workers, and of what the page holds."""
    user = visit()
    devtools = user.tab.context.new_cdp_session(user.tab)
    sizes = []
    for number in range(RUNS + 1):
        user.write(PENDULUM.replace("A pendulum", f"Run {number}"))
        user.wait(
            f"chainlistBench.run?.title === 'Run {number}' && chainlistBench.mode === 'run' && !chainlistBench.following"
        )
        if number in (FIRST, (FIRST + RUNS) // 2, RUNS):
            devtools.send("HeapProfiler.collectGarbage")
            # the page itself is told its size only in steps of 10 MB
            heap = devtools.send("Runtime.getHeapUsage")["usedSize"] / 1e6
            sizes.append([*megabytes(bench.process.pid), heap])
            print(f"after {number} runs: {[round(size, 1) for size in sizes[-1]]} MB (server, workers, page)")  # noqa: T201
    grown = [last - first for first, last in zip(sizes[0], sizes[-1], strict=True)]
    assert max(grown) < FEW, sizes
