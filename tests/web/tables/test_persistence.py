"""Memory is a cache of the database: the stored state always wins."""

from __future__ import annotations

import asyncio
import gc
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, update

from hashmark.web.db.schema import LINES, TABLES
from hashmark.web.tables.change_feed import DatabaseUnreachable
from hashmark.web.tables.persistence import MAX_ATTEMPTS
from hashmark.web.tables.table_store import VersionConflict
from web.harness import run_async
from web.two_servers import (
    YOU,
    answer,
    check_same_events,
    events,
    start_game,
    two_servers,
    wait_for_turn,
)


def test_a_restored_older_database_is_believed(database: str) -> None:
    """As after a backup was restored under a running server."""

    async def play() -> None:
        rng = Random(4)
        async with two_servers(database) as both:
            client, app_state = both[0]
            key = await start_game(client)
            await wait_for_turn(client, key)
            snapshot, before = app_state.store.load_snapshot(key), await events(client, key, YOU)
            assert snapshot is not None
            for _ in range(3):
                assert (await answer(client, key, await wait_for_turn(client, key), rng)).is_success
            await wait_for_turn(client, key)
            with app_state.store.engine.begin() as connection:
                after_snapshot = delete(LINES).where(LINES.c.table_id == key)
                connection.execute(after_snapshot.where(LINES.c.number > len(snapshot.lines)))
                columns = {"version": snapshot.row.version, "stage": snapshot.row.stage}
                connection.execute(update(TABLES).where(TABLES.c.id == key).values(**columns))
            assert await events(client, key, YOU) == before
            assert (await answer(client, key, await wait_for_turn(client, key), rng)).is_success
            assert len(await check_same_events(both, key, YOU)) > len(before)

    run_async(play)


def test_repeated_conflicts_are_reported_after_the_last_attempt(database: str) -> None:
    async def play() -> None:
        async with two_servers(database) as both:
            client, app_state = both[0]
            key = await start_game(client)
            state, attempts = await wait_for_turn(client, key), 0
            table, put = app_state.tables.loaded[key], app_state.tables.services.write_batcher.put

            def conflict(change: object) -> object:
                nonlocal attempts
                if getattr(change, "lines", None):
                    attempts += 1
                    raise VersionConflict("someone else was faster")
                return put(change)  # type: ignore[arg-type]

            app_state.tables.services.write_batcher.put = conflict  # type: ignore[method-assign, assignment]
            response = await answer(client, key, state, Random(1))
            assert (response.status_code, attempts) == (503, MAX_ATTEMPTS)
            app_state.tables.services.write_batcher.put = put  # type: ignore[method-assign]
            assert table.session is not None
            assert (await answer(client, key, state, Random(1))).is_success

    run_async(play)


@pytest.mark.parametrize("loaded", [True, False])
def test_canceled_requests_leave_no_unhandled_exception(database: str, loaded: bool) -> None:
    """A browser disconnects, or the server shuts down, during a database query."""

    async def play() -> None:
        unhandled: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: unhandled.append(context)
        )
        async with two_servers(database) as both:
            (client, app_state), released = both[0], asyncio.Event()
            key = await start_game(client)
            await wait_for_turn(client, key)

            async def fail_later(*arguments: Any) -> Any:
                await released.wait()
                raise DatabaseUnreachable

            table = app_state.tables.loaded[key]
            request: asyncio.Future[Any]
            if loaded:
                stored = await table.fetch_version()
                table._is_out_of_sync = True  # so that it must be reloaded
                table.fetch_version = fail_later  # type: ignore[method-assign]
                request = asyncio.ensure_future(table.catch_up_to(stored, -1, 0.0))
            else:
                app_state.tables.evict(table)
                app_state.tables._load = fail_later  # type: ignore[method-assign, assignment]
                request = asyncio.ensure_future(app_state.tables.find(key))
            await asyncio.sleep(0.01)
            request.cancel()
            await asyncio.wait([request])
            released.set()
            await asyncio.sleep(0.01)
        del request, table
        app_state.tables._loading.clear()
        app_state.tables.loaded.clear()
        gc.collect()
        await asyncio.sleep(0)
        assert not unhandled

    run_async(play)
