"""A table: seats, client seeds, rejected actions, failed writes, and coaches that take over."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hashmark.errors import HashmarkError
from hashmark.session.pending import PendingCall
from hashmark.session.redaction import SPECTATOR
from hashmark.web.app_state import AppState
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.tables.table import Forbidden, NotFound, StaleRequest, Table, Viewer
from hashmark.web.tables.table_request import TableRequest
from hashmark.web.tables.table_store import CLOSED, PLAYING
from hashmark.web.tables.write_batcher import WriteFailed
from timeouts import TIMEOUT_SECONDS
from web.harness import ROOMY_LIMITS, app_client, run_async
from web.manual_clock import ManualClock
from web.two_servers import wait_until

ME, YOU = "a" * 64, "b" * 64  # holders, as digests


async def asked(table: Table) -> PendingCall:
    """Wait until a player's call is pending."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        async with table.lock:
            assert table.session is not None
            pending = table.session.pending_input()
        if isinstance(pending, PendingCall):
            return pending
        await asyncio.sleep(0.002)
    raise AssertionError("nobody is asked")


def first_call(table: Table, pending: PendingCall) -> str:
    """Return the name of the first answer."""
    return table.require_session().game.rules.calls[pending.calls[0]]


async def two(app_state: AppState, rules: str = "fourth-down", **more: Any) -> tuple[Table, str]:
    """Create a table with a free seat; return it with the invitation."""
    table = await app_state.tables.create(
        TableRequest(rules, seats={"away": "friend"}, **more), ME, "c"
    )
    return table, await app_state.tables.invite(table, table.viewer(ME), 1)


def test_only_the_player_of_one_team_sees_its_secrets() -> None:
    assert Viewer((0,)).perspective == 0
    assert Viewer((0, 1)).perspective == Viewer().perspective == SPECTATOR
    assert [Viewer(teams).name for teams in ((), (0,), (1,), (0, 1))] == [
        "watcher",
        "home",
        "away",
        "both",
    ]


