"""Tests of `hashmark resume`: the last game, or the one that is named."""

from __future__ import annotations

from pathlib import Path

from fuzz.in_process import get_refusal, run_ok

PLAY = ("play", "fourth-down", "--seed", "1")


def test_the_newest_unfinished_game_is_resumed() -> None:
    assert "no unfinished game in" in get_refusal("resume")
    run_ok(*PLAY, "--home", "coach:book")
    run_ok(*PLAY, stdin_text="q\n")
    assert "Which style?" in run_ok("resume", stdin_text="q\n").out


def test_a_finished_game_is_only_summarized(tmp_path: Path) -> None:
    log = str(tmp_path / "a.log")
    run_ok(*PLAY, "--home", "coach:book", "--log", log)
    output = run_ok("resume", log).out
    assert output.startswith("This game is over.\n")
    assert "Time of possession" in output
