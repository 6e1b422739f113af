"""Autoplay on one of several servers: one advances a table, and two would do no harm."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from hashmark.table.thinking import Thought
from hashmark.web import going
from hashmark.web.hall import Hall

from .house import ROOMY, at_home, run
from .two_halls import YOU, events, heard, lay, two, until


def test_one_server_advances_coaches_until_its_lease_expires(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(going, "LEASE", 0.6)

    async def play() -> None:
        limits = replace(ROOMY, pace=0.02)
        async with at_home(database, limits) as (client, app_state):
            async with at_home(database, limits) as (first, first_state):
                coaches = {"home": "coach:random", "away": "coach:random"}
                key = (await lay(first, seats=coaches))["id"]
                received: list[dict[str, Any]] = []
                looking = asyncio.create_task(heard(app_state, key, received))
                await until(lambda: len(received) > 10)
                table = app_state.tables[key]
                assert table.kept.writer == first_state.sharing.me
                assert not table.going.is_busy
                monkeypatch.setattr(
                    first_state.store, "let_go", lambda *_: None
                )  # as if the server were killed
            before = len(received)
            await until(lambda: len(received) > before + 5)
            assert table.kept.writer == app_state.sharing.me
            assert app_state.metrics.conflicts._value.get() == 0
            looking.cancel()
            assert [event["number"] for event in received] == list(range(1, len(received) + 1))
            assert received == (await events(client, key, YOU))[: len(received)]

    run(play)


def test_two_servers_that_advance_at_once_do_no_harm(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(going.Going, "_turn_of_others", lambda self: 0.0)

    async def play() -> None:
        async with two(database) as both:
            coaches = {"home": "coach:random", "away": "coach:random"}
            key = (await lay(both[0][0], seats=coaches))["id"]
            lists: list[list[dict[str, Any]]] = [[], []]
            looking = [
                asyncio.create_task(heard(app_state, key, into))
                for (_, app_state), into in zip(both, lists, strict=True)
            ]

            async def poll(client: httpx.AsyncClient) -> None:
                while not (await client.get(f"/api/tables/{key}")).json()["over"]:
                    await asyncio.sleep(0.02)

            await asyncio.gather(*(poll(client) for client, _ in both))
            all_events = await events(both[0][0], key, YOU)
            await until(lambda: min(map(len, lists)) >= len(all_events))
            for task in looking:
                task.cancel()
            assert lists[0] == lists[1] == all_events == await events(both[1][0], key, YOU)

    run(play)


def test_a_slow_coach_keeps_the_lease(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its server keeps renewing the lease."""
    monkeypatch.setattr(going, "LEASE", 1.5)
    may_decide = asyncio.Event()
    asked_at: list[Hall] = []

    async def play() -> None:
        async with two(database) as both:
            for _, app_state in both:
                monkeypatch.setattr(app_state.thinkers, "is_quick", lambda thought: False)
                monkeypatch.setattr(app_state.thinkers, "decide", slow(app_state))
            coaches = {"home": "coach:random", "away": "coach:random"}
            key = (await lay(both[0][0], seats=coaches))["id"]
            received: list[dict[str, Any]] = []
            looking = asyncio.create_task(heard(both[1][1], key, received))
            await until(lambda: asked_at)
            await asyncio.sleep(4.0)  # longer than two leases
            assert {id(state) for state in asked_at} == {id(both[0][1])}
            may_decide.set()
            await until(lambda: len(received) > 5)
            looking.cancel()

    def slow(app_state: Hall) -> Any:
        async def decide(thought: Thought) -> tuple[str, int]:
            asked_at.append(app_state)
            await may_decide.wait()
            return thought.decide()

        return decide

    run(play)
