"""Ranks of a team: the best is first, fewer is better where it is, and nobody is left out."""

from __future__ import annotations

import pytest

from hashmark.club import strengths
from hashmark.club.strengths import groups, ordinal, ranked
from hashmark.league.facts import real
from hashmark.league.facts.schedule import TEAMS
from hashmark.pages.shapes import meet


def test_the_figures_are_those_that_happened() -> None:
    offence = groups(2008, "ARI")[0]
    points = offence.strengths[0]
    assert points.value == pytest.approx(real.load(2008).of("ARI")["points"] / 16)
    assert (points.rank, points.of) == (3, 32)
    assert 0 <= points.percentile <= 100


def test_every_team_has_a_rank_of_its_own_but_for_ties() -> None:
    found = [groups(2019, team)[1].strengths[0] for team in TEAMS]
    assert sorted(one.rank for one in found)[0] == 1
    assert min(found, key=lambda one: one.value).rank == 1  # fewest points allowed
    assert {one.of for one in found} == {32}


def test_more_or_fewer_is_better() -> None:
    values = {"A": 1.0, "B": 2.0, "C": 3.0}
    assert ranked("x", values, "C", True, "{:.1f}").rank == 1
    assert ranked("x", values, "C", False, "{:.1f}").rank == 3
    assert ranked("x", dict.fromkeys("ABC", 1.0), "B", True, "{:.1f}").better == 0


def test_what_stood_out_is_told_in_words() -> None:
    good, bad = strengths.best_and_worst(groups(2008, "ARI"))
    assert "1st in defending: fumbles taken a game" in good
    assert "31st in yards a run" in bad


@pytest.mark.parametrize(("number", "said"), [(1, "1st"), (11, "11th"), (22, "22nd"), (33, "33rd")])
def test_ordinals(number: int, said: str) -> None:
    assert ordinal(number) == said


@pytest.mark.parametrize("team", ["ARI", "LAC"])
def test_no_two_texts_of_a_strip_overlap(team: str) -> None:
    for group in groups(2020, team):
        chart = group.chart(team)
        words = list(chart.words())
        for at, one in enumerate(words):
            assert one.frame[0] >= 0
            assert one.frame[2] <= chart.width
            assert not any(meet(one.frame, other.frame) for other in words[:at]), one.text
        assert group.strengths[0].name in chart.description
