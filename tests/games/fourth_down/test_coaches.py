"""Calls of the coaches of 4th Down! in many positions; see `coach_sweeps`."""

from __future__ import annotations

from typing import Any

import pytest

from coach_sweeps import coach_answers, digest, sheets_of_late_games, sheets_of_unfinished_games
from hashmark.games.fourth_down import RULES

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"turnover-spot": "end"}, {"late-half-ends": False})
CLOCKS = (15, 120, 900)
DIGESTS = (
    "c378e14ea941",
    "90ebc840620d",
    "02e0906b9512",
    "12451d49fdc1",
    "e772d4c6d150",
    "54055918278e",
    "807c5b03e284",
    "0acccc39ff12",
    "889600aac3ce",
    "2c6641b568da",
    "d1f66f4f2e92",
    "8941ec368c5f",
    "c815aa4c3885",
    "30c507736878",
    "5184df14b02e",
    "9df1bfa482b2",
    "576d117a543d",
    "871ad5f13d5e",
    "6f0eac6649ec",
    "f313a7b14f18",
    "43358f1ec9cc",
    "5f9b7878284f",
    "a5ad2c502178",
    "a666feef9c6b",
)


@pytest.mark.parametrize("number", range(len(DIGESTS)))
def test_calls_of_the_coaches_are_unchanged(number: int) -> None:
    assert digest(coach_answers(RULES, number, OPTIONS, CLOCKS)) == DIGESTS[number]


def test_sheets_of_unfinished_games_are_unchanged() -> None:
    assert digest(sheets_of_unfinished_games(RULES, {})) == "47634c908444"


def test_sheets_of_games_that_begin_late_are_unchanged() -> None:
    assert digest(sheets_of_late_games(RULES)) == "547e4f4b3ebe"
