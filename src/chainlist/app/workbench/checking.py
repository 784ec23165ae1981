"""Reading a chainlist as it is typed: messages for the margin, what can be dragged, and a picture of the start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chainlist.app.workbench.handles import Offsets, as_data, handles
from chainlist.app.workbench.knobs import as_data as knob_data
from chainlist.app.workbench.knobs import knobs
from chainlist.app.workbench.settings import RunLimits
from chainlist.compile.read import Checked, read
from chainlist.model.mechanism import Mechanism
from chainlist.output.packing import pack
from chainlist.output.scene import build_scene
from chainlist.syntax.diagnostics import Diagnostic, Report
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse as parse_tree
from chainlist.syntax.render import as_data as diagnostic_data
from chainlist.syntax.source import Source, Span

MOST_MESSAGES = 200
SMALL = 3_000_000  # steps times (bodies + constraints) that live mode runs by itself: about half a second


@dataclass(frozen=True)
class Reading:
    """A chainlist that was read inside the workbench's limits."""

    source: Source
    checked: Checked


def read_text(text: str, limits: RunLimits, folder: Path | None, name: str = "") -> Reading:
    """Read a text; `.include` finds files of `folder` and nothing else, beside the file `name` of it if there is one."""
    source = Source("chainlist", text, folder / name if folder and name else None)
    return Reading(source, read(source, folder, limits=reading_limits(limits)))


def reading_limits(limits: RunLimits) -> Limits:
    """How much a text may ask for, so that reading it takes seconds at most."""
    return Limits(
        characters=limits.characters,
        cards=10 * limits.bodies,
        tokens=100 * limits.bodies,
        entities=6 * limits.bodies,
        files=50,
    )


def too_large(mechanism: Mechanism, limits: RunLimits) -> str:
    """Why a run is refused, in words; empty if it may go on."""
    bodies, steps, samples = len(mechanism.bodies), step_count(mechanism), sample_count(mechanism)
    if bodies > limits.bodies:
        return f"{bodies:,} bodies are more than the {limits.bodies:,} that this workbench allows"
    if steps > limits.steps:
        return f"{steps:,.0f} steps are more than the {limits.steps:,} that this workbench allows: take a larger step"
    if samples * bodies > limits.samples:
        kept = f"{samples:,.0f} samples of {bodies:,} bodies"
        return f"{kept} are more than the {limits.samples:,} positions that may be kept: keep fewer with .options SAVE="
    return ""


def step_count(mechanism: Mechanism) -> float:
    return mechanism.transient.stop / mechanism.transient.step


def sample_count(mechanism: Mechanism) -> float:
    transient = mechanism.transient
    return (transient.stop - transient.start) / (mechanism.options.save or transient.step) + 1


def check(text: str, limits: RunLimits, folder: Path | None, name: str = "") -> tuple[dict[str, Any], bytes]:
    """All that the page shows of a text before it is run, and the scene of its start as bytes."""
    reading = read_text(text, limits, folder, name)
    mechanism = reading.checked.mechanism
    data: dict[str, Any] = {
        "ok": mechanism is not None,
        "diagnostics": messages(reading),
        "summary": "",
        "handles": [],
        "knobs": [],
        "refusal": "",
        "small": False,
    }
    if mechanism is None:
        return data, b""
    offsets = Offsets(text)
    tree = parse_tree(reading.source, Report(), reading_limits(limits))
    data["title"] = mechanism.title
    data["summary"] = _summary(mechanism, reading.checked)
    data["handles"] = [as_data(handle, offsets) for handle in handles(tree)]
    data["knobs"] = [knob_data(knob, offsets) for knob in knobs(tree)]
    data["refusal"] = too_large(mechanism, limits)
    size = len(mechanism.bodies) + len(mechanism.constraints)
    data["small"] = not data["refusal"] and size * step_count(mechanism) <= SMALL
    return data, preview(mechanism) if mechanism.bodies else b""


def preview(mechanism: Mechanism) -> bytes:
    """The start of the motion as a scene of one frame."""
    starts = np.array([body.start for body in mechanism.bodies], dtype=float)
    return pack(build_scene(mechanism, [0.0], starts[None]))


def messages(reading: Reading) -> list[dict[str, Any]]:
    """The diagnostics, errors first where there are too many; offsets are those of the main text in the browser."""
    all_of_them = reading.checked.diagnostics
    shown = sorted(all_of_them, key=lambda d: not d.is_error)[:MOST_MESSAGES]
    offsets = Offsets(reading.source.text)
    return [_message(d, offsets) for d in all_of_them if d in shown]


def _message(diagnostic: Diagnostic, offsets: Offsets) -> dict[str, Any]:
    data = diagnostic_data(diagnostic)
    span = diagnostic.span
    if span is not None:
        place = _in_main_text(span)
        data["inside"] = span.source.name if span.source.included_from is not None else ""
        data |= {"line": place.line, "column": place.column}
        data |= {"from": offsets(place.start), "to": offsets(place.stop)}
    return data


def _in_main_text(span: Span) -> Span:
    """The span itself, or that of the `.include` that brought its file in."""
    while span.source.included_from is not None:
        span = span.source.included_from
    return span


def _summary(mechanism: Mechanism, checked: Checked) -> str:
    freedom = f"; {checked.findings.freedom}" if checked.findings else ""
    return f"{mechanism}{freedom}"
