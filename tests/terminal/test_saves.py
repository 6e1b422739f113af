"""Tests of saved games: which of them is resumed."""

from __future__ import annotations

import fcntl

from fuzz.in_process import run_ok
from hashmark.terminal import saves


def test_a_game_that_is_open_elsewhere_is_skipped() -> None:
    run_ok("play", "fourth-down", "--seed", "1", stdin_text="q\n")
    run_ok("play", "roll-for-yardage", "--seed", "1", stdin_text="q\n")
    newest, older = saves.list_saves()
    with newest.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert saves.last_unfinished_path() == older
    assert saves.last_unfinished_path() == newest
