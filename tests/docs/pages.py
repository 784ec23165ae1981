"""The pages whose examples are run: the README and everything under docs/ that is written by hand."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OTHERS = ("labs", "exercises")  # these have tests of their own


def pages() -> list[Path]:
    own = [path for path in sorted(DOCS.rglob("*.md")) if path.relative_to(DOCS).parts[0] not in OTHERS]
    return [ROOT / "README.md", *own]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))
