"""Chainlists that several tests of analyses use, and ensembles that are batches however few their members are."""

import dataclasses

from chainlist.analyses.ensemble import PreparedEnsemble
from chainlist.analyses.worth import SOONER

TIMES = ".tran 0 1 1ms\n.options gravity=9.81\n"


def hanging_chain(links: int) -> str:
    """Equal masses on equal links, straight down."""
    bodies = "".join(f"B{i} (0,{-i}) 1\n" for i in range(1, links + 1))
    rods = "".join(f"C{i} B{i - 1} B{i}\n" for i in range(2, links + 1))
    return f"* Hanging chain\n{bodies}C1 B1 (0,0)\n{rods}{TIMES}"


def slung_chain(places: list[tuple[float, float]], right: tuple[float, float]) -> str:
    """Equal masses on links of length 1 between the origin and another anchor."""
    bodies = "".join(f"B{i} ({float(x)!r},{float(y)!r}) 1\n" for i, (x, y) in enumerate(places, start=1))
    rods = "".join(f"C{i} B{i - 1} B{i} LENGTH=1\n" for i in range(2, len(places) + 1))
    last = f"C{len(places) + 1} B{len(places)} ({right[0]!r},{right[1]!r}) LENGTH=1\n"
    return f"* Slung chain\n{bodies}C1 B1 (0,0) LENGTH=1\n{rods}{last}{TIMES}"


def as_batch(work: PreparedEnsemble) -> PreparedEnsemble:
    """Run as a batch, though one by one may be sooner done; what cannot be one is left as it is."""
    if work.one_by_one != SOONER:
        return work
    return dataclasses.replace(work, task=dataclasses.replace(work.task, batch=True), one_by_one="")
