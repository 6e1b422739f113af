"""What the value function looks at."""

from __future__ import annotations

import pytest

from hashmark.engine import registry
from hashmark.games.data_driven import value_features as f
from hashmark.games.data_driven.position import Match, Position

RULES = registry.load("data-driven")


def match() -> Match:
    made = RULES.new_match({"charts": "2008", "home_team": "PIT", "away_team": "DET"})
    assert isinstance(made, Match)
    return made


def position(**given: object) -> Position:
    ball = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 2, "to_go": 7}
    made = RULES.new_position(match(), {**ball, **given})
    assert isinstance(made, Position)
    return made


def test_figures_of_a_team_are_its_own() -> None:
    m = match()
    same = RULES.new_match({"charts": "2008", "home_team": "DET", "away_team": "PIT"})
    assert isinstance(same, Match)
    assert f.team_features(m, 0) == f.team_features(same, 1)
    assert f.team_features(m, 0) != f.team_features(m, 1)


def test_time_is_counted_to_the_end_of_the_half_and_of_regulation() -> None:
    g = position(period=1, clock=100)
    assert (f.seconds_in_half(g), f.seconds_left(g)) == (1000, 2800)
    g = position(period=4, clock=100)
    assert (f.seconds_in_half(g), f.seconds_left(g)) == (100, 100)
    g = position(period=5, clock=100, overtime="sudden")
    assert (f.seconds_in_half(g), f.seconds_left(g)) == (100, 100)


def test_all_positions_have_the_same_number_of_features() -> None:
    m = match()
    kick = RULES.new_position(m, {"phase": "kickoff", "possession": "away"})
    attempt = RULES.new_position(m, {"phase": "try", "possession": "away"})
    sizes = {len(f.position_features(m, g, 3.0)) for g in (position(), kick, attempt)}
    assert len(sizes) == 1


def test_every_feature_of_the_lead_grows_with_it() -> None:
    rows = [
        f.lead_features(position(period=4, clock=200, score={"home": 50 + lead, "away": 50}))
        for lead in range(-45, 46)
    ]
    for column in zip(*rows, strict=True):
        assert list(column) == sorted(column)
        assert column[0] < column[-1]


def test_the_coin_toss_leads_to_two_kickoffs() -> None:
    m = match()
    toss = RULES.new_position(m)
    assert isinstance(toss, Position)
    first, second = f.kickoffs(m, toss)
    assert (first.possession, second.possession) == (0, 1)
    assert (first.received_first, second.received_first) == (1, 0)
    assert f.position_features(m, first, 0.0) == pytest.approx(f.position_features(m, second, 0.0))
