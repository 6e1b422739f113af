"""What charts amount to: chances that add up, and the same as the duels of the what-ifs."""

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
        one = charts.against("ARI", side, play, formation)
        total = sum(one.gains.values()) + sum(getattr(one, name) for name in RATES)
        assert total == pytest.approx(1)
        assert all(getattr(one, name) >= 0 for name in RATES)
        assert (one.incomplete > 0) == (play >= 4)


def test_a_pair_of_teams_is_laid_as_their_duel_is(charts: SeasonCharts) -> None:
    """Exact: the same gains, incompletions and interceptions as the rules' own outcomes."""
    given = {**preset.options(2008), "charts": "2008", "home_team": "ARI", "away_team": "NE"}
    m = RULES.new_match(given)
    duel = duels.Duel(m, 0)
    for play in range(len(PLAYS)):
        for at, formation in enumerate(FORMATIONS):
            cover = duels.short(
                duels.short_column(m, 1, SHORT_PLACE[f"defence.{formation}.{PLAYS[play]}"])
            )
            traps = trapped(charts.teams["ARI"], charts.teams["NE"])
            one = charts.laid(charts.offences["ARI"][play], cover, traps)
            results = duel.results[play, at]
            assert one.incomplete == pytest.approx(results[INCOMPLETE_AT])
            for yards in range(-3, 40):
                assert one.gains.get(yards, 0.0) == pytest.approx(results[place(GAIN, yards)])
            picked = sum(results[place(PICKED, yards)] for yards in range(-40, 60))
            assert one.intercepted == pytest.approx(picked, abs=2e-3)


def test_the_league_is_the_mean_of_its_teams(charts: SeasonCharts) -> None:
    for side in (OFFENCE, DEFENCE):
        for play in range(len(PLAYS)):
            yards = [each[play] for each in charts.yards[side].values()]
            assert len(yards) == 32
            mean = sum(yards) / 32
            assert mean == pytest.approx(
                sum(each[play] for each in charts.yards[OFFENCE].values()) / 32, abs=0.02
            )


def test_a_formation_does_what_it_is_for(charts: SeasonCharts) -> None:
    plunge, long = PLAYS.index("line-plunge"), PLAYS.index("long-pass")
    jam = charts.against("ARI", OFFENCE, plunge, "jam-middle")
    assert jam.yards < charts.against("ARI", OFFENCE, plunge).yards
    assert (
        charts.against("ARI", OFFENCE, long, "jam-middle").yards
        > charts.against("ARI", OFFENCE, long, "dime").yards
    )
