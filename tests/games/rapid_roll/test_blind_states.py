"""Rows of the value table of the blind game."""

from __future__ import annotations

from hashmark.games.rapid_roll import RULES
from hashmark.games.rapid_roll.blind_states import (
    KICKOFF_ROW,
    ROWS,
    SAFETY_KICK_ROW,
    SCRIMMAGE_ROWS,
    TRY_ROW,
    down_of_row,
    scrimmage_row,
    state_row,
)

M = RULES.new_match()


def test_a_row_holds_the_down_that_it_stands_for() -> None:
    for row in range(SCRIMMAGE_ROWS):
        down = down_of_row(row)
        assert down_of_row(scrimmage_row(*down)) == down


def test_every_down_has_a_row_with_about_as_many_yards_to_go() -> None:
    for spot in range(1, 100):
        for down in range(1, 5):
            for to_go in range(1, 101 - spot):
                row = scrimmage_row(spot, down, to_go)
                assert 0 <= row < SCRIMMAGE_ROWS
                there, same_down, yards = down_of_row(row)
                assert (there, same_down) == (spot, down)
                if spot + to_go == 100 and to_go <= 20:
                    assert yards == to_go  # goal to go stays goal to go
                elif to_go <= 20:
                    assert abs(yards - to_go) <= (4 if down == 1 else 2)


def test_kicks_and_tries_have_rows_of_their_own() -> None:
    rows = []
    for phase in ("kickoff", "safety-kick", "try"):
        rows.append(state_row(RULES.new_position(M, {"phase": phase, "possession": "home"})))
    assert rows == [KICKOFF_ROW, SAFETY_KICK_ROW, TRY_ROW]
    assert max(rows) == ROWS - 1
