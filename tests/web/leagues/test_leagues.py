"""Leagues on a server: whole leagues, due dates, restarts, two servers, and strangers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hashmark.errors import HashmarkError
from hashmark.session.game_session import GameSession
from hashmark.web.api import league_forms
from hashmark.web.app_state import AppState
from hashmark.web.leagues import league_state, leagues
from hashmark.web.leagues.league import League, Terms
from hashmark.web.leagues.league_store import ANY_FREE_TEAM, LeagueStore, parse_score
from hashmark.web.leagues.leagues import CLAIM_SECONDS
from hashmark.web.rate_limits import Limits
from hashmark.web.tables.table_store import TableStore
from web.harness import run_async
from web.league_helpers import (
    DAY,
    Friend,
    InProcessPool,
    LeagueServer,
    league_server,
    play_to_the_end,
)
from web.manual_clock import MORNING, ManualClock


async def league_of_four(server: LeagueServer, **more: Any) -> tuple[str, Friend, Friend]:
    """Start a league of four teams: Anna's, Ben's, and two played by coaches."""
    anna, ben = Friend(server, 1), Friend(server, 2)
    teams = ["Otters", "Foxes", "Herons", "Badgers"]
    league = await anna.create_league(teams=teams, own=[0], name="Anna", **more)
    key = league["id"]
    link = (await anna.ask("POST", f"/leagues/{key}/invitations"))["invitation"]
    invited = await ben.ask("POST", "/league-invitations", invitation=link)
    assert [team["number"] for team in invited["teams"]] == [1, 2, 3]
    joined = await ben.join(link, team=3, name="Ben")
    assert joined["yours"] == [3]
    await anna.ask("POST", f"/leagues/{key}/begin")
    return key, anna, ben


def games_of(league: dict[str, Any], number: int) -> list[dict[str, Any]]:
    return list(league["rounds"][number - 1]["games"])


def test_a_league_of_friends_and_coaches_is_played_to_its_end(database: str) -> None:
    async def test() -> None:
        async with league_server(database) as server:
            key, anna, ben = await league_of_four(server, legs=1)
            met = 0
            for number in range(1, 4):
                await server.run_due_work()
                league = await anna.league(key)
                assert league["round"] == number
                tables = {await anna.open_next_table(key), await ben.open_next_table(key)}
                met += len(tables) == 1
                for table in tables:
                    state = await anna.ask("GET", f"/tables/{table}")
                    assert state["league"] == key
                    await play_to_the_end(table, anna, ben)
            league = await anna.league(key)
            assert met == 1  # every pair meets once
            assert league["stage"] == "over"
            assert league["next"] is None
            assert league["champion"] == league["standings"][0]["team"]
            assert sum(row["won"] + row["lost"] + row["tied"] for row in league["standings"]) == 12
            for league_round in league["rounds"]:
                for game in league_round["games"]:
                    checked = await anna.ask("GET", f"/tables/{game['table']}/check")
                    assert checked["verified"]
            refusal = await anna.expect_error(409, "POST", f"/leagues/{key}/next")
            assert "you have no game to play" in refusal

    run_async(test)


def test_coaches_resume_a_game_when_its_date_passes(database: str) -> None:
    async def test() -> None:
        async with league_server(database) as server:
            key, anna, ben = await league_of_four(server, days=2.0)
            await server.run_due_work()
            table = await anna.open_next_table(key)
            other = await ben.open_next_table(key)
            for _ in range(3):
                await anna.answer(table)
                await asyncio.sleep(0.05)
            server.clock.advance(MORNING + 2 * DAY - 1 - server.clock.now)
            await server.run_due_work()
            assert (await anna.league(key))["round"] == 1
            before = server.app_state.store.read_lines(table)
            server.clock.advance(1)
            await server.run_due_work()
            league = await anna.league(key)
            assert league["round"] == 2
            assert league["due"] is not None
            lines = server.app_state.store.read_lines(table)
            assert lines[: len(before)] == before  # nothing that was played is lost
            session, _ = GameSession.resume_bytes("".join(lines).encode(), "the game")
            assert session.is_over
            assert session.seats[0].startswith("coach:")
            done = {game["table"]: game["score"] for game in games_of(league, 1)}
            assert done[table] == list(map(int, session.game.position.score))
            assert done[other] is not None  # no call had been made there
            shown = await anna.ask("GET", f"/tables/{table}")
            assert shown["over"]
            assert (await anna.ask("GET", f"/tables/{table}/check"))["verified"]

    run_async(test)


def test_the_commissioner_can_postpone_a_date(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            key, anna, ben = await league_of_four(server, days=1.0)
            postponed = await anna.ask("POST", f"/leagues/{key}/date", days=2)
            assert postponed["due"] == "2027-01-18T08:00:00Z"
            fixed = await anna.ask("POST", f"/leagues/{key}/date", until="2027-01-30T10:00")
            assert fixed["due"] == "2027-01-30T10:00:00Z"
            server.clock.advance(5 * DAY)
            await server.run_due_work()
            assert (await anna.league(key))["round"] == 1
            assert "only the commissioner" in await ben.expect_error(
                403, "POST", f"/leagues/{key}/date", days=1
            )
            for form in ({"until": "1999-01-01"}, {"until": "soon"}, {}):
                await anna.expect_error(400, "POST", f"/leagues/{key}/date", **form)

    run_async(test)


def test_the_commissioner_can_leave_rounds_to_the_coaches(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            key, anna, ben = await league_of_four(server)
            await server.run_due_work()
            await ben.expect_error(403, "POST", f"/leagues/{key}/coaches", upto=3)
            await anna.ask("POST", f"/leagues/{key}/coaches")
            await server.run_due_work()
            assert (await anna.league(key))["round"] == 2
            await anna.ask("POST", f"/leagues/{key}/coaches", upto=9)
            await server.run_due_work()
            assert (await anna.league(key))["stage"] == "over"

    run_async(test)


def test_a_league_survives_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        clock = ManualClock()
        async with league_server(tmp_path, clock) as server:
            key, anna, _ = await league_of_four(server, days=1.0)
            table = await anna.open_next_table(key)
            await anna.answer(table)
            # A server that stopped while coaches played: the games are claimed but not played.
            for game in server.app_state.leagues.claimable_games():
                assert server.app_state.leagues.store.claim(game)
        async with league_server(tmp_path, clock) as server:
            again = Friend(server, 3)
            again.token = anna.token
            await server.run_due_work()
            league = await again.league(key)
            assert league["next"]["table"] == table
            clock.advance(CLAIM_SECONDS + 1)
            await server.run_due_work()
            assert league["yours"] == [0]
            clock.advance(DAY)
            await server.run_due_work()
            league = await again.league(key)
            assert league["round"] == 2
            assert all(game["score"] for game in games_of(league, 1))

    run_async(test)


def test_a_stopped_server_releases_its_claim(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            machine = StuckPool()
            server.app_state.leagues.autoplay_pool = machine
            await Friend(server).create_league(begin=True)
            server.app_state.leagues._task = asyncio.create_task(server.run_due_work())
            await machine.begun.wait()
            assert server.app_state.leagues.claimable_games() == []
        async with league_server(tmp_path) as server:
            assert len(server.app_state.leagues.claimable_games()) == 1

    run_async(test)


@pytest.mark.parametrize("hours_apart", [5.0, -5.0])
def test_claims_do_not_depend_on_wall_clocks(database: str, hours_apart: float) -> None:
    """Clocks hours apart, jumps of an hour, and a server that is suspended and wakes up."""

    async def test() -> None:
        here, there = ManualClock(), ManualClock(MORNING + hours_apart * 3600)
        async with (
            league_server(database, here) as first,
            league_server(database, there) as second,
        ):
            await Friend(first).create_league(begin=True)
            holder, observer = first.app_state.leagues, second.app_state.leagues
            waiting = holder.claimable_games()
            claims = [holder.store.claim(game) for game in waiting]
            assert None not in claims
            assert [observer.store.claim(game) for game in waiting] == [None] * len(waiting)
            for jump in (3600.0, -7200.0):
                assert observer.claimable_games() == []
                there.jump(jump)
                here.jump(-jump)
            there.advance(CLAIM_SECONDS)
            taken = [observer.store.claim(game) for game in observer.claimable_games()]
            assert None not in taken
            assert len(taken) == len(waiting)
            for claim in claims:  # the first server wakes up: it no longer holds them
                assert claim is not None
                holder.store.release(claim)
            assert holder.claimable_games() == []

    run_async(test)


class StuckPool(InProcessPool):
    """Autoplay pool that never finishes a game."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()

    async def play_out(self, lines: list[str], coaches: tuple[str, str], only_shipped: bool) -> Any:
        self.begun.set()
        await asyncio.Event().wait()


