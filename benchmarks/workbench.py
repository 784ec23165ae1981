"""The workbench as its users feel it: how soon it is there, what a user costs, how smoothly bodies move."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.report import Goal, Line, Unavailable
from tests.browser import FLAGS, chromium

TITLE = "the workbench in Debian's chromium, without a graphics card; wall times, all cores"
USERS = 10
WATCHED = 4.0  # s of animation that are measured
USABLE = "Boolean(globalThis.chainlistEditor && globalThis.chainlistBench)"
MEASURE = """(seconds) => new Promise((done) => {
  const player = chainlistBench.player, tick = player.tick.bind(player), spent = [];
  const begin = performance.now();
  player.tick = (now) => {
    const before = performance.now();
    tick(now);
    spent.push(performance.now() - before);
    if (before - begin < 1000 * seconds) return;
    delete player.tick;
    spent.sort((a, b) => a - b);
    done([spent[spent.length >> 1], spent[Math.floor(0.95 * spent.length)], (1000 * spent.length) / (before - begin)]);
  };
})"""

CHAIN = """Chain with a knob
.param m=1 ; 0.5..2
B1 (0.1,0) 1
...
B15 (1.5,0) 1
B16 (1.6,0) m
C1 B1 (0,0)
...
C16 B15 B16
.tran 0 10 1E-3
.options SAVE=0.01
.plot Y(B16)
"""
# As often as a mouse says where it is: a driver of the browser would be slower than that.
TURN = """(seconds) => new Promise((done) => {
  const {slider} = chainlistBench.knobs.rows.get("m"), before = chainlistBench.redrawn, begin = performance.now();
  let k = 0;
  const hand = setInterval(() => {
    slider.value = 0.6 + 0.01 * (++k % 100);
    slider.dispatchEvent(new Event("input"));
    const passed = performance.now() - begin;
    if (passed < 1000 * seconds) return;
    clearInterval(hand);
    slider.dispatchEvent(new Event("change"));
    done((1000 * (chainlistBench.redrawn - before)) / passed);
  }, 16);
})"""
HOLD = """() => {
  const {player} = chainlistBench, {view, canvas, position} = player, box = canvas.getBoundingClientRect();
  return [box.left + view.px(position, 30) / view.ratio, box.top + view.py(position, 30) / view.ratio];
}"""
PULLED = """(seconds) => new Promise((done) => {
  const {player, pull} = chainlistBench, {draw} = player, {frames} = pull, begin = performance.now();
  let painted = 0;
  player.draw = () => { painted += 1; draw(); };
  setTimeout(() => {
    const passed = (performance.now() - begin) / 1000;
    player.draw = draw;
    done([(pull.frames - frames) / passed, painted / passed]);
  }, 1000 * seconds);
})"""


def run() -> list[Line]:
    """Every figure, in one server and one browser."""
    browser = chromium()
    if not browser:
        raise Unavailable("there is no chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Unavailable("playwright is not installed") from None
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))  # server, workers and browser share the machine as in life
    begin = time.perf_counter()
    with server() as (process, url), sync_playwright() as playwright:
        answering = time.perf_counter() - begin
        started = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
        before = time.perf_counter()
        page = visit(started.new_context(), url)
        first = time.perf_counter() - before
        page.wait_for_function("Boolean(chainlistBench.run)", timeout=120_000)
        moving = time.perf_counter() - begin
        before = time.perf_counter()
        page.reload()
        page.wait_for_function(USABLE, timeout=60_000)
        again = time.perf_counter() - before
        lines = [
            Line("command to an answering server", {"s": answering}),
            Line("first page, until it is usable", {"s": first}),
            Line("command to a moving picture", {"s": moving}),
            Line("page again", {"s": again}),
            *memory(process.pid, started, url),
        ]
        lines += [smoothness(page, bodies) for bodies in (2, 16, 128)]
        lines += [knob(page), pulling(page)]
        started.close()
    return lines


@contextlib.contextmanager
def server() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The command `chainlist gui` on a free port, until it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [sys.executable, "-m", "chainlist", "gui", "--no-show", "--no-token", "--port", str(port)]
    )
    try:
        for _ in range(2_000):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/status", timeout=5):
                break
            time.sleep(0.02)
        yield process, url
    finally:
        process.terminate()
        process.wait()


def visit(context: Any, url: str) -> Any:
    page = context.new_page()
    page.goto(url)
    page.wait_for_function(USABLE, timeout=60_000)
    return page


def memory(server_id: int, browser: Any, url: str) -> list[Line]:
    """What more users cost the server: their pages are open and idle."""
    if not Path(f"/proc/{server_id}/status").exists():
        return []
    alone = resident(server_id)
    context = browser.new_context()
    for _ in range(USERS):
        page = context.new_page()
        page.goto(url)
        page.wait_for_function(USABLE, timeout=60_000)
    together = resident(server_id)
    context.close()
    children = Path(f"/proc/{server_id}/task/{server_id}/children").read_text().split()
    workers = [resident(int(child)) for child in children]
    return [
        Line("server", {"MB": alone}),
        Line(f"each of {USERS} more users", {"MB": (together - alone) / USERS}),
        *(Line(f"worker process {n}", {"MB": size}) for n, size in enumerate(workers, start=1)),
    ]


def resident(process: int) -> float:
    """Megabytes of memory that a process occupies."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1000 for line in status if line.startswith("VmRSS"))


