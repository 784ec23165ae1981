"""Where the values of a formula jump: at the steps of `mod`, `floor`, `sign` and the like, which no line should join."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Formula, Operation
from chainlist.run.moments import Floats

_LEAP = 3.0  # a jump is that much larger than the steps beside it: elsewhere the formula happens to be continuous
_JUMPING = ("mod", "floor", "sign", "step", "atan2", "<", "<=", ">", ">=")


def jumps_of(formula: Formula, values: Floats, evaluate: Callable[[Formula], Floats]) -> tuple[int, ...]:
    """The numbers of the samples that a jump leads to. `evaluate` gives the values of a part of the formula."""
    nodes = _jumping(formula)
    if not nodes or values.ndim != 1 or len(values) < 2:
        return ()
    candidates = np.zeros(len(values) - 1, bool)
    with np.errstate(all="ignore"):
        for node in nodes:
            parts = [np.asarray(evaluate(operand), float) for operand in node.operands]
            if all(part.ndim < 2 for part in parts):
                candidates |= _leaps(node, parts, evaluate, len(values))
        return tuple((np.flatnonzero(candidates & _stands_out(values)) + 1).tolist())


def _jumping(formula: Formula) -> list[Operation]:
    if not isinstance(formula, Operation):
        return []
    own = [formula] if formula.operator in _JUMPING else []
    return [*own, *(node for operand in formula.operands for node in _jumping(operand))]


def _leaps(
    node: Operation, parts: list[Floats], evaluate: Callable[[Formula], Floats], count: int
) -> NDArray[np.bool_]:
    """Between which samples one function jumps."""
    if node.operator == "mod":
        branch = np.broadcast_to(np.floor(parts[0] / parts[1]), (count,))
        return np.asarray(np.diff(branch) != 0)
    own = np.broadcast_to(np.asarray(evaluate(node), float), (count,))
    return np.asarray(np.abs(np.diff(own)) > (np.pi if node.operator == "atan2" else 0.0))


def _stands_out(values: Floats) -> NDArray[np.bool_]:
    steps = np.abs(np.diff(values))
    beside = np.maximum(np.concatenate([[0.0], steps[:-1]]), np.concatenate([steps[1:], [0.0]]))
    return np.asarray(steps > _LEAP * beside)
