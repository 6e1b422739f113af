"""Box score and drives, in every game."""

from __future__ import annotations

from functools import cache

import pytest

from hashmark.referee import Referee
from hashmark.table import registry
from hashmark.table.game import Game
from hashmark.telling import summary


@cache
def games(rules: str) -> list[Game]:
    referee = Referee(registry.load(rules), seed=8)
    return [referee.played({}, number, "book") for number in range(4)]


@pytest.mark.parametrize("rules", registry.built_in())
def test_the_last_drive_ends_with_the_game(rules: str) -> None:
    for game in games(rules):
        found = summary.drives(game)
        assert all(drive.result for drive in found)
        assert all(drive.result != summary.END_OF_GAME for drive in found[:-1])
        assert not found or found[-1].result != summary.END_OF_HALF


def test_time_ends_some_drives() -> None:
    """Both words come up, or the test above says nothing."""
    ends = {
        drive.result
        for rules in registry.built_in()
        for game in games(rules)
        for drive in summary.drives(game)
    }
    assert {summary.END_OF_HALF, summary.END_OF_GAME} <= ends


@pytest.mark.parametrize("rules", registry.built_in())
def test_a_blank_box_score_has_the_same_lines(rules: str) -> None:
    known = registry.load(rules)
    played = summary.box_rows(known, games(rules)[0])
    assert [row[0] for row in played] == [row[0] for row in summary.box_rows(known, None)]