def test_a_game_left_to_coaches_stays_so_on_every_server(database: str) -> None:
    """Also on another server, and after a restart in the middle: coaches finish it."""

    async def test() -> None:
        clock = ManualClock()
        async with (
            league_server(database, clock) as first,
            league_server(database, clock) as second,
        ):
            anna = Friend(first)
            key = (await anna.create_league(teams=["A", "B"], own=[0], begin=True))["id"]
            table = await anna.open_next_table(key)
            await anna.answer(table)
            there = Friend(second)
            there.token = anna.token
            await there.ask("GET", f"/tables/{table}")  # now it is in memory there
            first.app_state.leagues.autoplay_pool = machine = StuckPool()
            await anna.ask("POST", f"/leagues/{key}/coaches")
            first.app_state.leagues._task = asyncio.create_task(first.run_due_work())
            await machine.begun.wait()
            for friend in (anna, there):
                detail = await friend.expect_error(
                    409, "POST", f"/tables/{table}/seats", team="home", who="human"
                )
                assert "coaches have taken over this game" in detail
        async with league_server(database, clock) as server:  # both others are gone
            again = Friend(server)
            again.token = anna.token
            assert "coaches have taken over this game" in await again.expect_error(
                409, "POST", f"/tables/{table}/seats", team="home", who="human"
            )
            before = server.app_state.store.read_lines(table)
            await server.run_due_work()
            assert (await again.league(key))["stage"] == "over"
            assert server.app_state.store.read_lines(table)[: len(before)] == before

    run_async(test)


