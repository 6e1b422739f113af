"""Calls of the coaches of Roll For Yardage! in many positions; see `coach_sweeps`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from coach_sweeps import coach_answers, digest, sheets_of_late_games, sheets_of_unfinished_games
from hashmark.games.roll_for_yardage import RULES
from hashmark.games.roll_for_yardage import position as p

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"overtime_plays": 4},
    {"tries_count": False, "defensive_penalty_spot": "end"},
)
CLOCKS = (2, 6, 30)
SCRIMMAGE_CALLS = (p.RUN_PLAY, p.PUNT, p.FIELD_GOAL, p.HAIL_MARY)
DIGESTS = (
    "211b13569f45",
    "54b164233241",
    "83a24eab5360",
    "424a52e68901",
    "ea7889cb084d",
    "dd02b2e2a3ee",
    "b4ece1fe5056",
    "ae56a343ca8c",
    "a558da03665a",
    "e42a994336a9",
    "48850a0f95a9",
    "3239f6b982d7",
    "2e0be423f4ae",
    "6402cd414074",
    "91ffa7f7af72",
    "7f97a2c12f9a",
)


@pytest.mark.parametrize("number", range(len(DIGESTS)))
def test_calls_of_the_coaches_are_unchanged(number: int) -> None:
    assert digest(coach_answers(RULES, number, OPTIONS, CLOCKS)) == DIGESTS[number]


def scrimmage_refusals(options: dict[str, Any]) -> Iterator[Any]:
    """Yield the refusals of every call from scrimmage, from every spot, as time runs out."""
    m = RULES.new_match(options)
    g = RULES.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 50})
    for g.period in range(1, 6):
        for g.clock in (1, 2):
            for g.down in (1, 3, 4):
                for g.spot in range(1, 100):
                    yield [RULES.refusal(m, g, call) for call in SCRIMMAGE_CALLS]


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, "5c124f823661"),
        ({"punt_rule": p.PUNT_RULES[1], "overtime_last_play": True}, "b4174e3a8f22"),
        ({"punt_rule": p.PUNT_RULES[2]}, "ab1581435f92"),
    ],
)
def test_refusals_are_unchanged_at_every_spot(options: dict[str, Any], kept: str) -> None:
    assert digest(scrimmage_refusals(options)) == kept


def penalty_decisions(options: dict[str, Any]) -> Iterator[Any]:
    """Yield the book coach's penalty decisions for many results of the play, late and close."""
    m, coach = RULES.new_match(options), RULES.coach("book")
    g = RULES.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 50})
    g.phase, g.to_go = p.PENALTY, 10
    for when in product((3, 4, 5), (1, 2), (-1, 0, 1), (1, 3, 4), (1, 2), (0, 1)):
        g.period, g.clock, lead, g.down, g.penalty_face, g.play_lost = when
        g.score = [20 + lead, 20]
        for g.play_end in (0, 1, 44, 45, 46, 50, 57, 58, 59, 60, 61, 99, 100):
            yield RULES.decide(coach, m, g)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"decline_rule": "any"}, "ae79b403ccd9"),
        ({"defensive_penalty_spot": "start"}, "54290265f755"),
    ],
)
def test_penalty_decisions_at_the_end_of_the_game_are_unchanged(
    options: dict[str, Any], kept: str
) -> None:
    assert digest(penalty_decisions(options)) == kept


def test_sheets_of_unfinished_games_are_unchanged() -> None:
    assert digest(sheets_of_unfinished_games(RULES, {})) == "d2fd49e0db13"


def test_sheets_of_games_that_begin_late_are_unchanged() -> None:
    assert digest(sheets_of_late_games(RULES)) == "e01b2e805210"
