"""Tables of a server: those in memory, and how tables are found, created and imported."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.session.game_session import HUMAN, GameSession
from hashmark.session.header import Header
from hashmark.session.pending import PendingCall
from hashmark.storage.text_limits import InvalidText, check_log
from hashmark.text.phrases import team_clause
from hashmark.web import tokens
from hashmark.web.leases import new_lease
from hashmark.web.rate_limits import DAY_SECONDS, LimitExceeded
from hashmark.web.tables import shared_tasks
from hashmark.web.tables.odds_panel import OddsResponse, OddsService
from hashmark.web.tables.services import TableServices
from hashmark.web.tables.table import (
    Forbidden,
    NotFound,
    StaleRequest,
    Table,
    Viewer,
)
from hashmark.web.tables.table_request import (
    DICE_MODES,
    HINTS_NEVER,
    REMATCH_SETTING,
    SEAT_ME,
    NewTable,
    TableRequest,
)
from hashmark.web.tables.table_store import (
    OVER,
    PLAYING,
    USED,
    Change,
    InvitationUsed,
    Seat,
    TableGone,
    TableRow,
)
from hashmark.web.tables.table_sync import TableSync
from hashmark.web.tables.write_batcher import WriteFailed


class Tables:
    """The tables of a server."""

    def __init__(self, services: TableServices, loaded: OrderedDict[str, Table]) -> None:
        self.services, self.loaded = services, loaded
        self.sync = TableSync(loaded, services)
        self.odds_service = OddsService()
        self._loading: dict[str, asyncio.Task[Table]] = {}

    def notify_all(self) -> None:
        """Wake all listeners of all tables."""
        for table in self.loaded.values():
            table.wake_listeners()

    async def stop(self) -> None:
        """Stop all background work at tables."""
        tasks = [
            task for table in self.loaded.values() if (task := table.autoplay.stop()) is not None
        ]
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.sync.close()
        self.services.coach_pool.close()
        self.odds_service.close()

    async def close(self) -> None:
        """Write what is pending and release this server's leases, so that others need not wait."""
        await self.services.write_batcher.close()
        await asyncio.to_thread(self._release_leases)

    def _release_leases(self) -> None:
        server_id = self.services.server_id
        leased_ids = [
            table.id
            for table in self.loaded.values()
            if table.row.writer == server_id and not table.is_over
        ]
        with suppress(SQLAlchemyError):  # then the leases expire by themselves
            self.services.store.release_leases(leased_ids, server_id)

    # --- Finding -------------------------------------------------------------------------------

    async def find(self, key: str) -> Table:
        """Return a table by its ID, rebuilt from its log if it is not in memory."""
        self.sync.start()
        table = self.loaded.get(key)
        if table is not None:
            self.loaded.move_to_end(key)
            try:
                await table.refresh()
            except TableGone:
                self.evict(table)
                raise
            return table
        if key in self._loading:  # begun before this request: what it has read may be too old
            await asyncio.shield(self._loading[key])
            return await self.find(key)
        self._loading[key] = shared_tasks.start_shared(self._load(key))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> Table:
        try:
            snapshot = await asyncio.to_thread(self.services.store.load_snapshot, key)
            if snapshot is None:
                raise NotFound("there is no such table")
            table = Table(self.services, snapshot.row, snapshot.seats)
            await table.rebuild(snapshot.lines)
            self._add(table)
            return table
        finally:
            del self._loading[key]

    def _add(self, table: Table) -> None:
        self.loaded[table.id] = table
        idle = [other for other in self.loaded.values() if self._is_evictable(other)]
        for other in idle[: max(0, len(self.loaded) - self.services.limits.loaded)]:
            self.evict(other)

    def _is_evictable(self, table: Table) -> bool:
        """Return whether a table is neither watched nor busy."""
        return not (table.autoplay.is_busy or table.listeners or table.lock.locked())

    def evict(self, table: Table) -> None:
        """Drop a table from memory; it can be rebuilt."""
        if self.loaded.get(table.id) is table:
            del self.loaded[table.id]
        self.odds_service.evict(table.id)

    # --- Creating tables -------------------------------------------------------------------------

    async def create(self, request: TableRequest, holder: str, caller: str) -> Table:
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
            NewTable(header, seats, request.settings(), caller, request.is_public)
        )

    def build_header(self, request: TableRequest) -> Header:
        """Return the header of a request, limited to the files that callers may name."""
        with self.services.files.allowed(request.options):
            header = request.build_header()
        self.services.files.uploaded_charts.keep_used(request.options)
        return header

    async def create_for_league(
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
        if await asyncio.to_thread(self.services.store.find_row, key) is None:
            header = await asyncio.to_thread(self.build_header, request)
            with suppress(WriteFailed):  # another request has just created it
                merged = {**request.settings(), **settings}
                new = NewTable(header, seats, merged, caller, request.listed, key)
                return await self._create(new)
        return await self.find(key)

    async def add_finished(self, row: TableRow, lines: list[str]) -> None:
        """Store the table of a game that was played elsewhere to its end."""
        await self.services.write_batcher.put(Change(row.id, 1, lines, new_row=row))

    async def close_table(self, table: Table, viewer: Viewer) -> None:
        """Abandon a game for good."""
        await table.close(viewer)
        self.evict(table)

    async def _create(self, new: NewTable) -> Table:
        table, change = await self._prepare(new)
        await self.services.write_batcher.put(change)
        await self._start(table)
        return table

    async def _prepare(self, new: NewTable) -> tuple[Table, Change]:
        """Return a table that is not stored yet, and the change that stores it."""
        await self._check_capacity(new.caller)
        row = new.to_row(
            self.services.clock.wall(), writer=self.services.server_id, lease=new_lease()
        )
        table = Table(self.services, row, new.seats)
        return table, Change(table.id, new_row=row, seats=new.seats)

    async def _start(self, table: Table) -> None:
        """Add a newly stored table and start its game unless it waits for a player."""
        self.sync.start()
        self._add(table)
        await table.start_if_ready()

    async def _check_capacity(self, caller: str) -> None:
        by_caller, total = await asyncio.to_thread(
            self.services.store.count_open_tables, caller, self.services.clock.wall() - DAY_SECONDS
        )
        if by_caller >= self.services.limits.tables_each:
            raise LimitExceeded(f"you have {by_caller} open games: finish or abandon one first")
        if total >= self.services.limits.tables:
            raise LimitExceeded("this server has too many open games: try again later")

    async def rematch(self, table: Table, viewer: Viewer, caller: str) -> Table:
        """Create a rematch with the same players in the same seats; asking twice gives the same
        table.
        """
        if not viewer.teams:
            raise Forbidden("you are a spectator: only players can start a rematch")
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
            settings = {**request.settings(), REMATCH_SETTING: table.id}
            created, change = await self._prepare(
                NewTable(header, seats, settings, caller, request.is_public)
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
        try:
            check_log(raw)
        except InvalidText as fault:
            raise HashmarkError(fault) from None
        await self._check_capacity(caller)
        async with self.services.replay_slot(raw.count(b"\n")):
            session, lines = await asyncio.to_thread(self._read_log, raw)
        header = session.header
        request = TableRequest(
            header.rules, header.options, _requested_seats(session), _dice_mode(header.dice)
        )
        request.names = dict(zip(TEAMS, header.names, strict=True))
        seats = [Seat(team, holder, "") for team in session.human_teams]
        settings = {**request.settings(), "brought": True}
        new = NewTable(header, seats, settings, caller, request.is_public)
        row = new.to_row(self.services.clock.wall(), stage=OVER if session.is_over else PLAYING)
        change = Change(row.id, 1, lines, new_row=row, seats=seats)
        await self.services.write_batcher.put(change)
        table = await self.find(row.id)
        table.resume_autoplay()
        return table

    def _read_log(self, raw: bytes) -> tuple[GameSession, list[str]]:
        """Replay a log to verify it; return its session and complete lines."""
        with self.services.files.allowed():
            session, read = GameSession.resume_bytes(raw, "the log")
        text = raw[: read.good_bytes].decode(errors="surrogatepass")
        return session, [f"{line}\n" for line in text.split("\n")[:-1]]

    # --- Odds ----------------------------------------------------------------------------------

    async def odds(self, table: Table, viewer: Viewer) -> OddsResponse:
        """Return the odds for the team that is asked, if the table allows hints."""
        table.require_session()
        if table.row.settings["hints"] == HINTS_NEVER:
            raise Forbidden("odds are off in this game")
        async with table.consistent_read():
            session = table.session
            pending = session.pending_input() if session is not None else None
            if session is None or not isinstance(pending, PendingCall):
                raise StaleRequest("there is no call to make right now")
            if pending.team not in viewer.teams:
                raise Forbidden("only the player to act can see the odds")
            game = session.game
            copy = game.read_only_copy(game.position.copy(), list(game.turns))
        return await self.odds_service.compute(table.id, copy)

    # --- Invitations --------------------------------------------------------------------------

    async def invite(self, table: Table, viewer: Viewer, team: int) -> str:
        """Return an invitation token for an open seat, or for one's own seat on another device."""
        if team not in table.seats:
            raise HashmarkError(team_clause(table.header.names[team], "[has] no player to invite"))
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
        row = (
            await asyncio.to_thread(self.services.store.find_invitation, digest) if digest else None
        )
        if row is None:
            raise NotFound("this invitation is not valid")
        if row[1] == USED:
            raise InvitationUsed("this invitation has already been used")
        return await self.find(row[0]), row[1]


def _requested_seats(session: GameSession) -> dict[str, str]:
    """Return the seats of a session as a request names them."""
    return {
        team: SEAT_ME if session.seats[index] == HUMAN else session.seats[index]
        for index, team in enumerate(TEAMS)
    }


def _dice_mode(kind: str) -> str:
    return next(name for name, value in DICE_MODES.items() if value == kind)
