"""Check of exercise 2: a chain of 12 links that survives Greville's recursion."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from chainlist.compile.read import parse
from chainlist.labs.bench import listing, lost_at, motion
from chainlist.labs.exercises.finding import Mark, text
from chainlist.model.mechanism import Mechanism

FAR = 0.05  # m


def check(solution: ModuleType) -> Iterator[Mark]:
    mechanism = parse(text(solution, "CHAINLIST"))
    original = parse(listing(3))
    same = list(_same(mechanism, original))
    yield from same
    if not all(finding.ok for finding in same):
        return
    run = motion(mechanism)
    true = motion(original, mpi_algo="AUTO", mpitol=None)
    lost = lost_at(run, true, FAR)
    if lost is None:
        yield Mark(True, "the chain follows the true motion for all of the 10 s")
    elif run.status.ok:
        yield Mark(False, f"the run goes through, but a body is 5 cm off the true motion at {lost:.3g} s")
    else:
        yield Mark(
            False,
            f"the run still breaks down, at {run.status.time:.3g} s. The recursion goes over the columns of B in the "
            "order in which the bodies are listed",
        )


def _same(mechanism: Mechanism, original: Mechanism) -> Iterator[Mark]:
    """It must still be the paper's problem, solved by Greville's recursion with the plain equations."""
    bodies = {(body.name, body.position, body.mass) for body in mechanism.bodies}
    expected = {(body.name, body.position, body.mass) for body in original.bodies}
    yield Mark(bodies == expected, "the same twelve bodies, with their names, places and masses")
    links = {frozenset(link.ends) for link in mechanism.constraints}
    yield Mark(links == {frozenset(link.ends) for link in original.constraints}, "the same twelve links")
    options, times = mechanism.options, mechanism.transient
    settings = options.mpi_algo == "GREVILLE" and options.daesystem == "INDEX1" and options.integrator == "MIDPOINT"
    yield Mark(settings, ".options MPI_ALGO=GREVILLE DAESYSTEM=INDEX1 INTEGRATOR=MIDPOINT")
    yield Mark(
        options.gravity == 1.0 and (times.start, times.stop, times.step) == (0.0, 10.0, 1e-3),
        ".options gravity=1 and .tran 0 10 1E-3",
    )
