"""Outcomes of a call in football terms."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import TEAMS
from hashmark.text.outcome_text import describe_outcome, distinct_outcomes, outcome_table

RULES = registry.load("rapid-roll")
MATCH = RULES.new_match({})
PLAY: dict[str, Any] = {
    "phase": "scrimmage",
    "possession": "away",
    "spot": 20,
    "down": 1,
    "to_go": 10,
}


def make_position(**given: Any) -> Any:
    return RULES.new_position(MATCH, {**PLAY, **given})


def test_an_outcome_shows_ball_clock_and_points() -> None:
    after = make_position(clock=39, score={"home": 0, "away": 7})
    outcome = describe_outcome(RULES, MATCH, make_position(), after, TEAMS)
    assert (outcome.clock, outcome.scored, outcome.then) == (
        "1st quarter, 39 left",
        "away +7",
        "Away: 1st & 10 at the away 20",
    )


def test_an_outcome_uses_team_names() -> None:
    after = make_position(score={"home": 3, "away": 0})
    outcome = describe_outcome(RULES, MATCH, make_position(), after, ("Bombers", "Gunners"))
    assert (outcome.scored, outcome.then) == ("Bombers +3", "Gunners: 1st & 10 at the Gunners 20")


def test_outcomes_that_read_the_same_are_merged() -> None:
    """The next number to write on the sheet does not interest a coach."""
    positions = [
        (0.25, make_position(log=[11])),
        (0.5, make_position(spot=30)),
        (0.25, make_position(log=[12])),
    ]
    outcomes = distinct_outcomes(RULES, MATCH, make_position(), positions, TEAMS)
    assert [chance for chance, _ in outcomes] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("after", "headings"),
    [
        ({}, ["chance", "then"]),
        ({"clock": 39}, ["chance", "clock", "then"]),
        ({"score": {"home": 2, "away": 0}}, ["chance", "scored", "then"]),
    ],
)
def test_columns_without_changes_are_omitted(after: dict[str, Any], headings: list[str]) -> None:
    positions = [(1.0, make_position(**after))]
    outcomes = distinct_outcomes(RULES, MATCH, make_position(), positions, TEAMS)
    assert outcome_table(outcomes, RULES.words.when(MATCH, make_position()))[0] == headings


def test_a_tiny_chance_is_not_shown_as_zero() -> None:
    positions = [(1 - 1e-9, make_position()), (1e-9, make_position(spot=30))]
    outcomes = distinct_outcomes(RULES, MATCH, make_position(), positions, TEAMS)
    assert [row[0] for row in outcome_table(outcomes, "")[1]] == ["100.0000 %", "<0.0001 %"]
