"""One chainlist, run: messages, motion, report, and every output it asks for."""

from __future__ import annotations

import dataclasses
import functools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from chainlist.analyses.axes import sweeps
from chainlist.analyses.base import Finding, Refused, Result, run_analyses
from chainlist.analyses.sweep import Sweep
from chainlist.app.files import Input
from chainlist.app.guard import BROKE_DOWN, INTERRUPTED, TEXT, guarded
from chainlist.app.progress import interruptible, progress_bar
from chainlist.app.terminal import complain, say, show, stop_writing_out
from chainlist.compile.read import read
from chainlist.kernels.bind import load_compiler_alone
from chainlist.model.asked import Asked
from chainlist.model.mechanism import Changes, Mechanism, Print
from chainlist.model.requests import CONSOLE
from chainlist.output.figures import data_of_analyses, figures, figures_of_analyses, notes, report_data
from chainlist.output.files import replace_file, writable_folder
from chainlist.output.text_trace import TextTrace
from chainlist.output.traces import promise_trace
from chainlist.output.writing import Wanted, Written, write_pictures, write_traces
from chainlist.run.grid import RunRefused
from chainlist.run.samples import Samples
from chainlist.run.simulate import simulate
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError


@dataclass(frozen=True)
class Wishes:
    """What the command line asks of every run."""

    changes: Changes
    wanted: Wanted
    quiet: bool = False
    allow_outside: bool = False
    confirm: bool = False
    console_to_file: bool = False  # standard output is wanted for something else


@dataclass(frozen=True)
class Outcome:
    """How one chainlist fared. `data` is what `--json` prints, `page` the standalone page if one was written."""

    status: int
    data: dict[str, Any] | None = None
    page: Path | None = None


def run_chainlist(given: Input, folder: Path, wishes: Wishes) -> Outcome:
    """Read, simulate and write; whatever goes wrong is said on standard error and shows in the status."""
    if isinstance(given.source, ChainlistError):
        show(given.source.diagnostics)
        return Outcome(TEXT)
    checked = read(given.source, given.base, changes=wishes.changes)
    if not wishes.quiet or checked.mechanism is None:
        show(checked.diagnostics, given.name)
    if checked.mechanism is None:
        return Outcome(TEXT)
    mechanism = checked.mechanism
    outcome = Outcome(0)

    def work() -> int:
        nonlocal outcome
        outcome = _run(mechanism, given.name, folder, wishes)
        return outcome.status

    status = guarded(work, given.name)
    return dataclasses.replace(outcome, status=status)


def _run(mechanism: Mechanism, name: str, folder: Path, wishes: Wishes) -> Outcome:
    paths = _trace_paths(mechanism, folder, wishes)
    writable_folder(folder)
    written = Written()
    with interruptible() as cancel:
        trajectory = _march(mechanism, name, paths, written, cancel, wishes)
        stopped = cancel()
        findings = _analysed(trajectory, name, cancel, wishes)
        if not wishes.quiet:
            _show_report(trajectory, findings)
        data = report_data(trajectory)
        if findings:
            data["analyses"] = data_of_analyses(findings)
        with written.file(folder / "report.json") as report:
            replace_file(report, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode("utf-8"))
        with progress_bar(name, quiet=wishes.quiet) as written.tell:
            write_traces(trajectory, [path for _, path in paths if path is not None], written)
            for finding in findings:
                if isinstance(finding.result, Sweep):
                    from chainlist.app.sweeping import write_table

                    write_table(finding.result, folder, written)
        late = cancel() and not stopped
    page = None
    try:
        if not late:
            with progress_bar(name, quiet=wishes.quiet) as written.tell:
                page = write_pictures(trajectory, folder, wishes.wanted, written, functools.partial(_views, findings))
                if findings:
                    from chainlist.output.charts import write_charts

                    write_charts(findings, folder, wishes.wanted, written, trajectory.mechanism.title)
    except KeyboardInterrupt:  # pictures can be drawn again from a trace, and may take long
        late = True
    if not wishes.quiet:
        say(*(str(path) for path in written.paths))
    data = {"file": name, **data, "files": [str(path) for path in written.paths]}
    status = _status(trajectory, stopped=stopped, late=late)
    return Outcome(status or _status_of(findings, name), data, page)


def _views(findings: list[Finding]) -> list[dict[str, Any]]:
    from chainlist.output.views import views_of

    return views_of(findings)


