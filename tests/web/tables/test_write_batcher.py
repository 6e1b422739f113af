"""Group commit: many changes in one transaction, and a bad one fails alone."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from hashmark.web.db import connection
from hashmark.web.tables import write_batcher
from hashmark.web.tables.table_store import Change, TableStore
from hashmark.web.tables.write_batcher import WriteBatcher, WriteFailed
from timeouts import TIMEOUT_SECONDS
from web.harness import run_async
from web.tables.test_table_store import make_row


@pytest.fixture(params=["the loop", "the thread"], autouse=True)
def writer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who writes: the event loop (taken for idle) or the thread (loop taken for busy)."""
    idle = 10.0 if request.param == "the loop" else -1.0
    monkeypatch.setattr(write_batcher, "IDLE_LOOP_SECONDS", idle)
    monkeypatch.setattr(write_batcher, "QUICK_WRITE_SECONDS", 10.0)
    return str(request.param)


def run_with_batcher(folder: Path, work: Callable[[WriteBatcher], Any]) -> TableStore:
    """Run `work` with a write batcher; return the store afterwards."""
    store = TableStore(f"sqlite:///{folder / 'a.db'}")

    async def writing() -> None:
        batcher = WriteBatcher(store)
        await batcher.put(Change("a", new_row=make_row()))
        await work(batcher)
        await batcher.close()

    run_async(writing)
    return store


