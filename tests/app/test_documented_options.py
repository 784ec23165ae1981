"""Commands in the documentation have the options that they are shown with."""

import re
from pathlib import Path

from typer.main import get_command

from chainlist.app.cli import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "editors").glob("*/*.md")]
COMMANDS = {
    name: {"--help", *(word for option in command.params for word in (*option.opts, *option.secondary_opts))}
    for name, command in get_command(app).commands.items()
}


def test_every_documented_option_is_there():
    seen, wrong = 0, []
    for path in PAGES:
        for shown in re.finditer(r"\bchainlist ([a-z]+)\b([^`\n]*)", path.read_text(encoding="utf-8")):
            options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", shown[2])) if shown[1] in COMMANDS else set()
            seen += len(options)
            wrong += [(path.name, shown[0], option) for option in options - COMMANDS.get(shown[1], set())]
    assert not wrong and seen > 20
