"""Leagues of a server: permissions, tables of their games, and scheduled progress.

`league` holds the value, `league_store` the rows. The table ID of a game is fixed from the start,
so only one server can create it and others find it. Due dates and results are applied once a
minute, when a game ends and when a league is requested. Games left to coaches are claimed in the
database and played by the `AutoplayPool`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.web import tokens
from hashmark.web.db.connection import TRANSIENT_ERRORS
from hashmark.web.leagues import league_state
from hashmark.web.leagues.autoplay_pool import AutoplayPool
from hashmark.web.leagues.league import (
    DAY_SECONDS,
    NOBODY,
    PLAYING,
    League,
    LeagueGame,
    Terms,
    check_days,
)
from hashmark.web.leagues.league_store import ANY_FREE_TEAM, ClaimableGame, LeagueStore
from hashmark.web.leases import LeaseObserver
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.tables.table import Forbidden, NotFound, StaleRequest, Table
from hashmark.web.tables.table_request import SEAT_ME, NewTable, TableRequest
from hashmark.web.tables.table_store import OVER, Seat
from hashmark.web.tables.tables import Tables
from hashmark.web.tables.write_batcher import WriteFailed

CHECK_INTERVAL_SECONDS = 60.0  # seconds between two checks of due dates
CLAIM_SECONDS = 30.0  # seconds after which another server may claim a claimed game
NOT_STORED = "the league could not be saved, so nothing was changed: try again"
logger = logging.getLogger("hashmark.web")


@dataclass
class LeagueRequest:
    """Request for a new league."""

    title: str
    terms: Terms
    teams: list[str] = field(default_factory=list)
    own: list[int] = field(default_factory=list)  # teams that the commissioner holds
    friend: str = ""  # the commissioner's display name
    listed: bool = False
    begin: bool = False


class Leagues:
    """All leagues of a server."""

    def __init__(self, tables: Tables) -> None:
        services = tables.services
        self.tables, self.store = tables, LeagueStore(services.store)
        self.files, self.limits, self.closing = services.files, services.limits, services.closing
        self.autoplay_pool = AutoplayPool()
        self.clock, self.now = services.clock, services.clock.wall
        self._claims = LeaseObserver(services.clock, CLAIM_SECONDS)
        self._task: asyncio.Task[None] | None = None
        self._wake_up = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()  # for what takes a tenth of a second on a thread
        self._claim: ClaimableGame | None = None  # the game being played
        self._last_played: dict[str, float] = {}  # when a game of each league was last played

    # --- Background task -----------------------------------------------------------------------

    def wake(self) -> None:
        """Check now what is due; the first call also starts the check every minute."""
        if self.closing.is_set():
            return
        self._wake_up.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Stop playing and release the claim on the current game."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self.autoplay_pool.stop()
        if self._claim is not None:
            with suppress(SQLAlchemyError):  # then the lease expires
                await asyncio.to_thread(self.store.release, self._claim)

    async def _run(self) -> None:
        while not self.closing.is_set():
            self._wake_up.clear()
            try:
                await self.run_due_work()
            except TRANSIENT_ERRORS as error:
                logger.warning("league delayed: %s", error)
            with suppress(TimeoutError):
                await self.clock.wait_for(self._wake_up.wait(), CHECK_INTERVAL_SECONDS)

    async def run_due_work(self) -> None:
        """Apply due dates and results, then let coaches play until no game is left."""
        for key in await asyncio.to_thread(self.store.due_leagues, self.now()):
            await self._settle_safely(key)
        while (game := await self._claim_next()) is not None:
            self._claim = game
            try:
                await self._play_out(game)
            except (HashmarkError, SQLAlchemyError) as error:
                logger.warning("league game delayed: %s", error)
            self._claim = None
            await self._settle_safely(game.league)
        self.autoplay_pool.stop()

    async def _settle_safely(self, key: str) -> None:
        """Settle one league; log an error, so that it does not hold up the others."""
        try:
            await self.refresh(key)
        except (HashmarkError, SQLAlchemyError) as error:
            logger.warning("league delayed: %s", error)

    async def _claim_next(self) -> ClaimableGame | None:
        """Claim the next game for coaches; leagues take turns."""
        waiting = await asyncio.to_thread(self.claimable_games)
        waiting_leagues = {game.league for game in waiting}
        self._last_played = {
            key: when for key, when in self._last_played.items() if key in waiting_leagues
        }
        for game in sorted(waiting, key=lambda ready: self._last_played.get(ready.league, 0.0)):
            claimed = await asyncio.to_thread(self.store.claim, game)
            if claimed is not None:
                self._last_played[game.league] = self.clock.monotonic()
                return claimed
        return None

    def claimable_games(self) -> list[ClaimableGame]:
        """Return games that coaches may play and that no server has claimed; blocks."""
        queried_at = self.clock.monotonic()
        ready = self.store.ready_games()
        self._claims.retain(game.table for game in ready)
        return [game for game in ready if self._claims.observe(game.table, game.claim, queried_at)]

    async def refresh(self, key: str) -> League:
        """Apply results and due dates, and return the league."""
        return await asyncio.to_thread(self._settle, key)

    def _settle(self, key: str) -> League:
        scores, now = self.store.new_results(key), self.now()

        def act(league: League) -> League:
            return _advance(league.with_results(scores), now)

        return self._change_now(key, act)

    def _change_now(
        self,
        key: str,
        act: Callable[[League], League],
        seated: int | None = None,
        used: str = "",
    ) -> League:
        try:
            with self.files.allowed():
                changed = self.store.change(key, self.now(), act, seated, used)
        except SQLAlchemyError:
            raise WriteFailed(NOT_STORED) from None
        if changed is None:
            raise NotFound("there is no such league")
        return changed

    async def _change(
        self,
        key: str,
        act: Callable[[League], League],
        seated: int | None = None,
        used: str = "",
    ) -> League:
        """Change a league, and start what follows from it."""
        now = self.now()

        def change_and_advance(league: League) -> League:
            return _advance(act(league), now)

        changed = await asyncio.to_thread(self._change_now, key, change_and_advance, seated, used)
        self.wake()
        return changed

    # --- Creating and finding ------------------------------------------------------------------

    async def find(self, key: str) -> League:
        """Return a league by its ID, up to date."""
        league = await self.refresh(key)
        if league.stage == PLAYING:
            self.wake()
        return league

    async def describe(self, league: League, holder: str) -> dict[str, Any]:
        """Return a league as data for the requester."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._describe, league, holder)

    def _describe(self, league: League, holder: str) -> dict[str, Any]:
        with self.files.allowed():
            statuses = self.store.table_statuses(league.id)
            return league_state.league_to_dict(league, holder, statuses)

    async def create(self, league_request: LeagueRequest, holder: str, caller: str) -> League:
        """Create a league; its holder becomes the commissioner."""
        own, total = await asyncio.to_thread(self.store.count_open_leagues, caller)
        if own >= self.limits.leagues_each:
            raise LimitExceeded(f"you already have {own} leagues: finish or close one first")
        if total >= self.limits.leagues:
            raise LimitExceeded("this server has too many leagues: try again later")
        async with self._one_at_a_time:
            league = await asyncio.to_thread(self._plan, league_request, holder)
        try:
            await asyncio.to_thread(self.store.add, league, caller, self.now())
        except SQLAlchemyError:
            raise WriteFailed(NOT_STORED) from None
        self.wake()
        return league

    def _plan(self, league_request: LeagueRequest, holder: str) -> League:
        with self.files.allowed():
            now = self.now()
            league = League.create(
                tokens.new_table_id(),
                league_request.title,
                league_request.terms,
                league_request.teams,
                holder,
                new_table_ids(),
                now,
                league_request.listed,
            )
            for team in league_request.own:
                league = league.give_team(team, holder, league_request.friend)
            # Raise HashmarkError now if such a game is not possible.
            self._table_request(league, league.games[0]).build_header()
            return league.start(now) if league_request.begin else league

    # --- Actions and permissions ---------------------------------------------------------------

    async def invite(self, key: str, holder: str, team: int = ANY_FREE_TEAM) -> str:
        """Create an invitation to one free team, to any free team, or to the holder's own team."""
        league = await self.find(key)
        league.require_active()
        if team == ANY_FREE_TEAM or not league.entrant(team).is_held:
            self._require_commissioner(league, holder)
        elif league.entrant(team).holder != holder:
            raise Forbidden("only the player of this team can pass it on")
        token = tokens.new_token()
        await asyncio.to_thread(self.store.add_invitation, tokens.digest(token), key, team)
        return token

    async def invitation(self, token: str) -> tuple[League, int]:
        """Return the league and the team of an invitation, which may be ANY_FREE_TEAM."""
        digest = tokens.digest(token)
        stored = await asyncio.to_thread(self.store.find_invitation, digest) if digest else None
        if stored is None:
            raise NotFound("this invitation is invalid or has already been used")
        return await self.find(stored[0]), stored[1]

    async def join(self, token: str, holder: str, team: int | None, friend: str) -> League:
        """Take a team by an invitation."""
        league, invited = await self.invitation(token)
        chosen = team if invited == ANY_FREE_TEAM else invited
        if chosen is None:
            raise HashmarkError("choose a team")
        if invited == ANY_FREE_TEAM:
            return await self._seat(league.id, chosen, holder, friend, NOBODY)
        by = league.entrant(chosen).holder
        return await self._seat(league.id, chosen, holder, friend, by, tokens.digest(token))

    async def take_team(self, key: str, holder: str, team: int, friend: str) -> League:
        """Take a free team, as the commissioner or as the holder of another team."""
        league = await self.find(key)
        if not league.teams_of(holder):
            self._require_commissioner(league, holder)
        return await self._seat(key, team, holder, friend, NOBODY)

    async def _seat(
        self, key: str, team: int, holder: str, friend: str, by: str, used: str = ""
    ) -> League:
        new = await self._change(
            key, lambda league: league.give_team(team, holder, friend, by), team, used
        )
        await self._update_current_table(
            new, team, lambda table, side: table.give_seat(side, holder, by)
        )
        return new

    async def leave_team(self, key: str, holder: str, team: int) -> League:
        """Give up a team, or as the commissioner take it back; its coach plays."""
        league = await self.find(key)
        if league.entrant(team).holder != holder:
            self._require_commissioner(league, holder)
        new = await self._change(key, lambda one: one.release_team(team), team)
        await self._update_current_table(new, team, lambda table, side: table.vacate(side))
        return new

    async def _update_current_table(
        self, league: League, team: int, act: Callable[[Table, int], Any]
    ) -> None:
        """Call `act` with the table where a team plays in this round, if it exists."""
        for game in league.games_in_round():
            if team not in (game.home, game.away) or game.is_done:
                continue
            with suppress(NotFound):  # it does not exist yet
                await act(await self.tables.find(game.table), game.side_of(team))

    def _require_commissioner(self, league: League, holder: str) -> None:
        if not holder or league.commissioner != holder:
            raise Forbidden("only the commissioner can do this")

    async def _change_as_commissioner(
        self, key: str, holder: str, act: Callable[[League], League]
    ) -> League:
        """Change a league as its commissioner."""
        self._require_commissioner(await self.find(key), holder)
        return await self._change(key, act)

    async def start(self, key: str, holder: str) -> League:
        return await self._change_as_commissioner(
            key, holder, lambda league: league.start(self.now())
        )

    async def leave_to_coaches(self, key: str, holder: str, up_to_round: int = 0) -> League:
        """Leave the rest of the round, or all rounds up to `up_to_round`, to the coaches."""
        return await self._change_as_commissioner(
            key, holder, lambda league: league.leave_to_coaches(up_to_round)
        )

    async def postpone(
        self, key: str, holder: str, days: float | None = None, until: float | None = None
    ) -> League:
        """Postpone the round's due date by some days, or to a given time."""
        now = self.now()

        def act(league: League) -> League:
            if until is not None:
                return league.postpone(until, now)
            if days is None:
                raise HashmarkError("enter a number of days or a new deadline")
            return league.postpone(
                max(league.due or now, now) + check_days(days) * DAY_SECONDS, now
            )

        return await self._change_as_commissioner(key, holder, act)

    async def close_league(self, key: str, holder: str) -> League:
        """Close a league for good; its games stay as they are."""
        new = await self._change_as_commissioner(key, holder, lambda league: league.close())
        for game in new.games_in_round():
            if not game.is_done:
                with suppress(NotFound):  # it was never created
                    await (await self.tables.find(game.table)).recall()
        return new

    # --- Tables ----------------------------------------------------------------------------------

    async def open_game(self, key: str, number: int, holder: str, caller: str) -> Table:
        """Return the table of a game; a player of the game can create it in its round."""
        league = await self.find(key)
        game = league.game(number)
        if await asyncio.to_thread(self.tables.services.store.find_row, game.table) is not None:
            return await self.tables.find(game.table)
        if league.stage != PLAYING or game.round != league.round:
            raise StaleRequest("this game's round has not started or is over")
        if game.ready:
            raise StaleRequest("coaches have taken over this game and will play it soon")
        if not holder or holder not in league.holders(game):
            raise Forbidden("only the players of this game can open its table")
        seats = [
            Seat(side, seat_holder)
            for side, seat_holder in enumerate(league.holders(game))
            if seat_holder != NOBODY
        ]
        table_request = self._table_request(league, game)
        return await self.tables.create_for_league(
            game.table, table_request, seats, _table_settings(league, game), caller
        )

    async def next_game(self, key: str, holder: str, caller: str) -> Table:
        """Return the table of the holder's next game."""
        league = await self.find(key)
        game = league.next_game_for(holder)
        if game is None:
            raise StaleRequest("you have no game to play right now")
        return await self.open_game(key, game.number, holder, caller)

    def _table_request(
        self, league: League, game: LeagueGame, coaches_only: bool = False
    ) -> TableRequest:
        persons = (NOBODY, NOBODY) if coaches_only else league.holders(game)
        coaches = _coaches_of(league, game)
        team_names = {} if league.terms.season is not None else league.team_names(game)
        return TableRequest(
            rules=league.terms.rules,
            options=league.game_options(game),
            seats={
                name: SEAT_ME if persons[team] != NOBODY else coaches[team]
                for team, name in enumerate(TEAMS)
            },
            names=dict(zip(TEAMS, team_names, strict=True)) if team_names else {},
            hints=league.terms.hints,
            listed=False,
        )

    async def _play_out(self, ready: ClaimableGame) -> None:
        """Let coaches play a game to its end, from the start or from where people left it."""
        league = await asyncio.to_thread(self.store.find, ready.league)
        if league is None:
            return
        game = league.game(ready.number)
        coaches, only_shipped = _coaches_of(league, game), not self.files.is_trusting
        if await asyncio.to_thread(self.tables.services.store.find_row, ready.table) is None:
            with suppress(WriteFailed):  # another server has created it meanwhile
                await self._play_without_table(league, game, coaches, only_shipped)
            return
        table = await self.tables.find(ready.table)
        if table.is_over:
            return
        lines = await table.hand_off()
        played = await self.autoplay_pool.play_out(lines, coaches, only_shipped)
        await table.append_played(lines, played.lines)

    async def _play_without_table(
        self, league: League, game: LeagueGame, coaches: tuple[str, str], only_shipped: bool
    ) -> None:
        """Play a game without people, and store its table as finished."""
        table_request = self._table_request(league, game, coaches_only=True)
        header = replace(
            await asyncio.to_thread(self.tables.build_header, table_request),
            client_seeds=("", ""),
        )
        first, _ = log.seal_line("", header.to_json())
        played = await self.autoplay_pool.play_out([first], coaches, only_shipped)
        settings = {**table_request.settings(), **_table_settings(league, game)}
        row = NewTable(header, [], settings, "", table_request.listed, game.table).to_row(
            self.now(),
            stage=OVER,
            said=played.scoreboard,
            score="{}-{}".format(*played.score),
            writer=self.tables.services.server_id,
        )
        await self.tables.add_finished(row, [first, *played.lines])


def new_table_ids() -> Iterator[str]:
    """Return an endless supply of table IDs."""
    return (tokens.new_table_id() for _ in repeat(None))


def _advance(league: League, now: float) -> League:
    """Apply due dates and results until nothing changes."""
    while (after := league.advance(now, new_table_ids())) != league:
        league = after
    return league


def _coaches_of(league: League, game: LeagueGame) -> tuple[str, str]:
    return league.entrants[game.home].coach, league.entrants[game.away].coach


def _table_settings(league: League, game: LeagueGame) -> Mapping[str, Any]:
    """Return the table settings that link it to its league."""
    coaches = dict(zip(TEAMS, _coaches_of(league, game), strict=True))
    return {"league": league.id, "fixture": game.number, "coaches": coaches}
