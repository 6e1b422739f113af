"""Tests of `hashmark replay`: a replayed log, and invalid logs."""

from __future__ import annotations

from pathlib import Path

from fuzz.in_process import get_refusal, run_ok
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.session.log import LogWriter


def test_seats_dice_and_switches_are_printed(tmp_path: Path) -> None:
    seats = {"home": "coach:book", "away": "coach:bold"}
    header = Header("fourth-down", seats=seats, seed=4, options={"turnover-spot": "start"})
    path = tmp_path / "a.log"
    writer = LogWriter.create(path, header)
    sitting = GameSession(header, header.new_game(), writer.write)
    while sitting.advance():
        pass
    writer.close()
    output = run_ok("replay", str(path)).out
    first = "4th Down!: home (coach:book) vs. away (coach:bold), seed 4, game 0"
    assert output.startswith(f"{first}, turnover-spot start\n")
    turns = len(sitting.game.turns)
    assert output.endswith(f"verified: {turns} turns, every digest matches\n")


def test_a_solo_game_is_replayed_without_an_opponent(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    play = ("play", "two-minute-drill", "--home", "coach:book", "--seed", "4", "--log", str(path))
    run_ok(*play)
    output = run_ok("replay", str(path)).out
    assert output.startswith("Two-minute drill: home (coach:book), seed 4, game 0\n")
    assert " | home 0 (5 behind) | " in output
    assert ", away" not in output
    sheet = run_ok("sheet", str(path)).out
    assert "Score: home 6 (1 ahead)." in sheet


def test_passed_windows_are_printed_with_all(tmp_path: Path) -> None:
    seats = {"home": "coach:book", "away": "coach:book"}
    header = Header("data-driven", seats=seats, seed=5)
    path = tmp_path / "a.log"
    writer = LogWriter.create(path, header)
    sitting = GameSession(header, header.new_game(), writer.write)
    while len(sitting.game.turns) < 60:
        sitting.advance()
    writer.close()
    short, whole = (run_ok("replay", str(path), *more).out for more in ((), ("--all",)))
    assert "let-it-run" not in short
    assert " calls let-it-run\n" in whole
    assert "Q1 15:00 | home 0, away 0 | " in short


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("no log\n")
    assert "a.log" in get_refusal("replay", str(path))