def test_a_closed_league_does_not_wait_for_coaches(database: str) -> None:
    async def test() -> None:
        async with league_server(database) as server:
            key, anna, ben = await league_of_four(server)
            table = await anna.open_next_table(key)
            await ben.open_next_table(key)
            await anna.answer(table)
            server.app_state.leagues.autoplay_pool = machine = StuckPool()
            await anna.ask("POST", f"/leagues/{key}/coaches")
            playing = asyncio.create_task(server.run_due_work())
            await machine.begun.wait()
            await (
                await server.app_state.tables.find(table)
            ).hand_off()  # this game has been handed to the coaches too
            await anna.ask("DELETE", f"/leagues/{key}")
            league = await anna.league(key)
            assert {game["state"] for game in games_of(league, 1)} == {"on", "later"}
            assert not league_state.is_waiting_for_coaches(league)
            assert server.app_state.leagues.claimable_games() == []
            shown = await server.client.get(f"/leagues/{key}")
            assert "the coaches play" not in shown.text
            assert "not played" in shown.text
            # Its players may sit down again and finish the game outside the league.
            await anna.ask("POST", f"/tables/{table}/seats", team="home", who="human")
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    run_async(test)


def test_two_servers_play_every_game_once(database: str) -> None:
    """Both servers find the same games to play at the same time."""

    async def test() -> None:
        clock = ManualClock()
        async with (
            league_server(database, clock) as first,
            league_server(database, clock) as second,
        ):
            anna = Friend(first)
            teams = [f"Team {letter}" for letter in "ABCDEF"]
            key = (await anna.create_league(teams=teams, begin=True))["id"]
            played_games: list[str] = []
            for server in (first, second):
                server.app_state.leagues.autoplay_pool = CountingPool(played_games)
            for _ in range(4):
                await asyncio.gather(first.run_due_work(), second.run_due_work())
            league = await anna.league(key)
            assert league["stage"] == "over"
            tables = [
                game["table"] for league_round in league["rounds"] for game in league_round["games"]
            ]
            assert len(set(tables)) == len(tables) == 15
            assert len(played_games) == 15
            for table in tables:
                lines = first.app_state.store.read_lines(table)
                session, _ = GameSession.resume_bytes("".join(lines).encode(), "the game")
                assert session.is_over

    run_async(test)


class CountingPool(InProcessPool):
    """Autoplay pool that records the games it plays."""

    def __init__(self, made: list[str]) -> None:
        super().__init__()
        self.made = made

    async def play_out(self, lines: list[str], coaches: tuple[str, str], only_shipped: bool) -> Any:
        self.made.append(lines[0])
        return await super().play_out(lines, coaches, only_shipped)


