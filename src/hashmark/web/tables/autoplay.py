"""Autoplay: coaches, dice and windows that advance a table without a player.

Coaches decide outside the table's lock; the session drops a decision for a moment that has passed.
If several servers share a database, the server that changed the table last advances it while its
lease lasts; every change renews the lease. After it expires (see `leases`), another server takes
over if someone watches the table there. If two servers advance a table at once, the database
accepts one of them.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from contextlib import suppress

from hashmark.engine.coach_requests import CoachRequest
from hashmark.engine.rule_set import MAX_GAME_STEPS
from hashmark.session.game_session import GameSession
from hashmark.web.clock import Timer
from hashmark.web.db.connection import TRANSIENT_ERRORS
from hashmark.web.leases import RELEASED, new_lease
from hashmark.web.tables.coach_pool import Decision
from hashmark.web.tables.persistence import StoredTable
from hashmark.web.tables.table_store import PLAYING, Change

UNWATCHED_SECONDS = 60.0  # games between coaches pause when nobody has watched for this long
MAX_BURST_SECONDS = 0.03  # longest autoplay before a commit
RETRY_SECONDS = 1.0  # delay after a failed write
TAKEOVER_JITTER_SECONDS = 0.3  # spreads servers that wait for the same lease

logger = logging.getLogger("hashmark.web")


class Autoplay:
    """Advances one table without a player."""

    def __init__(self, table: StoredTable) -> None:
        self.table, self.clock = table, table.services.clock
        self.task: asyncio.Task[None] | None = None
        self._timer: Timer | None = None

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    def stop(self) -> asyncio.Task[None] | None:
        """Stop; return the task that is still ending, if any."""
        if self._timer is not None:
            self._timer.cancel()
        if self.task is not None:
            self.task.cancel()
        return self.task

    def resume(self) -> None:
        """Start advancing if something is due and this server holds the lease."""
        table = self.table
        if self.is_busy or table.services.closing.is_set() or not self._can_advance():
            return
        if not self._is_leased_elsewhere():
            self.task = asyncio.get_running_loop().create_task(self._run())
        elif self._timer is None:
            delay = table.lease.seconds_left(table.lease_seconds)
            delay += random.uniform(0.0, TAKEOVER_JITTER_SECONDS)
            self._timer = self.clock.call_later(delay, self._on_lease_expired)

    def _can_advance(self) -> bool:
        """Return whether the table can advance without a player."""
        table = self.table
        if table.is_ready:
            return True
        if (
            table.session is None
            or table.is_over
            or table.row.stage != PLAYING
            or table.is_played_out_elsewhere
        ):
            return False
        return table.lock.locked() or table.session.pending_input() is None

    def _is_leased_elsewhere(self) -> bool:
        """Return whether another server holds the lease, as far as this one knows."""
        table = self.table
        if table.row.lease == RELEASED or table.row.writer in ("", table.services.server_id):
            return False
        return not table.lease.is_expired(table.lease_seconds)

    def _on_lease_expired(self) -> None:
        """Query the lease again, which may have expired, if the table is being watched."""
        self._timer = None
        table = self.table
        if table.listeners or self.clock.monotonic() - table.last_viewed < UNWATCHED_SECONDS:
            self.task = asyncio.get_running_loop().create_task(self._take_over())

    async def _take_over(self) -> None:
        try:
            await self.table.catch_up()
        except TRANSIENT_ERRORS as error:
            await self._back_off(error)
        asyncio.get_running_loop().call_soon(self.resume)

    async def _back_off(self, error: Exception) -> None:
        logger.warning("table delayed: %s", str(error).partition("\n")[0])
        await self.clock.sleep(RETRY_SECONDS)

    async def _run(self) -> None:
        try:
            await self.table.start_game()
            while await self._advance():
                pass
        except TRANSIENT_ERRORS as error:
            await self._back_off(error)
            asyncio.get_running_loop().call_soon(self.resume)
        if self._is_leased_elsewhere():
            asyncio.get_running_loop().call_soon(self.resume)

    async def _advance(self) -> bool:
        """Advance the table for a moment; return whether it advanced."""
        slow_request: CoachRequest | None = None

        async def play(session: GameSession) -> bool:
            nonlocal slow_request
            if not self._may_advance(session):
                return False
            slow_request = session.coach_request()
            if slow_request is not None and not self.table.services.coach_pool.is_quick(
                slow_request
            ):
                return True
            slow_request = None
            return await self.table.services.coach_pool.run_burst(lambda: self._burst(session))

        if not await self.table.advance(play):
            return False
        if slow_request is not None:
            call, drawn = await self._decide(slow_request)
            request = slow_request

            async def say(session: GameSession) -> bool:
                return bool(session.apply_coach_call(request, call, drawn))

            await self.table.advance(say)
        await self._pause_between_plays()
        return True

    def _may_advance(self, session: GameSession) -> bool:
        """Return whether this server may advance the game now."""
        table = self.table
        if (
            session.is_over
            or len(session.game.turns) > MAX_GAME_STEPS
            or table.is_played_out_elsewhere
        ):
            return False
        is_unwatched = self.clock.monotonic() - table.last_viewed > UNWATCHED_SECONDS
        if not session.human_teams and is_unwatched:
            return False
        if session.pending_input() is not None:  # a player must act: no thread is needed
            return False
        return table.row.stage == PLAYING and not self._is_leased_elsewhere()

    async def _decide(self, request: CoachRequest) -> Decision:
        """Return a coach's decision; renew the lease while it is thinking."""
        table = self.table
        decision = asyncio.ensure_future(table.services.coach_pool.decide(request))
        try:
            while not decision.done():
                with suppress(TimeoutError):
                    await self.clock.wait_for(asyncio.shield(decision), table.lease_seconds / 2)
                if not decision.done():
                    server_id = table.services.server_id
                    table.write_in_background(Change(table.id, writer=server_id, lease=new_lease()))
            return decision.result()
        finally:
            decision.cancel()

    def _burst(self, session: GameSession) -> bool:
        """Resolve dice, passing windows and quick coaches, on a worker thread."""
        deadline, has_advanced = time.perf_counter() + MAX_BURST_SECONDS, False
        game, coaches = session.game, self.table.services.coach_pool
        while time.perf_counter() < deadline:
            request = session.coach_request()
            if request is None:
                advanced = session.advance()
            elif coaches.is_quick(request):
                advanced = session.apply_coach_call(request, *coaches.decide_timed(request))
            else:
                break
            if not advanced:
                break
            has_advanced = True
            if not session.human_teams and game.rules.begins_play(game.match, game.position):
                break
        return has_advanced

    async def _pause_between_plays(self) -> None:
        """Pause between plays of a game without players, so that spectators can follow."""
        session = self.table.session
        if session is None or session.human_teams:
            return
        if session.game.rules.begins_play(session.game.match, session.game.position):
            await self.clock.sleep(self.table.pace_seconds)
