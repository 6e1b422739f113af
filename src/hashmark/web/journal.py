"""Keeping lines: what is changed in one turn of the loop is written in one transaction.

A change is on the disk when its future is done. While the disk is quick it is written right here,
which is sooner done than told to a thread; when it is not, or another program holds the database,
a thread waits for it and the pages go on. A change that cannot be kept fails alone.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError

from hashmark.table.errors import HashmarkError
from hashmark.web.store import Change, Store

MOST_AT_ONCE = 256
QUICK = 0.01  # seconds for a transaction; a disk that takes longer is left to the thread
ASIDE = 1.0  # seconds, before it is tried here again
Entry = tuple[Change, "asyncio.Future[None]"]


class NotKept(HashmarkError):
    """The database has refused a change: nothing of it has happened."""


class Journal:
    """Writes changes in the order in which they come."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._waiting: list[Entry] = []
        self._under_way: asyncio.Future[None] | None = None  # done when nothing waits any more
        self._thread = ThreadPoolExecutor(1, "journal")
        self._slow_until = 0.0

    def put(self, change: Change) -> asyncio.Future[None]:
        """Keep a change; the future is done when it is on the disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append((change, done))
        if self._under_way is None:
            self._under_way = loop.create_future()
            loop.call_soon(self._work)
        return done

    async def close(self) -> None:
        """Write what was put before, and end."""
        while self._under_way is not None:
            await self._under_way
        self._thread.shutdown()

    def _work(self) -> None:
        """Write all that waits: here, or aside and then go on."""
        while self._waiting:
            some, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            entries = [one for one in some if not one[1].cancelled()]
            if entries and not self._written_here(entries):
                self._write_aside(entries)
                return
        assert self._under_way is not None
        self._under_way.set_result(None)
        self._under_way = None

    def _written_here(self, entries: list[Entry]) -> bool:
        begun = time.monotonic()
        if begun < self._slow_until:
            return False
        written = self.store.write_at_once([change for change, _ in entries])
        now = time.monotonic()
        if not written or now - begun > QUICK:
            self._slow_until = now + ASIDE
        if written:
            _settle(entries, [None] * len(entries))
        return written

    def _write_aside(self, entries: list[Entry]) -> None:
        loop, changes = asyncio.get_running_loop(), [change for change, _ in entries]
        aside = loop.run_in_executor(self._thread, self._written_aside, changes)
        aside.add_done_callback(lambda known: self._came_back(entries, known.result()))

    def _came_back(self, entries: list[Entry], faults: list[Exception | None]) -> None:
        _settle(entries, faults)
        self._work()

    def _written_aside(self, changes: list[Change]) -> list[Exception | None]:
        """All in one transaction; if that fails, each in its own, to find the one at fault."""
        try:
            self.store.write(changes)
        except Exception as fault:
            if len(changes) == 1:
                return [_refused(fault)]
            return [one for change in changes for one in self._written_aside([change])]
        return [None] * len(changes)


def _settle(entries: list[Entry], faults: list[Exception | None]) -> None:
    """Tell everybody who still waits what has become of his change."""
    for (_, done), fault in zip(entries, faults, strict=True):
        if done.done():
            continue
        if fault is None:
            done.set_result(None)
        else:
            done.set_exception(fault)


def _refused(fault: Exception) -> Exception:
    """A fault of the database as a sentence; any other as it is."""
    if not isinstance(fault, SQLAlchemyError | OSError):
        return fault
    return NotKept("the game cannot be kept just now, so nothing has happened: try again")
