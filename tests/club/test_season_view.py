"""Seasons as they were: records, ties and seeds against what is known, and against the rules."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hashmark.club import season_view
from hashmark.club.season_view import NoSeason, SeasonView
from hashmark.league.charts.shipped import SEASONS
from hashmark.league.facts import schedule
from hashmark.league.facts.schedule import CONFERENCES, TEAMS, WILD_CARD
from hashmark.league.seasons import standings


def test_every_season_that_ships_is_known_the_newest_first() -> None:
    assert list(season_view.known()) == sorted(SEASONS, reverse=True)


@pytest.mark.parametrize("year", SEASONS)
def test_ranks_and_seeds_are_those_of_the_rules(year: int) -> None:
    view, played = SeasonView.of(year), schedule.load(year)
    games = [game for game in played.regular if game.score is not None]
    points = np.array([[game.score] for game in games], np.int64)
    places = schedule.seeds(year)
    found = standings.rank(games, points, np.zeros((1, 32), np.int64), places, compiled=False)
    for number, team in enumerate(TEAMS):
        division = view.divisions[view.division_of(team)]
        assert [one.team for one in division].index(team) == found.ranks[0, number]
        assert view.standings[team].record == played.record(team)
    for at, name in enumerate(CONFERENCES):
        assert view.seeds[name] == tuple(TEAMS[team] for team in found.seeds[0, at])


@pytest.mark.parametrize("year", SEASONS)
def test_who_was_seeded_really_played_in_the_playoffs(year: int) -> None:
    view = SeasonView.of(year)
    there = {team for week in view.rounds for game in week.games for team in (game.home, game.away)}
    assert there == {team for each in view.seeds.values() for team in each}
    assert view.rounds[0].title == season_view.STAGE_NAMES[WILD_CARD]
    assert view.standings[view.champion].reached == "champion"
    assert sum(one.reached == "lost the final" for one in view.standings.values()) == 1


@pytest.mark.parametrize("year", SEASONS)
def test_every_tie_is_won_by_who_is_ranked_first_and_none_by_a_coin(year: int) -> None:
    view = SeasonView.of(year)
    for tie in view.ties:
        assert tie.by != "a coin"
        for other in tie.over:
            winner, loser = view.standings[tie.winner], view.standings[other]
            assert winner.share == loser.share
            if tie.for_seed:
                assert 0 < winner.seed < (loser.seed or 99)
            else:
                assert view.division_of(tie.winner) == view.division_of(other)


def test_the_ties_of_2008_as_they_are_told_everywhere() -> None:
    said = [tie.words for tie in SeasonView.of(2008).ties]
    assert "MIA ranked over NE by record in the conference" in said
    assert "LAC ranked over DEN by record in the division" in said
    assert "BAL seeded over NE by record in the conference" in said


def test_teams_have_the_names_of_their_time() -> None:
    assert SeasonView.of(2008).name("LV") == "Oakland Raiders"
    assert SeasonView.of(2025).name("LV") == "Las Vegas Raiders"


def test_a_game_is_told_from_either_side() -> None:
    view = SeasonView.of(2008)
    final = view.games_of("ARI")[-1]
    assert (final.result("ARI"), final.result("PIT")) == ("lost 23-27", "won 27-23")
    assert final.other("ARI") == "PIT"
    assert final.neutral
    tie = next(game for game in view.games_of("PHI") if game.result("PHI").startswith("tied"))
    assert tie.winner is None


def test_a_view_is_plain_data() -> None:
    said = json.loads(json.dumps(SeasonView.of(2022).to_json()))
    assert said["champion"] == "KC"
    assert len(said["seeds"]["AFC"]) == 7
    assert sum(len(week["games"]) for week in said["weeks"]) == 271  # one was never finished


@pytest.mark.parametrize("text", ["1999", "2023", "", "20O8", "²008", "99999", "../2008"])
def test_no_other_season_is_taken(text: str) -> None:
    with pytest.raises(NoSeason, match="no season"):
        season_view.year_of(text)


def test_a_team_may_be_written_in_any_way() -> None:
    ways = ("ARI", "ari", "Arizona", "cardinals", "Arizona Cardinals")
    assert {season_view.team_of(text) for text in ways} == {"ARI"}
    assert season_view.team_of("oak") == "LV"


@pytest.mark.parametrize("text", ["", "XXX", "ARI-2008", "../ARI", "New York"])
def test_no_other_team_is_taken(text: str) -> None:
    with pytest.raises(NoSeason, match="team"):
        season_view.team_of(text)
