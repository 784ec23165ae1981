"""Sessions with real workers and no browser: what is read, run, refused, limited, exported."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np
import pytest

import chainlist
from chainlist.app.workbench import pulls, wire
from chainlist.app.workbench.formats import FORMATS
from chainlist.app.workbench.pool import Pool
from chainlist.app.workbench.pulls import Grab
from chainlist.app.workbench.results import ResultStore
from chainlist.app.workbench.session import Bench, Session
from chainlist.app.workbench.settings import RunLimits, Settings
from chainlist.output.traces import read_trace

from .conftest import LONG, PENDULUM


class Notebook:
    """A screen that only takes notes."""

    def __init__(self):
        self.readings, self.previews, self.followed, self.progress, self.ends = [], [], [], [], []

    def show_reading(self, reading):
        self.readings.append(reading)

    def show_preview(self, url, *, version, run_follows):
        self.previews.append((url, run_follows))

    def follow(self, url, *, version, live, asked):
        self.followed.append((url, live))

    def follow_pull(self, url):
        self.followed.append((url, "pull"))

    def let_go(self):
        self.followed.append(None)

    def show_progress(self, progress):
        self.progress.append(progress)

    def show_end(self, ending, message):
        self.ends.append((ending, message))


class KeptPool(Pool):
    """A pool for one test after the other: a process takes longer to start than most of what they ask of it."""

    def __init__(self):
        super().__init__(1)
        self.jobs = []

    def submit(self, *asked, **settings):
        self.jobs.append(super().submit(*asked, **settings))
        return self.jobs[-1]

    async def give_up_what_is_left(self):
        for job in self.jobs:
            job.abandon()
        await asyncio.gather(*(job.wait() for job in self.jobs))
        self.jobs.clear()
        self.replaced = 0


class Kept:
    """The pools of all tests here, with the loop that they belong to and the thread of that loop."""

    def __init__(self):
        self.thread = ThreadPoolExecutor(1)
        self.runner = asyncio.Runner()
        self.pools = ()

    def run(self, scenario):
        return self.thread.submit(self.runner.run, scenario).result()

    async def start(self):
        self.pools = KeptPool(), KeptPool()
        await asyncio.gather(*(pool.start() for pool in self.pools))

    async def stop(self):
        await asyncio.gather(*(pool.stop() for pool in self.pools))


@pytest.fixture(scope="module", autouse=True)
def kept():
    global KEPT
    KEPT = Kept()
    KEPT.run(KEPT.start())
    yield
    KEPT.run(KEPT.stop())
    KEPT.thread.submit(KEPT.runner.close).result()
    KEPT.thread.shutdown()


def run_async(scenario):
    """Run a coroutine to its end where the pools are."""
    return KEPT.run(scenario)


@asynccontextmanager
async def workbench(**settings):
    checks, runs = KEPT.pools
    bench = Bench(Settings(runs_at_a_time=1, **settings), checks, runs, ResultStore(20, 500))
    try:
        yield bench
    finally:
        await asyncio.gather(checks.give_up_what_is_left(), runs.give_up_what_is_left())
        bench.results.close()


async def until(condition, seconds=120):
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def visitor(bench, text=""):
    session = Session(bench, Notebook(), text)
    return session, session.screen


async def run_of(session, text):
    """Run a text on request and wait for its end: (ending, message) and the last message of its stream."""
    session.live = False
    screen = session.screen
    session.set_text(text, "open")
    await until(lambda: session.reading is not None)
    before = len(screen.ends)
    session.run()
    key = screen.followed[-1][0].rpartition("/")[2]
    result = session.bench.results.get(key)
    await until(lambda: len(screen.ends) > before)
    return screen.ends[-1], _message(result.last)


def _message(data):
    text, blob = wire._HEAD.unpack(data[:8])
    return wire._message(data[8 : 8 + text], data[8 + text : 8 + text + blob])


def test_reading_running_exporting(tmp_path):
    async def scenario():
        async with workbench() as bench:
            session, screen = visitor(bench)
            session.set_text("Wrong\nB1 (1,0) 1\nC1 B1 B7\n", "edit")
            await until(lambda: screen.readings)
            (message,) = [d for d in screen.readings[0]["diagnostics"] if d["severity"] == "error"]
            assert (message["line"], message["column"], message["from"], message["to"]) == (3, 7, 23, 25)
            assert not screen.previews and not screen.followed

            session.set_text(PENDULUM, "edit")  # valid and small: it runs by itself
            await until(lambda: screen.ends)
            assert screen.previews[-1][1] is True and screen.followed[-1][1] is True
            assert screen.ends == [("done", "")] and screen.progress[-1] is None

            end, last = await run_of(session, PENDULUM)
            assert end == ("done", "") and last.kind == "scene" and last.data["status"]["ok"]
            assert [group["name"] for group in last.data["groups"]][:2] == ["Plots", "Paths"]

            exact = chainlist.simulate(chainlist.parse(PENDULUM))
            for key in FORMATS:
                if key in (
                    "mp4",
                    "plots",
                    "table",
                    "sliders",
                ):  # as GIF and SVG, but slow; others need .step, or a knob
                    continue
                outcome = await session.export(key)
                assert outcome.ending == "done", (key, outcome.message)
                path = bench.results.get(session.latest).folder / outcome.data["file"]
                assert path.stat().st_size > 1000, key
                if key in ("npz", "nc", "csv", "raw", "trace"):
                    trace = read_trace(path, exact.mechanism)
                    assert np.abs(trace.q - exact.q).max() < 1e-12, key
            assert (await session.export("exe")).ending == "failed"

            session.set_text(PENDULUM.replace("A pen", "Shared pen"), "shared")
            followed = len(screen.followed)
            await until(lambda: session.reading is not None)
            await asyncio.sleep(0.3)
            assert len(screen.followed) == followed and screen.previews[-1][1] is False
            session.close()
            assert len(bench.results) == 0 and not bench.previews

    run_async(scenario())


def test_limits_are_kept_by_the_worker():
    """The session asks for the run all the same, as a tampered page could."""
    limits = RunLimits(steps=50_000, bodies=40, samples=200_000, seconds=1.5, megabytes=3_000, characters=2_000)
    chain = "Chain\nB1 (0.1,0) 1\n...\nB{n} ({x},0) 1\nC1 B1 (0,0)\n...\nC{n} B{m} B{n}\n.tran 0 1 1E-3\n"
    cases = [
        (PENDULUM.replace("1E-3", "1E-5"), "400,000 steps are more than the 50,000"),
        (chain.format(n=50, m=49, x=5), "50 bodies are more than the 40"),
        (chain.format(n=40, m=39, x=4).replace("0 1 1E-3", "0 10 1E-3"), "SAVE="),
    ]

    async def scenario():
        async with workbench(limits=limits) as bench:
            session, _ = visitor(bench)
            for text, words in cases:
                (ending, message), last = await run_of(session, text)
                assert ending == "failed" and words in message, message
                assert words in session.reading["refusal"] and last.kind == "failed"
            session.set_text("x" * 3000, "open")
            await until(lambda: session.reading is not None)
            assert "3,000 characters" in session.reading["diagnostics"][0]["message"]
            bomb = "Bomb\nB1 (0,0) 1\n...\nB1000000 (1,0) 1\n"
            (ending, _), _ = await run_of(session, bomb)
            assert ending == "failed" and not session.reading["ok"]
            assert bench.runs.replaced == 0  # refusing costs no process

            slow = replace(limits, steps=10**9, samples=10**9)
            bench.settings = replace(bench.settings, limits=slow)
            (ending, message), last = await run_of(session, LONG)
            assert ending == "done" and "1.5 s" in message and last.kind == "scene"  # what was computed is shown
            assert not last.data["status"]["ok"]

    run_async(scenario())


def test_a_run_that_takes_too_much_memory_is_ended_and_others_go_on():
    limits = RunLimits(samples=10**9, megabytes=250)
    hungry = LONG.replace(".options SAVE=0.05", "").replace("0 1000 1E-4", "0 400 1E-4")  # 4e6 samples of 30 bodies

    async def scenario():
        async with workbench(limits=limits) as bench:
            session, _ = visitor(bench)
            assert (await run_of(session, PENDULUM))[0][0] == "done"
            (ending, message), _ = await run_of(session, hungry)
            assert ending == "failed" and "250 MB" in message
            assert (await run_of(session, PENDULUM))[0][0] == "done"
            assert bench.runs.replaced == 1

    run_async(scenario())


def test_nothing_of_the_servers_files_can_be_read_or_written(tmp_path):
    folder, outside = tmp_path / "workspace", tmp_path / "outside.chain"
    folder.mkdir()
    outside.write_text("B2 (2,0) 1\nC2 B1 B2\n")
    (folder / "part.chain").write_text("B2 (2,0) 1\nC2 B1 B2\n")
    (folder / "link.chain").symlink_to(outside)
    target = tmp_path / "written.txt"

    async def scenario():
        base = 'T\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.1 1E-3\n.include "{}"\n'
        async with workbench(folder=folder) as bench:
            session, _ = visitor(bench)
            assert (await run_of(session, base.format("part.chain")))[0][0] == "done"
            for name in ("../outside.chain", str(outside), "link.chain", "/etc/passwd"):
                (ending, _), _ = await run_of(session, base.format(name))
                assert ending == "failed" and not session.reading["ok"], name
                assert "root:" not in json.dumps(session.reading)
            writing = PENDULUM + f".print TEXTTRACEFILE={target} Time Q(B1)\n.print BINTRACEFILE=../x.npz Time Q(B1)\n"
            assert (await run_of(session, writing))[0][0] == "done"
            assert (await session.export("trace")).ending == "done"
            assert not target.exists() and not (tmp_path / "x.npz").exists()
            assert sorted(p.name for p in folder.iterdir()) == ["link.chain", "part.chain"]
        async with workbench() as bench:  # without a folder there is nothing to include
            session, _ = visitor(bench)
            assert (await run_of(session, base.format("part.chain")))[0][0] == "failed"

    run_async(scenario())


def test_files_are_included_from_the_folder_of_the_chainlist(tmp_path):
    (tmp_path / "work" / "sub" / "parts").mkdir(parents=True)
    (tmp_path / "work" / "sub" / "parts" / "arm.chain").write_text("B2 (2,0) 1\nC2 B1 B2\n")
    (tmp_path / "work" / "top.chain").write_text("B2 (2,0) 1\nC2 B1 B2\n")
    (tmp_path / "outside.chain").write_text("B2 (2,0) 1\nC2 B1 B2\n")

    async def scenario():
        base = 'T\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.1 1E-3\n.include "{}"\n'
        async with workbench(folder=tmp_path / "work") as bench:
            session, _ = visitor(bench)
            session.file_name = "sub/main.chain"
            for name in ("parts/arm.chain", "../top.chain"):
                assert (await run_of(session, base.format(name)))[0][0] == "done", name
            assert (await run_of(session, base.format("../../outside.chain")))[0][0] == "failed"
            assert (await run_of(session, base.format("top.chain")))[0][0] == "failed"
            (message,) = session.reading["diagnostics"]
            assert message["help"] == "it was looked for in work/sub" and str(tmp_path) not in json.dumps(message)

    run_async(scenario())


def test_edits_while_a_live_run_goes_on_are_run_when_it_ends():
    async def scenario():
        async with workbench() as bench:
            session, screen = visitor(bench)
            session.set_text(PENDULUM, "open")
            await until(lambda: session.running)
            session.set_text(PENDULUM.replace("(1,0)", "(2,0)"), "edit")
            await until(lambda: len(screen.ends) == 2)
            last = _message(bench.results.get(session.latest).last)
            assert "(2,0)" in last.data["text"]
            assert [live for _, live in screen.followed] == [False, True]

    run_async(scenario())


def test_a_text_that_is_back_while_it_runs_is_followed_once_more():
    async def scenario():
        async with workbench() as bench:
            session, screen = visitor(bench)
            session.live = False
            session.set_text(LONG, "open")
            session.run()
            for text in ("Nothing\n", LONG):
                session.set_text(text, "edit")
                await until(lambda: session.reading is not None)
            (first, live), second = screen.followed
            assert second == (first, live) and screen.previews[-1][1] is True
            session.cancel()
            await until(lambda: not session.running)

    run_async(scenario())


def test_a_run_that_nobody_asked_for_ends_with_its_text():
    """With Live off, an edit lets go of a run that live mode began; one that was asked for goes on."""

    async def scenario():
        async with workbench() as bench:
            session, screen = visitor(bench)
            session.set_text(PENDULUM.replace("0 4 1E-3", "0 400 1E-3"), "open")
            await until(lambda: session.running)
            session.live = False
            session.set_text(PENDULUM, "edit")
            await until(lambda: screen.previews and session.reading is not None and not session.running)
            assert screen.followed[-1] is None and screen.previews[-1][1] is False
            other, notes = await long_run(bench)
            other.set_text(PENDULUM, "edit")
            await until(lambda: other.reading is not None)
            assert other.running and other.runs_earlier_text and None not in notes.followed
            other.cancel()
            await until(lambda: not other.running)

    run_async(scenario())


async def long_run(bench):
    """A visitor who has pressed Run, with something that takes long."""
    session, screen = visitor(bench)
    session.live = False
    session.set_text(LONG, "open")
    await until(lambda: session.reading is not None)
    session.run()
    return session, screen


async def under_way(screen):
    await until(lambda: any(p and p.fraction > 0 for p in screen.progress))


def test_cancel_keeps_what_was_computed():
    async def scenario():
        async with workbench() as bench:
            session, screen = await long_run(bench)
            await under_way(screen)
            job = session._job
            session.cancel()
            await until(lambda: screen.ends)
            assert screen.ends[0][0] == "cancelled"
            assert job._finish_by > 0  # a longer motion would have been given time for its report
            last = _message(bench.results.get(session.latest).last)
            assert last.data["status"]["cancelled"] and len(last.blob) > 1000

    run_async(scenario())


def test_a_page_that_goes_away_hears_no_more_of_its_run():
    async def scenario():
        async with workbench() as bench:
            session, screen = await long_run(bench)
            await under_way(screen)
            session.close()
            heard = len(screen.progress)
            other, _ = visitor(bench)
            assert (await run_of(other, PENDULUM))[0][0] == "done"
            assert len(screen.progress) == heard

    run_async(scenario())


def test_a_tab_that_is_loaded_again_gives_its_worker_back_at_once():
    async def scenario():
        async with workbench() as bench:
            session, screen = await long_run(bench)
            session.be_replaced()  # by a copy of the tab, which is still there
            await under_way(screen)
            session.leave()
            await until(lambda: not session.running)
            assert screen.ends[0][0] == "cancelled"
            assert bench.sessions == {session.key: session}
            session.close()
            assert not bench.sessions

    run_async(scenario())


def test_a_connection_that_is_lost_for_a_moment_ends_no_run():
    async def scenario():
        async with workbench() as bench:
            session, screen = visitor(bench)
            session.set_text(PENDULUM, "open")
            session.leave()
            await until(lambda: screen.ends)
            session.come()
            assert screen.ends == [("done", "")]

    run_async(scenario())


def test_strange_text_gets_messages_not_tracebacks():
    async def scenario():
        async with workbench() as bench:
            session, _ = visitor(bench)
            for evil in ("<script>alert(1)</script>", "\x00\x01", "\N{GRINNING FACE}" * 50, "(" * 5000):
                session.set_text(f"{evil}\nB1 {evil} 1\nC1 B1 (0,0)\n", "open")
                await until(lambda: session.reading is not None)
                assert not session.reading["ok"] and bench.checks.replaced == 0

    run_async(scenario())


def test_a_number_that_keeps_moving_is_run_on_the_way():
    async def scenario():
        async with workbench() as bench:
            session, screen = visitor(bench)
            session.set_text(PENDULUM, "open")
            await until(lambda: screen.ends)
            for k in range(150):  # three seconds without a pause
                session.set_text(PENDULUM.replace("(1,0)", f"(1.{k + 1:03d},0)"), "edit")
                await asyncio.sleep(0.02)
            on_the_way = len(screen.ends)
            await until(lambda: not session.running and session.reading is not None)
            await until(lambda: "(1.150,0)" in _message(bench.results.get(session.latest).last).data["text"])
            assert on_the_way >= 3

    run_async(scenario())


@pytest.mark.parametrize("lets_go", [True, False])
def test_a_pull_leaves_its_worker_to_a_run_and_to_whoever_waits(lets_go, monkeypatch):
    """At once when it is let go, else after a while."""
    monkeypatch.setattr(pulls, "OTHERS_WAIT", 0.1 if not lets_go else 1e3)

    async def scenario():
        async with workbench() as bench:
            session, screen = visitor(bench, PENDULUM)
            grab = Grab("B1", [0.5, 0.5])
            session.pulls.begin(grab)
            first = bench.results.get(screen.followed[-1][0].removeprefix("/runs/"))
            await until(lambda: len(first.messages) > 5)
            ending, _ = await run_of(session, PENDULUM)
            assert ending == ("done", "") and not session.pulls.going_on and first.ended
            session.pulls.begin(grab)
            result = bench.results.get(screen.followed[-1][0].removeprefix("/runs/"))
            await until(lambda: len(result.messages) > 5)
            other, _ = visitor(bench)
            other.set_text(PENDULUM, "open")
            await until(lambda: bench.runs.waiting)
            if lets_go:
                session.pulls.steer(replace(grab, at=None))
            await until(lambda: other.latest is not None)
            assert result.ended and not session.pulls.going_on
            assert _message(result.last).data["message"] == ("" if lets_go else pulls.WHY_OTHERS)

    run_async(scenario())
