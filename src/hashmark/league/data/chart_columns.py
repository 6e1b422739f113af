"""Assignment of plays to chart columns, by the intended play rather than by the result.

Each row of the resulting frame is a play with a share (`weight`) in one column. A play whose
direction or depth is not recorded is spread over the columns it may belong to, in the league's
proportions.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from hashmark.games.data_driven.tables import (
    DRAW,
    LINE_PLUNGE,
    LONG_PASS,
    MEDIUM_PASS,
    NO_DRAW_FROM,
    NO_LONG_PASS_FROM,
    PASSES,
    PLAYS,
    RUNS,
    SIDELINE_PASS,
)

LONG_PASS_AIR_YARDS = 20  # air yards
DRAW_SHARE_RANGE = (0.06, 0.08)  # range of the share of draws among the league's runs
DRAW_SHARE_TARGET = 0.07
TRAPPED_WEIGHTS = {  # relative rate of sacks and scrambles, by pass play
    "screen": 0.4,
    "short-pass": 0.7,
    "medium-pass": 1.1,
    "long-pass": 1.5,
    "sideline-pass": 1.0,
}

_down, _to_go = pl.col("down"), pl.col("ydstogo")
_shotgun = pl.col("shotgun") == 1
_third = (_down == 3) & (_to_go >= 5)
DRAW_RULES = {
    "inside run from shotgun": _shotgun,
    "inside run from shotgun, 3rd and 5 or more, or 8 or more to go": (
        _shotgun & (_third | (_to_go >= 8))
    ),
    "inside run from shotgun, 3rd and 5 or more, or 2nd and 8 or more": (
        _shotgun & (_third | ((_down == 2) & (_to_go >= 8)))
    ),
    "inside run from shotgun, or on 3rd and 5 or more": _shotgun | _third,
}

# Results of a play.
GAIN, INCOMPLETE, INTERCEPTED, SACK, SCRAMBLE, FUMBLE, ABORTED = range(7)
NO_COLUMN_RESULTS = [SACK, SCRAMBLE, ABORTED]  # results of plays that have no column of their own
RESULTS = ("gain", "incomplete", "interception", "sack", "scramble", "fumble", "aborted snap")


@dataclass(frozen=True)
class ScrimmagePlays:
    """Every run and pass with its column, and counts of excluded and spread plays."""

    frame: pl.DataFrame  # column, weight, result, yards, scored, out, team, against, ...
    draw_rule: str
    dropped: dict[str, int]
    spread: dict[str, int]  # plays spread over several columns, by what the data lacks


def assign_columns(plays: pl.DataFrame) -> ScrimmagePlays:
    """Assign the runs and passes of a season to chart columns."""
    dropped = _count_dropped(plays)
    snaps = plays.filter(
        pl.col("play_type").is_in(["run", "pass"]) & (pl.col("two_point_attempt") == 0)
    )
    rule, draw = _draw_rule(snaps)
    assigned = snaps.with_columns(
        _result(),
        _yards(),
        scored=_own_touchdown(),
        out=pl.col("out_of_bounds") == 1,
        fumbled=_own_fumble(),
        home=pl.col("posteam") == pl.col("home_team"),
    ).with_columns(column=_column(draw))
    spread = {
        "runs without a direction": _count_unassigned(assigned, "run"),
        "passes without depth or side": _count_unassigned(assigned, "pass"),
    }
    frame = _spread(assigned).select(
        "column",
        "weight",
        "result",
        "yards",
        "scored",
        "out",
        "fumbled",
        "home",
        pl.col("air_yards").clip(-10, 65).fill_null(8.0).alias("air"),
        pl.col("posteam").alias("team"),
        pl.col("defteam").alias("against"),
        "game_id",
        "week",
        "down",
        "ydstogo",
        "yardline_100",
    )
    return ScrimmagePlays(frame, rule, dropped, spread)


def _count_dropped(plays: pl.DataFrame) -> dict[str, int]:
    kind = pl.col("play_type")
    reasons = {
        "rows that are not plays (quarter starts and ends, comments)": kind.is_null(),
        "timeouts": (kind == "no_play") & (pl.col("timeout") == 1),
        "plays nullified by a penalty (they count as penalties)": (
            (kind == "no_play") & (pl.col("timeout") == 0)
        ),
        "kneels": kind == "qb_kneel",
        "spikes": kind == "qb_spike",
        "two-point tries": pl.col("two_point_attempt") == 1,
    }
    counts = plays.select(**{name: condition.sum() for name, condition in reasons.items()}).row(
        0, named=True
    )
    return {name: int(count) for name, count in counts.items() if count}


def _is_run() -> pl.Expr:
    """Return the condition for a designed run."""
    return (pl.col("play_type") == "run") & (pl.col("qb_scramble") == 0)


def _inside() -> pl.Expr:
    return (pl.col("run_location") == "middle") | (pl.col("run_gap") == "guard")


def _draw_rule(snaps: pl.DataFrame) -> tuple[str, pl.Expr]:
    """Return the first rule that makes draws 6 to 8 % of runs, else the one nearest to 7 %."""
    runs = snaps.filter(_is_run())
    shares = {
        name: float(runs.select((condition & _inside()).fill_null(False).mean()).item() or 0.0)
        for name, condition in DRAW_RULES.items()
    }
    low, high = DRAW_SHARE_RANGE
    for name, share in shares.items():
        if low <= share <= high:
            return name, DRAW_RULES[name]
    best = min(shares, key=lambda name: abs(shares[name] - DRAW_SHARE_TARGET))
    return best, DRAW_RULES[best]


def _own_touchdown() -> pl.Expr:
    return (pl.col("touchdown") == 1) & pl.col("td_team").eq_missing(pl.col("posteam"))


def _own_fumble() -> pl.Expr:
    return (pl.col("fumble") == 1) & pl.col("fumbled_1_team").eq_missing(pl.col("posteam"))


def _result() -> pl.Expr:
    return (
        pl.when(pl.col("aborted_play") == 1)
        .then(pl.lit(ABORTED))
        .when(pl.col("sack") == 1)
        .then(pl.lit(SACK))
        .when(pl.col("qb_scramble") == 1)
        .then(pl.lit(SCRAMBLE))
        .when(pl.col("interception") == 1)
        .then(pl.lit(INTERCEPTED))
        .when((pl.col("play_type") == "pass") & (pl.col("complete_pass") == 0))
        .then(pl.lit(INCOMPLETE))
        .when(_own_fumble() & ~_own_touchdown())
        .then(pl.lit(FUMBLE))
        .otherwise(pl.lit(GAIN))
        .cast(pl.Int8)
        .alias("result")
    )


def _yards() -> pl.Expr:
    """Return the gain; before a fumble as the text tells it: the data adds the recovery."""
    text = pl.col("desc").str.split("FUMBLES").list.first()
    gain_text = text.str.extract_all(r"for (-?\d+) yards?|for no gain").list.last()
    before_fumble = (
        pl.when(gain_text.str.contains("no gain"))
        .then(pl.lit(0.0))
        .otherwise(gain_text.str.extract(r"(-?\d+)").cast(pl.Float64))
    )
    fumbled = (pl.col("fumble") == 1) & pl.col("desc").str.contains("FUMBLES")
    return (
        pl.when(pl.col("aborted_play") == 1)
        .then(pl.lit(-1.0))
        .when(fumbled)
        .then(before_fumble.fill_null(pl.col("yards_gained")))
        .otherwise(pl.col("yards_gained"))
        .fill_null(0.0)
        .clip(-30, 99)
        .cast(pl.Int32)
        .alias("yards")
    )


def _column(draw: pl.Expr) -> pl.Expr:
    """Return the column of a play; null if not recorded, and for sacks and scrambles."""
    air, middle = pl.col("air_yards"), pl.col("pass_location") == "middle"
    has_side = pl.col("pass_location").is_not_null()
    return (
        pl.when(pl.col("result").is_in(NO_COLUMN_RESULTS))
        .then(pl.lit(None, dtype=pl.String))
        .when(_is_run() & _inside() & draw)
        .then(pl.lit("draw"))
        .when(_is_run() & _inside())
        .then(pl.lit("line-plunge"))
        .when(_is_run() & (pl.col("run_gap") == "tackle"))
        .then(pl.lit("off-tackle"))
        .when(_is_run() & (pl.col("run_gap") == "end"))
        .then(pl.lit("end-run"))
        .when(_is_run() | air.is_null())
        .then(pl.lit(None, dtype=pl.String))
        .when(air <= 0)
        .then(pl.lit("screen"))
        .when(air >= LONG_PASS_AIR_YARDS)
        .then(pl.lit("long-pass"))
        .when(air <= 4)
        .then(pl.lit("short-pass"))
        .when(~has_side)
        .then(pl.lit(None, dtype=pl.String))
        .when(~middle)
        .then(pl.lit("sideline-pass"))
        .when(air <= 9)
        .then(pl.lit("short-pass"))
        .otherwise(pl.lit("medium-pass"))
    )


def _count_unassigned(plays: pl.DataFrame, kind: str) -> int:
    return plays.filter(_is_unassigned() & (pl.col("play_type") == kind)).height


def _is_unassigned() -> pl.Expr:
    return pl.col("column").is_null() & ~pl.col("result").is_in(NO_COLUMN_RESULTS)


def _possible_columns() -> pl.Expr:
    """Return the columns that a play may belong to, given what the data records."""
    air, deep = pl.col("air_yards"), pl.col("pass_length") == "deep"
    middle = pl.col("pass_location") == "middle"
    has_side = pl.col("pass_location").is_not_null()
    return (
        pl.when(_is_run())
        .then(pl.lit(list(RUNS)))
        .when(air.is_not_null() & (air <= 9))
        .then(pl.lit(["short-pass", "sideline-pass"]))
        .when(air.is_not_null())
        .then(pl.lit(["medium-pass", "sideline-pass"]))
        .when(deep & middle)
        .then(pl.lit(["medium-pass", "long-pass"]))
        .when(deep)
        .then(pl.lit(["sideline-pass", "long-pass"]))
        .when(has_side & middle)
        .then(pl.lit(["screen", "short-pass", "medium-pass"]))
        .when(has_side)
        .then(pl.lit(["screen", "short-pass", "sideline-pass"]))
        .otherwise(pl.lit(list(PASSES)))
    )


def _spread(plays: pl.DataFrame) -> pl.DataFrame:
    """Return every play with its column and weight, unassigned plays in several columns."""
    assigned = plays.filter(pl.col("column").is_not_null()).with_columns(weight=pl.lit(1.0))
    trapped = plays.filter(pl.col("result").is_in(NO_COLUMN_RESULTS)).with_columns(
        column=pl.lit(None, dtype=pl.String), weight=pl.lit(1.0)
    )
    unassigned = plays.filter(_is_unassigned())
    counts = assigned.group_by("column").len("count")
    spread = (
        unassigned.drop("column")
        .with_row_index("play")
        .with_columns(column=_possible_columns())
        .explode("column")
        .join(counts, on="column", how="left")
        .with_columns(weight=pl.col("count") / pl.col("count").sum().over("play"))
        .drop("play", "count")
        .filter(pl.col("weight").is_not_null())
    )
    return pl.concat([assigned, trapped, spread.select(assigned.columns)])


COLUMN_INDEX = {name: number for number, name in enumerate(PLAYS)}


def apply_goal_line_limits(plays: pl.DataFrame, spot: pl.Expr) -> pl.DataFrame:
    """R8: near the goal line count long passes as medium or sideline ones, and draws as plunges."""
    column = pl.col("column")
    long_pass = (column == PLAYS[LONG_PASS]) & (spot >= NO_LONG_PASS_FROM)
    draw = (column == PLAYS[DRAW]) & (spot >= NO_DRAW_FROM)
    parts = [plays.filter((long_pass | draw).fill_null(False).not_())]
    for condition, replacement, share in (
        (long_pass, PLAYS[MEDIUM_PASS], 1 / 3),
        (long_pass, PLAYS[SIDELINE_PASS], 2 / 3),
        (draw, PLAYS[LINE_PLUNGE], 1.0),
    ):
        affected = plays.filter(condition)
        parts.append(
            affected.with_columns(column=pl.lit(replacement), weight=pl.col("weight") * share)
        )
    return pl.concat(parts)
