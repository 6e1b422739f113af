"""Prometheus metrics of a server.

They contain counts and durations only: no name, address, table or token. Loaded tables and open
streams are those of one process; with several servers, scrape each of them.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from hashmark.web.clock import Clock
from hashmark.web.db.schema import WORKS
from hashmark.web.jobs.queue import RUNNING, WAITING
from hashmark.web.rate_limits import StreamLimiter
from hashmark.web.tables.table import Table
from hashmark.web.tables.table_store import PLAYING, TableStore
from hashmark.web.tables.table_sync import HEALTH_TIMEOUT_SECONDS

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
STREAM = "stream"  # lasts as long as a spectator stays: its duration means nothing
BUCKET_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def request_kind(method: str, path: str) -> str:
    """Return the request category that a metric is labeled with."""
    if path.startswith("/static"):
        return "static"
    if path.endswith("/stream"):
        return STREAM
    area = "api" if path.startswith("/api") else "page"
    return f"{area} read" if method in SAFE_METHODS else f"{area} write"


class Metrics:
    """Counters and gauges of one server."""

    def __init__(
        self,
        store: TableStore,
        tables: Mapping[str, Table],
        streams: StreamLimiter,
        clock: Clock,
    ) -> None:
        self.store, self.tables, self.stream_limiter = store, tables, streams
        self.clock = clock
        self.registry = CollectorRegistry()
        common: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter(
            "hashmark_requests", "Requests answered.", ["kind", "status"], **common
        )
        self.seconds = Histogram(
            "hashmark_request_seconds",
            "Time to complete a response, excluding streams.",
            ["kind"],
            buckets=BUCKET_SECONDS,
            **common,
        )
        self.conflicts = Counter("hashmark_conflicts", "Changes lost to another server.", **common)
        self.changes = Counter("hashmark_journal_changes", "Table changes saved.", **common)
        self.writes = Histogram(
            "hashmark_journal_write_seconds",
            "Time of a transaction that saves all pending changes.",
            buckets=BUCKET_SECONDS,
            **common,
        )
        for name, help_text, function in (
            ("hashmark_tables_loaded", "Tables in memory.", self._loaded),
            ("hashmark_tables_playing", "Tables in memory with a live game.", self._playing),
            (
                "hashmark_tables_busy",
                "Tables in memory on autoplay.",
                self._busy,
            ),
            ("hashmark_streams_open", "Open streams and long polls.", self._streams),
        ):
            Gauge(name, help_text, **common).set_function(function)
        self.jobs = Gauge("hashmark_works", "Jobs on all servers.", ["state"], **common)

    def _loaded(self) -> float:
        return float(len(self.tables))

    def _playing(self) -> float:
        return float(sum(table.row.stage == PLAYING for table in self.tables.values()))

    def _busy(self) -> float:
        return float(sum(table.autoplay.is_busy for table in self.tables.values()))

    def _streams(self) -> float:
        return float(self.stream_limiter.open_by_caller.total())

    def count_request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        kind = request_kind(method, path)
        self.requests.labels(kind, str(status)).inc()
        if kind != STREAM:
            self.seconds.labels(kind).observe(seconds)

    def count_write(self, changes: int, seconds: float) -> None:
        """Count a transaction of the write batcher."""
        self.changes.inc(changes)
        self.writes.observe(seconds)

    async def render(self) -> bytes:
        """Return all metrics as text; NaN where the database does not answer in time."""
        counts = dict.fromkeys((WAITING, RUNNING), math.nan)
        with suppress(TimeoutError, SQLAlchemyError):
            counts = await self.clock.wait_for(
                asyncio.to_thread(self._count_jobs), HEALTH_TIMEOUT_SECONDS
            )
        for state, count in counts.items():
            self.jobs.labels(state).set(count)
        return generate_latest(self.registry)

    def _count_jobs(self) -> dict[str, float]:
        query = select(WORKS.c.state, func.count()).group_by(WORKS.c.state)
        query = query.where(WORKS.c.state.in_((WAITING, RUNNING)))
        with self.store.engine.connect() as connection:
            rows = connection.execute(query).all()
        return {WAITING: 0.0, RUNNING: 0.0, **{str(row[0]): float(row[1]) for row in rows}}
