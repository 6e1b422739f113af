"""One table of the house: a sitting, the lines that were kept of it, and who looks on.

Everything that changes a table goes through its lock: it is played, its lines are on the disk, and
only then is it told to anybody. If the lines cannot be kept, the table is made again from those
that were, so nothing has happened. Coaches think outside of the lock; what they say of a moment
that has passed is dropped by the sitting.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.header import Header, check_word, read_line
from hashmark.table.record import NOBODY, TEAMS
from hashmark.table.rules import LONGEST_GAME
from hashmark.table.secrets import WATCHER
from hashmark.table.sitting import PERSON, Reply, Sitting
from hashmark.table.wanted import CallWanted, DieWanted
from hashmark.telling.report import scoreboard
from hashmark.web.store import CLOSED, LAID, OVER, PLAYING, Change, Kept, Seat

if TYPE_CHECKING:
    from hashmark.web.hall import Hall

TOUCH = 5.0  # seconds between two notes that a table is being played
IDLE = 60.0  # seconds without a look after which coaches among themselves rest
BURST = 0.03  # seconds that a table may go on by itself before what happened is kept and told
HEARD = 6  # answers to "what is new" that are remembered until there is something new
AGAIN = 1.0  # seconds until a coach's call that could not be kept is tried again

logger = logging.getLogger("hashmark.web")


class Stale(HashmarkError):
    """An answer for a moment that has passed, or that has not come."""


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


class Table:
    """A table with all that has happened at it."""

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
        self.task: asyncio.Task[None] | None = None
        self._chain, self._count = "", 0
        self._pending: list[str] = []
        self._touched = 0.0
        self._views: dict[int, tuple[int, Game]] = {}
        self._heard: dict[tuple[int, int], list[dict[str, Any]]] = {}

    @property
    def id(self) -> str:
        return self.kept.id

    @property
    def is_over(self) -> bool:
        return self.sitting is not None and self.sitting.is_over

    @property
    def dice_are_typed(self) -> bool:
        return self.header.dice == "typed"

    # --- Making it, and making it again ----------------------------------------------------

    async def take_up(self) -> None:
        """The table as its kept lines say it; off the loop, since a game may be long."""
        await asyncio.to_thread(self._take_up)

    def _take_up(self) -> None:
        lines = self.hall.store.lines(self.id)
        self._pending = []
        self._views, self._heard = {}, {}
        if not lines:
            self.sitting, self._chain, self._count, self.told = None, "", 0, 0
            return
        raw = "".join(lines).encode(errors="surrogatepass")
        with self.hall.looking_for_files():
            sitting, read = Sitting.take_up_bytes(raw, f"table-{self.id}.log")
        self._sit_down(sitting, read.chain, len(lines))

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
        if change.lines or change.row or change.seats or change.invited or change.new:
            try:
                await self.hall.journal.put(change)
            except BaseException:
                await self.take_up()
                raise
        self._count += len(change.lines)
        for key, value in change.row.items():
            setattr(self.kept, key, value)
        self._publish()

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
        if change.row or (change.lines and now - self._touched > TOUCH):
            change.row |= {"touched": now, "said": " ".join(scoreboard(sitting.game).split())}
            self._touched = now

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

    # --- Who is who --------------------------------------------------------------------------

    def viewer(self, holder: str) -> Viewer:
        """What somebody is at this table, by the digest of his token."""
        self.looked = time.monotonic()
        if not holder:
            return Viewer()
        teams = tuple(team for team, seat in sorted(self.seats.items()) if seat.holder == holder)
        for team in teams:
            self.last_seen[team] = self.looked
        return Viewer(teams)

    def is_abandoned(self, team: int) -> bool:
        """Whether a person's seat was left: nobody has asked for anything there for a while."""
        if self.sitting is None or self.sitting.seats[team] != PERSON:
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

    async def claim(self, team: int, holder: str) -> None:
        """Somebody takes a seat by an invitation."""
        async with self.lock:
            seat = self.seats[team]
            word = "" if self.dice_are_typed and seat.word is None else seat.word
            await self._seat(replace(seat, holder=holder, word=word), taken=[team])

    async def _seat(self, seat: Seat, taken: list[int]) -> None:
        await self._commit(Change(self.id, seats=[seat], taken=taken))
        self.seats[seat.team] = seat
        self.last_seen[seat.team] = time.monotonic()
        await self._begin_if_ready()

    async def say_word(self, viewer: Viewer, word: str) -> None:
        """A player is ready, and says the word that he mixes into the dice."""
        check_word(word)
        async with self.lock:
            self._must_play(viewer)
            waiting = [team for team in viewer.teams if self.seats[team].word is None]
            if self.sitting is not None or not waiting:
                raise Stale("your word for the dice has been said already")
            for team in waiting:
                await self._seat(replace(self.seats[team], word=word), taken=[])

    async def begin(self) -> None:
        """Begin if nobody has to be waited for, as at a table of coaches."""
        async with self.lock:
            await self._begin_if_ready()

    async def _begin_if_ready(self) -> None:
        if self.kept.stage != LAID or self.sitting is not None or self.missing_words():
            return
        said = tuple(self.seats[team].word or "" if team in self.seats else "" for team in range(2))
        words = None if self.dice_are_typed else (said[0], said[1])
        header = replace(self.header, words=words)
        game = await asyncio.to_thread(self._new_game, header)
        self._sit_down(Sitting(header, game), "", 0)
        self._keep(header.to_json())
        await self._commit(Change(self.id, row={"stage": PLAYING}))
        self.go_on()

    def _new_game(self, header: Header) -> Game:
        with self.hall.looking_for_files():
            return header.new_game()

    # --- What people do ------------------------------------------------------------------------

    def _must_play(self, viewer: Viewer) -> None:
        if self.kept.stage == CLOSED:
            raise Stale("this table was closed")
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
        async with self.lock:
            sitting = self._playing(viewer)
            if moment and moment != sitting.moment:
                raise Stale(sitting.late(moment))
            reply = act(sitting)
            if not reply.accepted:
                raise HashmarkError(reply.reason)
            await self._commit()
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
        async with self.lock:
            self._must_play(viewer)
            if self.kept.stage not in (LAID, PLAYING):
                raise Stale("this game has ended already")
            if any(not self.is_abandoned(team) for team in self.others(viewer)):
                raise NotYours("the other player is still there")
            await self._commit(Change(self.id, row={"stage": CLOSED}))
        self.hall.forget(self)

    async def note_rematch(self, other: str) -> None:
        """The same is played again at another table; the lock is held."""
        await self._commit(Change(self.id, row={"rematch": other}))

    def others(self, viewer: Viewer) -> list[int]:
        """The seats of other people who play."""
        return [t for t, seat in self.seats.items() if t not in viewer.teams and seat.holder]

    # --- What goes on by itself ----------------------------------------------------------------

    def go_on(self) -> None:
        """Let coaches and dice go on, if they are to, beside whatever else is done."""
        if self.sitting is None or self.is_over or self.kept.stage != PLAYING:
            return
        if self.hall.closing.is_set() or self._waits_for_person():
            return
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self._run())

    def _waits_for_person(self) -> bool:
        """Whether nothing is under way, and nothing can be before somebody acts."""
        assert self.sitting is not None
        return not self.lock.locked() and self.sitting.wanted() is not None

    async def _run(self) -> None:
        try:
            while await self._go_on():
                pass
        except HashmarkError as fault:
            logger.warning("a table has to wait: %s", fault)
            await asyncio.sleep(AGAIN)
            asyncio.get_running_loop().call_later(0, self.go_on)

    async def _go_on(self) -> bool:
        """What no person is needed for, for a moment; whether there was anything."""
        async with self.lock:
            sitting = self.sitting
            if sitting is None or sitting.is_over or len(sitting.game.turns) > LONGEST_GAME:
                return False
            if not sitting.persons and time.monotonic() - self.looked > IDLE:
                return False
            if sitting.wanted() is not None:  # a person must act: nobody waits for a thread
                return False
            thought = sitting.to_think()
            if thought is None or self.hall.thinkers.is_quick(thought):
                thought = None
                if not await self._proceed(sitting):
                    return False
        if thought is not None:
            call, drawn = await self.hall.thinkers.decide(thought)
            async with self.lock:
                if self.sitting is sitting:
                    sitting.coach_calls(thought, call, drawn)
                    await self._commit()
        await self._rest(sitting)
        return True

    async def _proceed(self, sitting: Sitting) -> bool:
        """A few turns in one go, kept together; the lock is held."""
        went = False
        try:
            went = await self.hall.thinkers.run(lambda: self._burst(sitting))
        finally:
            if self._pending:
                await self._commit()
        return went

    def _burst(self, sitting: Sitting) -> bool:
        """Dice, windows that pass, and coaches that are quick; on another thread than pages."""
        until, went = time.monotonic() + BURST, False
        game, thinkers = sitting.game, self.hall.thinkers
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

    async def _rest(self, sitting: Sitting) -> None:
        """Where nobody plays, those who watch want to follow."""
        game = sitting.game
        if not sitting.persons and game.rules.begins_play(game.match, game.position):
            await asyncio.sleep(float(self.kept.settings.get("pace", self.hall.limits.pace)))

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
