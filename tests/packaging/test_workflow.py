"""The workflow and the hooks name commands and files that exist."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def test_the_workflow_runs_what_ci_runs_and_make_knows():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8"))
    commands = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    assert "bash .ci/run" in commands and (ROOT / ".ci" / "run").is_file()
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    made = {word for command in commands if command.startswith("make ") for word in command.split()[1:]}
    assert made and made <= targets


def test_the_hooks_are_those_of_make_lint():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    lint = (ROOT / "Makefile").read_text(encoding="utf-8").split("lint: setup\n")[1].split("\n\n")[0]
    tools = set(re.findall(r"\$\(BIN\)/(\S+)", lint))
    assert tools <= {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in hooks}
