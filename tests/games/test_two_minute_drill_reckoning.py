"""The drill's chances to win by each answer: the best of them is what the searching coach takes."""

from __future__ import annotations

import pytest

from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p
from hashmark.referee.referee import Referee

M = RULES.new_match({})


def check(games: int, every: int) -> set[int]:
    """Compare the two over positions of random games; the phases that came up."""
    seen = set()
    for m, g in Referee("two-minute-drill", seed=5).positions(games, every):
        if not RULES.legal_calls(m, g):
            continue
        told = RULES.reckon(m, g)  # type: ignore[misc]
        assert set(told) >= set(RULES.legal_calls(m, g))
        assert all(0 <= chance <= 1 for chance in told.values())
        best = RULES.decide(RULES.coach("search"), m, g)
        legal = [told[call] for call in RULES.legal_calls(m, g)]
        assert told[best] == pytest.approx(max(legal), abs=1e-9)
        seen.add(g.phase)
    return seen


def test_the_best_answer_is_that_of_the_searching_coach() -> None:
    assert len(check(2, 5)) > 3


@pytest.mark.long
def test_the_best_answer_in_many_games() -> None:
    assert check(40, 3) >= {p.REROLL, p.PICK, p.PIPS, p.REFEREE, p.YARDS, p.RESULT}


def test_nobody_is_asked_before_the_roll() -> None:
    assert RULES.reckon(M, RULES.new_position(M)) == {}  # type: ignore[misc]
