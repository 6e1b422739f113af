"""Long work as the pages see it: asked for, watched, stopped, and looked at when it is done.

The queue in the database is the truth. Whoever watches hears of a change by one look a moment at
all works that are watched here, however many watch them and wherever they are done.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.club.works import Work
from hashmark.web.limits import Limits, Streams
from hashmark.web.queue import DONE, WAITING, Queue, Row
from hashmark.web.store import Store
from hashmark.web.streams import AGAIN, HEARTBEAT, event
from hashmark.web.tables import NotYours
from hashmark.web.workers import Workers

TICK = 0.5  # seconds between two looks at what is watched
Json = dict[str, Any]


class Works:
    """The long work of a hall."""

    def __init__(self, store: Store, limits: Limits, streams: Streams) -> None:
        self.queue, self.streams = Queue(store, limits), streams
        self.workers: Workers | None = None
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._rows: dict[str, Row] = {}
        self._watcher: asyncio.Task[None] | None = None

    def start(self, number: int, cluster: str | None = None) -> None:
        """Let so many workers begin beside this server."""
        self.workers = Workers(self.queue, number, cluster)
        self.workers.start()

    async def close(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
        if self.workers is not None:
            await asyncio.to_thread(self.workers.close)

    def wake(self) -> None:
        """Let all who watch look again."""
        for listeners in self._listeners.values():
            for one in listeners:
                one.set()

    # --- Asking and looking --------------------------------------------------------------------

    async def question(self, kind: str, settings: Mapping[str, Any]) -> Work:
        """A work as somebody wants it, checked, beside the pages."""
        return await asyncio.to_thread(Work.of, kind, settings)

    async def ask(
        self,
        work: Work,
        holder: str,
        caller: str,
        brought: Mapping[str, bytes] | None = None,
        until: float | None = None,
    ) -> str:
        """Ask for a work; its key, by which anybody may look at it."""
        row = await asyncio.to_thread(self.queue.ask, work, holder, caller, brought, until)
        return row.key

    async def look(self, key: str) -> Row:
        return await asyncio.to_thread(self.queue.look, key)

    async def stop(self, key: str, holder: str) -> bool:
        """Who asked does not want it any more; True if nobody else does either."""
        row = await self.look(key)
        if not await asyncio.to_thread(self.queue.asked_by, key, holder):
            raise NotYours("only who asked for this work may stop it")
        if row.ended:
            return False
        return await asyncio.to_thread(self.queue.leave, key, holder)

    async def listed(
        self, holder: str, say: Callable[[Row], Json]
    ) -> tuple[list[Json], list[Json]]:
        """What this one asked for, and what came of late; told beside the pages.

        What a work is called only its kind knows, which may have to be loaded.
        """

        def look() -> tuple[list[Json], list[Json]]:
            yours, recent = self.queue.yours(holder), self.queue.recent()
            return [say(one) for one in yours], [say(one) for one in recent]

        return await asyncio.to_thread(look)

    async def told(self, row: Row, holder: str) -> Json:
        """A work with all that can be said of it now."""
        return (await self.shown(row, holder))[0]

    async def shown(self, row: Row, holder: str) -> tuple[Json, str]:
        """The same, and the page of its result; both are read in one go."""
        return await asyncio.to_thread(self._shown, row, holder)

    def _shown(self, row: Row, holder: str) -> tuple[Json, str]:
        result, page = self.queue.result(row.key) if row.state == DONE else (None, "")
        told = {
            **described(row),
            "before": self.queue.before(row) if row.state == WAITING else 0,
            "yours": self.queue.asked_by(row.key, holder),
            "files": [*row.work.files, *self.queue.files(row.key)],
            "result": result,
        }
        return told, page

    def file(self, row: Row, name: str) -> bytes:
        """A file that the command wants, or one that was made."""
        wanted = row.work.files.get(name)
        return wanted.encode() if wanted is not None else self.queue.file(row.key, name)

    # --- Watching ------------------------------------------------------------------------------

    @contextmanager
    def listening(self, key: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever a work has moved."""
        changed = asyncio.Event()
        self._listeners.setdefault(key, set()).add(changed)
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.get_running_loop().create_task(self._watch())
        try:
            yield changed
        finally:
            self._listeners[key].discard(changed)
            if not self._listeners[key]:
                del self._listeners[key]
                self._rows.pop(key, None)

    async def _watch(self) -> None:
        while self._listeners:
            try:
                rows = await asyncio.to_thread(self.queue.states, list(self._listeners))
            except SQLAlchemyError:
                rows = dict(self._rows)  # it will be there again
            for key, listeners in self._listeners.items():
                if rows.get(key) != self._rows.get(key):
                    for one in listeners:
                        one.set()
            self._rows = {key: row for key, row in rows.items() if key in self._listeners}
            await asyncio.sleep(TICK)

    async def stream(self, key: str, closing: asyncio.Event, caller: str) -> AsyncIterator[str]:
        """How far a work is, as it goes; the last event says that it has ended."""
        with self.streams.one_more(caller), self.listening(key) as changed:
            yield f"retry: {AGAIN}\n\n"
            said: Json = {}
            while not closing.is_set():
                changed.clear()
                row = await asyncio.to_thread(self.queue.find, key)
                now = {"state": "gone"}
                if row is not None:
                    now = await asyncio.to_thread(moved, row, self.queue)
                if now != said:
                    said = now
                    yield event("work", said)
                if row is None or row.ended:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"


def described(row: Row) -> Json:
    """What is asked, and how it stands."""
    work = row.work
    return {
        "key": row.key,
        "kind": row.kind,
        "title": work.title,
        "settings": dict(row.settings),
        "command": work.command,
        "state": row.state,
        "stopping": row.stopping,
        "said": row.said,
        "progress": {"done": row.done, "total": row.total},
        "asked": row.asked,
        "until": row.until,
        "seconds": round(row.seconds, 1),
    }


def moved(row: Row, queue: Queue) -> Json:
    """What changes while it goes on."""
    return {
        "state": row.state,
        "stopping": row.stopping,
        "done": row.done,
        "total": row.total,
        "before": queue.before(row) if row.state == WAITING else 0,
        "said": row.said,
    }
