"""Keeping lines: one writer for all tables, and whatever waits when it comes by is written in one
transaction.

A change is on the disk when its future is done. A loop that comes round at once has nobody waiting:
then it is written right here, which is sooner done than told to a thread. A loop that has much to
do, a disk that has lately been slow, or another program that holds the database leave it to a
thread, and the pages go on. A change that cannot be kept fails alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.table.errors import HashmarkError
from hashmark.web.store import Change, Store, Unknown

MOST_AT_ONCE = 256
IDLE = 0.001  # seconds in which a loop comes round that has nobody waiting
QUICK = 0.01  # seconds for a transaction; a disk that takes longer is left to the thread
ASIDE = 10.0  # seconds, before it is tried here again


class NotKept(HashmarkError):
    """The database has refused a change: nothing of it has happened."""


class Entry(asyncio.Future[None]):
    """A change that is to be written; done when it is on the disk.

    Who waits may give up until the thread has taken it. After that he hears first what has become
    of it: nobody goes on with a table while it is open whether it was changed.
    """

    def __init__(self, change: Change, lock: Lock, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop=loop)
        self.change, self.lock, self.is_taken = change, lock, False

    def cancel(self, msg: Any | None = None) -> bool:
        with self.lock:
            return not self.is_taken and super().cancel(msg)

    def settle(self, fault: Exception | None) -> None:
        """Tell who waits what has become of it."""
        if fault is None:
            self.set_result(None)
        else:
            self.set_exception(fault)


class Journal:
    """Writes changes in the order in which they come."""

    def __init__(self, store: Store, tell: Callable[[int, float], None] | None = None) -> None:
        self.store, self._tell = store, tell
        self._lock = Lock()  # for what the loop and the thread both change
        self._waiting: list[Entry] = []
        self._is_at_work = False
        self._is_busy = False  # the loop, when it last came round
        self._slow_until = 0.0
        self._thread = ThreadPoolExecutor(1, "journal")

    def put(self, change: Change) -> asyncio.Future[None]:
        """Keep a change; the future is done when it is on the disk."""
        loop = asyncio.get_running_loop()
        entry = Entry(change, self._lock, loop)
        with self._lock:
            self._waiting.append(entry)
            was_at_work, self._is_at_work = self._is_at_work, True
        if was_at_work:
            return entry
        now = time.monotonic()
        if self._is_busy or now < self._slow_until:
            self._thread.submit(self._work, loop)
            loop.call_soon(self._came_round, now)
        else:
            loop.call_soon(self._write_here_or_aside, loop, now)
        return entry

    async def close(self) -> None:
        """Write what was put before, and end."""
        await asyncio.sleep(0)  # the loop comes round, and who is to write knows it
        await asyncio.to_thread(self._thread.shutdown)

    def _came_round(self, put: float) -> float:
        """The loop has come round; how long that took tells whether it has much to do."""
        now = time.monotonic()
        self._is_busy = now - put > IDLE
        return now

    def _write_here_or_aside(self, loop: asyncio.AbstractEventLoop, put: float) -> None:
        """The loop has come round: write here, or let the thread do it."""
        now = self._came_round(put)
        if self._is_busy or not self._written_here(now):
            self._thread.submit(self._work, loop)

    def _written_here(self, begun: float) -> bool:
        """Whether all that waits could be written at once."""
        entries = self._taken()
        if entries:
            written = self.store.write_at_once([entry.change for entry in entries])
            now = time.monotonic()
            if written:
                self._count(len(entries), now - begun)
            if not written or now - begun > QUICK:
                self._slow_until = now + ASIDE
            if not written:
                self._give_back(entries)
                return False
            _settle(entries, [None] * len(entries))
        with self._lock:
            self._is_at_work = bool(self._waiting)
            return not self._waiting

    def _give_back(self, entries: list[Entry]) -> None:
        """Nothing of these was written: they wait again, before all others."""
        with self._lock:
            for entry in entries:
                entry.is_taken = False
            self._waiting = entries + self._waiting

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """On the thread: write until nothing waits."""
        while entries := self._taken():
            faults = self._written([entry.change for entry in entries])
            loop.call_soon_threadsafe(_settle, entries, faults)

    def _taken(self) -> list[Entry]:
        """What is to be written now; none: the thread has nothing to do until it is told."""
        with self._lock:
            waiting = [entry for entry in self._waiting if not entry.cancelled()]
            taken, self._waiting = waiting[:MOST_AT_ONCE], waiting[MOST_AT_ONCE:]
            for entry in taken:
                entry.is_taken = True
            self._is_at_work = bool(taken)
            return taken

    def _written(self, changes: list[Change]) -> list[Exception | None]:
        """All in one transaction; if that fails, each in its own, to find the one at fault."""
        begun = time.monotonic()
        try:
            self.store.write(changes)
        except Unknown as fault:  # to write them again could be to write them twice
            return [fault] * len(changes)
        except Exception as fault:
            if len(changes) == 1:
                return [_refused(fault)]
            return [one for change in changes for one in self._written([change])]
        self._count(len(changes), time.monotonic() - begun)
        return [None] * len(changes)

    def _count(self, changes: int, seconds: float) -> None:
        if self._tell is not None:
            self._tell(changes, seconds)


def _settle(entries: list[Entry], faults: list[Exception | None]) -> None:
    for entry, fault in zip(entries, faults, strict=True):
        entry.settle(fault)


def _refused(fault: Exception) -> Exception:
    """A fault of the database as a sentence; any other as it is."""
    if not isinstance(fault, SQLAlchemyError | OSError):
        return fault
    return NotKept("the game cannot be kept just now, so nothing has happened: try again")
