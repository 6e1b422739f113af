"""Phrases about the field."""

from __future__ import annotations

import pytest

from hashmark.engine.record import TEAMS
from hashmark.text import phrases


@pytest.mark.parametrize(
    ("team", "spot", "said"),
    [
        (0, 30, "the home 30"),
        (0, 50, "midfield"),
        (0, 51, "the away 49"),
        (1, 99, "the home 1"),
        (1, 1, "the away 1"),
    ],
)
def test_yard_lines_are_named_after_the_nearer_goal(team: int, spot: int, said: str) -> None:
    assert phrases.yard_line(team, spot, TEAMS) == said


def test_yard_lines_use_team_names() -> None:
    assert phrases.yard_line(0, 80, ("Otters", "Herons")) == "the Herons 20"


def test_yards_have_a_noun_and_sentences_a_capital() -> None:
    assert [phrases.yards_text(n) for n in (0, 1, -1, 2)] == [
        "0 yards",
        "1 yard",
        "-1 yards",
        "2 yards",
    ]
    assert phrases.capitalize("he runs.") == "He runs."
    assert phrases.capitalize("") == ""


@pytest.mark.parametrize(("number", "said"), [(1, "1st"), (11, "11th"), (22, "22nd"), (33, "33rd")])
def test_ordinals_have_english_endings(number: int, said: str) -> None:
    assert phrases.ordinal(number) == said
