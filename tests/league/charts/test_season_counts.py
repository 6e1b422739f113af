"""Counts that charts are filled from: a team's own in faithful mode, else shrunk to the league."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

import numpy as np
import pytest

from hashmark.games.data_driven.tables import PLAYS, RUNS, SHORT_PASS
from hashmark.league.charts import penalties
from hashmark.league.charts.season_counts import SeasonCounts
from hashmark.league.charts.tallies import LOWEST_GAIN, YARDS, SideTallies
from hashmark.league.data import play_by_play
from hashmark.league.data.chart_columns import FUMBLE, RESULTS
from league.invented_plays import frame, run

TEAMS = 2


def side(**given: Any) -> SideTallies:
    """Return the tallies of two teams, zero but for what is given."""
    empty = np.zeros((TEAMS, len(PLAYS), len(YARDS)))
    zeros = {field.name: empty for field in fields(SideTallies)}
    zeros["results"] = np.zeros((TEAMS, len(PLAYS), len(RESULTS)))
    return SideTallies(**{**zeros, **given})


def at_yards(*yards: int) -> Any:
    """Return a histogram of short passes: all of the first team."""
    counts = np.zeros((TEAMS, len(PLAYS), len(YARDS)))
    for one in yards:
        counts[0, SHORT_PASS, one - LOWEST_GAIN] += 1
    return counts


def counted(offense: SideTallies, faithful: bool) -> SeasonCounts:
    plays = play_by_play.load(frame(run(desc="X left end")))
    flags = penalties.count_penalties(plays, ["A", "B"])
    return SeasonCounts(cast(Any, None), offense, offense, flags, faithful)


def test_interceptions_are_own_in_faithful_mode_only() -> None:
    offense = side(interceptions=at_yards(3, 12, 20))
    own, league = (counted(offense, faithful) for faithful in (True, False))
    assert own.interception_yards(offense, 0, SHORT_PASS) == [3, 12, 20]
    assert len(league.interception_yards(offense, 0, SHORT_PASS)) == 9  # deciles
    assert own.interception_yards(offense, 1, SHORT_PASS) == league.interception_yards(
        offense, 0, SHORT_PASS
    )
    assert own.interception_yards(offense, 0, 0) == [8]  # none in the whole league


def test_bad_snaps_are_added_to_fumbles_of_runs() -> None:
    results = np.zeros((TEAMS, len(PLAYS), len(RESULTS)))
    results[0, 0, FUMBLE] = 4.0
    offense = side(results=results, aborted=np.array([8.0, 0.0]))
    assert counted(offense, False).fumble_spots(offense, 0, 0) == [-1, -1, 2]
    assert counted(offense, True).fumble_spots(offense, 0, 0) == [2]
    assert counted(offense, False).fumble_spots(offense, 0, len(RUNS)) == [2]


def test_out_of_bounds_is_shrunk_to_the_league() -> None:
    gains, out = at_yards(*range(1, 31)), at_yards(*range(1, 11))
    gains[1] = gains[0]
    offense = side(gains=gains, out_of_bounds=out)
    own = [counted(offense, True).out_of_bounds_share(team, SHORT_PASS) for team in (0, 1)]
    shrunk = [counted(offense, False).out_of_bounds_share(team, SHORT_PASS) for team in (0, 1)]
    assert own == pytest.approx([1 / 3, 0.0])
    assert own[1] < shrunk[1] < shrunk[0] < own[0]


def test_a_play_without_interference_has_a_usual_one() -> None:
    assert counted(side(), False).interference_yards("screen") == [5]
