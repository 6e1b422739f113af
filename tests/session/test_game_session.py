"""Game session by example: seats, standing orders, undo between people, real dice and restarts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rule_set import NO_CALL
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.game_session import ALWAYS, NEVER, WHEN_IT_MATTERS, GameSession
from hashmark.session.header import Header
from hashmark.session.pending import PendingCall, PendingDie, PendingSeat
from hashmark.session.redaction import SPECTATOR

DOWN = {"phase": "scrimmage", "possession": "home", "spot": 30}
PEOPLE = {"home": "human", "away": "human"}


def make_session(rules: str = "fourth-down", **header: Any) -> GameSession:
    game_header = Header(rules, **header)
    return GameSession(game_header, game_header.new_game())


def call(session: GameSession, name: str) -> None:
    pending = session.pending_input()
    assert isinstance(pending, PendingCall), pending
    reply = session.answer(pending.moment, pending.team, session.parse_call(name))
    assert reply.accepted, reply.reason


def test_an_illegal_code_is_refused_with_a_reason() -> None:
    session = make_session("data-driven", start=DOWN, seats=PEOPLE)
    pending, codes = session.pending_input(), session.game.rules.call_codes
    assert isinstance(pending, PendingCall)
    for code, name in ((codes["blitz"], "blitz"), (NO_CALL, "-1"), (999, "999")):
        reply = session.answer(pending.moment, pending.team, code)
        assert not reply.accepted
        assert reply.reason.startswith(f"'{name}' is not allowed here; allowed: line-plunge")
    assert not session.game.turns
    assert session.answer(pending.moment, pending.team, codes["draw"]).accepted


def test_nothing_advances_while_a_seat_is_open() -> None:
    session = make_session(seats={"home": "human", "away": "open"})
    assert session.pending_input() == PendingSeat(1, AWAY)
    assert not session.advance()
    assert session.take_seat(AWAY, "coach:book").accepted
    assert not session.take_seat(AWAY, "coach:book").accepted
    assert session.pending_input() is None
    assert session.advance()
    with pytest.raises(HashmarkError, match="unknown seat 'robot'"):
        session.take_seat(AWAY, "robot")


def test_a_coach_may_take_over_in_mid_game() -> None:
    session = make_session(seed=5, seats={"home": "human", "away": "human"})
    session.advance()
    team = session.game.team_to_act
    session.take_seat(team, "coach:bold")
    assert session.advance()
    assert session.game.turns[-1].team == team


def test_standing_orders_decide_which_windows_are_asked() -> None:
    """Data-Driven Football asks for timeouts while the clock runs; late in a half they matter."""
    asked: dict[str, int] = {}
    late = {**DOWN, "period": 2, "clock": 600}
    for order in (ALWAYS, NEVER, WHEN_IT_MATTERS):
        session = make_session("data-driven", seed=3, start=late, seats=PEOPLE)
        for team in (HOME, AWAY):
            session.set_order(team, order)
        asked[order] = 0
        while len(session.game.turns) < 80 and not session.is_over:
            if session.advance():
                continue
            pending = session.pending_input()
            assert isinstance(pending, PendingCall)
            asked[order] += pending.question.is_window
            code = pending.question.default if pending.question.is_window else pending.calls[0]
            assert session.answer(pending.moment, pending.team, code).accepted
    assert asked[NEVER] == 0
    assert asked[ALWAYS] > asked[WHEN_IT_MATTERS] > 0


@pytest.mark.parametrize("dice", ["auto", "typed"])
def test_a_question_with_one_answer_is_not_asked(dice: str) -> None:
    """After a safety in Roll For Yardage! there is one kick; its turn is logged all the same."""
    start = {"phase": "safety-kick", "possession": "home"}
    lines: list[Any] = []
    session = make_session("roll-for-yardage", dice=dice, start=start, seats=PEOPLE)
    session.persist = lines.append
    assert session.pending_input() is None
    assert session.advance()
    assert lines[0]["call"] == "safety-kick"
    assert lines[0]["team"] == "home"
    assert isinstance(session.pending_input(), PendingDie if dice == "typed" else PendingCall)


def test_undo_skips_an_automatic_call(tmp_path: Path) -> None:
    """With real dice the only kick waits for its roll at once; undo goes to the call before it."""
    header = Header("roll-for-yardage", dice="typed", seats=PEOPLE)
    path = tmp_path / "a.log"
    writer = log.LogWriter.create(path, header)
    session = GameSession(header, header.new_game(), writer.write)

    def roll(*faces: int) -> None:
        for face in faces:
            while session.advance():
                pass
            pending = session.pending_input()
            assert isinstance(pending, PendingDie)
            assert session.roll(pending.moment, pending.team, pending.die_index, face).accepted

    roll(5, 2)
    call(session, "receive")
    call(session, "kickoff")
    roll(6, 6)  # a touchback: first down, where only a play may be called
    assert session.advance()
    assert session.pending_turn is not None
    assert session.game.rules.calls[session.pending_turn.call] == "scrimmage"
    assert session.undo(session.moment).accepted
    pending = session.pending_input()
    assert isinstance(pending, PendingCall)
    assert pending.question.name == "kickoff"
    writer.close()
    again, _ = GameSession.resume(path)
    assert again.pending_input() == session.pending_input()
    assert again.feed_since(0, SPECTATOR) == session.feed_since(0, SPECTATOR)


def test_a_window_with_one_answer_is_never_asked() -> None:
    start = {**DOWN, "asks": "tempo", "down": 2, "to_go": 5, "seconds": 40}
    start |= {"hurry_up": {"home": 0, "away": 0}, "period": 2, "clock": 200}
    session = make_session("data-driven", start=start, seats=PEOPLE)
    assert isinstance(session.pending_input(), PendingCall)  # let it run, or spike
    drill = {"phase": "reroll", "clock": 0, "dice": {"d4": 1, "d6a": 2, "d6b": 3, "d8": 4}}
    drill["dice"] |= {"dta": 5, "dtb": 6}  # type: ignore[operator]
    session = make_session("two-minute-drill", start=drill, seats=PEOPLE)
    session.set_order(HOME, ALWAYS)
    assert session.pending_input() is None
    assert session.advance()


def test_undo_goes_back_to_a_call_that_was_asked() -> None:
    late = {**DOWN, "period": 1, "clock": 600}
    session = make_session("data-driven", seed=3, start=late)
    session.take_seat(AWAY, "coach:book")
    call(session, "off-tackle")
    while not isinstance(session.pending_input(), PendingCall):
        session.advance()
    assert len(session.game.turns) > 2
    assert session.undo(session.moment).accepted
    assert not session.game.turns


def test_orders_are_private_and_invalid_ones_are_refused() -> None:
    session = make_session("data-driven", start=DOWN)
    session.set_order(HOME, NEVER)
    session.set_order(HOME, ALWAYS, "tempo")
    assert session.orders[HOME] == {"all": "never", "tempo": "always"}
    assert [one["kind"] for one in session.feed_since(0, HOME)] == ["orders", "orders"]
    assert session.feed_since(0, AWAY) == session.feed_since(0, SPECTATOR) == []
    with pytest.raises(HashmarkError, match="unknown standing order"):
        session.set_order(HOME, "sometimes")
    with pytest.raises(HashmarkError, match="unknown window"):
        session.set_order(HOME, NEVER, "play")


def test_undo_is_refused_after_a_revealed_call_between_two_people() -> None:
    """With audibles on the board both calls lie open before any dice are rolled."""
    session = make_session("data-driven", options={"audibles": "board"}, start=DOWN, seats=PEOPLE)
    call(session, "draw")
    assert session.undo_target(HOME) == (1, "")
    assert "you have not made a call" in session.undo_target(AWAY)[1]
    call(session, "nickel")
    assert not session.game.turns[-1].has_dice
    assert "has called since" in session.undo_target(HOME)[1]
    assert "revealed calls are final" in session.undo_target(AWAY)[1]
    assert not session.undo(session.moment, AWAY).accepted


def test_undo_is_allowed_after_a_roll_against_a_coach() -> None:
    session = make_session(seed=5, seats={"home": "human", "away": "coach:book"})
    while not isinstance(session.pending_input(), PendingCall):
        session.advance()
    before = session.game.position.copy()
    call(session, "balanced")
    assert session.game.turns[-1].has_dice
    assert session.undo(session.moment, HOME).accepted
    assert session.game.position == before


def test_pending_real_dice_survive_a_restart(tmp_path: Path) -> None:
    header = Header("fourth-down", seats=PEOPLE, dice="typed")
    path = tmp_path / "a.log"
    writer = log.LogWriter.create(path, header)
    session = GameSession(header, header.new_game(), writer.write)
    coin = session.pending_input()
    assert isinstance(coin, PendingDie)
    assert (coin.team, coin.die_index, coin.die.name) == (HOME, 0, "coin")
    session.roll(coin.moment, HOME, 0, 1)
    call(session, "balanced")
    first = session.pending_input()
    assert isinstance(first, PendingDie)
    session.roll(first.moment, HOME, 0, 14)
    writer.close()

    again, replay = GameSession.resume(path)
    pending = again.pending_input()
    assert isinstance(pending, PendingDie)
    assert (pending.team, pending.die_index) == (HOME, 1)
    assert again.pending_turn is not None
    assert again.game.rules.calls[again.pending_turn.call] == "balanced"
    assert again.pending_turn.faces == ([14], [])
    assert "is already rolled" in again.roll(pending.moment, HOME, 0, 14).reason
    assert "cannot show 21" in again.roll(pending.moment, HOME, 1, 21).reason
    writer = replay.resume_writer()
    again.persist = writer.write
    for face in (8, 6):
        pending = again.pending_input()
        assert isinstance(pending, PendingDie)
        assert again.roll(pending.moment, HOME, pending.die_index, face).accepted
    writer.close()
    assert log.replay(path).game.position == again.game.position
    assert again.game.sentences(again.game.turns[-1])[0].startswith("Home drives 45 yards")


def test_a_call_that_waits_for_dice_can_be_undone() -> None:
    session = make_session(dice="typed", seats=PEOPLE)
    session.roll(1, HOME, 0, 1)
    call(session, "balanced")
    moment = session.moment
    assert "another" not in session.undo(moment, AWAY).reason
    reply = session.undo(moment, HOME)
    assert reply.accepted
    assert session.moment == moment + 1
    assert not session.answer(moment, HOME, session.parse_call("balanced")).accepted
    call(session, "run-first")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"called": 1, "dice": {"home": [1]}}, "it waits for dice that the call does not need"),
        ({"called": 1, "dice": {"home": [9]}}, "a coin cannot show 9"),
        ({"seat": "north", "who": "human"}, "seat must be home or away"),
        ({"seat": "home", "who": 3}, "is not a player or coach"),
        ({"orders": "home", "windows": [1]}, "standing orders are unreadable"),
        ({"orders": ["home"], "windows": {}}, "orders must be home or away"),
    ],
)
def test_forged_lines_are_refused(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    path = tmp_path / "a.log"
    writer = log.LogWriter.create(path, Header("fourth-down", dice="typed"))
    writer.write(line)
    writer.close()
    with pytest.raises(HashmarkError, match=f"line 2: .*{message}"):
        GameSession.resume(path)


def test_a_pending_call_survives_orders_and_seat_changes(tmp_path: Path) -> None:
    header = Header("fourth-down", seats=PEOPLE, dice="typed")
    writer = log.LogWriter.create(tmp_path / "a.log", header)
    session = GameSession(header, header.new_game(), writer.write)
    session.roll(1, HOME, 0, 1)
    call(session, "balanced")
    session.set_order(AWAY, NEVER)
    session.take_seat(AWAY, "coach:book")
    writer.close()
    again, _ = GameSession.resume(tmp_path / "a.log")
    assert again.pending_input() == session.pending_input()
    assert isinstance(again.pending_input(), PendingDie)


class TestCoachDraws:
    """A coach's call waits for real dice: its draws are not lost."""

    def waiting(self) -> tuple[GameSession, list[Any]]:
        """Return a session in which the coach has called a kick and its first die is pending."""
        header = Header(
            "data-driven",
            seats={"home": "coach:random", "away": "human"},
            dice="typed",
            start={"phase": "kickoff", "possession": "home"},
        )
        lines: list[Any] = [header.to_json()]
        session = GameSession(header, header.new_game(), lines.append)
        while session.pending_turn is None:
            assert session.advance()
        assert session.game.draw_count > 0
        return session, lines

    def test_draws_survive_a_restart(self, tmp_path: Path) -> None:
        session, lines = self.waiting()
        path = tmp_path / "a.log"
        with path.open("w", encoding="utf-8") as stream:
            writer = log.LogWriter(stream, sync_each_line=False)
            for line in lines:
                writer.write(line)
        again, _ = GameSession.resume(path)
        assert again.game.draw_count == session.game.draw_count

    def test_draws_survive_a_roll_that_could_not_be_persisted(self) -> None:
        session, _ = self.waiting()
        drawn = session.game.draw_count

        def fail(line: Any) -> None:
            raise OSError("the disk is full")

        while session.pending_turn is not None:
            pending, keep = session.pending_input(), session.persist
            assert isinstance(pending, PendingDie)
            session.persist = fail
            with pytest.raises(OSError, match="disk is full"):
                session.roll(pending.moment, pending.team, pending.die_index, pending.die.faces[0])
            assert session.game.draw_count == drawn
            session.persist = keep
            session.roll(pending.moment, pending.team, pending.die_index, pending.die.faces[0])


def test_pending_input_is_not_cached_across_a_concurrent_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page reads the pending input while a thread plays on: the stale answer is not cached."""
    session = make_session(seats={"home": "human", "away": "human"})
    while not isinstance(session.pending_input(), PendingCall):
        session.advance()
    compute = session._find_pending_input

    def interrupted() -> Any:
        result = compute()
        monkeypatch.setattr(session, "_find_pending_input", compute)
        code = session.game.legal_calls()[0]
        assert session.answer(session.moment, session.game.team_to_act, code).accepted
        return result

    monkeypatch.setattr(session, "_find_pending_input", interrupted)
    session.set_order(HOME, ALWAYS)
    early = session.pending_input()
    assert early is not None
    assert early.moment < session.moment
    assert session.pending_input() == compute()
