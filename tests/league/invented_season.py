"""Small invented seasons to damage: one game of two teams a week, or a bare real schedule."""

from __future__ import annotations

import polars as pl

from fuzz.plays import valid_plays
from hashmark.league.data import schedule

PLAYS_PER_GAME = 64  # runs and passes of a game, in four quarters


def small_season() -> pl.DataFrame:
    """Return four weeks of a league of two teams, enough to build charts from."""
    return valid_plays()


def minimal_season(year: int) -> pl.DataFrame:
    """Return the minimal plays that identify the games of a real schedule."""
    games = pl.DataFrame(
        [
            (game.id, year, game.week, "REG", game.home, game.away)
            for game in schedule.load(year).regular
        ],
        schema=["game_id", "season", "week", "season_type", "home_team", "away_team"],
        orient="row",
    )
    plays = pl.DataFrame(
        {
            "play_id": [float(number) for number in range(PLAYS_PER_GAME)],
            "qtr": [1.0 + 4 * number // PLAYS_PER_GAME for number in range(PLAYS_PER_GAME)],
            "play_type": ["run", "pass"] * (PLAYS_PER_GAME // 2),
        }
    )
    return games.join(plays, how="cross")
