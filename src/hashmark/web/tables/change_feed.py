"""Current versions of tables in the database, and notifications when another server changes one.

PostgreSQL announces changes to spectators with NOTIFY at commit. SQLite, whose file several servers
may also share, is queried directly and polled.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from hashmark.errors import HashmarkError
from hashmark.web.clock import Clock
from hashmark.web.db.connection import POSTGRES_TIMEOUTS
from hashmark.web.tables.table_store import (
    NOTIFY_CHANNEL,
    SELECT_VERSIONS,
    TableStore,
    TableVersion,
)

QUERY_TIMEOUT_SECONDS = 5.0  # timeout of a query, in real time like those of the driver
COMPARE_SECONDS = 5.0  # between two comparisons of all watched tables
POLL_SECONDS = 0.5  # between two polls of a SQLite file
RECONNECT_SECONDS = 1.0  # delay before reconnecting

logger = logging.getLogger("hashmark.web")
TableVersions = dict[str, TableVersion]


class DatabaseUnreachable(HashmarkError):
    """The database does not answer."""

    def __init__(self) -> None:
        super().__init__("the database is not responding: try again")


class ChangeFeed(Protocol):
    """Source of table versions and change notifications, one class for each database system."""

    async def fetch_versions(self, keys: Sequence[str]) -> TableVersions:
        """Return the current versions of these tables."""

    async def watch(
        self, on_change: Callable[[str, int, str], None], refresh_all: Callable[[], Awaitable[None]]
    ) -> None:
        """Report changes forever."""

    async def close(self) -> None: ...


class SQLiteChangeFeed:
    """Change feed of a SQLite database; a query takes microseconds."""

    def __init__(self, store: TableStore, clock: Clock) -> None:
        self.store, self.clock = store, clock
        self._pooled: Any = None
        self._connection: sqlite3.Connection | None = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._pooled = self.store.engine.raw_connection()
            self._connection = self._pooled.driver_connection
            assert self._connection is not None
            self._connection.execute("PRAGMA busy_timeout=0")
        return self._connection

    async def fetch_versions(self, keys: Sequence[str]) -> TableVersions:
        placeholders = ",".join("?" * len(keys))
        try:
            rows = self._open().execute(f"{SELECT_VERSIONS} in ({placeholders})", keys).fetchall()
        except (sqlite3.Error, SQLAlchemyError):
            raise DatabaseUnreachable from None
        return TableVersion.from_rows(rows)

    async def watch(
        self, on_change: Callable[[str, int, str], None], refresh_all: Callable[[], Awaitable[None]]
    ) -> None:
        seen_version = None
        while True:
            await self.clock.sleep(POLL_SECONDS)
            with suppress(sqlite3.Error, SQLAlchemyError, DatabaseUnreachable):
                current_version = self._open().execute("PRAGMA data_version").fetchone()
                if current_version != seen_version:
                    await refresh_all()
                    seen_version = current_version

    async def close(self) -> None:
        if self._pooled is not None:
            self._pooled.close()


class PostgresChangeFeed:
    """Change feed of a PostgreSQL server; concurrent queries are batched into one."""

    def __init__(self, store: TableStore, clock: Clock) -> None:
        self.store, self.clock = store, clock
        self._connection: Any = None
        self._next_batch: dict[str, asyncio.Future[TableVersion | None]] = {}
        self._query_task: asyncio.Task[None] | None = None

    async def _connect(self) -> Any:
        from psycopg import AsyncConnection

        engine = self.store.engine
        arguments, options = engine.dialect.create_connect_args(engine.url)
        return await AsyncConnection.connect(
            *arguments, **{**POSTGRES_TIMEOUTS, **options}, autocommit=True
        )

    async def fetch_versions(self, keys: Sequence[str]) -> TableVersions:
        loop = asyncio.get_running_loop()
        futures = {key: self._next_batch.setdefault(key, loop.create_future()) for key in keys}
        if self._query_task is None or self._query_task.done():
            self._query_task = loop.create_task(self._run_batches())
        versions = {key: await asyncio.shield(answer) for key, answer in futures.items()}
        return {key: version for key, version in versions.items() if version is not None}

    async def _run_batches(self) -> None:
        while self._next_batch:
            futures, self._next_batch = self._next_batch, {}
            try:
                versions = await self._query(list(futures))
            except BaseException as error:
                for future in futures.values():
                    if not future.done():
                        future.set_exception(DatabaseUnreachable())
                        future.exception()  # mark as retrieved: every waiter may be gone
                if not isinstance(error, DatabaseUnreachable):
                    raise
            else:
                for key, future in futures.items():
                    if not future.done():
                        future.set_result(versions.get(key))

    async def _query(self, keys: list[str]) -> TableVersions:
        """Query the versions; reconnect once if the connection was lost."""
        from psycopg import Error

        for is_last in (False, True):
            try:
                async with asyncio.timeout(QUERY_TIMEOUT_SECONDS):
                    if self._connection is None:
                        self._connection = await self._connect()
                    cursor = await self._connection.execute(f"{SELECT_VERSIONS} = any(%s)", [keys])
                    return TableVersion.from_rows(await cursor.fetchall())
            except (Error, OSError, TimeoutError):
                await self._disconnect()
                if is_last:
                    break
        raise DatabaseUnreachable

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()

    async def watch(
        self, on_change: Callable[[str, int, str], None], refresh_all: Callable[[], Awaitable[None]]
    ) -> None:
        from psycopg import Error

        while True:
            try:
                async with await self._connect() as connection:
                    await connection.execute(f"listen {NOTIFY_CHANNEL}")
                    while True:
                        await refresh_all()
                        async for notification in connection.notifies(timeout=COMPARE_SECONDS):
                            key, version, writer = notification.payload.split(" ")
                            on_change(key, int(version), writer)
            except (Error, OSError, DatabaseUnreachable) as error:
                logger.warning("no notifications from the database: %s", str(error).strip())
                await self.clock.sleep(RECONNECT_SECONDS)

    async def close(self) -> None:
        if self._query_task is not None:
            self._query_task.cancel()
            await asyncio.gather(self._query_task, return_exceptions=True)
        await self._disconnect()


def open_change_feed(store: TableStore, clock: Clock) -> ChangeFeed:
    """Return the change feed of a database."""
    return (PostgresChangeFeed if store.is_shared else SQLiteChangeFeed)(store, clock)
