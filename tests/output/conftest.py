"""Pages opened in the browser, offline (the browser itself is a fixture of all tests)."""

import itertools
import json
import time
from importlib import resources
from pathlib import Path

import pytest


class Opened:
    """A page in the browser, with all that it asked for and complained about."""

    def __init__(self, tab, path: Path):
        self.tab, self.url = tab, path.as_uri()
        self.size = tab.viewport_size
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.heard = {
            "request": lambda request: self.requests.append(request.url),
            "pageerror": lambda error: self.complaints.append(str(error)),
            "console": lambda message: self.complaints.append(message.text) if message.type == "error" else None,
            "dialog": lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()),
        }
        for event, hear in self.heard.items():
            tab.on(event, hear)
        tab.goto(self.url)
        self.wait("globalThis.chainlist?.player.scene && !chainlist.player.stale")  # it was painted

    def leave(self):
        """Give the tab back as it was."""
        for event, hear in self.heard.items():
            self.tab.remove_listener(event, hear)
        self.tab.goto("about:blank")
        self.tab.set_viewport_size(self.size)

    def run(self, code: str):
        """The value of an expression in the page."""
        return self.tab.evaluate(f"() => ({code})")

    def wait(self, code: str, seconds: float = 30):
        """Wait until an expression is true. (Playwright's own waiting needs eval, which the page forbids.)"""
        end = time.monotonic() + seconds
        while not self.run(code):
            assert time.monotonic() < end, f"still not: {code}"
            self.tab.wait_for_timeout(20)

    def settle(self):
        """Wait until everything asked for is painted."""
        self.tab.evaluate(
            "() => new Promise(done => { const look = () => chainlist.player.stale"
            " ? requestAnimationFrame(look) : requestAnimationFrame(() => done(true)); requestAnimationFrame(look); })"
        )

    def picture(self) -> bytes:
        """The pixels of the mechanism."""
        self.settle()
        return self.run("chainlist.player.canvas.toDataURL()")


@pytest.fixture(scope="session")
def kept_tabs(browser):
    """Tabs by what was asked of them, while no test has them: a new one is twice as much work as another page in an old one."""
    tabs: dict[str, list] = {}
    yield tabs
    for tab in itertools.chain(*tabs.values()):
        tab.context.close()


@pytest.fixture
def open_page(browser, kept_tabs, tmp_path):
    """Opens the text of a page from a file, offline; afterwards nothing may have been asked for or gone wrong."""
    pages = []

    def opener(html: str, *, playing=False, **settings) -> Opened:
        path = tmp_path / f"page{len(pages)}.html"
        path.write_text(html, encoding="utf-8")
        asked = {"offline": True, "reduced_motion": "no-preference" if playing else "reduce", **settings}
        kept = kept_tabs.setdefault(json.dumps(asked, sort_keys=True), [])
        opened = Opened(kept.pop() if kept else browser.new_context(**asked).new_page(), path)
        pages.append((opened, kept))
        return opened

    yield opener
    for page, kept in pages:
        page.leave()
        kept.append(page.tab)
    for page, _ in pages:
        assert page.requests == [page.url]
        assert page.complaints == []


@pytest.fixture(scope="session")
def bare_tab(browser):
    """The address does not exist: the browser is given the player's modules when it asks for them."""
    web = resources.files("chainlist.output").joinpath("web")
    tab = browser.new_context(reduced_motion="reduce").new_page()

    def answer(route):
        name = route.request.url.rsplit("/", 1)[1]
        if name:
            route.fulfill(body=web.joinpath(name).read_text("utf-8"), content_type="text/javascript")
        else:
            route.fulfill(body='<div id="host" style="width:600px;height:400px"></div>', content_type="text/html")

    tab.route("**/*", answer)
    yield tab
    tab.context.close()


@pytest.fixture
def modules(bare_tab):
    """A bare page that imports the player's modules as such, the way the workbench does, with a host of 600 × 400."""
    complaints = []

    def hear(error):
        complaints.append(str(error))

    bare_tab.on("pageerror", hear)
    bare_tab.goto("http://modules.test/")
    yield bare_tab
    bare_tab.goto("about:blank")
    bare_tab.remove_listener("pageerror", hear)
    assert complaints == []
