"""A running workbench, and a browser to look at it."""

import asyncio
import http.client
import itertools
import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.browser import hurry

PENDULUM = "A pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 4 1E-3\n.plot PATH(B1) Y(B1)\n"
LONG = "Long\nB1 (0.1,0) 1\n...\nB30 (3,0) 1\nC1 B1 (0,0)\n...\nC30 B29 B30\n.tran 0 1000 1E-4\n.options SAVE=0.05\n"
# s until something that must happen has not: long, for kernels are compiled on the way, on a busy machine
PATIENCE = int(os.environ.get("CHAINLIST_PATIENCE", "180"))
# Without a graphics card a moving picture takes all the work that is left: four frames a second are enough for most tests
FEW_FRAMES = 230  # ms between them
SIZE = {"width": 1300, "height": 850}  # of the window
FRAMES = """{
  globalThis.framePause = PAUSE;
  const frame = requestAnimationFrame, waiting = new Map();
  globalThis.requestAnimationFrame = (paint) => {
    const timer = setTimeout(() => waiting.set(timer, frame((now) => { waiting.delete(timer); paint(now); })), framePause);
    return timer;
  };
  const cancel = cancelAnimationFrame;
  globalThis.cancelAnimationFrame = (timer) => { clearTimeout(timer); if (waiting.has(timer)) cancel(waiting.get(timer)); };
}"""
# The line of a page, which a test makes slow or holds. What is sent or heard stays in its order.
LINE = """(() => {
  const Plain = WebSocket, fetchNow = window.fetch, sent = [], heard = [];
  globalThis.line = {
    delay: 0,  // ms: the round trip
    held: false,  // the server hears of nothing
    pass(queue, work) {
      if (!line.delay && !line.held && !queue.length) return work();
      queue.push(work);
      if (!(line.held && queue === sent)) setTimeout(() => queue.shift()?.(), line.delay / 2);
    },
    release() { line.held = false; sent.splice(0).forEach((work) => work()); },
  };
  window.WebSocket = class extends Plain {
    send(data) { line.pass(sent, () => super.send(data)); }
    set onmessage(listener) { super.onmessage = (event) => line.pass(heard, () => listener(event)); }
    get onmessage() { return super.onmessage; }
  };
  window.fetch = (...all) =>
    line.delay ? new Promise((done, fail) => setTimeout(() => fetchNow(...all).then(done, fail), line.delay)) : fetchNow(...all);
})();"""
# Notices go by themselves after some seconds, for which the next test would wait.
DISMISS = "notices.splice(0).forEach((dismiss) => dismiss())"
NOTICES = """addEventListener("load", () => {
  if (!globalThis.Quasar) return;  // a page without words
  const {create} = Quasar.Notify;
  globalThis.notices = [];
  Quasar.Notify.create = (...all) => { const dismiss = create(...all); notices.push(dismiss); return dismiss; };
});"""
# A caret that blinks is painted again and again, fifty times as often where all that moves is hurried.
STEADY_CARET = """addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = ".cm-cursorLayer { animation: none !important; }";
  document.head.append(style);
});"""
# Back to how a page is at first, in three steps: what is open is closed, the text is a blank one in a tab of its own, and
# nothing is left of what was shown.
CLOSE = """(({draw, pull, player}) => {
  globalThis.atFirst ??= {tool: draw.tool, shows: {...player.shows}};
  pull.end();
  draw.properties.close(false);
  draw.menu.close(false);
  chainlistBench.axisMenu.close(false);
  draw.toggle(false);
})(chainlistBench)"""
BLANK = """(() => {
  const ask = confirm, at = (name) => [...document.querySelectorAll(`.bench-documents [aria-label^="${name}"]`)];
  globalThis.confirm = () => true;
  at("New tab")[0].click();
  at("Close ").slice(0, -1).forEach((button) => button.click());
  document.querySelector("[aria-label=Cancel]").click();
  globalThis.confirm = ask;
})()"""
FORGET = """((bench) => {
  const {draw, player, pull, tabs} = bench;
  Object.assign(draw, {tool: atFirst.tool, cross: null});
  Object.assign(pull, {held: null, live: null, scene: null, pulls: [], frames: 0});
  pull.keys.name = null;
  Object.assign(bench, {run: null, late: null, plotsOf: null, fitNext: false, askedAt: 0});
  Object.assign(tabs, {chosen: null, seeksLast: false});
  tabs.show(null, null);
  tabs.setTime(0);
  player.follow("");
  for (const [name, on] of Object.entries(atFirst.shows)) player.set(name, on);
  bench.read(bench.freshness.text);
  document.activeElement.blur();
  history.replaceState(null, "", location.pathname);
})(chainlistBench)"""
IDLE = "document.querySelector('[aria-label=Cancel]').getAttribute('aria-disabled') === 'true'"
# All that the server says of a text without a body is there: the message, and no handles, knobs or items of plots.
READ_AS_BLANK = (
    "document.querySelector('.bench-problem')?.textContent.includes('there is no body in this chainlist')"
    " && !chainlistBench.handles.length && !chainlistBench.plots.items.length"
)
WORKSPACE = {
    "pendulum.chain": PENDULUM,
    "parts/arm.chain": "B2 (2,0) 1\nC2 B1 B2\n",
    "with-arm.chain": 'With an arm\nB1 (1,0) 1\nC1 B1 (0,0)\n.include "parts/arm.chain"\n.tran 0 1 1E-3\n.plot PATH(B2)\n',
    "windows.chain": "From Windows\r\nB1 (1,0) 1\r\nC1 B1 (0,0)\r\n",
}


