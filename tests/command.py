"""The command line: in this process, where Python and the kernels are loaded already, or in one of its own."""

import contextlib
import gc
import io
import os
import subprocess
import sys
from unittest import mock

from chainlist import elements, integrators, solvers
from chainlist.analyses import plugins
from chainlist.app.plugins import _loaded
from chainlist.app.quick import quick
from chainlist.model import analysis


def run(*words, stdin=b"", cwd=None, merged=False, **env):
    """Status, standard output and standard error of a command line; `merged`: all that it prints, as it comes."""
    words = [str(word) for word in words]
    out = _stream()
    err = out if merged else _stream()
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    argv, often = ["chainlist", *words], gc.get_threshold()
    with (
        mock.patch.multiple(sys, stdin=given, stdout=out, stderr=err, argv=argv),
        mock.patch.dict(os.environ, env),
        contextlib.chdir(cwd or os.getcwd()),
        plugins_forgotten(),
    ):
        try:
            status = _status(words)
        finally:
            gc.set_threshold(*often)
            out.flush(), err.flush()
    return status, *(stream.buffer.getvalue().decode() for stream in ((out,) if merged else (out, err)))


@contextlib.contextmanager
def plugins_forgotten():
    """What plug-ins register, and that they were there, is forgotten at the end: the process goes on without them."""
    registries = (elements.REGISTRY, integrators.REGISTRY, solvers.REGISTRY, analysis.known_analyses(), plugins._here)
    before, loaded = [dict(registry) for registry in registries], set(_loaded)
    try:
        yield
    finally:
        for registry, old in zip(registries, before, strict=True):
            registry.clear()
            registry.update(old)
        _loaded.intersection_update(loaded)
        for name in [name for name in sys.modules if name.startswith("chainlist_plugin_")]:
            del sys.modules[name]


def run_apart(*words, stdin=None, cwd=None, merged=False, **env):
    """The same as a user starts it."""
    done = subprocess.run(
        [sys.executable, "-m", "chainlist", *map(str, words)],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, **env},
        timeout=300,
    )
    said = [part.decode() for part in (done.stdout, done.stderr) if part is not None]
    assert "Traceback" not in said[-1]
    return done.returncode, *said


def _stream():
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _status(words):
    status = quick(words)
    return usual(words) if status is None else status


def usual(words):
    """The status of a command line that is read by the library for all of them."""
    from chainlist.app.cli import main

    with mock.patch.object(sys, "argv", ["chainlist", *words]):
        try:
            main()
        except SystemExit as end:
            return end.code or 0
    return 0
