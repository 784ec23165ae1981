"""A check of a machine of up to 200 bodies takes no second, also where positions are rough or lengths contradict."""

import random
import resource
import subprocess
import sys

import pytest

import chainlist

# Seconds of the processor, the start of Python in them. The slowest takes less than half of it; some took 4 s to 6 s.
LIMIT = 2.5


def chain(bodies, extra, seed, part=None):
    """A chain with extra links between some of its bodies, each as long as a part of the way, or as the positions say."""
    rng = random.Random(seed)
    lines = ["* Chain", *(f"B{i} ({i},{rng.uniform(-0.3, 0.3)}) 1" for i in range(1, bodies + 1)), "C1 B1 (0,0)"]
    lines += [f"C{i} B{i - 1} B{i}" for i in range(2, bodies + 1)]
    for k in range(extra):
        a, b = rng.sample(range(1, bodies + 1), 2)
        length = "" if part is None else f" LENGTH={abs(a - b) * part * rng.uniform(0.5, 1)}"
        lines.append(f"C{bodies + 1 + k} B{a} B{b}{length}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "bodies, extra, seed, part, says",
    [(41, 6, 3, 0.3, "E302"), (200, 6, 3, 0.9, "E302"), (200, 60, 1, None, "W301"), (200, 250, 1, None, "W301")],
)
def test_a_check_takes_no_second(tmp_path, bodies, extra, seed, part, says):
    path = tmp_path / "chain.chain"
    path.write_text(chain(bodies, extra, seed, part))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "chainlist", "check", path], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < LIMIT
    assert f"[{says}]" in done.stderr


def test_rough_positions_are_still_put_right():
    rng = random.Random(5)
    text = "* Four bars\n" + "\n".join(
        f"B{2 * n + 1} ({10 * n + rng.uniform(0, 2)},{rng.uniform(0, 2)}) 1\nB{2 * n + 2} ({10 * n + 3},{rng.uniform(1, 3)}) 1\n"
        f"C{3 * n + 1} B{2 * n + 1} ({10 * n},0) LENGTH=1\nC{3 * n + 2} B{2 * n + 1} B{2 * n + 2} LENGTH=4\n"
        f"C{3 * n + 3} B{2 * n + 2} ({10 * n + 4},0) LENGTH=2.5"
        for n in range(20)
    )
    mechanism = chainlist.parse(text)
    assert {d.code for d in mechanism.diagnostics} <= {"W304", "N201", "N202"}
