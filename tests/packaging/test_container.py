"""The container file: what can be known of it without building it."""

import re
from pathlib import Path

from typer.main import get_command

from chainlist.app.cli import app

TEXT = (Path(__file__).resolve().parents[2] / "Containerfile").read_text(encoding="utf-8")


def test_it_is_built_from_the_wheel_and_runs_as_nobody_special():
    assert "COPY dist/chainlist-*.whl" in TEXT and "COPY . " not in TEXT
    (user,) = re.findall(r"^USER (\d+)$", TEXT, re.MULTILINE)
    assert int(user) > 0
    assert TEXT.index("USER") < TEXT.index("CMD")


def test_what_it_writes_lies_where_a_read_only_file_system_lets_it():
    assert "HOME=/tmp" in TEXT and "NUMBA_CACHE_DIR=/tmp/kernels" in TEXT and "--read-only --tmpfs /tmp" in TEXT


def test_the_command_that_it_runs_has_these_options():
    (line,) = re.findall(r"exec chainlist (gui [^\]]*)", TEXT)
    said = set(re.findall(r"--[a-z-]+", line))
    known = {
        name for option in get_command(app).commands["gui"].params for name in (*option.opts, *option.secondary_opts)
    }
    assert said and said <= known
