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

from hashmark.engine import registry
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import check_names
from hashmark.errors import HashmarkError, UnknownName
from hashmark.session.game_session import HUMAN, GameSession, parse_seat
from hashmark.session.header import Header, new_salt, new_seed
from hashmark.session.opponents import default_opponent
from hashmark.storage import search_path
from hashmark.web import tokens
from hashmark.web.db.multi_server import MultiServer
from hashmark.web.jobs.jobs import JobService
from hashmark.web.jobs.uploaded_charts import UploadedCharts
from hashmark.web.leagues.feeds import Feeds
from hashmark.web.leagues.leagues import Leagues
from hashmark.web.metrics import Metrics
from hashmark.web.rate_limits import DAY_SECONDS, LimitExceeded, Limits, RateLimiter, StreamLimiter
from hashmark.web.seasons.saved_plans import SavedPlans
from hashmark.web.tables import shared_tasks as tasks
from hashmark.web.tables.coach_pool import CoachPool
from hashmark.web.tables.odds_panel import OddsService
from hashmark.web.tables.persistence import StoredTable
from hashmark.web.tables.reviews import Reviews
from hashmark.web.tables.table import Forbidden, NotFound, StaleRequest, Table, Viewer
from hashmark.web.tables.table_store import OVER, PLAYING, Change, Seat, Store, TableRow
from hashmark.web.tables.write_batcher import WriteBatcher, WriteFailed

SEAT_ME, SEAT_FRIEND = "me", "friend"  # seats in a request, besides coach:NAME
COMPUTER_DICE, TYPED_DICE = "computer", "typed"
DICE_MODES = {COMPUTER_DICE: "auto", TYPED_DICE: "typed"}
HINTS_ON_DEMAND, HINTS_NEVER = "demand", "never"
HINT_MODES = (HINTS_ON_DEMAND, HINTS_NEVER)
MAX_PACE_SECONDS = 30.0  # between plays of a game between coaches
MAX_LOG_LINES = 20_000  # of an imported log


@dataclass
class TableRequest:
    """Request for a new table."""

    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    dice: str = COMPUTER_DICE
    names: dict[str, str] = field(default_factory=dict)
    hints: str = HINTS_ON_DEMAND
    listed: bool = True
    pace: float | None = None

    def build_header(self) -> Header:
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
        session = GameSession(header, header.new_game())
        if not rules.is_solo(session.game.match):
            return header
        return replace(header, seats={**header.seats, TEAMS[1]: default_opponent(rules.name)})

    def _seats(self, rules: RuleSet) -> dict[str, str]:
        seats = {TEAMS[0]: SEAT_ME, TEAMS[1]: default_opponent(rules.name), **self.seats}
        for team, seat in seats.items():
            if team not in TEAMS:
                raise UnknownName("team", team, TEAMS)
            if seat not in (SEAT_ME, SEAT_FRIEND):
                parse_seat(rules, seat)
        return {
            team: HUMAN if seat in (SEAT_ME, SEAT_FRIEND) else seat for team, seat in seats.items()
        }

    def _names(self, rules: RuleSet) -> tuple[str, str]:
        defaults = rules.team_names(self.options)
        names = [
            str(self.names.get(team) or defaults[index]).strip() for index, team in enumerate(TEAMS)
        ]
        return check_names(names[0], names[1])

    def settings(self) -> dict[str, Any]:
        """Return the settings of the table apart from its game."""
        if self.hints not in HINT_MODES:
            raise UnknownName("kind of hints", self.hints, HINT_MODES)
        settings: dict[str, Any] = {"hints": self.hints, "wish": self._to_json()}
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
class NewTable:
    """Table to be created: its game, seats and settings."""

    header: Header
    seats: list[Seat]
    settings: dict[str, Any]
    caller: str
    listed: bool
    key: str = ""  # its ID if it is decided already

    def to_row(self, **more: Any) -> TableRow:
        """Return its row, created now."""
        now, header = time.time(), self.header
        key = self.key or tokens.new_table_id()
        values = (header.rules, header.to_json(), self.settings, self.caller, now, now)
        return TableRow(key, *values, self.listed, **more)


