"""What is in memory is a copy: whatever happens to it, what is kept counts."""

from __future__ import annotations

from random import Random

from sqlalchemy import delete, update

from hashmark.web.keeping import TRIES
from hashmark.web.schema import LINES, TABLES
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
