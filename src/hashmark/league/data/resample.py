"""Bootstrap resampling of a season's games, to measure how much of a rating is chance.

The unit is the game: its plays are correlated (weather, injuries, the score), and it informs about
both teams, so it is drawn for both or for neither. A resample draws as many games as the season
has, with replacement. A team then has about its usual number of games, give or take a quarter.
Resamples in which a team has less than a third of its games are drawn again, because charts need
some plays of every team.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hashmark.engine.generator import RandomStream
from hashmark.errors import HashmarkError

RESAMPLE_STREAM = 2  # random stream for drawing games; dice and coaches use others
FEWEST = 1 / 3  # smallest share of a team's games in a resample
MAX_ATTEMPTS = 1000

GameTeams = Mapping[str, tuple[str, str]]  # id: (home, away)
DrawCounts = Mapping[str, int]  # how often each game was drawn


def list_games(plays: pl.DataFrame) -> dict[str, tuple[str, str]]:
    """Return the games of these plays in their order: id to (home, away)."""
    games = plays.select("game_id", "home_team", "away_team").unique("game_id", maintain_order=True)
    return {game: (home, away) for game, home, away in games.iter_rows()}


def draw_games(games: GameTeams, seed: int, number: int) -> dict[str, int]:
    """Return resample `number` of a seed: how often each game is drawn."""
    stream = RandomStream(seed, number, RESAMPLE_STREAM)
    full_season = games_per_team(games, dict.fromkeys(games, 1))
    for _ in range(MAX_ATTEMPTS):
        counts = _draw_once(list(games), stream)
        drawn = games_per_team(games, counts)
        if all(drawn[team] >= FEWEST * scheduled for team, scheduled in full_season.items()):
            return counts
    raise HashmarkError("too few games to resample: some team has almost none")


def _draw_once(games: list[str], stream: RandomStream) -> dict[str, int]:
    counts = dict.fromkeys(games, 0)
    for _ in games:
        counts[games[stream.randbelow(len(games))]] += 1
    return counts


def games_per_team(games: GameTeams, counts: DrawCounts) -> dict[str, int]:
    """Count the drawn games of each team."""
    totals: dict[str, int] = {}
    for game, opponents in games.items():
        for team in opponents:
            totals[team] = totals.get(team, 0) + counts[game]
    return totals


def resample_plays(plays: pl.DataFrame, counts: DrawCounts) -> pl.DataFrame:
    """Return the plays of the drawn games; repeated draws get game ids of their own."""
    times = pl.col("game_id").replace_strict(counts, default=0, return_dtype=pl.Int64)
    with_times = plays.with_columns(times=times)
    parts = []
    for copy in range(max(counts.values())):
        part = with_times.filter(pl.col("times") > copy).drop("times")
        if copy:
            part = part.with_columns(game_id=pl.col("game_id") + f"#{copy + 1}")
        parts.append(part)
    return pl.concat(parts)
