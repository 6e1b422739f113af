"""Time of the server: one clock, which tests move, and leases that need no common time."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from hashmark import web
from hashmark.web.clock import Clock
from hashmark.web.leases import RELEASED, LeaseObserver, ObservedLease, new_lease
from web.harness import run_async
from web.manual_clock import ManualClock, run_until

RAW_TIME = re.compile(
    r"time\.(time|monotonic)\b|asyncio\.(sleep\((?!0\))|wait_for\()|loop\(?\)?\.call_(later|at)"
)
LENGTH = 10.0


def test_only_the_clock_reads_the_time() -> None:
    """Everything else takes it from the services of its server."""
    folder = Path(web.__path__[0])
    found = {
        path.name
        for path in folder.rglob("*.py")
        if RAW_TIME.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"clock.py"}


def test_a_lease_expires_after_it_was_seen_unchanged_for_its_length() -> None:
    clock = ManualClock()
    lease = ObservedLease(clock)
    lease.observe("a", clock.monotonic())
    clock.advance(LENGTH)
    assert lease.seconds_left(LENGTH) == 0.0
    assert not lease.is_expired(LENGTH)  # the holder may have renewed it: query first
    lease.observe("b", clock.monotonic())
    assert lease.seconds_left(LENGTH) == LENGTH
    queried_at = clock.monotonic()
    clock.advance(LENGTH)
    lease.observe("b", queried_at)  # the answer took long: it says nothing of the time since
    assert not lease.is_expired(LENGTH)
    lease.observe("b", clock.monotonic())
    assert lease.is_expired(LENGTH)


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
def test_jumps_of_the_wall_clock_do_not_count(jump: float) -> None:
    clock = ManualClock()
    leases = LeaseObserver(clock, LENGTH)
    value = new_lease()
    assert not leases.observe("key", value, clock.monotonic())
    clock.jump(jump)
    clock.advance(LENGTH - 1)
    assert not leases.observe("key", value, clock.monotonic())
    clock.jump(-jump)
    clock.advance(1)
    assert leases.observe("key", value, clock.monotonic())
    assert leases.observe("other", RELEASED, clock.monotonic())
    leases.retain(["other"])
    assert not leases.observe("key", value, clock.monotonic())


def test_a_manual_clock_wakes_those_who_wait() -> None:
    async def work() -> None:
        clock, woken = ManualClock(), list[str]()

        async def sleep(name: str, seconds: float) -> None:
            await clock.sleep(seconds)
            woken.append(name)

        tasks = [asyncio.create_task(sleep(name, at)) for name, at in (("b", 9.0), ("a", 3.0))]
        await run_until(lambda: len(woken) == 2, clock)
        await asyncio.gather(*tasks)
        assert woken == ["a", "b"]
        waiting = asyncio.create_task(clock.wait_for(asyncio.Event().wait(), 60.0))
        await run_until(waiting.done, clock)
        with pytest.raises(TimeoutError):
            await waiting
        assert await clock.wait_for(asyncio.sleep(0, "done"), 1.0) == "done"

    run_async(work)


def test_the_real_clock_runs() -> None:
    async def work() -> None:
        clock = Clock()
        before, wall = clock.monotonic(), clock.wall()
        await clock.sleep(0.001)
        assert clock.monotonic() > before
        assert wall > 1_700_000_000
        with pytest.raises(TimeoutError):
            await clock.wait_for(asyncio.Event().wait(), 0.0)

    run_async(work)
