"""What goes on at a table by itself: coaches, dice, windows that pass.

Coaches think outside of the table's lock; what they say of a moment that has passed is dropped by
the sitting. Of several servers the one that has changed the table last goes on with it, as long as
its lease lasts, which every change makes longer. When it has run out another one does, if somebody
looks at the table there. Should two do it at once, the database lets one of them through.
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

IDLE = 60.0  # seconds without a look after which coaches among themselves rest
BURST = 0.03  # seconds that a table may go on by itself before what happened is kept and told
AGAIN = 1.0  # seconds until a coach's call that could not be kept is tried again
LEASE = 3.0  # seconds after a change in which only the server that made it goes on
APART = 0.3  # seconds within which servers that wait for the same moment come one by one

logger = logging.getLogger("hashmark.web")


class Going:
    """Lets one table go on."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.task: asyncio.Task[None] | None = None
        self._later: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    @property
    def pace(self) -> float:
        """Seconds between two plays that nobody at the table calls."""
        table = self.table
        if table.sitting is not None and table.sitting.persons:
            return 0.0
        return float(table.kept.settings.get("pace", table.hall.limits.pace))

    def lease(self) -> float:
        """Until when this server is the one to go on, if it changes the table now."""
        return time.time() + LEASE + self.pace

    def stop(self) -> asyncio.Task[None] | None:
        """Nothing goes on any more; what is still to end."""
        if self._later is not None:
            self._later.cancel()
        if self.task is not None:
            self.task.cancel()
        return self.task

    def go_on(self) -> None:
        """Go on, if there is anything to do, and it is for us to do it."""
        table = self.table
        if self.is_busy or table.hall.closing.is_set() or not self._has_to():
            return
        wait = self._turn_of_others()
        loop = asyncio.get_running_loop()
        if not wait:
            self.task = loop.create_task(self._run())
        elif self._later is None:
            wait += random.uniform(0.0, APART)
            self._later = loop.call_later(wait, self._look_again)

    def _has_to(self) -> bool:
        """Whether something is to happen for which nobody has to be waited for."""
        table = self.table
        if table.is_ready:
            return True
        if table.sitting is None or table.is_over or table.kept.stage != PLAYING or table.left:
            return False
        return table.lock.locked() or table.sitting.wanted() is None

    def _turn_of_others(self) -> float:
        """Seconds for which another server is the one to go on; clocks may differ."""
        kept = self.table.kept
        if kept.writer in ("", self.table.hall.sharing.me):
            return 0.0
        return min(max(0.0, kept.lease - time.time()), LEASE + self.pace)

    def _look_again(self) -> None:
        """The lease has run out, unless it was made longer: for whoever looks on, find out."""
        self._later = None
        table = self.table
        if table.listeners or time.monotonic() - table.looked < IDLE:
            self.task = asyncio.get_running_loop().create_task(self._take_over())

    async def _take_over(self) -> None:
        try:
            await self.table.hall.sharing.fresh(self.table)
        except PASSING as fault:
            await self._wait_after(fault)
        asyncio.get_running_loop().call_soon(self.go_on)

    async def _wait_after(self, fault: Exception) -> None:
        logger.warning("a table has to wait: %s", str(fault).partition("\n")[0])
        await asyncio.sleep(AGAIN)

    async def _run(self) -> None:
        try:
            if self.table.is_ready:
                await self.table.begin()
            while await self._go_on():
                pass
        except PASSING as fault:
            await self._wait_after(fault)
            asyncio.get_running_loop().call_soon(self.go_on)
        if self._turn_of_others():
            asyncio.get_running_loop().call_soon(self.go_on)

    async def _go_on(self) -> bool:
        """What no person is needed for, for a moment; whether there was anything."""
        thought: Thought | None = None

        async def play(sitting: Sitting) -> bool:
            nonlocal thought
            if not self._may(sitting):
                return False
            thought = sitting.to_think()
            if thought is not None and not self.table.hall.thinkers.is_quick(thought):
                return True
            thought = None
            return await self.table.hall.thinkers.run(lambda: self._burst(sitting))

        if not await self.table.proceed(play):
            return False
        if thought is not None:
            call, drawn = await self._decided(thought)
            said = thought

            async def say(sitting: Sitting) -> bool:
                return bool(sitting.coach_calls(said, call, drawn))

            await self.table.proceed(say)
        await self._rest()
        return True

    def _may(self, sitting: Sitting) -> bool:
        """Whether the game can go on here and now."""
        table = self.table
        if sitting.is_over or len(sitting.game.turns) > LONGEST_GAME or table.left:
            return False
        if not sitting.persons and time.monotonic() - table.looked > IDLE:
            return False
        if sitting.wanted() is not None:  # a person must act: nobody waits for a thread
            return False
        return table.kept.stage == PLAYING and not self._turn_of_others()

    async def _decided(self, thought: Thought) -> tuple[str, int]:
        """What a coach says in the end; while it thinks, other servers are told to wait."""
        table = self.table
        thinking = asyncio.ensure_future(table.hall.thinkers.decide(thought))
        try:
            while not thinking.done():
                await asyncio.wait({thinking}, timeout=LEASE / 2)
                if not thinking.done():
                    table.note(Change(table.id, row={"lease": self.lease()}))
            return thinking.result()
        finally:
            thinking.cancel()

    def _burst(self, sitting: Sitting) -> bool:
        """Dice, windows that pass, and coaches that are quick; on another thread than pages."""
        until, went = time.monotonic() + BURST, False
        game, thinkers = sitting.game, self.table.hall.thinkers
        while time.monotonic() < until:
            thought = sitting.to_think()
            if thought is None:
                happened = sitting.proceed()
            elif thinkers.is_quick(thought):
                happened = sitting.coach_calls(thought, *thinkers.timed(thought))
            else:
                break
            if not happened:
                break
            went = True
            if not sitting.persons and game.rules.begins_play(game.match, game.position):
                break
        return went

    async def _rest(self) -> None:
        """Where nobody plays, those who watch want to follow."""
        sitting = self.table.sitting
        if sitting is None or sitting.persons:
            return
        if sitting.game.rules.begins_play(sitting.game.match, sitting.game.position):
            await asyncio.sleep(self.pace)
