"""Members of an ensemble as a batch of straight code, beside the kernels of a single run, MuJoCo's rollout and jax.

MuJoCo takes chains of hinges: its loops are soft. jax takes small machines: with 16 links its solver of many small systems inside
a loop does not come to an end within minutes.
"""

from __future__ import annotations

import numpy as np

from benchmarks.jax_members import runner
from benchmarks.mechanisms import chain as as_chain
from benchmarks.mujoco_chain import HingeChain
from benchmarks.report import Goal, Line, Unavailable
from benchmarks.timing import in_turns, seconds_per_step
from chainlist.compile.read import parse
from chainlist.compile.system import Assembly, assemble
from chainlist.model.mechanism import Mechanism, Transient
from chainlist.run.batch import Batch, numbers_of
from chainlist.run.grid import make_grid
from chainlist.run.simulate import simulate

TITLE = (
    "ensembles, RK4, 1 ms: CPU time of a member-step in a batch, beside a loop over single runs, MuJoCo's rollout, jax"
)
STEPS = 400
TIMES = ".options gravity=9.81\n.tran 0 1 1ms\n.plot X(B1)\n"
FOUR_BAR = f"* Four-bar\nB1 (0,1) 1\nB2 (2,1.5) 2\nC1 B1 (0,0)\nC2 B1 B2\nC3 B2 (2.5,0)\n{TIMES}"


def chain(links: int) -> str:
    bodies = "".join(f"B{i} ({0.2 * i:.1f},0) 1\n" for i in range(1, links + 1))
    rods = "".join(f"C{i} B{i - 1} B{i}\n" for i in range(2, links + 1))
    return f"* Chain\n{bodies}C1 B1 (0,0)\n{rods}{TIMES}"


CASES = (
    ("double pendulum", chain(2), 2000, 11.0),
    ("four-bar", FOUR_BAR, 2000, 11.0),
    ("16 links", chain(16), 200, 5.5),
    ("64 links", chain(64), 40, 5.5),
)
IN_JAX = ("double pendulum", "four-bar")


def run() -> list[Line]:
    return [_line(*case) for case in CASES]


def _line(name: str, text: str, members: int, wanted: float) -> Line:
    assembly = assemble(parse(text))
    batch = Batch(assembly, patient=True)
    alone, together = in_turns(
        lambda: seconds_per_step(lambda n: _alone(assembly, n), 20 * STEPS),
        lambda: seconds_per_step(lambda n: _together(batch, assembly, members, n), STEPS) / members,
    )
    figures: dict[str, float | str] = {"single run [ns]": alone * 1e9, "batch [ns]": together * 1e9, "members": members}
    figures["MuJoCo [ns]"] = "" if name == "four-bar" else _of_mujoco(assembly.mechanism, members)
    figures["jax [ns]"] = _of_jax(assembly.mechanism, members) if name in IN_JAX else ""
    return Line(name, figures, alone / together, Goal(wanted, at_least=True), _wrong(batch, assembly))


def _of_mujoco(mechanism: Mechanism, members: int) -> float | str:
    """A member-step in its rollout, with one thread."""
    try:
        theirs = HingeChain.of(as_chain(len(mechanism.bodies)))
    except Unavailable as reason:
        return str(reason)
    few = max(4, members // 20)
    return seconds_per_step(lambda n: theirs.run_many(few, n, 1e-3), STEPS, 2) / few * 1e9


def _of_jax(mechanism: Mechanism, members: int) -> float | str:
    try:
        run = runner(mechanism, members)
    except Unavailable as reason:
        return str(reason)
    return seconds_per_step(run, STEPS, 2) / members * 1e9


def _alone(assembly: Assembly, steps: int) -> object:
    import dataclasses

    mechanism = assembly.mechanism
    return simulate(dataclasses.replace(mechanism, transient=Transient(0.0, steps * 1e-3, 1e-3)))


def _together(batch: Batch, assembly: Assembly, members: int, steps: int) -> object:
    return batch.run(numbers_of(assembly, 1e-3), members, make_grid(0.0, steps * 1e-3, 1e-3, None))


def _wrong(batch: Batch, assembly: Assembly) -> str:
    grid = make_grid(0.0, 0.2, 1e-3, None)
    found = batch.run(numbers_of(assembly, 1e-3), 8, grid)
    single = _alone(assembly, grid.steps)
    off = float(np.abs(found.q[-1, :, :, 3] - single.q[-1]).max())  # type: ignore[attr-defined]
    return "" if off < 1e-12 and found.healthy.all() else f"a member differs from its own run by {off:.1g} m"
