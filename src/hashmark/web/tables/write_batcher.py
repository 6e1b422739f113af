"""Group commit: one writer flushes all pending changes in a single transaction.

A change is on disk when its future is done. If the event loop is idle, the change is written right
on the loop, which is faster than handing it to a thread. If the loop is busy, the disk was slow
recently or another program holds the database, a thread writes instead, so that pages are still
served. A change that cannot be written fails alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.errors import HashmarkError
from hashmark.web.tables.table_store import Change, CommitOutcomeUnknown, TableStore

MAX_BATCH_CHANGES = 256
IDLE_LOOP_SECONDS = 0.001  # an event loop that takes longer for one iteration counts as busy
QUICK_WRITE_SECONDS = 0.01  # a transaction that takes longer moves writing to the thread
SLOW_DISK_SECONDS = 10.0  # how long writing stays on the thread after a slow write


class WriteFailed(HashmarkError):
    """The database rejected a change; nothing of it was stored."""


class PendingWrite(asyncio.Future[None]):
    """Future of a change to be written; done when it is on disk.

    It can be canceled until the writer has taken it. After that, cancellation waits for the write
    to finish, so that the state of the table is never in doubt.
    """

    def __init__(self, change: Change, lock: Lock, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop=loop)
        self.change, self.lock, self.is_taken = change, lock, False

    def cancel(self, msg: Any | None = None) -> bool:
        with self.lock:
            return not self.is_taken and super().cancel(msg)

    def resolve(self, error: Exception | None) -> None:
        """Set the result or the exception."""
        if error is None:
            self.set_result(None)
        else:
            self.set_exception(error)


class WriteBatcher:
    """Writes changes in the order in which they arrive."""

    def __init__(
        self, store: TableStore, on_write: Callable[[int, float], None] | None = None
    ) -> None:
        self.store, self._on_write = store, on_write
        self._lock = Lock()  # guards the state that loop and thread share
        self._pending: list[PendingWrite] = []
        self._is_writing = False
        self._is_busy = False  # whether the loop was busy at its last iteration
        self._slow_until = 0.0
        self._thread = ThreadPoolExecutor(1, "journal")

    def put(self, change: Change) -> asyncio.Future[None]:
        """Queue a change; the future is done when it is on disk."""
        loop = asyncio.get_running_loop()
        entry = PendingWrite(change, self._lock, loop)
        with self._lock:
            self._pending.append(entry)
            was_at_work, self._is_writing = self._is_writing, True
        if was_at_work:
            return entry
        now = time.perf_counter()
        if self._is_busy or now < self._slow_until:
            self._thread.submit(self._write_on_thread, loop)
            loop.call_soon(self._measure_iteration, now)
        else:
            loop.call_soon(self._write_on_loop_or_thread, loop, now)
        return entry

    async def close(self) -> None:
        """Write everything that was queued before, then shut down."""
        await asyncio.sleep(0)  # let the scheduled write start
        await asyncio.to_thread(self._thread.shutdown)

    def _measure_iteration(self, queued_at: float) -> float:
        """Measure one loop iteration; note whether the loop is busy and return the time."""
        now = time.perf_counter()
        self._is_busy = now - queued_at > IDLE_LOOP_SECONDS
        return now

    def _write_on_loop_or_thread(self, loop: asyncio.AbstractEventLoop, queued_at: float) -> None:
        """Write on the loop if it is idle, else on the thread."""
        now = self._measure_iteration(queued_at)
        if self._is_busy or not self._write_on_loop(now):
            self._thread.submit(self._write_on_thread, loop)

    def _write_on_loop(self, started_at: float) -> bool:
        """Write all pending changes on the loop; return whether that worked at once."""
        entries = self._take_batch()
        if entries:
            written = self.store.write_at_once([entry.change for entry in entries])
            now = time.perf_counter()
            if written:
                self._report(len(entries), now - started_at)
            if not written or now - started_at > QUICK_WRITE_SECONDS:
                self._slow_until = now + SLOW_DISK_SECONDS
            if not written:
                self._requeue(entries)
                return False
            _resolve(entries, [None] * len(entries))
        with self._lock:
            self._is_writing = bool(self._pending)
            return not self._pending

    def _requeue(self, entries: list[PendingWrite]) -> None:
        """Return unwritten entries to the front of the queue."""
        with self._lock:
            for entry in entries:
                entry.is_taken = False
            self._pending = entries + self._pending

    def _write_on_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write on the thread until nothing is pending."""
        while entries := self._take_batch():
            errors = self._write([entry.change for entry in entries])
            loop.call_soon_threadsafe(_resolve, entries, errors)

    def _take_batch(self) -> list[PendingWrite]:
        """Take the next batch; an empty one means that the writer is idle."""
        with self._lock:
            waiting = [entry for entry in self._pending if not entry.cancelled()]
            batch, self._pending = waiting[:MAX_BATCH_CHANGES], waiting[MAX_BATCH_CHANGES:]
            for entry in batch:
                entry.is_taken = True
            self._is_writing = bool(batch)
            return batch

    def _write(self, changes: list[Change]) -> list[Exception | None]:
        """Write all changes in one transaction; if it fails, each in its own to isolate the bad
        one.
        """
        started_at = time.perf_counter()
        try:
            self.store.write(changes)
        except CommitOutcomeUnknown as error:  # a retry could write them twice
            return [error] * len(changes)
        except Exception as error:
            if len(changes) == 1:
                return [_user_error(error)]
            return [result for change in changes for result in self._write([change])]
        self._report(len(changes), time.perf_counter() - started_at)
        return [None] * len(changes)

    def _report(self, changes: int, seconds: float) -> None:
        if self._on_write is not None:
            self._on_write(changes, seconds)


def _resolve(entries: list[PendingWrite], errors: list[Exception | None]) -> None:
    for entry, error in zip(entries, errors, strict=True):
        entry.resolve(error)


def _user_error(error: Exception) -> Exception:
    """Return a database error as a user-facing one; pass on any other."""
    if not isinstance(error, SQLAlchemyError | OSError):
        return error
    return WriteFailed("the game could not be saved, so nothing was changed: try again")
