"""Job service behind the pages: submitting, watching, stopping and viewing background jobs.

The queue in the database is the source of truth. One periodic query covers all jobs that are
watched on this server, no matter how many viewers they have or where they run.
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

TICK = 0.5  # between two polls of the watched jobs
Json = dict[str, Any]


class Works:
    """Background jobs of a server."""

    def __init__(self, store: Store, limits: Limits, streams: Streams) -> None:
        self.queue, self.streams = Queue(store, limits), streams
        self.workers: Workers | None = None
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._rows: dict[str, Row] = {}
        self._watch_task: asyncio.Task[None] | None = None

    def start(self, number: int, cluster: str | None = None) -> None:
        """Start this many workers beside the server."""
        self.workers = Workers(self.queue, number, cluster)
        self.workers.start()

    async def close(self) -> None:
        if self._watch_task is not None:
            self._watch_task.cancel()
        if self.workers is not None:
            await asyncio.to_thread(self.workers.close)

    def wake(self) -> None:
        """Wake all listeners."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.set()

    # --- Submitting and reading ----------------------------------------------------------------

    async def question(self, kind: str, settings: Mapping[str, Any]) -> Work:
        """Return a validated job, built on a thread."""
        return await asyncio.to_thread(Work.of, kind, settings)

    async def ask(
        self,
        work: Work,
        holder: str,
        caller: str,
        brought: Mapping[str, bytes] | None = None,
        until: float | None = None,
    ) -> str:
        """Submit a job; return its key, which lets anyone view it."""
        row = await asyncio.to_thread(self.queue.ask, work, holder, caller, brought, until)
        return row.key

    async def look(self, key: str) -> Row:
        return await asyncio.to_thread(self.queue.look, key)

    async def stop(self, key: str, holder: str) -> bool:
        """Withdraw a request; return True if no requester is left."""
        row = await self.look(key)
        if not await asyncio.to_thread(self.queue.asked_by, key, holder):
            raise NotYours("only who asked for this work may stop it")
        if row.ended:
            return False
        return await asyncio.to_thread(self.queue.leave, key, holder)

    async def listed(
        self, holder: str, say: Callable[[Row], Json]
    ) -> tuple[list[Json], list[Json]]:
        """Return the holder's jobs and the latest results, described on a thread.

        Describing a job may have to load its job type.
        """

        def describe_all() -> tuple[list[Json], list[Json]]:
            yours, recent = self.queue.yours(holder), self.queue.recent()
            return [say(row) for row in yours], [say(row) for row in recent]

        return await asyncio.to_thread(describe_all)

    async def told(self, row: Row, holder: str) -> Json:
        """Return everything there is to say about a job."""
        return (await self.shown(row, holder))[0]

    async def shown(self, row: Row, holder: str) -> tuple[Json, str]:
        """Return everything about a job together with the page of its result."""
        return await asyncio.to_thread(self._describe, row, holder)

    def _describe(self, row: Row, holder: str) -> tuple[Json, str]:
        result, page = self.queue.result(row.key) if row.state == DONE else (None, "")
        description = {
            **described(row),
            "before": self.queue.before(row) if row.state == WAITING else 0,
            "yours": self.queue.asked_by(row.key, holder),
            "files": [*row.work.files, *self.queue.files(row.key)],
            "result": result,
        }
        return description, page

    def file(self, row: Row, name: str) -> bytes:
        """Return an input file of the job's command, or a result file."""
        input_text = row.work.files.get(name)
        return input_text.encode() if input_text is not None else self.queue.file(row.key, name)

    # --- Watching ------------------------------------------------------------------------------

    @contextmanager
    def listening(self, key: str) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever a job changes."""
        changed = asyncio.Event()
        self._listeners.setdefault(key, set()).add(changed)
        if self._watch_task is None or self._watch_task.done():
            self._watch_task = asyncio.get_running_loop().create_task(self._watch())
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
                rows = dict(self._rows)  # the database is away: try again later
            for key, listeners in self._listeners.items():
                if rows.get(key) != self._rows.get(key):
                    for listener in listeners:
                        listener.set()
            self._rows = {key: row for key, row in rows.items() if key in self._listeners}
            await asyncio.sleep(TICK)

    async def stream(self, key: str, closing: asyncio.Event, caller: str) -> AsyncIterator[str]:
        """Yield progress as server-sent events; the last one reports the end."""
        with self.streams.one_more(caller), self.listening(key) as changed:
            yield f"retry: {AGAIN}\n\n"
            sent: Json = {}
            while not closing.is_set():
                changed.clear()
                row = await asyncio.to_thread(self.queue.find, key)
                now = {"state": "gone"}
                if row is not None:
                    now = await asyncio.to_thread(moved, row, self.queue)
                if now != sent:
                    sent = now
                    yield event("work", sent)
                if row is None or row.ended:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"


def described(row: Row) -> Json:
    """Return the settings and the state of a job as JSON."""
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
    """Return the part of a job's state that changes while it runs, as JSON."""
    return {
        "state": row.state,
        "stopping": row.stopping,
        "done": row.done,
        "total": row.total,
        "before": queue.before(row) if row.state == WAITING else 0,
        "said": row.said,
    }
