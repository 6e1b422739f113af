"""Formations: called always, none is better or worse than every real defense."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS, RUNS
from hashmark.league.charts import fidelity, scores
from hashmark.league.charts.fidelity import Cells
from hashmark.league.charts.formations import LEVEL, MIX, TEMPLATE
from hashmark.league.charts.shipped import SEASONS
from hashmark.league.charts.tallies import Array
from hashmark.league.facts import real

CALLED = (20, 11, 10, 2, 11, 17, 4, 7, 18)  # percent of calls, by play


def allowed(file: charts.ChartFile) -> Array:
    """Return yards per call allowed by each formation, all teams combined, sacks included."""
    teams = [team.columns for team in file.teams.values()]

    def together(name: str) -> Cells:
        return fidelity.mixed([(fidelity.spread(columns[name]), 1.0) for columns in teams])

    yards = np.zeros((len(PLAYS), len(FORMATIONS)))
    for index, play in enumerate(PLAYS):
        breakaway = together("breakaway") if play in RUNS else {}
        for formation_index, formation in enumerate(FORMATIONS):
            defense = together(f"defence.{formation}.{play}")
            outcome = fidelity.outcome(together(f"offence.{play}"), breakaway, defense)
            yards[index, formation_index] = (
                outcome.yards + scores.TRAPPED_YARDS * outcome.events["QT"]
            )
    return np.array(CALLED) @ yards / sum(CALLED)


def spread(season: int) -> tuple[float, float]:
    """Return yards per play between the league and its best defense, and its worst one.

    Sacks are included, as in box scores.
    """
    figures = real.load(season)
    counted = [figures.of(team, real.AGAINST) for team in figures.teams]
    league = sum(team_counts["yards"] for team_counts in counted) / sum(
        team_counts["plays"] for team_counts in counted
    )
    yards_per_play = [team_counts["yards"] / team_counts["plays"] for team_counts in counted]
    return league - min(yards_per_play), max(yards_per_play) - league


def test_every_formation_has_a_design() -> None:
    assert list(TEMPLATE) == list(LEVEL) == list(FORMATIONS)


@pytest.mark.parametrize(
    "season",
    [pytest.param(year, marks=() if year == 2008 else pytest.mark.long) for year in SEASONS],
)
def test_a_formation_called_always_stays_within_real_defenses(season: int) -> None:
    """No formation is better or worse, by yards, than every real defense of the season."""
    given_up = allowed(charts.load(str(season)))
    over = given_up - given_up @ MIX
    fewer, more = spread(season)
    assert over.min() > -fewer
    assert over.max() < more
