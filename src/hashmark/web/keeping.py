"""Persistence of a table: log lines reach the disk before anyone sees them; memory is only a cache.

Every change runs under the table's lock: it is played, its lines are committed, and only then is it
published. If the commit fails, the table is rebuilt from the committed lines, so the change never
happened. If another server committed first, the database reports a version conflict; the table is
then reloaded and the change is retried on top of it.
"""

from __future__ import annotations

import asyncio
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.header import read_line
from hashmark.table.record import NOBODY
from hashmark.table.sitting import Sitting
from hashmark.table.wanted import CallWanted, DieWanted
from hashmark.telling.report import scoreboard
from hashmark.web import tasks
from hashmark.web.journal import NotKept
from hashmark.web.store import OVER, PLAYING, Change, Found, Gone, Kept, Overtaken, Seat, Standing

if TYPE_CHECKING:
    from hashmark.web.hall import Hall

SUMMARY_INTERVAL_SECONDS = 5.0  # between two updates of the summary in the row
PRESENCE_UPDATES = 6  # presence updates per abandonment timeout
TRIES = 20  # attempts to commit against other servers
Result = TypeVar("Result")


class Keeping(ABC):
    """The persistent part of a table."""

    def __init__(self, app_state: Hall, kept: Kept, seats: list[Seat]) -> None:
        self.hall, self.kept = app_state, kept
        self.seats = {seat.team: seat for seat in seats}
        self.header = read_line(Path(kept.id), kept.header)
        self.sitting: Sitting | None = None
        self.lock = asyncio.Lock()
        self.told = 0  # number of feed events that are committed and may be shown
        self.version = 0  # increases with everything that a page shows
        self.listeners: set[asyncio.Event] = set()
        self.last_seen = dict.fromkeys(range(2), time.monotonic())  # monotonic time, by team
        self.looked = time.monotonic()
        self._chain, self._count = "", 0
        self._pending: list[str] = []
        self._summarized_at = 0.0
        self._is_torn = False  # memory differs from the database
        self._catch_up_task: asyncio.Task[None] | None = None
        self._presence_written: dict[int, float] = {}
        self._merge_last_seen({seat.team: seat.seen for seat in seats if seat.seen is not None})
        self._views: dict[int, tuple[int, Game]] = {}
        self._heard: dict[tuple[int, int], list[dict[str, Any]]] = {}

    @property
    def id(self) -> str:
        return self.kept.id

    @property
    def is_over(self) -> bool:
        return self.sitting is not None and self.sitting.is_over

    @property
    def league(self) -> str:
        """Return the ID of the table's league or ""; a league game ends by its date, not by a
        player.
        """
        return str(self.kept.settings.get("league", ""))

    @property
    def dice_are_typed(self) -> bool:
        return self.header.dice == "typed"

    @abstractmethod
    def go_on(self) -> None:
        """Start autoplay in the background if it is due."""

    @abstractmethod
    def lease(self) -> float:
        """Return the expiry time of a lease taken now."""

    # --- Loading and committing ------------------------------------------------------------

    async def sit_again(self, lines: list[str]) -> None:
        """Rebuild the game from its log lines, on a thread because it may take long."""
        await asyncio.to_thread(self._rebuild, lines)

    def _rebuild(self, lines: list[str]) -> None:
        self._pending = []
        self._views, self._heard = {}, {}
        if not lines:
            self.sitting, self._chain, self._count, self.told = None, "", 0, 0
            return
        with self.hall.looking_for_files(self.header.options):
            session, read = Sitting.take_up_bytes(_join(lines), self._log_name)
        self._sit_down(session, read.chain, len(lines))

    @property
    def _log_name(self) -> str:
        return f"table-{self.id}.log"

    async def take_up(self) -> None:
        """Reload the table from the database, discarding what is in memory."""
        self._is_torn = True
        await asyncio.to_thread(self._reload)
        self._publish()

    def _reload(self) -> None:
        snapshot = self._load_snapshot(0)
        self._rebuild(snapshot.lines)
        self._apply_snapshot(snapshot)
        self._is_torn = False

    def _read_new_lines(self) -> None:
        """Read what other servers have committed since; only new lines if the rest is in memory."""
        snapshot = self._load_snapshot(self._count)
        if self.sitting is None or not snapshot.lines:
            if snapshot.lines:
                self._rebuild(snapshot.lines)
        else:
            self._is_torn = True
            place = log.Place(Path(self._log_name), self._count, self._chain)
            with self.hall.looking_for_files(self.header.options):
                chain = self.sitting.follow(_join(snapshot.lines), place)
            self._sit_down(self.sitting, chain, self._count + len(snapshot.lines))
            self._is_torn = False
        self._apply_snapshot(snapshot)

    def _load_snapshot(self, after: int) -> Found:
        snapshot = self.hall.store.found(self.id, after)
        if snapshot is None:
            raise Gone("there is no such table any more")
        return snapshot

    def _apply_snapshot(self, snapshot: Found) -> None:
        """Take over everything of a snapshot except the game."""
        self.kept = snapshot.kept
        self.seats = {seat.team: seat for seat in snapshot.seats}
        self._merge_last_seen(
            {seat.team: seat.seen for seat in snapshot.seats if seat.seen is not None}
        )

    async def compare(self, standing: Standing, known: int) -> None:
        """Catch up with the database if another server has changed the table.

        `known` is the version that was in memory when the database was queried.
        """
        self._merge_last_seen(standing.seen)
        while not self.is_as(standing, known):
            known = -1
            if self._catch_up_task is None or self._catch_up_task.done():
                self._catch_up_task = tasks.together(self._catch_up())
            await asyncio.shield(self._catch_up_task)

    def is_as(self, standing: Standing, known: int) -> bool:
        """Return whether the in-memory copy is at least as new as the database.

        A database version below the one known before means that a backup was restored: the database
        is right.
        """
        if self._is_torn or self.kept.version < standing.version or known > standing.version:
            return False
        if self.kept.version == standing.version:
            self.kept.lease = standing.lease
        return True

    async def _catch_up(self) -> None:
        async with self.lock:
            standing = await self.hall.sharing.standing(self)
            behind = standing.version - self.kept.version
            if self._is_torn or behind < 0:
                await self.take_up()
            elif behind:
                try:
                    await asyncio.to_thread(self._read_new_lines)
                except HashmarkError:
                    await self.take_up()
                self._publish()
        self.go_on()

    def _sit_down(self, session: Sitting, chain: str, count: int) -> None:
        session.keep = self._keep
        self.sitting, self.header = session, session.header
        self._chain, self._count = chain, count
        self.told = len(session.stream.entries)

    def _keep(self, line: Mapping[str, Any]) -> None:
        """Queue a log line; it is written before the lock is released."""
        text, self._chain = log.sealed(self._chain, line)
        self._pending.append(text)

    async def _commit(self, change: Change | None = None) -> None:
        """Write what was played, then publish it; if the write fails, it never happened."""
        change = change or Change(self.id)
        change.first, change.lines = self._count + 1, self._pending
        self._pending = []
        self._add_summary(change)
        if not change.is_empty:
            change.version, change.writer = self.kept.version, self.hall.sharing.me
            change.lease = self.lease()
            try:
                await self.hall.journal.put(change)
            except BaseException as error:
                if isinstance(error, Overtaken):
                    self.hall.metrics.conflicts.inc()
                await self.take_up()
                raise
            self.kept.version += 1
            self.kept.writer, self.kept.lease = change.writer, change.lease
        self._count += len(change.lines)
        for key, value in change.row.items():
            setattr(self.kept, key, value)
        self._publish()
        if self.league and change.row.get("stage") == OVER:
            self.hall.leagues.wake()

    async def change(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Run an operation that changes the table under its lock.

        If another server committed first, the operation is retried on top of that if it is still
        valid.
        """
        for _ in range(TRIES):
            async with self.lock:
                if self._is_torn:
                    await self.take_up()
                try:
                    return await work()
                except Overtaken:
                    continue
        raise NotKept("too much happens at this table just now: try again")

    def _add_summary(self, change: Change) -> None:
        """Add the summary of the game to a change: from time to time, and when the game ends."""
        now = time.time()
        session = self.sitting
        if session is None:
            return
        if session.is_over and self.kept.stage == PLAYING:
            change.row["stage"] = OVER
        elif not session.is_over and self.kept.stage == OVER:
            change.row["stage"] = PLAYING  # the last call was undone
        team = self._team_to_act(session)
        if team != self.kept.asked:
            change.row |= {"asked": team, "asked_at": now}
        if change.row or (change.lines and now - self._summarized_at > SUMMARY_INTERVAL_SECONDS):
            change.row |= {
                "touched": now,
                "said": " ".join(scoreboard(session.game).split()),
                "score": "{}-{}".format(*session.game.position.score),
            }
            self._summarized_at = now

    def _team_to_act(self, session: Sitting) -> int:
        """Return the team whose call or die is pending; unchanged while coaches play."""
        pending = session.wanted()
        if isinstance(pending, CallWanted | DieWanted):
            return pending.team
        return NOBODY if session.is_over else self.kept.asked

    def _publish(self) -> None:
        self.version += 1
        self.told = 0 if self.sitting is None else len(self.sitting.stream.entries)
        self._views, self._heard = {}, {}
        for listener in self.listeners:
            listener.set()

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever the table changes."""
        listener = asyncio.Event()
        self.listeners.add(listener)
        try:
            yield listener
        finally:
            self.listeners.discard(listener)

    # --- Presence -------------------------------------------------------------------------------

    def _is_here(self, team: int) -> None:
        """Record that a player is present; tell other servers from time to time."""
        self.last_seen[team] = self.looked
        if (
            self.looked - self._presence_written.get(team, -math.inf)
            > self.hall.limits.absent / PRESENCE_UPDATES
        ):
            self._presence_written[team] = self.looked
            self.note(Change(self.id, seen={team: time.time()}))

    def note(self, change: Change) -> None:
        """Write a change in the background; losing it does no harm."""
        self.hall.journal.put(change).add_done_callback(tasks.whatever_came_of_it)

    def _merge_last_seen(self, seen: Mapping[int, float]) -> None:
        """Merge the players that other servers have seen; `seen` holds wall-clock times."""
        for team, seen_at in seen.items():
            age = max(0.0, time.time() - seen_at)
            self.last_seen[team] = max(self.last_seen[team], time.monotonic() - age)


def _join(lines: list[str]) -> bytes:
    return "".join(lines).encode(errors="surrogatepass")
