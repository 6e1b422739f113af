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

from hashmark.web.clock import Clock
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.queue import DONE, WAITING, JobQueue, JobRow
from hashmark.web.jobs.workers import WorkerPool
from hashmark.web.rate_limits import Limits, StreamLimiter
from hashmark.web.tables.event_stream import KEEPALIVE_SECONDS, RECONNECT_MILLISECONDS, format_event
from hashmark.web.tables.table import Forbidden
from hashmark.web.tables.table_store import TableStore

POLL_SECONDS = 0.5  # between two polls of the watched jobs
MAX_UPLOADS_IN_MEMORY = 2  # at the same time; others wait on disk
Json = dict[str, Any]


class JobService:
    """Background jobs of a server."""

    def __init__(
        self, store: TableStore, clock: Clock, limits: Limits, streams: StreamLimiter
    ) -> None:
        self.queue, self.stream_limiter = JobQueue(store, clock, limits), streams
        self.clock = clock
        self.workers: WorkerPool | None = None
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._rows: dict[str, JobRow] = {}
        self._watch_task: asyncio.Task[None] | None = None
        self.upload_slots = asyncio.Semaphore(MAX_UPLOADS_IN_MEMORY)

    def start(self, number: int, cluster: str | None = None) -> None:
        """Start this many workers beside the server."""
        self.workers = WorkerPool(self.queue, number, cluster)
        self.workers.start()

    async def close(self) -> None:
        if self._watch_task is not None:
            self._watch_task.cancel()
        if self.workers is not None:
            await asyncio.to_thread(self.workers.close)

    def notify_all(self) -> None:
        """Wake all listeners."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.set()

    # --- Submitting and reading ----------------------------------------------------------------

    async def build_job(self, kind: str, settings: Mapping[str, Any]) -> Job:
        """Return a validated job, built on a thread."""
        return await asyncio.to_thread(Job.of, kind, settings)

    async def submit(
        self,
        job: Job,
        holder: str,
        caller: str,
        uploads: Mapping[str, bytes] | None = None,
        expires_at: float | None = None,
    ) -> str:
        """Submit a job; return its key, which lets anyone view it."""
        row = await asyncio.to_thread(self.queue.submit, job, holder, caller, uploads, expires_at)
        return row.key

    async def view(self, key: str) -> JobRow:
        return await asyncio.to_thread(self.queue.view, key)

    async def stop(self, key: str, holder: str) -> bool:
        """Withdraw a request; return True if no requester is left."""
        row = await self.view(key)
        if not await asyncio.to_thread(self.queue.is_requester, key, holder):
            raise Forbidden("only the person who submitted this job can stop it")
        if row.is_ended:
            return False
        return await asyncio.to_thread(self.queue.withdraw, key, holder)

    async def list_jobs(
        self, holder: str, describe: Callable[[JobRow], Json]
    ) -> tuple[list[Json], list[Json]]:
        """Return the holder's jobs and the latest results, described on a thread.

        Describing a job may have to load its job type.
        """

        def describe_all() -> tuple[list[Json], list[Json]]:
            yours, recent = self.queue.list_requested_by(holder), self.queue.list_recent()
            return [describe(row) for row in yours], [describe(row) for row in recent]

        return await asyncio.to_thread(describe_all)

    async def describe(self, row: JobRow, holder: str) -> Json:
        """Return everything there is to say about a job."""
        return (await self.describe_with_page(row, holder))[0]

    async def describe_with_page(self, row: JobRow, holder: str) -> tuple[Json, str]:
        """Return everything about a job together with the page of its result."""
        return await asyncio.to_thread(self._describe, row, holder)

    def _describe(self, row: JobRow, holder: str) -> tuple[Json, str]:
        result, page = self.queue.result(row.key) if row.state == DONE else (None, "")
        description = {
            **job_json(row),
            "before": self.queue.jobs_ahead(row) if row.state == WAITING else 0,
            "yours": self.queue.is_requester(row.key, holder),
            "files": [*row.job.files, *self.queue.list_results(row.key)],
            "result": result,
        }
        return description, page

    def read_file(self, row: JobRow, name: str) -> bytes:
        """Return an input file of the job's command, or a result file."""
        input_text = row.job.files.get(name)
        return (
            input_text.encode() if input_text is not None else self.queue.read_file(row.key, name)
        )

    # --- Watching ------------------------------------------------------------------------------

    @contextmanager
    def subscribe(self, key: str) -> Iterator[asyncio.Event]:
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
                rows = await asyncio.to_thread(self.queue.get_many, list(self._listeners))
            except SQLAlchemyError:
                rows = dict(self._rows)  # the database is away: try again later
            for key, listeners in self._listeners.items():
                if rows.get(key) != self._rows.get(key):
                    for listener in listeners:
                        listener.set()
            self._rows = {key: row for key, row in rows.items() if key in self._listeners}
            await self.clock.sleep(POLL_SECONDS)

    async def stream(self, key: str, closing: asyncio.Event, caller: str) -> AsyncIterator[str]:
        """Yield progress as server-sent events; the last one reports the end."""
        with self.stream_limiter.open_stream(caller), self.subscribe(key) as changed:
            yield f"retry: {RECONNECT_MILLISECONDS}\n\n"
            sent: Json = {}
            while not closing.is_set():
                changed.clear()
                row = await asyncio.to_thread(self.queue.find, key)
                now = {"state": "gone"}
                if row is not None:
                    now = await asyncio.to_thread(job_progress_json, row, self.queue)
                if now != sent:
                    sent = now
                    yield format_event("work", sent)
                if row is None or row.is_ended:
                    return
                try:
                    await self.clock.wait_for(changed.wait(), KEEPALIVE_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"


def job_json(row: JobRow) -> Json:
    """Return the settings and the state of a job as JSON."""
    work = row.job
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


def job_progress_json(row: JobRow, queue: JobQueue) -> Json:
    """Return the part of a job's state that changes while it runs, as JSON."""
    return {
        "state": row.state,
        "stopping": row.stopping,
        "done": row.done,
        "total": row.total,
        "before": queue.jobs_ahead(row) if row.state == WAITING else 0,
        "said": row.said,
    }
