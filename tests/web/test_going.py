"""Coaches at one server or another: one goes on, and two would do no harm."""

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


def test_coaches_go_on_at_one_server_until_it_is_gone(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(going, "LEASE", 0.6)

    async def play() -> None:
        limits = replace(ROOMY, pace=0.02)
        async with at_home(database, limits) as (client, hall):
            async with at_home(database, limits) as (first, gone):
                coaches = {"home": "coach:random", "away": "coach:random"}
                key = (await lay(first, seats=coaches))["id"]
                there: list[dict[str, Any]] = []
                looking = asyncio.create_task(heard(hall, key, there))
                await until(lambda: len(there) > 10)
                table = hall.tables[key]
                assert table.kept.writer == gone.sharing.me
                assert not table.going.is_busy
                monkeypatch.setattr(gone.store, "let_go", lambda *_: None)  # as if it were killed
            before = len(there)
            await until(lambda: len(there) > before + 5)
            assert table.kept.writer == hall.sharing.me
            assert hall.metrics.conflicts._value.get() == 0
            looking.cancel()
            assert [one["number"] for one in there] == list(range(1, len(there) + 1))
            assert there == (await events(client, key, YOU))[: len(there)]

    run(play)


def test_two_that_go_on_at_once_do_no_harm(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(going.Going, "_turn_of_others", lambda self: 0.0)

    async def play() -> None:
        async with two(database) as both:
            coaches = {"home": "coach:random", "away": "coach:random"}
            key = (await lay(both[0][0], seats=coaches))["id"]
            lists: list[list[dict[str, Any]]] = [[], []]
            looking = [
                asyncio.create_task(heard(hall, key, into))
                for (_, hall), into in zip(both, lists, strict=True)
            ]

            async def look(client: httpx.AsyncClient) -> None:
                while not (await client.get(f"/api/tables/{key}")).json()["over"]:
                    await asyncio.sleep(0.02)

            await asyncio.gather(*(look(client) for client, _ in both))
            every = await events(both[0][0], key, YOU)
            await until(lambda: min(map(len, lists)) >= len(every))
            for one in looking:
                one.cancel()
            assert lists[0] == lists[1] == every == await events(both[1][0], key, YOU)

    run(play)


def test_a_coach_that_thinks_for_long_is_waited_for(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its server tells the others that it is still at it."""
    monkeypatch.setattr(going, "LEASE", 1.5)
    let_go = asyncio.Event()
    asked_at: list[Hall] = []

    async def play() -> None:
        async with two(database) as both:
            for _, hall in both:
                monkeypatch.setattr(hall.thinkers, "is_quick", lambda thought: False)
                monkeypatch.setattr(hall.thinkers, "decide", slow(hall))
            coaches = {"home": "coach:random", "away": "coach:random"}
            key = (await lay(both[0][0], seats=coaches))["id"]
            there: list[dict[str, Any]] = []
            looking = asyncio.create_task(heard(both[1][1], key, there))
            await until(lambda: asked_at)
            await asyncio.sleep(4.0)  # more than two leases
            assert {id(one) for one in asked_at} == {id(both[0][1])}
            let_go.set()
            await until(lambda: len(there) > 5)
            looking.cancel()

    def slow(hall: Hall) -> Any:
        async def decide(thought: Thought) -> tuple[str, int]:
            asked_at.append(hall)
            await let_go.wait()
            return thought.decide()

        return decide

    run(play)
