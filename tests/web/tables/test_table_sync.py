"""Two servers on one database, both in this process: a change on one is visible on the other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from random import Random
from typing import Any

import httpx
import psycopg
import pytest

from hashmark.web.rate_limits import Limits
from hashmark.web.tables.change_feed import DatabaseUnreachable, TableVersions
from timeouts import TIMEOUT_SECONDS
from web.harness import run_async
from web.manual_clock import MORNING, ManualClock
from web.postgres_server import PostgresServer, running_postgres
from web.two_servers import (
    ME,
    YOU,
    ServerPair,
    answer,
    auth_headers,
    check_same_events,
    create_table,
    events,
    follow_feed,
    start_game,
    two_servers,
    wait_for_turn,
    wait_until,
)


def test_an_acknowledged_call_is_visible_on_the_other_server(database: str) -> None:
    async def play() -> None:
        rng = Random(1)
        async with two_servers(database) as both:
            key = await start_game(both[0][0])
            for turn in range(30):
                here, there = both[turn % 2][0], both[1 - turn % 2][0]
                state = await wait_for_turn(here, key)
                if state["over"]:
                    break
                accepted = await answer(here, key, state, rng)
                assert accepted.status_code == 200, accepted.text
                seen = (await there.get(f"/api/tables/{key}", headers=auth_headers(ME))).json()
                assert seen["number"] >= accepted.json()["number"]
                stale = await answer(there, key, state, rng)
                assert stale.status_code == 409
            await check_same_events(both, key)

    run_async(play)


def test_an_answered_call_queries_the_version_once(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One round trip tells whether the table is current; the API and the page share it."""

    async def play() -> None:
        async with two_servers(database) as ((client, app_state), _):
            key = await start_game(client, seats={"away": "me"})
            watch_task = app_state.tables.sync._watch_task
            assert watch_task is not None
            watch_task.cancel()  # it compares watched tables now and then
            feed, queried = app_state.tables.sync.change_feed, []
            fetch = feed.fetch_versions

            async def count(keys: Sequence[str]) -> TableVersions:
                queried.append(list(keys))
                return await fetch(keys)

            for path, is_form in (("api/tables/{}/answers", False), ("table/{}/answer", True)):
                pending = (await wait_for_turn(client, key))["wanted"]
                call = {"moment": pending["moment"], "call": pending["calls"][0]["call"]}
                body: dict[str, Any] = {"data" if is_form else "json": call}
                headers = {**auth_headers(ME), "X-Part": "1"}
                with monkeypatch.context() as patched:
                    patched.setattr(feed, "fetch_versions", count)
                    response = await client.post(f"/{path.format(key)}", headers=headers, **body)
                assert response.status_code == 200, response.text
                assert queried == [[key]]
                queried.clear()

    run_async(play)


def test_one_of_two_concurrent_answers_is_accepted(database: str) -> None:
    async def play() -> None:
        rng = Random(2)
        async with two_servers(database) as both:
            key = await start_game(both[0][0])
            conflicts = 0.0
            for _ in range(25):
                state = await wait_for_turn(both[0][0], key)
                if state["over"]:
                    break
                moment = state["wanted"]["moment"]
                for client, _app_state in both:  # both have the current state in memory
                    await client.get(f"/api/tables/{key}")
                requests = (answer(client, key, state, rng) for client, _ in both)
                codes = sorted(response.status_code for response in await asyncio.gather(*requests))
                assert codes == [200, 409]
                turns = [
                    response
                    for response in await events(both[1][0], key)
                    if response["kind"] == "turn"
                ]
                assert [response["moment"] for response in turns].count(moment + 1) == 1
            for _, app_state in both:
                conflicts += app_state.metrics.conflicts._value.get()
            assert conflicts, "they never met"
            await check_same_events(both, key)

    run_async(play)


def test_a_spectator_on_the_other_server_receives_every_event(database: str) -> None:
    async def play() -> None:
        rng, received = Random(3), []  # type: ignore[var-annotated]
        async with two_servers(database) as both:
            key = await start_game(both[0][0])
            follower = asyncio.create_task(follow_feed(both[1][1], key, received))
            while not (state := await wait_for_turn(both[0][0], key))["over"]:
                assert (await answer(both[0][0], key, state, rng)).status_code == 200
            all_events = await check_same_events(both, key, YOU)
            await wait_until(lambda: len(received) >= len(all_events))
            follower.cancel()
            assert received == all_events

    run_async(play)


