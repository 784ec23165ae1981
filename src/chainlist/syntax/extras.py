"""Packages beyond those that every run needs: loaded when they are asked for, and named with their cure where they are missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError


def extra(module: str, name: str, what: str) -> Any:
    """The module of the extra `name`; raises `ChainlistError` that says what it is needed for, and how to get it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != module.partition(".")[0]:
            raise
        raise _missing(module, name, what) from None


def want(module: str, name: str, what: str) -> None:
    """Raise the same where the module is missing, without loading it: before long work, not after it."""
    if find_spec(module) is None:
        raise _missing(module, name, what)


def _missing(module: str, name: str, what: str) -> ChainlistError:
    package = module.partition(".")[0]
    help = f"pip install 'chainlist[{name}]'"
    return ChainlistError([Diagnostic("E404", f"{what} need the package {package}, which is not installed", help=help)])
