"""`chainlist.simulate`: from whatever describes a mechanism to its motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from chainlist.compile.read import changed
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.model.outside import outside_parameters
from chainlist.run.announcing import announced
from chainlist.run.samples import Samples
from chainlist.run.simulate import Progress
from chainlist.run.simulate import simulate as run
from chainlist.run.trajectory import Trajectory


def simulate(
    source: Mechanism | str | Path,
    *,
    params: Mapping[str, float | str] | None = None,
    tran: Sequence[float | str] | str | None = None,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
    receive: Callable[[Samples], None] | None = None,
    confirm: bool = False,
    **options: Any,
) -> Trajectory:
    """The motion of a mechanism; `source` is one, or the path of a chainlist, or its text (a str with a line break).

    `tran=(start, stop, step)`, `params={"L": 2}` and settings of `.options` in lower case (`integrator="DOP853"`)
    replace what the text says; texts may have units: `tran="0 1 1ms"`, `params={"L": "40cm"}`. `progress(part, what)`
    is called a few times a second; without it, standard error says when kernels are compiled for long. `cancel()` ends
    the run once it is true; `receive(samples)` gets new samples while the run goes on; `confirm=True` lets a run of
    absurd size begin.

    >>> trajectory = simulate("* Pendulum\\nB1 (1,0) 1\\nC1 B1 (0,0)\\n", tran=(0, 1, 1e-3))
    >>> trajectory.q.shape
    (1001, 1, 2)
    """
    mechanism = changed(source, changes_of(params=params, tran=tran, **options))
    with announced() as tell:
        return run(mechanism, progress=progress or tell, cancel=cancel, receive=receive, confirm=confirm)


def changes_of(
    *,
    params: Mapping[str, float | str] | None = None,
    tran: Sequence[float | str] | str | None = None,
    options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Changes:
    """What is asked for beside the text, from the keywords of Python: settings by their names, or together as `options`."""
    times: Any = tran.replace(",", " ").split() if isinstance(tran, str) else tran
    return Changes(outside_parameters(params or {}), {**(options or {}), **settings}, times)
