"""Autoplay on one of several servers: one advances a table, and two would do no harm."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from hashmark.engine.coach_requests import CoachRequest
from hashmark.web.app_state import AppState
from hashmark.web.tables import autoplay, persistence
from web.harness import ROOMY_LIMITS, app_client, run_async
from web.two_servers import YOU, create_table, events, follow_feed, two_servers, wait_until


def test_one_server_advances_coaches_until_its_lease_expires(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(persistence, "LEASE_SECONDS", 0.6)

    async def play() -> None:
        limits = replace(ROOMY_LIMITS, pace=0.02)
        async with app_client(database, limits) as (client, app_state):
            async with app_client(database, limits) as (first, first_state):
                coaches = {"home": "coach:random", "away": "coach:random"}
                key = (await create_table(first, seats=coaches))["id"]
                received: list[dict[str, Any]] = []
                looking = asyncio.create_task(follow_feed(app_state, key, received))
                await wait_until(lambda: len(received) > 10)
                table = app_state.tables.loaded[key]
                assert table.row.writer == first_state.tables.services.server_id
                assert not table.autoplay.is_busy
                monkeypatch.setattr(
                    first_state.store, "release_leases", lambda *_: None
                )  # as if the server were killed
            before = len(received)
            await wait_until(lambda: len(received) > before + 5)
            assert table.row.writer == app_state.tables.services.server_id
            assert app_state.metrics.conflicts._value.get() == 0
            looking.cancel()
            assert [event["number"] for event in received] == list(range(1, len(received) + 1))
            assert received == (await events(client, key, YOU))[: len(received)]

    run_async(play)


def test_two_servers_that_advance_at_once_do_no_harm(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay.Autoplay, "_others_lease_seconds", lambda self: 0.0)

    async def play() -> None:
        async with two_servers(database) as both:
            coaches = {"home": "coach:random", "away": "coach:random"}
            key = (await create_table(both[0][0], seats=coaches))["id"]
            lists: list[list[dict[str, Any]]] = [[], []]
            looking = [
                asyncio.create_task(follow_feed(app_state, key, into))
                for (_, app_state), into in zip(both, lists, strict=True)
            ]

            async def poll(client: httpx.AsyncClient) -> None:
                while not (await client.get(f"/api/tables/{key}")).json()["over"]:
                    await asyncio.sleep(0.02)

            await asyncio.gather(*(poll(client) for client, _ in both))
            all_events = await events(both[0][0], key, YOU)
            await wait_until(lambda: min(map(len, lists)) >= len(all_events))
            for task in looking:
                task.cancel()
            assert lists[0] == lists[1] == all_events == await events(both[1][0], key, YOU)

    run_async(play)


def test_a_slow_coach_keeps_the_lease(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its server keeps renewing the lease."""
    monkeypatch.setattr(persistence, "LEASE_SECONDS", 1.5)
    may_decide = asyncio.Event()
    asked_at: list[AppState] = []

    async def play() -> None:
        async with two_servers(database) as both:
            for _, app_state in both:
                monkeypatch.setattr(
                    app_state.tables.services.coach_pool, "is_quick", lambda thought: False
                )
                monkeypatch.setattr(app_state.tables.services.coach_pool, "decide", slow(app_state))
            coaches = {"home": "coach:random", "away": "coach:random"}
            key = (await create_table(both[0][0], seats=coaches))["id"]
            received: list[dict[str, Any]] = []
            looking = asyncio.create_task(follow_feed(both[1][1], key, received))
            await wait_until(lambda: asked_at)
            await asyncio.sleep(4.0)  # longer than two leases
            assert {id(state) for state in asked_at} == {id(both[0][1])}
            may_decide.set()
            await wait_until(lambda: len(received) > 5)
            looking.cancel()

    def slow(app_state: AppState) -> Any:
        async def decide(thought: CoachRequest) -> tuple[int, int]:
            asked_at.append(app_state)
            await may_decide.wait()
            return thought.decide()

        return decide

    run_async(play)
