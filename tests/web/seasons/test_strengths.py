"""Ranks of a team: the best is first, in the right direction, among all teams."""

from __future__ import annotations

import pytest

from hashmark.league.data import real_stats
from hashmark.league.data.schedule import TEAMS
from hashmark.reports.shapes import frames_overlap
from hashmark.web.seasons import strengths
from hashmark.web.seasons.strengths import rank_team, team_strengths


def test_figures_are_the_real_ones() -> None:
    offense = team_strengths(2008, "ARI")[0]
    points = offense.strengths[0]
    assert points.value == pytest.approx(real_stats.load(2008).team_counts("ARI")["points"] / 16)
    assert (points.rank, points.team_count) == (3, 32)
    assert 0 <= points.percentile <= 100


def test_ranks_follow_the_figures_of_all_teams() -> None:
    strengths_by_team = [team_strengths(2019, team)[1].strengths[0] for team in TEAMS]
    assert sorted(strength.rank for strength in strengths_by_team)[0] == 1
    assert (
        min(strengths_by_team, key=lambda strength: strength.value).rank == 1
    )  # fewest points allowed
    assert {strength.team_count for strength in strengths_by_team} == {32}


def test_more_or_fewer_is_better() -> None:
    values = {"A": 1.0, "B": 2.0, "C": 3.0}
    assert rank_team("x", values, "C", True, 1).rank == 1
    assert rank_team("x", values, "C", False, 1).rank == 3
    assert rank_team("x", dict.fromkeys("ABC", 1.0), "B", True, 1).z_score == 0


def test_best_and_worst_figures_are_named() -> None:
    good, bad = strengths.best_and_worst(team_strengths(2008, "ARI"))
    assert "1st in fumbles recovered per game" in good
    assert "31st in yards per run" in bad


@pytest.mark.parametrize("team", ["ARI", "LAC"])
def test_no_two_texts_of_a_strip_overlap(team: str) -> None:
    for group in team_strengths(2020, team):
        chart = group.chart(team)
        labels = list(chart.texts())
        for index, label in enumerate(labels):
            assert label.frame[0] >= 0
            assert label.frame[2] <= chart.width
            assert not any(frames_overlap(label.frame, other.frame) for other in labels[:index]), (
                label.text
            )
        assert group.strengths[0].name in chart.description
