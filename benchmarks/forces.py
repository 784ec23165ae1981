"""What springs and dampers cost: a chain of 16 masses with one of each beside every link, against the chain alone."""

from __future__ import annotations

from benchmarks import ours
from benchmarks.report import Goal, Line
from benchmarks.timing import in_turns
from chainlist.compile.read import parse

TITLE = "an RK4 step of 16 links with a spring and a damper beside each, against the links alone (h = 1e-4)"
STEPS = 1500  # a burst short enough to fall between those of others on the machine


def _chain(links: int, *, sprung: bool) -> str:
    text = "* A chain\n"
    for i in range(1, links + 1):
        ends = f"B{i} (0,0)" if i == 1 else f"B{i} B{i - 1}"
        text += f"B{i} ({0.2 * i},0) 1\nC{i} {ends}\n"
        if sprung:
            text += f"K{i} {ends} 10 L0=0.1\nD{i} {ends} 0.1\n"
    return text + f".tran 0 {STEPS * 1e-4:g} 1E-4\n.options SAVE={STEPS * 1e-4:g}\n.plot Etotal\n"


def run() -> list[Line]:
    alone, sprung = parse(_chain(16, sprung=False)), parse(_chain(16, sprung=True))
    bare, full = in_turns(
        lambda: ours.march(alone, STEPS, 1e-4, 1)[0],
        lambda: ours.march(sprung, STEPS, 1e-4, 1)[0],
        rounds=25,
    )
    figures = {"with [µs]": full * 1e6, "without [µs]": bare * 1e6}
    return [Line("16 links", figures, full / bare, Goal(1.6))]
