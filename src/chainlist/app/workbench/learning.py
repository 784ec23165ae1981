"""What the Learn panel shows: the guide, every word of the language, every message, the examples. All of it comes with the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import markdown2

from chainlist.app.pages import explain_page
from chainlist.app.workbench import gallery
from chainlist.language.vocabulary import vocabulary

GUIDE = ("tutorial", "start", "workbench", "analyses", "sweeps", "choosing", "faq")
LONGEST_TITLE = 80  # letters of what a word means, in the list
_FENCE = re.compile(r"^```\w+[^\n]*$", re.MULTILINE)
_TABLE = re.compile(r"^<!-- table: ([\w-]+) -->\n\*\(On the site.*?\)\*$", re.MULTILINE)
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)(\{[^}]*\})?\n?", re.MULTILINE)
_LINK = re.compile(r'href="(?:\.\./)*([\w/-]+)\.md(#[\w-]*)?"')
_AWAY = re.compile(r'<a href="(?!#)[^"]*">(.*?)</a>', re.DOTALL)


@cache
def pages() -> list[dict[str, Any]]:
    """All pages in the order of the list: a key, a group, a title, and the page as HTML."""
    return [*_guide(), *_words(), *_messages(), *_examples()]


def _guide() -> Iterator[dict[str, Any]]:
    folder = _folder()
    for name in GUIDE:
        yield _page(name, "Guide", folder.joinpath(f"{name}.md"))
    language = folder.joinpath("language")
    for path in sorted(language.iterdir(), key=lambda path: (path.name != "index.md", path.name)):
        if path.name.endswith(".md"):
            yield _page(f"language/{path.name.removesuffix('.md')}", "Language", path)


def _folder() -> Traversable:
    """Where the pages are: beside this file, copied by setup.py, or in a checkout's docs/."""
    inside = resources.files("chainlist.app.workbench").joinpath("guide")
    return inside if inside.is_dir() else Path(__file__).parents[4] / "docs"


def _page(key: str, group: str, path: Traversable) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    title = text.split("\n", 1)[0].lstrip("# ")
    return {"key": key, "group": group, "title": title, "html": _html(text, key)}


def _html(text: str, key: str = "") -> str:
    """A page of the guide: pictures are left out, tables are the program's own, links lead to pages here or nowhere."""
    text = _PICTURE.sub("", _TABLE.sub(lambda found: _table(found[1]), text))
    text = _FENCE.sub("```", text)  # colours would be those of another style sheet
    extras = ["fenced-code-blocks", "tables", "header-ids", "code-friendly", "cuddled-lists"]
    html = str(markdown2.markdown(text, extras={name: {} for name in extras}))
    base = key.rpartition("/")[0]

    def lead(found: re.Match[str]) -> str:
        above = found[0].startswith('href="../') or "/" in found[1] or not base
        target = found[1] if above else f"{base}/{found[1]}"
        return f'href="#{target}"' if target in GUIDE or target.startswith("language/") else 'href="away"'

    return _AWAY.sub(r"\1", _LINK.sub(lead, html))


def _table(name: str) -> str:
    words = vocabulary()
    rows: list[tuple[str, str, str]]
    match name:
        case "observables":
            rows = [(i.usage, i.unit, i.meaning) for i in words.observables]
        case "options":
            rows = [(o.name, o.default, f"{o.meaning} [{o.range}]") for o in words.options]
        case "functions":
            rows = [(f.usage, "", f.meaning) for f in words.functions]
        case "units":
            rows = [(u.usage, "", u.meaning) for u in words.units]
        case "entities" | "forms":
            rows = [(letter.usage, "", letter.meaning) for letter in words.letters]
        case "commands" | "analyses":
            rows = [(c.usage, "", c.meaning) for c in words.commands]
        case _:
            return "*(This table is in the documentation.)*"
    lines = "".join(
        f"<tr><td><code>{escape(a)}</code></td><td>{escape(b)}</td><td>{escape(c)}</td></tr>" for a, b, c in rows
    )
    return f"<table>{lines}</table>"


def _words() -> Iterator[dict[str, Any]]:
    """A short page for each word: what a hover in the text says too."""
    words = vocabulary()
    for group, found in (
        ("Elements", [(w.usage.split()[0], w.usage, w.meaning) for w in words.letters]),
        ("Commands", [(w.name, w.usage, w.meaning) for w in words.commands]),
        (
            "Options",
            [(o.name, f".options {o.name}={o.range}", f"{o.meaning}; default {o.default}") for o in words.options],
        ),
        ("Items", [(i.name, i.usage, i.meaning + (f", in {i.unit}" if i.unit else "")) for i in words.observables]),
        ("Functions", [(f.name, f.usage, f.meaning) for f in words.functions]),
    ):
        for number, (name, usage, meaning) in enumerate(found):
            html = f"<h1>{escape(name)}</h1><pre><code>{escape(usage)}</code></pre><p>{escape(meaning)}</p>"
            yield {"key": f"{group}/{number}", "group": group, "title": f"{name}: {_shortened(meaning)}", "html": html}


def _shortened(meaning: str) -> str:
    """For a list: as much as fits, up to the end of a part of the sentence, or else of a word."""
    if len(meaning) <= LONGEST_TITLE:
        return meaning
    head = meaning[: LONGEST_TITLE + 1]
    at = max((match.start() for match in re.finditer(r"[,;:] | \(", head)), default=0)
    return (head[:at] if at > LONGEST_TITLE // 3 else head.rsplit(" ", 1)[0]) + " …"


def _messages() -> Iterator[dict[str, Any]]:
    folder = resources.files("chainlist.syntax").joinpath("explain")
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".md"):
            code = path.name.removesuffix(".md")
            text = str(explain_page(code))
            yield {"key": code, "group": "Messages", "title": text.split("\n", 1)[0].lstrip("# "), "html": _html(text)}


def _examples() -> Iterator[dict[str, Any]]:
    for example in gallery.examples().values():
        story = f"<h1>{escape(example.title or example.name)}</h1><p>{escape(example.summary)}</p>"
        html = f"{story}<pre><code>{escape(example.text)}</code></pre>"
        yield {
            "key": f"example/{example.name}",
            "group": "Examples",
            "title": example.title or example.name,
            "html": html,
        }