def test_teams_can_be_left_and_taken_during_a_league(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            key, anna, ben = await league_of_four(server)
            table = await anna.open_next_table(key)
            assert table == await ben.open_next_table(key)  # they meet in the first round
            for _ in range(4):
                await anna.answer(table)
                await ben.answer(table)
            await ben.ask("POST", f"/leagues/{key}/leave", team=3)
            assert (await ben.league(key))["yours"] == []
            await play_to_the_end(table, anna)  # a coach plays for Ben
            await server.run_due_work()
            cleo = Friend(server, 4)
            link = (await anna.ask("POST", f"/leagues/{key}/invitations", team=3))["invitation"]
            await cleo.join(link, name="Cleo")
            assert "is invalid" in await ben.expect_error(
                404, "POST", "/league-seats", invitation=link
            )  # it works once
            league = await cleo.league(key)
            assert league["round"] == 2
            assert league["teams"][3]["friend"] == "Cleo"
            assert league["next"] is None  # the coaches have already played it
            await play_to_the_end(await anna.open_next_table(key), anna)
            assert (await cleo.league(key))["round"] == 3
            await cleo.open_next_table(key)
            # Cleo moves her team to another device in the middle of a game.
            phone = Friend(server, 5)
            mine = (await cleo.ask("POST", f"/leagues/{key}/invitations", team=3))["invitation"]
            await phone.join(mine, name="Cleo")
            assert (await cleo.league(key))["yours"] == []
            state = await phone.ask("POST", f"/leagues/{key}/next")
            assert state["viewer"] in ("home", "away")
            # The commissioner takes it back.
            await ben.expect_error(403, "POST", f"/leagues/{key}/leave", team=3)
            await anna.ask("POST", f"/leagues/{key}/leave", team=3)
            await server.run_due_work()
            played = [game for game in games_of(await anna.league(key), 3) if game["score"]]
            assert len(played) == 1

    run_async(test)


def test_a_friend_who_leaves_before_the_kickoff_does_not_block_the_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            key, anna, ben = await league_of_four(server)
            table = str((await ben.ask("POST", f"/leagues/{key}/next"))["id"])
            await ben.ask("POST", f"/leagues/{key}/leave", team=3)
            assert await anna.open_next_table(key) == table
            await play_to_the_end(table, anna)
            assert (await anna.league(key))["rounds"][0]["games"][0]["score"]

    run_async(test)


def test_a_league_game_cannot_be_undone_or_abandoned(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path, limits=Limits(absent=0.0, rate=5000)) as server:
            anna = Friend(server)
            key = (await anna.create_league(teams=["A", "B"], own=[0], begin=True))["id"]
            table = await anna.open_next_table(key)
            await anna.answer(table)
            state = await anna.ask("GET", f"/tables/{table}")
            assert not state["may_take_back"]
            assert not state["seats"]["home"]["absent"]
            assert "no undo in league games" in await anna.expect_error(
                403, "POST", f"/tables/{table}/undo", moment=state["moment"]
            )
            assert "a league" in await anna.expect_error(403, "DELETE", f"/tables/{table}")
            page = await server.client.get(
                f"/table/{table}", headers={"Authorization": f"Bearer {anna.token}"}
            )
            assert f"/leagues/{key}" in page.text
            assert "Abandon the game" not in page.text

    run_async(test)


def test_strangers_have_no_permissions(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            key, _, _ = await league_of_four(server, days=1.0)
            stranger = Friend(server)
            await stranger.create_league()
            for path, form in (
                ("/begin", {}),
                ("/coaches", {}),
                ("/date", {"days": 1}),
                ("/invitations", {}),
                ("/invitations", {"team": 0}),
                ("/teams", {"team": 1}),
                ("/leave", {"team": 0}),
                ("/games/1", {}),
            ):
                await stranger.expect_error(403, "POST", f"/leagues/{key}{path}", **form)
                anonymous = Friend(server)
                await anonymous.expect_error(403, "POST", f"/leagues/{key}{path}", **form)
            await stranger.expect_error(409, "POST", f"/leagues/{key}/next")
            await stranger.expect_error(403, "DELETE", f"/leagues/{key}")
            await stranger.expect_error(404, "GET", "/leagues/nothing")
            await stranger.expect_error(404, "POST", "/league-seats", invitation="x" * 40, team=1)
            listed = await stranger.ask("GET", "/leagues")
            assert [league["id"] for league in listed["listed"]] == []
            assert key not in str(listed)

    run_async(test)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"title": "\x00"}, 400),
        ({"title": " "}, 400),
        ({"title": "x" * 201}, 422),
        ({"title": "\ud800"}, 422),
        ({"teams": ["A"]}, 400),
        ({"teams": ["A", "A"]}, 400),
        ({"teams": ["A", "B\x1b[31m"]}, 400),
        ({"teams": [f"T{n}" for n in range(17)]}, 400),
        ({"teams": ["A"] * 65}, 422),
        ({"rules": "checkers"}, 400),
        ({"rules": "two-minute-drill"}, 400),
        ({"rules": "data-driven", "season": 1999}, 400),
        ({"rules": "data-driven", "season": 2008, "teams": ["PIT", "Nowhere"]}, 400),
        ({"rules": "data-driven", "season": 2008, "real": True, "teams": ["PIT"]}, 400),
        ({"own": [7]}, 400),
        ({"own": [0, 0]}, 409),
        ({"days": 0}, 422),
        ({"days": 1e300}, 422),
        ({"options": {"no-such": 1}}, 400),
        ({"name": "\x07", "own": [0]}, 400),
        ({"surprise": 1}, 422),
    ],
)
def test_invalid_leagues_are_rejected(tmp_path: Path, form: dict[str, Any], status: int) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            defaults = {"title": "Ours", "rules": "fourth-down", "teams": ["A", "B"]}
            detail = await Friend(server).expect_error(
                status, "POST", "/leagues", **{**defaults, **form}
            )
            assert "\n" not in detail
            assert detail.isprintable()

    run_async(test)


