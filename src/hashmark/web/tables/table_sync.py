"""Several servers on one database: keeps tables in memory consistent with it.

The database is the source of truth. Every change of a table increments its version, and the version
is compared before each request is answered, so a call acknowledged by one server is visible on all
others. Notifications missed during a lost connection are found by periodically comparing all
watched tables.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import Any

from hashmark.web.db.connection import TRANSIENT_ERRORS
from hashmark.web.tables.change_feed import DatabaseUnreachable
from hashmark.web.tables.services import TableServices
from hashmark.web.tables.table import Table

HEALTH_TIMEOUT_SECONDS = 2.0  # timeout of a health check
NO_TABLE_ID = "-"  # ID that no table has

logger = logging.getLogger("hashmark.web")


class TableSync:
    """Consistency of one server with the others on its database."""

    def __init__(self, tables: Mapping[str, Table], services: TableServices) -> None:
        self.tables, self.clock, self.server_id = tables, services.clock, services.server_id
        self.change_feed = services.change_feed
        self._watch_task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start listening for changes."""
        if self._watch_task is None:
            loop = asyncio.get_running_loop()
            self._watch_task = loop.create_task(
                self.change_feed.watch(self._on_change, self.refresh_all)
            )

    async def check_health(self) -> None:
        """Raise DatabaseUnreachable unless the database answers in time."""
        try:
            await self.clock.wait_for(
                self.change_feed.fetch_versions([NO_TABLE_ID]), HEALTH_TIMEOUT_SECONDS
            )
        except TimeoutError:
            raise DatabaseUnreachable from None

    def _on_change(self, key: str, version: int, writer: str) -> None:
        table = self.tables.get(key)
        if table is not None and writer != self.server_id and version > table.row.version:
            self._spawn(self._refresh_quietly(table))

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _refresh_quietly(self, table: Table) -> None:
        """Refresh a table in the background; the next comparison makes up for a failure."""
        try:
            await table.refresh()
        except TRANSIENT_ERRORS as error:
            logger.warning("a table could not be read: %s", str(error).partition("\n")[0])

    async def refresh_all(self) -> None:
        """Refresh all watched tables that another server has changed."""
        watched = [
            table for table in self.tables.values() if table.listeners or table.autoplay.is_busy
        ]
        if not watched:
            return
        queried_at = self.clock.monotonic()
        known = {table.id: table.row.version for table in watched}
        versions = await self.change_feed.fetch_versions(list(known))
        for table in watched:
            version = versions.get(table.id)
            if version is None:
                continue
            table.observe_presence(version.seen)
            if not table.is_current(version, known[table.id], queried_at):
                self._spawn(self._refresh_quietly(table))

    async def close(self) -> None:
        tasks = [*self._tasks, *([self._watch_task] if self._watch_task is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.change_feed.close()
