"""What is in memory is a copy: whatever happens to it, what is kept counts."""

from __future__ import annotations

import asyncio
import gc
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, update

from hashmark.web.keeping import TRIES
from hashmark.web.schema import LINES, TABLES
from hashmark.web.sharing import Unreachable
from hashmark.web.store import Overtaken

from .house import run
from .two_halls import YOU, agreed, answer, asked, begun, events, two


def test_a_database_that_went_back_in_time_is_believed(database: str) -> None:
    """As after a backup was put in place under a server that runs."""

    async def play() -> None:
        luck = Random(4)
        async with two(database) as both:
            client, hall = both[0]
            key = await begun(client)
            await asked(client, key)
            kept, before = hall.store.found(key), await events(client, key, YOU)
            assert kept is not None
            for _ in range(3):
                assert (await answer(client, key, await asked(client, key), luck)).is_success
            await asked(client, key)
            with hall.store.engine.begin() as connection:
                late = delete(LINES).where(LINES.c.table_id == key)
                connection.execute(late.where(LINES.c.number > len(kept.lines)))
                old = {"version": kept.kept.version, "stage": kept.kept.stage}
                connection.execute(update(TABLES).where(TABLES.c.id == key).values(**old))
            assert await events(client, key, YOU) == before
            assert (await answer(client, key, await asked(client, key), luck)).is_success
            assert len(await agreed(both, key, YOU)) > len(before)

    run(play)


def test_who_is_overtaken_again_and_again_is_told(database: str) -> None:
    async def play() -> None:
        async with two(database) as both:
            client, hall = both[0]
            key = await begun(client)
            state, tries = await asked(client, key), 0
            table, put = hall.tables[key], hall.journal.put

            def overtaken(change: object) -> object:
                nonlocal tries
                if getattr(change, "lines", None):
                    tries += 1
                    raise Overtaken("somebody else was quicker")
                return put(change)  # type: ignore[arg-type]

            hall.journal.put = overtaken  # type: ignore[method-assign, assignment]
            refused = await answer(client, key, state, Random(1))
            assert (refused.status_code, tries) == (503, TRIES)
            hall.journal.put = put  # type: ignore[method-assign]
            assert table.sitting is not None
            assert (await answer(client, key, state, Random(1))).is_success

    run(play)


@pytest.mark.parametrize("loaded", [True, False])
def test_who_goes_while_the_database_is_away_leaves_no_complaint(
    database: str, loaded: bool
) -> None:
    """A browser is closed, or the server ends, in the middle of a look: nobody hears of it."""

    async def play() -> None:
        complaints: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(said))
        async with two(database) as both:
            (client, hall), gone = both[0], asyncio.Event()
            key = await begun(client)
            await asked(client, key)

            async def away(*given: Any) -> Any:
                await gone.wait()
                raise Unreachable

            table = hall.tables[key]
            look: asyncio.Future[Any]
            if loaded:
                standing = await hall.sharing.standing(table)
                table._is_torn = True  # so that it has to be read again
                hall.sharing.standing = away  # type: ignore[method-assign, assignment]
                look = asyncio.ensure_future(table.compare(standing, -1))
            else:
                hall.forget(table)
                hall._load = away  # type: ignore[method-assign, assignment]
                look = asyncio.ensure_future(hall.find(key))
            await asyncio.sleep(0.01)
            look.cancel()
            await asyncio.wait([look])
            gone.set()
            await asyncio.sleep(0.01)
        del look, table
        hall._loading.clear()
        hall.tables.clear()
        gc.collect()
        await asyncio.sleep(0)
        assert not complaints

    run(play)
