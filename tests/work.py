"""How much work a function does: the lines of Python that it runs. The same on every machine, however busy it is."""

import sys
from collections.abc import Callable
from typing import Any


def lines_run(function: Callable[[], Any]) -> int:
    """Lines run by `function`, and by whatever it calls."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def growth(work: Callable[[int], Callable[[], Any]], small: int, factor: int = 8) -> float:
    """How much more `work(n)()` does for `factor` times the size, relative to that factor: 1 is linear."""
    return lines_run(work(factor * small)) / lines_run(work(small)) / factor
