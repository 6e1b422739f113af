"""Path of the current drive."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from hashmark.engine import registry
from hashmark.text.summary import list_drives
from hashmark.web.svg.drive import drive_path
from web.svg.game_positions import GAMES, positions


@pytest.mark.parametrize("name", GAMES)
def test_a_path_ends_at_the_ball_and_begins_with_the_drive(name: str) -> None:
    count = 0
    for game in positions(name, seed=3):
        path = drive_path(game)
        if not path:
            continue
        count += 1
        assert path[-1] == game.position.spot
        assert all(a != b and 0 < b < 100 for a, b in pairwise(path))
        if game.rules.words.list_drives is not None:
            last = list_drives(game)[-1]
            assert last.team == game.position.possession
            assert not last.result
            assert path[0] == last.spot
    assert count > 3


def test_there_is_no_path_before_the_first_play_or_after_the_game() -> None:
    *_, last = positions("two-minute-drill", seed=2)
    assert last.is_over
    assert drive_path(last) == ()
    assert drive_path(next(positions("two-minute-drill"))) == ()


def test_a_game_that_lists_no_drives_has_a_path() -> None:
    rules = registry.load("roll-for-yardage")
    bare = replace(rules, words=replace(rules.words, list_drives=None))
    assert any(len(drive_path(game)) > 2 for game in positions(bare, seed=3))