def test_an_invitation_can_be_used_once_across_servers(database: str) -> None:
    async def play() -> None:
        async with two_servers(database) as both:
            for _ in range(5):
                table = await create_table(both[0][0], seats={"away": "friend"})
                form = {"invitation": table["invitations"]["away"]}
                requests = (client.post("/api/seats", json=form) for client, _ in both)
                answers = await asyncio.gather(*requests)
                assert sorted(response.status_code for response in answers) == [201, 404]
                token = next(
                    response.json()["token"] for response in answers if response.status_code == 201
                )
                for client, _ in both:
                    seen = await client.get(
                        f"/api/tables/{table['id']}", headers=auth_headers(token)
                    )
                    assert seen.json()["viewer"] == "away", seen.json()

    run_async(play)


def test_concurrent_client_seeds_start_one_game(database: str) -> None:
    async def play() -> None:
        async with two_servers(database) as both:
            for _ in range(5):
                table = await create_table(both[0][0], seats={"away": "friend"})
                form = {"invitation": table["invitations"]["away"]}
                await both[1][0].post("/api/seats", json=form, headers=auth_headers(YOU))
                path = f"/api/tables/{table['id']}/ready"
                requests = (
                    client.post(path, json={"word": token[:5]}, headers=auth_headers(token))
                    for (client, _), token in zip(both, (ME, YOU), strict=True)
                )
                for one in await asyncio.gather(*requests):
                    assert one.status_code == 200, one.text
                one, other = [
                    (await client.get(f"/api/tables/{table['id']}")).json() for client, _ in both
                ]
                assert (one["stage"], other["stage"]) == ("playing", "playing")
                assert one["words"] == {"home": ME[:5], "away": YOU[:5]} == other["words"]
                lines = both[0][1].store.read_lines(table["id"])
                assert [number for number, line in enumerate(lines) if '"log"' in line] == [0]

    run_async(play)


async def play_to_the_end(both: ServerPair) -> str:
    rng = Random(5)
    key = await start_game(both[0][0])
    while not (state := await wait_for_turn(both[0][0], key))["over"]:
        await answer(both[0][0], key, state, rng)
    return key


def test_concurrent_rematch_requests_create_one_table(database: str) -> None:
    async def play() -> None:
        async with two_servers(database) as both:
            key = await play_to_the_end(both)
            for client, _ in both:
                assert (await client.get(f"/api/tables/{key}")).json()["over"]
            requests = (
                client.post(f"/api/tables/{key}/rematch", headers=auth_headers(ME))
                for client, _ in both
            )
            answers = await asyncio.gather(*requests)
            assert [response.status_code for response in answers] == [201, 201]
            assert len({response.json()["id"] for response in answers}) == 1
            listed = (await both[0][0].get("/api/tables", headers=auth_headers(ME))).json()
            assert len(listed["yours"]) == 2

    run_async(play)


def test_a_closed_table_is_closed_on_all_servers(database: str) -> None:
    async def play() -> None:
        async with two_servers(database) as both:
            key = await start_game(both[0][0])
            state = await wait_for_turn(both[1][0], key)
            closed = await both[0][0].delete(f"/api/tables/{key}", headers=auth_headers(ME))
            assert closed.status_code == 204
            assert (await answer(both[1][0], key, state, Random(1))).status_code == 409

    run_async(play)


