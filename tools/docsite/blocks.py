"""The fenced blocks of a page, for the site that draws them and for the tests that run them.

    ```chain title="pendulum.chain" plot play

`title` names the file; `plot` asks for the picture of each `.plot`, drawn from a run when the site is built; `play` for
a page with the motion. A block that is meant to be refused says `wrong`, one that needs a plug-in says `plugin`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(
    r"^(?P<indent>[ ]*)```(?P<language>\w+)(?P<rest>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$",
    re.DOTALL | re.MULTILINE,
)
_TITLE = re.compile(r'title="([^"]*)"')
_OURS = ("plot", "play", "wrong", "plugin")  # words of the first line that Markdown need not see


@dataclass(frozen=True)
class Block:
    """One fenced block: its number on the page from 1, its language, what its first line says, its text."""

    number: int
    language: str
    title: str
    words: frozenset[str]
    text: str
    line: int

    @property
    def name(self) -> str:
        return f"{self.language} in line {self.line}"


def blocks(markdown: str) -> list[Block]:
    """All fenced blocks of a page that name a language."""
    return [block for block, _ in _found(markdown)]


def _found(markdown: str) -> Iterator[tuple[Block, re.Match[str]]]:
    for number, found in enumerate(_FENCE.finditer(markdown), start=1):
        title = _TITLE.search(found["rest"])
        words = frozenset(_TITLE.sub("", found["rest"]).split())
        line = markdown.count("\n", 0, found.start()) + 1
        text = textwrap.dedent(found["text"])
        yield Block(number, found["language"], title.group(1) if title else "", words, text, line), found


def picture_name(page: str, block: Block, number: int) -> str:
    return f"pictures/{_slug(page)}-{block.number}-{number}.svg"


def motion_name(page: str, block: Block) -> str:
    return f"motions/{_slug(page)}-{block.number}.html"


def _slug(page: str) -> str:
    return re.sub(r"\W+", "-", page.removesuffix(".md"))


def up(page: str) -> str:
    """The way from a page to the top of the site."""
    return "../" * page.count("/")


def plots_in(text: str) -> int:
    return len(re.findall(r"^\s*\.plot\b", text, re.MULTILINE | re.IGNORECASE))


def with_pictures(markdown: str, page: str) -> str:
    """The page with its pictures below the blocks that ask for them, and without our words in the first lines."""
    out, end = [], 0
    for block, found in _found(markdown):
        out.append(markdown[end : found.start()] + _without_our_words(found) + _pictures(block, page, found["indent"]))
        end = found.end()
    return "".join(out) + markdown[end:]


def _without_our_words(found: re.Match[str]) -> str:
    rest = found["rest"]
    for word in _OURS:
        rest = re.sub(rf"(?<=\s){word}(?=\s|$)", "", rest)
    return found.group().replace(f"```{found['language']}{found['rest']}", f"```{found['language']} {rest.strip()}", 1)


def _pictures(block: Block, page: str, indent: str) -> str:
    lines = []
    title = block.text.splitlines()[0].strip("* ") if block.text else ""
    if "plot" in block.words:
        for number in range(1, plots_in(block.text) + 1):
            lines.append(f"![{title}]({up(page)}{picture_name(page, block, number)}){{ .picture loading=lazy }}")
    if "play" in block.words:
        lines.append(f"[Play the motion]({up(page)}{motion_name(page, block)}){{ .play target=_blank }}")
    return "".join(f"\n\n{indent}{line}" for line in lines)
