"""Pages opened in the browser, offline (the browser itself is a fixture of all tests)."""

import time
from importlib import resources
from pathlib import Path

import pytest


class Opened:
    """A page in the browser, with all that it asked for and complained about."""

    def __init__(self, tab, path: Path):
        self.tab, self.url = tab, path.as_uri()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        tab.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        tab.goto(self.url)
        self.wait("Boolean(globalThis.chainlist?.player.drawing.view)")  # which it has once it was painted

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


@pytest.fixture
def open_page(browser, tmp_path):
    """Opens the text of a page from a file, offline; afterwards nothing may have been asked for or gone wrong."""
    contexts, pages = [], []

    def opener(html: str, *, playing=False, **settings) -> Opened:
        path = tmp_path / f"page{len(pages)}.html"
        path.write_text(html, encoding="utf-8")
        motion = "no-preference" if playing else "reduce"
        contexts.append(browser.new_context(offline=True, reduced_motion=motion, **settings))
        pages.append(Opened(contexts[-1].new_page(), path))
        return pages[-1]

    yield opener
    for context in contexts:
        context.close()
    for page in pages:
        assert page.requests == [page.url]
        assert page.complaints == []


@pytest.fixture
def modules(browser):
    """A bare page that imports the player's modules as such, the way the workbench does, with a host of 600 × 400.

    The address does not exist: the browser is given the files when it asks for them.
    """
    web = resources.files("chainlist.output").joinpath("web")
    context = browser.new_context(reduced_motion="reduce")
    tab = context.new_page()
    complaints = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))

    def answer(route):
        name = route.request.url.rsplit("/", 1)[1]
        if name:
            route.fulfill(body=web.joinpath(name).read_text("utf-8"), content_type="text/javascript")
        else:
            route.fulfill(body='<div id="host" style="width:600px;height:400px"></div>', content_type="text/html")

    tab.route("**/*", answer)
    tab.goto("http://modules.test/")
    yield tab
    context.close()
    assert complaints == []
