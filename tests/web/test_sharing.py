"""Two servers at one database, in this process: what is done at one is so at the other."""

from __future__ import annotations

import asyncio
from random import Random

import psycopg
import pytest

from hashmark.web.sharing import Unreachable

from .house import run
from .postgres import Postgres, running
from .two_halls import (
    ME,
    YOU,
    Both,
    agreed,
    answer,
    asked,
    begun,
    events,
    heard,
    lay,
    mine,
    two,
    until,
)


def test_what_was_acknowledged_at_one_is_seen_at_the_other(database: str) -> None:
    async def play() -> None:
        luck = Random(1)
        async with two(database) as both:
            key = await begun(both[0][0])
            for turn in range(30):
                here, there = both[turn % 2][0], both[1 - turn % 2][0]
                state = await asked(here, key)
                if state["over"]:
                    break
                taken = await answer(here, key, state, luck)
                assert taken.status_code == 200, taken.text
                seen = (await there.get(f"/api/tables/{key}", headers=mine(ME))).json()
                assert seen["number"] >= taken.json()["number"]
                late = await answer(there, key, state, luck)
                assert late.status_code == 409
            await agreed(both, key)

    run(play)


def test_of_two_answers_for_one_turn_one_counts(database: str) -> None:
    async def play() -> None:
        luck = Random(2)
        async with two(database) as both:
            key = await begun(both[0][0])
            conflicts = 0.0
            for _ in range(25):
                state = await asked(both[0][0], key)
                if state["over"]:
                    break
                moment = state["wanted"]["moment"]
                for client, _hall in both:  # both have it in memory as it is
                    await client.get(f"/api/tables/{key}")
                sent = (answer(client, key, state, luck) for client, _ in both)
                codes = sorted(one.status_code for one in await asyncio.gather(*sent))
                assert codes == [200, 409]
                turns = [one for one in await events(both[1][0], key) if one["kind"] == "turn"]
                assert [one["moment"] for one in turns].count(moment + 1) == 1
            for _, hall in both:
                conflicts += hall.metrics.conflicts._value.get()
            assert conflicts, "they never met"
            await agreed(both, key)

    run(play)


def test_who_looks_on_elsewhere_hears_all_of_it(database: str) -> None:
    async def play() -> None:
        luck, there = Random(3), []  # type: ignore[var-annotated]
        async with two(database) as both:
            key = await begun(both[0][0])
            looking = asyncio.create_task(heard(both[1][1], key, there))
            while not (state := await asked(both[0][0], key))["over"]:
                assert (await answer(both[0][0], key, state, luck)).status_code == 200
            every = await agreed(both, key, YOU)
            await until(lambda: len(there) >= len(every))
            looking.cancel()
            assert there == every

    run(play)


def test_an_invitation_is_used_once(database: str) -> None:
    async def play() -> None:
        async with two(database) as both:
            for _ in range(5):
                made = await lay(both[0][0], seats={"away": "friend"})
                form = {"invitation": made["invitations"]["away"]}
                sent = (client.post("/api/seats", json=form) for client, _ in both)
                answers = await asyncio.gather(*sent)
                assert sorted(one.status_code for one in answers) == [201, 404]
                token = next(one.json()["token"] for one in answers if one.status_code == 201)
                for client, _ in both:
                    seen = await client.get(f"/api/tables/{made['id']}", headers=mine(token))
                    assert seen.json()["viewer"] == "away", seen.json()

    run(play)


def test_both_say_their_words_at_once(database: str) -> None:
    async def play() -> None:
        async with two(database) as both:
            for _ in range(5):
                made = await lay(both[0][0], seats={"away": "friend"})
                form = {"invitation": made["invitations"]["away"]}
                await both[1][0].post("/api/seats", json=form, headers=mine(YOU))
                at = f"/api/tables/{made['id']}/ready"
                sent = (
                    client.post(at, json={"word": token[:5]}, headers=mine(token))
                    for (client, _), token in zip(both, (ME, YOU), strict=True)
                )
                for one in await asyncio.gather(*sent):
                    assert one.status_code == 200, one.text
                one, other = [
                    (await client.get(f"/api/tables/{made['id']}")).json() for client, _ in both
                ]
                assert (one["stage"], other["stage"]) == ("playing", "playing")
                assert one["words"] == {"home": ME[:5], "away": YOU[:5]} == other["words"]
                lines = both[0][1].store.lines(made["id"])
                assert [number for number, line in enumerate(lines) if '"log"' in line] == [0]

    run(play)


