"""A class presses Run at once: some of them in real browsers, the others clients of the page's protocol."""

import asyncio
import html
import json
import re
import statistics
import threading
import time

import aiohttp
import pytest
import socketio

from chainlist.app.workbench import wire

from .conftest import PATIENCE, run_async

CHAIN = (
    "User {n}\nB1 (0.1,0) 1\n...\nB16 (1.6,0) 1\nC1 B1 (0,0)\n...\nC16 B15 B16\n.tran 0 10 1E-3\n.options SAVE=0.01\n"
)

pytestmark = pytest.mark.browser


class Client:
    """Somebody whose browser is a few lines of Python: types a text, presses Run, follows the stream to its end."""

    def __init__(self, web, url, number):
        self.web, self.url, self.text = web, url, CHAIN.format(n=number)
        self.asked = asyncio.Queue()  # what the server asks our components to do
        self.waited = False  # in the queue

    async def enter(self):
        """Load the page, replace its text, and wait for what was found in it."""
        async with self.web.get(self.url + "/") as response:
            page = await response.text()
        self.id = re.search(r"'client_id': '([^']+)'", page)[1]
        self.elements = json.loads(html.unescape(re.search(r"parseElements\(String\.raw`(.*?)`\)", page, re.S)[1]))
        self.socket = socketio.AsyncClient()
        self.socket.on("run_javascript", lambda message: self.asked.put_nowait(message["code"]))
        self.socket.on("update", self.look)
        query = f"client_id={self.id}&next_message_id=0&implicit_handshake=true&tab_id={self.id}&document_id={self.id}"
        await self.socket.connect(
            f"{self.url}?{query}", socketio_path="/_nicegui_ws/socket.io", transports=["websocket"]
        )
        await self.do("q-toggle", "update:modelValue", False)  # not live: we press Run ourselves
        before = self.element("nicegui-codemirror")["props"]["value"]
        change = {"sections": [len(before), len(self.text)], "inserted": [self.text.split("\n")]}
        await self.do("nicegui-codemirror", "update:value", change)
        return await self.method("read")

    def look(self, message):
        self.waited |= "before you" in json.dumps(message)

    def element(self, tag, label=None):
        fitting = (e for e in self.elements.values() if e["tag"] == tag)
        return next(e for e in fitting if label is None or e["props"].get("aria-label") == label)

    async def do(self, tag, event, value, label=None):
        element = self.element(tag, label)
        number = next(int(key) for key, e in self.elements.items() if e is element)
        listener = next(x["listener_id"] for x in element["events"] if x["type"] == event)
        data = {"id": number, "client_id": self.id, "listener_id": listener, "args": [json.dumps(value)]}
        await self.socket.emit("event", data)

    async def method(self, name):
        """Wait until the server calls a method of one of our components; its arguments."""
        while True:
            found = re.fullmatch(rf'return runMethod\(\d+, "{name}", (.*)\)', await self.asked.get(), re.S)
            if found:
                return json.loads(found[1])

    async def run(self):
        """Press Run and read the whole stream: seconds, kinds of the messages."""
        begin = time.monotonic()
        await self.do("q-btn", "click", None, "Run")
        path, *_ = await self.method("follow")
        kinds = []
        async with self.web.get(self.url + path) as response:
            while kinds[-1:] not in (["scene"], ["failed"]):
                message = await wire.receive(response.content)
                kinds.append(message.kind)
        return time.monotonic() - begin, kinds, message.data.get("title")


async def crowd(url, users, results):
    """Everybody enters, then all press Run at once; meanwhile the page is asked for again and again."""
    timeout = aiohttp.ClientTimeout(total=2 * PATIENCE)
    async with aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=0)) as web:
        clients = [Client(web, url, n) for n in range(users)]
        await asyncio.gather(*(client.enter() for client in clients))
        results["ready"].set()
        while not results["go"].is_set():
            await asyncio.sleep(0.02)
        answers = []

        async def visit():
            while True:
                begin = time.monotonic()
                async with web.get(url + "/status") as response:
                    assert response.status == 200
                    await response.read()
                answers.append(time.monotonic() - begin)
                await asyncio.sleep(0.1)

        visitor = asyncio.create_task(visit())
        results["runs"] = await asyncio.gather(*(client.run() for client in clients))
        visitor.cancel()
        results["waited"] = sum(client.waited for client in clients)
        results["answers"] = answers
        await asyncio.gather(*(client.socket.disconnect() for client in clients))


def test_a_change_of_more_than_a_million_characters_is_heard_and_told_to_be_too_long(bench):
    async def scenario():
        async with aiohttp.ClientSession() as web:
            client = Client(web, bench.url, 1)
            client.text = "a line\n" * 150_000
            try:
                return await asyncio.wait_for(client.enter(), PATIENCE)
            finally:
                await client.socket.disconnect()

    (reading,) = run_async(scenario())
    (message,) = reading["diagnostics"]
    assert "1,050,000 characters are more than the 1,000,000" in message["message"] and reading["length"] == 1_050_000


@pytest.mark.parametrize("count, browsers", [(6, 1), pytest.param(20, 2, marks=pytest.mark.long)])
def test_a_class_presses_run_at_once(user, visit, bench, capsys, count, browsers):
    users = [user, *(visit() for _ in range(browsers - 1))]
    replaced = bench.status()["replaced"]
    for n, user in enumerate(users):
        user.live(False)
        user.write(CHAIN.format(n=f"browser {n}"))
        user.wait("chainlistBench.mode === 'start' && chainlistBench.player.scene?.bodies.length === 16")
    results = {"ready": threading.Event(), "go": threading.Event()}
    thread = threading.Thread(target=lambda: asyncio.run(crowd(bench.url, count - browsers, results)))
    thread.start()
    assert results["ready"].wait(PATIENCE)
    results["go"].set()
    for user in users:
        user.press("Run")
    for n, user in enumerate(users):
        user.wait_for_run(f"User browser {n}")
    thread.join(2 * PATIENCE)

    times = [seconds for seconds, _, _ in results["runs"]]
    assert sorted(title for _, _, title in results["runs"]) == sorted(f"User {n}" for n in range(count - browsers))
    assert all(kinds[0] == "begin" and kinds[-1] == "scene" for _, kinds, _ in results["runs"])
    assert results["waited"] >= count // 3  # the place in the queue was shown
    assert bench.status()["replaced"] == replaced, "no process was given up"
    assert len(results["answers"]) >= count // 4, "the server answered others meanwhile"
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{count} users ({browsers} in browsers) press Run at once: all done in {max(times):.1f} s, "
            f"median {statistics.median(times):.1f} s, {results['waited']} saw their place in the queue; "
            f"the server answered {len(results['answers'])} times meanwhile, "
            f"median {1e3 * statistics.median(results['answers']):.0f} ms, slowest {1e3 * max(results['answers']):.0f} ms"
        )
