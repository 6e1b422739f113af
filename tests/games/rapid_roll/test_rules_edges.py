"""Rare cases of Rapid Roll that no game reaches: exact error messages, sheets of unusual starts."""

from __future__ import annotations

from typing import Any

import pytest

from coach_sweeps import digest
from hashmark.conformance import ConformanceKit
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.games.rapid_roll import RULES
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.reader import choose_call
from hashmark.games.rapid_roll.sheet import numbers_by_period
from hashmark.games.rapid_roll.thumb import fourth_by_thumb
from hashmark.sheets import sheet_of

SCRIMMAGE = {"phase": "scrimmage", "possession": "home", "spot": 40}
PENALTY = {
    "window": "penalty",
    "roll": 33,
    "flagged": True,
    "fumbled": True,
    "at": 50,
    "foul_yards": 5,
}


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({**SCRIMMAGE, "log": [11, 17]}, "position: log: two dice cannot show 17"),
        (
            {**SCRIMMAGE, "log": [11] * 201},
            "position: log: only 400 numbers fit, and 200 more may follow",
        ),
        (
            {
                **PENALTY,
                "phase": "try",
                "possession": "home",
                "call": "end-run",
                "play": "run",
                "carrier": "away",
                "lost": {"home": 1},
                "foul": "off",
            },
            "position: lost: a turnover ends a try",
        ),
        (
            {
                **PENALTY,
                "phase": "kickoff",
                "possession": "home",
                "call": "kickoff",
                "play": "returned",
                "carrier": "home",
                "lost": {"away": 1},
                "foul": "kickers",
            },
            "position: return_spot: after a fumbled return, give the spot of the fumble, 1 to 99",
        ),
        (
            {"stats": {"home": 3}},
            "position.stats.home: expected an object with counts, not 3",
        ),
        (
            {"stats": {"home": {"passing": {"yards": "x"}}}},
            "position.stats.home.passing.yards: 'x' is not a whole number",
        ),
        ({"stats": {"home": {"x": 3}}}, "unknown key in position.stats.home 'x': allowed: "),
    ],
)
def test_impossible_positions_are_refused_word_for_word(
    position: dict[str, Any], said: str
) -> None:
    with pytest.raises(HashmarkError) as error:
        RULES.new_position(RULES.new_match(), position)
    assert str(error.value).startswith(said)


def test_a_line_of_200_numbers_is_accepted() -> None:
    assert RULES.new_position(RULES.new_match(), {**SCRIMMAGE, "log": [11] * 200}).log[0] == 200


NUMBERS = [10 * (1 + n % 6) + 1 + n // 6 % 6 for n in range(36)]


@pytest.mark.parametrize(
    ("period", "clock", "written", "by_period"),
    [
        (1, 10, 3, [0]),
        (2, 8, 5, [3, 2]),
        (2, 10, 4, [4, 0]),
        (3, 10, 12, [2, 10, 0]),
        (3, 4, 26, [10, 10, 6]),
        (4, 9, 36, [10, 10, 10, 1]),
    ],
)
def test_numbers_of_a_start_are_assigned_backward_from_its_clock(
    period: int, clock: int, written: int, by_period: list[int]
) -> None:
    start = {**SCRIMMAGE, "period": period, "clock": clock, "log": NUMBERS[:written]}
    game = ConformanceKit(RULES).new_game({"numbers_per_quarter": 10}, 0, start)
    lines = numbers_by_period(game)
    assert [len(line) for line in lines] == by_period
    assert [n for line in lines for n in line] == NUMBERS[written - sum(by_period) : written]


def test_sheets_of_set_up_games_are_unchanged() -> None:
    def sheets() -> Any:
        for number, period in enumerate((2, 4, 5)):
            start = {**SCRIMMAGE, "period": period, "clock": 4, "log": NUMBERS[:30]}
            referee = ConformanceKit(RULES, seed=25)
            options = {"numbers_per_quarter": 10}
            game = referee.new_game(options, number, {**start, "score": {"home": 3, "away": 10}})
            for index, _ in enumerate(referee.playout(game, RULES.coach("random"))):
                if index in (0, 4):
                    yield sheet_of(game)

    assert digest(sheets()) == "a60b89099fc2"


def test_the_overtime_toss_is_described() -> None:
    m, situation = RULES.new_match(), RULES.words.situation
    tossed = {"phase": "coin-toss", "score": {"home": 3, "away": 3}}
    before = RULES.new_position(m, tossed)
    after = RULES.new_position(m, {**tossed, "window": "toss", "possession": "away"})
    assert situation(m, before, TEAMS) == "overtime: home rolls for the coin toss"
    assert situation(m, after, TEAMS) == "away has won the coin toss"


@pytest.mark.parametrize(("to_go", "call"), [(1, "sneak"), (2, "field-goal")])
def test_down_three_at_the_end_the_book_goes_for_one_yard_and_kicks_with_two(
    to_go: int, call: str
) -> None:
    start = {
        **SCRIMMAGE,
        "period": 4,
        "clock": 3,
        "down": 4,
        "spot": 75,
        "to_go": to_go,
        "score": {"home": 14, "away": 17},
    }
    game = Game(RULES, {}, dice=SeededDice(1), start=start)
    assert RULES.calls[game.decide(RULES.coach("book"))] == call


@pytest.mark.parametrize(("spot", "kicks"), [(69, True), (68, False)])
def test_by_thumb_a_kick_of_48_yards_is_the_longest(spot: int, kicks: bool) -> None:
    g = RULES.new_position(RULES.new_match())
    g.phase, g.possession, g.spot, g.down, g.to_go = p.SCRIMMAGE, 0, spot, 4, 20
    assert (fourth_by_thumb(g) == p.FIELD_GOAL) == kicks


def test_the_error_for_invalid_shading_names_its_column() -> None:
    with pytest.raises(HashmarkError, match=r"^option shading, long-pass: "):
        RULES.new_match({"shading": {"long-pass": ["two"]}})


@pytest.mark.parametrize(("at", "answer"), [(7, p.ROLL), (8, p.RETURN)])
def test_the_reader_lets_a_punt_roll_inside_the_seven(at: int, answer: int) -> None:
    m = RULES.new_match()
    g = RULES.new_position(m)
    g.window, g.at = p.PUNT_CHOICE, at
    assert choose_call(m, g, 0) == answer


@pytest.mark.parametrize(("period", "answer"), [(3, p.KEEP_QB), (4, p.REPLACE_QB)])
def test_the_reader_has_a_new_quarterback_late_and_behind(period: int, answer: int) -> None:
    m = RULES.new_match()
    g = RULES.new_position(m)
    g.window, g.period, g.score, g.new_qb = p.HOME_QUARTERBACK, period, [0, 7], [-1, -1]
    assert choose_call(m, g, 0) == answer
