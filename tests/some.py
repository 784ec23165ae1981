"""A test that is dear, of many things alike: of some of them in `make test`, of the others in `make test-long`."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def some(values: Iterable[Any], taken: Callable[[Any], bool]) -> list[Any]:
    """Values for `parametrize`; those that are not taken are marked as long."""
    return [value if taken(value) else _long(value) for value in values]


def _long(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)
