"""A table: seats and words, what is refused, a database that fails, a coach that takes over."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hashmark.table.errors import HashmarkError
from hashmark.table.secrets import WATCHER
from hashmark.table.wanted import CallWanted
from hashmark.web.hall import Hall, Wish
from hashmark.web.journal import NotKept
from hashmark.web.limits import TooMuch
from hashmark.web.store import CLOSED, PLAYING
from hashmark.web.tables import NotThere, NotYours, Stale, Table, Viewer

from .house import ROOMY, at_home, run

ME, YOU = "a" * 64, "b" * 64  # holders, as digests


async def asked(table: Table) -> CallWanted:
    """Until a person is asked for a call."""
    for _ in range(2000):
        async with table.lock:
            assert table.sitting is not None
            found = table.sitting.wanted()
        if isinstance(found, CallWanted):
            return found
        await asyncio.sleep(0.002)
    raise AssertionError("nobody is asked")


async def two(hall: Hall, rules: str = "fourth-down", **more: Any) -> tuple[Table, str]:
    """A table with a free seat, and the invitation to it."""
    table = await hall.lay(Wish(rules, seats={"away": "friend"}, **more), ME, "c")
    return table, await hall.invite(table, table.viewer(ME), 1)


def test_viewers_see_what_they_may() -> None:
    assert Viewer((0,)).eye == 0
    assert Viewer((0, 1)).eye == Viewer().eye == WATCHER
    assert [Viewer(one).name for one in ((), (0,), (1,), (0, 1))] == [
        "watcher",
        "home",
        "away",
        "both",
    ]


def test_nothing_begins_before_everybody_is_there_and_ready(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (_, hall):
            table, token = await two(hall)
            await table.say_word(table.viewer(ME), "one")
            assert table.sitting is None
            with pytest.raises(Stale, match="has not begun"):
                await table.answer(table.viewer(ME), 1, "punt")
            with pytest.raises(Stale, match="said already"):
                await table.say_word(table.viewer(ME), "again")
            found, team = await hall.invitation(token)
            assert (found, team) == (table, 1)
            await table.claim(team, YOU)
            assert table.sitting is None
            with pytest.raises(NotThere):
                await hall.invitation(token)
            await table.say_word(table.viewer(YOU), "two")
            assert table.sitting is not None
            assert table.header.words == ("one", "two")
            assert table.header.dice_seed != table.header.seed

    run(work)


def test_only_the_one_who_is_asked_may_answer(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (_, hall):
            table, _ = await two(hall)
            await table.claim(1, YOU)
            for one in (ME, YOU):
                await table.say_word(table.viewer(one), "")
            wanted = await asked(table)
            players = [table.viewer(ME), table.viewer(YOU)]
            call = wanted.calls[0]
            with pytest.raises(Stale, match="is asked now, not you"):
                await table.answer(players[1 - wanted.team], wanted.moment, call)
            with pytest.raises(NotYours, match="watching"):
                await table.answer(Viewer(), wanted.moment, call)
            with pytest.raises(NotYours, match="still there"):
                await table.hand_over(players[0], 1, "coach:book")
            with pytest.raises(NotYours, match="sits there"):
                await hall.invite(table, players[0], 1)
            assert table.told == len(table.since(0, players[0]))

    run(work)


def test_what_cannot_be_kept_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            table = await hall.lay(Wish("fourth-down"), ME, "c")
            await table.say_word(table.viewer(ME), "")
            wanted = await asked(table)
            before, told = table.seen(table.viewer(ME)).position.to_json(), table.told
            put = hall.journal.put

            def fails(change: Any) -> asyncio.Future[None]:
                done = asyncio.get_running_loop().create_future()
                done.set_exception(NotKept("the disk is full"))
                return done

            monkeypatch.setattr(hall.journal, "put", fails)
            with pytest.raises(NotKept):
                await table.answer(table.viewer(ME), wanted.moment, wanted.calls[0])
            monkeypatch.setattr(hall.journal, "put", put)
            assert table.told == told
            assert table.seen(table.viewer(ME)).position.to_json() == before
            again = await asked(table)
            assert again.moment == wanted.moment
            await table.answer(table.viewer(ME), again.moment, again.calls[0])
            assert table.told > told
            del client

    run(work)


def test_a_coach_takes_an_abandoned_seat_and_its_player_comes_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (_, hall):
            table, _ = await two(hall)
            await table.claim(1, YOU)
            for one in (ME, YOU):
                await table.say_word(table.viewer(one), "")
            assert not table.is_abandoned(1)
            table.last_seen[1] -= hall.limits.absent + 1
            assert table.is_abandoned(1)
            await table.hand_over(table.viewer(ME), 1, "coach:book")
            assert table.sitting is not None
            assert table.sitting.seats[1] == "coach:book"
            with pytest.raises(NotYours, match="only who has the seat"):
                await table.hand_over(table.viewer(ME), 1, "human")
            await table.hand_over(table.viewer(YOU), 1, "human")
            assert table.sitting.seats[1] == "human"
            with pytest.raises(HashmarkError, match="unknown seat"):
                await table.hand_over(table.viewer(YOU), 1, "robot")

    run(work)


def test_a_seat_goes_on_on_another_device(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (_, hall):
            table = await hall.lay(Wish("fourth-down"), ME, "c")
            await table.say_word(table.viewer(ME), "")
            token = await hall.invite(table, table.viewer(ME), 0)
            found, team = await hall.invitation(token)
            await found.claim(team, YOU)
            assert table.viewer(ME).teams == ()
            assert table.viewer(YOU).teams == (0,)
            with pytest.raises(HashmarkError, match="no person sits"):
                await hall.invite(table, table.viewer(YOU), 1)

    run(work)


def test_a_game_is_given_up(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (_, hall):
            table, _ = await two(hall)
            await table.claim(1, YOU)
            with pytest.raises(NotYours, match="still there"):
                await table.close(table.viewer(ME))
            alone = await hall.lay(Wish("fourth-down"), ME, "c")
            await alone.say_word(alone.viewer(ME), "")
            assert alone.kept.stage == PLAYING
            await alone.close(alone.viewer(ME))
            again = await hall.find(alone.id)
            assert again.kept.stage == CLOSED
            with pytest.raises(Stale, match="closed"):
                await again.answer(again.viewer(ME), 1, "punt")

    run(work)


def test_wishes_that_cannot_be(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (_, hall):
            for wish, said in (
                (Wish("fourth-down", seats={"away": "coach:none"}), "unknown coach"),
                (Wish("fourth-down", seats={"up": "me"}), "unknown team"),
                (Wish("fourth-down", dice="loaded"), "unknown kind of dice"),
                (Wish("fourth-down", options={"a": 1}), "unknown option"),
                (Wish("fourth-down", hints="some"), "unknown kind of hints"),
                (Wish("fourth-down", pace=99), "pace 99"),
                (Wish("fourth-down", names={"home": "x", "away": "X"}), "both teams have it"),
            ):
                with pytest.raises(HashmarkError, match=said):
                    await hall.lay(wish, ME, "c")
            with pytest.raises(HashmarkError, match="more than"):
                await hall.bring(b"\n" * 20_001, ME, "c")

    run(work)


def test_strangers_name_no_files(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("secret = 1\n")

    async def work() -> None:
        wish = Wish("data-driven", {"charts": str(tmp_path / "own.toml")})
        async with at_home(tmp_path, host="0.0.0.0") as (_, hall):
            with pytest.raises(HashmarkError, match="no chart"):
                await hall.lay(wish, ME, "c")

    run(work)


def test_coaches_among_themselves_are_watched(tmp_path: Path) -> None:
    async def work() -> None:
        seats = {"home": "coach:book", "away": "coach:bold"}
        async with at_home(tmp_path, replace(ROOMY, pace=0.0)) as (_, hall):
            table = await hall.lay(Wish("fourth-down", seats=seats), ME, "c")
            for _ in range(2000):
                if table.is_over:
                    break
                await asyncio.sleep(0.005)
            assert table.is_over
            assert table.viewer(ME) == Viewer()

    run(work)


def test_tables_leave_memory_and_come_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path, replace(ROOMY, loaded=3, tables_each=9)) as (_, hall):
            made = [await hall.lay(Wish("fourth-down"), ME, "c") for _ in range(8)]
            assert len(hall.tables) <= 4
            again = await hall.find(made[0].id)
            assert again.viewer(ME).teams == (0,)
            with pytest.raises(NotThere):
                await hall.find("none")
            await hall.lay(Wish("fourth-down"), ME, "c")
            with pytest.raises(TooMuch):
                await hall.lay(Wish("fourth-down"), ME, "c")

    run(work)
