"""The drill's chances to win by each answer: the best of them is what the searching coach takes."""

from __future__ import annotations

import pytest

from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p
from hashmark.referee.referee import Referee
from hashmark.table.rules import NO_CALL

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


def test_the_two_defence_dice_are_alike() -> None:
    """R7: to reroll one keeps the other, whichever of the two shows it."""
    start = {"phase": "reroll", "clock": 9, "timeouts": 0, "spot": 60, "down": 2, "to_go": 7}
    offence = {"d4": 2, "d6a": 4, "d6b": 5, "d8": 3}
    found = []
    for a, b in ((1, 6), (6, 1)):
        g = RULES.new_position(M, {**start, "dice": {**offence, "dta": a, "dtb": b}})
        found.append(RULES.reckon(M, g))  # type: ignore[misc]
    here, there = found
    assert here[p.REROLL_A] == pytest.approx(there[p.REROLL_B], abs=1e-12)
    assert here[p.REROLL_B] == pytest.approx(there[p.REROLL_A], abs=1e-12)
    assert here[p.REROLL_A] != pytest.approx(here[p.REROLL_B], abs=1e-6)
    assert here[p.REROLL_BOTH] == pytest.approx(there[p.REROLL_BOTH], abs=1e-12)


def test_before_the_roll_the_table_speaks() -> None:
    told = RULES.reckon(M, RULES.new_position(M))  # type: ignore[misc]
    assert list(told) == [NO_CALL]
    assert 0.999 < told[NO_CALL] <= 1
    late = RULES.new_position(M, {"clock": 3, "timeouts": 0, "spot": 50, "down": 4, "to_go": 9})
    worth = RULES.reckon(M, late)[NO_CALL]  # type: ignore[misc]
    assert 0.01 < worth < 0.5


def test_nothing_is_reckoned_after_the_end() -> None:
    g = RULES.new_position(M)
    g.phase = p.OVER
    assert RULES.reckon(M, g) == {}  # type: ignore[misc]
