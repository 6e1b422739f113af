"""Saved games that are resumed at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.in_process import run_ok
from hashmark.terminal.launch import resume_game
from hashmark.terminal.screen import Screen


def test_a_finished_game_is_only_summarized(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.log"
    seats = ("--home", "coach:book", "--away", "coach:book", "--seed", "1")
    run_ok("play", "fourth-down", *seats, "--log", str(path))
    before = path.read_bytes()
    capsys.readouterr()
    resume_game(Screen(), path)
    assert capsys.readouterr().out.startswith("This game is over.\n")
    assert path.read_bytes() == before
