"""The searching coach compared with brute force: every answer and every die tried by the rules."""

from __future__ import annotations

from typing import Any

import pytest

from drill_by_rules import ROUNDING, Oracle
from hashmark.conformance import ConformanceKit
from hashmark.games.two_minute_drill import RULES, search
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.lookahead import (
    FORWARD_0,
    FORWARD_5,
    FORWARD_10,
    FORWARD_15,
    end_value,
    penalty_value,
)
from hashmark.games.two_minute_drill.tables import DT_A, DT_B
from hashmark.games.two_minute_drill.value import WIN_VALUE, position_value, win_value
from hashmark.games.two_minute_drill.value_table import MAX_ENTRY


def positions(phase: int, count: int, **given: Any) -> list[tuple[Any, Any]]:
    """Return positions of a phase from random games, with some fields changed."""
    options = given.pop("options", {})
    found: list[tuple[Any, Any]] = []
    for number in range(500):
        game = ConformanceKit(RULES, seed=21).play_game(options, number, "random")
        for turn in game.turns:
            if turn.before.phase == phase and turn.before.period == 1:
                g = turn.before.copy()
                for key, value in given.items():
                    setattr(g, key, value)
                found.append((game.match, g))
                break
        if len(found) == count:
            return found
    raise AssertionError(f"phase {p.PHASES[phase]} does not come up")


CASES: list[tuple[int, int, dict[str, Any]]] = [
    (p.RESULT, 12, {}),
    (p.EFFORT, 12, {}),
    (p.YARDS, 12, {}),
    (p.REFEREE, 12, {}),
    (p.PIPS, 3, {"timeouts": 0}),
    (p.COMBINE, 4, {}),
    (p.SPECIAL, 3, {}),
    (p.PICK, 2, {"timeouts": 0}),
    (p.REFEREE, 6, {"options": {"referee-clock": "sheet"}}),
    (p.YARDS, 6, {"options": {"reply": True}, "spot": 90}),
    (p.PIPS, 3, {"chance": 1, "timeouts": 0}),
    (p.YARDS, 8, {"options": {"touchdown-in-time": True}, "spot": 93, "clock": 3}),
    (p.REFEREE, 6, {"options": {"touchdown-in-time": True}, "spot": 95, "clock": 2}),
    (p.REFEREE, 4, {"options": {"touchdown-in-time": True}, "spot": 96, "clock": 1, "timeouts": 1}),
    (p.YARDS, 6, {"options": {"center-out": "first-play"}, "hash": p.CENTER, "clock": 9}),
]
MORE_CASES: list[tuple[int, int, dict[str, Any]]] = [
    (p.PIPS, 1, {"timeouts": 1}),
    (p.PIPS, 1, {"timeouts": 2}),
    (p.COMBINE, 3, {"options": {"two-threes": "one"}}),
]

SAMPLE_STRIDE = 6


