"""Several servers at one database: whether what is in memory is still what is kept.

The database is the truth. Every change of a table makes its version rise, and before a request is
answered the version is compared: who was told at one server that his call was taken sees it at
every other. Those who look on hear of changes by NOTIFY, which PostgreSQL sends with the commit.
What was missed while the connection was lost is found by comparing all tables that are looked at,
and so is, now and then, whatever else might have been missed. A file of SQLite, which may have
several servers too, is asked right away, and looked at now and then.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from hashmark.table.errors import HashmarkError
from hashmark.web.database import PASSING, PATIENCE
from hashmark.web.store import CHANNEL, STANDING, Gone, Standing, Store

if TYPE_CHECKING:
    from hashmark.web.hall import Hall
    from hashmark.web.keeping import Keeping
    from hashmark.web.tables import Table

ANSWERS = 5.0  # seconds in which a database has to answer
SOON = 2.0  # seconds, for who asks whether it does
NOBODYS = "-"  # the name of no table
SWEEP = 5.0  # seconds between two comparisons of all tables that are looked at
LOOK = 0.5  # seconds between two looks at a file
AGAIN = 1.0  # seconds until a lost connection is tried again

logger = logging.getLogger("hashmark.web")
Standings = dict[str, Standing]


class Unreachable(HashmarkError):
    """The database does not answer."""

    def __init__(self) -> None:
        super().__init__("the database does not answer just now: try again")


class Wire(Protocol):
    """How a kind of database is asked, and how it tells."""

    async def standings(self, keys: Sequence[str]) -> Standings:
        """How these tables stand now."""

    async def watch(
        self, heard: Callable[[str, int, str], None], compare: Callable[[], Awaitable[None]]
    ) -> None:
        """Tell of changes, for ever."""

    async def close(self) -> None: ...


class Sharing:
    """The eyes of one server for what others do."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.me = hall, secrets.token_hex(8)
        self.wire: Wire = Postgres(hall.store) if hall.store.is_shared else OneFile(hall.store)
        self._watching: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Listen from now on."""
        if self._watching is None:
            loop = asyncio.get_running_loop()
            self._watching = loop.create_task(self.wire.watch(self._heard, self.compare_all))

    async def standing(self, table: Keeping) -> Standing:
        """How a table stands in the database now."""
        found = (await self.wire.standings([table.id])).get(table.id)
        if found is None:
            self.hall.forget(table)
            raise Gone("there is no such table any more")
        return found

    async def fresh(self, table: Table) -> None:
        """Let a table in memory be as it was kept at this moment, or later."""
        known = table.kept.version
        await table.compare(await self.standing(table), known)

    async def answers(self) -> None:
        """Whether the database answers, and soon: Unreachable is raised if not."""
        try:
            await asyncio.wait_for(self.wire.standings([NOBODYS]), SOON)
        except TimeoutError:
            raise Unreachable from None

    def _heard(self, key: str, version: int, writer: str) -> None:
        table = self.hall.tables.get(key)
        if table is not None and writer != self.me and version > table.kept.version:
            self._beside(self._freshened(table))

    def _beside(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _freshened(self, table: Table) -> None:
        """Nobody waits for this: what fails now is found by the next comparison."""
        try:
            await self.fresh(table)
        except PASSING as fault:
            logger.warning("a table could not be read: %s", str(fault).partition("\n")[0])

    async def compare_all(self) -> None:
        """Whatever is looked at here may have been changed elsewhere."""
        looked_at = [one for one in self.hall.tables.values() if one.listeners or one.going.is_busy]
        if not looked_at:
            return
        known = {one.id: one.kept.version for one in looked_at}
        found = await self.wire.standings(list(known))
        for table in looked_at:
            standing = found.get(table.id)
            if standing is not None and not table.is_as(standing, known[table.id]):
                self._beside(self._freshened(table))

    async def close(self) -> None:
        tasks = [*self._tasks, *([self._watching] if self._watching is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.wire.close()


class OneFile:
    """A database of SQLite: to ask it takes some microseconds."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._pool: Any = None
        self._file: sqlite3.Connection | None = None

    def _opened(self) -> sqlite3.Connection:
        if self._file is None:
            self._pool = self.store.engine.raw_connection()
            self._file = self._pool.driver_connection
            assert self._file is not None
            self._file.execute("PRAGMA busy_timeout=0")
        return self._file

    async def standings(self, keys: Sequence[str]) -> Standings:
        marks = ",".join("?" * len(keys))
        try:
            rows = self._opened().execute(f"{STANDING} in ({marks})", keys).fetchall()
        except (sqlite3.Error, SQLAlchemyError):
            raise Unreachable from None
        return Standing.of(rows)

    async def watch(
        self, heard: Callable[[str, int, str], None], compare: Callable[[], Awaitable[None]]
    ) -> None:
        known = None
        while True:
            await asyncio.sleep(LOOK)
            with suppress(sqlite3.Error, SQLAlchemyError, Unreachable):
                now = self._opened().execute("PRAGMA data_version").fetchone()
                if now != known:
                    await compare()
                    known = now

    async def close(self) -> None:
        if self._pool is not None:
            self._pool.close()


