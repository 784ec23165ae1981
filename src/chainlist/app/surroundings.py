"""What a machine offers to chainlist. The packages of each extra are read from the metadata of the installed program."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from chainlist.app.browser import has_screen

# What a user can do with each extra. A test holds the names against those of the program.
PURPOSES = {
    "all": "everything below but gpu, bench and dev",
    "bench": "other simulators, to compare with",
    "data": "NetCDF traces, xarray, pandas, sweeps (.step, .mc)",
    "dev": "work on chainlist itself",
    "export": "equations in symbols (chainlist export --to sympy)",
    "gpu": "ensembles on an NVIDIA card",
    "gui": "the workbench (chainlist gui)",
    "jupyter": "notebooks (%%chainlist, the player with sliders)",
    "lsp": "editors (chainlist lsp)",
    "sweep": "sweeps in a store or on a cluster",
    "video": "films in MP4",
}
_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(?:\[(?P<extras>[\w,-]+)\])?[^;]*(?:;.*extra == ['\"](?P<extra>[\w-]+)['\"])?"
)
PACKAGE = Path(__file__).parents[1]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")


@dataclass(frozen=True)
class Package:
    """A package that is needed, and its version; "" where it is not installed."""

    name: str
    version: str


@dataclass(frozen=True)
class Installation:
    """The machine and what is installed on it: all that was looked at."""

    facts: dict[str, str]
    runtime: tuple[Package, ...]
    extras: dict[str, tuple[Package, ...]]

    @property
    def can_run(self) -> bool:
        """Whether everything is there that a run needs."""
        return all(package.version for package in self.runtime)

    def as_data(self) -> dict[str, Any]:
        versions = {package.name: package.version or None for package in self.runtime}
        missing = {name: [p.name for p in packages if not p.version] for name, packages in self.extras.items()}
        return {"facts": self.facts, "packages": versions, "missing": missing, "can_run": self.can_run}

    def text(self) -> str:
        lines = list(self.facts.items())
        lines += [(package.name, package.version or "MISSING: a run needs it") for package in self.runtime]
        lines += [(f"chainlist[{name}]", self._extra(name)) for name in self.extras]
        width = max(len(label) for label, _ in lines)
        return "".join(f"{label:<{width}}  {value}\n" for label, value in lines)

    def _extra(self, name: str) -> str:
        missing = [package.name for package in self.extras[name] if not package.version]
        return f"{'not there: ' + ', '.join(missing) if missing else 'there'}; for {PURPOSES[name]}"


def look_around() -> Installation:
    """Look at everything; nothing is changed, and nothing is compiled."""
    runtime, extras = requirements(metadata.requires("chainlist") or [])
    facts = {
        "chainlist": f"{metadata.version('chainlist')}, in {PACKAGE}",
        "Python": f"{platform.python_version()}, {sys.executable}",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "compiler": _compiler(),
        "kernels": _kernels(),
        "graphics card": _card(),
        "browser": _browser(),
    }
    return Installation(facts, _packages(runtime), {name: _packages(names) for name, names in sorted(extras.items())})


def requirements(lines: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """The packages of a run, and those of each extra; an extra that names others of chainlist has theirs too."""
    runtime: list[str] = []
    extras: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for line in lines:
        found = _REQUIREMENT.match(line)
        assert found is not None, line
        name, extra = found["name"], found["extra"]
        if extra is None:
            runtime.append(name)
        elif name == "chainlist":
            others.setdefault(extra, []).extend(found["extras"].split(","))
            extras.setdefault(extra, [])
        else:
            extras.setdefault(extra, []).append(name)
    return runtime, {extra: sorted(_closure(extra, extras, others)) for extra in extras}


def _closure(extra: str, extras: dict[str, list[str]], others: dict[str, list[str]]) -> set[str]:
    return set(extras[extra]).union(*(_closure(other, extras, others) for other in others.get(extra, [])))


def _packages(names: list[str]) -> tuple[Package, ...]:
    return tuple(Package(name, _version(name)) for name in names)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _compiler() -> str:
    try:
        from llvmlite.binding import llvm_version_info
        from numba.core import config
    except ImportError as error:
        return f"none: {error}"
    settings: Any = config
    if settings.DISABLE_JIT:
        return "switched off by NUMBA_DISABLE_JIT: runs are a hundred times slower"
    return f"Numba {_version('numba')} with LLVM {'.'.join(map(str, llvm_version_info))}, for {settings.CPU_NAME or 'this processor'}"


def _kernels() -> str:
    """Where compiled kernels are kept: as Numba decides it, beside the program or, where that is read-only, in a cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR", "")
    beside = os.access(PACKAGE, os.W_OK)
    folder = Path(chosen) if chosen else PACKAGE if beside else _numbas_own()
    files = [path.stat().st_size for path in folder.rglob("*.nbc")] if folder.is_dir() else []
    if not files:
        return f"none yet in {folder}: the first run compiles them, or chainlist warm"
    return f"{len(files)} files, {sum(files) / 1e6:.0f} MB, in {folder}"


def _numbas_own() -> Path:
    from numba.misc.appdirs import AppDirs

    folders: Any = AppDirs
    return Path(folders(appname="numba", appauthor=False).user_cache_dir)


def _card() -> str:
    from chainlist.kernels.print_cuda import NoCard, card_name

    try:
        return card_name()
    except NoCard as none:
        return str(none)


def _browser() -> str:
    found = next((name for name in _BROWSERS if shutil.which(name)), "")
    screen = "a screen" if has_screen() else "no screen here: links are printed"
    return f"{found or 'none of ' + ', '.join(_BROWSERS) + ' on the path'}; {screen}"