@pytest.mark.parametrize(
    ("form", "title"),
    [
        ({"season": 2008, "real": True, "own": [7], "begin": True}, "2008 season"),
        ({"season": 2008, "teams": ["PIT", "ARI"]}, "2008 league"),
        ({"rules": "fourth-down", "teams": ["A", "B"]}, "4th Down! league"),
    ],
)
def test_the_default_title_names_the_season_or_game(
    tmp_path: Path, form: dict[str, Any], title: str
) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            assert (await Friend(server).ask("POST", "/leagues", **form))["title"] == title

    run_async(test)


def test_the_number_of_leagues_is_limited(tmp_path: Path) -> None:
    async def test() -> None:
        few = Limits(leagues_each=2, leagues=3, rate=5000)
        async with league_server(tmp_path, limits=few) as server:
            anna = Friend(server)
            await anna.create_league()
            key = (await anna.create_league())["id"]
            assert "you already have 2 leagues" in await anna.expect_error(
                429, "POST", "/leagues", title="x", rules="fourth-down", teams=["A", "B"]
            )
            await anna.ask("DELETE", f"/leagues/{key}")
            assert (await anna.league(key))["stage"] == "closed"
            await anna.create_league(listed=True)
            listed = await anna.ask("GET", "/leagues")
            assert len(listed["yours"]) == 2
            assert len(listed["listed"]) == 1

    run_async(test)


def test_a_week_of_a_real_season_is_played(tmp_path: Path) -> None:
    """Short quarters; the holder's game waits, coaches play the others by their plans."""
    pytest.importorskip("numpy")

    async def test() -> None:
        async with league_server(tmp_path, host="0.0.0.0") as server:
            anna = Friend(server)
            form = {"rules": "data-driven", "season": 2008, "real": True, "begin": True}
            key = (
                await anna.create_league(own=[7], options={"quarter_seconds": 60}, teams=[], **form)
            )["id"]
            await server.run_due_work()
            league = await anna.league(key)
            assert [game["state"] for game in games_of(league, 1)].count("done") == 15
            table = await anna.ask("POST", f"/leagues/{key}/next")
            assert "Pittsburgh" in table["names"].values()
            assert table["options"]["home_plan"].startswith("2008:")
            other = next(game for game in games_of(league, 1) if game["score"])
            watched = await anna.ask("GET", f"/tables/{other['table']}")
            assert watched["seats"]["home"]["who"] == "coach:plan"
            assert (await anna.ask("GET", f"/tables/{other['table']}/check"))["verified"]
            await anna.ask("POST", f"/leagues/{key}/coaches")
            await server.run_due_work()
            league = await anna.league(key)
            assert league["round"] == 2
            records = [
                row["record"] for division in league["divisions"] for row in division["rows"]
            ]
            assert len(records) == 32
            tie = league["broken"][0]
            text = f"over {league['teams'][tie['over'][0]]['name']}"
            shown = await server.client.get(f"/leagues/{key}")
            assert "in effect" in shown.text
            assert text in shown.text
            assert tie["by"] in shown.text

    run_async(test)


