"""Games whose plays contradict each other, and duplicate plays."""

from __future__ import annotations

import polars as pl
import pytest

from hashmark.league.data import game_checks, play_by_play
from hashmark.league.data.play_checks import BrokenPlays
from league.invented_plays import frame, run
from league.invented_season import small_season


def fault(plays: pl.DataFrame, season: int | None = None) -> str:
    with pytest.raises(BrokenPlays) as caught:
        play_by_play.load(plays, season)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_consistent_games_are_accepted() -> None:
    game_checks.check_games(play_by_play.load(small_season()))


def test_duplicate_plays_are_rejected() -> None:
    plays = small_season()
    assert fault(pl.concat([plays, plays[7:8]])) == (
        "play 7 of game 2030_01_AAA_BBB appears more than once: every play must be unique"
    )
    assert "play 0 of game 2030_01_AAA_BBB appears more than once, and 599 others too" in (
        fault(pl.concat([plays, plays]))
    )


def test_a_file_given_twice_is_rejected() -> None:
    with pytest.raises(BrokenPlays, match="more than once"):
        play_by_play.load([small_season(), small_season()])


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("week", 9, "have 9 and 1 as week"),
        ("season", 2031, "have 2031 and 2030 as season"),
        ("season_type", "POST", "have 'POST' and 'REG' as season_type"),
        ("home_score", 3.0, "have 3 and 20 as home_score"),
    ],
)
def test_contradicting_plays_of_a_game_are_rejected(column: str, value: object, said: str) -> None:
    plays = small_season().with_columns(
        pl.when(pl.int_range(pl.len()) == 0)
        .then(pl.lit(value))
        .otherwise(pl.col(column))
        .cast(small_season().schema[column])
        .alias(column)
    )
    assert f"the plays of game 2030_01_AAA_BBB {said}: all plays of a game" in fault(plays)


def test_a_game_id_of_another_season_is_rejected() -> None:
    plays = small_season().with_columns(pl.col("game_id").str.replace("2030_04", "2029_04"))
    assert "the plays of game 2029_04_AAA_BBB are said to be of the season 2030" in fault(plays)


def test_a_few_games_of_another_season_are_rejected() -> None:
    plays = small_season()
    other = plays.filter(pl.col("week") == 1).with_columns(
        game_id=pl.lit("2029_01_AAA_BBB"), season=pl.lit(2029, pl.Int32)
    )
    both = pl.concat([plays, other])
    assert fault(both, 2030) == (
        "play 0 of game 2029_01_AAA_BBB is of the season 2029, not of 2030: 1 of the games are, "
        "too few to be a season; only whole seasons may stand side by side"
    )
    assert play_by_play.load(both, 2029).height == other.height


def test_a_decreasing_score_is_rejected() -> None:
    rows = [
        run(posteam_score=7.0, defteam_score=0.0),
        run(posteam="B", defteam="A", posteam_score=0.0, defteam_score=7.0),
        run(posteam_score=3.0, defteam_score=0.0),
    ]
    assert fault(frame(*rows)) == (
        "the score of the home team falls from 7 to 3 in play 3 of game 2030_01_B_A: plays must be "
        "in order, and a score never falls"
    )
    assert play_by_play.load(frame(*rows[:2])).height == 2
