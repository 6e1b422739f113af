"""Formations: called always, none is better or worse than every real defense."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.chart_file import ChartFile
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS, RUNS
from hashmark.league.charts import fidelity, score_adjustment
from hashmark.league.charts.fidelity import CellChances
from hashmark.league.charts.formations import DEFAULT_MIX, DESIGN_TABLE, LEVEL_YARDS
from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.league.data import real_stats
from hashmark.league.data.arrays import Floats

CALLED = (20, 11, 10, 2, 11, 17, 4, 7, 18)  # percent of calls, by play


def allowed(file: ChartFile) -> Floats:
    """Return yards per call allowed by each formation, all teams combined, sacks included."""
    teams = [team.columns for team in file.teams.values()]

    def together(name: str) -> CellChances:
        return fidelity.mix_cells(
            [(fidelity.cell_chances(columns[name]), 1.0) for columns in teams]
        )

    yards = np.zeros((len(PLAYS), len(FORMATIONS)))
    for index, play in enumerate(PLAYS):
        breakaway = together("breakaway") if play in RUNS else {}
        for formation_index, formation in enumerate(FORMATIONS):
            defense = together(f"defence.{formation}.{play}")
            outcome = fidelity.column_outcome(together(f"offence.{play}"), breakaway, defense)
            yards[index, formation_index] = (
                outcome.yards + score_adjustment.TRAPPED_YARDS * outcome.events["QT"]
            )
    return np.array(CALLED) @ yards / sum(CALLED)


def spread(season: int) -> tuple[float, float]:
    """Return yards per play between the league and its best defense, and its worst one.

    Sacks are included, as in box scores.
    """
    figures = real_stats.load(season)
    counted = [figures.team_counts(team, real_stats.AGAINST) for team in figures.teams]
    league = sum(team_counts["yards"] for team_counts in counted) / sum(
        team_counts["plays"] for team_counts in counted
    )
    yards_per_play = [team_counts["yards"] / team_counts["plays"] for team_counts in counted]
    return league - min(yards_per_play), max(yards_per_play) - league


def test_every_formation_has_a_design() -> None:
    assert list(DESIGN_TABLE) == list(LEVEL_YARDS) == list(FORMATIONS)


@pytest.mark.parametrize(
    "season",
    [pytest.param(year, marks=() if year == 2008 else pytest.mark.long) for year in SEASONS],
)
def test_a_formation_called_always_stays_within_real_defenses(season: int) -> None:
    """No formation is better or worse, by yards, than every real defense of the season."""
    given_up = allowed(charts.load(str(season)))
    over = given_up - given_up @ DEFAULT_MIX
    fewer, more = spread(season)
    assert over.min() > -fewer
    assert over.max() < more