def test_concurrent_changes_are_all_applied(database: str) -> None:
    """Ten friends take ten teams at the same time."""

    async def test() -> None:
        async with league_server(database) as server:
            anna = Friend(server)
            key = (await anna.create_league(teams=[f"Team {number}" for number in range(12)]))["id"]
            link = (await anna.ask("POST", f"/leagues/{key}/invitations"))["invitation"]
            friends = [Friend(server, number) for number in range(10)]
            await asyncio.gather(
                *(friend.join(link, team=number) for number, friend in enumerate(friends))
            )
            league = await anna.league(key)
            assert [team["held"] for team in league["teams"]] == [True] * 10 + [False] * 2
            late = Friend(server, 11)
            assert "already" in await late.expect_error(
                409, "POST", "/league-seats", invitation=link, team=0
            )

    run_async(test)


def test_an_invitation_to_a_team_works_once_even_concurrently(database: str) -> None:
    async def test() -> None:
        async with league_server(database) as server:
            anna = Friend(server)
            key = (await anna.create_league(teams=["Otters", "Foxes"]))["id"]
            link = (await anna.ask("POST", f"/leagues/{key}/invitations", team=1))["invitation"]
            friends = [Friend(server, number) for number in range(2, 8)]
            answers = await asyncio.gather(
                *(item.send("POST", "/league-seats", invitation=link) for item in friends)
            )
            assert sorted({item.status_code for item in answers} - {404, 409}) == [201]
            assert [item.status_code for item in answers].count(201) == 1

    run_async(test)


def test_an_error_in_one_league_does_not_block_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            anna, service = Friend(server), server.app_state.leagues
            keys = [
                (await anna.create_league(teams=["A", "B"], begin=True))["id"] for _ in range(2)
            ]
            broken, settle = min(keys), service.refresh

            async def settle_or_fail(key: str) -> League:
                if key == broken:
                    raise HashmarkError("its season is not there any more")
                return await settle(key)

            monkeypatch.setattr(service, "refresh", settle_or_fail)
            await service.run_due_work()
            assert (await settle(max(keys))).stage == "over"

    run_async(test)


@pytest.mark.parametrize("path", ["/leagues/%00", "/tables/%00", "/works/%00", "/plans/%00"])
def test_an_invalid_id_is_a_client_error(database: str, path: str) -> None:
    async def test() -> None:
        async with league_server(database) as server:
            answer = await server.client.get(f"/api{path}")
            assert answer.status_code in (400, 404), answer.text

    run_async(test)


def test_the_store_returns_nothing_for_unknown_leagues(tmp_path: Path) -> None:
    store = TableStore(f"sqlite:///{tmp_path / 'tables.db'}")
    rows = LeagueStore(store)
    assert rows.find("nothing") is None
    assert rows.change("nothing", 0.0, lambda league: league) is None
    assert rows.find_invitation("nothing") is None
    assert rows.due_leagues(0.0) == []
    assert parse_score("21-17") == (21, 17)
    assert parse_score("-2-17") == (-2, 17)
    assert league_forms.NewLeague.model_validate({"title": "x"}).rules == "data-driven"
    assert ANY_FREE_TEAM < 0
    store.close()


def test_a_server_plays_coach_games_in_the_background(tmp_path: Path) -> None:
    """The background task starts on its own and plays in another process."""

    async def test() -> None:
        app_state = AppState(TableStore(f"sqlite:///{tmp_path / 'tables.db'}"))
        request = leagues.LeagueRequest("Ours", Terms("fourth-down"), ["A", "B"], begin=True)
        league = await app_state.leagues.create(request, "a" * 64, "here")
        try:
            while (await app_state.leagues.find(league.id)).stage != "over":
                await asyncio.sleep(0.05)
        finally:
            await app_state.close()

    run_async(test)
