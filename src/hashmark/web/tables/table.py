"""A table: its seats, the actions of its players, and what each viewer may see.

Persistence is in `persistence`, autoplay in `autoplay`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hashmark.engine.game import Game
from hashmark.engine.record import NOBODY, TEAMS
from hashmark.engine.rule_set import NO_CALL
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.game_session import HUMAN, GameSession, Reply
from hashmark.session.header import check_client_seed
from hashmark.session.pending import PendingCall, PendingDie
from hashmark.session.redaction import SPECTATOR
from hashmark.storage.text_limits import MAX_LOG_LINES
from hashmark.text.phrases import team_clause, team_text
from hashmark.web.tables.autoplay import Autoplay
from hashmark.web.tables.persistence import PLAYED_OUT_SETTING, StoredTable
from hashmark.web.tables.services import TableServices
from hashmark.web.tables.table_store import CLOSED, NOT_STARTED, PLAYING, Change, Seat, TableRow
from hashmark.web.tables.talk import Talk

MAX_EVENTS_ON_LOOP = 20  # feed events rendered without a thread
MAX_CACHED_FEEDS = 6  # cached feed responses


class StaleRequest(HashmarkError):
    """An action for a moment that has passed, or that has not come yet."""


class NotFound(HashmarkError):
    """No such table, league or invitation."""


class Forbidden(HashmarkError):
    """The viewer may not do this."""


@dataclass(frozen=True)
class Viewer:
    """Viewer of a table: the teams that they play, if any."""

    teams: tuple[int, ...] = ()

    @property
    def perspective(self) -> int:
        """Return the team whose secrets the viewer may see; a player of both teams sees none."""
        return self.teams[0] if len(self.teams) == 1 else SPECTATOR

    @property
    def name(self) -> str:
        """Return the role of the viewer for programs."""
        return {0: "watcher", 1: TEAMS[self.teams[0]] if self.teams else ""}.get(
            len(self.teams), "both"
        )


class Table(StoredTable):
    """A table with its players, its viewers and its autoplay."""

    def __init__(self, services: TableServices, row: TableRow, seats: list[Seat]) -> None:
        super().__init__(services, row, seats)
        self.autoplay = Autoplay(self)
        self.talk = Talk(self)
        self.spectator_count = 0  # open streams of spectators at this server

    def resume_autoplay(self) -> None:
        self.autoplay.resume()

    async def refresh(self) -> None:
        """Bring the table up to the current state of the database, and let it go on by itself."""
        if await self.catch_up():
            self.resume_autoplay()

    async def start_if_ready(self) -> None:
        """Start the game if it waits for no player, and let it go on by itself."""
        await self.start_game()
        self.resume_autoplay()

    # --- Seats -------------------------------------------------------------------------------

    def viewer(self, holder: str) -> Viewer:
        """Return the viewer with this token digest, and record that they are present."""
        self.last_viewed = self.services.clock.monotonic()
        if not holder:
            return Viewer()
        teams = tuple(team for team, seat in sorted(self.seats.items()) if seat.holder == holder)
        for team in teams:
            self._mark_present(team)
        return Viewer(teams)

    @contextmanager
    def count_viewer(self, viewer: Viewer) -> Iterator[None]:
        """Count a viewer with an open stream among the spectators, unless they play."""
        if viewer.teams:
            yield
            return
        self._add_spectators(1)
        try:
            yield
        finally:
            self._add_spectators(-1)

    def _add_spectators(self, change: int) -> None:
        self.spectator_count += change
        self.wake_listeners()

    def is_abandoned(self, team: int) -> bool:
        """Return whether the player of a seat has been absent for too long."""
        if self.session is None or self.session.seats[team] != HUMAN or self.league:
            return False
        return self.services.clock.monotonic() - self.last_seen[team] > self.services.limits.absent

    def is_waiting_for(self, viewer: Viewer) -> bool:
        """Return whether this viewer is to act now, or the game is over."""
        session = self.session
        if session is None or self.lock.locked():
            return False
        if session.is_over:
            return True
        pending = session.pending_input()
        if isinstance(pending, PendingCall):
            return pending.team in viewer.teams
        return isinstance(pending, PendingDie) and bool(viewer.teams)

    async def take_seat(self, team: int, holder: str, invitation: str = "") -> None:
        """Take a seat; the invitation with this digest is used up."""

        async def apply() -> None:
            seat = self.seats[team]
            word = "" if self.dice_are_typed and seat.word is None else seat.word
            change = Change(self.id, voided_teams=[team], used_invitation=invitation)
            await self._write_seats(change, replace(seat, holder=holder, word=word))

        await self.apply_change(apply)
        await self.start_if_ready()

    async def _write_seats(self, change: Change, *seats: Seat) -> None:
        wall = self.services.clock.wall()
        change.seats = [replace(seat, seen=wall) for seat in seats]
        await self._commit(change)
        for seat in change.seats:
            self.seats[seat.team], self.stored_presence[seat.team] = seat, wall
            self.last_seen[seat.team] = self.services.clock.monotonic()

    async def invite(self, viewer: Viewer, team: int, digest: str) -> None:
        """Store an invitation to an open seat or to one's own; earlier ones become void."""

        async def apply() -> None:
            if not viewer.teams or (team not in viewer.teams and self.seats[team].holder):
                raise Forbidden("only the player in this seat can pass it on")
            await self._commit(Change(self.id, voided_teams=[team], invitations=[(digest, team)]))

        await self.apply_change(apply)

    async def set_client_seed(self, viewer: Viewer, client_seed: str) -> None:
        """Mark a player as ready with their client seed for the dice."""
        check_client_seed(client_seed)

        async def apply() -> None:
            self._check_may_play(viewer)
            waiting = [team for team in viewer.teams if self.seats[team].word is None]
            if self.session is not None or not waiting:
                raise StaleRequest("you have already entered your word for the dice")
            await self._write_seats(
                Change(self.id), *(replace(self.seats[team], word=client_seed) for team in waiting)
            )

        await self.apply_change(apply)
        await self.start_if_ready()

    # --- Actions of players --------------------------------------------------------------------

    def _check_may_play(self, viewer: Viewer) -> None:
        if self.row.stage == CLOSED:
            raise StaleRequest("this table is closed")
        if self.is_played_out_elsewhere and not self.is_over:
            raise StaleRequest("coaches have taken over this game and will finish it")
        if not viewer.teams:
            raise Forbidden("you are a spectator: only players can do this")

    def _session_for(self, viewer: Viewer) -> GameSession:
        self._check_may_play(viewer)
        return self.require_session()

    def require_session(self) -> GameSession:
        """Return the session; raise if the game has not started."""
        if self.session is None:
            raise StaleRequest("the game has not started yet")
        return self.session

    async def _act(
        self, viewer: Viewer, act: Callable[[GameSession], Reply], moment: int = 0
    ) -> Reply:
        """Apply a player's action: played, committed and published, or rejected with a reason."""

        async def apply() -> Reply:
            session = self._session_for(viewer)
            if moment and moment != session.moment:
                raise StaleRequest(session.stale_reason(moment))
            reply = act(session)
            if not reply.accepted:
                raise HashmarkError(reply.reason)
            await self._commit()
            return reply

        reply = await self.apply_change(apply)
        self.resume_autoplay()
        return reply

    async def answer(self, viewer: Viewer, moment: int, name: str) -> Reply:
        """Answer the question of a moment with a call by name."""

        def act(session: GameSession) -> Reply:
            pending = session.pending_input()
            if not isinstance(pending, PendingCall):
                raise StaleRequest(session.answer(moment, viewer.teams[0], NO_CALL).reason)
            team = self._team_for(viewer, pending.team)
            return session.answer(moment, team, session.parse_call(name))

        return await self._act(viewer, act, moment)

    async def roll(self, viewer: Viewer, moment: int, at: int, face: int) -> Reply:
        """Enter a real die, number `at` of its turn."""

        def act(session: GameSession) -> Reply:
            pending = session.pending_input()
            if not isinstance(pending, PendingDie) or at != pending.die_index:
                raise StaleRequest(session.roll(moment, viewer.teams[0], at, face).reason)
            return session.roll(moment, self._roller(viewer, session, pending), at, face)

        return await self._act(viewer, act, moment)

    def _team_for(self, viewer: Viewer, team: int) -> int:
        """Return the team that a viewer acts for; raise if it is not theirs."""
        if team not in viewer.teams:
            raise StaleRequest(
                f"it is not your turn: waiting for {team_text(self.header.names[team])}"
            )
        return team

    def _roller(self, viewer: Viewer, session: GameSession, pending: PendingDie) -> int:
        """Return the team that rolls: a player rolls for their own team, and for a coach."""
        if pending.team in viewer.teams or session.seats[pending.team] != HUMAN:
            return pending.team
        name = team_text(self.header.names[pending.team])
        raise StaleRequest(f"it is not your turn to roll: waiting for {name}")

    async def undo(self, viewer: Viewer, moment: int) -> Reply:
        """Undo to the last decision of this player, by the rules of the session."""
        self.check_may_undo()
        team = viewer.teams[0] if len(viewer.teams) == 1 else NOBODY
        return await self._act(viewer, lambda session: session.undo(moment, team), moment)

    def check_may_undo(self) -> None:
        """Raise if nothing may be undone at this table any more."""
        if self.league:
            raise Forbidden("there is no undo in league games")
        self._check_log_length()

    async def undo_agreed(self, team: int, moment: int) -> Reply:
        """Undo to the last decision of a player, to which the opponent has agreed."""
        self.check_may_undo()
        return await self._act(
            Viewer((team,)), lambda session: session.undo(moment, team, agreed=True), moment
        )

    def _check_log_length(self) -> None:
        """Raise if the log has become so long that the game can only be played to its end."""
        if self.line_count >= MAX_LOG_LINES:
            raise Forbidden("this game's log is full: you can only play it to the end")

    async def set_standing_order(self, viewer: Viewer, when: str, window: str) -> Reply:
        """Set a standing order for windows, for each team of the viewer."""
        self._check_log_length()

        def act(session: GameSession) -> Reply:
            replies = [session.set_order(team, when, window) for team in viewer.teams]
            return replies[-1]

        return await self._act(viewer, act)

    async def assign_seat(self, viewer: Viewer, team: int, occupant: str) -> Reply:
        """Give a seat to a coach, or back to its player."""

        def act(session: GameSession) -> Reply:
            is_own = team in viewer.teams
            if occupant == HUMAN and not is_own:
                raise Forbidden("only the player of this seat can take it back")
            if not is_own and not self.is_abandoned(team):
                raise Forbidden(team_clause(session.header.names[team], "[is] still here"))
            if team not in self.seats:
                raise Forbidden("this seat has had a coach from the start")
            return session.take_seat(team, occupant)

        return await self._act(viewer, act)

    async def close(self, viewer: Viewer) -> None:
        """Abandon a game for good."""

        async def apply() -> None:
            self._check_may_play(viewer)
            if self.row.stage not in (NOT_STARTED, PLAYING):
                raise StaleRequest("this game is already over")
            if self.league:
                raise Forbidden("a league game cannot be abandoned: hand your team to a coach")
            if any(not self.is_abandoned(team) for team in self.other_players(viewer)):
                raise Forbidden("the other player is still here")
            await self._commit(Change(self.id, columns={"stage": CLOSED}))

        await self.apply_change(apply)

    async def record_rematch(self, other: Change) -> None:
        """Record a rematch and create its table in the same transaction; the lock is held."""
        await self._commit(Change(self.id, columns={"rematch": other.table}, linked=[other]))

    def other_players(self, viewer: Viewer) -> list[int]:
        """Return the teams of the other players."""
        return [
            team for team, seat in self.seats.items() if team not in viewer.teams and seat.holder
        ]

    # --- Talk ----------------------------------------------------------------------------------

    def check_may_talk(self, viewer: Viewer) -> None:
        """Raise unless the viewer plays at this table; a finished game may be talked about."""
        if not viewer.teams:
            raise Forbidden("you are a spectator: only players can do this")
        if self.row.stage == CLOSED:
            raise StaleRequest("this table is closed")

    async def change_settings(self, change: Callable[[], Mapping[str, Any]]) -> None:
        """Commit further settings; `change` sees the current ones, and None removes a key."""

        async def apply() -> None:
            merged = {**self.row.settings, **change()}
            settings = {key: value for key, value in merged.items() if value is not None}
            await self._commit(Change(self.id, columns={"settings": settings}))

        await self.apply_change(apply)

    # --- League games --------------------------------------------------------------------------

    async def vacate(self, team: int) -> None:
        """Give a seat to the team's coach because its player has left the league."""

        async def apply() -> None:
            if team not in self.seats or self.is_over:
                return
            seat = replace(self.seats[team], holder="", word=self.seats[team].word or "")
            if self.session is not None:
                self._to_coach(self.session, team)
            await self._write_seats(Change(self.id, voided_teams=[team]), seat)

        await self.apply_change(apply)
        await self.start_if_ready()

    async def give_seat(self, team: int, holder: str, by: str) -> None:
        """Give a seat to a player if it is free or held by `by`."""

        async def apply() -> None:
            if team in self.seats and self.seats[team].holder in ("", by) and not self.is_over:
                seat = replace(self.seats[team], holder=holder)
                await self._write_seats(Change(self.id, voided_teams=[team]), seat)

        await self.apply_change(apply)

    def _played_out_change(self, left: bool) -> Change:
        if left == self.is_played_out_elsewhere:
            return Change(self.id)
        return Change(
            self.id, columns={"settings": {**self.row.settings, PLAYED_OUT_SETTING: left}}
        )

    async def hand_off(self) -> list[str]:
        """Hand the game over to the autoplay pool; return the log lines to continue from."""

        async def make_ready() -> None:
            if self.session is None:
                waiting = [replace(self.seats[team], word="") for team in self.teams_without_seed()]
                await self._write_seats(Change(self.id), *waiting)

        async def hand_off() -> list[str]:
            session = self.require_session()
            for team in session.human_teams:
                self._to_coach(session, team)
            await self._commit(self._played_out_change(True))
            return await asyncio.to_thread(self.services.store.read_lines, self.id)

        await self.apply_change(make_ready)
        await self.start_if_ready()
        return await self.apply_change(hand_off)

    async def recall(self) -> None:
        """Take the game back from the autoplay pool."""

        async def apply() -> None:
            if not self.is_over:
                await self._commit(self._played_out_change(False))

        await self.apply_change(apply)
        self.resume_autoplay()

    async def append_played(self, lines: list[str], more: list[str]) -> None:
        """Append what the autoplay pool played after these lines; raise if the table has changed
        since.
        """

        async def apply() -> None:
            if self.line_count != len(lines):
                raise StaleRequest("the table has changed in the meantime")
            published = self.published_count
            await self.rebuild([*lines, *more])
            self.published_count, self.line_count, self._pending_lines = (
                published,
                len(lines),
                more,
            )
            await self._commit()

        await self.apply_change(apply)

    # --- Views ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def consistent_read(self) -> AsyncIterator[None]:
        """Hold a state in which everything that was played is committed.

        If no change is running, it yields at once, without queuing behind those who wait to change
        something.
        """
        if not self.lock.locked():
            yield
            return
        async with self.lock:
            yield

    def view_for(self, viewer: Viewer) -> Game:
        """Return the game as a viewer may see it, cached until the table changes."""
        assert self.session is not None
        cached = self._views.get(viewer.perspective)
        if cached is None or cached[0] != self.page_version:
            cached = (self.page_version, self.session.view_for(viewer.perspective))
            self._views[viewer.perspective] = cached
        return cached[1]

    async def visible_game(self, viewer: Viewer) -> Game:
        """Return the game as a viewer may see it, fully committed; it must have begun."""
        self.require_session()
        async with self.consistent_read():
            return self.view_for(viewer)

    def public_summary(self, viewer: Viewer) -> Game:
        """Return only the public summary of the game, as a viewer may see it."""
        assert self.session is not None
        return self.session.public_summary(viewer.perspective)

    async def read_events(self, number: int, viewer: Viewer) -> list[dict[str, Any]]:
        """Return what `events_since` does; many events are rendered on a thread."""
        if self.published_count - number <= MAX_EVENTS_ON_LOOP:
            return self.events_since(number, viewer)
        return await asyncio.to_thread(self.events_since, number, viewer)

    def events_since(self, number: int, viewer: Viewer) -> list[dict[str, Any]]:
        """Return the committed feed events after a number that a viewer may see.

        The result is shared by all viewers with the same rights.
        """
        session, published_count, cache = self.session, self.published_count, self._feed_cache
        if session is None:
            return []
        visible = cache.get((number, viewer.perspective))
        if visible is None:
            events = session.feed_since(number, viewer.perspective)
            visible = [event for event in events if event["number"] <= published_count]
            if len(cache) < MAX_CACHED_FEEDS:  # a publication meanwhile has begun another cache
                cache[number, viewer.perspective] = visible
        return visible

    async def log(self, viewer: Viewer) -> str:
        """Return the log as far as the viewer may see it; all of it once the game is over."""
        if self.is_over:
            return "".join(await asyncio.to_thread(self.services.store.read_lines, self.id))
        session = self.require_session()
        return await asyncio.to_thread(_public_log_text, session, viewer.perspective)


def _public_log_text(session: GameSession, perspective: int) -> str:
    return "".join(log.format_line(line) for line in session.public_log(perspective))
