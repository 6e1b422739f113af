"""E3: when the crowd counts, and how it changes a gain."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hashmark.conformance import ConformanceKit
from hashmark.games.data_driven import RULES, home_field
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.scrimmage import resolve_result
from hashmark.odds.enumeration import enumerate_outcomes


def match(faces: int) -> Match:
    m: Match = RULES.new_match({"charts": "2008", "home_field": faces})
    return m


def snap(team: int, spot: int = 40, play: int = t.OFF_TACKLE, phase: int = p.SCRIMMAGE) -> Position:
    g = p.Position()
    g.phase, g.possession, g.holder, g.play = phase, team, team, play
    g.down, g.to_go, g.spot = 1, 10, spot
    return g


def gains(m: Match, g: Position, cell: str) -> dict[int, Fraction]:
    """Return the chance of each gain that a result may lead to."""
    chances: dict[int, Fraction] = {}
    for chance, after, _ in enumerate_outcomes(
        RULES, g, lambda position: resolve_result(m, position, c.parse(cell))
    ):
        chances[after.gain] = chances.get(after.gain, Fraction(0)) + chance
    return chances


@pytest.mark.parametrize("play", [t.OFF_TACKLE, t.SHORT_PASS])
@pytest.mark.parametrize("faces", [1, 5, 19])
def test_a_yard_more_at_home_and_less_away(faces: int, play: int) -> None:
    chance, m = Fraction(faces, 20), match(faces)
    assert gains(m, snap(0, play=play), "7") == {7: 1 - chance, 8: chance}
    assert gains(m, snap(1, play=play), "7") == {7: 1 - chance, 6: chance}


def test_every_face_is_certain_and_none_is_never() -> None:
    assert gains(match(20), snap(0), "1") == {2: 1}
    assert gains(match(20), snap(1), "1") == {0: 1}
    assert gains(match(0), snap(0), "1") == {1: 1}
    assert RULES.new_match({"charts": "2008"}).home_field == 0


def test_on_neutral_ground_no_crowd_is_heard() -> None:
    for neutral, faces in ((False, 5), (True, 0)):
        assert RULES.new_match({"home_field": 5, "neutral": neutral}).home_field == faces


def test_the_crowd_may_add_the_scoring_yard() -> None:
    ((_, after, _),) = enumerate_outcomes(
        RULES, snap(0, 95), lambda g: resolve_result(match(20), g, c.parse("4"))
    )
    assert after.result == p.ENDS_TOUCHDOWN
    assert gains(match(20), snap(1, 95), "4") == {3: 1}


@pytest.mark.parametrize(
    ("spot", "gain", "phase", "heard"),
    [
        (40, 1, p.SCRIMMAGE, True),
        (40, 0, p.SCRIMMAGE, False),
        (40, -3, p.SCRIMMAGE, False),
        (95, 4, p.SCRIMMAGE, True),
        (95, 5, p.SCRIMMAGE, False),
        (98, 1, p.TRY, False),
    ],
)
def test_the_crowd_counts_on_gains_short_of_the_goal_line(
    spot: int, gain: int, phase: int, heard: bool
) -> None:
    assert home_field.crowd_counts(snap(0, spot, phase=phase), gain) is heard


def test_crowd_yards_are_reported_and_the_home_team_rolls() -> None:
    """In a whole game: the home team's die, and a sentence for each yard."""
    game = ConformanceKit(RULES, seed=3).play_game({"charts": "2008", "home_field": 10}, 1, "book")
    names = [event.name for turn in game.turns for event in turn.events]
    assert names.count("crowd carries") > 5
    assert names.count("crowd hinders") > 5
    rolls = [roll for turn in game.turns for roll in turn.rolls if roll.pool.name == "crowd die"]
    assert len(rolls) > names.count("crowd carries") + names.count("crowd hinders")
    assert {roll.team for roll in rolls} == {0}
    purpose = RULES.words.roll_purpose
    assert purpose is not None
    labels = {
        purpose(game.match, turn, roll).label
        for turn in game.turns
        for roll in turn.rolls
        if roll in rolls
    }
    assert labels == {"home field"}
