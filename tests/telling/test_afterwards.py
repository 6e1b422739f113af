"""What stands after a call, in football words."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.table import registry
from hashmark.table.names import naming
from hashmark.telling.afterwards import afterwards, as_table, told_apart

RULES = registry.load("rapid-roll")
MATCH = RULES.new_match({})
PLAY: dict[str, Any] = {
    "phase": "scrimmage",
    "possession": "away",
    "spot": 20,
    "down": 1,
    "to_go": 10,
}


def at(**given: Any) -> Any:
    return RULES.new_position(MATCH, {**PLAY, **given})


def test_ball_clock_and_points() -> None:
    told = afterwards(RULES, MATCH, at(), at(clock=39, score={"home": 0, "away": 7}))
    assert (told.clock, told.scored, told.then) == (
        "1st quarter, 39 left",
        "away +7",
        "Away: 1st and 10 at the away 20",
    )


def test_teams_have_their_names() -> None:
    with naming(("Bombers", "Gunners")):
        told = afterwards(RULES, MATCH, at(), at(score={"home": 3, "away": 0}))
    assert (told.scored, told.then) == ("Bombers +3", "Gunners: 1st and 10 at the Gunners 20")


def test_what_reads_the_same_is_one_line() -> None:
    """Which number is to be written after the play is nothing that a coach asks for."""
    found = [(0.25, at(log=[11])), (0.5, at(spot=30)), (0.25, at(log=[12]))]
    assert [chance for chance, _ in told_apart(RULES, MATCH, at(), found)] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("after", "headings"),
    [
        ({}, ["chance", "then"]),
        ({"clock": 39}, ["chance", "clock", "then"]),
        ({"score": {"home": 2, "away": 0}}, ["chance", "scored", "then"]),
    ],
)
def test_columns_without_news_are_left_out(after: dict[str, Any], headings: list[str]) -> None:
    said = told_apart(RULES, MATCH, at(), [(1.0, at(**after))])
    assert as_table(said, RULES.words.when(MATCH, at()))[0] == headings


def test_no_chance_is_told_as_nothing() -> None:
    said = told_apart(RULES, MATCH, at(), [(1 - 1e-9, at()), (1e-9, at(spot=30))])
    assert [row[0] for row in as_table(said, "")[1]] == ["100.0000%", "<0.0001%"]
