"""Persistence of a table: log lines reach the disk before anyone sees them; memory is only a cache.

Every change runs under the table's lock: it is played, its lines are committed, and only then is it
published. If the commit fails, the table is rebuilt from the committed lines, so the change never
happened. If another server committed first, the database reports a version conflict; the table is
then reloaded and the change is retried on top of it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from hashmark.engine.game import Game
from hashmark.engine.record import NOBODY, TEAMS
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.game_session import HUMAN, GameSession
from hashmark.session.header import Header, parse_header
from hashmark.session.pending import PendingCall, PendingDie
from hashmark.text.game_report import scoreboard
from hashmark.web.leases import ObservedLease, new_lease
from hashmark.web.tables import shared_tasks
from hashmark.web.tables.services import TableServices
from hashmark.web.tables.table_store import (
    NOT_STARTED,
    OVER,
    PLAYING,
    Change,
    Seat,
    TableGone,
    TableRow,
    TableSnapshot,
    TableVersion,
    VersionConflict,
)
from hashmark.web.tables.write_batcher import WriteFailed

SUMMARY_INTERVAL_SECONDS = 5.0  # between two updates of the summary in the row
MIN_TURN_SECONDS = 0.002  # between the dates of two turns, even if the clock was set back
PRESENCE_UPDATES = 6  # presence updates per abandonment timeout
LEASE_SECONDS = 3.0  # added to the pace: how long only the server of a change advances the table
PLAYED_OUT_SETTING = "left"  # key in the table's settings
MAX_ATTEMPTS = 20  # attempts to commit against other servers
Result = TypeVar("Result")


class StoredTable:
    """A table in memory and in the database: its game starts, advances and is committed here."""

    def __init__(self, services: TableServices, row: TableRow, seats: list[Seat]) -> None:
        self.services, self.row = services, row
        self.seats = {seat.team: seat for seat in seats}
        self.header = parse_header(Path(row.id), row.header)
        self.session: GameSession | None = None
        self.lock = asyncio.Lock()
        self.published_count = 0  # number of feed events that are committed and may be shown
        self.page_version = 0  # increases with everything that a page shows
        self.listeners: set[asyncio.Event] = set()
        self.last_viewed = services.clock.monotonic()
        self.last_seen = dict.fromkeys(range(2), self.last_viewed)  # monotonic time, by team
        self.lease = ObservedLease(services.clock)  # of another server
        self._observe_lease(row, self.last_viewed)
        self._chain, self.line_count = "", 0
        self._pending_lines: list[str] = []
        self._summarized_at = -math.inf  # monotonic time
        self._is_out_of_sync = False  # memory differs from the database
        self._catch_up_task: asyncio.Task[None] | None = None
        self._presence_written: dict[int, float] = {}
        self.stored_presence: dict[int, float | None] = {seat.team: seat.seen for seat in seats}
        self._views: dict[int, tuple[int, Game]] = {}
        self._feed_cache: dict[tuple[int, int], list[dict[str, Any]]] = {}

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def is_over(self) -> bool:
        return self.session is not None and self.session.is_over

    @property
    def has_published_end(self) -> bool:
        """Whether the game is over and every event of it is committed and published."""
        session = self.session
        if session is None or not session.is_over:
            return False
        return self.published_count == len(session.feed.events)

    @property
    def league(self) -> str:
        """Return the ID of the table's league or ""; a league game ends by its date, not by a
        player.
        """
        return str(self.row.settings.get("league", ""))

    @property
    def dice_are_typed(self) -> bool:
        return self.header.dice == "typed"

    @property
    def is_played_out_elsewhere(self) -> bool:
        """Return whether the autoplay pool is playing the game out; stored for all servers."""
        return bool(self.row.settings.get(PLAYED_OUT_SETTING))

    @property
    def pace_seconds(self) -> float:
        """Return the seconds between two plays of a game between coaches."""
        if self.session is not None and self.session.human_teams:
            return 0.0
        return float(self.row.settings.get("pace", self.services.limits.pace))

    @property
    def lease_seconds(self) -> float:
        """Return the seconds after a change during which only its server advances the table."""
        return LEASE_SECONDS + self.pace_seconds

    # --- Loading and committing ------------------------------------------------------------

    async def rebuild(self, lines: list[str]) -> None:
        """Rebuild the game from its log lines, on a thread because it may take long."""
        async with self.services.replay_slot(len(lines)):
            await asyncio.to_thread(self._rebuild, lines)

    def _rebuild(self, lines: list[str]) -> None:
        self._pending_lines = []
        self._views, self._feed_cache = {}, {}
        if not lines:
            self.session, self._chain, self.line_count, self.published_count = None, "", 0, 0
            return
        with self.services.files.allowed(self.header.options):
            session, read = GameSession.resume_bytes(_join(lines), self._log_name)
        self._attach_session(session, read.chain, len(lines))

    @property
    def _log_name(self) -> str:
        return f"table-{self.id}.log"

    async def reload(self) -> None:
        """Reload the table from the database, discarding what is in memory."""
        self._is_out_of_sync = True
        await asyncio.to_thread(self._reload)
        self._publish()

    def _reload(self) -> None:
        queried_at = self.services.clock.monotonic()
        snapshot = self._load_snapshot(0)
        self._rebuild(snapshot.lines)
        self._apply_snapshot(snapshot, queried_at)
        self._is_out_of_sync = False

    def _read_new_lines(self) -> None:
        """Read what other servers have committed since; only new lines if the rest is in memory."""
        queried_at = self.services.clock.monotonic()
        snapshot = self._load_snapshot(self.line_count)
        if self.session is None or not snapshot.lines:
            if snapshot.lines:
                self._rebuild(snapshot.lines)
        else:
            self._is_out_of_sync = True
            place = log.LogPosition(Path(self._log_name), self.line_count, self._chain)
            with self.services.files.allowed(self.header.options):
                chain = self.session.apply_lines(_join(snapshot.lines), place)
            self._attach_session(self.session, chain, self.line_count + len(snapshot.lines))
            self._is_out_of_sync = False
        self._apply_snapshot(snapshot, queried_at)

    def _load_snapshot(self, after: int) -> TableSnapshot:
        snapshot = self.services.store.load_snapshot(self.id, after)
        if snapshot is None:
            raise TableGone("this table no longer exists")
        return snapshot

    def _apply_snapshot(self, snapshot: TableSnapshot, queried_at: float) -> None:
        """Take over everything of a snapshot except the game."""
        self.row = snapshot.row
        self.seats = {seat.team: seat for seat in snapshot.seats}
        self._observe_lease(snapshot.row, queried_at)
        self.observe_presence(
            {seat.team: seat.seen for seat in snapshot.seats if seat.seen is not None}
        )

    def _observe_lease(self, stored: TableRow | TableVersion, queried_at: float) -> None:
        """Record the lease in the database as of a query that began at this monotonic time."""
        self.lease.observe((stored.writer, stored.lease, stored.version), queried_at)

    async def fetch_version(self) -> TableVersion:
        """Return the current version of the table in the database."""
        version = (await self.services.change_feed.fetch_versions([self.id])).get(self.id)
        if version is None:
            raise TableGone("this table no longer exists")
        return version

    async def catch_up(self) -> bool:
        """Bring the table up to the current state of the database; return whether it was behind."""
        known_version, queried_at = self.row.version, self.services.clock.monotonic()
        return await self.catch_up_to(await self.fetch_version(), known_version, queried_at)

    async def catch_up_to(
        self, stored: TableVersion, known_version: int, queried_at: float
    ) -> bool:
        """Catch up with a version; return whether another server has changed the table.

        `known_version` is the version that was in memory when the database was queried.
        """
        self.observe_presence(stored.seen)
        is_behind = False
        while not self.is_current(stored, known_version, queried_at):
            is_behind, known_version = True, -1
            if self._catch_up_task is None or self._catch_up_task.done():
                self._catch_up_task = shared_tasks.start_shared(self._catch_up())
            await asyncio.shield(self._catch_up_task)
        return is_behind

    def is_current(self, stored: TableVersion, known_version: int, queried_at: float) -> bool:
        """Return whether the in-memory copy is at least as new as the database.

        A database version below the one known before means that a backup was restored: the database
        is right.
        """
        if (
            self._is_out_of_sync
            or self.row.version < stored.version
            or known_version > stored.version
        ):
            return False
        if self.row.version == stored.version:
            self.row.lease = stored.lease
            self._observe_lease(stored, queried_at)
        return True

    async def _catch_up(self) -> None:
        async with self.lock:
            standing = await self.fetch_version()
            behind = standing.version - self.row.version
            if self._is_out_of_sync or behind < 0:
                await self.reload()
            elif behind:
                try:
                    await asyncio.to_thread(self._read_new_lines)
                except HashmarkError:
                    await self.reload()
                self._publish()

    def _attach_session(self, session: GameSession, chain: str, count: int) -> None:
        session.persist = self._persist
        self.session, self.header = session, session.header
        self._chain, self.line_count = chain, count
        self.published_count = len(session.feed.events)

    def _persist(self, line: Mapping[str, Any]) -> None:
        """Queue a log line; it is written before the lock is released."""
        text, self._chain = log.seal_line(self._chain, line)
        self._pending_lines.append(text)

    async def _commit(self, change: Change | None = None) -> None:
        """Write what was played, then publish it; if the write fails, it never happened."""
        change = change or Change(self.id)
        change.first_line, change.lines = self.line_count + 1, self._pending_lines
        self._pending_lines = []
        self._add_summary(change)
        if not change.is_empty:
            change.version, change.writer = self.row.version, self.services.server_id
            change.lease = new_lease()
            try:
                await self.services.write_batcher.put(change)
            except BaseException as error:
                if isinstance(error, VersionConflict):
                    self.services.on_conflict()
                await self.reload()
                raise
            self.row.version += 1
            self.row.writer, self.row.lease = change.writer, change.lease
        self.line_count += len(change.lines)
        for key, value in change.columns.items():
            setattr(self.row, key, value)
        self._publish()
        if self.league and change.columns.get("stage") == OVER:
            self.services.on_league_game_over()

    async def apply_change(self, operation: Callable[[], Awaitable[Result]]) -> Result:
        """Run an operation that changes the table under its lock.

        If another server committed first, the operation is retried on top of that if it is still
        valid.
        """
        for _ in range(MAX_ATTEMPTS):
            async with self.lock:
                if self._is_out_of_sync:
                    await self.reload()
                try:
                    return await operation()
                except VersionConflict:
                    continue
        raise WriteFailed("this table is busy: try again")

    def _add_summary(self, change: Change) -> None:
        """Add the summary of the game to a change: from time to time, and when the game ends."""
        session, clock = self.session, self.services.clock
        if session is None:
            return
        wall, now = clock.wall(), clock.monotonic()
        if session.is_over and self.row.stage == PLAYING:
            change.columns["stage"] = OVER
        elif not session.is_over and self.row.stage == OVER:
            change.columns["stage"] = PLAYING  # the last call was undone
        team = self._team_to_act(session)
        if team != self.row.asked:
            asked_at = max(wall, self.row.asked_at + MIN_TURN_SECONDS)
            change.columns |= {"asked": team, "asked_at": asked_at}
        if change.columns or (
            change.lines and now - self._summarized_at > SUMMARY_INTERVAL_SECONDS
        ):
            change.columns |= {
                "touched": max(wall, self.row.touched),  # even if the clock was set back
                "said": " ".join(scoreboard(session.game).split()),
                "score": "{}-{}".format(*session.game.position.score),
            }
            self._summarized_at = now

    def _team_to_act(self, session: GameSession) -> int:
        """Return the team whose call or die is pending; unchanged while coaches play."""
        pending = session.pending_input()
        if isinstance(pending, PendingCall | PendingDie):
            return pending.team
        return NOBODY if session.is_over else self.row.asked

    def _publish(self) -> None:
        self.page_version += 1
        self.published_count = 0 if self.session is None else len(self.session.feed.events)
        self._views, self._feed_cache = {}, {}
        self.wake_listeners()

    def wake_listeners(self) -> None:
        for listener in self.listeners:
            listener.set()

    @contextmanager
    def subscribe(self, listener: asyncio.Event | None = None) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever the table changes; a given one serves many tables."""
        listener = listener or asyncio.Event()
        self.listeners.add(listener)
        try:
            yield listener
        finally:
            self.listeners.discard(listener)

    # --- The game -----------------------------------------------------------------------------

    def open_seats(self) -> list[int]:
        """Return the teams whose human seats are free."""
        return [team for team, seat in sorted(self.seats.items()) if not seat.holder]

    def teams_without_seed(self) -> list[int]:
        """Return the teams whose players have not given a client seed yet."""
        return [team for team, seat in sorted(self.seats.items()) if seat.word is None]

    @property
    def is_ready(self) -> bool:
        """Return whether the game can start: every player has given a client seed."""
        return (
            self.row.stage == NOT_STARTED and self.session is None and not self.teams_without_seed()
        )

    async def start_game(self) -> None:
        """Start the game if it waits for no player, as in a game between coaches."""
        if self.is_ready:
            await self.apply_change(self._start_game)

    async def _start_game(self) -> None:
        if not self.is_ready:
            return
        seeds = tuple(
            self.seats[team].word or "" if team in self.seats else "" for team in range(2)
        )
        seed_pair = None if self.dice_are_typed else (seeds[0], seeds[1])
        header = replace(self.header, client_seeds=seed_pair)
        game = await asyncio.to_thread(self._new_game, header)
        self._attach_session(session := GameSession(header, game), "", 0)
        self._persist(header.to_json())
        for team in self.open_seats():  # whose player has left the league
            self._to_coach(session, team)
        await self._commit(Change(self.id, columns={"stage": PLAYING}))

    def _new_game(self, header: Header) -> Game:
        with self.services.files.allowed(self.header.options):
            return header.new_game()

    def _to_coach(self, session: GameSession, team: int) -> None:
        """Give a player's seat to the coach of the team."""
        if session.seats[team] == HUMAN and not session.is_over:
            session.take_seat(team, self.row.settings["coaches"][TEAMS[team]])

    async def advance(self, play: Callable[[GameSession], Awaitable[bool]]) -> bool:
        """Advance the game by itself and commit; return whether it advanced."""

        async def apply() -> bool:
            if self.session is None:
                return False
            try:
                return await play(self.session)
            finally:
                if self._pending_lines:
                    await self._commit()

        return await self.apply_change(apply)

    # --- Presence -------------------------------------------------------------------------------

    def _mark_present(self, team: int) -> None:
        """Record that a player is present; tell other servers from time to time."""
        self.last_seen[team] = self.last_viewed
        if (
            self.last_viewed - self._presence_written.get(team, -math.inf)
            > self.services.limits.absent / PRESENCE_UPDATES
        ):
            self._presence_written[team] = self.last_viewed
            wall = self.stored_presence[team] = self.services.clock.wall()
            self.write_in_background(Change(self.id, seen={team: wall}))

    def write_in_background(self, change: Change) -> None:
        """Write a change in the background; losing it does no harm."""
        self.services.write_batcher.put(change).add_done_callback(shared_tasks.mark_retrieved)

    def observe_presence(self, stored: Mapping[int, float]) -> None:
        """Record the players that other servers have seen since the last query.

        The values are wall-clock times of other machines: only that they differ means something.
        """
        for team, value in stored.items():
            if value != self.stored_presence.get(team):
                self.stored_presence[team] = value
                self.last_seen[team] = self.services.clock.monotonic()


def _join(lines: list[str]) -> bytes:
    return "".join(lines).encode(errors="surrogatepass")
