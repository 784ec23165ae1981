"""Plug-ins of a user where members run: other processes, other machines. What travels is the text of the file."""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

Plugin = tuple[str, str]  # name and text of a file

_here: dict[str, Plugin] = {}  # those that were run in this process, by the digest of their text


def run_plugin(path: Path) -> None:
    """Run a file once; what it raises is its own."""
    text = path.read_text(encoding="utf-8")
    digest = _digest(text)
    if digest in _here:
        return
    spec = importlib.util.spec_from_file_location(f"chainlist_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    _here[digest] = path.name, text


def plugins_here() -> tuple[Plugin, ...]:
    """What a worker has to run before it can read what is read here."""
    return tuple(_here.values())


def run_plugins(plugins: tuple[Plugin, ...]) -> None:
    """In a worker: from files, because kernels are compiled from the lines of theirs. They go when the worker ends."""
    for name, text in plugins:
        if _digest(text) not in _here:
            folder = Path(tempfile.mkdtemp(prefix="chainlist-plugin-"))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            (folder / name).write_text(text, encoding="utf-8")
            run_plugin(folder / name)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()
