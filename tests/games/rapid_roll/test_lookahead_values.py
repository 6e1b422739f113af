"""Win probabilities of positions in which nothing is left to search."""

from __future__ import annotations

from hashmark.engine.rule_set import NO_CALL
from hashmark.games.rapid_roll import RULES
from hashmark.games.rapid_roll.lookahead_values import win_chances

M = RULES.new_match()


def test_a_finished_game_has_no_calls_and_the_coin_toss_is_even() -> None:
    over = RULES.new_position(M)
    over.phase = RULES.over_phase
    assert win_chances(M, over) == {}
    toss = RULES.new_position(M, {"phase": "coin-toss", "period": 5})
    assert win_chances(M, toss) == {NO_CALL: 0.5}
