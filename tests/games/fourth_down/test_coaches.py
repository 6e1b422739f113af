"""Calls of the coaches of 4th Down! in many positions; see `coach_sweeps`."""

from __future__ import annotations

from typing import Any

import pytest

from coach_sweeps import coach_answers, digest, sheets_of_late_games, sheets_of_unfinished_games
from hashmark.games.fourth_down import RULES

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"turnover-spot": "end"}, {"late-half-ends": False})
CLOCKS = (15, 120, 900)
DIGESTS = (
    "9aa58f202dd9",
    "d4df5ae145ba",
    "36ae0e672e82",
    "46e5a4b12707",
    "8b1b8f4340e3",
    "773978865ec0",
    "45e7564841f7",
    "55ce6210175b",
    "21fcd8de2885",
    "d7c1af201a95",
    "8edd1b81cd38",
    "e9968bdcab4d",
    "0a367faa9482",
    "720a05725850",
    "c4ce273a55d0",
    "ffa133ab160c",
    "15ac1941282b",
    "139df7575813",
    "1cf3dd1668a6",
    "76e641e08d2d",
    "7c33f01b6bf5",
    "5d594202f455",
    "a1f9415f3ff8",
    "338cdf909ed2",
)


@pytest.mark.parametrize("number", range(len(DIGESTS)))
def test_calls_of_the_coaches_are_unchanged(number: int) -> None:
    assert digest(coach_answers(RULES, number, OPTIONS, CLOCKS)) == DIGESTS[number]


def test_sheets_of_unfinished_games_are_unchanged() -> None:
    assert digest(sheets_of_unfinished_games(RULES, {})) == "47634c908444"


def test_sheets_of_games_that_begin_late_are_unchanged() -> None:
    assert digest(sheets_of_late_games(RULES)) == "547e4f4b3ebe"


def call_of(coach: str, **position: Any) -> str:
    """Return a coach's call in a position of home's."""
    m = RULES.new_match()
    score = dict(zip(("home", "away"), position.pop("score", (0, 0)), strict=True))
    g = RULES.new_position(m, {"possession": "home", "spot": 30, "score": score, **position})
    return RULES.calls[RULES.decide(RULES.coach(coach), m, g)]


FOURTH = {"phase": "fourth-down", "period": 1, "clock": 100}
LATE = {"phase": "fourth-down", "period": 2, "clock": 30}


@pytest.mark.parametrize(
    ("coach", "position", "call"),
    [
        ("cautious", {**FOURTH, "spot": 76, "to_go": 1}, "field-goal"),
        ("cautious", {**FOURTH, "spot": 74, "to_go": 1}, "punt"),
        ("short-yardage", {**FOURTH, "to_go": 5}, "go-for-it"),
        ("short-yardage", {**FOURTH, "to_go": 6}, "punt"),
        ("short-yardage", {**FOURTH, "spot": 61, "to_go": 6}, "field-goal"),
        ("thumb", {**FOURTH, "spot": 50, "to_go": 10}, "go-for-it"),
        ("thumb", {**FOURTH, "to_go": 7}, "punt"),
        ("thumb", {**LATE, "to_go": 20, "score": [0, 7]}, "go-for-it"),
        ("card", {**LATE, "to_go": 20, "score": [0, 7]}, "go-for-it"),
        ("card", {**LATE, "to_go": 4, "score": [7, 0]}, "punt"),
        ("card", {**LATE, "to_go": 4, "score": [7, 7]}, "go-for-it"),
        ("card", {**LATE, "clock": 70, "spot": 65, "to_go": 14, "score": [0, 7]}, "go-for-it"),
        ("card", {**FOURTH, "spot": 65, "to_go": 14, "score": [0, 7]}, "field-goal"),
        ("card", {**LATE, "spot": 75, "to_go": 5, "score": [0, 3]}, "field-goal"),
    ],
)
def test_each_coach_follows_its_sentence_on_fourth_down(
    coach: str, position: dict[str, Any], call: str
) -> None:
    assert call_of(coach, **position) == call


def test_the_card_uses_time_when_ahead_and_saves_it_when_behind() -> None:
    late = {"phase": "drive", "period": 2, "clock": 30}
    assert call_of("card", **late, score=[3, 0]) == "run-first"
    assert call_of("card", **late, score=[0, 3]) == "pass-first"
    assert call_of("card", phase="drive", period=1, clock=120, score=[0, 3]) == "balanced"
    assert call_of("thumb", **late, score=[3, 0]) == "run-first"


def test_the_card_has_a_list_of_leads_for_the_try() -> None:
    assert call_of("card", phase="try", period=2, clock=50, score=[5, 0]) == "two-point"
    assert call_of("card", phase="try", period=2, clock=50, score=[7, 0]) == "one-point"
    assert call_of("card", phase="try", period=2, clock=50, score=[6, 27]) == "one-point"
    assert call_of("card", phase="try", period=1, clock=50, score=[5, 0]) == "one-point"