class Postgres:
    """A PostgreSQL server: whoever asks while a question is on its way is in the next one."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._connection: Any = None
        self._next: dict[str, asyncio.Future[Standing | None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def _connected(self) -> Any:
        from psycopg import AsyncConnection

        engine = self.store.engine
        given, named = engine.dialect.create_connect_args(engine.url)
        return await AsyncConnection.connect(*given, **{**PATIENCE, **named}, autocommit=True)

    async def standings(self, keys: Sequence[str]) -> Standings:
        loop = asyncio.get_running_loop()
        waits = {key: self._next.setdefault(key, loop.create_future()) for key in keys}
        if self._asking is None or self._asking.done():
            self._asking = loop.create_task(self._ask_all())
        found = {key: await asyncio.shield(answer) for key, answer in waits.items()}
        return {key: one for key, one in found.items() if one is not None}

    async def _ask_all(self) -> None:
        while self._next:
            asked, self._next = self._next, {}
            try:
                found = await self._asked(list(asked))
            except BaseException as fault:
                for one in asked.values():
                    if not one.done():
                        one.set_exception(Unreachable())
                        one.exception()  # there may be nobody left who waits for it
                if not isinstance(fault, Unreachable):
                    raise
            else:
                for key, one in asked.items():
                    if not one.done():
                        one.set_result(found.get(key))

    async def _asked(self, keys: list[str]) -> Standings:
        """The answer; a connection that was lost meanwhile is made anew, once."""
        from psycopg import Error

        for is_last in (False, True):
            try:
                async with asyncio.timeout(ANSWERS):
                    if self._connection is None:
                        self._connection = await self._connected()
                    asked = await self._connection.execute(f"{STANDING} = any(%s)", [keys])
                    return Standing.of(await asked.fetchall())
            except (Error, OSError, TimeoutError):
                await self._hang_up()
                if is_last:
                    break
        raise Unreachable

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()

    async def watch(
        self, heard: Callable[[str, int, str], None], compare: Callable[[], Awaitable[None]]
    ) -> None:
        from psycopg import Error

        while True:
            try:
                async with await self._connected() as connection:
                    await connection.execute(f"listen {CHANNEL}")
                    while True:
                        await compare()
                        async for note in connection.notifies(timeout=SWEEP):
                            key, version, writer = note.payload.split(" ")
                            heard(key, int(version), writer)
            except (Error, OSError, Unreachable) as fault:
                logger.warning("nothing is heard from the database: %s", str(fault).strip())
                await asyncio.sleep(AGAIN)

    async def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        await self._hang_up()
