"""Season coverage: by schedule, by the format of the year, and by the file itself."""

from __future__ import annotations

import polars as pl
import pytest

from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.league.data import coverage, play_by_play, schedule
from hashmark.league.data.play_checks import BrokenPlays
from league.invented_season import minimal_season, small_season
from league.real_seasons import PLAYS_FOLDER, needs_plays


def fault(plays: pl.DataFrame, weeks: str = "all") -> str:
    with pytest.raises(BrokenPlays) as caught:
        coverage.check(plays, weeks)
    message = str(caught.value)
    assert "\n" not in message
    return message


def has_team(team: str) -> pl.Expr:
    return (pl.col("home_team") == team) | (pl.col("away_team") == team)


@pytest.mark.parametrize("year", [2006, 2008, 2013, 2020, 2022, 2025])
def test_a_complete_season_is_accepted(year: int) -> None:
    """With 16 and 17 games, byes, a game moved to a Tuesday, and a canceled game."""
    assert coverage.check(minimal_season(year)) is None
    assert coverage.check(minimal_season(year), partial=True) is None


def test_four_weeks_are_a_partial_season() -> None:
    four = minimal_season(2008).filter(pl.col("week") <= 4)
    assert fault(four) == (
        "the play-by-play of 2008 is incomplete: weeks 5 to 17 are missing (4 of 17 weeks "
        "present); "
        "use --partial to accept part of a season"
    )
    part = coverage.check(four, partial=True)
    assert part == MadeFrom(4, 17, 60, 256)
    assert str(part) == "made from 4 of 17 weeks (60 of 256 games)"


def test_missing_weeks_are_named() -> None:
    plays = minimal_season(2021).filter(~pl.col("week").is_in([3, 7, 8, 18]))
    assert "weeks 3, 7 to 8, 18 are missing (14 of 18 weeks" in fault(plays)
    assert "week 5 is missing" in fault(minimal_season(2008).filter(pl.col("week") != 5))


def test_a_missing_team_is_named() -> None:
    assert "no games of DET (31 of 32 teams" in fault(minimal_season(2008).filter(~has_team("DET")))


def test_a_missing_game_is_named() -> None:
    game = "2008_03_DET_SF"
    plays = minimal_season(2008).filter(pl.col("game_id") != game)
    assert f"game {game} (week 3, DET at SF) is missing" in fault(plays)
    part = coverage.check(plays, partial=True)
    assert str(part) == "made from 255 of 256 games"


@pytest.mark.parametrize("cut", [pl.col("qtr") < 4, pl.col("play_id") % 4 != 0])
def test_a_game_that_is_cut_short_is_named(cut: pl.Expr) -> None:
    """A quarter is missing, or too many of its plays."""
    plays = minimal_season(2008).filter((pl.col("game_id") != "2008_03_DET_SF") | cut)
    assert "game 2008_03_DET_SF (week 3, DET at SF) is missing or incomplete" in fault(plays)
    assert coverage.check(plays, partial=True) == MadeFrom(17, 17, 255, 256)


@pytest.mark.parametrize(
    ("old", "today"), [("OAK", "LV"), ("SD", "LAC"), ("STL", "LA"), ("JAC", "JAX"), ("ARZ", "ARI")]
)
def test_old_codes_are_rejected_with_the_current_code(old: str, today: str) -> None:
    plays = minimal_season(2008).with_columns(
        pl.col(column).replace(today, old) for column in ("home_team", "away_team")
    )
    for partial in (False, True):
        with pytest.raises(BrokenPlays, match=f"is '{old}' in game 2008_01_.*: {today} is"):
            coverage.check(plays, partial=partial)


def test_an_unknown_team_is_rejected() -> None:
    plays = minimal_season(2008).with_columns(pl.col("home_team").replace("DET", "XYZ"))
    assert "home_team is 'XYZ' in game" in fault(plays)
    assert "not a team; allowed: ARI, ATL" in fault(plays)


def test_a_game_outside_the_schedule_is_rejected() -> None:
    """A partial season must not contain one either."""
    plays = minimal_season(2009).with_columns(season=2008)
    with pytest.raises(BrokenPlays, match="is not in the 2008 schedule"):
        coverage.check(plays, partial=True)


def test_a_team_that_plays_twice_a_week_is_rejected() -> None:
    plays = minimal_season(2008)
    again = plays.filter(pl.col("game_id") == "2008_03_DET_SF").with_columns(
        game_id=pl.lit("2008_03_SF_DET")
    )
    assert "SF plays twice in week 3, in 2008_03_DET_SF and 2008_03_SF_DET" in fault(
        pl.concat([plays, again])
    )


def test_postseason_games_do_not_count() -> None:
    plays = minimal_season(2008)
    final = plays.head(10).with_columns(
        game_id=pl.lit("2008_21_PIT_ARI"), week=pl.lit(21, pl.Int64), season_type=pl.lit("POST")
    )
    assert coverage.check(pl.concat([plays, final])) is None


def test_odd_and_even_weeks_are_checked_separately() -> None:
    plays = minimal_season(2008)
    assert coverage.check(plays, "odd") == MadeFrom(9, 17, 138, 256)
    odd = plays.filter(pl.col("week") % 2 == 1)
    assert coverage.check(odd, "odd") == MadeFrom(9, 17, 138, 256)
    assert "weeks 2, 4, 6, 8, 10, 12, 14, 16 are missing" in fault(odd, "even")


# --- Without a schedule ------------------------------------------------------------------


def test_without_a_schedule_the_format_of_the_year_is_expected() -> None:
    plays = minimal_season(2024).with_columns(season=2034)
    assert coverage.check(plays) is None
    assert "weeks 11 to 18 are missing" in fault(plays.filter(pl.col("week") <= 10))
    assert "no games of DET" in fault(plays.filter(~has_team("DET")))
    beyond = plays.with_columns(pl.col("week").replace(18, 19))
    assert "is outside the regular season of 18 weeks" in fault(beyond)


def test_without_a_schedule_one_game_may_be_canceled() -> None:
    plays = minimal_season(2024).with_columns(season=2034)
    ids = plays["game_id"].unique(maintain_order=True).to_list()
    assert coverage.check(plays.filter(pl.col("game_id") != ids[0])) is None
    two = plays.filter(~pl.col("game_id").is_in(ids[:2]))
    assert "270 of 272 games complete" in fault(two)


def test_a_team_before_its_first_season_is_not_expected() -> None:
    """Opponents of Houston are short of games; Houston itself is not expected."""
    plays = minimal_season(2008).filter(~has_team("HOU"))
    assert "no games of HOU" in fault(plays.with_columns(season=2002))
    assert "incomplete: a game of MIA (15 of 16) and 12" in fault(plays.with_columns(season=2001))


def test_a_custom_league_is_checked_against_itself() -> None:
    plays = play_by_play.load(small_season())
    assert coverage.check(plays) is None
    assert "week 2 is missing (3 of 4 weeks" in fault(plays.filter(pl.col("week") != 2))
    assert coverage.check(plays.filter(pl.col("week") != 2), partial=True) == MadeFrom(3, 4, 3, 3)


# --- Real seasons ------------------------------------------------------------------------


@needs_plays
@pytest.mark.parametrize("year", schedule.available_seasons())
def test_every_available_real_season_is_complete(year: int) -> None:
    path = PLAYS_FOLDER / f"pbp_{year}.parquet"
    if not path.is_file():
        pytest.skip(f"the play-by-play of {year} is not here")
    assert coverage.check(play_by_play.load(path, year)) is None
