"""Chances to win by each answer: the searching coach takes the best of them."""

from __future__ import annotations

import pytest

from hashmark.conformance.kit import ConformanceKit
from hashmark.engine.rule_set import NO_CALL
from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p

M = RULES.new_match({})


def check(games: int, every: int) -> set[int]:
    """Compare both over positions of random games; return the phases that came up."""
    seen = set()
    for m, g in ConformanceKit("two-minute-drill", seed=5).random_positions(games, every):
        if not RULES.legal_calls(m, g):
            continue
        chances = RULES.solver.heuristic_value(m, g)  # type: ignore[misc]
        assert set(chances) >= set(RULES.legal_calls(m, g))
        assert all(0 <= chance <= 1 for chance in chances.values())
        best = RULES.decide(RULES.coach("search"), m, g)
        legal = [chances[call] for call in RULES.legal_calls(m, g)]
        assert chances[best] == pytest.approx(max(legal), abs=1e-9)
        seen.add(g.phase)
    return seen


def test_the_best_answer_is_that_of_the_searching_coach() -> None:
    assert len(check(2, 5)) > 3


@pytest.mark.long
def test_the_best_answer_is_that_of_the_searching_coach_in_many_games() -> None:
    assert check(40, 3) >= {p.REROLL, p.PICK, p.PIPS, p.REFEREE, p.YARDS, p.RESULT}


def test_rerolling_either_defense_die_is_symmetric() -> None:
    """R7: rerolling one die keeps the other, whichever of the two shows it."""
    start = {"phase": "reroll", "clock": 9, "timeouts": 0, "spot": 60, "down": 2, "to_go": 7}
    offense = {"d4": 2, "d6a": 4, "d6b": 5, "d8": 3}
    values = []
    for a, b in ((1, 6), (6, 1)):
        g = RULES.new_position(M, {**start, "dice": {**offense, "dta": a, "dtb": b}})
        values.append(RULES.solver.heuristic_value(M, g))  # type: ignore[misc]
    here, there = values
    assert here[p.REROLL_A] == pytest.approx(there[p.REROLL_B], abs=1e-12)
    assert here[p.REROLL_B] == pytest.approx(there[p.REROLL_A], abs=1e-12)
    assert here[p.REROLL_A] != pytest.approx(here[p.REROLL_B], abs=1e-6)
    assert here[p.REROLL_BOTH] == pytest.approx(there[p.REROLL_BOTH], abs=1e-12)


def test_before_the_roll_the_value_table_is_used() -> None:
    values = RULES.solver.heuristic_value(M, RULES.new_position(M))  # type: ignore[misc]
    assert list(values) == [NO_CALL]
    assert 0.999 < values[NO_CALL] <= 1
    late = RULES.new_position(M, {"clock": 3, "timeouts": 0, "spot": 50, "down": 4, "to_go": 9})
    worth = RULES.solver.heuristic_value(M, late)[NO_CALL]  # type: ignore[misc]
    assert 0.01 < worth < 0.5


def test_no_answer_has_a_value_after_the_end() -> None:
    g = RULES.new_position(M)
    g.phase = p.OVER
    assert RULES.solver.heuristic_value(M, g) == {}  # type: ignore[misc]