def test_a_game_starts_when_all_players_are_seated_and_ready(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            table, token = await two(app_state)
            await table.set_client_seed(table.viewer(ME), "one")
            assert table.session is None
            with pytest.raises(StaleRequest, match="has not started"):
                await table.answer(table.viewer(ME), 1, "punt")
            with pytest.raises(StaleRequest, match="already entered your word"):
                await table.set_client_seed(table.viewer(ME), "again")
            invited_to, team = await app_state.tables.find_invitation(token)
            assert (invited_to, team) == (table, 1)
            await table.take_seat(team, YOU)
            assert table.session is None
            with pytest.raises(NotFound):
                await app_state.tables.find_invitation(token)
            await table.set_client_seed(table.viewer(YOU), "two")
            assert table.session is not None
            assert table.header.client_seeds == ("one", "two")
            assert table.header.dice_seed != table.header.seed

    run_async(work)


def test_only_the_player_to_act_may_answer(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            table, _ = await two(app_state)
            await table.take_seat(1, YOU)
            for holder in (ME, YOU):
                await table.set_client_seed(table.viewer(holder), "")
            pending = await asked(table)
            players = [table.viewer(ME), table.viewer(YOU)]
            call = first_call(table, pending)
            with pytest.raises(StaleRequest, match="it is not your turn: waiting for"):
                await table.answer(players[1 - pending.team], pending.moment, call)
            with pytest.raises(Forbidden, match="you are a spectator"):
                await table.answer(Viewer(), pending.moment, call)
            with pytest.raises(Forbidden, match="still here"):
                await table.assign_seat(players[0], 1, "coach:book")
            with pytest.raises(Forbidden, match="only the player in this seat"):
                await app_state.tables.invite(table, players[0], 1)
            assert table.published_count == len(table.events_since(0, players[0]))

    run_async(work)


def test_a_failed_write_undoes_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            table = await app_state.tables.create(TableRequest("fourth-down"), ME, "c")
            await table.set_client_seed(table.viewer(ME), "")
            pending = await asked(table)
            call = first_call(table, pending)
            before, published = (
                table.view_for(table.viewer(ME)).position.to_json(),
                table.published_count,
            )
            put = app_state.tables.services.write_batcher.put

            def fails(change: Any) -> asyncio.Future[None]:
                done = asyncio.get_running_loop().create_future()
                done.set_exception(WriteFailed("the disk is full"))
                return done

            monkeypatch.setattr(app_state.tables.services.write_batcher, "put", fails)
            with pytest.raises(WriteFailed):
                await table.answer(table.viewer(ME), pending.moment, call)
            monkeypatch.setattr(app_state.tables.services.write_batcher, "put", put)
            assert table.published_count == published
            assert table.view_for(table.viewer(ME)).position.to_json() == before
            pending_again = await asked(table)
            assert pending_again.moment == pending.moment
            await table.answer(table.viewer(ME), pending_again.moment, call)
            assert table.published_count > published
            del client

    run_async(work)


def test_a_coach_takes_an_abandoned_seat_until_its_player_returns(tmp_path: Path) -> None:
    async def work() -> None:
        clock = ManualClock()
        async with app_client(tmp_path, clock=clock) as (_, app_state):
            table, _ = await two(app_state)
            await table.take_seat(1, YOU)
            for holder in (ME, YOU):
                await table.set_client_seed(table.viewer(holder), "")
            clock.jump(3600)
            assert not table.is_abandoned(1)
            clock.advance(app_state.limits.absent + 1)
            assert table.is_abandoned(1)
            await table.assign_seat(table.viewer(ME), 1, "coach:book")
            assert table.session is not None
            assert table.session.seats[1] == "coach:book"
            with pytest.raises(Forbidden, match="only the player of this seat"):
                await table.assign_seat(table.viewer(ME), 1, "human")
            await table.assign_seat(table.viewer(YOU), 1, "human")
            assert table.session.seats[1] == "human"
            with pytest.raises(HashmarkError, match="unknown seat"):
                await table.assign_seat(table.viewer(YOU), 1, "robot")

    run_async(work)


def test_a_seat_moves_to_another_device(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            table = await app_state.tables.create(TableRequest("fourth-down"), ME, "c")
            await table.set_client_seed(table.viewer(ME), "")
            token = await app_state.tables.invite(table, table.viewer(ME), 0)
            invited_to, team = await app_state.tables.find_invitation(token)
            await invited_to.take_seat(team, YOU)
            assert table.viewer(ME).teams == ()
            assert table.viewer(YOU).teams == (0,)
            with pytest.raises(HashmarkError, match="away has no player to invite"):
                await app_state.tables.invite(table, table.viewer(YOU), 1)

    run_async(work)


def test_a_game_can_be_closed_unless_the_opponent_is_present(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            table, _ = await two(app_state)
            await table.take_seat(1, YOU)
            with pytest.raises(Forbidden, match="still here"):
                await table.close(table.viewer(ME))
            alone = await app_state.tables.create(TableRequest("fourth-down"), ME, "c")
            await alone.set_client_seed(alone.viewer(ME), "")
            assert alone.row.stage == PLAYING
            await alone.close(alone.viewer(ME))
            again = await app_state.tables.find(alone.id)
            assert again.row.stage == CLOSED
            with pytest.raises(StaleRequest, match="closed"):
                await again.answer(again.viewer(ME), 1, "punt")

    run_async(work)


def test_invalid_table_requests_are_rejected(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            for request, message in (
                (TableRequest("fourth-down", seats={"away": "coach:none"}), "unknown coach"),
                (TableRequest("fourth-down", seats={"up": "me"}), "unknown team"),
                (TableRequest("fourth-down", dice="loaded"), "unknown kind of dice"),
                (TableRequest("fourth-down", options={"a": 1}), "unknown option"),
                (TableRequest("fourth-down", hints="some"), "unknown kind of hints"),
                (TableRequest("fourth-down", pace=99), "pace 99"),
                (
                    TableRequest("fourth-down", names={"home": "x", "away": "X"}),
                    "the teams need different names",
                ),
            ):
                with pytest.raises(HashmarkError, match=message):
                    await app_state.tables.create(request, ME, "c")
            with pytest.raises(HashmarkError, match="may have at most 6000 lines"):
                await app_state.tables.import_log(b"\n" * 20_001, ME, "c")

    run_async(work)


def test_strangers_cannot_name_files(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("secret = 1\n")

    async def work() -> None:
        request = TableRequest("data-driven", {"charts": str(tmp_path / "own.toml")})
        async with app_client(tmp_path, host="0.0.0.0") as (_, app_state):
            with pytest.raises(HashmarkError, match="no chart"):
                await app_state.tables.create(request, ME, "c")

    run_async(work)


def test_a_game_between_coaches_advances_by_itself(tmp_path: Path) -> None:
    async def work() -> None:
        seats = {"home": "coach:book", "away": "coach:bold"}
        async with app_client(tmp_path, replace(ROOMY_LIMITS, pace=0.0)) as (_, app_state):
            table = await app_state.tables.create(TableRequest("fourth-down", seats=seats), ME, "c")
            await wait_until(lambda: table.is_over)
            assert table.viewer(ME) == Viewer()

    run_async(work)


def test_evicted_tables_are_reloaded(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, replace(ROOMY_LIMITS, loaded=3, tables_each=9)) as (
            _,
            app_state,
        ):
            created = [
                await app_state.tables.create(TableRequest("fourth-down"), ME, "c")
                for _ in range(8)
            ]
            assert len(app_state.tables.loaded) <= 4
            again = await app_state.tables.find(created[0].id)
            assert again.viewer(ME).teams == (0,)
            with pytest.raises(NotFound):
                await app_state.tables.find("none")
            await app_state.tables.create(TableRequest("fourth-down"), ME, "c")
            with pytest.raises(LimitExceeded):
                await app_state.tables.create(TableRequest("fourth-down"), ME, "c")

    run_async(work)
