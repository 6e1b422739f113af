"""One table of the house: who sits at it, what people do there, and what they may see.

How it is kept, `keeping` says, and how it goes on by itself, `going`.
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

LEFT = "left"  # among the settings that are kept
HEARD = 6  # answers to "what is new" that are remembered until there is something new


class Stale(HashmarkError):
    """An answer for a moment that has passed, or that has not come."""


class NotThere(HashmarkError):
    """No such table or league, or no such invitation."""


class NotYours(HashmarkError):
    """Only somebody else may do this."""


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks at a table: the teams that he plays, if any."""

    teams: tuple[int, ...] = ()

    @property
    def eye(self) -> int:
        """Whose secrets he may see: those of his one team; two at one screen see none."""
        return self.teams[0] if len(self.teams) == 1 else WATCHER

    @property
    def name(self) -> str:
        """In a word, for programs."""
        return {0: "watcher", 1: TEAMS[self.teams[0]] if self.teams else ""}.get(
            len(self.teams), "both"
        )


class Table(Keeping):
    """A table with all that has happened at it."""

    def __init__(self, hall: Hall, kept: Kept, seats: list[Seat]) -> None:
        super().__init__(hall, kept, seats)
        self.going = Going(self)

    def go_on(self) -> None:
        self.going.go_on()

    def lease(self) -> float:
        return self.going.lease()

    # --- Who is who --------------------------------------------------------------------------

    def viewer(self, holder: str) -> Viewer:
        """What somebody is at this table, by the digest of his token."""
        self.looked = time.monotonic()
        if not holder:
            return Viewer()
        teams = tuple(team for team, seat in sorted(self.seats.items()) if seat.holder == holder)
        for team in teams:
            self._is_here(team)
        return Viewer(teams)

    def is_abandoned(self, team: int) -> bool:
        """Whether a person's seat was left: nobody has asked for anything there for a while."""
        if self.sitting is None or self.sitting.seats[team] != PERSON or self.league:
            return False
        return time.monotonic() - self.last_seen[team] > self.hall.limits.absent

    def asks(self, viewer: Viewer) -> bool:
        """Whether something is wanted of this viewer now, or the game is over."""
        sitting = self.sitting
        if sitting is None or self.lock.locked():
            return False
        if sitting.is_over:
            return True
        wanted = sitting.wanted()
        if isinstance(wanted, CallWanted):
            return wanted.team in viewer.teams
        return isinstance(wanted, DieWanted) and bool(viewer.teams)

    def open_seats(self) -> list[int]:
        """The seats of people that nobody has taken yet."""
        return [team for team, seat in sorted(self.seats.items()) if not seat.holder]

    def missing_words(self) -> list[int]:
        """Who has not said his word for the dice, or is not there yet."""
        return [team for team, seat in sorted(self.seats.items()) if seat.word is None]

    async def claim(self, team: int, holder: str, invitation: str = "") -> None:
        """Somebody takes a seat; the invitation, by its digest, is used by that."""

        async def claimed() -> None:
            seat = self.seats[team]
            word = "" if self.dice_are_typed and seat.word is None else seat.word
            change = Change(self.id, taken=[team], claimed=invitation)
            await self._seat(change, replace(seat, holder=holder, word=word))

        await self.change(claimed)
        await self.begin()

    async def _seat(self, change: Change, *seats: Seat) -> None:
        change.seats = [replace(seat, seen=time.time()) for seat in seats]
        await self._commit(change)
        for seat in change.seats:
            self.seats[seat.team] = seat
            self.last_seen[seat.team] = time.monotonic()

    async def invite(self, viewer: Viewer, team: int, digest: str) -> None:
        """An invitation to a seat that is open, or one's own; those before it are void."""

        async def invited() -> None:
            if not viewer.teams or (team not in viewer.teams and self.seats[team].holder):
                raise NotYours("only who sits there may hand this seat on")
            await self._commit(Change(self.id, taken=[team], invited=[(digest, team)]))

        await self.change(invited)

    async def say_word(self, viewer: Viewer, word: str) -> None:
        """A player is ready, and says the word that he mixes into the dice."""
        check_word(word)

        async def said() -> None:
            self._must_play(viewer)
            waiting = [team for team in viewer.teams if self.seats[team].word is None]
            if self.sitting is not None or not waiting:
                raise Stale("your word for the dice has been said already")
            await self._seat(
                Change(self.id), *(replace(self.seats[team], word=word) for team in waiting)
            )

        await self.change(said)
        await self.begin()

    @property
    def is_ready(self) -> bool:
        """Whether the game can begin: all have said their words, or none is needed."""
        return self.kept.stage == LAID and self.sitting is None and not self.missing_words()

    async def begin(self) -> None:
        """Begin if nobody has to be waited for, as at a table of coaches."""
        if self.is_ready:
            await self.change(self._begun)
        self.go_on()

    async def _begun(self) -> None:
        if not self.is_ready:
            return
        said = tuple(self.seats[team].word or "" if team in self.seats else "" for team in range(2))
        words = None if self.dice_are_typed else (said[0], said[1])
        header = replace(self.header, words=words)
        game = await asyncio.to_thread(self._new_game, header)
        self._sit_down(sitting := Sitting(header, game), "", 0)
        self._keep(header.to_json())
        for team in self.open_seats():  # of a friend who has left the league
            self._to_coach(sitting, team)
        await self._commit(Change(self.id, row={"stage": PLAYING}))

    def _new_game(self, header: Header) -> Game:
        with self.hall.looking_for_files(self.header.options):
            return header.new_game()

    # --- What people do ------------------------------------------------------------------------

    def _must_play(self, viewer: Viewer) -> None:
        if self.kept.stage == CLOSED:
            raise Stale("this table was closed")
        if self.left and not self.is_over:
            raise Stale("this game was left to the coaches: they play it to its end")
        if not viewer.teams:
            raise NotYours("you are watching: only those who play may do this")

    def _playing(self, viewer: Viewer) -> Sitting:
        self._must_play(viewer)
        return self.begun()

    def begun(self) -> Sitting:
        """The sitting of a game that has begun: before that nothing can be told of it."""
        if self.sitting is None:
            raise Stale("the game has not begun yet")
        return self.sitting

    async def _do(self, viewer: Viewer, act: Callable[[Sitting], Reply], moment: int = 0) -> Reply:
        """Something a player does: played, kept and told, or refused with a reason."""

        async def done() -> Reply:
            sitting = self._playing(viewer)
            if moment and moment != sitting.moment:
                raise Stale(sitting.late(moment))
            reply = act(sitting)
            if not reply.accepted:
                raise HashmarkError(reply.reason)
            await self._commit()
            return reply

        reply = await self.change(done)
        self.go_on()
        return reply

    async def answer(self, viewer: Viewer, moment: int, call: str) -> Reply:
        """A call for the question of a moment."""

        def act(sitting: Sitting) -> Reply:
            wanted = sitting.wanted()
            if not isinstance(wanted, CallWanted):
                raise Stale(sitting.answer(moment, viewer.teams[0], call).reason)
            return sitting.answer(moment, self._for(viewer, wanted.team), call)

        return await self._do(viewer, act, moment)

    async def roll(self, viewer: Viewer, moment: int, at: int, face: int) -> Reply:
        """A real die, the one number `at` of its turn."""

        def act(sitting: Sitting) -> Reply:
            wanted = sitting.wanted()
            if not isinstance(wanted, DieWanted) or at != wanted.at:
                raise Stale(sitting.roll(moment, viewer.teams[0], at, face).reason)
            return sitting.roll(moment, self._roller(viewer, sitting, wanted), at, face)

        return await self._do(viewer, act, moment)

    def _for(self, viewer: Viewer, team: int) -> int:
        """The team that a viewer speaks for, if he may for this one."""
        if team not in viewer.teams:
            raise Stale(f"{self.header.names[team]} is asked now, not you")
        return team

    def _roller(self, viewer: Viewer, sitting: Sitting, wanted: DieWanted) -> int:
        """Who rolls for a team: its player, or the other one for a coach, who has no hands."""
        if wanted.team in viewer.teams or sitting.seats[wanted.team] != PERSON:
            return wanted.team
        raise Stale(f"{self.header.names[wanted.team]} must roll now, not you")

    async def take_back(self, viewer: Viewer, moment: int) -> Reply:
        """Back to the last decision of this player, by the rules of the sitting."""
        if self.league:
            raise NotYours("in a league no call is taken back")
        team = viewer.teams[0] if len(viewer.teams) == 1 else NOBODY
        return await self._do(viewer, lambda sitting: sitting.take_back(moment, team), moment)

    async def order(self, viewer: Viewer, when: str, window: str) -> Reply:
        """A standing order for windows, for each team that the viewer plays."""

        def act(sitting: Sitting) -> Reply:
            replies = [sitting.order(team, when, window) for team in viewer.teams]
            return replies[-1]

        return await self._do(viewer, act)

    async def hand_over(self, viewer: Viewer, team: int, who: str) -> Reply:
        """A seat goes to a coach, or back to its player."""

        def act(sitting: Sitting) -> Reply:
            own = team in viewer.teams
            if who == PERSON and not own:
                raise NotYours("only who has the seat may sit down on it again")
            if not own and not self.is_abandoned(team):
                raise NotYours(f"{sitting.header.names[team]} is still there")
            if team not in self.seats:
                raise NotYours("a coach has sat there from the beginning")
            return sitting.sit(team, who)

        return await self._do(viewer, act)

    async def close(self, viewer: Viewer) -> None:
        """A player gives up a game for good; it is not gone on with."""

        async def closed() -> None:
            self._must_play(viewer)
            if self.kept.stage not in (LAID, PLAYING):
                raise Stale("this game has ended already")
            if self.league:
                raise NotYours("a game of a league is not given up: hand your team to a coach")
            if any(not self.is_abandoned(team) for team in self.others(viewer)):
                raise NotYours("the other player is still there")
            await self._commit(Change(self.id, row={"stage": CLOSED}))

        await self.change(closed)
        self.hall.forget(self)

    async def note_rematch(self, other: Change) -> None:
        """The same is played again at another table, which is laid with this; the lock is held."""
        await self._commit(Change(self.id, row={"rematch": other.table}, also=[other]))

    def others(self, viewer: Viewer) -> list[int]:
        """The seats of other people who play."""
        return [t for t, seat in self.seats.items() if t not in viewer.teams and seat.holder]

    # --- What a league does --------------------------------------------------------------------

    def _to_coach(self, sitting: Sitting, team: int) -> None:
        """A friend's seat goes to the coach of his team."""
        if sitting.seats[team] == PERSON and not sitting.is_over:
            sitting.sit(team, self.kept.settings["coaches"][TEAMS[team]])

    async def vacate(self, team: int) -> None:
        """The friend who has this seat has left the league: the team's coach plays on."""

        async def vacated() -> None:
            if team not in self.seats or self.is_over:
                return
            seat = replace(self.seats[team], holder="", word=self.seats[team].word or "")
            if self.sitting is not None:
                self._to_coach(self.sitting, team)
            await self._seat(Change(self.id, taken=[team]), seat)

        await self.change(vacated)
        await self.begin()

    async def befriend(self, team: int, holder: str, by: str) -> None:
        """A friend has the team from now on: where one has left, or in the place of this one."""

        async def befriended() -> None:
            if team in self.seats and self.seats[team].holder in ("", by) and not self.is_over:
                seat = replace(self.seats[team], holder=holder)
                await self._seat(Change(self.id, taken=[team]), seat)

        await self.change(befriended)

    @property
    def left(self) -> bool:
        """Whether its coaches play it to the end elsewhere; kept, so that every server knows."""
        return bool(self.kept.settings.get(LEFT))

    def _left(self, left: bool) -> Change:
        if left == self.left:
            return Change(self.id)
        return Change(self.id, row={"settings": {**self.kept.settings, LEFT: left}})

    async def leave(self) -> list[str]:
        """Its coaches play it to the end elsewhere; the lines that they go on from."""

        async def ready() -> None:
            if self.sitting is None:
                waiting = [replace(self.seats[team], word="") for team in self.missing_words()]
                await self._seat(Change(self.id), *waiting)

        async def left() -> list[str]:
            sitting = self.begun()
            for team in sitting.persons:
                self._to_coach(sitting, team)
            await self._commit(self._left(True))
            return await asyncio.to_thread(self.hall.store.lines, self.id)

        await self.change(ready)
        await self.begin()
        return await self.change(left)

    async def recall(self) -> None:
        """Nobody plays it elsewhere any more: it goes on here, for whoever looks or sits down."""

        async def recalled() -> None:
            if not self.is_over:
                await self._commit(self._left(False))

        await self.change(recalled)
        self.go_on()

    async def end(self, lines: list[str], more: list[str]) -> None:
        """What was played elsewhere after these lines, if nothing else has happened since."""

        async def ended() -> None:
            if self._count != len(lines):
                raise Stale("something has happened at this table meanwhile")
            told = self.told
            await self.sit_again([*lines, *more])
            self.told, self._count, self._pending = told, len(lines), more
            await self._commit()

        await self.change(ended)

    # --- What goes on by itself ----------------------------------------------------------------

    async def proceed(self, play: Callable[[Sitting], Awaitable[bool]]) -> bool:
        """What goes on by itself for a moment, kept; whether there was anything."""

        async def proceeded() -> bool:
            if self.sitting is None:
                return False
            try:
                return await play(self.sitting)
            finally:
                if self._pending:
                    await self._commit()

        return await self.change(proceeded)

    # --- What viewers may know -----------------------------------------------------------------

    @asynccontextmanager
    async def settled(self) -> AsyncIterator[None]:
        """For looking without a pause, when all that has happened is kept.

        Where nothing is under way that is now: not behind those who wait to change something.
        """
        if not self.lock.locked():
            yield
            return
        async with self.lock:
            yield

    def seen(self, viewer: Viewer) -> Game:
        """The game as a viewer may see it; made once for all that ask at this moment."""
        assert self.sitting is not None
        known = self._views.get(viewer.eye)
        if known is None or known[0] != self.version:
            known = (self.version, self.sitting.seen(viewer.eye))
            self._views[viewer.eye] = known
        return known[1]

    def glance(self, viewer: Viewer) -> Game:
        """Only where it stands, as a viewer may see it."""
        assert self.sitting is not None
        return self.sitting.glance(viewer.eye)

    def since(self, number: int, viewer: Viewer) -> list[dict[str, Any]]:
        """What a viewer may know of all that was kept after this number.

        Made once for all who look on together and see the same.
        """
        if self.sitting is None:
            return []
        known = self._heard.get((number, viewer.eye))
        if known is None:
            found = self.sitting.since(number, viewer.eye)
            known = [one for one in found if one["number"] <= self.told]
            if len(self._heard) < HEARD:
                self._heard[number, viewer.eye] = known
        return known

    async def log(self, viewer: Viewer) -> str:
        """The log as far as the viewer may have it: the very lines, once the game is over."""
        if self.is_over:
            return "".join(await asyncio.to_thread(self.hall.store.lines, self.id))
        lines = self.begun().log(viewer.eye)
        return "".join(log.written_line(line) for line in lines)
