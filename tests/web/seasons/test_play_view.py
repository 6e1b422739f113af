"""Outcomes of plays by the charts: probabilities add up, and agree with the what-ifs' duels."""

from __future__ import annotations

import pytest

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts.layout import SHORT_INDEX
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons import game_options
from hashmark.league.whatifs import matchups
from hashmark.league.whatifs.play_results import GAIN, INCOMPLETE_INDEX, INTERCEPTED, result_index
from hashmark.web.seasons.play_view import (
    DEFENSE,
    MIXED,
    OFFENSE,
    RATES,
    SeasonCharts,
    trap_outcomes,
)


@pytest.fixture(scope="module")
def charts() -> SeasonCharts:
    return SeasonCharts.load(2008)


@pytest.mark.parametrize("side", [OFFENSE, DEFENSE])
@pytest.mark.parametrize("formation", [MIXED, "blitz"])
def test_chances_add_up_to_one(charts: SeasonCharts, side: str, formation: str) -> None:
    for play in range(len(PLAYS)):
        outcomes = charts.play_outcomes("ARI", side, play, formation)
        total = sum(outcomes.gains.values()) + sum(getattr(outcomes, name) for name in RATES)
        assert total == pytest.approx(1)
        assert all(getattr(outcomes, name) >= 0 for name in RATES)
        assert (outcomes.incomplete > 0) == (play >= 4)


def test_outcomes_of_two_teams_equal_those_of_their_duel(charts: SeasonCharts) -> None:
    """Exact: the same gains, incompletions and interceptions as the rules' own outcomes."""
    options = {
        **game_options.season_options(2008),
        "charts": "2008",
        "home_team": "ARI",
        "away_team": "NE",
    }
    m = RULES.new_match(options)
    duel = matchups.Matchup(m, 0)
    for play in range(len(PLAYS)):
        for index, formation in enumerate(FORMATIONS):
            cover = matchups.short_chances(
                matchups.short_column(m, 1, SHORT_INDEX[f"defence.{formation}.{PLAYS[play]}"])
            )
            traps = trap_outcomes(charts.teams["ARI"], charts.teams["NE"])
            outcomes = charts.combine(charts.offense_cells["ARI"][play], cover, traps)
            results = duel.results[play, index]
            assert outcomes.incomplete == pytest.approx(results[INCOMPLETE_INDEX])
            for yards in range(-3, 40):
                assert outcomes.gains.get(yards, 0.0) == pytest.approx(
                    results[result_index(GAIN, yards)]
                )
            picked = sum(results[result_index(INTERCEPTED, yards)] for yards in range(-40, 60))
            assert outcomes.intercepted == pytest.approx(picked, abs=2e-3)


def test_the_league_is_the_mean_of_its_teams(charts: SeasonCharts) -> None:
    for side in (OFFENSE, DEFENSE):
        for play in range(len(PLAYS)):
            yards = [by_play[play] for by_play in charts.yards[side].values()]
            assert len(yards) == 32
            mean = sum(yards) / 32
            assert mean == pytest.approx(
                sum(by_play[play] for by_play in charts.yards[OFFENSE].values()) / 32, abs=0.02
            )


def test_formations_help_against_the_plays_they_are_for(charts: SeasonCharts) -> None:
    plunge, long = PLAYS.index("line-plunge"), PLAYS.index("long-pass")
    jam = charts.play_outcomes("ARI", OFFENSE, plunge, "jam-middle")
    assert jam.yards < charts.play_outcomes("ARI", OFFENSE, plunge).yards
    assert (
        charts.play_outcomes("ARI", OFFENSE, long, "jam-middle").yards
        > charts.play_outcomes("ARI", OFFENSE, long, "dime").yards
    )
