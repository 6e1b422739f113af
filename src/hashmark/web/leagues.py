"""Leagues of a server: permissions, tables of their games, and scheduled progress.

`league` holds the value, `league_store` the rows. The table ID of a game is fixed from the start,
so only one server can create it and others find it. Due dates and results are applied once a
minute, when a game ends and when a league is requested. Games left to coaches are claimed in the
database and played by the `AutoplayPool`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.club.leagues import (
    DAY,
    NOBODY,
    PLAYING,
    Game,
    League,
    Terms,
    check_days,
)
from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.record import TEAMS
from hashmark.web import tokens
from hashmark.web.database import PASSING
from hashmark.web.journal import NotKept
from hashmark.web.league_store import GROUP, LeagueStore, Ready
from hashmark.web.limits import TooMuch
from hashmark.web.machine import Machine
from hashmark.web.store import OVER, Change, Seat
from hashmark.web.tables import NotThere, NotYours, Stale, Table

if TYPE_CHECKING:
    from hashmark.web.hall import Hall, Wish

MINUTE = 60.0  # seconds between two checks of due dates
LEASE = 30.0  # seconds after which another server may claim a claimed game
LATER = "the league cannot be kept just now, so nothing has happened: try again"
logger = logging.getLogger("hashmark.web")


@dataclass
class LeagueWish:
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

    def __init__(self, app_state: Hall) -> None:
        self.hall, self.rows = app_state, LeagueStore(app_state.store)
        self.machine = Machine()
        self.now: Callable[[], float] = time.time
        self._task: asyncio.Task[None] | None = None
        self._wake_up = asyncio.Event()
        self._claim: Ready | None = None  # the game being played
        self._last_played: dict[str, float] = {}  # when a game of each league was last played

    # --- Background task -----------------------------------------------------------------------

    def wake(self) -> None:
        """Check now what is due; the first call also starts the check every minute."""
        if self.hall.closing.is_set():
            return
        self._wake_up.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Stop playing and release the claim on the current game."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self.machine.rest()
        if self._claim is not None:
            with suppress(SQLAlchemyError):  # then the lease expires
                await asyncio.to_thread(self.rows.release, self._claim)

    async def _run(self) -> None:
        while not self.hall.closing.is_set():
            self._wake_up.clear()
            try:
                await self.look_round()
            except PASSING as error:
                logger.warning("a league has to wait: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake_up.wait(), MINUTE)

    async def look_round(self) -> None:
        """Apply due dates and results, then let coaches play until no game is left."""
        for key in await asyncio.to_thread(self.rows.stirring, self.now()):
            await self._settle_safely(key)
        while (game := await self._claim_next()) is not None:
            self._claim = game
            try:
                await self._play_out(game)
            except (HashmarkError, SQLAlchemyError) as error:
                logger.warning("a game of a league has to wait: %s", error)
            self._claim = None
            await self._settle_safely(game.league)
        self.machine.rest()

    async def _settle_safely(self, key: str) -> None:
        """Settle one league; log an error, so that it does not hold up the others."""
        try:
            await self.settle(key)
        except (HashmarkError, SQLAlchemyError) as error:
            logger.warning("a league has to wait: %s", error)

    async def _claim_next(self) -> Ready | None:
        """Claim the next game for coaches; leagues take turns."""
        now = self.now()
        waiting = await asyncio.to_thread(self.rows.ready, now - LEASE)
        waiting_leagues = {game.league for game in waiting}
        self._last_played = {
            key: when for key, when in self._last_played.items() if key in waiting_leagues
        }
        for game in sorted(waiting, key=lambda ready: self._last_played.get(ready.league, 0.0)):
            if await asyncio.to_thread(self.rows.claim, game, now):
                self._last_played[game.league] = time.monotonic()
                return game
        return None

    async def settle(self, key: str) -> League:
        """Apply results and due dates, and return the league."""
        return await asyncio.to_thread(self._settle, key)

    def _settle(self, key: str) -> League:
        scores, now = self.rows.results(key), self.now()

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
            with self.hall.looking_for_files():
                changed = self.rows.change(key, self.now(), act, seated, used)
        except SQLAlchemyError:
            raise NotKept(LATER) from None
        if changed is None:
            raise NotThere("there is no such league")
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
        league = await self.settle(key)
        if league.stage == PLAYING:
            self.wake()
        return league

    async def make(self, league_request: LeagueWish, holder: str, caller: str) -> League:
        """Create a league; its holder becomes the commissioner."""
        own, total = await asyncio.to_thread(self.rows.open_leagues, caller)
        if own >= self.hall.limits.leagues_each:
            raise TooMuch(f"you have {own} leagues: close or finish some of them first")
        if total >= self.hall.limits.leagues:
            raise TooMuch("there are too many leagues here: try again later")
        league = await asyncio.to_thread(self._plan, league_request, holder)
        try:
            await asyncio.to_thread(self.rows.add, league, caller, self.now())
        except SQLAlchemyError:
            raise NotKept(LATER) from None
        self.wake()
        return league

    def _plan(self, league_request: LeagueWish, holder: str) -> League:
        with self.hall.looking_for_files():
            now = self.now()
            league = League.planned(
                tokens.new_table_id(),
                league_request.title,
                league_request.terms,
                league_request.teams,
                holder,
                new_addresses(),
                now,
                league_request.listed,
            )
            for team in league_request.own:
                league = league.taken(team, holder, league_request.friend)
            # Raise HashmarkError now if such a game is not possible.
            self._table_request(league, league.games[0]).header()
            return league.begun(now) if league_request.begin else league

    # --- Actions and permissions ---------------------------------------------------------------

    async def invite(self, key: str, holder: str, team: int = GROUP) -> str:
        """Create an invitation to one free team, to any free team, or to the holder's own team."""
        league = await self.find(key)
        league.must_go_on()
        if team == GROUP or not league.entrant(team).is_held:
            self._require_commissioner(league, holder)
        elif league.entrant(team).holder != holder:
            raise NotYours("only who holds a team may hand it on")
        token = tokens.new_token()
        await asyncio.to_thread(self.rows.invite, tokens.digest(token), key, team)
        return token

    async def invitation(self, token: str) -> tuple[League, int]:
        """Return the league and the team of an invitation, which may be ANY_FREE_TEAM."""
        digest = tokens.digest(token)
        stored = await asyncio.to_thread(self.rows.invitation, digest) if digest else None
        if stored is None:
            raise NotThere("this invitation is not valid, or was used already")
        return await self.find(stored[0]), stored[1]

    async def join(self, token: str, holder: str, team: int | None, friend: str) -> League:
        """Take a team by an invitation."""
        league, invited = await self.invitation(token)
        chosen = team if invited == GROUP else invited
        if chosen is None:
            raise HashmarkError("name the team that you want")
        if invited == GROUP:
            return await self._seat(league.id, chosen, holder, friend, NOBODY)
        by = league.entrant(chosen).holder
        return await self._seat(league.id, chosen, holder, friend, by, tokens.digest(token))

    async def take(self, key: str, holder: str, team: int, friend: str) -> League:
        """Take a free team, as the commissioner or as the holder of another team."""
        league = await self.find(key)
        if not league.teams_of(holder):
            self._require_commissioner(league, holder)
        return await self._seat(key, team, holder, friend, NOBODY)

    async def _seat(
        self, key: str, team: int, holder: str, friend: str, by: str, used: str = ""
    ) -> League:
        new = await self._change(
            key, lambda league: league.taken(team, holder, friend, by), team, used
        )
        await self._update_current_table(
            new, team, lambda table, side: table.befriend(side, holder, by)
        )
        return new

    async def leave(self, key: str, holder: str, team: int) -> League:
        """Give up a team, or as the commissioner take it back; its coach plays."""
        league = await self.find(key)
        if league.entrant(team).holder != holder:
            self._require_commissioner(league, holder)
        new = await self._change(key, lambda one: one.freed(team), team)
        await self._update_current_table(new, team, lambda table, side: table.vacate(side))
        return new

    async def _update_current_table(
        self, league: League, team: int, act: Callable[[Table, int], Any]
    ) -> None:
        """Call `act` with the table where a team plays in this round, if it exists."""
        for game in league.in_round():
            if team not in (game.home, game.away) or game.is_done:
                continue
            with suppress(NotThere):  # it does not exist yet
                await act(await self.hall.find(game.table), game.side_of(team))

    def _require_commissioner(self, league: League, holder: str) -> None:
        if not holder or league.commissioner != holder:
            raise NotYours("only the commissioner may do this")

    async def _change_as_commissioner(
        self, key: str, holder: str, act: Callable[[League], League]
    ) -> League:
        """Change a league as its commissioner."""
        self._require_commissioner(await self.find(key), holder)
        return await self._change(key, act)

    async def begin(self, key: str, holder: str) -> League:
        return await self._change_as_commissioner(
            key, holder, lambda league: league.begun(self.now())
        )

    async def let_play(self, key: str, holder: str, upto: int = 0) -> League:
        """Leave the rest of the round, or all rounds up to `upto`, to the coaches."""
        return await self._change_as_commissioner(key, holder, lambda league: league.let_play(upto))

    async def put_off(
        self, key: str, holder: str, days: float | None = None, until: float | None = None
    ) -> League:
        """Postpone the round's due date by some days, or to a given time."""
        now = self.now()

        def act(league: League) -> League:
            if until is not None:
                return league.put_off(until, now)
            if days is None:
                raise HashmarkError("say by how many days, or until when")
            return league.put_off(max(league.due or now, now) + check_days(days) * DAY, now)

        return await self._change_as_commissioner(key, holder, act)

    async def shut(self, key: str, holder: str) -> League:
        """Close a league for good; its games stay as they are."""
        new = await self._change_as_commissioner(key, holder, lambda league: league.closed())
        for game in new.in_round():
            if not game.is_done:
                with suppress(NotThere):  # it was never created
                    await (await self.hall.find(game.table)).recall()
        return new

    # --- Tables ----------------------------------------------------------------------------------

    async def open_game(self, key: str, number: int, holder: str, caller: str) -> Table:
        """Return the table of a game; a player of the game can create it in its round."""
        league = await self.find(key)
        game = league.game(number)
        if await asyncio.to_thread(self.hall.store.table, game.table) is not None:
            return await self.hall.find(game.table)
        if league.stage != PLAYING or game.round != league.round:
            raise Stale("this game's round is not on")
        if game.ready:
            raise Stale("this game was left to the coaches, who will play it soon")
        if not holder or holder not in league.holders(game):
            raise NotYours("only who plays this game may open its table")
        seats = [
            Seat(side, seat_holder)
            for side, seat_holder in enumerate(league.holders(game))
            if seat_holder != NOBODY
        ]
        table_request = self._table_request(league, game)
        return await self.hall.lay_game(
            game.table, table_request, seats, _table_settings(league, game), caller
        )

    async def next_game(self, key: str, holder: str, caller: str) -> Table:
        """Return the table of the holder's next game."""
        league = await self.find(key)
        game = league.next_for(holder)
        if game is None:
            raise Stale("no game of yours is to be played now")
        return await self.open_game(key, game.number, holder, caller)

    def _table_request(self, league: League, game: Game, coaches_only: bool = False) -> Wish:
        from hashmark.web.hall import ME, Wish

        persons = (NOBODY, NOBODY) if coaches_only else league.holders(game)
        coaches = _coaches_of(league, game)
        team_names = {} if league.terms.season is not None else league.names(game)
        return Wish(
            rules=league.terms.rules,
            options=league.options(game),
            seats={
                name: ME if persons[team] != NOBODY else coaches[team]
                for team, name in enumerate(TEAMS)
            },
            names=dict(zip(TEAMS, team_names, strict=True)) if team_names else {},
            hints=league.terms.hints,
            listed=False,
        )

    async def _play_out(self, ready: Ready) -> None:
        """Let coaches play a game to its end, from the start or from where people left it."""
        league = await asyncio.to_thread(self.rows.find, ready.league)
        if league is None:
            return
        game = league.game(ready.number)
        coaches, only_shipped = _coaches_of(league, game), not self.hall.trusting
        if await asyncio.to_thread(self.hall.store.table, ready.table) is None:
            with suppress(NotKept):  # another server has created it meanwhile
                await self._play_without_table(league, game, coaches, only_shipped)
            return
        table = await self.hall.find(ready.table)
        if table.is_over:
            return
        lines = await table.leave()
        played = await self.machine.play_out(lines, coaches, only_shipped)
        await table.end(lines, played.lines)

    async def _play_without_table(
        self, league: League, game: Game, coaches: tuple[str, str], only_shipped: bool
    ) -> None:
        """Play a game without people, and store its table as finished."""
        from hashmark.web.hall import New

        table_request = self._table_request(league, game, coaches_only=True)
        header = replace(
            await asyncio.to_thread(self.hall.header_of, table_request), words=("", "")
        )
        first, _ = log.sealed("", header.to_json())
        played = await self.machine.play_out([first], coaches, only_shipped)
        settings = {**table_request.settings(), **_table_settings(league, game)}
        row = New(header, [], settings, "", game.table).kept(
            stage=OVER,
            said=played.said,
            score="{}-{}".format(*played.score),
            writer=self.hall.sharing.me,
        )
        await self.hall.journal.put(Change(row.id, 1, [first, *played.lines], new=row))


def new_addresses() -> Iterator[str]:
    """Return an endless supply of table IDs."""
    return (tokens.new_table_id() for _ in repeat(None))


def _advance(league: League, now: float) -> League:
    """Apply due dates and results until nothing changes."""
    while (after := league.moved_on(now, new_addresses())) != league:
        league = after
    return league


def _coaches_of(league: League, game: Game) -> tuple[str, str]:
    return league.entrants[game.home].coach, league.entrants[game.away].coach


def _table_settings(league: League, game: Game) -> Mapping[str, Any]:
    """Return the table settings that link it to its league."""
    coaches = dict(zip(TEAMS, _coaches_of(league, game), strict=True))
    return {"league": league.id, "fixture": game.number, "coaches": coaches}
