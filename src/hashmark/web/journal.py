"""Keeping lines: one thread writes for all tables, many changes in one transaction.

A change is on the disk when its future is done. Tables that are called at the same time share one
wait for the disk; a change that cannot be kept fails alone.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

from sqlalchemy.exc import SQLAlchemyError

from hashmark.table.errors import HashmarkError
from hashmark.web.store import Change, Store

MOST_AT_ONCE = 256
Entry = tuple[Change, "Future[None]"]


class NotKept(HashmarkError):
    """The database has refused a change: nothing of it has happened."""


class Journal:
    """Writes changes in the order in which they come."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._waiting: queue.SimpleQueue[Entry | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def put(self, change: Change) -> Future[None]:
        """Keep a change; the future is done when it is on the disk."""
        done: Future[None] = Future()
        self._waiting.put((change, done))
        return done

    def close(self) -> None:
        """Write what was put before, and end."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        ended = False
        while not ended:
            entries, ended = self._gathered()
            entries = [one for one in entries if one[1].set_running_or_notify_cancel()]
            if entries:
                self._write(entries)

    def _gathered(self) -> tuple[list[Entry], bool]:
        """All that waits now, at least one entry; and whether nothing will follow."""
        found: list[Entry] = []
        entry = self._waiting.get()
        while entry is not None:
            found.append(entry)
            if len(found) == MOST_AT_ONCE:
                return found, False
            try:
                entry = self._waiting.get_nowait()
            except queue.Empty:
                return found, False
        return found, True

    def _write(self, entries: list[Entry]) -> None:
        """All in one transaction; if that fails, each in its own, to find the one at fault."""
        try:
            self.store.write([change for change, _ in entries])
        except Exception as fault:
            if len(entries) > 1:
                for entry in entries:
                    self._write([entry])
            else:
                entries[0][1].set_exception(_refused(fault))
            return
        for _, done in entries:
            done.set_result(None)


def _refused(fault: Exception) -> Exception:
    """A fault of the database as a sentence; any other as it is."""
    if not isinstance(fault, SQLAlchemyError | OSError):
        return fault
    return NotKept("the game cannot be kept just now, so nothing has happened: try again")
