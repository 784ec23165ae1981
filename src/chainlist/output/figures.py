"""The report of a run as labels and values: for the terminal, the page and the workbench; and as data for programs."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable
from itertools import groupby, islice
from typing import Any

from chainlist.analyses.base import Finding
from chainlist.run.happenings import FREQUENT, Happening
from chainlist.run.report import Extreme, Report
from chainlist.run.trajectory import Trajectory

_EVENTS_LISTED = 12  # where nothing but these matters
_FIRST_LISTED = 4  # at least
_RARE_LISTED = 12  # of those that begin and end something, the first and the last ones
_MOST_LISTED = 6  # passages and the like; the rest is counted


def figures(trajectory: Trajectory) -> list[tuple[str, str]]:
    """What a reader wants to know of a run, most important first."""
    report = trajectory.report
    if report is None:
        ended = [] if trajectory.status.ok else [("ended", str(trajectory.status))]
        return [("samples", f"{len(trajectory):,}, to t = {trajectory.end:.6g} s"), *ended]
    out = [("ended", _ended(trajectory, report))]
    if report.moved:
        out.append(("energy error", report.energy_words()))
    if report.work:
        out.append(("work put in", f"{report.work:.6g} J"))
    if report.predictor_energy_error is not None:
        out.append(("before the corrector", f"{report.predictor_energy_error:.2g} J"))
    out += _extreme("largest |Φ|", report.residual) + _extreme("largest |dΦ/dt|", report.velocity_residual)
    if max(report.start_moved) > 1e-12:
        out.append(("start moved by", f"{report.start_moved[0]:.3g} m, {report.start_moved[1]:.3g} m/s"))
    if report.passages:
        listed = [f"t = {p.time:.6g} s ({p.constraint}, pivot {p.ratio:.1g})" for p in report.passages[:_MOST_LISTED]]
        out.append(("singular passages", _joined(listed, len(report.passages))))
    if report.events:
        out.append(("events", _events(report)))
    if report.refined:
        listed = [f"t = {time:.6g} s" for time in report.refined[:_MOST_LISTED]]
        out.append(("steps refined", _joined(listed, len(report.refined))))
    if report.dropped:
        out.append(("redundant", ", ".join(report.dropped)))
    out.append(("steps", _steps(report)))
    out.append(("time", _time(report)))
    return out


def _ended(trajectory: Trajectory, report: Report) -> str:
    """A run is called well only where its energy is right."""
    if not trajectory.status.ok:
        return str(trajectory.status)
    at = f"at t = {trajectory.end:.6g} s" + (
        "" if len(trajectory) else ", before the first sample: there is nothing to show"
    )
    return f"{at}, but not well: see the warnings" if not report.keeps_energy else f"well, {at}"


def _extreme(label: str, extreme: Extreme | None) -> list[tuple[str, str]]:
    return [] if extreme is None else [(label, f"{extreme.value:.2g} ({extreme.constraint}, t = {extreme.time:.6g} s)")]


def _events(report: Report) -> str:
    """Few are all told. Of many the first ones, the last one, and all that begin or end something; the others are counted."""
    events = report.events
    if len(events) <= _EVENTS_LISTED:
        return "\n".join(map(str, events))
    last = len(events) - 1
    rare = [n for n, event in enumerate(events[:last]) if event.what not in FREQUENT]
    told = {*rare[:_RARE_LISTED], *rare[len(rare) - min(len(rare), _RARE_LISTED) :], last}
    first = (n for n in range(last) if n not in told)
    told |= set(islice(first, max(_FIRST_LISTED, _EVENTS_LISTED - len(told))))
    lines: list[str] = []
    for is_told, some in groupby(range(len(events)), told.__contains__):
        these = [events[n] for n in some]
        lines += map(str, these) if is_told else [_counted(these)]
    return "\n".join([*lines, f"({len(events):,} in all, which took {sum(event.lost for event in events):.4g} J)"])


def _counted(events: Iterable[Happening]) -> str:
    """`… 17 more: hits 12 times, slips 5 times`."""
    kinds = Counter(event.what for event in events)
    words = (f"{what} {'once' if count == 1 else f'{count:,} times'}" for what, count in kinds.most_common())
    return f"… {kinds.total():,} more: {', '.join(words)}"


def _joined(listed: list[str], count: int) -> str:
    more = f", … ({count} in all)" if count > len(listed) else ""
    return ", ".join(listed) + more


def _steps(report: Report) -> str:
    evaluations = "evaluation" if report.evaluations == 1 else "evaluations"
    samples = "sample" if report.samples == 1 else "samples"
    words = f"{report.steps:,}, {report.evaluations:,} {evaluations}, {report.samples:,} {samples} kept"
    if report.redone:
        words += f"; {report.redone:,} redone"
    if report.adaptive_steps is not None:
        words += f"; from {report.adaptive_steps[0]:.2g} to {report.adaptive_steps[1]:.2g} s"
    return words


def _time(report: Report) -> str:
    words = f"{report.seconds_run:.3g} s"
    if report.steps and report.seconds_run > 0:
        words += f", {_short_time(report.seconds_run / report.steps)} a step"
    if report.seconds_prepare > 0.5:
        words += f" (and {report.seconds_prepare:.2g} s to prepare)"
    return words


def _short_time(seconds: float) -> str:
    """Three figures, in the unit in which no exponent is needed."""
    for unit, factor in (("µs", 1e6), ("ms", 1e3)):
        if float(f"{seconds * factor:.3g}") < 1000.0:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def figures_of_analyses(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """What analyses found, card by card."""
    return [line for finding in findings for line in finding.result.figures()]


def data_of_analyses(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """The same as plain data for JSON."""
    data: list[dict[str, Any]] = _finite([{"command": f.asked.command, **f.result.data()} for f in findings])
    return data


def notes(trajectory: Trajectory) -> list[str]:
    """What happened on the way, in plain words: bars that were replaced, what did not come, warnings."""
    report = trajectory.report
    if report is None:
        return []
    return [*report.replaced, *report.in_vain, *(f"warning: {text}" for text in report.warnings)]


def report_data(trajectory: Trajectory) -> dict[str, Any]:
    """The report as plain data for JSON; numbers that are not finite become None."""
    status = trajectory.status
    data: dict[str, Any] = {
        "title": trajectory.mechanism.title,
        "status": {
            "ok": status.ok,
            "cancelled": status.cancelled,
            "time": status.time if not status.ok else trajectory.end,
            "constraint": status.constraint,
            "message": str(status),
        },
        "options": dataclasses.asdict(trajectory.mechanism.options),
        "report": None if trajectory.report is None else dataclasses.asdict(trajectory.report),
    }
    clean: dict[str, Any] = _finite(data)
    return clean


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
