"""Training data of forecasts: what is found, and how missing data are reported."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from hashmark.errors import HashmarkError
from hashmark.league.data import schedule
from hashmark.league.validation import training_data
from hashmark.league.validation.training_data import PublicGameData
from league.invented_season import small_season

HEAD = "game_id,season,week,gameday,game_type,home_team,away_team,location,home_score,away_score"
GAME = "2004_01_IND_NE,2004,1,2004-09-09,REG,NE,IND,Home,27,24"
TODAY = "2008_01_WAS_NYG,2008,1,2008-09-04,REG,NYG,WAS,Home,16,7"


def write_games_table(folder: Path, *lines: str) -> None:
    (folder / "games.csv").write_text("\n".join(lines) + "\n")


def test_seasons_are_found_by_their_files(tmp_path: Path) -> None:
    with pytest.raises(HashmarkError, match="no play-by-play of any season"):
        training_data.find_seasons(tmp_path)
    for name in ("pbp_2008.parquet", "play_by_play_2010.csv", "pbp_1950.csv"):
        (tmp_path / name).write_text("")
    assert training_data.find_seasons(tmp_path) == [2008, 2010]
    assert training_data.find_seasons(tmp_path, [2010, 2008, 2010]) == [2008, 2010]
    with pytest.raises(HashmarkError, match="no play-by-play of 2009"):
        training_data.find_seasons(tmp_path, [2009])
    with pytest.raises(HashmarkError, match="no schedule for the 1950 season"):
        training_data.find_seasons(tmp_path, [1950])


def test_earlier_seasons_and_lines_come_from_the_table_of_games(tmp_path: Path) -> None:
    write_games_table(tmp_path, f"{HEAD},spread_line", f"{GAME},3", f"{TODAY},4.5")
    outside = PublicGameData.load(tmp_path)
    assert outside.lines == {"2004_01_IND_NE": 3.0, "2008_01_WAS_NYG": 4.5}
    assert sorted(outside.history) == [2004, *schedule.available_seasons()]
    assert outside.history[2004].games[0].score == (27, 24)
    assert outside.history[2008] == schedule.load(2008)  # the shipped schedule takes precedence


def test_without_the_table_only_schedules_are_known(tmp_path: Path) -> None:
    outside = PublicGameData.load(tmp_path)
    assert sorted(outside.history) == schedule.available_seasons()
    assert outside.lines is None
    assert "No games.parquet in" in outside.missing_lines_note
    write_games_table(tmp_path, HEAD, GAME)
    assert PublicGameData.load(tmp_path).lines == {}


def test_a_table_without_the_required_columns_is_rejected(tmp_path: Path) -> None:
    write_games_table(tmp_path, "season,week", "2004,1")
    with pytest.raises(HashmarkError, match=r"games\.csv lacks the column"):
        PublicGameData.load(tmp_path)


def test_net_expected_points_need_the_epa_column(tmp_path: Path) -> None:
    plays = small_season()
    path = tmp_path / f"pbp_{plays['season'][0]}.parquet"
    plays.drop("epa", strict=False).write_parquet(path)
    year = int(plays["season"][0])
    assert training_data.net_epa_by_method(training_data.load_plays(year, tmp_path)) is None
    plays.with_columns(epa=pl.lit(0.5)).write_parquet(path)
    net_epa = training_data.net_epa_by_method(training_data.load_plays(year, tmp_path))
    assert net_epa is not None
    assert set(net_epa["a play"]) == set(plays["game_id"])
    assert set(net_epa["a play"].values()) == {0.0}
