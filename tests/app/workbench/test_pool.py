"""The pool of worker processes, with tasks that need no solver."""

import asyncio
import gc
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from chainlist.app.workbench import pool
from chainlist.app.workbench.pool import Pool, QueueFull

from .conftest import run_async

WORKER = (sys.executable, "-P", str(Path(__file__).with_name("obedient_worker.py")))


@asynccontextmanager
async def pool_of(size, **options):
    pool = Pool(size, command=WORKER, **options)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.stop()


def test_messages_and_bytes_arrive_in_order():
    async def scenario():
        heard = []
        async with pool_of(1) as pool:
            job = pool.submit("count", {"to": 5}, on_message=heard.append)
            outcome = await job.wait()
        chunks = [m for m in heard if m.kind == "chunk"]
        assert [m.data["number"] for m in chunks] == [0, 1, 2, 3, 4]
        assert [m.blob for m in chunks] == [bytes([k]) * 3 for k in range(5)]
        assert outcome.ending == "done" and outcome.blob == b"the end" and outcome.data["reached"] == 5

    run_async(scenario())


def test_a_process_serves_job_after_job():
    async def scenario():
        async with pool_of(1) as pool:
            pids = [(await pool.submit("count", {"to": 1}).wait()).data["pid"] for _ in range(3)]
            assert len(set(pids)) == 1 and pool.replaced == 0

    run_async(scenario())


def test_runs_at_a_time_are_bounded_and_places_are_told():
    async def scenario():
        places = {k: [] for k in range(4)}
        async with pool_of(1) as pool:
            jobs = [pool.submit("count", {"to": 3}, on_position=places[k].append) for k in range(4)]
            assert [job.position for job in jobs] == [1, 2, 3, 4]
            await asyncio.gather(*(job.wait() for job in jobs))
        assert places[0] == [0]
        assert places[3] == [3, 2, 1, 0]

    run_async(scenario())


def test_too_many_waiting_jobs_are_refused():
    async def scenario():
        async with pool_of(1, most_waiting=2) as pool:
            pool.submit("count", {"to": 1})
            pool.submit("count", {"to": 1})
            with pytest.raises(QueueFull):
                pool.submit("count", {"to": 1})

    run_async(scenario())


def test_cancel_of_a_running_job_is_obeyed_and_keeps_the_process():
    async def scenario():
        begun = asyncio.Event()
        async with pool_of(1) as pool:
            job = pool.submit("count", {"to": 10_000}, on_message=lambda m: begun.set())
            await begun.wait()
            job.cancel()
            outcome = await job.wait()
            assert outcome.ending == "cancelled" and 0 < outcome.data["reached"] < 10_000
            assert (await pool.submit("count", {"to": 1}).wait()).ending == "done"
            assert pool.replaced == 0

    run_async(scenario())


def test_cancel_of_a_waiting_job_is_immediate_and_moves_the_others_up():
    async def scenario():
        async with pool_of(1) as pool:
            first = pool.submit("count", {"to": 50})
            second = pool.submit("count", {"to": 1})
            third = pool.submit("count", {"to": 1})
            second.cancel()
            assert (await asyncio.wait_for(second.wait(), 0.1)).ending == "cancelled"
            assert third.position == 2 and not first.ended
            assert (await third.wait()).ending == "done"

    run_async(scenario())


def test_a_second_cancel_of_a_waiting_job_changes_nothing():
    async def scenario():
        async with pool_of(1) as pool:
            pool.submit("count", {"to": 50})
            second = pool.submit("count", {"to": 1})
            second.cancel()
            second.cancel()
            assert (await second.wait()).ending == "cancelled" and pool.waiting == 1

    run_async(scenario())


@pytest.mark.parametrize("listener", ["on_message", "on_position"])
def test_a_listener_that_fails_does_not_stop_the_pool(listener):
    """A page may be gone when there is news for it."""

    def fail(news):
        raise RuntimeError("nobody is here any more")

    async def scenario():
        async with pool_of(1) as pool:
            jobs = [pool.submit("count", {"to": 3}, **{listener: fail}) for _ in range(2)]
            last = pool.submit("count", {"to": 1})
            outcomes = [await asyncio.wait_for(job.wait(), 20) for job in jobs]
            assert [outcome.ending for outcome in outcomes] == ["failed" if listener == "on_message" else "done"] * 2
            assert (await asyncio.wait_for(last.wait(), 20)).ending == "done"

    run_async(scenario())


def test_a_job_that_does_not_obey_is_killed_and_its_process_replaced():
    async def scenario():
        async with pool_of(1) as pool:
            job = pool.submit("deaf", {})
            while job.position != 0:
                await asyncio.sleep(0.01)
            job.cancel()
            assert (await asyncio.wait_for(job.wait(), 5)).ending == "cancelled"
            assert (await pool.submit("count", {"to": 1}).wait()).ending == "done"
            assert pool.replaced == 1

    run_async(scenario())


