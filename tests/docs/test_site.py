"""The built site: strict, complete, and it asks nobody for anything.

`make test` reads and checks all pages, but writes and visits a few of them; `make test-long` all.
"""

import fcntl
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlparse

import numpy as np
import pytest

import chainlist
from chainlist.elements import REGISTRY as CONSTRAINTS
from chainlist.examples import gallery
from chainlist.model.commands import COMMANDS
from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS
from chainlist.model.units import UNITS
from chainlist.run.simulate import simulate
from tests.browser import hurry
from tests.docs.pages import DOCS, ROOT

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


WHOLE, FEW = "site-under-test", "few-pages-under-test"


@pytest.fixture(scope="session", params=[FEW, pytest.param(WHOLE, marks=pytest.mark.long)])
def site(request) -> Path:
    """The site, built once for all processes of a test run."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    target, stamp = build / request.param, build / f"{request.param}.stamp"
    plan = ROOT / "mkdocs.yml" if request.param == WHOLE else Path(__file__).with_name("few.yml")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with (build / f"{request.param}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != run:
            surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "1"}
            # not --quiet: what is not said is not counted, and nothing would be strict
            words = ["build", "--strict", "--config-file", str(plan), "--site-dir", str(target)]
            command = [sys.executable, "-m", "mkdocs", *words]
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
    assert len(pages(site)) > (15 if site.name == WHOLE else 9)
    for path in pages(site):
        for address in read(path).fetched:
            parts = urlparse(address.strip("'\""))
            assert not parts.netloc and parts.scheme in ("", "data"), f"{path.name} fetches {address}"
            if parts.path and not parts.scheme:
                assert is_there(site, path.parent / parts.path), f"{path.name}: {address} is not there"


def is_there(site: Path, path: Path) -> bool:
    """A file of the site; of a site of few pages also a page that was not written."""
    left_out = DOCS / path.resolve().relative_to(site).with_suffix(".md")
    return path.exists() or (site.name == FEW and left_out.exists())


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
    for example in gallery() if site.name == WHOLE else gallery()[:1]:
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
def test_pages_ask_nobody_do_not_complain_and_fit_a_telephone_and_a_screen(site, browser):
    context = browser.new_context()
    asked, complaints = [], []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    hurry(page)
    for path in pages(site):
        page.set_viewport_size({"width": 390, "height": 800})
        page.goto(path.as_uri())
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_timeout(500)  # the theme lets its search box slide to its place
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{path.name} is wider than a window of {width} pixels"
    context.close()
    assert asked and all(urlparse(address).scheme in ("file", "data", "blob", "about") for address in asked)
    assert not complaints


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


def drifted(system):
    """The largest |Φ| of a pendulum by the midpoint rule, in ten seconds; not compiled, for that takes longer than to run it."""
    options = f".options DAESYSTEM={system} INTEGRATOR=MIDPOINT"
    text = f"* P\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 10 1E-2\n{options}\n.plot Time\n"
    motion = simulate(chainlist.parse(text), target="python")
    return float(np.abs((motion.q[:, 0] ** 2).sum(axis=1) - 1).max())


@pytest.mark.browser
def test_pictures_beside_equations_compute_what_the_program_does_and_follow_their_sliders(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((site / "mathematics.html").as_uri())
    for name in ("(4) INDEX1", "(8) INDEX1_2", "(10) INDEX1_2_DAMPED"):
        asked = "name => chainlistLive.worst(chainlistLive.run({system: name, h: 0.01, seconds: 10}))"
        assert page.evaluate(asked, name) == pytest.approx(drifted(name.split()[1]), rel=1e-5)
    assert page.evaluate("chainlistLive.worst(chainlistLive.run({system: 'PROJECTED', h: 0.01}))") < 1e-15
    pendulum, drift = page.locator(".live[data-live=pendulum]"), page.locator(".live[data-live=drift]")
    assert pendulum.locator("p").inner_text().startswith("largest 19.62 N")  # m g (3 - 2 cos 60°)
    pendulum.locator("input").nth(1).fill("90")
    assert pendulum.locator("p").inner_text().startswith("largest 29.43 N")
    before = drift.locator("p").inner_text()
    assert drift.locator("input").nth(1).is_disabled()  # only (10) is damped
    drift.locator("select").select_option("(10) INDEX1_2_DAMPED")
    assert drift.locator("input").nth(1).is_enabled() and drift.locator("p").inner_text() != before
    before = drift.locator("p").inner_text()
    drift.locator("select").select_option("PROJECTED")
    assert drift.locator("p").inner_text() != before and drift.locator("canvas").bounding_box()["width"] > 200
    context.close()
    assert not complaints


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_follow_the_theme_and_cards_have_padding(site, browser, scheme):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    drawn = {"index.html": "img.picture", "gallery.html": ".card img", "labs/claim-03.html": "p > img"}
    for name, figure in drawn.items():
        page.goto((site / name).as_uri())
        turned = page.locator(f".md-content {figure}").first.evaluate("image => getComputedStyle(image).filter")
        assert ("invert" in turned) == (scheme == "dark"), name
    page.goto((site / "workbench.html").as_uri())
    screenshot = page.locator(".md-content p > img").first
    assert screenshot.evaluate("image => getComputedStyle(image).filter") == "none"
    page.goto((site / "index.html").as_uri())
    gap = "card => card.querySelector('a').getBoundingClientRect().left - card.getBoundingClientRect().left"
    assert page.locator(".cards .card").first.evaluate(gap) > 5
    context.close()
