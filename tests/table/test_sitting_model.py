"""A sitting driven at random, compared with a plain game that sees only what was accepted.

Several viewers follow it, calls come late, twice and from the wrong side, things are taken
back, the disk fails, connections are lost, and the process is started anew.
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

from hashmark.table import log
from hashmark.table.errors import OutOfDice
from hashmark.table.game import Game
from hashmark.table.header import DICE, Header
from hashmark.table.record import NOBODY, TEAMS
from hashmark.table.secrets import VIEWERS
from hashmark.table.sitting import ORDERS, Reply, Sitting
from hashmark.table.wanted import CallWanted, DieWanted, SeatWanted

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
    """The keeper of the log could not write."""


class AtTheTable(RuleBasedStateMachine):
    """Random things that people and machines do around one table."""

    @initialize(
        game=st.sampled_from(GAMES),
        seats=st.sampled_from(SEATS),
        dice=st.sampled_from(DICE),
        seed=st.integers(0, 50),
    )
    def sit_down(
        self, game: tuple[str, dict[str, Any]], seats: tuple[str, str], dice: str, seed: int
    ) -> None:
        name, options = game
        chairs = dict(zip(TEAMS, seats, strict=True))
        self.header = Header(name, options, chairs, dice, seed, salt="00")
        self.model: Game = self.header.new_game()
        self.lines: list[Mapping[str, Any]] = [self.header.to_json()]
        self.fails = False
        self.sitting = Sitting(self.header, self.header.new_game(), self.keep)
        self.received: dict[int, list[Any]] = {viewer: [] for viewer in VIEWERS}
        self.waiting: tuple[str | None, list[list[int]]] | None = None
        self.folder = tempfile.TemporaryDirectory()
        self.follower = Sitting(self.header, self.header.new_game())
        _, self.chain = log.sealed("", self.lines[0])
        self.followed = 1  # lines

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def keep(self, line: Mapping[str, Any]) -> None:
        if self.fails:
            raise DiskFull
        self.lines.append(line)

    # --- The model follows what was accepted ------------------------------------------

    def follow(self, call: str | None, faces: list[list[int]] | None = None) -> None:
        """Play in the model what the sitting has accepted."""
        if self.header.dice == "auto":
            self.model.play(call)
            return
        faces = faces or [[], []]
        try:
            log.play_listed(self.model, call, faces)
            self.waiting = None
        except OutOfDice:
            self.waiting = (call, faces)

    def standing(self) -> tuple[Any, ...]:
        """What must not change when something is refused."""
        sitting = self.sitting
        kept = len(self.lines), len(sitting.stream.entries), sitting.moment
        return (*kept, sitting.game.position.copy(), sitting.wanted(), list(sitting.seats))

    def refused(self, reply: Reply, before: tuple[Any, ...]) -> None:
        assert not reply.accepted
        assert reply.reason
        assert self.standing() == before

    # --- What may happen --------------------------------------------------------------

    @precondition(lambda self: isinstance(self.sitting.wanted(), CallWanted))
    @rule(data=st.data())
    def somebody_calls(self, data: st.DataObject) -> None:
        wanted = self.sitting.wanted()
        assert isinstance(wanted, CallWanted)
        call = data.draw(st.sampled_from(wanted.calls))
        reply = self.sitting.answer(wanted.moment, wanted.team, call)
        assert reply.accepted, reply.reason
        self.follow(call)
        again = self.standing()
        self.refused(self.sitting.answer(wanted.moment, wanted.team, call), again)

    @precondition(lambda self: isinstance(self.sitting.wanted(), CallWanted))
    @rule(off=st.sampled_from((-3, -1, 1, 5)), call=st.sampled_from(("punt", "blitz", "", "run")))
    def a_call_comes_wrong(self, off: int, call: str) -> None:
        wanted, before = self.sitting.wanted(), self.standing()
        assert isinstance(wanted, CallWanted)
        legal = wanted.calls[0]
        self.refused(self.sitting.answer(wanted.moment + off, wanted.team, legal), before)
        self.refused(self.sitting.answer(wanted.moment, 1 - wanted.team, legal), before)
        self.refused(self.sitting.roll(wanted.moment, wanted.team, 0, 1), before)
        if call not in (*wanted.calls, "blitz", "punt", "run"):
            self.refused(self.sitting.answer(wanted.moment, wanted.team, call), before)

    @precondition(lambda self: isinstance(self.sitting.wanted(), DieWanted))
    @rule(data=st.data())
    def somebody_rolls(self, data: st.DataObject) -> None:
        wanted, before = self.sitting.wanted(), self.standing()
        assert isinstance(wanted, DieWanted)
        self.refused(self.sitting.roll(wanted.moment, wanted.team, wanted.at, 99), before)
        self.refused(self.sitting.roll(wanted.moment, wanted.team, wanted.at + 1, 1), before)
        self.refused(self.sitting.roll(wanted.moment - 1, wanted.team, wanted.at, 1), before)
        self.refused(self.sitting.answer(wanted.moment, wanted.team, "punt"), before)
        face = data.draw(st.sampled_from(wanted.die.faces))
        assert self.sitting.roll(wanted.moment, wanted.team, wanted.at, face).accepted
        call, faces = self.waiting or (None, [[], []])
        faces = [list(faces[0]), list(faces[1])]
        faces[wanted.team].append(face)
        self.follow(call, faces)
        after = self.standing()
        self.refused(self.sitting.roll(wanted.moment, wanted.team, wanted.at, face), after)

    @precondition(lambda self: self.sitting.wanted() is None and not self.sitting.is_over)
    @rule()
    def the_table_goes_on(self) -> None:
        """Coaches, windows that pass, answers without a choice, dice: as the model would."""
        team = self.model.asked if self.model.wants_call else NOBODY
        call = None
        if team != NOBODY:
            coach = self.sitting.coaches[team]
            call = self.model.decide(coach) if coach else self.without_asking()
        assert self.sitting.proceed()
        self.follow(call)

    def without_asking(self) -> str:
        """The default of a window; of any other question the one answer that it has."""
        rules, question = self.model.rules, self.model.question
        if question.is_window:
            return rules.calls[question.default]
        (only,) = self.model.legal()
        return only

    @precondition(lambda self: isinstance(self.sitting.wanted(), SeatWanted))
    @rule(who=st.sampled_from(("human", "coach:random")))
    def somebody_sits_down(self, who: str) -> None:
        wanted, before = self.sitting.wanted(), self.standing()
        assert isinstance(wanted, SeatWanted)
        self.refused(self.sitting.answer(wanted.moment, 0, "punt"), before)
        assert not self.sitting.proceed()
        assert self.sitting.sit(wanted.team, who).accepted

    @rule(team=st.sampled_from((0, 1)), when=st.sampled_from(ORDERS))
    def a_standing_order(self, team: int, when: str) -> None:
        assert self.sitting.order(team, when).accepted

    @rule(team=st.sampled_from((NOBODY, 0, 1)))
    def something_is_taken_back(self, team: int) -> None:
        before, turns = self.standing(), len(self.sitting.game.turns)
        two = self.sitting.persons == [0, 1]
        reply = self.sitting.take_back(self.sitting.moment, team)
        if not reply.accepted:
            self.refused(reply, before)
            return
        back = turns - len(self.sitting.game.turns)
        gone = self.model.turns[len(self.model.turns) - back :]
        if two and self.header.dice == "auto":
            assert not any(turn.rolled for turn in gone)
        for _ in range(back):
            self.model.undo()
        self.waiting = None
        waiting = self.sitting.waiting
        if waiting is not None:
            self.waiting = (waiting.call, [[], []])
        late = self.standing()
        self.refused(self.sitting.take_back(before[2] - 1, team), late)

    @precondition(lambda self: not self.sitting.is_over)
    @rule(data=st.data())
    def the_disk_fails(self, data: st.DataObject) -> None:
        """What cannot be kept has not happened."""
        before = self.standing()
        self.fails = True
        with pytest.raises(DiskFull):
            self.anything(data)
        self.fails = False
        assert self.standing() == before
        assert self.sitting.game.drawn == self.model.drawn

    def anything(self, data: st.DataObject) -> None:
        """Whatever is wanted now, done by whoever is wanted."""
        wanted = self.sitting.wanted()
        if isinstance(wanted, CallWanted):
            call = data.draw(st.sampled_from(wanted.calls))
            self.sitting.answer(wanted.moment, wanted.team, call)
        elif isinstance(wanted, DieWanted):
            face = data.draw(st.sampled_from(wanted.die.faces))
            self.sitting.roll(wanted.moment, wanted.team, wanted.at, face)
        elif isinstance(wanted, SeatWanted):
            self.sitting.sit(wanted.team, "human")
        else:
            self.sitting.proceed()

    @rule()
    def the_process_starts_anew(self) -> None:
        """The kept lines make the same sitting."""
        path = Path(self.folder.name) / "game.log"
        with path.open("w", encoding="utf-8") as stream:
            writer = log.Writer(stream, at_once=False)
            for line in self.lines:
                writer.write(line)
        again, _ = Sitting.take_up(path)
        self.is_the_same(again)
        again.keep = self.keep
        self.sitting = again

    def is_the_same(self, other: Sitting) -> None:
        """Another one, made from the kept lines, is as the sitting."""
        sitting = self.sitting
        assert other.wanted() == sitting.wanted()
        assert other.game.position == sitting.game.position
        assert (other.moment, other.seats, other.orders) == (
            sitting.moment,
            sitting.seats,
            sitting.orders,
        )
        assert other.by_persons == sitting.by_persons
        for viewer in VIEWERS:
            assert other.since(0, viewer) == sitting.since(0, viewer)

    @rule(goes_on=st.booleans())
    def another_process_follows(self, goes_on: bool) -> None:
        """It takes in the lines that were kept since; it may be the one that goes on."""
        more, chain = "", self.chain
        for line in self.lines[self.followed :]:
            text, chain = log.sealed(chain, line)
            more += text
        if more:
            place = log.Place(Path("game.log"), self.followed, self.chain)
            assert self.follower.follow(more.encode(errors="surrogatepass"), place) == chain
        self.followed, self.chain = len(self.lines), chain
        self.is_the_same(self.follower)
        if goes_on:
            self.follower, self.sitting = self.sitting, self.follower
            self.sitting.keep = self.keep

    @rule(viewer=st.sampled_from(VIEWERS))
    def a_viewer_catches_up(self, viewer: int) -> None:
        known = self.received[viewer]
        last = known[-1]["number"] if known else 0
        known += self.sitting.since(last, viewer)
        assert known == self.sitting.since(0, viewer)

    @rule(viewer=st.sampled_from(VIEWERS), lost=st.integers(1, 9))
    def a_connection_is_lost(self, viewer: int, lost: int) -> None:
        """The viewer goes back to what he is sure of, and will be told the rest again."""
        del self.received[viewer][-lost:]

    # --- What must always be true -----------------------------------------------------

    @invariant()
    def the_model_agrees(self) -> None:
        if not hasattr(self, "model"):
            return
        assert self.sitting.game.position == self.model.position
        ours = [(turn.team, turn.call, turn.faces) for turn in self.sitting.game.turns]
        assert ours == [(turn.team, turn.call, turn.faces) for turn in self.model.turns]

    @invariant()
    def numbers_run_without_a_gap(self) -> None:
        if hasattr(self, "sitting"):
            numbers = [one.number for one in self.sitting.stream.entries]
            assert numbers == list(range(1, len(numbers) + 1))


AtTheTable.TestCase.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)
TestAtTheTable = AtTheTable.TestCase


@pytest.mark.long
def test_at_many_tables() -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        AtTheTable,
        settings=settings(max_examples=1500, stateful_step_count=80, deadline=None),
    )
