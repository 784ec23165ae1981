"""The paper's listings from the command line: how each ends, when, and that it writes what it asks for."""

import json

import pytest

from chainlist.examples import find
from chainlist.output import gif
from tests.command import run
from tests.some import some

REPORT = "report.json"
SHOWN = {"plot.png", REPORT}
MOVED = {"plot.png", "plot.gif", REPORT}  # PLOTMODE asks for it, or nothing is asked for at all

# listing → exit status, time of the end in s, files. The rhombus breaks down on purpose, where rounding decides.
ENDS = {
    "01-first-pendulum": (0, 10.0, MOVED),
    "02-double-pendulum": (0, 10.0, MOVED),
    "03-12-link-chain": (0, 10.0, MOVED),
    "04-slider-crank": (0, 16.0, MOVED),
    "05-lazy-tongs": (0, 10.0, MOVED),
    "06-lever": (0, 10.0, MOVED),
    "07-pendulum-index1": (0, 125.0, SHOWN),
    "08-pendulum-index1-2": (0, 125.0, SHOWN),
    "09-pendulum-damped": (0, 125.0, SHOWN),
    "10-inconsistent-ics": (0, 10.0, SHOWN),
    "11-9-link-chain": (0, 10.0, {"9linkChain.txt", REPORT}),
    "12-16-link-chain": (0, 10.0, MOVED),
    "13-rhombus": (3, 1.86, MOVED),
    "14-rhombus-corrected": (0, 2.5, MOVED),
    "15-five-links": (0, 8.0, MOVED),
    "16-crosshair-sliders": (0, 6.28, MOVED),
    "17-unbalanced-lever": (0, 6.6, MOVED),
}


# One of each kind: a film, pictures alone, a text trace, a breakdown.
FEW = {"01", "07", "11", "13"}


@pytest.mark.parametrize("name", some(ENDS, lambda name: name[:2] in FEW))
def test_how_it_ends_and_what_it_writes(name, tmp_path, monkeypatch):
    if not name.startswith("01-"):
        monkeypatch.setattr(gif, "_MOST_FRAMES", 6)  # one film is drawn as long as it is
    path = tmp_path / f"{name}.chain"
    path.write_text(find(name).text, encoding="utf-8")
    status, out, err = run("run", path)
    wanted_status, end, files = ENDS[name]
    assert status == wanted_status, err
    folder = tmp_path / f"{name}.out"
    assert {p.name for p in folder.iterdir()} == files
    said = json.loads((folder / REPORT).read_text())["status"]
    assert said["time"] == pytest.approx(end, abs=0.02 if status else 0)
    assert said["ok"] == (status == 0)
    on_console = "CONSOLE" in find(name).text
    assert out.startswith("HEADER\n") if on_console else out == ""
    if name.startswith("11-"):
        check_first_rows((folder / "9linkChain.txt").read_text())


def check_first_rows(trace):
    first, second = trace.split("DATA SECTION\n")[1].splitlines()[:2]
    assert first.startswith("0 B1(0.2,0) B2(0.4,0) B3(0.6,0) ")
    assert second.startswith("0.001 B1(0.2,-5E-7) ")
