"""Formations: none of them, called always, does what no real defence has done."""

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

CALLED = (20, 11, 10, 2, 11, 17, 4, 7, 18)  # how often each play is called, of a hundred


def allowed(file: charts.ChartFile) -> Array:
    """Yards a call that each formation gives up, all teams together, sacks and scrambles too."""
    teams = [team.columns for team in file.teams.values()]

    def together(name: str) -> Cells:
        return fidelity.mixed([(fidelity.spread(one[name]), 1.0) for one in teams])

    yards = np.zeros((len(PLAYS), len(FORMATIONS)))
    for at, play in enumerate(PLAYS):
        breakaway = together("breakaway") if play in RUNS else {}
        for f, formation in enumerate(FORMATIONS):
            defence = together(f"defence.{formation}.{play}")
            found = fidelity.outcome(together(f"offence.{play}"), breakaway, defence)
            yards[at, f] = found.yards + scores.TRAPPED_YARDS * found.events["QT"]
    return np.array(CALLED) @ yards / sum(CALLED)


def spread(season: int) -> tuple[float, float]:
    """Yards a play that the best defence of a season allowed fewer than the league, the worst more.

    Sacks are in them, as the box scores have them.
    """
    figures = real.load(season)
    counted = [figures.of(team, real.AGAINST) for team in figures.teams]
    league = sum(one["yards"] for one in counted) / sum(one["plays"] for one in counted)
    each = [one["yards"] / one["plays"] for one in counted]
    return league - min(each), max(each) - league


def test_every_formation_has_a_design() -> None:
    assert list(TEMPLATE) == list(LEVEL) == list(FORMATIONS)


@pytest.mark.parametrize(
    "season", [pytest.param(one, marks=() if one == 2008 else pytest.mark.long) for one in SEASONS]
)
def test_a_formation_called_always_gives_up_what_real_defences_gave_up(season: int) -> None:
    """No formation is a better or a worse defence, by yards, than any that was there."""
    given_up = allowed(charts.load(str(season)))
    over = given_up - given_up @ MIX
    fewer, more = spread(season)
    assert over.min() > -fewer
    assert over.max() < more
