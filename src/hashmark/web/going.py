"""Autoplay: coaches, dice and windows that advance a table without a player.

Coaches decide outside the table's lock; the session drops a decision for a moment that has passed.
If several servers share a database, the server that changed the table last advances it while its
lease lasts; every change renews the lease. After it expires, another server takes over if someone
watches the table there. If two servers advance a table at once, the database accepts one of them.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from typing import TYPE_CHECKING

from hashmark.table.rules import LONGEST_GAME
from hashmark.table.sitting import Sitting
from hashmark.table.thinking import Thought
from hashmark.web.database import PASSING
from hashmark.web.store import PLAYING, Change

if TYPE_CHECKING:
    from hashmark.web.tables import Table

UNWATCHED_SECONDS = 60.0  # games between coaches pause when nobody has watched for this long
MAX_BURST_SECONDS = 0.03  # longest autoplay before a commit
RETRY_SECONDS = 1.0  # delay after a failed write
LEASE = 3.0  # seconds after a change during which only its server advances the table
TAKEOVER_JITTER_SECONDS = 0.3  # spreads servers that wait for the same lease

logger = logging.getLogger("hashmark.web")


class Going:
    """Advances one table without a player."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    @property
    def pace(self) -> float:
        """Return the seconds between two plays of a game between coaches."""
        table = self.table
        if table.sitting is not None and table.sitting.persons:
            return 0.0
        return float(table.kept.settings.get("pace", table.hall.limits.pace))

    def lease(self) -> float:
        """Return the expiry time of a lease taken now."""
        return time.time() + LEASE + self.pace

    def stop(self) -> asyncio.Task[None] | None:
        """Stop; return the task that is still ending, if any."""
        if self._timer is not None:
            self._timer.cancel()
        if self.task is not None:
            self.task.cancel()
        return self.task

    def go_on(self) -> None:
        """Start advancing if something is due and this server holds the lease."""
        table = self.table
        if self.is_busy or table.hall.closing.is_set() or not self._can_advance():
            return
        delay = self._turn_of_others()
        loop = asyncio.get_running_loop()
        if not delay:
            self.task = loop.create_task(self._run())
        elif self._timer is None:
            delay += random.uniform(0.0, TAKEOVER_JITTER_SECONDS)
            self._timer = loop.call_later(delay, self._on_lease_expired)

    def _can_advance(self) -> bool:
        """Return whether the table can advance without a player."""
        table = self.table
        if table.is_ready:
            return True
        if table.sitting is None or table.is_over or table.kept.stage != PLAYING or table.left:
            return False
        return table.lock.locked() or table.sitting.wanted() is None

    def _turn_of_others(self) -> float:
        """Return the seconds left of another server's lease, bounded because clocks may differ."""
        row = self.table.kept
        if row.writer in ("", self.table.hall.sharing.me):
            return 0.0
        return min(max(0.0, row.lease - time.time()), LEASE + self.pace)

    def _on_lease_expired(self) -> None:
        """Take over after the lease has expired if the table is being watched."""
        self._timer = None
        table = self.table
        if table.listeners or time.monotonic() - table.looked < UNWATCHED_SECONDS:
            self.task = asyncio.get_running_loop().create_task(self._take_over())

    async def _take_over(self) -> None:
        try:
            await self.table.hall.sharing.fresh(self.table)
        except PASSING as error:
            await self._back_off(error)
        asyncio.get_running_loop().call_soon(self.go_on)

    async def _back_off(self, error: Exception) -> None:
        logger.warning("a table has to wait: %s", str(error).partition("\n")[0])
        await asyncio.sleep(RETRY_SECONDS)

    async def _run(self) -> None:
        try:
            if self.table.is_ready:
                await self.table.begin()
            while await self._advance():
                pass
        except PASSING as error:
            await self._back_off(error)
            asyncio.get_running_loop().call_soon(self.go_on)
        if self._turn_of_others():
            asyncio.get_running_loop().call_soon(self.go_on)

    async def _advance(self) -> bool:
        """Advance the table for a moment; return whether it advanced."""
        slow_request: Thought | None = None

        async def play(session: Sitting) -> bool:
            nonlocal slow_request
            if not self._may_advance(session):
                return False
            slow_request = session.to_think()
            if slow_request is not None and not self.table.hall.thinkers.is_quick(slow_request):
                return True
            slow_request = None
            return await self.table.hall.thinkers.run(lambda: self._burst(session))

        if not await self.table.proceed(play):
            return False
        if slow_request is not None:
            call, drawn = await self._decide(slow_request)
            request = slow_request

            async def say(session: Sitting) -> bool:
                return bool(session.coach_calls(request, call, drawn))

            await self.table.proceed(say)
        await self._pause_between_plays()
        return True

    def _may_advance(self, session: Sitting) -> bool:
        """Return whether this server may advance the game now."""
        table = self.table
        if session.is_over or len(session.game.turns) > LONGEST_GAME or table.left:
            return False
        if not session.persons and time.monotonic() - table.looked > UNWATCHED_SECONDS:
            return False
        if session.wanted() is not None:  # a player must act: no thread is needed
            return False
        return table.kept.stage == PLAYING and not self._turn_of_others()

    async def _decide(self, request: Thought) -> tuple[str, int]:
        """Return a coach's decision; renew the lease while it is thinking."""
        table = self.table
        decision = asyncio.ensure_future(table.hall.thinkers.decide(request))
        try:
            while not decision.done():
                await asyncio.wait({decision}, timeout=LEASE / 2)
                if not decision.done():
                    table.note(Change(table.id, row={"lease": self.lease()}))
            return decision.result()
        finally:
            decision.cancel()

    def _burst(self, session: Sitting) -> bool:
        """Resolve dice, passing windows and quick coaches, on a worker thread."""
        deadline, has_advanced = time.monotonic() + MAX_BURST_SECONDS, False
        game, coaches = session.game, self.table.hall.thinkers
        while time.monotonic() < deadline:
            request = session.to_think()
            if request is None:
                advanced = session.proceed()
            elif coaches.is_quick(request):
                advanced = session.coach_calls(request, *coaches.timed(request))
            else:
                break
            if not advanced:
                break
            has_advanced = True
            if not session.persons and game.rules.begins_play(game.match, game.position):
                break
        return has_advanced

    async def _pause_between_plays(self) -> None:
        """Pause between plays of a game without players, so that spectators can follow."""
        session = self.table.sitting
        if session is None or session.persons:
            return
        if session.game.rules.begins_play(session.game.match, session.game.position):
            await asyncio.sleep(self.pace)
