"""A build of a few pages: all are read, and their tables, formulas and links checked; only these are drawn and written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docsite.pictures import Studio  # `tools/docs_hook.py`, which is loaded before, says where it is
from mkdocs.structure.files import InclusionLevel

from chainlist.examples import gallery

# One of each kind: pictures and cards, the gallery, screenshots, formulas, code, tables, a laboratory.
FEW = {
    "index.md",
    "extending.md",
    "gallery.md",
    "labs/claim-03.md",
    "language/index.md",
    "language/items.md",
    "language/messages.md",
    "language/options.md",
    "mathematics.md",
    "workbench.md",
}
EXAMPLE = gallery()[0]  # the one of the gallery that is drawn

_drawn, _pictures_of = Studio._drawn, Studio.pictures_of


def _pictures_of_a_page(self: Any, page: str, markdown: str) -> dict[str, Path]:
    self.page = page
    return _pictures_of(self, page, markdown)


def _drawn_or_blank(self: Any, key: str, suffix: str, draw: Any) -> Path:
    if self.page in FEW and (self.page != "gallery.md" or EXAMPLE.text in key):
        return _drawn(self, key, suffix, draw)
    blank: Path = self.cache / f"blank{suffix}"
    blank.parent.mkdir(parents=True, exist_ok=True)
    blank.touch()
    return blank


Studio.pictures_of, Studio._drawn = _pictures_of_a_page, _drawn_or_blank  # type: ignore[method-assign]


def on_env(env: Any, config: Any, files: Any) -> Any:
    """All pages are read: links to places in pages are checked here, for of those that are left out mkdocs would not."""
    for file in files.documentation_pages():
        file.page.validate_anchor_links(files=files, log_level=config.validation.links.anchors)
        if file.src_uri not in FEW:
            file.inclusion = InclusionLevel.EXCLUDED
    return env
