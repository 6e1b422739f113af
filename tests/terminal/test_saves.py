"""Tests of saved games: which of them is resumed."""

from __future__ import annotations

import fcntl

from fuzz.in_process import hashmark
from hashmark.terminal import saves


def test_a_game_that_is_open_elsewhere_is_skipped() -> None:
    hashmark("play", "fourth-down", "--seed", "1", said="q\n")
    hashmark("play", "roll-for-yardage", "--seed", "1", said="q\n")
    newest, older = saves.saved()
    with newest.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert saves.last_unfinished() == older
    assert saves.last_unfinished() == newest
