"""The search of the coach `best`, against a search that plays the rules step by step."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine.effects import EffectHandler
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.rule_set import NO_CALL
from hashmark.engine.search_work import plain_work
from hashmark.games.rapid_roll import RULES, lookahead, lookahead_values
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.blind_table import WHOLE, load_table
from hashmark.games.rapid_roll.blind_value import settled_worth
from hashmark.games.rapid_roll.numbers import NUMBERS

M = RULES.new_match()
BEST = RULES.coach("best")
LINE = [NUMBERS[(7 * index * index + 5 * index) % 36] for index in range(100)]
PLAY = {"phase": "scrimmage", "possession": "home", "period": 3, "clock": 30, "log": LINE}


class OneRoll(EffectHandler):
    """Rolls one number; a play that needs more dice fails."""

    def __init__(self, number: int) -> None:
        self.faces = [number // 10, number % 10]

    def roll_die(self, die: Any, team: int) -> int:
        return self.faces.pop(0)


def worth_of_step(g: Any, team: int, call: int, number: int) -> int:
    """Play a step by the rules and answer its windows with what is better for each team."""
    after = g.copy()
    after.handler = OneRoll(number)
    RULES.step(M, after, call)
    return worth_from(after, team, number)


def worth_from(g: Any, team: int, number: int) -> int:
    if g.window in (p.CLOCK_CHOICE, p.OTHER_CLOCK_CHOICE):
        return worth_of_step(g, team, p.NO_TIMEOUT, number)
    if g.window == p.NONE:
        return settled_worth(M, g, load_table(), team, 0)
    calls = [p.STAY_IN] if g.window == p.SIDELINE_CHOICE else RULES.legal_calls(M, g)
    if g.window == p.MAGIC_CHOICE:  # yards that reach nothing are not considered
        reach_something = {lookahead.candidate(g, index) for index in range(4)}
        calls = [call for call in calls if call in reach_something]
    worths = [worth_of_step(g, team, call, number) for call in calls]
    return max(worths) if RULES.team_to_act(M, g) == team else min(worths)


@pytest.mark.parametrize(
    "where",
    [
        {"spot": 45, "down": 2, "to_go": 8, "score": {"home": 10, "away": 14}},
        {"spot": 60, "down": 4, "to_go": 2, "last_play": "reverse", "magic": {"home": 3}},
        {"spot": 97, "down": 3, "to_go": 3, "fake_used": {"home": True}},
        {"spot": 3, "down": 3, "to_go": 15, "score": {"home": 30, "away": 14}},
        {"phase": "kickoff", "score": {"home": 7, "away": 0}},
        {"phase": "try", "score": {"home": 6, "away": 0}},
    ],
)
def test_each_call_is_worth_the_mean_of_its_36_rolls(where: dict[str, Any]) -> None:
    g = RULES.new_position(M, {**PLAY, **where})
    before = g.flat()
    work, table = plain_work(p.Position, lookahead.WORK_SIZE), load_table()
    for call in RULES.legal_calls(M, g):
        found = lookahead.mean_worth(M, g, work, table, call)
        rolls = [worth_of_step(g, g.possession, call, number) for number in NUMBERS]
        assert abs(found - sum(rolls) / 36) < WHOLE * 1e-6 + 1
    assert g.flat() == before


@pytest.mark.parametrize(
    "options",
    [
        {"records": {"home": [10, 6], "away": [4, 12]}, "new_quarterbacks": "twice"},
        {"repeat": "column", "numbers_per_quarter": 7, "overtime": "until-decided"},
        {"decline": False, "defense_timeouts": False, "numbers_per_quarter": 55},
    ],
)
def test_every_call_is_legal(options: dict[str, Any]) -> None:
    game = Game(RULES, options, dice=SeededDice(3, 1), seed=3, number=1)
    while not game.is_over:
        call = game.decide(BEST)
        assert call == NO_CALL or call in game.legal_calls()
        game.play(call)


def test_values_cover_every_legal_call_and_the_coach_makes_the_best() -> None:
    game = Game(RULES, {}, dice=SeededDice(5, 2), seed=5, number=2)
    seen = set()
    while not game.is_over:
        g, call = game.position, game.decide(BEST)
        question = RULES.questions[RULES.question(game.match, g)]
        if question.name not in seen:
            chances = lookahead_values.win_chances(game.match, g)
            assert set(chances) == (set(game.legal_calls()) or {NO_CALL})
            assert all(-0.02 < chance < 1.02 for chance in chances.values())
            assert call == NO_CALL or chances[call] == max(chances.values())
            seen.add(question.name)
        game.play(call)
    assert len(seen) >= 7


def test_a_short_line_is_completed_in_the_same_way_each_time() -> None:
    g = RULES.new_position(M, {**PLAY, "log": LINE[:5], "spot": 50, "down": 1, "to_go": 10})
    assert lookahead.trials(g) == lookahead.SHORT_LINE_TRIALS
    first, again = (lookahead_values.win_chances(M, g) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("where", "call"),
    [
        # Behind by two with the last number, far from the goal line: the field goal wins.
        ({"clock": 1, "spot": 80, "score": {"home": 10, "away": 12}}, p.FIELD_GOAL),
        # Ahead with the last number: after a kick that falls short no time-out saves the number.
        ({"clock": 1, "spot": 50, "score": {"home": 13, "away": 12}}, p.FIELD_GOAL),
    ],
)
def test_the_end_of_the_game_is_played_for_the_win(where: dict[str, Any], call: int) -> None:
    g = RULES.new_position(M, {**PLAY, "period": 4, "down": 4, "to_go": 10, **where})
    chances = lookahead_values.win_chances(M, g)
    assert chances[call] == max(chances.values())
