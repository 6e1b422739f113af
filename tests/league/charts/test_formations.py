"""Formations: none of them, called always, does what no real defence has done."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.tables import FORMATIONS
from hashmark.league.charts.formations import LEVEL, MIX, TEMPLATE
from hashmark.league.charts.short_field import NEAREST, Charts

# By season: yards a play that its best defence allowed fewer than the league, its worst more. The
# bound is that of the season itself, chosen so that no formation is a better or worse defence than
# any that was there. The closest spread of any shipped season (0.64 and 0.57) would be too narrow:
# the blitz of 2008 gives up 0.576 more. How often each play is called, of a hundred:
SPREAD = {"2008": (1.44, 1.21), "2024": (0.73, 0.58)}
CALLED = (20, 11, 10, 2, 11, 17, 4, 7, 18)


def test_every_formation_has_a_design() -> None:
    assert list(TEMPLATE) == list(LEVEL) == list(FORMATIONS)


@pytest.mark.parametrize("season", ["2008", pytest.param("2024", marks=pytest.mark.long)])
def test_a_formation_called_always_gives_up_what_real_defences_gave_up(season: str) -> None:
    file = charts.load(season)
    keys = list(file.teams)
    plays = pl.DataFrame({"team": keys, "against": keys, "weight": [1.0] * len(keys)})
    reach = Charts(keys, [team.columns for team in file.teams.values()]).reach(plays)
    yards = NEAREST * reach[:, :, 0] + reach[:, :, 1:].sum(axis=2)
    allowed = np.array(CALLED) @ yards / sum(CALLED)
    over = allowed - allowed @ MIX
    fewer, more = SPREAD[season]
    assert over.min() > -fewer
    assert over.max() < more
