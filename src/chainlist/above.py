"""What lower layers take from higher ones without knowing them: the package says here how it is fetched, when it is asked for."""

from collections.abc import Callable
from typing import Any

ABOVE: dict[str, Callable[[], Any]] = {}