def smoothness(page: Any, bodies: int) -> Line:
    """Milliseconds of script a frame and frames a second, with trails and two plots whose cursor moves."""
    text = (
        f"{bodies} links\nB1 (0.1,0) 1\n...\nB{bodies} ({bodies / 10},0) 1\nC1 B1 (0,0)\nC2 B1 B2\n...\n"
        f"C{bodies} B{bodies - 1} B{bodies}\n.tran 0 10 1E-3\n.options SAVE=5ms\n.plot X(B1) Y(B{bodies})\n"
    )
    if bodies == 2:
        text = text.replace("...\nB2 ", "B2 ").replace("C2 B1 B2\n...\n", "")
    show(page, text, f"{bodies} links")
    page.evaluate("() => { const p = chainlistBench.player; p.set('trails', true); p.play(); }")
    usual, slow, rate = page.evaluate(MEASURE, WATCHED)
    figures: dict[str, float | str] = {"ms, median": usual, "ms, 95 %": slow, "frames per s": rate}
    goal = Goal(4.0) if bodies == 128 else None
    return Line(f"script a frame, {bodies} bodies", figures, usual if goal else None, goal)


def show(page: Any, text: str, title: str) -> None:
    """Put a text into the editor, and wait for its run."""
    page.evaluate(
        "(text) => chainlistEditor.dispatch({changes: {from: 0, to: chainlistEditor.state.doc.length, insert: text}})",
        text,
    )
    page.wait_for_function(
        f"chainlistBench.mode === 'run' && chainlistBench.run?.title === '{title}' && !chainlistBench.following",
        timeout=120_000,
    )


def knob(page: Any) -> Line:
    """Motions computed and drawn a second while a knob of a chain of 16 links is turned."""
    show(page, CHAIN, "Chain with a knob")
    page.evaluate(TURN, 1.0)  # what only the first ones need
    rate = page.evaluate(TURN, WATCHED)
    page.wait_for_function(
        "chainlistBench.run.partial === undefined && chainlistBench.run.text === chainlistEditor.state.doc.toString()",
        timeout=120_000,
    )
    return Line("knob turned, chain of 16 links", {"motions per s": rate})


def pulling(page: Any) -> Line:
    """Frames that come from the server and pictures that are painted a second while the end of the chain is pulled."""
    page.evaluate(
        "() => { const {player} = chainlistBench; player.set('trails', false); player.pause(); player.seek(1); }"
    )
    page.wait_for_function("!chainlistBench.player.stale")
    x, y = page.evaluate(HOLD)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 20, steps=3)
    page.wait_for_function("chainlistBench.pull.live?.head && chainlistBench.pull.frames > 5", timeout=60_000)
    came, painted = page.evaluate(PULLED, WATCHED)
    page.mouse.up()
    return Line("end of the chain pulled", {"frames per s": came, "pictures per s": painted})
