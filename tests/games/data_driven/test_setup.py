"""Data-Driven Football: what the match takes from charts and seasons, and the tally of plays."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from hashmark.conformance import ConformanceKit
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.chart_file import Team
from hashmark.games.data_driven.setup import count_audibles, kick_touchback_spot, season_touchback
from hashmark.games.data_driven.words import tally_plays_called
from hashmark.league.seasons import game_options
from hashmark.storage import search_path

FILE = charts.load("invented")
OTTERS, HERONS = FILE.teams.values()


def with_home_field(team: Team, *field: int) -> Team:
    return replace(team, home_field=field)


def test_audibles_are_limited_once_at_the_end() -> None:
    for own, hfa, road in product(range(4), range(4), range(3)):
        home, away = (
            with_home_field(OTTERS, 0, 3, hfa, 2),
            with_home_field(HERONS, own, 3 - own, 3, road),
        )
        visiting = [min(3, max(0, value - hfa + road)) for value in (own, 3 - own)]
        assert count_audibles(home, away) == [0, 3, *visiting]


@pytest.mark.parametrize("season", [2008, 2018, 2025])
def test_a_single_game_has_the_touchbacks_of_its_season(season: int) -> None:
    m = RULES.new_match({"charts": str(season)})
    assert m.kick_touchback_spot == game_options.season_options(season)["kick_touchback_spot"]
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
def test_given_touchback_spots_override_the_season(
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
def test_kickoff_touchbacks_follow_the_season_if_it_is_clear(
    seasons: tuple[int, int], spot: int
) -> None:
    home, away = (replace(OTTERS, season=season) for season in seasons)
    assert kick_touchback_spot(FILE, home, away) == spot


def test_a_team_without_a_season_has_the_season_of_its_file() -> None:
    file = replace(FILE, league=replace(FILE.league, season=2024))
    assert kick_touchback_spot(file, OTTERS, HERONS) == 30


def test_plays_called_at_least_once_are_counted() -> None:
    """Snapped calls count, flagged or not."""
    game = ConformanceKit(RULES, seed=4).play_game({}, 0, "book")
    tried: list[set[str]] = [set(), set()]
    for turn in game.turns:
        g = turn.before
        for event in turn.events:
            if event.name == "calls":
                tried[g.possession].add(p.ALL_PLAYS[event.play])
    home, away = (f"{len(plays)} of 9" for plays in tried)
    assert tally_plays_called(game) == [("Plays called at least once", home, away)]
    assert "0 of 9" not in (home, away)
    assert tally_plays_called(None) == [("Plays called at least once", "0 of 9", "0 of 9")]


def test_on_neutral_ground_teams_keep_their_audibles_and_no_crowd_counts() -> None:
    home, away = with_home_field(OTTERS, 1, 2, 3, 0), with_home_field(HERONS, 3, 1, 0, 2)
    assert count_audibles(home, away, neutral=True) == [1, 2, 3, 1]
    given = {"charts": "2008", "home_team": "ARI", "away_team": "PIT", "home_field": 4}
    assert RULES.new_match(given).home_field == 4
    m = RULES.new_match({**given, "neutral": "true"})
    assert m.home_field == 0
    teams = [charts.load("2008").team(name).home_field[:2] for name in ("ARI", "PIT")]
    assert m.audible_counts == [*teams[0], *teams[1]]
    with pytest.raises(HashmarkError, match="option neutral: 'perhaps' is not true or false"):
        RULES.new_match({"neutral": "perhaps"})


def test_teams_of_two_seasons_can_play_each_other() -> None:
    given = {"charts": "2008", "home_team": "ARI", "away_team": "2019:KC"}
    m = RULES.new_match(given)
    of_2019 = RULES.new_match({"charts": "2019", "home_team": "ARI", "away_team": "KC"})
    half = len(m.long_cells) // 2
    away = charts.load("2019").team("KC").columns["offence.draw"]
    index = m.long_cells.index(away[0], half)
    assert m.long_cells[half : half + 9 * 30] == of_2019.long_cells[half : half + 9 * 30]
    assert index >= half
    assert m.priority == RULES.new_match({"charts": "2008"}).priority
    assert m.kick_touchback_spot == 20  # the rulebook's: the seasons do not agree
    assert RULES.team_names(given) == ("Arizona", "Kansas City")
    assert RULES.team_names({"home_team": "2008:ARI", "away_team": "2009:ARI"}) == (
        "ARI-2008",
        "ARI-2009",
    )
    with pytest.raises(HashmarkError, match="unknown team in 2019"):
        RULES.new_match({**given, "away_team": "2019:Otters"})


@pytest.mark.parametrize("name", ["../2019:KC", "/etc/passwd:KC", "secret:KC"])
def test_a_team_name_cannot_open_other_files(name: str) -> None:
    with search_path.shipped_only(), pytest.raises(HashmarkError, match="no chart file"):
        RULES.new_match({"charts": "2008", "home_team": "ARI", "away_team": name})


def test_only_shipped_and_named_folders_are_searched(tmp_path: Path) -> None:
    text = (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8")
    for folder in ("mine", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.toml").write_text(text, encoding="utf-8")
    with search_path.shipped_only([tmp_path / "mine"]):
        assert charts.find("mine") == tmp_path / "mine" / "mine.toml"
        assert charts.find("invented").parent == charts.SHIPPED
        for name in ("other", "../other/other", str(tmp_path / "other" / "other")):
            with pytest.raises(HashmarkError, match="no chart file"):
                charts.find(name)


@pytest.mark.parametrize(
    ("possession", "score", "stage"),
    [
        ("home", {"home": 26, "away": 20}, "first"),
        ("away", {"home": 20, "away": 26}, "first"),
        ("away", {"home": 27, "away": 26}, "reply"),
        ("home", {"home": 29, "away": 26}, "reply"),
    ],
)
def test_a_try_of_overtime_belongs_to_the_possession_that_the_score_shows(
    possession: str, score: dict[str, int], stage: str
) -> None:
    m = RULES.new_match({"overtime": "both"})
    start = {"phase": "try", "period": 5, "possession": possession, "score": score}
    g = RULES.new_position(m, start)
    assert p.OVERTIME_STAGES[g.overtime] == stage
    assert g.overtime_team == TEAMS.index(possession)
