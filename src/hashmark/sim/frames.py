"""Data frames of games: a row for each game, drive or play.

    plays = play_frame(rules, batches)
    drives = drive_frame(plays)

`play_frame` has the columns of `PLAY_COLUMNS`, followed by the growth of every statistic of the
team with the ball during the play. `nflverse.py` turns plays into the columns of real play-by-play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hashmark.engine.record import TEAMS
from hashmark.sim import play_rows as columns
from hashmark.sim.play_rows import PlayBatch

if TYPE_CHECKING:
    import polars as pl

    from hashmark.engine.rule_set import RuleSet

PLAY_COLUMNS = {
    "game": "number of the game, from 0",
    "play": "number of the play within its game, from 1",
    "drive": "number of the drive within its game, from 1; null before kickoffs, tries and tosses",
    "period": "half or quarter, from 1; overtime follows",
    "clock": "clock of the game at the snap: blocks, plays, numbers, spaces or seconds",
    "phase": "part of the game, such as scrimmage, kickoff or try",
    "team": "team with the ball: home or away",
    "down": "down, if there is one",
    "to_go": "yards to go",
    "spot": "yards from the goal line of the team with the ball",
    "call": "call of the team with the ball",
    "opponent_call": "first call of the other team during the play, such as a formation",
    "home_score": "home's score before the play",
    "away_score": "away's score before the play",
    "opponent_points": "points of the other team during the play",
    "opponent_penalties": "penalties of the other team during the play, if the game counts them",
}
OPPONENT_STATISTICS = ("points", "penalties")  # also counted for the team without the ball
SCRIMMAGE_PHASES = ("scrimmage", "drive", "fourth-down", "untimed-down")
PERIODS_PER_HALF = {"fourth-down": 1}  # other games play quarters


def play_frame(rules: RuleSet, batches: Iterable[PlayBatch]) -> pl.DataFrame:
    """Return a row for each play of the games of these batches."""
    import polars as pl

    frames = [_batch_frame(rules, batch) for batch in batches]
    plays = pl.concat(frames) if frames else _batch_frame(rules, empty_batch(rules))
    return _with_drives(plays, rules)


def empty_batch(rules: RuleSet) -> PlayBatch:
    """Return a batch without plays."""
    rows = np.empty((0, columns.ROW_SIZE), np.int32)
    return PlayBatch(0, 0, rows, np.empty((0, 2, len(rules.statistics.names)), np.int16))


def _batch_frame(rules: RuleSet, batch: PlayBatch) -> pl.DataFrame:
    import polars as pl

    rows, numbers = batch.rows, np.arange(len(batch.rows))
    team = rows[:, columns.POSSESSION]
    ball = np.clip(team, 0, 1)  # a toss has no team with the ball; its statistics are zero
    gains = batch.gains[numbers, ball]
    names = rules.statistics.names
    teams = pl.Series(team).replace_strict([0, 1], TEAMS, default=None, return_dtype=pl.String)

    def number(column: int) -> pl.Series:
        return pl.Series(rows[:, column])

    def unknown_below_zero(column: int) -> pl.Series:
        values = number(column)
        return values.set(values < 0, None)

    def call_names(team: npt.NDArray[np.int32]) -> pl.Series:
        codes = pl.Series(rows[numbers, columns.HOME_CALL + team])
        known = dict(enumerate(rules.calls))
        return codes.replace_strict(known, default=None, return_dtype=pl.Categorical)

    phases = dict(enumerate(rules.phase_names))
    first_plays = np.flatnonzero(np.diff(rows[:, columns.GAME], prepend=-1))
    starts = np.repeat(first_plays, np.diff(first_plays, append=len(rows)))
    by_name = {
        "game": (number(columns.GAME) + batch.first).cast(pl.Int64),
        "play": pl.Series(numbers - starts + 1, dtype=pl.Int32),
        "period": number(columns.PERIOD),
        "clock": number(columns.CLOCK),
        "phase": number(columns.PHASE).replace_strict(phases, return_dtype=pl.Categorical),
        "team": teams,
        "down": number(columns.DOWN),
        "to_go": number(columns.TO_GO),
        "spot": unknown_below_zero(columns.SPOT),
        "call": call_names(ball),
        "opponent_call": call_names(1 - ball),
        "home_score": number(columns.HOME_SCORE),
        "away_score": number(columns.AWAY_SCORE),
        **{
            f"opponent_{name}": pl.Series(batch.gains[numbers, 1 - ball, names.index(name)])
            for name in OPPONENT_STATISTICS
            if name in names
        },
        **{name: pl.Series(gains[:, index]) for index, name in enumerate(names)},
    }
    frame = pl.DataFrame(by_name)
    has_down = frame["down"] > 0
    return frame.with_columns(
        pl.when(has_down).then(pl.col(name)).alias(name) for name in ("down", "to_go")
    )


def _with_drives(plays: pl.DataFrame, rules: RuleSet) -> pl.DataFrame:
    """Number the drives: a drive is a run of plays from scrimmage by one team in one half."""
    import polars as pl

    per_half = PERIODS_PER_HALF.get(rules.name, 2)
    is_scrimmage = is_one_of("phase", SCRIMMAGE_PHASES)
    half = (pl.col("period") - 1) // per_half
    begins = is_scrimmage & (
        ~is_scrimmage.shift(1, fill_value=False)
        | (pl.col("team") != pl.col("team").shift(1)).fill_null(True)
        | (pl.col("game") != pl.col("game").shift(1)).fill_null(True)
        | (half != half.shift(1)).fill_null(True)
    )
    begun = begins.cast(pl.Int32).cum_sum()  # drives so far, of all games
    is_first = (pl.col("game") != pl.col("game").shift(1)).fill_null(True)
    number = begun - pl.when(is_first).then(begun - begins.cast(pl.Int32)).forward_fill()
    return plays.with_columns(pl.when(is_scrimmage).then(number).alias("drive")).select(
        "game", "play", "drive", pl.exclude("game", "play", "drive")
    )


def is_one_of(column: str, names: Iterable[str]) -> pl.Expr:
    """Return whether a categorical column has one of these values; no texts are made."""
    import polars as pl

    return pl.any_horizontal(pl.col(column) == name for name in names)


DRIVE_COLUMNS = {
    "game": "number of the game",
    "drive": "number of the drive within its game",
    "team": "team with the ball",
    "period": "period in which the drive began",
    "clock": "clock when it began",
    "spot": "yards from the team's own goal line where it began",
    "plays": "plays from scrimmage, kicks included",
    "yards": "yards gained",
    "points": "points of the team during these plays, without the try",
    "opponent_points": "points of the other team during these plays",
    "result": "touchdown, field goal, turnover, punt, downs, missed field goal, safety or end",
}


def drive_frame(plays: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each drive of a frame of plays."""
    import polars as pl

    statistics = set(plays.columns)

    def total(*names: str) -> pl.Expr:
        known = [pl.col(name).cast(pl.Int32).sum() for name in names if name in statistics]
        return pl.sum_horizontal(known) if known else pl.lit(0)

    points = pl.col("points").cast(pl.Int32).sum()
    against = pl.col("opponent_points").cast(pl.Int32).sum()
    last_call = pl.col("call").cast(pl.String).last()
    result = (
        pl.when(points >= 6)
        .then(pl.lit("touchdown"))
        .when(total("field_goals", "field_goals_made") > 0)
        .then(pl.lit("field goal"))
        .when(against == 2)
        .then(pl.lit("safety"))
        .when(total("turnovers") > total("lost_on_downs"))
        .then(pl.lit("turnover"))
        .when((total("punts") > 0) | (last_call == "punt"))
        .then(pl.lit("punt"))
        .when(total("field_goals_tried", "field_goals_attempts") > 0)
        .then(pl.lit("missed field goal"))
        .when((total("lost_on_downs") > 0) | (pl.col("down").last() == 4))
        .then(pl.lit("downs"))
        .otherwise(pl.lit("end"))
    )
    return (
        plays.filter(pl.col("drive").is_not_null())
        .group_by("game", "drive", maintain_order=True)
        .agg(
            pl.col("team").first(),
            pl.col("period").first(),
            pl.col("clock").first(),
            pl.col("spot").first(),
            pl.len().alias("plays"),
            pl.col("yards").cast(pl.Int32).sum(),
            points.alias("points"),
            against.alias("opponent_points"),
            result.alias("result"),
        )
    )
