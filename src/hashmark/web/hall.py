"""Application state of a server: its tables, in memory and in the database, and all services."""

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

ME, FRIEND = "me", "friend"  # seats in a request, besides coach:NAME
COMPUTER_DICE, TYPED_DICE = "computer", "typed"
DICE_MODES = {COMPUTER_DICE: "auto", TYPED_DICE: "typed"}
HINTS_ON_DEMAND, NEVER = "demand", "never"
HINTS = (HINTS_ON_DEMAND, NEVER)
MAX_PACE_SECONDS = 30.0  # between plays of a game between coaches
MAX_LOG_LINES = 20_000  # of an imported log


@dataclass
class Wish:
    """Request for a new table."""

    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    dice: str = COMPUTER_DICE
    names: dict[str, str] = field(default_factory=dict)
    hints: str = HINTS_ON_DEMAND
    listed: bool = True
    pace: float | None = None

    def header(self) -> Header:
        """Return the header of the game with new random dice; raise if the request is invalid."""
        rules = registry.load(self.rules)
        if self.dice not in DICE_MODES:
            raise UnknownName("kind of dice", self.dice, DICE_MODES)
        header = Header(
            rules=rules.name,
            options=dict(self.options),
            seats=self._seats(rules),
            dice=DICE_MODES[self.dice],
            seed=new_seed(),
            salt=new_salt(),
            rules_version=rules.version,
            names=self._names(rules),
        )
        session = Sitting(header, header.new_game())
        if not rules.alone(session.game.match):
            return header
        return replace(header, seats={**header.seats, TEAMS[1]: default_opponent(rules.name)})

    def _seats(self, rules: RuleSet) -> dict[str, str]:
        seats = {TEAMS[0]: ME, TEAMS[1]: default_opponent(rules.name), **self.seats}
        for team, seat in seats.items():
            if team not in TEAMS:
                raise UnknownName("team", team, TEAMS)
            if seat not in (ME, FRIEND):
                read_seat(rules, seat)
        return {team: PERSON if seat in (ME, FRIEND) else seat for team, seat in seats.items()}

    def _names(self, rules: RuleSet) -> tuple[str, str]:
        defaults = rules.team_names(self.options)
        names = [
            str(self.names.get(team) or defaults[index]).strip() for index, team in enumerate(TEAMS)
        ]
        return check_names(names[0], names[1])

    def settings(self) -> dict[str, Any]:
        """Return the settings of the table apart from its game."""
        if self.hints not in HINTS:
            raise UnknownName("kind of hints", self.hints, HINTS)
        settings: dict[str, Any] = {
            "hints": self.hints,
            "listed": self.listed,
            "wish": self._to_json(),
        }
        if self.pace is not None:
            if not 0 <= self.pace <= MAX_PACE_SECONDS:
                raise HashmarkError(
                    f"pace {self.pace:g}: expected 0 to {MAX_PACE_SECONDS:g} seconds"
                )
            settings["pace"] = self.pace
        return settings

    def _to_json(self) -> dict[str, Any]:
        """Return this request as JSON, for a rematch."""
        return {key: value for key, value in vars(self).items() if value is not None}


@dataclass
class New:
    """Table to be created: its game, seats and settings."""

    header: Header
    seats: list[Seat]
    settings: dict[str, Any]
    caller: str
    key: str = ""  # its ID if it is decided already

    def kept(self, **more: Any) -> Kept:
        """Return its row, created now."""
        now, header = time.time(), self.header
        key = self.key or tokens.new_table_id()
        return Kept(
            key, header.rules, header.to_json(), self.settings, self.caller, now, now, **more
        )


