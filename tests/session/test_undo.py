"""Undo against a coach shows nothing that comes next: neither the next roll nor a secret call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.errors import BrokenLog
from hashmark.session import log
from hashmark.session.fairness import verify_file
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.session.pending import PendingCall

OLD_LOG = Path(__file__).parent / "logs" / "format-2-undo.log"
TRIES = 40
AGAINST_A_COACH = {"home": "human", "away": "coach:book"}


def start(path: Path, rules: str, **header: Any) -> GameSession:
    """Return a session of a person against a coach that writes its log."""
    game_header = Header(rules, seats=AGAINST_A_COACH, **header)
    session = GameSession(game_header, game_header.new_game())
    chain = ""

    def persist(line: Mapping[str, Any]) -> None:
        nonlocal chain
        text, chain = log.seal_line(chain, line)
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text)

    persist(game_header.to_json())
    session.persist = persist
    return session


def play_to_a_roll(session: GameSession) -> list[int]:
    """Answer with the first legal call until a turn of home has rolled dice; return the faces."""
    while True:
        pending = session.pending_input()
        if pending is None:
            assert session.advance()
            continue
        assert isinstance(pending, PendingCall)
        before = len(session.game.turns)
        assert session.answer(pending.moment, pending.team, pending.calls[0]).accepted
        while session.pending_input() is None and session.advance():
            pass
        faces = [face for turn in session.game.turns[before:] for _, face in turn.faces]
        if faces and not session.is_over:
            return faces


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_the_same_call_after_an_undo_rolls_new_dice(rules: str, tmp_path: Path) -> None:
    session = start(tmp_path / "game.log", rules, seed=11)
    rolls = []
    for _ in range(TRIES):
        rolls.append(tuple(play_to_a_roll(session)))
        assert session.undo(session.moment).accepted
    assert len(set(rolls)) > TRIES // 4
    play_to_a_roll(session)
    assert verify_file(tmp_path / "game.log").dice_count > TRIES


def test_a_restart_after_an_undo_does_not_bring_the_old_dice_back(tmp_path: Path) -> None:
    session = start(tmp_path / "a.log", "fourth-down", seed=3)
    first = play_to_a_roll(session)
    session.undo(session.moment)
    (tmp_path / "b.log").write_bytes((tmp_path / "a.log").read_bytes())
    resumed, _ = GameSession.resume(tmp_path / "b.log")
    second = play_to_a_roll(session)
    assert play_to_a_roll(resumed) == second != first


def test_a_call_that_could_not_be_persisted_shows_the_same_dice_again(tmp_path: Path) -> None:
    session = start(tmp_path / "game.log", "fourth-down", seed=3)
    play_to_a_roll(session)
    session.undo(session.moment)
    good, rejected = session.persist, []

    def fail(line: Any) -> None:
        rejected.append(line["dice"]["home"])
        raise OSError("no space left")

    session.persist = fail
    pending = session.pending_input()
    assert isinstance(pending, PendingCall)
    with pytest.raises(OSError, match="no space"):
        session.answer(pending.moment, pending.team, pending.calls[0])
    session.persist = good
    assert session.answer(pending.moment, pending.team, pending.calls[0]).accepted
    assert session.game.turns[-1].faces_of(0) == rejected[0]


def test_a_log_that_keeps_the_undone_dice_is_not_verified(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    session = start(path, "fourth-down", seed=3)
    old = play_to_a_roll(session)
    session.undo(session.moment)
    assert play_to_a_roll(session) != old
    *lines, last = [json.loads(line) for line in path.read_text().splitlines()]
    chain, text = "", ""
    for line in [*lines, {**last, "dice": {"home": old}}]:
        del line["sum"]
        sealed, chain = log.seal_line(chain, line)
        text += sealed
    path.write_text(text)
    with pytest.raises(BrokenLog, match="the dice are not those of seed 3"):
        verify_file(path)


def test_logs_of_format_2_show_the_same_dice_again() -> None:
    assert verify_file(OLD_LOG).header.format == 2
    session, _ = GameSession.resume(OLD_LOG)
    session.persist = lambda line: None
    rolled = session.game.turns[-1].faces
    while session.game.turns[-1].call == -1:
        session.game.undo()
    assert session.undo(session.moment).accepted
    pending = session.pending_input()
    assert isinstance(pending, PendingCall)
    session.answer(pending.moment, pending.team, pending.calls[0])
    assert session.game.turns[-1].faces == rolled


def test_undo_takes_back_a_secret_call_of_the_coach_that_was_revealed(tmp_path: Path) -> None:
    """The defense calls after the offense; a person on defense would know the play called."""
    down = {"phase": "scrimmage", "possession": "away", "spot": 30}
    session = start(tmp_path / "game.log", "data-driven", seed=5, start=down)
    plays = set()
    for _ in range(TRIES):
        play_to_a_roll(session)
        secret = next(turn for turn in session.game.turns if turn.team == 1)
        plays.add(secret.call)
        assert session.undo(session.moment).accepted
        assert not [turn for turn in session.game.turns if turn.team == 1]
        assert session.pending_input() is None  # the coach calls anew
    assert len(plays) > 2
    verify_file(tmp_path / "game.log")
