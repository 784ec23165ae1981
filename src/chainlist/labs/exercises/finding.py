"""What a check finds out, and small tools that the checks share."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from chainlist.kernels.bundles import Floats


@dataclass(frozen=True)
class Mark:
    """One thing that is right or not, in words for the student."""

    ok: bool
    text: str


class Missing(Exception):
    """The student's file lacks something that the exercise asks for."""


def wanted(solution: ModuleType, name: str, what: str) -> Any:
    """Something that the student's file must define."""
    if not hasattr(solution, name):
        raise Missing(f"your file does not define {what}")
    return getattr(solution, name)


def function(solution: ModuleType, name: str, signature: str) -> Callable[..., Any]:
    """A function that the student's file must define."""
    found = wanted(solution, name, f"a function {signature}")
    if not callable(found):
        raise Missing(f"{name} must be a function: def {signature}")
    return found  # type: ignore[no-any-return]


def text(solution: ModuleType, name: str) -> str:
    """A chainlist that the student's file must define as a string."""
    found = wanted(solution, name, f'a text {name} = """…"""')
    if not isinstance(found, str) or "\n" not in found:
        raise Missing(f"{name} must be the text of a chainlist, of several lines")
    return found


def untouched(call: Callable[..., Any], *arguments: Any) -> tuple[Any, bool]:
    """What a function returns, and whether it left its arguments as they were."""
    before = copy.deepcopy(arguments)
    result = call(*arguments)
    same = all(
        np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(arguments, before, strict=True) if not callable(a)
    )
    return result, same


def as_array(result: Any, shape: tuple[int, ...]) -> Floats | None:
    """The result as an array of that shape, None if it is none."""
    try:
        array = np.asarray(result, dtype=float)
    except (TypeError, ValueError):
        return None
    return array if array.shape == shape else None