@pytest.mark.parametrize("hours_apart", [0.0, 3.0, -3.0])
def test_presence_on_one_server_counts_on_all(database: str, hours_apart: float) -> None:
    clocks = ManualClock(), ManualClock(MORNING + hours_apart * 3600)
    absent = Limits().absent

    def advance(share: float) -> None:
        for clock in clocks:
            clock.advance(share * absent)

    async def play() -> None:
        async with two_servers(database, clocks) as both:
            table = await create_table(both[0][0], seats={"away": "friend"})
            form = {"invitation": table["invitations"]["away"]}
            await both[1][0].post("/api/seats", json=form, headers=auth_headers(YOU))
            for (client, _), token in zip(both, (ME, YOU), strict=True):
                path = f"/api/tables/{table['id']}"
                await client.post(f"{path}/ready", json={"word": "x"}, headers=auth_headers(token))
            assignment = {"team": "away", "who": "coach:random"}
            store = both[0][1].store

            def stored_presence() -> float | None:
                return next(seat.seen for seat in store.read_seats(table["id"]) if seat.team == 1)

            async def assign() -> httpx.Response:
                return await both[0][0].post(
                    f"{path}/seats", json=assignment, headers=auth_headers(ME)
                )

            before = stored_presence()
            advance(0.9)
            await both[1][0].get(path, headers=auth_headers(YOU))  # seen on the second server only
            await wait_until(lambda: stored_presence() != before)
            await both[0][0].get(path, headers=auth_headers(ME))
            advance(0.9)
            rejected = await assign()
            assert rejected.status_code == 403, rejected.text
            advance(0.2)
            accepted = await assign()
            assert accepted.status_code == 200, accepted.text

    run_async(play)


def test_changes_missed_during_a_lost_connection_are_found(postgres: PostgresServer) -> None:
    url = postgres.create_database()

    def end_listeners() -> int:
        """End the connections that listen."""
        with psycopg.connect(url, autocommit=True) as connection:
            row = connection.execute(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity "
                "where datname = current_database() and query like 'listen%'"
            ).fetchone()
            assert row is not None
            return int(row[0])

    async def play() -> None:
        rng, received = Random(3), []  # type: ignore[var-annotated]
        async with two_servers(url) as both:
            key = await start_game(both[0][0])
            follower = asyncio.create_task(follow_feed(both[1][1], key, received))
            for turn in range(12):
                if (state := await wait_for_turn(both[0][0], key))["over"]:
                    break
                while turn % 4 == 1 and not await asyncio.to_thread(end_listeners):
                    await asyncio.sleep(0.1)  # until they listen again
                assert (await answer(both[0][0], key, state, rng)).status_code == 200
            all_events = await check_same_events(both, key, YOU)
            await wait_until(lambda: len(received) >= len(all_events))
            follower.cancel()
            assert received == all_events

    run_async(play)


def test_a_request_that_joins_a_load_sees_what_was_acknowledged_before(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One server reads a table for a spectator while a call is made at the other."""

    async def play() -> None:
        async with two_servers(database) as ((client, _), (_, other_state)):
            key = await start_game(client)
            state = await wait_for_turn(client, key)
            snapshot_read, proceed = threading.Event(), threading.Event()
            load_snapshot = other_state.store.load_snapshot

            def load_slowly(*arguments: Any) -> Any:
                snapshot = load_snapshot(*arguments)
                snapshot_read.set()
                proceed.wait(TIMEOUT_SECONDS)
                return snapshot

            monkeypatch.setattr(other_state.store, "load_snapshot", load_slowly)
            spectator = asyncio.create_task(other_state.tables.find(key))
            await asyncio.to_thread(snapshot_read.wait, TIMEOUT_SECONDS)
            acknowledged = (await answer(client, key, state, Random(1))).json()
            player = asyncio.create_task(other_state.tables.find(key))
            await asyncio.sleep(0)  # it waits for the same load
            proceed.set()
            assert (await player).published_count >= acknowledged["number"]
            await spectator

    run_async(play)


def test_the_servers_recover_from_a_database_outage() -> None:
    """Nothing is published that is not stored; afterwards everything resumes without a restart."""

    async def play(server: PostgresServer) -> None:
        rng = Random(6)
        async with two_servers(server.create_database()) as both:
            client, app_state = both[0]
            key = await start_game(client)
            state = await wait_for_turn(client, key)
            before = await events(client, key)
            await asyncio.to_thread(server.stop)
            rejected = await answer(client, key, state, rng)
            assert rejected.status_code == 503, rejected.text
            health = await client.get("/api/health")
            assert health.status_code == 503
            assert (await client.get("/api/alive")).status_code == 200
            with pytest.raises(DatabaseUnreachable):
                await app_state.tables.loaded[key].refresh()
            await asyncio.to_thread(server.start)
            for client, _ in both:
                assert await events(client, key) == before
            for client, _ in both:
                state = await wait_for_turn(client, key)
                assert (await answer(client, key, state, rng)).status_code == 200
            await check_same_events(both, key)

    with running_postgres() as server:
        run_async(lambda: play(server))
