"""One writer for all tables: many changes at once, and a bad one fails alone."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from hashmark.web import journal as journals
from hashmark.web.journal import Journal, NotKept
from hashmark.web.store import Change, Store
from patience import PATIENCE

from .house import run
from .test_store import kept


@pytest.fixture(params=["the loop", "the thread"], autouse=True)
def writer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who writes: a loop that is taken for idle, or for busy."""
    idle = 10.0 if request.param == "the loop" else -1.0
    monkeypatch.setattr(journals, "IDLE", idle)
    monkeypatch.setattr(journals, "QUICK", 10.0)
    return str(request.param)


def with_journal(folder: Path, work: Callable[[Journal], Any]) -> Store:
    """Let something be written; the store as it was left."""
    store = Store(f"sqlite:///{folder / 'a.db'}")

    async def writing() -> None:
        journal = Journal(store)
        await journal.put(Change("a", new=kept()))
        await work(journal)
        await journal.close()

    run(writing)
    return store


class SlowDisk:
    """A store whose disk takes its time, until it is let go on."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.goes_on = threading.Event(), threading.Event()
        self.at_once: list[int] = []
        self._write = store.write
        monkeypatch.setattr(store, "write", self.write)
        monkeypatch.setattr(journals, "IDLE", -1.0)

    def write(self, changes: Sequence[Change]) -> None:
        self.began.set()
        assert self.goes_on.wait(PATIENCE)
        self.at_once.append(len(changes))
        self._write(changes)


def test_who_gives_up_waiting_stops_nobody(tmp_path: Path) -> None:
    given_up: list[Any] = []

    async def work(journal: Journal) -> None:
        waits = [journal.put(Change("a", number, ["line\n"])) for number in range(1, 200)]
        given_up.extend(one for one in waits[::3] if one.cancel())
        await journal.put(Change("a", 500, ["last\n"]))

    store = with_journal(tmp_path, work)
    assert len(store.lines("a")) == 200 - len(given_up)
    store.close()


def test_a_bad_change_fails_alone(tmp_path: Path) -> None:
    async def work(journal: Journal) -> None:
        good = [journal.put(Change("a", number, [f"{number}\n"])) for number in range(1, 50)]
        bad = journal.put(Change("a", 7, ["again\n"]))
        more = journal.put(Change("a", 50, ["50\n"]))
        await asyncio.gather(*good, more)
        with pytest.raises(NotKept, match="nothing has happened"):
            await bad

    store = with_journal(tmp_path, work)
    assert store.lines("a") == [f"{number}\n" for number in range(1, 51)]
    store.close()


def test_what_is_done_is_on_the_disk(tmp_path: Path) -> None:
    """As another program finds it, at the moment when the future is done."""

    async def work(journal: Journal) -> None:
        for number in range(1, 10):
            await journal.put(Change("a", number, [f"{number}\n"]))
            other = sqlite3.connect(tmp_path / "a.db")
            assert other.execute("select count(*) from lines").fetchone() == (number,)
            other.close()

    with_journal(tmp_path, work).close()


def test_another_program_that_writes_stops_no_page(tmp_path: Path) -> None:
    async def work(journal: Journal) -> None:
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("begin immediate")
        waits = journal.put(Change("a", 1, ["line\n"]))
        longest, before = 0.0, time.monotonic()
        for _ in range(20):
            await asyncio.sleep(0.01)
            longest, before = max(longest, time.monotonic() - before), time.monotonic()
        assert not waits.done()
        assert longest < 1
        other.execute("commit")
        other.close()
        await waits

    store = with_journal(tmp_path, work)
    assert store.lines("a") == ["line\n"]
    store.close()


def test_a_slow_disk_stops_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the loop has much to do; what comes meanwhile is written together."""

    async def work(journal: Journal) -> None:
        disk = SlowDisk(journal.store, monkeypatch)
        first = journal.put(Change("a", 1, ["1\n"]))
        assert await asyncio.to_thread(disk.began.wait, 10)
        more = [journal.put(Change("a", number, [f"{number}\n"])) for number in range(2, 60)]
        await asyncio.sleep(0.01)  # the loop goes on
        assert not first.done()
        disk.goes_on.set()
        await asyncio.gather(first, *more)
        assert disk.at_once == [1, 58]

    store = with_journal(tmp_path, work)
    assert len(store.lines("a")) == 59
    store.close()


def test_who_gives_up_late_hears_first_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(journal: Journal) -> None:
        async def waits(number: int) -> None:
            try:
                await journal.put(Change("a", number, [f"{number}\n"]))
            except asyncio.CancelledError:
                known.append((number, journal.store.lines("a")))
                raise

        known: list[tuple[int, list[str]]] = []
        disk = SlowDisk(journal.store, monkeypatch)
        taken = asyncio.ensure_future(waits(1))
        await asyncio.to_thread(disk.began.wait, 10)
        waiting = asyncio.ensure_future(waits(2))
        await asyncio.sleep(0)
        taken.cancel()
        waiting.cancel()
        await asyncio.sleep(0.01)
        assert known == [(2, [])]  # not taken yet, so it never will be
        disk.goes_on.set()
        await asyncio.gather(taken, waiting, return_exceptions=True)
        assert known == [(2, []), (1, ["1\n"])]
        assert taken.cancelled()

    store = with_journal(tmp_path, work)
    assert store.lines("a") == ["1\n"]
    store.close()


def test_what_was_put_before_the_end_is_written(tmp_path: Path) -> None:
    async def work(journal: Journal) -> None:
        waits = [journal.put(Change("a", number, ["line\n"])) for number in range(1, 1000)]
        await journal.close()
        assert all(one.done() and one.exception() is None for one in waits)

    store = with_journal(tmp_path, work)
    assert len(store.lines("a")) == 999
    store.close()


def noted(store: Store, name: str, used: list[str]) -> Callable[[Sequence[Change]], Any]:
    """A way of writing that leaves its name."""
    usual = getattr(store, name)

    def write(changes: Sequence[Change]) -> Any:
        used.append(name)
        return usual(changes)

    return write


def test_after_a_slow_write_the_thread_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writer: str
) -> None:
    async def work(journal: Journal) -> None:
        used: list[str] = []
        for name in ("write", "write_at_once"):
            monkeypatch.setattr(journal.store, name, noted(journal.store, name, used))
        await journal.put(Change("a", 1, ["1\n"]))
        monkeypatch.setattr(journals, "QUICK", 0.0)
        await journal.put(Change("a", 2, ["2\n"]))
        await journal.put(Change("a", 3, ["3\n"]))
        at_once = "write_at_once" if writer == "the loop" else "write"
        assert used == [at_once, at_once, "write"]

    store = with_journal(tmp_path, work)
    assert store.lines("a") == ["1\n", "2\n", "3\n"]
    store.close()