@pytest.mark.parametrize(("phase", "count", "given"), CASES)
def test_no_answer_beats_the_search(phase: int, count: int, given: dict[str, Any]) -> None:
    """A sixth of the positions, or one; `test_no_answer_beats_the_search_in_any_case` tries all."""
    compare(phase, max(1, count // SAMPLE_STRIDE), given)


@pytest.mark.long
@pytest.mark.parametrize(("phase", "count", "given"), CASES + MORE_CASES)
def test_no_answer_beats_the_search_in_any_case(
    phase: int, count: int, given: dict[str, Any]
) -> None:
    compare(phase, count, given)


def compare(phase: int, count: int, given: dict[str, Any]) -> None:
    for m, g in positions(phase, count, **dict(given)):
        oracle = Oracle(m)
        chosen = search.search(m, g)
        answers = {call: oracle.answer_value(g, call) for call in RULES.legal_calls(m, g)}
        assert answers[chosen] >= max(answers.values()) - ROUNDING, (g, RULES.calls[chosen])


def test_a_reroll_is_weighed_against_all_faces() -> None:
    """With six dice and no timeouts, every hand that a reroll may lead to is tried."""
    compare(p.REROLL, 1, {"timeouts": 0, "clock": 5, "dice": [2, 4, 5, 3, 0, 0, 1, 6]})


@pytest.mark.long
def test_rerolls_are_weighed_against_all_faces() -> None:
    compare(p.REROLL, 2, {"timeouts": 0, "clock": 5, "dice": [2, 4, 5, 3, 0, 0, 1, 6]})


EQUAL_PAIRS = dict.fromkeys(((x, y) for x in range(1, 7) for y in range(1, x + 1)), 10)
PAIRS_WITH_2 = {
    pair: 10 if 2 in pair else 7 for pair in EQUAL_PAIRS
}  # 360 with a 2 kept, else less


@pytest.mark.parametrize(
    ("pairs", "dice", "stand", "answer"),
    [
        (EQUAL_PAIRS, (2, 2), 10, p.STAND),
        (EQUAL_PAIRS, (2, 5), 9, p.REROLL_BOTH),
        (PAIRS_WITH_2, (2, 2), 9, p.REROLL_A),
        (PAIRS_WITH_2, (2, 2), 10, p.STAND),
        (PAIRS_WITH_2, (5, 2), 9, p.REROLL_A),
        (PAIRS_WITH_2, (2, 5), 9, p.REROLL_B),
        (PAIRS_WITH_2 | {(3, 3): 80, (4, 3): 7, (4, 4): 8}, (5, 2), 9, p.REROLL_A),
        (PAIRS_WITH_2 | {(3, 3): 80, (4, 3): 7, (4, 4): 8}, (2, 5), 9, p.REROLL_B),
        (PAIRS_WITH_2 | {(3, 3): 80, (4, 3): 7, (4, 4): 9}, (2, 5), 9, p.REROLL_BOTH),
    ],
)
def test_rerolls_break_ties_in_order(
    pairs: dict[tuple[int, int], int], dice: tuple[int, int], stand: int, answer: int
) -> None:
    """Among equals stand, else reroll both before one, else the first; with made-up values."""
    g, w = p.Position(), [0] * search.WORK_SIZE
    g.dice[DT_A], g.dice[DT_B] = dice
    for (x, y), value in pairs.items():
        w[search.BEST_BY_PAIR + 6 * (x - 1) + y - 1] = value
    w[search.BEST_STANDING] = stand
    assert search.reroll_answer(g, w) == answer


@pytest.mark.parametrize(
    ("play", "time_out", "penalty", "answer"),
    [
        (0, 0, 0, p.PLAY),
        (0, 1, 0, p.TIME_OUT),
        (0, 0, 1, p.PENALTY),
        (1, 1, 1, p.PLAY),
        (1, 2, 2, p.TIME_OUT),
        (1, 2, 3, p.PENALTY),
    ],
)
def test_answers_to_a_result_break_ties_in_order(
    play: int, time_out: int, penalty: int, answer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among equals the play, then the timeout; with made-up values."""
    monkeypatch.setattr(search, "taken_play_value", lambda *given: (play, time_out)[given[-1]])
    monkeypatch.setattr(search, "penalty_value", lambda *given: penalty)
    m = RULES.new_match()
    dice = {"d4": 1, "d6a": 2, "d6b": 4, "d8": 5, "dta": 6, "dtb": 3}
    placed = {"referee_ot": "d6b", "referee_dt": "dta", "yards_ot": "d8"}
    g = RULES.new_position(m, {"phase": "result", "dice": dice, **placed})
    assert search.result_answer(m, g) == answer


@pytest.mark.parametrize("clock", [1, 20])
def test_a_penalty_to_the_20_wins_the_reply(clock: int) -> None:
    """There is no position beyond the 20 to evaluate, in any phase of the play."""
    m = RULES.new_match({"reply": True})
    given = {"period": 2, "possession": "away", "spot": 77, "to_go": 3, "clock": clock}
    g = RULES.new_position(m, given)
    assert penalty_value(m, g, clock, 1, 0) == WIN_VALUE
    assert [end_value(m, g, clock, end, 0) for end in (FORWARD_5, FORWARD_15)] == [
        WIN_VALUE,
        WIN_VALUE,
    ]
    assert end_value(m, g, clock, FORWARD_0, 0) < WIN_VALUE


def test_with_no_time_left_there_is_no_reply() -> None:
    m = RULES.new_match({"reply": True})
    g = RULES.new_position(m)
    assert win_value(m, g, 20) < WIN_VALUE
    assert [win_value(m, g, clock) for clock in (0, -1)] == [WIN_VALUE, WIN_VALUE]


@pytest.mark.parametrize("end", [FORWARD_0, FORWARD_10])
def test_one_of_two_threes_is_five_yards_forward(end: int) -> None:
    m = RULES.new_match({"two-threes": "one"})
    g = RULES.new_position(m, {"spot": 40, "clock": 9, "down": 3, "to_go": 7})
    assert end_value(m, g, 9, end, 1) == end_value(m, g, 9, FORWARD_5, 1)
    usual = RULES.new_match()
    assert end_value(usual, g, 9, end, 1) != end_value(usual, g, 9, FORWARD_5, 1)


def test_worth_is_between_lost_and_won_and_rises_towards_the_goal_line() -> None:
    """Every entry of the table is a chance, and nearer is better except for sampling noise."""
    m = RULES.new_match()
    assert all(0 <= entry <= MAX_ENTRY for entry in m.values)
    for clock in (1, 5, 20, 40):
        g = RULES.new_position(m, {"clock": clock})
        values = [position_value(m, g, clock, spot, g.hash, 1, 1, 3) for spot in range(5, 100, 10)]
        assert values == sorted(values)
