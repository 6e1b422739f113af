"""The value function: symmetric, monotone in the lead, small, and as far off as it says."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import HOME
from hashmark.games.data_driven import match_values
from hashmark.games.data_driven.match_values import MatchValues
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import LINE_PLUNGE
from hashmark.games.data_driven.value_features import lead_features, position_features
from hashmark.values.shipped import ShippedSource
from hashmark.values.value import Method, NoValue, Value

RULES = registry.load("data-driven")
PAIRING = {"charts": "2008", "home_team": "PIT", "away_team": "2018:KC"}
MAX_BYTES = 300_000
BALL = {"phase": "scrimmage", "possession": "home", "down": 1, "to_go": 10, "spot": 40}
POSITIONS: list[dict[str, Any]] = [
    {**BALL, "period": 1, "clock": 600},
    {**BALL, "period": 4, "clock": 40, "down": 4, "to_go": 3, "spot": 70},
    {**BALL, "period": 2, "clock": 100, "possession": "away", "timeouts": {"home": 0, "away": 3}},
    {"phase": "kickoff", "possession": "away", "period": 4, "clock": 30},
    {"phase": "try", "possession": "home", "period": 3, "clock": 300},
]


def match(**options: Any) -> Match:
    made = RULES.new_match({**PAIRING, **options})
    assert isinstance(made, Match)
    return made


def function(m: Match) -> MatchValues:
    loaded = match_values.VALUES.load(RULES, m)
    assert isinstance(loaded, MatchValues)
    return loaded


def position(m: Match, given: dict[str, Any], home: int = 10, away: int = 10) -> Position:
    made = RULES.new_position(m, {**given, "score": {"home": home, "away": away}})
    assert isinstance(made, Position)
    return made


def worth(m: Match, g: Position) -> float:
    home, tie, away = function(m).chances(m, g)
    assert home + tie + away == pytest.approx(1)
    assert min(home, tie, away) >= 0
    return home + tie / 2


@pytest.mark.parametrize("given", POSITIONS)
def test_a_larger_lead_is_never_worth_less(given: dict[str, Any]) -> None:
    m = match()
    worths = [worth(m, position(m, given, 30 + lead, 30)) for lead in range(-30, 31)]
    assert worths == sorted(worths)
    assert worths[0] < 0.25
    assert worths[-1] > 0.75


@pytest.mark.parametrize("given", POSITIONS)
def test_swapping_the_teams_swaps_the_values(given: dict[str, Any]) -> None:
    m = match()
    swapped = match(charts="2018", home_team="2018:KC", away_team="2008:PIT")
    g = position(m, given, 17, 13)
    other = position(m, given, 13, 17)
    other.possession = 1 - g.possession
    other.timeouts = list(reversed(g.timeouts))
    other.received_first = 1 - g.received_first
    assert function(swapped).margin == pytest.approx(-function(m).margin)
    assert worth(swapped, other) == pytest.approx(1 - worth(m, g))


def test_the_coin_toss_favors_nobody_but_the_better_team() -> None:
    even = match(charts="2008", home_team="PIT", away_team="PIT")
    assert worth(even, RULES.new_position(even)) == pytest.approx(0.5)
    better = match(home_team="NE", away_team="DET")
    assert worth(better, RULES.new_position(better)) > 0.6, "Detroit lost all games of 2008"


def test_the_end_of_a_game_is_exact() -> None:
    m = match()
    source = ShippedSource(RULES, m, function(m))
    over = RULES.new_position(m, {"phase": "over", "period": 4, "score": {"home": 3, "away": 0}})
    assert source.value(over) == Value.of_winner(HOME)
    kneel_down = {**BALL, "period": 4, "clock": 5}
    assert worth(m, position(m, kneel_down, 20, 10)) > 0.99


def test_the_position_within_a_play_is_worth_its_beginning() -> None:
    m = match()
    g = position(m, POSITIONS[0])
    called = g.copy()
    RULES.step(m, called, LINE_PLUNGE)
    assert called.asks != g.asks
    assert worth(m, called) == worth(m, g)


def test_only_what_was_trained_is_supported() -> None:
    supports = match_values.VALUES.supports
    assert supports(RULES, RULES.new_match())
    assert supports(RULES, match(playoff=True, away_plan="2018:KC"))
    for options in ({"quarter_seconds": 300}, {"mode": "full"}, {"home_field": 10}):
        assert not supports(RULES, match(**options))


def test_it_is_small_and_labeled_as_estimated() -> None:
    assert match_values.FILE.stat().st_size < MAX_BYTES
    m = match()
    source = ShippedSource.find(RULES, m, 0.5)
    assert source is not None
    assert source.value(RULES.new_position(m)).method == Method.FITTED
    assert "best play" not in source.description
    assert "coach book" in source.description
    with pytest.raises(NoValue, match="best play"):
        source.judge(position(m, POSITIONS[3]))


def test_the_stated_error_is_within_the_promise() -> None:
    error = function(match()).error
    assert error.positions >= 300
    assert error.mean < 0.02
    assert error.p99 < 0.1


def test_ties_are_likelier_in_overtime_and_impossible_in_playoffs() -> None:
    given = {**BALL, "period": 5, "clock": 30, "overtime": "sudden"}
    m, playoff = match(), match(playoff=True)
    tie = function(m).chances(m, position(m, given))[1]
    assert tie > function(m).chances(m, position(m, POSITIONS[0]))[1]
    assert function(playoff).chances(playoff, position(playoff, given))[1] == 0


def test_plain_evaluation_equals_that_of_the_fit() -> None:
    np = pytest.importorskip("numpy")
    m = match()
    network = function(m).fitted.network
    for given in POSITIONS:
        g = position(m, given, 20, 17)
        row = np.array([*position_features(m, g, 3.0), 1.0], float)
        lead = np.array(lead_features(g))
        odds = np.dot(network.direct, row) + np.dot(network.direct_leads, lead)
        odds += np.dot(network.free_out, np.tanh(np.array(network.free) @ row))
        mixed = np.array(network.mixed) @ row + np.array(network.leads) @ lead
        odds += np.dot(network.mixed_out, np.tanh(mixed))
        assert network.evaluate(row[:-1].tolist(), lead.tolist()) == pytest.approx(odds)
