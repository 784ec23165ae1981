"""What a motion came from, as text: every trace and every dataset carries it."""

from __future__ import annotations

from chainlist.elements.base import shortest
from chainlist.model.dump import dump
from chainlist.model.mechanism import Mechanism
from chainlist.model.options import OPTIONS

AUTOMATIC = "automatic"


def provenance(mechanism: Mechanism, columns: str) -> str:
    """The chainlist, then as comments the version with the columns and all options: what a run came from.

    Parameters and times that were given beside the text follow on lines of their own.
    """
    from importlib.metadata import version  # it takes a while to load, and only traces and datasets ask for it

    changes = mechanism.changes
    lines = [
        (mechanism.text or dump(mechanism)).rstrip("\n"),
        f"* chainlist {version('chainlist')}, columns: {columns}",
        f"* .options {options_text(mechanism)}",
    ]
    if changes.params:
        lines.append("* .param " + " ".join(f"{name}={shortest(v)}" for name, v in changes.params.items()))
    if changes.tran is not None:
        times = mechanism.transient
        lines.append("* .tran " + " ".join(shortest(x) for x in (times.start, times.stop, times.step)))
    return "\n".join(lines)


def options_text(mechanism: Mechanism) -> str:
    """Every option as it counts: gravity=9.81 …"""
    return " ".join(f"{o.name}={_option_text(getattr(mechanism.options, key))}" for key, o in OPTIONS.items())


def _option_text(value: float | str | tuple[float, ...] | None) -> str:
    if value is None:
        return AUTOMATIC
    if isinstance(value, tuple):
        return f"({','.join(shortest(x) for x in value)})"
    return value if isinstance(value, str) else shortest(value)
