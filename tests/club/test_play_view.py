"""Outcomes of plays by the charts: probabilities add up, and agree with the what-ifs' duels."""

from __future__ import annotations

import pytest

from hashmark.club.play_view import DEFENCE, MIXED, OFFENCE, RATES, SeasonCharts, trapped
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts.layout import SHORT_PLACE
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons import preset
from hashmark.league.whatifs import duels
from hashmark.league.whatifs.ends import GAIN, INCOMPLETE_AT, PICKED, place


@pytest.fixture(scope="module")
def charts() -> SeasonCharts:
    return SeasonCharts.of(2008)


@pytest.mark.parametrize("side", [OFFENCE, DEFENCE])
@pytest.mark.parametrize("formation", [MIXED, "blitz"])
def test_chances_add_up_to_one(charts: SeasonCharts, side: str, formation: str) -> None:
    for play in range(len(PLAYS)):
        outcomes = charts.against("ARI", side, play, formation)
        total = sum(outcomes.gains.values()) + sum(getattr(outcomes, name) for name in RATES)
        assert total == pytest.approx(1)
        assert all(getattr(outcomes, name) >= 0 for name in RATES)
        assert (outcomes.incomplete > 0) == (play >= 4)


def test_outcomes_of_two_teams_equal_those_of_their_duel(charts: SeasonCharts) -> None:
    """Exact: the same gains, incompletions and interceptions as the rules' own outcomes."""
    options = {**preset.options(2008), "charts": "2008", "home_team": "ARI", "away_team": "NE"}
    m = RULES.new_match(options)
    duel = duels.Duel(m, 0)
    for play in range(len(PLAYS)):
        for index, formation in enumerate(FORMATIONS):
            cover = duels.short(
                duels.short_column(m, 1, SHORT_PLACE[f"defence.{formation}.{PLAYS[play]}"])
            )
            traps = trapped(charts.teams["ARI"], charts.teams["NE"])
            outcomes = charts.laid(charts.offences["ARI"][play], cover, traps)
            results = duel.results[play, index]
            assert outcomes.incomplete == pytest.approx(results[INCOMPLETE_AT])
            for yards in range(-3, 40):
                assert outcomes.gains.get(yards, 0.0) == pytest.approx(results[place(GAIN, yards)])
            picked = sum(results[place(PICKED, yards)] for yards in range(-40, 60))
            assert outcomes.intercepted == pytest.approx(picked, abs=2e-3)


def test_the_league_is_the_mean_of_its_teams(charts: SeasonCharts) -> None:
    for side in (OFFENCE, DEFENCE):
        for play in range(len(PLAYS)):
            yards = [by_play[play] for by_play in charts.yards[side].values()]
            assert len(yards) == 32
            mean = sum(yards) / 32
            assert mean == pytest.approx(
                sum(by_play[play] for by_play in charts.yards[OFFENCE].values()) / 32, abs=0.02
            )


def test_formations_help_against_the_plays_they_are_for(charts: SeasonCharts) -> None:
    plunge, long = PLAYS.index("line-plunge"), PLAYS.index("long-pass")
    jam = charts.against("ARI", OFFENCE, plunge, "jam-middle")
    assert jam.yards < charts.against("ARI", OFFENCE, plunge).yards
    assert (
        charts.against("ARI", OFFENCE, long, "jam-middle").yards
        > charts.against("ARI", OFFENCE, long, "dime").yards
    )