def _march(
    mechanism: Mechanism,
    name: str,
    paths: list[tuple[Path | None, Path | None]],
    written: Written,
    cancel: Callable[[], bool],
    wishes: Wishes,
) -> Trajectory:
    """The motion; text traces are written while it goes on."""
    with _text_traces(mechanism, paths, written) as traces, progress_bar(name, quiet=wishes.quiet) as tell:

        def receive(samples: Samples) -> None:
            for trace in list(traces):
                try:
                    trace.write(samples)
                except BrokenPipeError:
                    if trace.owned:
                        raise
                    stop_writing_out()
                    traces.remove(trace)

        load_compiler_alone()
        return simulate(
            mechanism, progress=tell, cancel=cancel, receive=receive if traces else None, confirm=wishes.confirm
        )


def _status(trajectory: Trajectory, *, stopped: bool, late: bool) -> int:
    """The exit status, after a word on what went wrong: `stopped` while the motion was computed, `late` after that."""
    if not trajectory.status.ok and not trajectory.status.cancelled:
        complain(str(trajectory.status))
    if late:
        complain("interrupted before all pictures were drawn; what was computed is written")
    elif stopped:
        complain(f"interrupted at t = {trajectory.end:.6g} s; everything up to there was written")
    if late or stopped:
        return INTERRUPTED
    return 0 if trajectory.status.ok else BROKE_DOWN


def _status_of(findings: list[Finding], name: str) -> int:
    """The same of analyses that could not be made: everything else is written."""
    refused = [finding.result for finding in findings if isinstance(finding.result, Refused)]
    for one in refused:
        complain(f"{name}: .{one.command}: {one.why}")
    return TEXT if refused else 0


def _analysed(trajectory: Trajectory, name: str, cancel: Callable[[], bool], wishes: Wishes) -> list[Finding]:
    """What the analyses of a chainlist find."""
    if not trajectory.mechanism.analyses:
        return []
    with progress_bar(name, quiet=wishes.quiet) as tell:
        findings = run_analyses(trajectory.mechanism, trajectory, tell, cancel)
    if sweeps(trajectory.mechanism) and not cancel():
        from chainlist.app.sweeping import Sweeping, run_sweep

        result: Result
        try:
            asked = Sweeping(wishes.changes, quiet=wishes.quiet, confirm=wishes.confirm)
            result, _ = run_sweep(trajectory.mechanism, name, asked, cancel)
        except RunRefused as refusal:
            result = Refused("step", str(refusal))
        findings.append(Finding(Asked("step", None), result))
    return findings


def _show_report(trajectory: Trajectory, findings: list[Finding]) -> None:
    rows = [*figures(trajectory), *figures_of_analyses(findings)]
    width = max(len(label) for label, _ in rows)
    margin = "\n" + " " * (width + 2)  # under the value where it has several lines
    lines = [f"{label:<{width}}  {value.replace(chr(10), margin)}" for label, value in rows]
    say(*lines, *notes(trajectory))


def _trace_paths(mechanism: Mechanism, folder: Path, wishes: Wishes) -> list[tuple[Path | None, Path | None]]:
    """For each `.print` where its text and its binary trace go; None where there is none, or for the console."""
    outside = wishes.allow_outside
    taken = {name for request in mechanism.prints for name in (request.text, request.binary)}
    candidates = (f"console{number}.txt" for number in chain([""], count(2)))
    free = (candidate for candidate in candidates if candidate not in taken)
    paths = []
    for request in mechanism.prints:
        name = request.text
        if name == CONSOLE:
            name = next(free) if wishes.console_to_file else None
        text = None if name is None else _inside(name, folder, outside)
        binary = None if request.binary is None else _inside(request.binary, folder, outside)
        if binary is not None:
            promise_trace(binary)
        paths.append((text, binary))
    return paths


def _inside(name: str, folder: Path, outside: bool) -> Path:
    path = folder / name
    if not outside and not path.resolve().is_relative_to(folder.resolve()):
        raise RunRefused(
            f"the trace {name} lies outside {folder}: allow it with --allow-outside, or give a path inside"
        )
    return path


@contextmanager
def _text_traces(
    mechanism: Mechanism, paths: list[tuple[Path | None, Path | None]], written: Written
) -> Iterator[list[TextTrace]]:
    """The text traces of a run, opened before it starts and closed after it, however it ends."""
    with ExitStack() as stack:
        traces = []
        for request, (path, _) in zip(mechanism.prints, paths, strict=True):
            if request.text is None:
                continue
            if path is not None:
                traces.append(stack.enter_context(_create(mechanism, request, path)))
                written.paths.append(path)
                continue
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
            try:
                traces.append(stack.enter_context(TextTrace(sys.stdout, mechanism, request)))
            except BrokenPipeError:
                stop_writing_out()
        yield traces


def _create(mechanism: Mechanism, request: Print, path: Path) -> TextTrace:
    path.parent.mkdir(parents=True, exist_ok=True)
    return TextTrace.create(path, mechanism, request)
