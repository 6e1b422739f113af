"""Data-Driven Football: what the match takes from charts and seasons, and what is counted."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.files import Team
from hashmark.games.data_driven.setup import audibles, kick_touchback_spot, season_touchback
from hashmark.games.data_driven.words import plays_tried
from hashmark.league.seasons import preset
from hashmark.referee import Referee

FILE = charts.load("invented")
OTTERS, HERONS = FILE.teams.values()


def with_field(team: Team, *field: int) -> Team:
    return replace(team, home_field=field)


def test_audibles_are_limited_once_at_the_end() -> None:
    for own, hfa, road in product(range(4), range(4), range(3)):
        home, away = with_field(OTTERS, 0, 3, hfa, 2), with_field(HERONS, own, 3 - own, 3, road)
        visiting = [min(3, max(0, value - hfa + road)) for value in (own, 3 - own)]
        assert audibles(home, away) == [0, 3, *visiting]


@pytest.mark.parametrize("season", [2008, 2018, 2025])
def test_a_single_game_has_the_touchbacks_of_its_season(season: int) -> None:
    m = RULES.new_match({"charts": str(season)})
    assert m.kick_touchback_spot == preset.options(season)["kick_touchback_spot"]
    assert m.kick_touchback_spot == season_touchback(season)
    assert m.touchback_spot == 20


@pytest.mark.parametrize(
    ("given", "spots"),
    [
        ({"touchback_spot": 7}, (7, 7)),
        ({"kick_touchback_spot": 40}, (20, 40)),
        ({"touchback_spot": 7, "kick_touchback_spot": 40}, (7, 40)),
    ],
)
def test_the_spots_of_touchbacks_that_are_given(
    given: dict[str, int], spots: tuple[int, int]
) -> None:
    m = RULES.new_match({"charts": "2018", **given})
    assert (m.touchback_spot, m.kick_touchback_spot) == spots


@pytest.mark.parametrize(
    ("seasons", "spot"),
    [
        ((2008, 2008), 20),
        ((2018, 2022), 25),  # two seasons, one spot
        ((2018, 2024), 20),  # not clear
        ((2025, 2025), 35),
        ((2025, 0), 20),
        ((0, 0), 20),
    ],
)
def test_touchbacks_where_the_season_is_clear(seasons: tuple[int, int], spot: int) -> None:
    home, away = (replace(OTTERS, season=season) for season in seasons)
    assert kick_touchback_spot(FILE, home, away) == spot


def test_a_team_without_a_season_is_of_its_file() -> None:
    file = replace(FILE, league=replace(FILE.league, season=2024))
    assert kick_touchback_spot(file, OTTERS, HERONS) == 30


def test_plays_called_at_least_once_are_counted() -> None:
    """As the calls that were snapped say, flagged or not."""
    game = Referee(RULES, seed=4).played({}, 0, "book")
    tried: list[set[str]] = [set(), set()]
    for turn in game.turns:
        g = turn.before
        for told in turn.events:
            if told.name == "calls":
                tried[g.possession].add(p.PLAYED[told.a])
    home, away = (f"{len(plays)} of 9" for plays in tried)
    assert plays_tried(game) == [("Plays called at least once", home, away)]
    assert "0 of 9" not in (home, away)
    assert plays_tried(None) == [("Plays called at least once", "0 of 9", "0 of 9")]