class Hall:
    """Application state: the tables in memory and the services around the database."""

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
        """Restrict which charts and plans options may name: untrusted callers get shipped ones
        only.

        Uploaded charts are found if these options name them.
        """
        uploaded = self.library.folder(options or {})
        folders = [] if uploaded is None else [uploaded]
        search = places.look_in if self.trusting else places.only_shipped
        with search(folders):
            yield

    def end_streams(self) -> None:
        """End every event stream so that the server can shut down."""
        self.closing.set()
        self.works.wake()
        for table in self.tables.values():
            for listener in table.listeners:
                listener.set()

    async def close(self) -> None:
        """Release everything; acknowledged changes are already on disk."""
        self.end_streams()
        await self.leagues.close()
        tasks = [task for table in self.tables.values() if (task := table.going.stop()) is not None]
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.sharing.close()
        self.thinkers.close()
        self.glass.close()
        self.reviews.close()
        await self.works.close()
        self.library.close()
        await self.journal.close()
        await asyncio.to_thread(self._release_leases)
        self.store.close()

    def _release_leases(self) -> None:
        """Release this server's leases so that other servers need not wait."""
        server_id = self.sharing.me
        held = [
            table.id
            for table in self.tables.values()
            if table.kept.writer == server_id and not table.is_over
        ]
        with suppress(SQLAlchemyError):  # then the leases expire by themselves
            self.store.let_go(held, server_id)

    # --- Finding -------------------------------------------------------------------------------

    async def find(self, key: str) -> Table:
        """Return a table by its ID, rebuilt from its log if it is not in memory."""
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
            snapshot = await asyncio.to_thread(self.store.found, key)
            if snapshot is None:
                raise NotThere("there is no such table")
            table = Table(self, snapshot.kept, snapshot.seats)
            await table.sit_again(snapshot.lines)
            self._add(table)
            return table
        finally:
            del self._loading[key]

    def _add(self, table: Table) -> None:
        self.tables[table.id] = table
        idle = [other for other in self.tables.values() if self._is_evictable(other)]
        for other in idle[: max(0, len(self.tables) - self.limits.loaded)]:
            self.forget(other)

    def _is_evictable(self, table: Table) -> bool:
        """Return whether a table is neither watched nor busy."""
        return not (table.going.is_busy or table.listeners or table.lock.locked())

    def forget(self, table: Keeping) -> None:
        """Drop a table from memory; it can be rebuilt."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        self.glass.forget(table.id)

    # --- Creating tables -------------------------------------------------------------------------

    async def lay(self, request: Wish, holder: str, caller: str) -> Table:
        """Create a table, with the seats of its creator taken."""
        header = await asyncio.to_thread(self.header_of, request)
        seats = [
            Seat(team, holder if request.seats.get(name, ME) == ME else "")
            for team, name in enumerate(TEAMS)
            if header.seats[name] == PERSON
        ]
        if header.dice == "typed":
            seats = [replace(seat, word="" if seat.holder else None) for seat in seats]
        return await self._create(New(header, seats, request.settings(), caller))

    def header_of(self, request: Wish) -> Header:
        """Return the header of a request, limited to the files that callers may name."""
        with self.looking_for_files(request.options):
            header = request.header()
        if key := self.library.key(request.options):
            self.library.keep(key)  # because a game uses them
        return header

    async def lay_game(
        self, key: str, request: Wish, seats: list[Seat], settings: Mapping[str, Any], caller: str
    ) -> Table:
        """Create the table of a league game under a given ID; return the existing one if there is
        one.
        """
        if await asyncio.to_thread(self.store.table, key) is None:
            header = await asyncio.to_thread(self.header_of, request)
            with suppress(NotKept):  # another request has just created it
                new = New(header, seats, {**request.settings(), **settings}, caller, key)
                return await self._create(new)
        return await self.find(key)

    async def _create(self, new: New) -> Table:
        table, change = await self._prepare(new)
        await self.journal.put(change)
        await self._start(table)
        return table

    async def _prepare(self, new: New) -> tuple[Table, Change]:
        """Return a table that is not stored yet, and the change that stores it."""
        await self._check_capacity(new.caller)
        row = new.kept(writer=self.sharing.me)
        table = Table(self, row, new.seats)
        row.lease = table.lease()
        return table, Change(table.id, new=row, seats=new.seats)

    async def _start(self, table: Table) -> None:
        """Add a newly stored table and start its game unless it waits for a player."""
        self.sharing.begin()
        self._add(table)
        await table.begin()

    async def _check_capacity(self, caller: str) -> None:
        by_caller, total = await asyncio.to_thread(
            self.store.open_tables, caller, time.time() - DAY
        )
        if by_caller >= self.limits.tables_each:
            raise TooMuch(f"you have {by_caller} open games: finish or close some of them first")
        if total >= self.limits.tables:
            raise TooMuch("there are too many open games here: try again later")

    async def rematch(self, table: Table, viewer: Viewer, caller: str) -> Table:
        """Create a rematch with the same players in the same seats; asking twice gives the same
        table.
        """
        if not viewer.teams:
            raise NotYours("you are watching: only those who play may ask for a rematch")
        created: Table | None = None

        async def create_once() -> str:
            nonlocal created
            created = None
            if not table.is_over:
                raise Stale("the game is not over yet")
            if table.kept.rematch:
                return table.kept.rematch
            request = Wish(**table.kept.settings["wish"])
            header = await asyncio.to_thread(self.header_of, request)
            typed = header.dice == "typed"
            seats = [replace(seat, word="" if typed else None) for seat in table.seats.values()]
            created, change = await self._prepare(New(header, seats, request.settings(), caller))
            await table.note_rematch(change)
            return created.id

        rematch_id = await table.change(create_once)
        if created is None:
            return await self.find(rematch_id)
        await self._start(created)
        return created

    async def bring(self, raw: bytes, holder: str, caller: str) -> Table:
        """Import a game log as a table; the caller gets the human seats."""
        if raw.count(b"\n") > MAX_LOG_LINES:
            raise HashmarkError(f"a log of more than {MAX_LOG_LINES} lines is not taken")
        await self._check_capacity(caller)
        session, lines = await asyncio.to_thread(self._read_log, raw)
        header = session.header
        request = Wish(
            header.rules, header.options, _requested_seats(session), _dice_mode(header.dice)
        )
        request.names = dict(zip(TEAMS, header.names, strict=True))
        seats = [Seat(team, holder, "") for team in session.persons]
        new = New(header, seats, {**request.settings(), "brought": True}, caller)
        row = new.kept(stage=OVER if session.is_over else PLAYING)
        change = Change(row.id, 1, lines, new=row, seats=seats)
        await self.journal.put(change)
        table = await self.find(row.id)
        table.go_on()
        return table

    def _read_log(self, raw: bytes) -> tuple[Sitting, list[str]]:
        """Replay a log to verify it; return its session and complete lines."""
        with self.looking_for_files():
            session, read = Sitting.take_up_bytes(raw, "the log")
        text = raw[: read.length].decode(errors="surrogatepass")
        return session, [f"{line}\n" for line in text.split("\n")[:-1]]

    # --- Invitations --------------------------------------------------------------------------

    async def invite(self, table: Table, viewer: Viewer, team: int) -> str:
        """Return an invitation token for an open seat, or for one's own seat on another device."""
        if team not in table.seats:
            raise HashmarkError(f"no person sits at {table.header.names[team]}")
        token = tokens.new_token()
        await table.invite(viewer, team, tokens.digest(token))
        return token

    async def take_seat(self, token: str, holder: str) -> tuple[Table, int]:
        """Take a seat with an invitation, which is used up by it."""
        table, team = await self.invitation(token)
        await table.claim(team, holder, tokens.digest(token))
        return table, team

    async def invitation(self, token: str) -> tuple[Table, int]:
        """Return the table and the team that an invitation is for."""
        digest = tokens.digest(token)
        row = await asyncio.to_thread(self.store.invitation, digest) if digest else None
        if row is None:
            raise NotThere("this invitation is not valid, or was used already")
        return await self.find(row[0]), row[1]


def _requested_seats(session: Sitting) -> dict[str, str]:
    """Return the seats of a session as a request names them."""
    return {
        team: ME if session.seats[index] == PERSON else session.seats[index]
        for index, team in enumerate(TEAMS)
    }


def _dice_mode(kind: str) -> str:
    return next(name for name, value in DICE_MODES.items() if value == kind)
