"""Shipped schedules: complete, with current codes, and reproducible byte for byte."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hashmark.errors import HashmarkError
from hashmark.league.data import schedule
from hashmark.league.data.schedule import DIVISIONS, TEAMS
from hashmark.storage import search_path
from league.real_seasons import PLAYS_FOLDER, ROOT

SEASONS = range(2006, 2026)


def test_every_season_since_2006_has_a_schedule() -> None:
    assert [season for season in schedule.available_seasons() if season in SEASONS] == list(SEASONS)


@pytest.mark.parametrize("season", SEASONS)
def test_a_season_is_complete(season: int) -> None:
    season_schedule = schedule.load(season)
    games = Counter(team for game in season_schedule.regular for team in (game.home, game.away))
    games_each = 17 if season >= 2021 else 16
    one_game_short = {"BUF", "CIN"} if season == 2022 else set()
    assert games == {team: games_each - (team in one_game_short) for team in TEAMS}
    stages = Counter(game.stage for game in season_schedule.playoffs)
    assert stages == {"WC": 6 if season >= 2020 else 4, "DIV": 4, "CON": 2, "SB": 1}
    assert season_schedule.playoffs[-1].neutral
    assert all(game.score is not None for game in season_schedule.games)
    assert len({game.id for game in season_schedule.games}) == len(season_schedule.games)
    division_of = {team: name for name, teams in DIVISIONS.items() for team in teams}
    division_home_games = Counter(
        g.home for g in season_schedule.regular if division_of[g.home] == division_of[g.away]
    )
    assert division_home_games == dict.fromkeys(TEAMS, 3)


def test_the_2008_season_has_its_real_results() -> None:
    season_schedule = schedule.load(2008)
    assert season_schedule.champion == "PIT"
    assert (season_schedule.record("ARI"), season_schedule.wins("ARI")) == ("9-7", 9)
    assert (season_schedule.record("PHI"), season_schedule.wins("PHI")) == ("9-6-1", 9.5)
    assert season_schedule.record("DET") == "0-16"
    assert {game.id for game in season_schedule.regular if game.neutral} == {
        "2008_08_SD_NO",
        "2008_14_MIA_BUF",
    }


def test_seeds_and_overtime_follow_the_season() -> None:
    assert [schedule.playoff_seeds(season) for season in (2006, 2019, 2020, 2025)] == [6, 6, 7, 7]
    for season in SEASONS:
        home = TEAMS.index(schedule.load(season).playoffs[-1].home)
        assert home // 16 == schedule.final_home_conference(season)
    formats = {
        season: (
            schedule.overtime_options(season, False)["overtime"],
            schedule.overtime_options(season, True)["overtime"],
            schedule.overtime_options(season, False)["overtime_seconds"],
        )
        for season in (2009, 2011, 2012, 2016, 2017, 2022, 2025)
    }
    assert formats == {
        2009: ("sudden-death", "sudden-death", 900),
        2011: ("sudden-death", "modified", 900),
        2012: ("modified", "modified", 900),
        2016: ("modified", "modified", 900),
        2017: ("modified", "modified", 600),
        2022: ("modified", "both", 600),
        2025: ("both", "both", 600),
    }
    assert schedule.overtime_options(2008, True)["playoff"]


def test_the_tool_reproduces_the_files_byte_for_byte(tmp_path: Path) -> None:
    games = PLAYS_FOLDER / "games.parquet"
    if not games.exists():
        pytest.skip(f"the table of games is not here: {games}")
    tool = [sys.executable, str(ROOT / "tools" / "schedules.py"), str(games), str(tmp_path)]
    subprocess.run(tool, check=True, capture_output=True)
    files = sorted(tmp_path.iterdir())
    assert len(files) == len(SEASONS)
    for path in files:
        assert path.read_bytes() == (schedule.SHIPPED / path.name).read_bytes()


LINE = "2030_01_A_B,1,2030-09-08,REG,{home},{away},{neutral},{score},7"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"home": "XYZ"}, "'XYZ' is not a team"),
        ({"neutral": "no"}, "neutral must be 0 or 1"),
        ({"score": "many"}, "not a number"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, change: dict[str, str], said: str) -> None:
    valid = {"home": "ARI", "away": "PIT", "neutral": "0", "score": "3"}
    head = ",".join(schedule.FIELDS)
    path = tmp_path / f"2030{schedule.SUFFIX}"
    path.write_text(f"{head}\n{LINE.format(**{**valid, **change})}\n")
    with search_path.search_first([tmp_path]), pytest.raises(HashmarkError, match=said):
        schedule.load(2030)
    path.write_text(f"{head}\n{LINE.format(**valid)}\n")
    with search_path.search_first([tmp_path]):
        assert schedule.load(2030).regular[0].score == (3, 7)
    path.write_text("id,week\n")
    with (
        search_path.search_first([tmp_path]),
        pytest.raises(HashmarkError, match="'date' is missing"),
    ):
        schedule.load(2030)


def test_a_season_without_a_schedule_is_an_error() -> None:
    with pytest.raises(HashmarkError, match="no schedule for the 1990 season"):
        schedule.load(1990)