class SlowDisk:
    """Store whose disk blocks until it is released."""

    def __init__(self, store: TableStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.may_continue = threading.Event(), threading.Event()
        self.batch_sizes: list[int] = []
        self._write = store.write
        monkeypatch.setattr(store, "write", self.write)
        monkeypatch.setattr(write_batcher, "IDLE_LOOP_SECONDS", -1.0)

    def write(self, changes: Sequence[Change]) -> None:
        self.began.set()
        assert self.may_continue.wait(TIMEOUT_SECONDS)
        self.batch_sizes.append(len(changes))
        self._write(changes)


def test_canceled_writes_do_not_affect_others(tmp_path: Path) -> None:
    canceled: list[Any] = []

    async def work(batcher: WriteBatcher) -> None:
        futures = [batcher.put(Change("a", number, ["line\n"])) for number in range(1, 200)]
        canceled.extend(future for future in futures[::3] if future.cancel())
        await batcher.put(Change("a", 500, ["last\n"]))

    store = run_with_batcher(tmp_path, work)
    assert len(store.read_lines("a")) == 200 - len(canceled)
    store.close()


def test_a_bad_change_fails_alone(tmp_path: Path) -> None:
    async def work(batcher: WriteBatcher) -> None:
        good = [batcher.put(Change("a", number, [f"{number}\n"])) for number in range(1, 50)]
        bad = batcher.put(Change("a", 7, ["again\n"]))
        more = batcher.put(Change("a", 50, ["50\n"]))
        await asyncio.gather(*good, more)
        with pytest.raises(WriteFailed, match="nothing was changed"):
            await bad

    store = run_with_batcher(tmp_path, work)
    assert store.read_lines("a") == [f"{number}\n" for number in range(1, 51)]
    store.close()


def test_a_finished_write_is_on_disk(tmp_path: Path) -> None:
    """Another program sees the change as soon as its future is done."""

    async def work(batcher: WriteBatcher) -> None:
        for number in range(1, 10):
            await batcher.put(Change("a", number, [f"{number}\n"]))
            other = sqlite3.connect(tmp_path / "a.db")
            assert other.execute("select count(*) from lines").fetchone() == (number,)
            other.close()

    run_with_batcher(tmp_path, work).close()


def test_a_locked_database_does_not_block_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SQLITE_BUSY_SECONDS", 2 * TIMEOUT_SECONDS)

    async def work(batcher: WriteBatcher) -> None:
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("begin immediate")
        future = batcher.put(Change("a", 1, ["line\n"]))
        before = time.monotonic()
        for _ in range(20):
            await asyncio.sleep(0.01)
        assert not future.done()
        assert time.monotonic() - before < TIMEOUT_SECONDS
        other.execute("commit")
        other.close()
        await future

    store = run_with_batcher(tmp_path, work)
    assert store.read_lines("a") == ["line\n"]
    store.close()


def test_a_slow_disk_does_not_block_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the loop is busy; changes that arrive meanwhile are written together."""

    async def work(batcher: WriteBatcher) -> None:
        disk = SlowDisk(batcher.store, monkeypatch)
        first = batcher.put(Change("a", 1, ["1\n"]))
        assert await asyncio.to_thread(disk.began.wait, TIMEOUT_SECONDS)
        more = [batcher.put(Change("a", number, [f"{number}\n"])) for number in range(2, 60)]
        await asyncio.sleep(0.01)  # the loop still runs
        assert not first.done()
        disk.may_continue.set()
        await asyncio.gather(first, *more)
        assert disk.batch_sizes == [1, 58]

    store = run_with_batcher(tmp_path, work)
    assert len(store.read_lines("a")) == 59
    store.close()


def test_late_cancellation_waits_for_the_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(batcher: WriteBatcher) -> None:
        async def write(number: int) -> None:
            try:
                await batcher.put(Change("a", number, [f"{number}\n"]))
            except asyncio.CancelledError:
                seen_when_canceled.append((number, batcher.store.read_lines("a")))
                raise

        seen_when_canceled: list[tuple[int, list[str]]] = []
        disk = SlowDisk(batcher.store, monkeypatch)
        taken = asyncio.ensure_future(write(1))
        await asyncio.to_thread(disk.began.wait, TIMEOUT_SECONDS)
        waiting = asyncio.ensure_future(write(2))
        await asyncio.sleep(0)
        taken.cancel()
        waiting.cancel()
        await asyncio.sleep(0.01)
        assert seen_when_canceled == [(2, [])]  # not taken yet, so it is never written
        disk.may_continue.set()
        await asyncio.gather(taken, waiting, return_exceptions=True)
        assert seen_when_canceled == [(2, []), (1, ["1\n"])]
        assert taken.cancelled()

    store = run_with_batcher(tmp_path, work)
    assert store.read_lines("a") == ["1\n"]
    store.close()


def test_closing_writes_everything_queued(tmp_path: Path) -> None:
    async def work(batcher: WriteBatcher) -> None:
        futures = [batcher.put(Change("a", number, ["line\n"])) for number in range(1, 1000)]
        await batcher.close()
        assert all(future.done() and future.exception() is None for future in futures)

    store = run_with_batcher(tmp_path, work)
    assert len(store.read_lines("a")) == 999
    store.close()


def recording_writer(
    store: TableStore, name: str, used: list[str]
) -> Callable[[Sequence[Change]], Any]:
    """Return a write method that records its name."""
    original = getattr(store, name)

    def write(changes: Sequence[Change]) -> Any:
        used.append(name)
        return original(changes)

    return write


def test_the_thread_takes_over_after_a_slow_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writer: str
) -> None:
    async def work(batcher: WriteBatcher) -> None:
        used: list[str] = []
        for name in ("write", "write_at_once"):
            monkeypatch.setattr(batcher.store, name, recording_writer(batcher.store, name, used))
        await batcher.put(Change("a", 1, ["1\n"]))
        monkeypatch.setattr(write_batcher, "QUICK_WRITE_SECONDS", 0.0)
        await batcher.put(Change("a", 2, ["2\n"]))
        await batcher.put(Change("a", 3, ["3\n"]))
        expected_method = "write_at_once" if writer == "the loop" else "write"
        assert used == [expected_method, expected_method, "write"]

    store = run_with_batcher(tmp_path, work)
    assert store.read_lines("a") == ["1\n", "2\n", "3\n"]
    store.close()
