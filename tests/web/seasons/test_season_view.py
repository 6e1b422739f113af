"""Real seasons: records, ties and seeds against known results and the rules."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.league.data import schedule
from hashmark.league.data.schedule import CONFERENCES, TEAMS, WILD_CARD
from hashmark.league.seasons import standings
from hashmark.web.seasons import season_view
from hashmark.web.seasons.season_view import SeasonView, UnknownSeason


def test_all_shipped_seasons_are_available_newest_first() -> None:
    assert list(season_view.available_seasons()) == sorted(SEASONS, reverse=True)


@pytest.mark.parametrize("year", SEASONS)
def test_ranks_and_seeds_equal_those_of_the_rules(year: int) -> None:
    view, played = SeasonView.of(year), schedule.load(year)
    games = [game for game in played.regular if game.score is not None]
    points = np.array([[game.score] for game in games], np.int64)
    places = schedule.playoff_seeds(year)
    expected = standings.rank_seasons(
        games, points, np.zeros((1, 32), np.int64), places, compiled=False
    )
    for number, team in enumerate(TEAMS):
        division = view.divisions[view.division_of(team)]
        assert [standing.team for standing in division].index(team) == expected.ranks[0, number]
        assert view.standings[team].record == played.record(team)
    for index, name in enumerate(CONFERENCES):
        assert view.seeds[name] == tuple(TEAMS[team] for team in expected.seeds[0, index])


@pytest.mark.parametrize("year", SEASONS)
def test_seeded_teams_are_those_that_played_in_the_playoffs(year: int) -> None:
    view = SeasonView.of(year)
    in_playoffs = {
        team for week in view.rounds for game in week.games for team in (game.home, game.away)
    }
    assert in_playoffs == {team for seeds in view.seeds.values() for team in seeds}
    assert view.rounds[0].title == season_view.STAGE_NAMES[WILD_CARD]
    assert view.standings[view.champion].reached == "champion"
    assert (
        sum(standing.reached == "lost the Super Bowl" for standing in view.standings.values()) == 1
    )


@pytest.mark.parametrize("year", SEASONS)
def test_tie_winners_are_ranked_first_and_no_tie_came_to_a_coin_toss(year: int) -> None:
    view = SeasonView.of(year)
    for tie in view.ties:
        assert tie.by != "a coin toss"
        for other in tie.over:
            winner, loser = view.standings[tie.winner], view.standings[other]
            assert winner.share == loser.share
            if tie.for_seed:
                assert 0 < winner.seed < (loser.seed or 99)
            else:
                assert view.division_of(tie.winner) == view.division_of(other)


def test_the_known_tiebreakers_of_2008() -> None:
    sentences = [tie.words for tie in SeasonView.of(2008).ties]
    assert "MIA ranked over NE by conference record" in sentences
    assert "LAC ranked over DEN by division record" in sentences
    assert "BAL seeded over NE by conference record" in sentences


def test_teams_have_the_names_of_their_time() -> None:
    assert SeasonView.of(2008).name("LV") == "Oakland Raiders"
    assert SeasonView.of(2025).name("LV") == "Las Vegas Raiders"


def test_a_result_is_given_from_either_side() -> None:
    view = SeasonView.of(2008)
    final = view.games_of("ARI")[-1]
    assert (final.result("ARI"), final.result("PIT")) == ("lost 23-27", "won 27-23")
    assert final.other("ARI") == "PIT"
    assert final.neutral
    tie = next(game for game in view.games_of("PHI") if game.result("PHI").startswith("tied"))
    assert tie.winner is None


def test_a_view_is_plain_data() -> None:
    data = json.loads(json.dumps(SeasonView.of(2022).to_json()))
    assert data["champion"] == "KC"
    assert len(data["seeds"]["AFC"]) == 7
    assert sum(len(week["games"]) for week in data["weeks"]) == 271  # one was never finished


@pytest.mark.parametrize("text", ["1999", "2023", "", "20O8", "²008", "99999", "../2008"])
def test_other_seasons_are_rejected(text: str) -> None:
    with pytest.raises(UnknownSeason, match="no season"):
        season_view.parse_season(text)


def test_a_team_is_found_by_code_city_or_nickname() -> None:
    ways = ("ARI", "ari", "Arizona", "cardinals", "Arizona Cardinals")
    assert {season_view.parse_team(text) for text in ways} == {"ARI"}
    assert season_view.parse_team("oak") == "LV"


@pytest.mark.parametrize("text", ["", "XXX", "ARI-2008", "../ARI", "New York"])
def test_unknown_teams_are_rejected(text: str) -> None:
    with pytest.raises(UnknownSeason, match="team"):
        season_view.parse_team(text)
