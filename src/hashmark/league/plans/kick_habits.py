"""Fourth downs, tries, kickoffs and kneels: real decisions, counted by situation."""

from __future__ import annotations

from statistics import NormalDist

import polars as pl

from hashmark.games.data_driven.plans.plan import NUMBERS
from hashmark.league.data import situations
from hashmark.league.data.call_counts import CallCounts, count_section

ROLL_INSIDE = NUMBERS["roll-inside"][1]  # a rule of thumb: not in the data
POOCH_YARDS = (0, 5, 10, 15)
POOCH_TARGET_SPOT = 90  # spot at which a pooch punt should land
SQUIB_YARDS = (35, 58)  # range of kick lengths in yards
# A play takes at least ten seconds under the rules and about six in reality, so the last seconds of
# a half are stretched by this factor.
TIME_STRETCH = 10 / 6
STRETCHED_SECONDS = 24  # real seconds left


def count_instead(plays: pl.DataFrame, teams: list[str]) -> CallCounts:
    """Count plays, punts, field goals and kneels on every down; a spike is a tempo call."""
    kinds = {"run": "play", "pass": "play"}
    kinds |= {"punt": "punt", "field_goal": "field-goal", "qb_kneel": "kneel"}
    called = plays.filter(
        (pl.col("down") > 0)
        & (pl.col("two_point_attempt") == 0)
        & pl.col("play_type").is_in(list(kinds))
    ).with_columns(time=_stretched_time())
    punt_yards = _mean_punt_yards(plays)
    called = called.with_columns(
        call=pl.when(pl.col("play_type") == "punt")
        .then(_punt_call(punt_yards))
        .otherwise(pl.col("play_type").replace_strict(kinds, default=None))
    )
    return count_section("instead", called, situations.INSTEAD, teams)


def _stretched_time() -> pl.Expr:
    """Return the time left, stretched at the end of a half for a team that needs to score."""
    must_score = (pl.col("period") == 2) | ((pl.col("period") >= 4) & (pl.col("lead") <= 0))
    is_last_play = (pl.col("down") < 4) & must_score & (pl.col("time") <= STRETCHED_SECONDS)
    stretched = (pl.col("time") * TIME_STRETCH).round().cast(pl.Int32)
    return pl.when(is_last_play).then(stretched).otherwise(pl.col("time"))


def _mean_punt_yards(plays: pl.DataFrame) -> float:
    """Return the mean length of punts that have the whole field ahead."""
    punts = plays.filter(
        (pl.col("play_type") == "punt") & (pl.col("punt_blocked") == 0) & (pl.col("spot") <= 40)
    )
    return float(punts["kick_distance"].mean() or 44.0)  # type: ignore[arg-type]


def _punt_call(length: float) -> pl.Expr:
    """Return the punt call; near midfield shorter, so that the ball lands at the target spot."""
    excess = pl.col("spot") + length - POOCH_TARGET_SPOT
    call = pl.lit("punt")
    for yards in POOCH_YARDS[1:]:
        call = pl.when(excess >= yards - 2.5).then(pl.lit(f"pooch-{yards}")).otherwise(call)
    return call


def count_tries(plays: pl.DataFrame, teams: list[str]) -> CallCounts:
    """Count extra points and two-point tries."""
    two = pl.col("two_point_attempt") == 1
    called = plays.filter((pl.col("play_type") == "extra_point") | two).with_columns(
        call=pl.when(two).then(pl.lit("two-point")).otherwise(pl.lit("extra-point"))
    )
    return count_section("try", called, situations.TRY, teams)


def count_kickoffs(plays: pl.DataFrame, teams: list[str]) -> CallCounts:
    """Count deep, squib and onside kicks of the kicking team, which is `defteam` in the data."""
    short = pl.col("kick_distance").is_between(*SQUIB_YARDS) & (pl.col("time") <= 60)
    called = plays.filter(pl.col("play_type") == "kickoff").with_columns(
        team=pl.col("defteam"),
        lead=-pl.col("lead"),
        call=pl.when(pl.col("desc").str.to_lowercase().str.contains("onside"))
        .then(pl.lit("onside"))
        .when(short & pl.col("period").is_in([2, 4]))
        .then(pl.lit("squib"))
        .otherwise(pl.lit("kickoff")),
    )
    return count_section("kickoff", called, situations.KICKOFF, teams)


def return_depths(plays: pl.DataFrame, teams: list[str]) -> list[int]:
    """Return how deep in the end zone kickoffs are returned: the league's, then each team's.

    The depth reproduces the real touchback rate, assuming a normal distribution of kick lengths.
    Its mean and spread are estimated from the kicks that landed in the field of play.
    """
    kicks = plays.filter(
        (pl.col("play_type") == "kickoff")
        & (pl.col("kick_distance") > SQUIB_YARDS[1])
        & (pl.col("kickoff_out_of_bounds") == 0)
    ).with_columns(over=pl.col("kick_distance") - pl.col("yardline_100").fill_null(0))
    if kicks.is_empty():
        return [NUMBERS["return-depth"][1]] * (len(teams) + 1)
    league_kicks = kicks.select(pl.col("over"), pl.col("touchback"))
    quantile_40 = float(league_kicks["over"].quantile(0.4) or 0.0)
    spread = max(
        1.0,
        (quantile_40 - float(league_kicks["over"].quantile(0.1) or 0.0))
        / _normal_distance(0.1, 0.4),
    )
    mean = quantile_40 - spread * NormalDist().inv_cdf(0.4)
    share = float(league_kicks["touchback"].mean() or 0.0)  # type: ignore[arg-type]
    depths = [_return_depth(mean, spread, share)]
    for code in teams:
        own = kicks.filter(pl.col("team") == code)["touchback"]
        touchbacks = (float(own.sum()) + 40 * share) / (own.len() + 40)
        depths.append(_return_depth(mean, spread, touchbacks))
    return depths


def _normal_distance(low: float, high: float) -> float:
    return NormalDist().inv_cdf(high) - NormalDist().inv_cdf(low)


def _return_depth(mean: float, spread: float, touchbacks: float) -> int:
    """Return the deepest spot to return from for this touchback rate."""
    length = mean + spread * NormalDist().inv_cdf(1 - min(max(touchbacks, 0.005), 0.995))
    return max(0, min(9, round(length) - 1))
