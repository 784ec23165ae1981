"""The built site: strict, complete, and it asks nobody for anything."""

import fcntl
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlparse

import pytest

from chainlist.elements import REGISTRY as CONSTRAINTS
from chainlist.examples import gallery
from chainlist.model.commands import COMMANDS
from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS
from chainlist.model.units import UNITS
from tests.docs.pages import ROOT

# Attributes that make a browser fetch something; <a href> is only followed by a reader.
FETCHED = {
    "script": ("src",),
    "link": ("href",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "object": ("data",),
    "embed": ("src",),
    "use": ("href", "xlink:href"),
    "image": ("href", "xlink:href"),
    "form": ("action",),
}
# Addresses in the theme's own scripts: licences, and features that these pages do not use.
IN_THE_THEME = {
    "https://api.github.com/repos/",
    "https://api.github.com/users/",
    "https://clipboardjs.com/",
    "https://unpkg.com/mermaid@11/dist/mermaid.min.js",
    "https://unpkg.com/resize-observer-polyfill",
    "http://lunrjs.com",
    "http://tartarus.org/",
    "https://bit.ly/2s3ChXG",
}


@pytest.fixture(scope="session")
def site() -> Path:
    """The site, built once for all processes of a test run."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    target, stamp = build / "site-under-test", build / "site-under-test.stamp"
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with (build / "site-under-test.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != run:
            surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "1"}
            command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
            done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            stamp.write_text(run)
    return target


def pages(site: Path) -> list[Path]:
    """The pages of the site itself; motions are pages of their own with tests of their own, 404 is for servers."""
    others = ("gallery", "motions")
    return [path for path in sorted(site.rglob("*.html")) if path.parent.name not in others and path.name != "404.html"]


class Reader(HTMLParser):
    """What a page would make a browser fetch, and all its words."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in FETCHED.get(tag, ()) and value:
                self.fetched.append(value)
            if name == "style" and value:
                self.fetched += re.findall(r"url\(([^)]*)\)", value)

    def handle_data(self, data):
        self.words.append(data)


def read(path: Path) -> Reader:
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def words(path: Path) -> str:
    return " ".join("".join(read(path).words).split())


def test_pages_fetch_only_what_lies_beside_them(site):
    assert len(pages(site)) > 15
    for path in pages(site):
        for address in read(path).fetched:
            parts = urlparse(address.strip("'\""))
            assert not parts.netloc and parts.scheme in ("", "data"), f"{path.name} fetches {address}"
            if parts.path and not parts.scheme:
                assert (path.parent / parts.path).exists(), f"{path.name}: {address} is not there"


def test_styles_fetch_nothing(site):
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert "@import" not in text and "@font-face" not in text
        for address in re.findall(r"url\(([^)]*)\)", text):
            assert address.strip("'\"").startswith(("data:", "#")) or not urlparse(address.strip("'\"")).netloc, address


def test_scripts_know_no_addresses_but_those_of_unused_parts_of_the_theme(site):
    for path in site.rglob("*.js"):
        if path.name == "search_index.js" or "lunr" in path.parts:
            continue  # the words of the pages; languages of the search that are not loaded
        text = path.read_text(encoding="utf-8")
        for address in re.findall(r"https?://[\w./@-]+", text):
            assert address in IN_THE_THEME or "w3.org" in address, f"{path.name}: {address}"


def test_the_reference_has_everything_the_program_knows(site):
    folder = site / "language"
    options, items, entities = (words(folder / name) for name in ("options.html", "items.html", "index.html"))
    assert all(option.name in options and option.meaning in options for option in OPTIONS.values())
    assert all(item.name in items and item.meaning in items for item in OBSERVABLES.values())
    assert all(kind.syntax in entities and kind.meaning in entities for kind in CONSTRAINTS.values())
    assert all(f"{unit.name} {unit.meaning}" in entities for unit in UNITS.values())
    assert all(f".{command}" in entities for command in COMMANDS)
    messages = (folder / "messages.html").read_text(encoding="utf-8")
    for page in (ROOT / "src/chainlist/syntax/explain").glob("*.md"):
        assert f'id="{page.stem.lower()}"' in messages
    text = (site / "gallery.html").read_text(encoding="utf-8")
    for example in gallery():
        assert f"gallery/{example.name}.html" in text
        assert (site / "gallery" / f"{example.name}.html").stat().st_size > 10_000
        assert (site / "gallery" / f"{example.name}.png").stat().st_size > 1_000


def test_kernels_cite_equations_that_the_page_has(site):
    page = (site / "mathematics.html").read_text(encoding="utf-8")
    cited = set()
    for folder in ("formulations", "solvers"):
        for path in (ROOT / "src/chainlist" / folder).glob("*.py"):
            cited |= set(
                re.findall(r"(?:# |formula |equations |mixed, )\((B\.3|\d+)\)", path.read_text(encoding="utf-8"))
            )
    assert {"4", "6", "8", "10", "B.3"} <= cited
    for number in cited:
        assert f'id="eq-{number.lower().replace(".", "-")}"' in page, number


def test_formulas_are_drawn_and_none_is_left_as_text(site):
    for path in pages(site):
        text = path.read_text(encoding="utf-8")
        assert "arithmatex" not in text and "\\(" not in words(path), path.name
    assert (site / "mathematics.html").read_text(encoding="utf-8").count('<svg role="img"') > 60


@pytest.mark.browser
def test_no_page_asks_anybody_and_none_complains(site, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    asked, complaints = [], []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    for path in pages(site):
        page.goto(path.as_uri())
        page.wait_for_timeout(50)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path.name} is wider than the window"
    context.close()
    assert asked and all(urlparse(address).scheme in ("file", "data", "blob", "about") for address in asked)
    assert not complaints


@pytest.mark.browser
def test_pages_fit_a_telephone(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    for path in pages(site):
        page.goto(path.as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path.name} is wider than the window"
    context.close()


@pytest.mark.browser
def test_search_works_from_a_disk(site, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("ellipse")
    page.locator(".md-search-result__item").first.wait_for(timeout=20_000)
    assert page.locator(".md-search-result__item a[href*='extending.html']").count() > 0
    context.close()
