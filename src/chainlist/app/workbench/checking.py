"""Reading a chainlist as it is typed: messages for the margin, what can be dragged, and a picture of the start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chainlist.app.workbench.handles import Offsets, as_data, handles
from chainlist.app.workbench.knobs import as_data as knob_data
from chainlist.app.workbench.knobs import knobs
from chainlist.app.workbench.option_places import option_places
from chainlist.app.workbench.plot_places import offered_items, plot_places
from chainlist.app.workbench.settings import RunLimits
from chainlist.app.workbench.sweep_card import sweep_of
from chainlist.compile.read import Checked
from chainlist.language.service import PlacedDiagnostic, Service
from chainlist.model.mechanism import Mechanism
from chainlist.output.packing import pack
from chainlist.output.scene import build_scene
from chainlist.syntax.limits import Limits
from chainlist.syntax.render import as_data as diagnostic_data

MOST_MESSAGES = 200
SMALL = 3_000_000  # steps times (bodies + constraints) that live mode runs by itself: about half a second


def read_text(text: str, limits: RunLimits, folder: Path | None, name: str = "") -> Service:
    """Read a text; `.include` finds files of `folder` and nothing else, beside the file `name` of it if there is one."""
    return Service(text, folder / name if folder and name else None, folder, reading_limits(limits))


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
    service = read_text(text, limits, folder, name)
    checked = service.document.checked
    mechanism = checked.mechanism
    data: dict[str, Any] = {
        "ok": mechanism is not None,
        "diagnostics": messages(service),
        "summary": "",
        "handles": [],
        "knobs": [],
        "options": [],
        "plots": [],
        "items": [],
        "refusal": "",
        "small": False,
    }
    if mechanism is None:
        return data, b""
    offsets = Offsets(text)
    tree = service.document.tree
    data["title"] = mechanism.title
    data["summary"] = _summary(mechanism, checked)
    data["handles"] = [as_data(handle, offsets) for handle in handles(tree)]
    data["knobs"] = [knob_data(knob, offsets) | {"sweep": sweep_of(tree, knob, offsets)} for knob in knobs(tree)]
    data["options"] = option_places(tree, offsets)
    data["plots"], data["items"] = plot_places(mechanism, tree, offsets), offered_items(mechanism)
    data["refusal"] = too_large(mechanism, limits)
    size = len(mechanism.bodies) + len(mechanism.constraints)
    data["small"] = not data["refusal"] and size * step_count(mechanism) <= SMALL
    return data, preview(mechanism) if mechanism.bodies else b""


def preview(mechanism: Mechanism) -> bytes:
    """The start of the motion as a scene of one frame."""
    starts = np.array([body.start for body in mechanism.bodies], dtype=float)
    return pack(build_scene(mechanism, [0.0], starts[None]))


def messages(service: Service) -> list[dict[str, Any]]:
    """The diagnostics, errors first where there are too many; offsets are those of the main text in the browser."""
    all_of_them = service.messages
    shown = sorted(all_of_them, key=lambda m: not m.diagnostic.is_error)[:MOST_MESSAGES]
    offsets = Offsets(service.document.text)
    return [_message(m, offsets) for m in all_of_them if m in shown]


def _message(message: PlacedDiagnostic, offsets: Offsets) -> dict[str, Any]:
    data = diagnostic_data(message.diagnostic)
    if message.diagnostic.span is not None:
        place = message.span
        data["inside"] = message.inside
        data |= {"line": place.line, "column": place.column}
        data |= {"from": offsets(place.start), "to": offsets(place.stop)}
    data["fixes"] = [
        {
            "title": fix.title,
            "from": offsets(fix.span.start),
            "to": offsets(fix.span.stop),
            "was": fix.span.text,
            "text": fix.text,
        }
        for fix in message.fixes
    ]
    return data


def _summary(mechanism: Mechanism, checked: Checked) -> str:
    freedom = f"; {checked.findings.freedom}" if checked.findings else ""
    return f"{mechanism}{freedom}"
