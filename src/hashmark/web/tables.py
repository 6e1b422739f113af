"""A table: its seats, the actions of its players, and what each viewer may see.

Persistence is in `persistence`, autoplay in `autoplay`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.header import Header, check_word
from hashmark.table.record import NOBODY, TEAMS
from hashmark.table.secrets import WATCHER
from hashmark.table.sitting import PERSON, Reply, Sitting
from hashmark.table.wanted import CallWanted, DieWanted
from hashmark.web.going import Going
from hashmark.web.keeping import Keeping
from hashmark.web.store import CLOSED, LAID, PLAYING, Change, Kept, Seat

if TYPE_CHECKING:
    from hashmark.web.hall import Hall

PLAYED_OUT_SETTING = "left"  # key in the table's settings
MAX_CACHED_FEEDS = 6  # cached feed responses


class Stale(HashmarkError):
    """An action for a moment that has passed, or that has not come yet."""


class NotThere(HashmarkError):
    """No such table, league or invitation."""


class NotYours(HashmarkError):
    """The viewer may not do this."""


@dataclass(frozen=True)
class Viewer:
    """Viewer of a table: the teams that they play, if any."""

    teams: tuple[int, ...] = ()

    @property
    def eye(self) -> int:
        """Return the team whose secrets the viewer may see; a player of both teams sees none."""
        return self.teams[0] if len(self.teams) == 1 else WATCHER

    @property
    def name(self) -> str:
        """Return the role of the viewer for programs."""
        return {0: "watcher", 1: TEAMS[self.teams[0]] if self.teams else ""}.get(
            len(self.teams), "both"
        )


class Table(Keeping):
    """A table with its game."""

    def __init__(self, app_state: Hall, kept: Kept, seats: list[Seat]) -> None:
        super().__init__(app_state, kept, seats)
        self.going = Going(self)

    def go_on(self) -> None:
        self.going.go_on()

    def lease(self) -> float:
        return self.going.lease()

    # --- Seats -------------------------------------------------------------------------------

    def viewer(self, holder: str) -> Viewer:
        """Return the viewer with this token digest, and record that they are present."""
        self.looked = time.monotonic()
        if not holder:
            return Viewer()
        teams = tuple(team for team, seat in sorted(self.seats.items()) if seat.holder == holder)
        for team in teams:
            self._is_here(team)
        return Viewer(teams)

    def is_abandoned(self, team: int) -> bool:
        """Return whether the player of a seat has been absent for too long."""
        if self.sitting is None or self.sitting.seats[team] != PERSON or self.league:
            return False
        return time.monotonic() - self.last_seen[team] > self.hall.limits.absent

    def asks(self, viewer: Viewer) -> bool:
        """Return whether this viewer is to act now, or the game is over."""
        session = self.sitting
        if session is None or self.lock.locked():
            return False
        if session.is_over:
            return True
        pending = session.wanted()
        if isinstance(pending, CallWanted):
            return pending.team in viewer.teams
        return isinstance(pending, DieWanted) and bool(viewer.teams)

    def open_seats(self) -> list[int]:
        """Return the teams whose human seats are free."""
        return [team for team, seat in sorted(self.seats.items()) if not seat.holder]

    def missing_words(self) -> list[int]:
        """Return the teams whose players have not given a client seed yet."""
        return [team for team, seat in sorted(self.seats.items()) if seat.word is None]

    async def claim(self, team: int, holder: str, invitation: str = "") -> None:
        """Take a seat; the invitation with this digest is used up."""

        async def apply() -> None:
            seat = self.seats[team]
            word = "" if self.dice_are_typed and seat.word is None else seat.word
            change = Change(self.id, taken=[team], claimed=invitation)
            await self._write_seats(change, replace(seat, holder=holder, word=word))

        await self.change(apply)
        await self.begin()

    async def _write_seats(self, change: Change, *seats: Seat) -> None:
        change.seats = [replace(seat, seen=time.time()) for seat in seats]
        await self._commit(change)
        for seat in change.seats:
            self.seats[seat.team] = seat
            self.last_seen[seat.team] = time.monotonic()

    async def invite(self, viewer: Viewer, team: int, digest: str) -> None:
        """Store an invitation to an open seat or to one's own; earlier ones become void."""

        async def apply() -> None:
            if not viewer.teams or (team not in viewer.teams and self.seats[team].holder):
                raise NotYours("only who sits there may hand this seat on")
            await self._commit(Change(self.id, taken=[team], invited=[(digest, team)]))

        await self.change(apply)

    async def say_word(self, viewer: Viewer, word: str) -> None:
        """Mark a player as ready with their client seed for the dice."""
        check_word(word)

        async def apply() -> None:
            self._check_may_play(viewer)
            waiting = [team for team in viewer.teams if self.seats[team].word is None]
            if self.sitting is not None or not waiting:
                raise Stale("your word for the dice has been said already")
            await self._write_seats(
                Change(self.id), *(replace(self.seats[team], word=word) for team in waiting)
            )

        await self.change(apply)
        await self.begin()

    @property
    def is_ready(self) -> bool:
        """Return whether the game can start: every player has given a client seed."""
        return self.kept.stage == LAID and self.sitting is None and not self.missing_words()

    async def begin(self) -> None:
        """Start the game if it waits for no player, as in a game between coaches."""
        if self.is_ready:
            await self.change(self._start_game)
        self.go_on()

    async def _start_game(self) -> None:
        if not self.is_ready:
            return
        seeds = tuple(
            self.seats[team].word or "" if team in self.seats else "" for team in range(2)
        )
        seed_pair = None if self.dice_are_typed else (seeds[0], seeds[1])
        header = replace(self.header, words=seed_pair)
        game = await asyncio.to_thread(self._new_game, header)
        self._sit_down(session := Sitting(header, game), "", 0)
        self._keep(header.to_json())
        for team in self.open_seats():  # whose player has left the league
            self._to_coach(session, team)
        await self._commit(Change(self.id, row={"stage": PLAYING}))

    def _new_game(self, header: Header) -> Game:
        with self.hall.looking_for_files(self.header.options):
            return header.new_game()

    # --- Actions of players --------------------------------------------------------------------

    def _check_may_play(self, viewer: Viewer) -> None:
        if self.kept.stage == CLOSED:
            raise Stale("this table was closed")
        if self.left and not self.is_over:
            raise Stale("this game was left to the coaches: they play it to its end")
        if not viewer.teams:
            raise NotYours("you are watching: only those who play may do this")

    def _session_for(self, viewer: Viewer) -> Sitting:
        self._check_may_play(viewer)
        return self.begun()

    def begun(self) -> Sitting:
        """Return the session; raise if the game has not started."""
        if self.sitting is None:
            raise Stale("the game has not begun yet")
        return self.sitting

    async def _act(self, viewer: Viewer, act: Callable[[Sitting], Reply], moment: int = 0) -> Reply:
        """Apply a player's action: played, committed and published, or rejected with a reason."""

        async def apply() -> Reply:
            session = self._session_for(viewer)
            if moment and moment != session.moment:
                raise Stale(session.late(moment))
            reply = act(session)
            if not reply.accepted:
                raise HashmarkError(reply.reason)
            await self._commit()
            return reply

        reply = await self.change(apply)
        self.go_on()
        return reply

    async def answer(self, viewer: Viewer, moment: int, call: str) -> Reply:
        """Answer the question of a moment with a call."""

        def act(session: Sitting) -> Reply:
            pending = session.wanted()
            if not isinstance(pending, CallWanted):
                raise Stale(session.answer(moment, viewer.teams[0], call).reason)
            return session.answer(moment, self._team_for(viewer, pending.team), call)

        return await self._act(viewer, act, moment)

    async def roll(self, viewer: Viewer, moment: int, at: int, face: int) -> Reply:
        """Enter a real die, number `at` of its turn."""

        def act(session: Sitting) -> Reply:
            pending = session.wanted()
            if not isinstance(pending, DieWanted) or at != pending.at:
                raise Stale(session.roll(moment, viewer.teams[0], at, face).reason)
            return session.roll(moment, self._roller(viewer, session, pending), at, face)

        return await self._act(viewer, act, moment)

    def _team_for(self, viewer: Viewer, team: int) -> int:
        """Return the team that a viewer acts for; raise if it is not theirs."""
        if team not in viewer.teams:
            raise Stale(f"{self.header.names[team]} is asked now, not you")
        return team

    def _roller(self, viewer: Viewer, session: Sitting, pending: DieWanted) -> int:
        """Return the team that rolls: a player rolls for their own team, and for a coach."""
        if pending.team in viewer.teams or session.seats[pending.team] != PERSON:
            return pending.team
        raise Stale(f"{self.header.names[pending.team]} must roll now, not you")

    async def take_back(self, viewer: Viewer, moment: int) -> Reply:
        """Undo to the last decision of this player, by the rules of the session."""
        if self.league:
            raise NotYours("in a league no call is taken back")
        team = viewer.teams[0] if len(viewer.teams) == 1 else NOBODY
        return await self._act(viewer, lambda session: session.take_back(moment, team), moment)

    async def order(self, viewer: Viewer, when: str, window: str) -> Reply:
        """Set a standing order for windows, for each team of the viewer."""

        def act(session: Sitting) -> Reply:
            replies = [session.order(team, when, window) for team in viewer.teams]
            return replies[-1]

        return await self._act(viewer, act)

    async def hand_over(self, viewer: Viewer, team: int, who: str) -> Reply:
        """Give a seat to a coach, or back to its player."""

        def act(session: Sitting) -> Reply:
            is_own = team in viewer.teams
            if who == PERSON and not is_own:
                raise NotYours("only who has the seat may sit down on it again")
            if not is_own and not self.is_abandoned(team):
                raise NotYours(f"{session.header.names[team]} is still there")
            if team not in self.seats:
                raise NotYours("a coach has sat there from the beginning")
            return session.sit(team, who)

        return await self._act(viewer, act)

    async def close(self, viewer: Viewer) -> None:
        """Abandon a game for good."""

        async def apply() -> None:
            self._check_may_play(viewer)
            if self.kept.stage not in (LAID, PLAYING):
                raise Stale("this game has ended already")
            if self.league:
                raise NotYours("a game of a league is not given up: hand your team to a coach")
            if any(not self.is_abandoned(team) for team in self.others(viewer)):
                raise NotYours("the other player is still there")
            await self._commit(Change(self.id, row={"stage": CLOSED}))

        await self.change(apply)
        self.hall.forget(self)

    async def note_rematch(self, other: Change) -> None:
        """Record a rematch and create its table in the same transaction; the lock is held."""
        await self._commit(Change(self.id, row={"rematch": other.table}, also=[other]))

    def others(self, viewer: Viewer) -> list[int]:
        """Return the teams of the other players."""
        return [
            team for team, seat in self.seats.items() if team not in viewer.teams and seat.holder
        ]

    # --- League games --------------------------------------------------------------------------

    def _to_coach(self, session: Sitting, team: int) -> None:
        """Give a player's seat to the coach of the team."""
        if session.seats[team] == PERSON and not session.is_over:
            session.sit(team, self.kept.settings["coaches"][TEAMS[team]])

    async def vacate(self, team: int) -> None:
        """Give a seat to the team's coach because its player has left the league."""

        async def apply() -> None:
            if team not in self.seats or self.is_over:
                return
            seat = replace(self.seats[team], holder="", word=self.seats[team].word or "")
            if self.sitting is not None:
                self._to_coach(self.sitting, team)
            await self._write_seats(Change(self.id, taken=[team]), seat)

        await self.change(apply)
        await self.begin()

    async def befriend(self, team: int, holder: str, by: str) -> None:
        """Give a seat to a player if it is free or held by `by`."""

        async def apply() -> None:
            if team in self.seats and self.seats[team].holder in ("", by) and not self.is_over:
                seat = replace(self.seats[team], holder=holder)
                await self._write_seats(Change(self.id, taken=[team]), seat)

        await self.change(apply)

    @property
    def left(self) -> bool:
        """Return whether the autoplay pool is playing the game out; stored for all servers."""
        return bool(self.kept.settings.get(PLAYED_OUT_SETTING))

    def _played_out_change(self, left: bool) -> Change:
        if left == self.left:
            return Change(self.id)
        return Change(self.id, row={"settings": {**self.kept.settings, PLAYED_OUT_SETTING: left}})

    async def leave(self) -> list[str]:
        """Hand the game over to the autoplay pool; return the log lines to continue from."""

        async def make_ready() -> None:
            if self.sitting is None:
                waiting = [replace(self.seats[team], word="") for team in self.missing_words()]
                await self._write_seats(Change(self.id), *waiting)

        async def hand_off() -> list[str]:
            session = self.begun()
            for team in session.persons:
                self._to_coach(session, team)
            await self._commit(self._played_out_change(True))
            return await asyncio.to_thread(self.hall.store.lines, self.id)

        await self.change(make_ready)
        await self.begin()
        return await self.change(hand_off)

    async def recall(self) -> None:
        """Take the game back from the autoplay pool."""

        async def apply() -> None:
            if not self.is_over:
                await self._commit(self._played_out_change(False))

        await self.change(apply)
        self.go_on()

    async def end(self, lines: list[str], more: list[str]) -> None:
        """Append what the autoplay pool played after these lines; raise if the table has changed
        since.
        """

        async def apply() -> None:
            if self._count != len(lines):
                raise Stale("something has happened at this table meanwhile")
            published = self.told
            await self.sit_again([*lines, *more])
            self.told, self._count, self._pending = published, len(lines), more
            await self._commit()

        await self.change(apply)

    # --- Autoplay ------------------------------------------------------------------------------

    async def proceed(self, play: Callable[[Sitting], Awaitable[bool]]) -> bool:
        """Advance the game by itself and commit; return whether it advanced."""

        async def apply() -> bool:
            if self.sitting is None:
                return False
            try:
                return await play(self.sitting)
            finally:
                if self._pending:
                    await self._commit()

        return await self.change(apply)

    # --- Views ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def settled(self) -> AsyncIterator[None]:
        """Hold a state in which everything that was played is committed.

        If no change is running, it yields at once, without queuing behind those who wait to change
        something.
        """
        if not self.lock.locked():
            yield
            return
        async with self.lock:
            yield

    def seen(self, viewer: Viewer) -> Game:
        """Return the game as a viewer may see it, cached until the table changes."""
        assert self.sitting is not None
        cached = self._views.get(viewer.eye)
        if cached is None or cached[0] != self.version:
            cached = (self.version, self.sitting.seen(viewer.eye))
            self._views[viewer.eye] = cached
        return cached[1]

    def glance(self, viewer: Viewer) -> Game:
        """Return only the public summary of the game, as a viewer may see it."""
        assert self.sitting is not None
        return self.sitting.glance(viewer.eye)

    def since(self, number: int, viewer: Viewer) -> list[dict[str, Any]]:
        """Return the committed feed events after a number that a viewer may see.

        The result is shared by all viewers with the same rights.
        """
        if self.sitting is None:
            return []
        visible = self._heard.get((number, viewer.eye))
        if visible is None:
            events = self.sitting.since(number, viewer.eye)
            visible = [event for event in events if event["number"] <= self.told]
            if len(self._heard) < MAX_CACHED_FEEDS:
                self._heard[number, viewer.eye] = visible
        return visible

    async def log(self, viewer: Viewer) -> str:
        """Return the log as far as the viewer may see it; all of it once the game is over."""
        if self.is_over:
            return "".join(await asyncio.to_thread(self.hall.store.lines, self.id))
        lines = self.begun().log(viewer.eye)
        return "".join(log.written_line(line) for line in lines)
