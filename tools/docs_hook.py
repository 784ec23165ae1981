"""The hooks of mkdocs: they fill the pages with what the program itself knows. The work is in `docsite/`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "src"), str(ROOT)]

from docsite import formulas, tables  # noqa: E402
from docsite.blocks import with_pictures  # noqa: E402
from docsite.pictures import Studio  # noqa: E402
from mkdocs.structure.files import File  # noqa: E402

# Written by `make labs` or by hand: left out of the navigation where they are not there.
OPTIONAL = ("labs/", "exercises/", "errata.md")

studio = Studio(ROOT / "build" / "docs")


def on_config(config: Any) -> Any:
    config.nav = _present(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Any, config: Any) -> Any:
    """Run what the pages show, and add the pictures to the site."""
    for page in list(files.documentation_pages()):
        text = Path(page.abs_src_path).read_text(encoding="utf-8")
        for name, path in studio.pictures_of(page.src_uri, text).items():
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    markdown = tables.filled(markdown, page.file.src_uri)
    return with_pictures(markdown, page.file.src_uri)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    return formulas.drawn(html, studio.cache)


def _present(nav: Any, docs: Path) -> Any:
    """The navigation with `folder/*.md` spelled out, and without optional pages that do not exist.

    A mistake in any other name stays an error.
    """
    if isinstance(nav, list):
        entries = [_present(item, docs) for item in nav]
        return [one for entry in entries for one in (entry if isinstance(entry, list) else [entry]) if one]
    if isinstance(nav, dict):
        return {title: kept for title, inner in nav.items() if (kept := _present(inner, docs))}
    if "*" in nav:
        return sorted(path.relative_to(docs).as_posix() for path in docs.glob(nav))
    return None if nav.startswith(OPTIONAL) and not (docs / nav).is_file() else nav