class Workbench:
    """A server in a process of its own."""

    def __init__(self, *arguments, folder=None, log=None, token="", port=0):
        """Without a token by default; `token=None` leaves the choice to the workbench."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-P", "-m", "chainlist", "gui", "--no-show", "--port", str(self.port)]
        if token:
            command += ["--token", token]
        elif token is not None:
            command += ["--no-token"]
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [*command, *arguments, *([str(folder)] if folder else [])], stdout=log, stderr=log
        )
        while True:
            try:
                self.get("/status")
                break
            except OSError:
                assert self.process.poll() is None, "the workbench did not start"
                assert time.monotonic() - begin < PATIENCE, "the workbench does not answer"
                time.sleep(0.05)
        self.start_seconds = time.monotonic() - begin

    def get(self, path, method="GET", **headers):
        """Status, headers and body; `headers` may replace Host."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    def status(self):
        return json.loads(self.get("/status")[2])

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    for name, text in WORKSPACE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


@pytest.fixture(scope="session")
def bench(workspace, tmp_path_factory):
    """A workbench for all tests, with one run at a time however many cores there are; its log must stay empty of errors."""
    log = tmp_path_factory.mktemp("log") / "log.txt"
    with log.open("wb") as stream:
        running = Workbench("--max-seconds", "200", "--max-runs", "1", folder=workspace, log=stream)
        yield running
        running.stop()
    assert "Traceback" not in log.read_text(), log.read_text()


