"""A table as it is kept: its lines reach the disk before anybody hears of them, and whatever else
is in memory is no more than a copy.

Everything that changes a table goes through its lock: it is played, its lines are on the disk, and
only then is it told to anybody. If the lines cannot be kept, the table is made again from those
that were, so nothing has happened. Where another server was quicker, the database says so: then the
table is made again, and what was to be done is tried on top of that.
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

TOUCH = 5.0  # seconds between two notes that a table is being played
NOTES = 6  # notes that a player is there, in the time after which his seat counts as abandoned
TRIES = 20  # at a table at which other servers are quicker again and again
Made = TypeVar("Made")


class Keeping(ABC):
    """The part of a table that is kept, and how."""

    def __init__(self, hall: Hall, kept: Kept, seats: list[Seat]) -> None:
        self.hall, self.kept = hall, kept
        self.seats = {seat.team: seat for seat in seats}
        self.header = read_line(Path(kept.id), kept.header)
        self.sitting: Sitting | None = None
        self.lock = asyncio.Lock()
        self.told = 0  # happenings that are kept, and may be shown
        self.version = 0  # rises with everything that a page shows
        self.listeners: set[asyncio.Event] = set()
        self.last_seen = dict.fromkeys(range(2), time.monotonic())  # each team's player
        self.looked = time.monotonic()
        self._chain, self._count = "", 0
        self._pending: list[str] = []
        self._touched = 0.0
        self._is_torn = False  # what is in memory is not what is kept
        self._catching_up: asyncio.Task[None] | None = None
        self._noted: dict[int, float] = {}
        self._note_seen({one.team: one.seen for one in seats if one.seen is not None})
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
        """The league that it belongs to, if any: there a date ends a game, and no player does."""
        return str(self.kept.settings.get("league", ""))

    @property
    def dice_are_typed(self) -> bool:
        return self.header.dice == "typed"

    @abstractmethod
    def go_on(self) -> None:
        """Let coaches and dice go on, if they are to, beside whatever else is done."""

    @abstractmethod
    def lease(self) -> float:
        """Until when this server is the one to go on, if it changes the table now."""

    # --- Making it, and making it again ----------------------------------------------------

    async def sit_again(self, lines: list[str]) -> None:
        """The game as these lines say it; off the loop, since it may be long."""
        await asyncio.to_thread(self._sit_again, lines)

    def _sit_again(self, lines: list[str]) -> None:
        self._pending = []
        self._views, self._heard = {}, {}
        if not lines:
            self.sitting, self._chain, self._count, self.told = None, "", 0, 0
            return
        with self.hall.looking_for_files(self.header.options):
            sitting, read = Sitting.take_up_bytes(_joined(lines), self._log_name)
        self._sit_down(sitting, read.chain, len(lines))

    @property
    def _log_name(self) -> str:
        return f"table-{self.id}.log"

    async def take_up(self) -> None:
        """The table as it is kept, whatever is in memory."""
        self._is_torn = True
        await asyncio.to_thread(self._take_up)
        self._publish()

    def _take_up(self) -> None:
        found = self._found(0)
        self._sit_again(found.lines)
        self._take_on(found)
        self._is_torn = False

    def _read_on(self) -> None:
        """What other servers have kept since; only that, where the rest is at hand."""
        found = self._found(self._count)
        if self.sitting is None or not found.lines:
            if found.lines:
                self._sit_again(found.lines)
        else:
            self._is_torn = True
            place = log.Place(Path(self._log_name), self._count, self._chain)
            with self.hall.looking_for_files(self.header.options):
                chain = self.sitting.follow(_joined(found.lines), place)
            self._sit_down(self.sitting, chain, self._count + len(found.lines))
            self._is_torn = False
        self._take_on(found)

    def _found(self, after: int) -> Found:
        found = self.hall.store.found(self.id, after)
        if found is None:
            raise Gone("there is no such table any more")
        return found

    def _take_on(self, found: Found) -> None:
        """All of it but the game."""
        self.kept = found.kept
        self.seats = {seat.team: seat for seat in found.seats}
        self._note_seen({one.team: one.seen for one in found.seats if one.seen is not None})

    async def compare(self, standing: Standing, known: int) -> None:
        """Be as the database says that the table is, if another server has changed it.

        What is known is the version that was in memory when the database was asked.
        """
        self._note_seen(standing.seen)
        while not self.is_as(standing, known):
            known = -1
            if self._catching_up is None or self._catching_up.done():
                self._catching_up = tasks.together(self._catch_up())
            await asyncio.shield(self._catching_up)

    def is_as(self, standing: Standing, known: int) -> bool:
        """Whether nothing has happened elsewhere that is not known here.

        A version that is lower than the one known before is that of another past, as after a
        backup was put in place: what is kept counts.
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
                    await asyncio.to_thread(self._read_on)
                except HashmarkError:
                    await self.take_up()
                self._publish()
        self.go_on()

    def _sit_down(self, sitting: Sitting, chain: str, count: int) -> None:
        sitting.keep = self._keep
        self.sitting, self.header = sitting, sitting.header
        self._chain, self._count = chain, count
        self.told = len(sitting.stream.entries)

    def _keep(self, line: Mapping[str, Any]) -> None:
        """Note a line; it is written before the lock is let go."""
        text, self._chain = log.sealed(self._chain, line)
        self._pending.append(text)

    async def _commit(self, change: Change | None = None) -> None:
        """Let what was played reach the disk, then tell it; if it cannot, it never was."""
        change = change or Change(self.id)
        change.first, change.lines = self._count + 1, self._pending
        self._pending = []
        self._touch(change)
        if not change.is_empty:
            change.version, change.writer = self.kept.version, self.hall.sharing.me
            change.lease = self.lease()
            try:
                await self.hall.journal.put(change)
            except BaseException as fault:
                if isinstance(fault, Overtaken):
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

    async def change(self, work: Callable[[], Awaitable[Made]]) -> Made:
        """Do something that changes the table, under its lock.

        If another server was quicker, it is done on top of that, if it still can be.
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

    def _touch(self, change: Change) -> None:
        """Note now and then how the game stands, and at once when it is over."""
        now = time.time()
        sitting = self.sitting
        if sitting is None:
            return
        if sitting.is_over and self.kept.stage == PLAYING:
            change.row["stage"] = OVER
        elif not sitting.is_over and self.kept.stage == OVER:
            change.row["stage"] = PLAYING  # the end was taken back
        asked = self._asked(sitting)
        if asked != self.kept.asked:
            change.row |= {"asked": asked, "asked_at": now}
        if change.row or (change.lines and now - self._touched > TOUCH):
            change.row |= {
                "touched": now,
                "said": " ".join(scoreboard(sitting.game).split()),
                "score": "{}-{}".format(*sitting.game.position.score),
            }
            self._touched = now

    def _asked(self, sitting: Sitting) -> int:
        """Whose call or die is wanted; while coaches are at it, as it was before."""
        wanted = sitting.wanted()
        if isinstance(wanted, CallWanted | DieWanted):
            return wanted.team
        return NOBODY if sitting.is_over else self.kept.asked

    def _publish(self) -> None:
        self.version += 1
        self.told = 0 if self.sitting is None else len(self.sitting.stream.entries)
        self._views, self._heard = {}, {}
        for listener in self.listeners:
            listener.set()

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever something has happened."""
        listener = asyncio.Event()
        self.listeners.add(listener)
        try:
            yield listener
        finally:
            self.listeners.discard(listener)

    # --- Who is there ---------------------------------------------------------------------------

    def _is_here(self, team: int) -> None:
        """Note that a player is there, and now and then let other servers know."""
        self.last_seen[team] = self.looked
        if self.looked - self._noted.get(team, -math.inf) > self.hall.limits.absent / NOTES:
            self._noted[team] = self.looked
            self.note(Change(self.id, seen={team: time.time()}))

    def note(self, change: Change) -> None:
        """Keep something that nobody waits for, and that may be lost."""
        self.hall.journal.put(change).add_done_callback(tasks.whatever_came_of_it)

    def _note_seen(self, seen: Mapping[int, float]) -> None:
        """Players that other servers have seen, by the clock on the wall."""
        for team, when in seen.items():
            ago = max(0.0, time.time() - when)
            self.last_seen[team] = max(self.last_seen[team], time.monotonic() - ago)


def _joined(lines: list[str]) -> bytes:
    return "".join(lines).encode(errors="surrogatepass")
