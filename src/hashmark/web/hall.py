"""The hall: all tables of a server. It lays new ones, finds those of yesterday, and counts."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.table import places, registry
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.header import Header, new_salt, new_seed
from hashmark.table.names import check_names
from hashmark.table.opponents import default_opponent
from hashmark.table.record import TEAMS
from hashmark.table.rules import RuleSet
from hashmark.table.sitting import PERSON, Sitting, read_seat
from hashmark.web import tasks, tokens
from hashmark.web.feeds import Feeds
from hashmark.web.journal import Journal, NotKept
from hashmark.web.keeping import Keeping
from hashmark.web.leagues import Leagues
from hashmark.web.library import Library
from hashmark.web.limits import DAY, Limits, Rates, Streams, TooMuch
from hashmark.web.looks import Glass
from hashmark.web.metrics import Metrics
from hashmark.web.plan_shelf import Shelf
from hashmark.web.reviews import Reviews
from hashmark.web.sharing import Sharing
from hashmark.web.store import OVER, PLAYING, Change, Kept, Seat, Store
from hashmark.web.tables import NotThere, NotYours, Stale, Table, Viewer
from hashmark.web.thinking import Thinkers
from hashmark.web.works import Works

ME, FRIEND = "me", "friend"  # seats as they are asked for, beside coach:NAME
COMPUTER, TYPED = "computer", "typed"
DICE = {COMPUTER: "auto", TYPED: "typed"}
ON_DEMAND, NEVER = "demand", "never"
HINTS = (ON_DEMAND, NEVER)
SLOWEST = 30.0  # seconds between plays that nobody calls
MOST_LINES = 20_000  # of a log that is brought along


@dataclass
class Wish:
    """A new table as somebody wants it."""

    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    dice: str = COMPUTER
    names: dict[str, str] = field(default_factory=dict)
    hints: str = ON_DEMAND
    listed: bool = True
    pace: float | None = None

    def header(self) -> Header:
        """The header of the game, with dice nobody knows; refused in a sentence if it cannot be."""
        rules = registry.load(self.rules)
        if self.dice not in DICE:
            raise UnknownName("kind of dice", self.dice, DICE)
        header = Header(
            rules=rules.name,
            options=dict(self.options),
            seats=self._seats(rules),
            dice=DICE[self.dice],
            seed=new_seed(),
            salt=new_salt(),
            rules_version=rules.version,
            names=self._names(rules),
        )
        sitting = Sitting(header, header.new_game())
        if not rules.alone(sitting.game.match):
            return header
        return replace(header, seats={**header.seats, TEAMS[1]: default_opponent(rules.name)})

    def _seats(self, rules: RuleSet) -> dict[str, str]:
        wanted = {TEAMS[0]: ME, TEAMS[1]: default_opponent(rules.name), **self.seats}
        for team, seat in wanted.items():
            if team not in TEAMS:
                raise UnknownName("team", team, TEAMS)
            if seat not in (ME, FRIEND):
                read_seat(rules, seat)
        return {team: PERSON if seat in (ME, FRIEND) else seat for team, seat in wanted.items()}

    def _names(self, rules: RuleSet) -> tuple[str, str]:
        usual = rules.team_names(self.options)
        given = [str(self.names.get(team) or usual[at]).strip() for at, team in enumerate(TEAMS)]
        return check_names(given[0], given[1])

    def settings(self) -> dict[str, Any]:
        """What the table is besides its game."""
        if self.hints not in HINTS:
            raise UnknownName("kind of hints", self.hints, HINTS)
        said: dict[str, Any] = {"hints": self.hints, "listed": self.listed, "wish": self._again()}
        if self.pace is not None:
            if not 0 <= self.pace <= SLOWEST:
                raise HashmarkError(f"pace {self.pace:g}: expected 0 to {SLOWEST:g} seconds")
            said["pace"] = self.pace
        return said

    def _again(self) -> dict[str, Any]:
        """The same wish, for a rematch."""
        return {key: value for key, value in vars(self).items() if value is not None}


@dataclass
class New:
    """A table that is to be laid: its game, who sits there, and what else is kept of it."""

    header: Header
    seats: list[Seat]
    settings: dict[str, Any]
    caller: str
    key: str = ""  # its name, if it has one already

    def kept(self, **more: Any) -> Kept:
        """Its row, laid now."""
        now, header = time.time(), self.header
        key = self.key or tokens.new_table_id()
        return Kept(
            key, header.rules, header.to_json(), self.settings, self.caller, now, now, **more
        )


class Hall:
    """All tables, those in memory and those that are only kept."""

    def __init__(self, store: Store, limits: Limits | None = None, trusting: bool = True) -> None:
        self.store, self.limits, self.trusting = store, limits or Limits(), trusting
        self.rates, self.streams = Rates(self.limits), Streams(self.limits)
        self.sharing, self.metrics = Sharing(self), Metrics(self)
        self.journal, self.thinkers = Journal(store, self.metrics.written), Thinkers()
        self.glass, self.reviews = Glass(), Reviews()
        self.plans = Shelf(store, self.limits)
        self.works = Works(store, self.limits, self.streams)
        self.library = Library(self.works.queue)
        self.leagues, self.feeds = Leagues(self), Feeds(store)
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.closing = asyncio.Event()
        self._loading: dict[str, asyncio.Task[Table]] = {}

    @contextmanager
    def looking_for_files(self, options: Mapping[str, Any] | None = None) -> Iterator[None]:
        """Charts and plans that options name: from strangers only those that the game ships.

        Charts that were brought are found where these options name them.
        """
        brought = self.library.folder(options or {})
        folders = [] if brought is None else [brought]
        looking = places.look_in if self.trusting else places.only_shipped
        with looking(folders):
            yield

    def end_streams(self) -> None:
        """Let every stream end, so that the server can."""
        self.closing.set()
        self.works.wake()
        for table in self.tables.values():
            for listener in table.listeners:
                listener.set()

    async def close(self) -> None:
        """Let go of everything; what was acknowledged is on the disk."""
        self.end_streams()
        await self.leagues.close()
        tasks = [task for one in self.tables.values() if (task := one.going.stop()) is not None]
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.sharing.close()
        self.thinkers.close()
        self.glass.close()
        self.reviews.close()
        await self.works.close()
        self.library.close()
        await self.journal.close()
        await asyncio.to_thread(self._let_go)
        self.store.close()

    def _let_go(self) -> None:
        """Other servers need not wait for this one any more."""
        me = self.sharing.me
        mine = [one.id for one in self.tables.values() if one.kept.writer == me and not one.is_over]
        with suppress(SQLAlchemyError):  # then they wait for a moment
            self.store.let_go(mine, me)

    # --- Finding -------------------------------------------------------------------------------

    async def find(self, key: str) -> Table:
        """The table of this name, made again from its lines if it is not at hand."""
        self.sharing.begin()
        table = self.tables.get(key)
        if table is not None:
            self.tables.move_to_end(key)
            await self.sharing.fresh(table)
            return table
        if key not in self._loading:
            self._loading[key] = tasks.together(self._load(key))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> Table:
        try:
            found = await asyncio.to_thread(self.store.found, key)
            if found is None:
                raise NotThere("there is no such table")
            table = Table(self, found.kept, found.seats)
            await table.sit_again(found.lines)
            self._add(table)
            return table
        finally:
            del self._loading[key]

    def _add(self, table: Table) -> None:
        self.tables[table.id] = table
        idle = [one for one in self.tables.values() if self._may_leave(one)]
        for one in idle[: max(0, len(self.tables) - self.limits.loaded)]:
            self.forget(one)

    def _may_leave(self, table: Table) -> bool:
        """Whether nobody looks at a table and nothing goes on at it."""
        return not (table.going.is_busy or table.listeners or table.lock.locked())

    def forget(self, table: Keeping) -> None:
        """Let a table go from memory; it can be made again."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        self.glass.forget(table.id)

    # --- Laying tables ---------------------------------------------------------------------------

    async def lay(self, wish: Wish, holder: str, caller: str) -> Table:
        """A new table, with the seats of the one who wanted it taken."""
        header = await asyncio.to_thread(self.header_of, wish)
        seats = [
            Seat(team, holder if wish.seats.get(name, ME) == ME else "")
            for team, name in enumerate(TEAMS)
            if header.seats[name] == PERSON
        ]
        if header.dice == "typed":
            seats = [replace(seat, word="" if seat.holder else None) for seat in seats]
        return await self._laid(New(header, seats, wish.settings(), caller))

    def header_of(self, wish: Wish) -> Header:
        """The header of a wish, with the files that callers of this server may name."""
        with self.looking_for_files(wish.options):
            made = wish.header()
        if key := self.library.key(wish.options):
            self.library.keep(key)  # as long as a game is played with them
        return made

    async def lay_game(
        self, key: str, wish: Wish, seats: list[Seat], settings: Mapping[str, Any], caller: str
    ) -> Table:
        """A game of a league, whose table has this name; laid twice it is one."""
        if await asyncio.to_thread(self.store.table, key) is None:
            header = await asyncio.to_thread(self.header_of, wish)
            with suppress(NotKept):  # somebody else was quicker
                made = New(header, seats, {**wish.settings(), **settings}, caller, key)
                return await self._laid(made)
        return await self.find(key)

    async def _laid(self, new: New) -> Table:
        table, change = await self._new(new)
        await self.journal.put(change)
        await self._open(table)
        return table

    async def _new(self, new: New) -> tuple[Table, Change]:
        """A table that is not kept yet, and what is to be kept of it."""
        await self._check_room(new.caller)
        kept = new.kept(writer=self.sharing.me)
        table = Table(self, kept, new.seats)
        kept.lease = table.lease()
        return table, Change(table.id, new=kept, seats=new.seats)

    async def _open(self, table: Table) -> None:
        """A new table is kept: let it begin, if nobody is waited for."""
        self.sharing.begin()
        self._add(table)
        await table.begin()

    async def _check_room(self, caller: str) -> None:
        own, every = await asyncio.to_thread(self.store.open_tables, caller, time.time() - DAY)
        if own >= self.limits.tables_each:
            raise TooMuch(f"you have {own} open games: finish or close some of them first")
        if every >= self.limits.tables:
            raise TooMuch("there are too many open games here: try again later")

    async def rematch(self, table: Table, viewer: Viewer, caller: str) -> Table:
        """The same again, with the same people on the same seats; asked twice it is one."""
        if not viewer.teams:
            raise NotYours("you are watching: only those who play may ask for a rematch")
        made: Table | None = None

        async def again() -> str:
            nonlocal made
            made = None
            if not table.is_over:
                raise Stale("the game is not over yet")
            if table.kept.rematch:
                return table.kept.rematch
            wish = Wish(**table.kept.settings["wish"])
            header = await asyncio.to_thread(self.header_of, wish)
            typed = header.dice == "typed"
            seats = [replace(one, word="" if typed else None) for one in table.seats.values()]
            made, change = await self._new(New(header, seats, wish.settings(), caller))
            await table.note_rematch(change)
            return made.id

        other = await table.change(again)
        if made is None:
            return await self.find(other)
        await self._open(made)
        return made

    async def bring(self, raw: bytes, holder: str, caller: str) -> Table:
        """A game log from elsewhere becomes a table; who brings it has the seats of people."""
        if raw.count(b"\n") > MOST_LINES:
            raise HashmarkError(f"a log of more than {MOST_LINES} lines is not taken")
        await self._check_room(caller)
        sitting, lines = await asyncio.to_thread(self._read_log, raw)
        header = sitting.header
        wish = Wish(header.rules, header.options, _asked_for(sitting), _dice_named(header.dice))
        wish.names = dict(zip(TEAMS, header.names, strict=True))
        seats = [Seat(team, holder, "") for team in sitting.persons]
        new = New(header, seats, {**wish.settings(), "brought": True}, caller)
        kept = new.kept(stage=OVER if sitting.is_over else PLAYING)
        change = Change(kept.id, 1, lines, new=kept, seats=seats)
        await self.journal.put(change)
        table = await self.find(kept.id)
        table.go_on()
        return table

    def _read_log(self, raw: bytes) -> tuple[Sitting, list[str]]:
        """A log played again and found sound; its lines as they are, without a torn last one."""
        with self.looking_for_files():
            sitting, read = Sitting.take_up_bytes(raw, "the log")
        text = raw[: read.length].decode(errors="surrogatepass")
        return sitting, [f"{line}\n" for line in text.split("\n")[:-1]]

    # --- Invitations --------------------------------------------------------------------------

    async def invite(self, table: Table, viewer: Viewer, team: int) -> str:
        """A token that gives a seat: an open one, or one's own on another device."""
        if team not in table.seats:
            raise HashmarkError(f"no person sits at {table.header.names[team]}")
        token = tokens.new_token()
        await table.invite(viewer, team, tokens.digest(token))
        return token

    async def take_seat(self, token: str, holder: str) -> tuple[Table, int]:
        """Somebody makes use of an invitation; nobody else can after him."""
        table, team = await self.invitation(token)
        await table.claim(team, holder, tokens.digest(token))
        return table, team

    async def invitation(self, token: str) -> tuple[Table, int]:
        """The table and the seat that an invitation is for."""
        digest = tokens.digest(token)
        found = await asyncio.to_thread(self.store.invitation, digest) if digest else None
        if found is None:
            raise NotThere("this invitation is not valid, or was used already")
        return await self.find(found[0]), found[1]


def _asked_for(sitting: Sitting) -> dict[str, str]:
    """The seats of a sitting as one asks for them."""
    return {
        team: ME if sitting.seats[at] == PERSON else sitting.seats[at]
        for at, team in enumerate(TEAMS)
    }


def _dice_named(kind: str) -> str:
    return next(name for name, one in DICE.items() if one == kind)
