"""The leagues of a server: who may do what, tables for their games, and what time brings.

The value is `club/leagues.py`, the rows are `league_store`. A game's table has its address from the
beginning, so whoever lays it first has laid it, and a second server finds it there. Once a minute,
when a game has ended and when somebody looks, dates that have passed and results that came are
taken up; games that are left to coaches are played by `machine`, each claimed in the database.
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

MINUTE = 60.0  # seconds between two looks at dates
LEASE = 30.0  # seconds after which a game that was claimed may be claimed by another
LATER = "the league cannot be kept just now, so nothing has happened: try again"
logger = logging.getLogger("hashmark.web")


@dataclass
class LeagueWish:
    """A new league as somebody wants it."""

    title: str
    terms: Terms
    teams: list[str] = field(default_factory=list)
    own: list[int] = field(default_factory=list)  # the teams that he holds himself
    friend: str = ""  # what he is called
    listed: bool = False
    begin: bool = False


class Leagues:
    """All leagues of a server."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.rows = hall, LeagueStore(hall.store)
        self.machine = Machine()
        self.now: Callable[[], float] = time.time
        self._task: asyncio.Task[None] | None = None
        self._awake = asyncio.Event()
        self._claim: Ready | None = None  # the game that is played now
        self._served: dict[str, float] = {}  # leagues, and when a game of theirs was last played

    # --- What goes on by itself --------------------------------------------------------------

    def wake(self) -> None:
        """Look now at what is due; the first time, and every minute from then on."""
        if self.hall.closing.is_set():
            return
        self._awake.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Nothing more is played; what was not finished may be claimed again at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self.machine.rest()
        if self._claim is not None:
            with suppress(SQLAlchemyError):  # then it runs out
                await asyncio.to_thread(self.rows.release, self._claim)

    async def _run(self) -> None:
        while not self.hall.closing.is_set():
            self._awake.clear()
            try:
                await self.look_round()
            except PASSING as fault:
                logger.warning("a league has to wait: %s", fault)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._awake.wait(), MINUTE)

    async def look_round(self) -> None:
        """Take up what has ended or is due, and let coaches play until nothing is left."""
        for key in await asyncio.to_thread(self.rows.stirring, self.now()):
            await self._settle_aside(key)
        while (game := await self._claimed()) is not None:
            self._claim = game
            try:
                await self._play_out(game)
            except (HashmarkError, SQLAlchemyError) as fault:
                logger.warning("a game of a league has to wait: %s", fault)
            self._claim = None
            await self._settle_aside(game.league)
        self.machine.rest()

    async def _settle_aside(self, key: str) -> None:
        """One league of many: what is wrong with it holds no other up."""
        try:
            await self.settle(key)
        except (HashmarkError, SQLAlchemyError) as fault:
            logger.warning("a league has to wait: %s", fault)

    async def _claimed(self) -> Ready | None:
        """The next game for the coaches: each league in its turn."""
        now = self.now()
        waiting = await asyncio.to_thread(self.rows.ready, now - LEASE)
        still = {game.league for game in waiting}
        self._served = {key: when for key, when in self._served.items() if key in still}
        for game in sorted(waiting, key=lambda one: self._served.get(one.league, 0.0)):
            if await asyncio.to_thread(self.rows.claim, game, now):
                self._served[game.league] = time.monotonic()
                return game
        return None

    async def settle(self, key: str) -> League:
        """The league as it is when all that has happened is taken up."""
        return await asyncio.to_thread(self._settle, key)

    def _settle(self, key: str) -> League:
        scores, now = self.rows.results(key), self.now()

        def act(league: League) -> League:
            return _moved(league.with_results(scores), now)

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
        """Change a league, and let what follows from it begin."""
        now = self.now()

        def acted(league: League) -> League:
            return _moved(act(league), now)

        made = await asyncio.to_thread(self._change_now, key, acted, seated, used)
        self.wake()
        return made

    # --- Making and finding --------------------------------------------------------------------

    async def find(self, key: str) -> League:
        """A league by its address, with all that has happened."""
        league = await self.settle(key)
        if league.stage == PLAYING:
            self.wake()
        return league

    async def make(self, wish: LeagueWish, holder: str, caller: str) -> League:
        """A new league, whose commissioner is the one who wants it."""
        own, every = await asyncio.to_thread(self.rows.open_leagues, caller)
        if own >= self.hall.limits.leagues_each:
            raise TooMuch(f"you have {own} leagues: close or finish some of them first")
        if every >= self.hall.limits.leagues:
            raise TooMuch("there are too many leagues here: try again later")
        league = await asyncio.to_thread(self._planned, wish, holder)
        try:
            await asyncio.to_thread(self.rows.add, league, caller, self.now())
        except SQLAlchemyError:
            raise NotKept(LATER) from None
        self.wake()
        return league

    def _planned(self, wish: LeagueWish, holder: str) -> League:
        with self.hall.looking_for_files():
            now = self.now()
            league = League.planned(
                tokens.new_table_id(),
                wish.title,
                wish.terms,
                wish.teams,
                holder,
                new_addresses(),
                now,
                wish.listed,
            )
            for team in wish.own:
                league = league.taken(team, holder, wish.friend)
            self._wish(league, league.games[0]).header()  # whether such a game can be at all
            return league.begun(now) if wish.begin else league

    # --- Who may do what -----------------------------------------------------------------------

    async def invite(self, key: str, holder: str, team: int = GROUP) -> str:
        """A secret for a link: to a free team, to any free team, or to one's own for another."""
        league = await self.find(key)
        league.must_go_on()
        if team == GROUP or not league.entrant(team).is_held:
            self._must_lead(league, holder)
        elif league.entrant(team).holder != holder:
            raise NotYours("only who holds a team may hand it on")
        token = tokens.new_token()
        await asyncio.to_thread(self.rows.invite, tokens.digest(token), key, team)
        return token

    async def invitation(self, token: str) -> tuple[League, int]:
        """The league that an invitation is for, and the team; `GROUP` for any free one."""
        digest = tokens.digest(token)
        found = await asyncio.to_thread(self.rows.invitation, digest) if digest else None
        if found is None:
            raise NotThere("this invitation is not valid, or was used already")
        return await self.find(found[0]), found[1]

    async def join(self, token: str, holder: str, team: int | None, friend: str) -> League:
        """Take a team by an invitation."""
        league, invited = await self.invitation(token)
        wanted = team if invited == GROUP else invited
        if wanted is None:
            raise HashmarkError("name the team that you want")
        if invited == GROUP:
            return await self._seat(league.id, wanted, holder, friend, NOBODY)
        by = league.entrant(wanted).holder
        return await self._seat(league.id, wanted, holder, friend, by, tokens.digest(token))

    async def take(self, key: str, holder: str, team: int, friend: str) -> League:
        """The commissioner, or who holds a team already, takes a free one."""
        league = await self.find(key)
        if not league.teams_of(holder):
            self._must_lead(league, holder)
        return await self._seat(key, team, holder, friend, NOBODY)

    async def _seat(
        self, key: str, team: int, holder: str, friend: str, by: str, used: str = ""
    ) -> League:
        new = await self._change(key, lambda one: one.taken(team, holder, friend, by), team, used)
        await self._at_its_table(new, team, lambda table, at: table.befriend(at, holder, by))
        return new

    async def leave(self, key: str, holder: str, team: int) -> League:
        """A friend gives his team up, or the commissioner takes it back: its coach plays."""
        league = await self.find(key)
        if league.entrant(team).holder != holder:
            self._must_lead(league, holder)
        new = await self._change(key, lambda one: one.freed(team), team)
        await self._at_its_table(new, team, lambda table, at: table.vacate(at))
        return new

    async def _at_its_table(
        self, league: League, team: int, act: Callable[[Table, int], Any]
    ) -> None:
        """Do something at the table where a team plays now, if it is laid."""
        for game in league.in_round():
            if team not in (game.home, game.away) or game.is_done:
                continue
            with suppress(NotThere):  # it is not laid yet
                await act(await self.hall.find(game.table), game.side_of(team))

    def _must_lead(self, league: League, holder: str) -> None:
        if not holder or league.commissioner != holder:
            raise NotYours("only the commissioner may do this")

    async def _lead(self, key: str, holder: str, act: Callable[[League], League]) -> League:
        """Something that only the commissioner does."""
        self._must_lead(await self.find(key), holder)
        return await self._change(key, act)

    async def begin(self, key: str, holder: str) -> League:
        return await self._lead(key, holder, lambda one: one.begun(self.now()))

    async def let_play(self, key: str, holder: str, upto: int = 0) -> League:
        """What is left of the round, or of all rounds up to this one, goes to the coaches."""
        return await self._lead(key, holder, lambda one: one.let_play(upto))

    async def put_off(
        self, key: str, holder: str, days: float | None = None, until: float | None = None
    ) -> League:
        """Another date for the round: so many days later than it was, or this moment."""
        now = self.now()

        def act(league: League) -> League:
            if until is not None:
                return league.put_off(until, now)
            if days is None:
                raise HashmarkError("say by how many days, or until when")
            return league.put_off(max(league.due or now, now) + check_days(days) * DAY, now)

        return await self._lead(key, holder, act)

    async def shut(self, key: str, holder: str) -> League:
        """The commissioner ends a league for good; its games stay where they are."""
        new = await self._lead(key, holder, lambda one: one.closed())
        for game in new.in_round():
            if not game.is_done:
                with suppress(NotThere):  # it was never laid
                    await (await self.hall.find(game.table)).recall()
        return new

    # --- Tables ----------------------------------------------------------------------------------

    async def open_game(self, key: str, number: int, holder: str, caller: str) -> Table:
        """The table of a game: laid by one of the two when its round is on, or there already."""
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
            Seat(side, whose) for side, whose in enumerate(league.holders(game)) if whose != NOBODY
        ]
        wish = self._wish(league, game)
        return await self.hall.lay_game(game.table, wish, seats, _settings(league, game), caller)

    async def next_game(self, key: str, holder: str, caller: str) -> Table:
        """The table of the next game that somebody is to play."""
        league = await self.find(key)
        game = league.next_for(holder)
        if game is None:
            raise Stale("no game of yours is to be played now")
        return await self.open_game(key, game.number, holder, caller)

    def _wish(self, league: League, game: Game, coaches_only: bool = False) -> Wish:
        from hashmark.web.hall import ME, Wish

        persons = (NOBODY, NOBODY) if coaches_only else league.holders(game)
        coaches = _coaches(league, game)
        named = {} if league.terms.season is not None else league.names(game)
        return Wish(
            rules=league.terms.rules,
            options=league.options(game),
            seats={
                name: ME if persons[at] != NOBODY else coaches[at] for at, name in enumerate(TEAMS)
            },
            names=dict(zip(TEAMS, named, strict=True)) if named else {},
            hints=league.terms.hints,
            listed=False,
        )

    async def _play_out(self, ready: Ready) -> None:
        """Let coaches play a game to its end, from its beginning or from where people left it."""
        league = await asyncio.to_thread(self.rows.find, ready.league)
        if league is None:
            return
        game = league.game(ready.number)
        coaches, only_shipped = _coaches(league, game), not self.hall.trusting
        if await asyncio.to_thread(self.hall.store.table, ready.table) is None:
            with suppress(NotKept):  # somebody else has laid it meanwhile
                await self._play_alone(league, game, coaches, only_shipped)
            return
        table = await self.hall.find(ready.table)
        if table.is_over:
            return
        lines = await table.leave()
        made = await self.machine.play_out(lines, coaches, only_shipped)
        await table.end(lines, made.lines)

    async def _play_alone(
        self, league: League, game: Game, coaches: tuple[str, str], only_shipped: bool
    ) -> None:
        """A game that no person has to do with: its table is over when it is laid."""
        from hashmark.web.hall import New

        wish = self._wish(league, game, coaches_only=True)
        header = replace(await asyncio.to_thread(self.hall.header_of, wish), words=("", ""))
        first, _ = log.sealed("", header.to_json())
        made = await self.machine.play_out([first], coaches, only_shipped)
        settings = {**wish.settings(), **_settings(league, game)}
        kept = New(header, [], settings, "", game.table).kept(
            stage=OVER,
            said=made.said,
            score="{}-{}".format(*made.score),
            writer=self.hall.sharing.me,
        )
        await self.hall.journal.put(Change(kept.id, 1, [first, *made.lines], new=kept))


def new_addresses() -> Iterator[str]:
    """Addresses for tables, as many as are wanted."""
    return (tokens.new_table_id() for _ in repeat(None))


def _moved(league: League, now: float) -> League:
    """A league after all that time and results bring at once."""
    while (after := league.moved_on(now, new_addresses())) != league:
        league = after
    return league


def _coaches(league: League, game: Game) -> tuple[str, str]:
    return league.entrants[game.home].coach, league.entrants[game.away].coach


def _settings(league: League, game: Game) -> Mapping[str, Any]:
    """What the table of a league's game is besides."""
    coaches = dict(zip(TEAMS, _coaches(league, game), strict=True))
    return {"league": league.id, "fixture": game.number, "coaches": coaches}
