"""Model-based test of a game session, compared with a plain game that sees only accepted input.

Several viewers follow the session; calls come late, twice and from the wrong side; turns are
undone; the disk fails; connections are lost; and the process restarts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from hashmark.engine.game import Game
from hashmark.engine.record import NOBODY, TEAMS
from hashmark.engine.rule_set import NO_CALL, CallCode
from hashmark.errors import OutOfDice
from hashmark.session import log
from hashmark.session.game_session import STANDING_ORDERS, GameSession, Reply
from hashmark.session.header import DICE_MODES, Header
from hashmark.session.pending import PendingCall, PendingDie, PendingSeat
from hashmark.session.redaction import VIEWERS

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("fourth-down", {}),
    ("roll-for-yardage", {}),
    ("two-minute-drill", {}),
    ("rapid-roll", {}),
    ("data-driven", {}),
    ("data-driven", {"audibles": "board"}),
    ("data-driven", {"audibles": "pc"}),
)
SEATS = (("human", "human"), ("human", "coach:random"), ("coach:book", "human"), ("human", "open"))


class DiskFull(Exception):
    """The log could not be written."""


class SessionMachine(RuleBasedStateMachine):
    """Random actions of people and processes on one session."""

    @initialize(
        game=st.sampled_from(GAMES),
        seats=st.sampled_from(SEATS),
        dice=st.sampled_from(DICE_MODES),
        seed=st.integers(0, 50),
    )
    def start_session(
        self, game: tuple[str, dict[str, Any]], seats: tuple[str, str], dice: str, seed: int
    ) -> None:
        name, options = game
        seats_by_team = dict(zip(TEAMS, seats, strict=True))
        self.header = Header(name, options, seats_by_team, dice, seed, salt="00")
        self.model: Game = self.header.new_game()
        self.lines: list[Mapping[str, Any]] = [self.header.to_json()]
        self.fails = False
        self.session = GameSession(self.header, self.header.new_game(), self.persist)
        self.received: dict[int, list[Any]] = {viewer: [] for viewer in VIEWERS}
        self.waiting: tuple[CallCode, list[list[int]]] | None = None
        self.folder = tempfile.TemporaryDirectory()
        self.follower = GameSession(self.header, self.header.new_game())
        _, self.chain = log.seal_line("", self.lines[0])
        self.followed = 1  # lines

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def persist(self, line: Mapping[str, Any]) -> None:
        if self.fails:
            raise DiskFull
        self.lines.append(line)

    # --- The model follows what was accepted ------------------------------------------

    def play_in_model(self, call: CallCode, faces: list[list[int]] | None = None) -> None:
        """Play in the model what the session has accepted."""
        if self.header.dice == "auto":
            self.model.play(call)
            return
        faces = faces or [[], []]
        try:
            log.play_with_faces(self.model, call, faces)
            self.waiting = None
        except OutOfDice:
            self.waiting = (call, faces)

    def state(self) -> tuple[Any, ...]:
        """Return everything that must not change when something is refused."""
        session = self.session
        counts = len(self.lines), len(session.feed.events), session.moment
        return (*counts, session.game.position.copy(), session.pending_input(), list(session.seats))

    def check_refused(self, reply: Reply, before: tuple[Any, ...]) -> None:
        assert not reply.accepted
        assert reply.reason
        assert self.state() == before

    # --- What may happen --------------------------------------------------------------

    @precondition(lambda self: isinstance(self.session.pending_input(), PendingCall))
    @rule(data=st.data())
    def make_call(self, data: st.DataObject) -> None:
        pending = self.session.pending_input()
        assert isinstance(pending, PendingCall)
        call = data.draw(st.sampled_from(pending.calls))
        reply = self.session.answer(pending.moment, pending.team, call)
        assert reply.accepted, reply.reason
        self.play_in_model(call)
        after = self.state()
        self.check_refused(self.session.answer(pending.moment, pending.team, call), after)

    @precondition(lambda self: isinstance(self.session.pending_input(), PendingCall))
    @rule(off=st.sampled_from((-3, -1, 1, 5)), data=st.data())
    def make_invalid_call(self, off: int, data: st.DataObject) -> None:
        pending, before = self.session.pending_input(), self.state()
        assert isinstance(pending, PendingCall)
        legal = pending.calls[0]
        self.check_refused(self.session.answer(pending.moment + off, pending.team, legal), before)
        self.check_refused(self.session.answer(pending.moment, 1 - pending.team, legal), before)
        self.check_refused(self.session.roll(pending.moment, pending.team, 0, 1), before)
        possible = {*pending.calls, *pending.question.unlisted_calls}
        codes = range(NO_CALL, len(self.model.rules.calls) + 1)
        call = data.draw(st.sampled_from([code for code in codes if code not in possible]))
        self.check_refused(self.session.answer(pending.moment, pending.team, call), before)

    @precondition(lambda self: isinstance(self.session.pending_input(), PendingDie))
    @rule(data=st.data())
    def roll_die(self, data: st.DataObject) -> None:
        pending, before = self.session.pending_input(), self.state()
        assert isinstance(pending, PendingDie)
        self.check_refused(
            self.session.roll(pending.moment, pending.team, pending.die_index, 99), before
        )
        self.check_refused(
            self.session.roll(pending.moment, pending.team, pending.die_index + 1, 1), before
        )
        self.check_refused(
            self.session.roll(pending.moment - 1, pending.team, pending.die_index, 1), before
        )
        self.check_refused(self.session.answer(pending.moment, pending.team, 0), before)
        face = data.draw(st.sampled_from(pending.die.faces))
        assert self.session.roll(pending.moment, pending.team, pending.die_index, face).accepted
        call, faces = self.waiting or (NO_CALL, [[], []])
        faces = [list(faces[0]), list(faces[1])]
        faces[pending.team].append(face)
        self.play_in_model(call, faces)
        after = self.state()
        self.check_refused(
            self.session.roll(pending.moment, pending.team, pending.die_index, face), after
        )

    @precondition(lambda self: self.session.pending_input() is None and not self.session.is_over)
    @rule()
    def advance_session(self) -> None:
        """Advance coaches, passing windows, forced answers and dice, as the model would."""
        team = self.model.team_to_act if self.model.wants_call else NOBODY
        call = NO_CALL
        if team != NOBODY:
            coach = self.session.coaches[team]
            call = self.model.decide(coach) if coach else self.automatic_call()
        assert self.session.advance()
        self.play_in_model(call)

    def automatic_call(self) -> CallCode:
        """Return the default of a window; for any other question the only answer."""
        question = self.model.question
        if question.is_window:
            return question.default
        (call,) = self.model.legal_calls()
        return call

    @precondition(lambda self: isinstance(self.session.pending_input(), PendingSeat))
    @rule(who=st.sampled_from(("human", "coach:random")))
    def take_open_seat(self, who: str) -> None:
        pending, before = self.session.pending_input(), self.state()
        assert isinstance(pending, PendingSeat)
        self.check_refused(self.session.answer(pending.moment, 0, 0), before)
        assert not self.session.advance()
        assert self.session.take_seat(pending.team, who).accepted

    @rule(team=st.sampled_from((0, 1)), when=st.sampled_from(STANDING_ORDERS))
    def set_standing_order(self, team: int, when: str) -> None:
        assert self.session.set_order(team, when).accepted

    @rule(team=st.sampled_from((NOBODY, 0, 1)))
    def undo(self, team: int) -> None:
        before, turns = self.state(), len(self.session.game.turns)
        both_human = self.session.human_teams == [0, 1]
        reply = self.session.undo(self.session.moment, team)
        if not reply.accepted:
            self.check_refused(reply, before)
            return
        count = turns - len(self.session.game.turns)
        undone = self.model.turns[len(self.model.turns) - count :]
        if both_human and self.header.dice == "auto":
            assert not any(turn.has_dice for turn in undone)
        for _ in range(count):
            self.model.take_back()
        self.waiting = None
        waiting = self.session.pending_turn
        if waiting is not None:
            self.waiting = (waiting.call, [[], []])
        after = self.state()
        self.check_refused(self.session.undo(before[2] - 1, team), after)

    @precondition(lambda self: not self.session.is_over)
    @rule(data=st.data())
    def fail_to_persist(self, data: st.DataObject) -> None:
        """What cannot be persisted has not happened."""
        before = self.state()
        self.fails = True
        with pytest.raises(DiskFull):
            self.give_pending_input(data)
        self.fails = False
        assert self.state() == before
        assert self.session.game.draw_count == self.model.draw_count

    def give_pending_input(self, data: st.DataObject) -> None:
        """Give the pending input, or advance."""
        pending = self.session.pending_input()
        if isinstance(pending, PendingCall):
            call = data.draw(st.sampled_from(pending.calls))
            self.session.answer(pending.moment, pending.team, call)
        elif isinstance(pending, PendingDie):
            face = data.draw(st.sampled_from(pending.die.faces))
            self.session.roll(pending.moment, pending.team, pending.die_index, face)
        elif isinstance(pending, PendingSeat):
            self.session.take_seat(pending.team, "human")
        else:
            self.session.advance()

    @rule()
    def restart_process(self) -> None:
        """The persisted lines restore the same session."""
        path = Path(self.folder.name) / "game.log"
        with path.open("w", encoding="utf-8") as stream:
            writer = log.LogWriter(stream, sync_each_line=False)
            for line in self.lines:
                writer.write(line)
        again, _ = GameSession.resume(path)
        self.check_same(again)
        again.persist = self.persist
        self.session = again

    def check_same(self, other: GameSession) -> None:
        """Check that a session made from the persisted lines equals this one."""
        session = self.session
        assert other.pending_input() == session.pending_input()
        assert other.game.position == session.game.position
        assert (other.moment, other.seats, other.orders) == (
            session.moment,
            session.seats,
            session.orders,
        )
        assert other.turns_by_people == session.turns_by_people
        for viewer in VIEWERS:
            assert other.feed_since(0, viewer) == session.feed_since(0, viewer)

    @rule(goes_on=st.booleans())
    def follow_in_other_process(self, goes_on: bool) -> None:
        """Another process applies the new lines; it may continue the session."""
        more, chain = "", self.chain
        for line in self.lines[self.followed :]:
            text, chain = log.seal_line(chain, line)
            more += text
        if more:
            place = log.LogPosition(Path("game.log"), self.followed, self.chain)
            assert self.follower.apply_lines(more.encode(errors="surrogatepass"), place) == chain
        self.followed, self.chain = len(self.lines), chain
        self.check_same(self.follower)
        if goes_on:
            self.follower, self.session = self.session, self.follower
            self.session.persist = self.persist

    @rule(viewer=st.sampled_from(VIEWERS))
    def catch_up(self, viewer: int) -> None:
        known = self.received[viewer]
        last = known[-1]["number"] if known else 0
        known += self.session.feed_since(last, viewer)
        assert known == self.session.feed_since(0, viewer)

    @rule(viewer=st.sampled_from(VIEWERS), lost=st.integers(1, 9))
    def lose_connection(self, viewer: int, lost: int) -> None:
        """The viewer goes back to an earlier event and receives the rest again."""
        del self.received[viewer][-lost:]

    # --- What must always be true -----------------------------------------------------

    @invariant()
    def model_agrees(self) -> None:
        if not hasattr(self, "model"):
            return
        assert self.session.game.position == self.model.position
        ours = [(turn.team, turn.call, turn.faces) for turn in self.session.game.turns]
        assert ours == [(turn.team, turn.call, turn.faces) for turn in self.model.turns]

    @invariant()
    def event_numbers_are_consecutive(self) -> None:
        if hasattr(self, "session"):
            numbers = [event.number for event in self.session.feed.events]
            assert numbers == list(range(1, len(numbers) + 1))


SessionMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)
TestSession = SessionMachine.TestCase


@pytest.mark.long
def test_many_sessions_agree_with_the_model() -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        SessionMachine,
        settings=settings(max_examples=1500, stateful_step_count=80, deadline=None),
    )