def test_time_limit_inside_and_outside():
    async def scenario():
        async with pool_of(2) as pool:
            polite = pool.submit("count", {"to": 10_000, "seconds": 0.3})
            stubborn = pool.submit("deaf", {"seconds": 0.3})
            outcome = await polite.wait()
            assert outcome.ending == "done" and outcome.data["timed_out"] and outcome.data["reached"] < 10_000
            outcome = await stubborn.wait()
            assert outcome.ending == "failed" and "more than 0.3 s" in outcome.message

    run_async(scenario())


def test_what_was_computed_is_written_down_after_a_cancel_and_after_the_time_limit(monkeypatch):
    monkeypatch.setattr("chainlist.app.workbench.pool.GRACE", 0.3)

    async def scenario():
        begun = asyncio.Event()
        async with pool_of(2) as pool:
            task = {"to": 10_000, "writing": 1.0}
            cancelled = pool.submit("report", task, on_message=lambda m: begun.set())
            late = pool.submit("report", task | {"seconds": 0.3})
            await begun.wait()
            cancelled.cancel()
            outcomes = [await cancelled.wait(), await late.wait()]
            assert [outcome.ending for outcome in outcomes] == ["cancelled", "done"]
            assert [outcome.blob for outcome in outcomes] == [b"the report"] * 2
            assert pool.replaced == 0

    run_async(scenario())


def test_a_job_that_is_abandoned_is_not_written_down(monkeypatch):
    monkeypatch.setattr("chainlist.app.workbench.pool.GRACE", 0.3)

    async def scenario():
        begun = asyncio.Event()
        async with pool_of(1) as pool:
            job = pool.submit("report", {"to": 10_000, "writing": 20.0}, on_message=lambda m: begun.set())
            await begun.wait()
            job.abandon()
            async with asyncio.timeout(5):
                assert (await job.wait()).ending == "cancelled"

    run_async(scenario())


def test_writing_down_has_its_time_too(monkeypatch):
    monkeypatch.setattr("chainlist.app.workbench.pool.FINISHING", 0.3)

    async def scenario():
        async with pool_of(1) as pool:
            outcome = await pool.submit("report", {"to": 1, "seconds": 0.3, "writing": 60.0}).wait()
            assert outcome.ending == "failed"

    run_async(scenario())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits the memory of a process this way")
def test_memory_limit():
    async def scenario():
        async with pool_of(1) as pool:
            small = await pool.submit("eat", {"bytes": 50_000_000, "megabytes": 100}).wait()
            assert small.data["size"] == 50_000_000
            large = await pool.submit("eat", {"bytes": 500_000_000, "megabytes": 100}).wait()
            assert large.ending == "failed" and "100 MB" in large.message
            assert (await pool.submit("count", {"to": 1}).wait()).ending == "done"
            assert pool.replaced == 1

    run_async(scenario())


def test_a_worker_that_dies_is_reported_and_replaced():
    async def scenario():
        async with pool_of(1) as pool:
            outcome = await pool.submit("die", {}).wait()
            assert outcome.ending == "failed" and "signal 9" in outcome.message
            assert (await pool.submit("count", {"to": 1}).wait()).ending == "done"
            assert pool.replaced == 1

    run_async(scenario())


@pytest.mark.parametrize(
    "kind, words, replaced",
    [("refuse", "not today", 0), ("stumble", "a mistake inside", 1), ("nonsense", "no task", 0)],
)
def test_failures_have_words(kind, words, replaced):
    async def scenario():
        async with pool_of(1) as pool:
            outcome = await pool.submit(kind, {}).wait()
            assert outcome.ending == "failed" and words in outcome.message
            assert (await pool.submit("count", {"to": 1}).wait()).ending == "done"
            assert pool.replaced == replaced

    run_async(scenario())


def test_what_a_task_prints_does_not_disturb():
    async def scenario():
        async with pool_of(1) as pool:
            assert (await pool.submit("chatter", {}).wait()).ending == "done"

    run_async(scenario())


def test_stop_ends_running_and_waiting_jobs():
    async def scenario():
        async with pool_of(1) as pool:
            jobs = [pool.submit("deaf", {}), pool.submit("deaf", {})]
            while jobs[0].position != 0:
                await asyncio.sleep(0.01)
        assert [(await job.wait()).ending for job in jobs] == ["cancelled", "cancelled"]

    run_async(scenario())


def test_a_pool_that_stops_while_it_replaces_a_process_leaves_nothing_open():
    """What is left open speaks up when it is collected, and warnings are errors here."""

    async def scenario():
        async with pool_of(1) as pool:
            await pool.submit("deaf", {"seconds": 0.1}).wait()  # its process is being ended just now

    for _ in range(3):
        run_async(scenario())
    gc.collect()


def test_a_process_that_cannot_be_spawned_is_tried_again(monkeypatch):
    spawn, refused = pool._spawn, []

    async def at_first_refused(command):
        if not refused:
            refused.append(command)
            raise OSError(24, "Too many open files")
        return await spawn(command)

    monkeypatch.setattr(pool, "_spawn", at_first_refused)

    async def scenario():
        async with pool_of(1) as workers:
            assert (await workers.submit("count", {"to": 1}).wait()).ending == "done"
        assert refused

    run_async(scenario())
