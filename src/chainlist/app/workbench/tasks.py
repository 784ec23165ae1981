"""What worker processes do: read a chainlist, run one, write a result in some format."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chainlist.app.workbench import checking
from chainlist.app.workbench.asking import answered
from chainlist.app.workbench.hasty import Pace
from chainlist.app.workbench.settings import RunLimits
from chainlist.app.workbench.talk import RequestRefused, Talk, Task
from chainlist.model.mechanism import Mechanism
from chainlist.model.options import OPTIONS

if TYPE_CHECKING:
    from chainlist.output.showing import Showing
    from chainlist.run.samples import Samples
    from chainlist.run.trajectory import Trajectory

_SMALL = "warm up\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 0.01 1E-3\n.plot PATH(B1)\n"
PACE = Pace()
FRAMES_PER_CHUNK = 400  # at most, while a run is watched; the final scene has all that are needed


def _limits(data: dict[str, Any]) -> RunLimits:
    return RunLimits(**data["limits"])


def _folder(data: dict[str, Any]) -> Path | None:
    return Path(data["folder"]) if data["folder"] else None


def check(data: dict[str, Any], talk: Talk) -> tuple[dict[str, Any], bytes]:
    """Messages, handles and the picture of the start."""
    return checking.check(data["text"], _limits(data), _folder(data), data["name"])


def ask(data: dict[str, Any], talk: Talk) -> tuple[dict[str, Any], bytes]:
    """An answer of the language service."""
    return answered(data["what"], data["text"], data["at"], _limits(data), _folder(data), data["name"]), b""


def run(data: dict[str, Any], talk: Talk) -> tuple[dict[str, Any], bytes]:
    """Compute a motion, sending frames on the way; keep it in its folder; answer with its scene and report."""
    from chainlist.app.workbench.growing import GrowingPlots
    from chainlist.app.workbench.keeping import keep
    from chainlist.output.packing import pack
    from chainlist.output.showing import show
    from chainlist.run.grid import RunRefused
    from chainlist.run.simulate import simulate

    mechanism = _mechanism(data)
    talk.send("begin", _head(mechanism) | {"text": data["text"]})

    plots = GrowingPlots()

    def send_samples(samples: Samples) -> None:
        if len(samples.t):
            talk.send("chunk", {}, _chunk(samples))
            if (so_far := plots.take(samples)) is not None:
                talk.send("plots", {}, so_far)

    try:
        trajectory = simulate(
            mechanism, progress=_progress(talk), cancel=talk.should_stop, receive=send_samples, confirm=True
        )
    except RunRefused as refusal:
        raise RequestRefused(str(refusal)) from None
    if not len(trajectory.t):
        raise RequestRefused("cancelled before the first sample")
    if not mechanism.analyses:
        talk.send(
            "finishing", {}
        )  # what follows takes seconds for a long motion, and must not be cut short by a cancel
    showing, folder = show(trajectory), Path(data["keep"])
    answer = _answer(data, mechanism, showing, _status(trajectory.status, talk, _limits(data)))
    scene = pack(showing.scene)
    try:
        keep(trajectory, showing, folder)
        if mechanism.analyses:
            talk.send("motion", answer, scene)  # to be looked at while the analyses are computed
            answer["findings"] = _analysed(mechanism, trajectory, talk, folder, quick=bool(data.get("quick")))
    except FileNotFoundError:
        raise RequestRefused("this run was given up while it was computed") from None
    return answer, scene


def _analysed(
    mechanism: Mechanism, trajectory: Trajectory, talk: Talk, folder: Path, *, quick: bool
) -> list[dict[str, Any]]:
    from chainlist.app.workbench.analysing import analyse
    from chainlist.app.workbench.keeping import keep_findings

    talk.start_clock()  # analyses have as much time again: the first of a kind compiles its kernels
    found = analyse(mechanism, trajectory, talk.progress, talk.should_stop, quick=quick)
    keep_findings(found.views, found.table, folder)
    return found.views


def turn(data: dict[str, Any], talk: Talk) -> tuple[dict[str, Any], bytes]:
    """The beginning of a motion, as much as can be computed in a moment, with the plots that are looked at. It is not kept."""
    from chainlist.output.packing import pack
    from chainlist.output.showing import show
    from chainlist.run.grid import RunRefused
    from chainlist.run.simulate import simulate

    mechanism = _mechanism(data)
    beginning = PACE.beginning(mechanism)
    try:
        trajectory = simulate(beginning, cancel=talk.should_stop, confirm=True)
    except RunRefused as refusal:
        raise RequestRefused(str(refusal)) from None
    if not len(trajectory.t):
        raise RequestRefused("cancelled before the first sample")
    if trajectory.report is not None:
        PACE.learn(beginning, trajectory.report.seconds_run)
    showing = show(trajectory, only=data["tab"])
    answer = _answer(data, mechanism, showing, _status(trajectory.status, talk, _limits(data)))
    return answer | {"partial": beginning is not mechanism}, pack(showing.scene)


def pull(data: dict[str, Any], talk: Talk) -> tuple[dict[str, Any], bytes]:
    """A motion that goes on while somebody pulls at it; frames are sent on the way."""
    from chainlist.app.workbench.pulling import pull_along

    mechanism = _mechanism(data)
    return pull_along(mechanism, _head(mechanism), data, talk), b""


def _answer(data: dict[str, Any], mechanism: Mechanism, showing: Showing, status: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": mechanism.title,
        "status": status,
        "figures": showing.scene.figures,
        "notes": showing.scene.notes,
        "groups": [{"name": name, "panels": panels} for name, panels in showing.groups],
        "options": {OPTIONS[key].name: str(value) for key, value in vars(mechanism.options).items()},
        "text": data["text"],
    }


def warm(data: dict[str, Any], talk: Talk) -> tuple[dict[str, Any], bytes]:
    """Run something small with the default settings, so that the kernels are there when a user comes."""
    from chainlist.output.showing import show
    from chainlist.run.simulate import simulate

    mechanism = checking.read_text(_SMALL, RunLimits(), None).document.checked.mechanism
    assert mechanism is not None
    show(simulate(mechanism))
    return {}, b""


def export(data: dict[str, Any], talk: Talk) -> tuple[dict[str, Any], bytes]:
    """Write a kept motion in a format, into its own folder."""
    from chainlist.app.workbench import keeping

    return {"file": keeping.export(Path(data["keep"]), data["format"], talk)}, b""


def _progress(talk: Talk) -> Callable[[float, str], None]:
    """Progress for the user; the first kernel of a kind is compiled before the clock starts."""
    started = False

    def tell(part: float, text: str) -> None:
        nonlocal started
        if part > 0 and not started:
            started = True
            talk.start_clock()
        talk.progress(part, text)

    return tell


def _mechanism(data: dict[str, Any]) -> Mechanism:
    """The mechanism to run; refused where the text is wrong or asks for too much."""
    mechanism = checking.read_text(data["text"], _limits(data), _folder(data), data["name"]).document.checked.mechanism
    if mechanism is None:
        raise RequestRefused("the text has errors")
    if not mechanism.bodies:
        raise RequestRefused("there is no body in this text: nothing can move")
    if words := checking.too_large(mechanism, _limits(data)):
        raise RequestRefused(words)
    return mechanism


def _head(mechanism: Mechanism) -> dict[str, Any]:
    """What the player needs before the first frame."""
    from chainlist.output.packing import machine_of
    from chainlist.output.scene import build_scene

    starts = np.array([body.start for body in mechanism.bodies], dtype=float)
    return machine_of(build_scene(mechanism, [0.0], starts[None]))


def _chunk(samples: Samples) -> bytes:
    """Frames for the player: their number, then times (f8), positions and velocities (f4)."""
    from chainlist.output.packing import drawable

    stride = max(1, -(-len(samples.t) // FRAMES_PER_CHUNK))
    t, q, v = samples.t[::stride], samples.q[::stride], samples.v[::stride]
    parts = [np.ascontiguousarray(t, dtype="<f8"), drawable(q), drawable(v)]
    return struct.pack("<II", len(t), 0) + b"".join(part.tobytes() for part in parts)


def _status(status: Any, talk: Talk, limits: RunLimits) -> dict[str, Any]:
    if status.cancelled and talk.out_of_time and not talk.was_cancelled:
        words = f"stopped at t = {status.time:.4g} s: a run may take {limits.seconds:g} s of computing here"
        return {"ok": False, "message": words}
    return {"ok": status.ok, "message": "" if status.ok else str(status), "cancelled": status.cancelled}


TASKS: dict[str, Task] = {
    "check": check,
    "ask": ask,
    "run": run,
    "turn": turn,
    "pull": pull,
    "export": export,
    "warm": warm,
}
