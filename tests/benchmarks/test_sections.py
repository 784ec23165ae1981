"""The benchmark's own machinery: sections can be found, goals are judged, figures survive as JSON."""

import importlib
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.mechanisms import net
from benchmarks.report import Goal, Line, Section
from benchmarks.run import SECTIONS
from benchmarks.timing import seconds_per_step

RUN = Path(__file__).parents[2] / "benchmarks" / "run.py"


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_has_a_title_and_runs_by_name(name: str) -> None:
    module = importlib.import_module(SECTIONS[name])
    assert module.TITLE
    assert callable(module.run)


def test_an_unknown_section_is_refused_with_the_names_of_all() -> None:
    done = subprocess.run([sys.executable, str(RUN), "nonsense"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert all(name in done.stdout for name in SECTIONS)


def test_goals_point_both_ways() -> None:
    assert Line("a", {}, 1.4, Goal(1.5)).verdict == "met"
    assert Line("a", {}, 1.6, Goal(1.5)).verdict == "MISSED"
    assert Line("a", {}, 9.0, Goal(10, at_least=True)).verdict == "MISSED"
    assert Line("a", {}, math.nan, Goal(10, at_least=True)).verdict == "MISSED"
    assert Line("a", {}).verdict == ""
    assert Line("a", {}, 1.0, Goal(1.5), "the motions differ").verdict == "WRONG: the motions differ"


def test_json_has_no_nan() -> None:
    section = Section("s", "t", [Line("a", {"ms": math.inf, "setting": "not reached"}, 2.0, Goal(3.0))])
    (line,) = json.loads(json.dumps(section.as_json(), allow_nan=False))["lines"]
    assert line["figures"] == {"ms": None, "setting": "not reached"}
    assert line["verdict"] == "met"


def test_what_a_call_costs_besides_its_steps_cancels(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("benchmarks.timing.time.process_time", lambda: clock[0])
    monkeypatch.setattr("benchmarks.timing.gc.collect", lambda: 0)  # of all that the tests have loaded: seconds

    def work(steps: int) -> None:
        clock[0] += 5.0 + 0.25 * steps

    assert seconds_per_step(work, 400) == pytest.approx(0.25)


def test_the_net_has_the_links_of_the_goal_and_two_anchors() -> None:
    mechanism = net(30)
    assert len(mechanism.links) == 1740
    assert mechanism.text.count("\nB") == 898
