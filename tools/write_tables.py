"""`make tables`: write the tables of the program into the pages of docs/, for those who read them in the repository."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "src"), str(ROOT)]

from docsite.tables import DOCS, for_files  # noqa: E402

for page in DOCS.rglob("*.md"):
    before = page.read_text(encoding="utf-8")
    after = for_files(before)
    if after != before:
        page.write_text(after, encoding="utf-8")
        sys.stdout.write(f"{page.relative_to(ROOT)}\n")
