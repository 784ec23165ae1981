"""Measure claims and write their pages: `python -m chainlist.labs.book docs` does it for all, as `make labs`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from chainlist.labs.base import FAILS, PARTLY, Claim, Measured
from chainlist.labs.draw import save_drawing
from chainlist.labs.exercises import EXERCISES, exercise_text
from chainlist.labs.pages import CLAIMS, WRITTEN, as_data, claim, page


def write_claim(subject: Claim, measured: Measured, folder: Path) -> Path:
    """The page of a claim, its pictures and its results; returns the page."""
    name = f"claim-{subject.number:02d}"
    pictures = {key: save_drawing(d, folder, f"{name}-{key}") for key, d in measured.drawings.items()}
    data = as_data(measured, pictures)
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path = folder / f"{name}.md"
    path.write_text(page(subject, data), encoding="utf-8")
    return path


def overview(results: dict[int, dict[str, Any]]) -> str:
    """The page that lists all claims with their verdicts."""
    lines = [
        "# The paper, measured",
        "",
        WRITTEN,
        "",
        "These pages repeat the claims of the paper with this program. Each page names the settings, shows the figures and says",
        "whether the claim holds. `chainlist claim 3` runs one; `make labs` runs all and writes these pages.",
        "",
        "| claim | | verdict |",
        "| --- | --- | --- |",
    ]
    for number, data in results.items():
        named = [part for part in data["parts"] if part.get("under")]
        words = [f"*{part['statement'].rstrip('.')}* with {part['under']}" for part in named]
        if data["verdict"] == PARTLY:
            failed = [part for part in data["parts"] if part["verdict"] == FAILS]
            words += [f"*{part['statement'].rstrip('.')}* {FAILS}" for part in failed]
        verdict = f"{data['verdict']}: {'; '.join(words)}" if words else data["verdict"]
        lines.append(f"| {number} | [{claim(number).title}](claim-{number:02d}.md) | {verdict} |")
    return "\n".join(lines) + "\n"


def write_book(docs: Path) -> None:
    """All claims and exercises, under `docs/labs` and `docs/exercises`."""
    labs, exercises = docs / "labs", docs / "exercises"
    labs.mkdir(parents=True, exist_ok=True)
    exercises.mkdir(parents=True, exist_ok=True)
    results = {}
    for number in CLAIMS:
        sys.stderr.write(f"claim {number}: {claim(number).title}\n")
        path = write_claim(claim(number), claim(number).measure(), labs)
        results[number] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    (labs / "index.md").write_text(overview(results), encoding="utf-8")
    for number in EXERCISES:
        (exercises / f"{number}.md").write_text(exercise_text(number), encoding="utf-8")


if __name__ == "__main__":
    write_book(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
