"""`hashmark resume`: the last game, or the one that is named."""

from __future__ import annotations

from pathlib import Path

from fuzz.in_process import hashmark, refused

PLAY = ("play", "fourth-down", "--seed", "1")


def test_the_newest_game_that_is_not_over_is_taken() -> None:
    assert "there is no game to go on with" in refused("resume")
    hashmark(*PLAY, "--home", "coach:book")
    hashmark(*PLAY, said="q\n")
    assert "Which style?" in hashmark("resume", said="q\n").out


def test_a_game_that_is_over_is_told(tmp_path: Path) -> None:
    log = str(tmp_path / "a.log")
    hashmark(*PLAY, "--home", "coach:book", "--log", log)
    said = hashmark("resume", log).out
    assert said.startswith("This game is over.\n")
    assert "Time of possession" in said
