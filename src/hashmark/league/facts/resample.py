"""A season's games drawn again, for the question how much of a rating is the luck of the draw.

The unit is the game: its plays hang together (weather, injuries, a score that dictates calls),
and it tells of both its teams at once, so it is drawn for both or not at all. As many games as
the season has are drawn with replacement from all its games. A team then has about its number of
games, give or take a quarter, as the mean of so many draws has. Draws in which some team has less
than a third of its games are made again: no charts can be made of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hashmark.table.errors import HashmarkError
from hashmark.table.generator import Stream

if TYPE_CHECKING:
    import polars as pl

DRAWS = 2  # the stream of games drawn, beside those of dice and coaches
FEWEST = 1 / 3  # of a team's games that a draw must hold
MOST_TRIES = 1000

Games = Mapping[str, tuple[str, str]]  # by id: home and away
Counts = Mapping[str, int]  # how often each game was drawn


def games_of(plays: pl.DataFrame) -> dict[str, tuple[str, str]]:
    """The games of plays, in their order there."""
    found = plays.select("game_id", "home_team", "away_team").unique("game_id", maintain_order=True)
    return {game: (home, away) for game, home, away in found.iter_rows()}


def draw(games: Games, seed: int, number: int) -> dict[str, int]:
    """Draw number so-and-so of a seed: how often each game is in it."""
    stream = Stream(seed, number, DRAWS)
    whole = played(games, dict.fromkeys(games, 1))
    for _ in range(MOST_TRIES):
        counts = _drawn(list(games), stream)
        have = played(games, counts)
        if all(have[team] >= FEWEST * most for team, most in whole.items()):
            return counts
    raise HashmarkError("too few games to draw from: some team has hardly any")


def _drawn(games: list[str], stream: Stream) -> dict[str, int]:
    counts = dict.fromkeys(games, 0)
    for _ in games:
        counts[games[stream.below(len(games))]] += 1
    return counts


def played(games: Games, counts: Counts) -> dict[str, int]:
    """How many games each team has."""
    made: dict[str, int] = {}
    for game, both in games.items():
        for team in both:
            made[team] = made.get(team, 0) + counts[game]
    return made


def resampled(plays: pl.DataFrame, counts: Counts) -> pl.DataFrame:
    """The plays of the games drawn; the second and later of a game are games of their own."""
    import polars as pl

    times = pl.col("game_id").replace_strict(counts, default=0, return_dtype=pl.Int64)
    known = plays.with_columns(times=times)
    parts = []
    for copy in range(max(counts.values())):
        part = known.filter(pl.col("times") > copy).drop("times")
        if copy:
            part = part.with_columns(game_id=pl.col("game_id") + f"#{copy + 1}")
        parts.append(part)
    return pl.concat(parts)
