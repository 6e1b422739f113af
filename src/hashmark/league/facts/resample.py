"""Bootstrap resampling of a season's games, to measure how much of a rating is chance.

The unit is the game: its plays are correlated (weather, injuries, the score), and it informs about
both teams, so it is drawn for both or for neither. A resample draws as many games as the season
has, with replacement. A team then has about its usual number of games, give or take a quarter.
Resamples in which a team has less than a third of its games are drawn again, because charts need
some plays of every team.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hashmark.table.errors import HashmarkError
from hashmark.table.generator import Stream

if TYPE_CHECKING:
    import polars as pl

DRAWS = 2  # random stream for drawing games; dice and coaches use others
FEWEST = 1 / 3  # smallest share of a team's games in a resample
MOST_TRIES = 1000

Games = Mapping[str, tuple[str, str]]  # id: (home, away)
Counts = Mapping[str, int]  # how often each game was drawn


def games_of(plays: pl.DataFrame) -> dict[str, tuple[str, str]]:
    """Return the games of these plays in their order: id to (home, away)."""
    games = plays.select("game_id", "home_team", "away_team").unique("game_id", maintain_order=True)
    return {game: (home, away) for game, home, away in games.iter_rows()}


def draw(games: Games, seed: int, number: int) -> dict[str, int]:
    """Return resample `number` of a seed: how often each game is drawn."""
    stream = Stream(seed, number, DRAWS)
    full_season = played(games, dict.fromkeys(games, 1))
    for _ in range(MOST_TRIES):
        counts = _draw_once(list(games), stream)
        drawn = played(games, counts)
        if all(drawn[team] >= FEWEST * scheduled for team, scheduled in full_season.items()):
            return counts
    raise HashmarkError("too few games to draw from: some team has hardly any")


def _draw_once(games: list[str], stream: Stream) -> dict[str, int]:
    counts = dict.fromkeys(games, 0)
    for _ in games:
        counts[games[stream.below(len(games))]] += 1
    return counts


def played(games: Games, counts: Counts) -> dict[str, int]:
    """Count the drawn games of each team."""
    totals: dict[str, int] = {}
    for game, opponents in games.items():
        for team in opponents:
            totals[team] = totals.get(team, 0) + counts[game]
    return totals


def resampled(plays: pl.DataFrame, counts: Counts) -> pl.DataFrame:
    """Return the plays of the drawn games; repeated draws get game ids of their own."""
    import polars as pl

    times = pl.col("game_id").replace_strict(counts, default=0, return_dtype=pl.Int64)
    with_times = plays.with_columns(times=times)
    parts = []
    for copy in range(max(counts.values())):
        part = with_times.filter(pl.col("times") > copy).drop("times")
        if copy:
            part = part.with_columns(game_id=pl.col("game_id") + f"#{copy + 1}")
        parts.append(part)
    return pl.concat(parts)
