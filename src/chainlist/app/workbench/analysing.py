"""The analyses of a text in a worker, card by card: what one of them cannot do is told beside its card, and the others go on.

Members of `.step` and `.mc` are run one after the other, each as Run would: then a cancel is obeyed between two of them. Tables of many
thousand runs are for `chainlist sweep`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chainlist.analyses.axes import plan_of, sweeps
from chainlist.analyses.base import Finding, Study
from chainlist.analyses.ensemble import dataset, prepare, run_work
from chainlist.analyses.members import NOT_COMPUTED
from chainlist.analyses.sweep import Sweep, kept_of_runs
from chainlist.model.analysis import known_analyses
from chainlist.model.asked import Asked
from chainlist.model.mechanism import Mechanism
from chainlist.output.views import views_of
from chainlist.run.grid import RunRefused
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError

MOST_MEMBERS = 20_000

Progress = Callable[[float, str], None]


@dataclass
class Analysed:
    """What was found, as the browser shows it, and the table of all members as CSV."""

    views: list[dict[str, Any]] = field(default_factory=list)
    table: str = ""


def analyse(
    mechanism: Mechanism, trajectory: Trajectory, progress: Progress, cancel: Callable[[], bool], *, quick: bool
) -> Analysed:
    """Everything that the text asks for; `quick` leaves what needs many runs to a run that the user asks for."""
    found = Analysed()
    earlier: dict[str, Any] = {}
    for asked in mechanism.analyses:
        analysis = known_analyses()[asked.command]
        if analysis.run is None or (quick and analysis.repeats):
            continue
        if cancel():
            found.views.append(_refused(asked.command, "stopped before this was computed"))
            continue
        progress(0.0, f"computing .{asked.command}")
        try:
            result = analysis.run(asked.what, Study(mechanism, trajectory, earlier, progress, cancel))
        except (RunRefused, ChainlistError) as error:
            found.views.append(_refused(asked.command, str(error)))
            continue
        earlier[asked.command] = result
        found.views += views_of([Finding(asked, result)])
    if quick:
        left = dict.fromkeys(a.command for a in mechanism.analyses if known_analyses()[a.command].repeats)
        found.views += [_refused(command, "needs many runs: press Run") for command in left]
    elif sweeps(mechanism):
        _sweep(mechanism, progress, cancel, found)
    return found


def _sweep(mechanism: Mechanism, progress: Progress, cancel: Callable[[], bool], found: Analysed) -> None:
    command = next(asked.command for asked in mechanism.analyses if asked.command in ("step", "mc"))
    plan = plan_of(mechanism)
    if plan.size > MOST_MEMBERS:
        words = f"{plan.size:,} runs are more than the {MOST_MEMBERS:,} that this workbench allows: chainlist sweep runs any number"
        found.views.append(_refused(command, words))
        return
    try:
        work = prepare(mechanism, None, None, None, None, False, None, None, (), kept_of_runs(mechanism), {})
        alone = dataclasses.replace(work.task, batch=False)
        work = dataclasses.replace(work, task=alone, one_by_one=work.one_by_one or "each is shown when it is done")
        table = run_work(work, workers=1, chunk=1, progress=progress, cancel=cancel)
    except (RunRefused, ChainlistError) as error:
        found.views.append(_refused(command, str(error)))
        return
    result = Sweep.of(mechanism, dataset(work, table))
    (view,) = views_of([Finding(Asked(command, None), result)])
    if (result.dataset["status"].values == NOT_COMPUTED).any():
        view["refused"] = "stopped before all were computed"
    found.views.append(view)
    found.table = result.table()


def _refused(command: str, why: str) -> dict[str, Any]:
    return {"command": command, "figures": [], "pictures": [], "refused": why}
