"""A running workbench, and a browser to look at it."""

import asyncio
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

PENDULUM = "A pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 4 1E-3\n.plot PATH(B1) Y(B1)\n"
LONG = "Long\nB1 (0.1,0) 1\n...\nB30 (3,0) 1\nC1 B1 (0,0)\n...\nC30 B29 B30\n.tran 0 1000 1E-4\n.options SAVE=0.05\n"
# s until something that must happen has not: long, for kernels are compiled on the way, on a busy machine
PATIENCE = int(os.environ.get("CHAINLIST_PATIENCE", "180"))
# Without a graphics card a moving picture takes all the work that is left: four frames a second are enough for most tests
FEW_FRAMES = 230  # ms between them
FRAMES = """{
  const frame = requestAnimationFrame, waiting = new Map();
  globalThis.requestAnimationFrame = (paint) => {
    const timer = setTimeout(() => waiting.set(timer, frame((now) => { waiting.delete(timer); paint(now); })), PAUSE);
    return timer;
  };
  const cancel = cancelAnimationFrame;
  globalThis.cancelAnimationFrame = (timer) => { clearTimeout(timer); if (waiting.has(timer)) cancel(waiting.get(timer)); };
}"""
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
    """A workbench for all tests; what it logs must stay empty of errors."""
    log = tmp_path_factory.mktemp("log") / "log.txt"
    with log.open("wb") as stream:
        running = Workbench("--max-seconds", "200", folder=workspace, log=stream)
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
        self.tab = context.new_page()
        if script:
            self.tab.add_init_script(script)
        self.requests, self.complaints = [], []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.tab.on("dialog", self.answer)
        self.tab.goto(bench.url + address)
        self.wait("Boolean(globalThis.chainlistEditor && globalThis.chainlistBench)")

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

    def picture(self):
        return self.run("chainlistBench.player.canvas.toDataURL()")

    def place_of(self, x, y):
        """Where a point of the plane is on the screen."""
        return self.run(
            "(() => { const {view, canvas} = chainlistBench.player, box = canvas.getBoundingClientRect();"
            " return [box.left + view.x(argument[0]) / view.ratio, box.top + view.y(argument[1]) / view.ratio]; })()",
            [x, y],
        )


@pytest.fixture
def visit(browser, bench):
    """Opens the workbench; afterwards nothing may have gone wrong, and nobody else been asked for anything."""
    contexts, users = [], []

    def visitor(address="/", script="", tour=False, pause=FEW_FRAMES, **settings):
        """`pause`: ms between frames; 0: as many as the browser likes."""
        settings.setdefault("viewport", {"width": 1300, "height": 850})
        contexts.append(browser.new_context(**settings))
        contexts[-1].set_default_timeout(1000 * PATIENCE)
        if not tour:  # it is for who is here for the first time
            contexts[-1].add_init_script("localStorage.setItem('chainlist-tour', 'seen')")
        if pause:
            contexts[-1].add_init_script(FRAMES.replace("PAUSE", str(pause)))
        users.append(User(contexts[-1], bench, address, script))
        return users[-1]

    yield visitor
    for context in contexts:
        context.close()
    for user in users:
        outside = [url for url in user.requests if not url.startswith((bench.url, "data:", "blob:"))]
        assert outside == []
        assert user.complaints == []