def run_async(scenario):
    """Run a coroutine to its end in a thread of its own: the loop of this one may be the browser's."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, scenario).result()


class User:
    """Somebody at the workbench."""

    def __init__(self, context, bench, address="/", script=""):
        self.bench = bench
        self.context = context
        self.tab = context.new_page()
        if script:
            self.tab.add_init_script(script)
        self.requests, self.complaints = [], []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.tab.on("dialog", self.answer)
        hurry(self.tab)
        self.come(address)

    def come(self, address):
        """Load the page."""
        self.tab.goto(self.bench.url + address)
        self.wait("Boolean(globalThis.chainlistEditor && globalThis.chainlistBench)")

    def leave(self):
        """Close all tabs but one, and keep nothing in mind: who comes next is new here."""
        for tab in self.context.pages:
            if tab is not self.tab:
                tab.close()
        self.context.clear_cookies()
        self.tab.goto(f"{self.bench.url}/status")  # no scripts there, that would keep something when it is left
        self.run("(localStorage.clear(), sessionStorage.clear())")

    def answer(self, dialog):
        """Leave where the browser asks whether to; no other dialog may come."""
        if dialog.type != "beforeunload":
            self.complaints.append(dialog.message)
        dialog.accept()

    def run(self, code, argument=None):
        return self.tab.evaluate(f"(argument) => ({code})", argument)

    def wait(self, code):
        """Wait until an expression is true."""
        self.tab.wait_for_function(f"() => ({code})")

    @property
    def text(self):
        return self.run("chainlistEditor.state.doc.toString()")

    def write(self, text):
        """Replace the text, as if it were pasted; wait until it was read."""
        self.run(
            "chainlistEditor.dispatch({changes: {from: 0, to: chainlistEditor.state.doc.length, insert: argument}})",
            text,
        )

    def wait_for_run(self, title):
        """Wait until the run of a chainlist with this title is shown."""
        self.wait(f"chainlistBench.mode === 'run' && chainlistBench.run?.title === {json.dumps(title)}")
        self.painted()

    def painted(self):
        """Wait until all that has changed so far is drawn."""
        self.tab.evaluate("() => new Promise(requestAnimationFrame)")

    def press(self, name):
        self.tab.get_by_role("button", name=name, exact=True).click()

    def open_file(self, name):
        self.press("Open")
        self.tab.get_by_role("button", name=name, exact=True).click()

    def live(self, on):
        switch = self.tab.get_by_role("switch", name="Live")
        if switch.get_attribute("aria-checked") != str(on).lower():
            switch.click()
        self.wait(f"document.querySelector('[role=switch]').getAttribute('aria-checked') === '{str(on).lower()}'")

    def resize(self, width, height=SIZE["height"]):
        """Another size of the window."""
        self.tab.set_viewport_size({"width": width, "height": height})
        self.wait(f"innerWidth === {width} && innerHeight === {height}")

    def slow(self, delay):
        """Make the line slow: ms of the round trip, for whatever the page sends or hears."""
        self.run("line.delay = argument", delay)

    def tidy(self):
        """Leave the page as it is at first, but for a blank text: nothing pinned, drawn, chosen, open or on its way."""
        self.slow(0)
        self.tab.mouse.move(1, 1)
        if self.run("document.querySelector('.q-dialog, .q-menu') !== null"):
            self.tab.keyboard.press("Escape")
            self.wait("!document.querySelector('.q-dialog, .q-menu')")
        if self.run("!document.querySelector('.bench-learn').hidden"):
            self.press("Close Learn")
        if self.run("document.querySelector('[aria-label=Unpin]') !== null"):
            self.press("Unpin")
            self.wait("document.querySelector('[aria-label=Pin]') && !chainlistBench.pinned")
        self.live(True)
        self.run(CLOSE)
        self.run(BLANK)
        self.run(DISMISS)
        self.wait(f"{IDLE} && {READ_AS_BLANK} && !document.querySelector('.q-notification')")
        self.run(FORGET)
        self.run("import('/bench/bench.js').then(({tell}) => tell('pane', 'edit'))")
        self.run("framePause = argument", FEW_FRAMES)
        if self.tab.viewport_size != SIZE:
            self.resize(**SIZE)
        assert self.run("chainlistBench.mode") == "empty"

    def check(self):
        """Nothing may have gone wrong so far, and nobody else been asked for anything."""
        outside = [url for url in self.requests if not url.startswith((self.bench.url, "data:", "blob:"))]
        assert outside == []
        assert self.complaints == []
        self.requests.clear()

    def picture(self):
        return self.run("chainlistBench.player.canvas.toDataURL()")

    def place_of(self, x, y):
        """Where a point of the plane is on the screen."""
        return self.run(
            "(() => { const {view, canvas} = chainlistBench.player, box = canvas.getBoundingClientRect();"
            " return [box.left + view.x(argument[0]) / view.ratio, box.top + view.y(argument[1]) / view.ratio]; })()",
            [x, y],
        )


def enter(browser, bench, address="/", script="", tour=False, pause=FEW_FRAMES, **settings):
    """Somebody at a page of their own. `pause`: ms between frames; 0: as many as the browser likes."""
    settings.setdefault("viewport", SIZE)
    context = browser.new_context(**settings)
    context.set_default_timeout(1000 * PATIENCE)
    if not tour:  # it is for who is here for the first time
        context.add_init_script("localStorage.setItem('chainlist-tour', 'seen')")
    context.add_init_script(LINE + NOTICES + STEADY_CARET)
    if pause:
        context.add_init_script(FRAMES.replace("PAUSE", str(pause)))
    return User(context, bench, address, script)


@pytest.fixture(scope="session")
def left_pages(browser, bench):
    """By what was asked of them, pages that somebody has left: to load one again is half the work of a new one."""
    pages = {}
    yield pages
    for user in itertools.chain(*pages.values()):
        user.context.close()


@pytest.fixture
def visit(request, browser, bench, left_pages):
    """Opens the workbench, as often as one likes and in any way; afterwards nothing may have gone wrong."""
    users = []

    def visitor(address="/", **settings):
        left = left_pages.setdefault(json.dumps(settings, sort_keys=True), [])
        if left:
            user = left.pop()
            user.come(address)
        else:
            user = enter(browser, bench, address, **settings)
        users.append((user, left))
        return user

    yield visitor
    for user, left in users:
        if FAILED in request.node.stash or user.tab.is_closed():
            user.context.close()
        else:
            user.leave()
            left.append(user)
    for user, _ in users:
        user.check()


FAILED = pytest.StashKey[bool]()


def pytest_runtest_makereport(item, call):
    """A page on which something went wrong is not used again."""
    if call.excinfo:
        item.stash[FAILED] = True


@pytest.fixture(scope="session")
def kept_pages(browser, bench):
    """The page that tests share, while none of them has it: to load one takes longer than most tests."""
    pages = []
    yield pages
    for user in pages:
        user.context.close()


@pytest.fixture
def user(request, browser, bench, kept_pages):
    """Somebody at a page that others had before: all is as at first, but the text is a blank one. Afterwards as for `visit`.

    What is about loading, storage, addresses or a size of the window, or changes the page itself, has a `visit` of its own.
    """
    if kept_pages:
        user = kept_pages.pop()
    else:
        user = enter(browser, bench)
        user.wait("chainlistBench.run?.status.ok")
        user.tidy()
    yield user
    if FAILED in request.node.stash:
        user.context.close()
        return
    user.tidy()
    user.check()
    kept_pages.append(user)