async def finished(both: Both) -> str:
    luck = Random(5)
    key = await begun(both[0][0])
    while not (state := await asked(both[0][0], key))["over"]:
        await answer(both[0][0], key, state, luck)
    return key


def test_a_rematch_asked_for_at_both_is_one(database: str) -> None:
    async def play() -> None:
        async with two(database) as both:
            key = await finished(both)
            for client, _ in both:
                assert (await client.get(f"/api/tables/{key}")).json()["over"]
            sent = (
                client.post(f"/api/tables/{key}/rematch", headers=mine(ME)) for client, _ in both
            )
            answers = await asyncio.gather(*sent)
            assert [one.status_code for one in answers] == [201, 201]
            assert len({one.json()["id"] for one in answers}) == 1
            listed = (await both[0][0].get("/api/tables", headers=mine(ME))).json()
            assert len(listed["yours"]) == 2

    run(play)


def test_a_table_that_was_closed_is_closed_everywhere(database: str) -> None:
    async def play() -> None:
        async with two(database) as both:
            key = await begun(both[0][0])
            state = await asked(both[1][0], key)
            closed = await both[0][0].delete(f"/api/tables/{key}", headers=mine(ME))
            assert closed.status_code == 204
            assert (await answer(both[1][0], key, state, Random(1))).status_code == 409

    run(play)


def test_who_is_seen_at_one_server_is_there_at_all(database: str) -> None:
    async def play() -> None:
        async with two(database, absent=0.5) as both:
            made = await lay(both[0][0], seats={"away": "friend"})
            form = {"invitation": made["invitations"]["away"]}
            await both[1][0].post("/api/seats", json=form, headers=mine(YOU))
            for (client, _), token in zip(both, (ME, YOU), strict=True):
                at = f"/api/tables/{made['id']}"
                await client.post(f"{at}/ready", json={"word": "x"}, headers=mine(token))
            handing = {"team": "away", "who": "coach:random"}
            for _ in range(8):  # he is seen at the second server alone
                await asyncio.sleep(0.1)
                await both[1][0].get(at, headers=mine(YOU))
            refused = await both[0][0].post(f"{at}/seats", json=handing, headers=mine(ME))
            assert refused.status_code == 403, refused.text
            await asyncio.sleep(0.8)
            taken = await both[0][0].post(f"{at}/seats", json=handing, headers=mine(ME))
            assert taken.status_code == 200, taken.text

    run(play)


def test_what_was_missed_while_nothing_was_heard(postgres: Postgres) -> None:
    url = postgres.new()

    def cut() -> int:
        """End the connections that listen."""
        with psycopg.connect(url, autocommit=True) as connection:
            found = connection.execute(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity "
                "where datname = current_database() and query like 'listen%'"
            ).fetchone()
            assert found is not None
            return int(found[0])

    async def play() -> None:
        luck, there = Random(3), []  # type: ignore[var-annotated]
        async with two(url) as both:
            key = await begun(both[0][0])
            looking = asyncio.create_task(heard(both[1][1], key, there))
            for turn in range(12):
                if (state := await asked(both[0][0], key))["over"]:
                    break
                while turn % 4 == 1 and not await asyncio.to_thread(cut):
                    await asyncio.sleep(0.1)  # until they listen again
                assert (await answer(both[0][0], key, state, luck)).status_code == 200
            every = await agreed(both, key, YOU)
            await until(lambda: len(there) >= len(every))
            looking.cancel()
            assert there == every

    run(play)


def test_a_database_that_is_away_for_a_while() -> None:
    """Nothing is told that is not kept; when it is back all goes on, without a new start."""

    async def play(own: Postgres) -> None:
        luck = Random(6)
        async with two(own.new()) as both:
            client, hall = both[0]
            key = await begun(client)
            state = await asked(client, key)
            before = await events(client, key)
            await asyncio.to_thread(own.stop)
            refused = await answer(client, key, state, luck)
            assert refused.status_code == 503, refused.text
            health = await client.get("/api/health")
            assert health.status_code == 503
            assert (await client.get("/api/alive")).status_code == 200
            with pytest.raises(Unreachable):
                await hall.sharing.fresh(hall.tables[key])
            await asyncio.to_thread(own.start)
            for client, _ in both:
                assert await events(client, key) == before
            for client, _ in both:
                state = await asked(client, key)
                assert (await answer(client, key, state, luck)).status_code == 200
            await agreed(both, key)

    with running() as own:
        run(lambda: play(own))