class AppState:
    """Application state: the tables in memory and the services around the database."""

    def __init__(
        self, store: Store, limits: Limits | None = None, is_trusting: bool = True
    ) -> None:
        self.store, self.limits, self.is_trusting = store, limits or Limits(), is_trusting
        self.rate_limiter, self.stream_limiter = (
            RateLimiter(self.limits),
            StreamLimiter(self.limits),
        )
        self.multi_server, self.metrics = MultiServer(self), Metrics(self)
        self.write_batcher, self.coach_pool = (
            WriteBatcher(store, self.metrics.count_write),
            CoachPool(),
        )
        self.odds_service, self.reviews = OddsService(), Reviews()
        self.saved_plans = SavedPlans(store, self.limits)
        self.jobs = JobService(store, self.limits, self.stream_limiter)
        self.uploaded_charts = UploadedCharts(self.jobs.queue)
        self.leagues, self.feeds = Leagues(self), Feeds(store)
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.closing = asyncio.Event()
        self._loading: dict[str, asyncio.Task[Table]] = {}

    @contextmanager
    def allowed_files(self, options: Mapping[str, Any] | None = None) -> Iterator[None]:
        """Restrict which charts and plans options may name: untrusted callers get shipped ones
        only.

        Uploaded charts are found if these options name them.
        """
        uploaded = self.uploaded_charts.directory(options or {})
        folders = [] if uploaded is None else [uploaded]
        search = search_path.search_first if self.is_trusting else search_path.shipped_only
        with search(folders):
            yield

    def end_streams(self) -> None:
        """End every event stream so that the server can shut down."""
        self.closing.set()
        self.jobs.notify_all()
        for table in self.tables.values():
            for listener in table.listeners:
                listener.set()

    async def close(self) -> None:
        """Release everything; acknowledged changes are already on disk."""
        self.end_streams()
        await self.leagues.close()
        tasks = [
            task for table in self.tables.values() if (task := table.autoplay.stop()) is not None
        ]
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.multi_server.close()
        self.coach_pool.close()
        self.odds_service.close()
        self.reviews.close()
        await self.jobs.close()
        self.uploaded_charts.close()
        await self.write_batcher.close()
        await asyncio.to_thread(self._release_leases)
        self.store.close()

    def _release_leases(self) -> None:
        """Release this server's leases so that other servers need not wait."""
        server_id = self.multi_server.server_id
        held = [
            table.id
            for table in self.tables.values()
            if table.row.writer == server_id and not table.is_over
        ]
        with suppress(SQLAlchemyError):  # then the leases expire by themselves
            self.store.release_leases(held, server_id)

    # --- Finding -------------------------------------------------------------------------------

    async def find(self, key: str) -> Table:
        """Return a table by its ID, rebuilt from its log if it is not in memory."""
        self.multi_server.start()
        table = self.tables.get(key)
        if table is not None:
            self.tables.move_to_end(key)
            if await self.multi_server.refresh(table):
                table.resume_autoplay()
            return table
        if key not in self._loading:
            self._loading[key] = tasks.start_shared(self._load(key))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> Table:
        try:
            snapshot = await asyncio.to_thread(self.store.load_snapshot, key)
            if snapshot is None:
                raise NotFound("there is no such table")
            table = Table(self, snapshot.row, snapshot.seats)
            await table.rebuild(snapshot.lines)
            self._add(table)
            return table
        finally:
            del self._loading[key]

    def _add(self, table: Table) -> None:
        self.tables[table.id] = table
        idle = [other for other in self.tables.values() if self._is_evictable(other)]
        for other in idle[: max(0, len(self.tables) - self.limits.loaded)]:
            self.evict(other)

    def _is_evictable(self, table: Table) -> bool:
        """Return whether a table is neither watched nor busy."""
        return not (table.autoplay.is_busy or table.listeners or table.lock.locked())

    def evict(self, table: StoredTable) -> None:
        """Drop a table from memory; it can be rebuilt."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        self.odds_service.evict(table.id)

    # --- Creating tables -------------------------------------------------------------------------

    async def create_table(self, request: TableRequest, holder: str, caller: str) -> Table:
        """Create a table, with the seats of its creator taken."""
        header = await asyncio.to_thread(self.build_header, request)
        seats = [
            Seat(team, holder if request.seats.get(name, SEAT_ME) == SEAT_ME else "")
            for team, name in enumerate(TEAMS)
            if header.seats[name] == HUMAN
        ]
        if header.dice == "typed":
            seats = [replace(seat, word="" if seat.holder else None) for seat in seats]
        return await self._create(
            NewTable(header, seats, request.settings(), caller, request.listed)
        )

    def build_header(self, request: TableRequest) -> Header:
        """Return the header of a request, limited to the files that callers may name."""
        with self.allowed_files(request.options):
            header = request.build_header()
        if key := self.uploaded_charts.chart_key(request.options):
            self.uploaded_charts.keep_permanently(key)  # because a game uses them
        return header

    async def create_league_table(
        self,
        key: str,
        request: TableRequest,
        seats: list[Seat],
        settings: Mapping[str, Any],
        caller: str,
    ) -> Table:
        """Create the table of a league game under a given ID; return the existing one if there is
        one.
        """
        if await asyncio.to_thread(self.store.find_row, key) is None:
            header = await asyncio.to_thread(self.build_header, request)
            with suppress(WriteFailed):  # another request has just created it
                merged = {**request.settings(), **settings}
                new = NewTable(header, seats, merged, caller, request.listed, key)
                return await self._create(new)
        return await self.find(key)

    async def _create(self, new: NewTable) -> Table:
        table, change = await self._prepare(new)
        await self.write_batcher.put(change)
        await self._start(table)
        return table

    async def _prepare(self, new: NewTable) -> tuple[Table, Change]:
        """Return a table that is not stored yet, and the change that stores it."""
        await self._check_capacity(new.caller)
        row = new.to_row(writer=self.multi_server.server_id)
        table = Table(self, row, new.seats)
        row.lease = table.new_lease_expiry()
        return table, Change(table.id, new_row=row, seats=new.seats)

    async def _start(self, table: Table) -> None:
        """Add a newly stored table and start its game unless it waits for a player."""
        self.multi_server.start()
        self._add(table)
        await table.start_if_ready()

    async def _check_capacity(self, caller: str) -> None:
        by_caller, total = await asyncio.to_thread(
            self.store.count_open_tables, caller, time.time() - DAY_SECONDS
        )
        if by_caller >= self.limits.tables_each:
            raise LimitExceeded(
                f"you have {by_caller} open games: finish or close some of them first"
            )
        if total >= self.limits.tables:
            raise LimitExceeded("there are too many open games here: try again later")

    async def rematch(self, table: Table, viewer: Viewer, caller: str) -> Table:
        """Create a rematch with the same players in the same seats; asking twice gives the same
        table.
        """
        if not viewer.teams:
            raise Forbidden("you are watching: only those who play may ask for a rematch")
        created: Table | None = None

        async def create_once() -> str:
            nonlocal created
            created = None
            if not table.is_over:
                raise StaleRequest("the game is not over yet")
            if table.row.rematch:
                return table.row.rematch
            request = TableRequest(**table.row.settings["wish"])
            header = await asyncio.to_thread(self.build_header, request)
            typed = header.dice == "typed"
            seats = [replace(seat, word="" if typed else None) for seat in table.seats.values()]
            created, change = await self._prepare(
                NewTable(header, seats, request.settings(), caller, request.listed)
            )
            await table.record_rematch(change)
            return created.id

        rematch_id = await table.apply_change(create_once)
        if created is None:
            return await self.find(rematch_id)
        await self._start(created)
        return created

    async def import_log(self, raw: bytes, holder: str, caller: str) -> Table:
        """Import a game log as a table; the caller gets the human seats."""
        if raw.count(b"\n") > MAX_LOG_LINES:
            raise HashmarkError(f"a log of more than {MAX_LOG_LINES} lines is not taken")
        await self._check_capacity(caller)
        session, lines = await asyncio.to_thread(self._read_log, raw)
        header = session.header
        request = TableRequest(
            header.rules, header.options, _requested_seats(session), _dice_mode(header.dice)
        )
        request.names = dict(zip(TEAMS, header.names, strict=True))
        seats = [Seat(team, holder, "") for team in session.human_teams]
        settings = {**request.settings(), "brought": True}
        new = NewTable(header, seats, settings, caller, request.listed)
        row = new.to_row(stage=OVER if session.is_over else PLAYING)
        change = Change(row.id, 1, lines, new_row=row, seats=seats)
        await self.write_batcher.put(change)
        table = await self.find(row.id)
        table.resume_autoplay()
        return table

    def _read_log(self, raw: bytes) -> tuple[GameSession, list[str]]:
        """Replay a log to verify it; return its session and complete lines."""
        with self.allowed_files():
            session, read = GameSession.resume_bytes(raw, "the log")
        text = raw[: read.good_bytes].decode(errors="surrogatepass")
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
        table, team = await self.find_invitation(token)
        await table.take_seat(team, holder, tokens.digest(token))
        return table, team

    async def find_invitation(self, token: str) -> tuple[Table, int]:
        """Return the table and the team that an invitation is for."""
        digest = tokens.digest(token)
        row = await asyncio.to_thread(self.store.find_invitation, digest) if digest else None
        if row is None:
            raise NotFound("this invitation is not valid, or was used already")
        return await self.find(row[0]), row[1]


def _requested_seats(session: GameSession) -> dict[str, str]:
    """Return the seats of a session as a request names them."""
    return {
        team: SEAT_ME if session.seats[index] == HUMAN else session.seats[index]
        for index, team in enumerate(TEAMS)
    }


def _dice_mode(kind: str) -> str:
    return next(name for name, value in DICE_MODES.items() if value == kind)
