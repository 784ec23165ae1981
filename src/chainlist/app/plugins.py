"""`--plugin FILE`: run a user's Python file, which registers constraint types, integrators or pseudoinverses."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chainlist.app.guard import WORLD
from chainlist.app.terminal import complain

if TYPE_CHECKING:
    from chainlist.kernels.bind import KernelError

_loaded: set[Path] = set()
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # the compiler writes in colours


def load_plugin(path: Path) -> None:
    """Run a plug-in once, and try out what it registers.

    Raises `OSError` where it cannot be read, and `typer.BadParameter` with the place of the mistake where it fails.
    """
    from chainlist import integrators, solvers
    from chainlist.analyses.plugins import run_plugin
    from chainlist.elements import REGISTRY
    from chainlist.equations.rehearsal import rehearse
    from chainlist.kernels.bind import KernelError
    from chainlist.model.trial import try_reading
    from chainlist.run.rehearsal import rehearse_integrator, rehearse_solver

    path.open("rb").close()  # a file that is missing is the world's fault, not a mistake on the command line
    path = path.resolve()
    if path in _loaded:
        return
    known, methods, algorithms = set(REGISTRY), set(integrators.REGISTRY), set(solvers.REGISTRY)
    try:
        run_plugin(path)
        for letter in REGISTRY.keys() - known:
            try_reading(REGISTRY[letter])
            rehearse(REGISTRY[letter])
        for name in integrators.REGISTRY.keys() - methods:
            rehearse_integrator(name)
        for name in solvers.REGISTRY.keys() - algorithms:
            rehearse_solver(name)
    except KernelError as error:
        raise typer.BadParameter(_in_kernel(error, path), param_hint="--plugin") from None
    except Exception as error:  # whatever the user's file does wrong is reported as the user's mistake
        raise typer.BadParameter(f"{_place(error, path)}: {error}", param_hint="--plugin") from None
    _loaded.add(path)


def _place(error: Exception, path: Path) -> str:
    """The line of the plug-in in which an error arose."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{path.name}:{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path.name}:{lines[-1]}" if lines else path.name


def _in_kernel(error: KernelError, path: Path) -> str:
    return f"{path.name}:{error.code.co_firstlineno}: {error}; a kernel is plain arithmetic over its arguments"


def mistake_in_plugin(error: Exception) -> str:
    """What is wrong with a plug-in, and where; "" where an error did not arise in one."""
    from chainlist.kernels.bind import KernelError

    for path in _loaded:
        if isinstance(error, KernelError) and error.code.co_filename == str(path):
            return _in_kernel(error, path)
        if type(error).__module__.startswith("numba."):
            text = _COLOURS.sub("", str(error))
            place = re.search(rf"at {re.escape(str(path))} \((\d+)\)", text)
            if place:
                lines = (line.strip() for line in text.splitlines())
                why = next((line for line in lines if line and not line.startswith("Failed in")), "")
                return (
                    f"{path.name}:{place[1]}: this cannot be compiled: {why.rstrip(':')}; a kernel is plain arithmetic"
                )
        elif any(frame.filename == str(path) for frame in traceback.extract_tb(error.__traceback__)):
            return f"{_place(error, path)}: {type(error).__name__}: {error}"
    return ""


def _load_all(paths: list[Path] | None) -> list[Path]:
    for path in paths or []:
        try:
            load_plugin(path)
        except OSError as error:
            complain(f"{path}: {error.strerror or error}")
            raise typer.Exit(WORLD) from None
    return paths or []


Plugins = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin",
        metavar="FILE",
        help="A Python file that registers a constraint type, integrator or pseudoinverse.",
        callback=_load_all,
        is_eager=True,
        show_default=False,
    ),
]
