"""Autoplay on one of several servers: one advances a table, and two would do no harm.

Every server has a clock of its own that the test moves, so no lease depends on the machine's speed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from hashmark.engine.coach_requests import CoachRequest
from hashmark.web.app_state import AppState
from hashmark.web.leases import new_lease
from hashmark.web.tables import autoplay
from hashmark.web.tables.table import Table
from hashmark.web.tables.table_store import Change
from web.harness import run_async
from web.manual_clock import MORNING, ManualClock, run_until
from web.two_servers import (
    YOU,
    ServerPair,
    create_table,
    events,
    follow_feed,
    two_servers,
    wait_until,
)

PACE_SECONDS = 1.0
COACHES = {"home": "coach:random", "away": "coach:random"}
JUMPS = [  # of the wall clocks of the holder and of the observer, in hours
    (0, 0),
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, -1),
]


@dataclass
class WatchedGame:
    """Game between coaches on the first server, with a spectator on the second."""

    both: ServerPair
    clocks: tuple[ManualClock, ManualClock]
    key: str
    received: list[dict[str, Any]] = field(default_factory=list)  # by the spectator

    @property
    def tables(self) -> tuple[Table, Table]:
        first, second = (app_state.tables.loaded[self.key] for _, app_state in self.both)
        return first, second

    @property
    def server_ids(self) -> tuple[str, str]:
        first, second = (app_state.tables.services.server_id for _, app_state in self.both)
        return first, second

    async def run_until(self, condition: Callable[[], object], *clocks: ManualClock) -> None:
        """Let these clocks run until a condition holds, while both servers have spectators."""

        def view_and_check() -> object:
            for table in self.tables:
                table.viewer("")
            return condition()

        await run_until(view_and_check, *clocks)

    async def play_on(self) -> None:
        """Let the first server go on until it has made a change, and the second know of it."""
        first, second = self.tables
        version = first.row.version
        await self.run_until(lambda: first.row.version > version, self.clocks[0])
        await self.run_until(lambda: second.row.version >= first.row.version, self.clocks[1])

    async def take_over(self) -> None:
        """Let only the clock of the second server run until that one advances the table."""
        second = self.tables[1]
        assert second.row.writer == self.server_ids[0]
        await self.run_until(lambda: second.row.writer == self.server_ids[1], self.clocks[1])

    async def receive_more(self, *clocks: ManualClock) -> None:
        """Let these clocks run until the spectator has received more events."""
        count = len(self.received)
        await self.run_until(lambda: len(self.received) > count + 5, *clocks)

    async def check_feed(self) -> None:
        """Check that the spectator missed nothing and received nothing twice."""
        stored = await events(self.both[1][0], self.key, YOU)
        await wait_until(lambda: len(self.received) >= len(stored))
        assert self.received[: len(stored)] == stored
        numbers = [event["number"] for event in self.received]
        assert numbers == list(range(1, len(numbers) + 1))


@asynccontextmanager
async def watched_game(database: str, hours_apart: float = 0.0) -> AsyncIterator[WatchedGame]:
    clocks = ManualClock(), ManualClock(MORNING + hours_apart * 3600)
    async with two_servers(database, clocks, pace=PACE_SECONDS) as both:
        key = (await create_table(both[0][0], seats=COACHES))["id"]
        game = WatchedGame(both, clocks, key)
        spectator = asyncio.create_task(follow_feed(both[1][1], key, game.received))
        await wait_until(lambda: key in both[1][1].tables.loaded)
        yield game
        spectator.cancel()


@pytest.mark.parametrize(("holder_jump", "observer_jump"), JUMPS)
def test_one_server_advances_coaches_until_its_lease_expires(
    database: str, holder_jump: float, observer_jump: float
) -> None:
    """Jumps of the wall clocks do not expire the lease early."""

    async def play() -> None:
        async with watched_game(database) as game:
            for _ in range(8):  # longer than a lease, all in all
                game.clocks[0].jump(holder_jump * 3600)
                game.clocks[1].jump(observer_jump * 3600)
                await game.play_on()
                game.clocks[1].advance(PACE_SECONDS)
                assert game.tables[1].row.writer == game.server_ids[0]
            # The first server stops moving: the second waits for the whole lease, then takes over.
            since, clock = game.clocks[1].monotonic(), game.clocks[1]
            await game.take_over()
            unseen = PACE_SECONDS  # what had elapsed since the last change was seen
            assert clock.monotonic() - since >= game.tables[1].lease_seconds - unseen
            await game.receive_more(clock)
            assert game.both[1][1].metrics.conflicts._value.get() == 0
            await game.check_feed()

    run_async(play)


@pytest.mark.parametrize("hours_apart", [5.0, -5.0])
def test_servers_with_clocks_hours_apart_share_a_table(database: str, hours_apart: float) -> None:
    async def play() -> None:
        async with watched_game(database, hours_apart) as game:
            for _ in range(8):
                await game.play_on()
                game.clocks[1].advance(PACE_SECONDS)
                assert game.tables[1].row.writer == game.server_ids[0]
            for _, app_state in game.both:
                assert app_state.metrics.conflicts._value.get() == 0
            await game.check_feed()

    run_async(play)


def test_a_suspended_holder_that_wakes_up_changes_nothing(database: str) -> None:
    """Another server has taken over meanwhile; the database accepts only its changes."""

    async def play() -> None:
        async with watched_game(database) as game:
            await game.play_on()
            first, state = game.tables[0], game.both[0][1]
            assert state.tables.sync._watch_task is not None
            state.tables.sync._watch_task.cancel()  # nothing reaches a suspended server
            await game.take_over()
            await game.receive_more(game.clocks[1])
            assert first.row.writer == game.server_ids[0]  # as far as it knows
            game.clocks[0].advance(3600)  # it wakes up
            await game.run_until(lambda: first.row.writer == game.server_ids[1], game.clocks[0])
            assert state.metrics.conflicts._value.get() == 1
            await game.receive_more(game.clocks[1])
            await game.check_feed()
            stored = [await events(client, game.key, YOU) for client, _ in game.both]
            assert stored[0] == stored[1][: len(stored[0])]

    run_async(play)


def test_two_servers_that_advance_at_once_do_no_harm(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay.Autoplay, "_is_leased_elsewhere", lambda self: False)

    async def play() -> None:
        async with two_servers(database) as both:
            key = (await create_table(both[0][0], seats=COACHES))["id"]
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
    may_decide = asyncio.Event()
    asked_at: list[AppState] = []

    async def play() -> None:
        clocks = ManualClock(), ManualClock()
        async with two_servers(database, clocks) as both:
            for _, app_state in both:
                monkeypatch.setattr(
                    app_state.tables.services.coach_pool, "is_quick", lambda thought: False
                )
                monkeypatch.setattr(app_state.tables.services.coach_pool, "decide", slow(app_state))
            key = (await create_table(both[0][0], seats=COACHES))["id"]
            received: list[dict[str, Any]] = []
            looking = asyncio.create_task(follow_feed(both[1][1], key, received))
            await wait_until(lambda: asked_at and key in both[1][1].tables.loaded)
            table = both[1][1].tables.loaded[key]
            for _ in range(5):
                await wait_for_renewal(both, key, clocks[0])
                clocks[1].advance(0.9 * table.lease_seconds)
                await both[1][0].get(f"/api/tables/{key}")
                assert table.row.lease == stored_lease(both, key)
            assert {id(state) for state in asked_at} == {id(both[0][1])}
            may_decide.set()
            game = WatchedGame(both, clocks, key, received)
            await game.run_until(lambda: len(received) > 5, *clocks)
            looking.cancel()

    async def wait_for_renewal(both: ServerPair, key: str, clock: ManualClock) -> None:
        value = stored_lease(both, key)
        await run_until(lambda: stored_lease(both, key) != value, clock)

    def stored_lease(both: ServerPair, key: str) -> float:
        row = both[0][1].store.find_row(key)
        assert row is not None
        return row.lease

    def slow(app_state: AppState) -> Any:
        async def decide(thought: CoachRequest) -> tuple[int, int]:
            asked_at.append(app_state)
            await may_decide.wait()
            return thought.decide()

        return decide

    run_async(play)


def test_a_server_without_the_lease_cannot_renew_it(database: str) -> None:
    async def play() -> None:
        async with watched_game(database) as game:
            await game.play_on()
            store = game.both[0][1].store
            row = store.find_row(game.key)
            assert row is not None
            assert row.writer == game.server_ids[0]
            batcher = game.both[1][1].tables.services.write_batcher
            await batcher.put(Change(game.key, writer=game.server_ids[1], lease=new_lease()))
            assert store.find_row(game.key) == row

    run_async(play)
