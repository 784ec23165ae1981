"""Tables about other simulators, from the file that `benchmarks/peers/run.py` writes. No figure is typed by hand."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "peers" / "results.json"
NOTHING = "*Not measured here: `python benchmarks/peers/run.py` measures, where the other simulators are installed.*"

IFTOMM = RESULTS.with_name("iftomm.json")
BODIES = RESULTS.with_name("bodies.json")


def iftomm() -> str:
    """A01 to A05: ours, with step and error, beside what others have published."""
    if not IFTOMM.is_file():
        return "*Not measured here: `python benchmarks/peers/iftomm.py` measures.*"
    data = json.loads(IFTOMM.read_text(encoding="utf-8"))
    rows = []
    for case in data["cases"]:
        ours = "<br>".join(
            f"{run['seconds'] * 1e3:.3g} ms, h = {run['step']:g} s, error {_scientific(run['error'])}"
            for run in case["runs"]
        )
        others = [f"{times[case['name']]:g} s" if case["name"] in times else "" for times in data["published"].values()]
        rows.append([f"{case['name']}, {case['what']}", f"{case['stop']:g} s", ours, *others])
    return _table(["", "motion", f"chainlist, here ({data['machine']})", *data["published"]], rows)


def bodies() -> str:
    """Time to an error of 1e-8 with rigid bodies: of each program the best of its methods."""
    if not BODIES.is_file():
        return "*Not measured here: `python benchmarks/peers/bodies.py` measures.*"
    data = json.loads(BODIES.read_text(encoding="utf-8"))
    programs = list(dict.fromkeys(run["program"] for case in data["cases"] for run in case["runs"]))
    rows = [
        [
            f"{case['what']}, {case['stop']:g} s",
            *(_best(case["runs"], program) for program in programs),
            _times_less(case, data["patience"], "motion"),
            _times_less(case, data["patience"], "whole"),
        ]
        for case in data["cases"]
    ]
    return _table(["", *programs, "times less", "with the whole call of chainlist"], rows)


def _best(runs: list[dict[str, Any]], program: str) -> str:
    mine = [run for run in runs if run["program"] == program]
    reached = [run for run in mine if run["motion"] is not None]
    if not reached:
        return "<br>".join(f"{run['method']}: {run['setting']}" for run in mine)
    best = min(reached, key=lambda run: run["motion"])
    return f"{best['motion'] * 1e3:.3g} ms, {best['method']}, {best['setting']}"


def _times_less(case: dict[str, Any], patience: float, counted: str) -> str:
    """The best time of the others over ours, of which either the motion is counted or the whole call."""
    ours = [run[counted] for run in case["runs"] if run["program"] == "chainlist" and run["motion"] is not None]
    if not ours:
        return ""
    others = [run["motion"] for run in case["runs"] if run["program"] != "chainlist" and run["motion"] is not None]
    first = min(others, default=patience)
    beyond = first >= patience  # nobody was waited for longer than that
    less = first / min(ours)
    return f"{'more than ' if beyond else ''}{round(less, 1) if less < 10 else round(less)}"


@functools.cache
def _results() -> dict[str, Any] | None:
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else None


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def machine() -> str:
    data = _results()
    if data is None:
        return NOTHING
    versions = dict.fromkeys(f"{peer['name']} {peer['version']}" for peer in data["peers"])
    missing = f" Not measured here: {', '.join(data['missing'])}." if data["missing"] else ""
    return f"Measured on {data['system']}, {data['machine']}, Python {data['python']}: {', '.join(versions)}.{missing}"


def _rows(data: dict[str, Any], cell: Any) -> str:
    cases = list(data["peers"][0]["cases"])
    rows = [[peer["name"], peer["method"], *(cell(peer["cases"][case]) for case in cases)] for peer in data["peers"]]
    return _table(["simulator", "method", *cases], rows)


def step() -> str:
    """Time of one step."""
    data = _results()
    return _rows(data, lambda case: f"{case['us_per_step']:.3g} µs") if data else NOTHING


def accuracy() -> str:
    """Error after two seconds at the same step."""
    data = _results()
    return _rows(data, lambda case: _scientific(case["error"])) if data else NOTHING


def precision() -> str:
    """Time to an error of 1e-8."""
    data = _results()

    def cell(case: dict[str, Any]) -> str:
        found = case["to_1e-8"]
        if found["h"] is None:
            return "not reached"
        return f"{found['motion_ms']:.3g} ms ({found['whole_ms']:.3g} ms), h = {found['h']:.2g} s"

    return _rows(data, cell) if data else NOTHING


def lever() -> str:
    """The lever of three links on one line."""
    data = _results()
    if data is None:
        return NOTHING
    rows = []
    for peer in data["peers"]:
        found = peer["lever"]
        if found is not None:
            outcome = (
                _scientific(found["error"]) if found["error"] is not None else f"fails: {found['failed'] or 'nan'}"
            )
            rows.append([peer["name"], peer["method"], outcome])
    return _table(["simulator", "method", "error [m]"], rows)


def _scientific(value: float) -> str:
    return f"{value:.1e} m"
