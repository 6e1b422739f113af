"""Fourth downs, tries, kickoffs and knees: what teams really did instead of a play."""

from __future__ import annotations

from statistics import NormalDist

import polars as pl

from hashmark.games.data_driven.plans.plan import NUMBERS, SECTIONS
from hashmark.league.facts import situations
from hashmark.league.facts.counting import Counts, count

ROLL_INSIDE = NUMBERS["roll-inside"][1]  # a rule of thumb: the data does not tell
POOCHES = (0, 5, 10, 15)
POOCH_AIM = 90  # where a punt that must not reach the goal line should land
SQUIB = (35, 58)  # yards of a kick that was kept short
# A play takes ten seconds here at least, and six really: what was done with so many seconds left
# in a half is done here with as many more.
LONGER = 10 / 6
LAST_SECONDS = 24  # as they really were


def instead(plays: pl.DataFrame, teams: list[str]) -> Counts:
    """Play, punt, field goal or knee on every down; a spike is called with the play before it."""
    kinds = {"run": "play", "pass": "play"}
    kinds |= {"punt": "punt", "field_goal": "field-goal", "qb_kneel": "kneel"}
    called = plays.filter(
        (pl.col("down") > 0)
        & (pl.col("two_point_attempt") == 0)
        & pl.col("play_type").is_in(list(kinds))
    ).with_columns(time=_time_here())
    length = _usual_punt(plays)
    called = called.with_columns(
        call=pl.when(pl.col("play_type") == "punt")
        .then(_pooch(length))
        .otherwise(pl.col("play_type").replace_strict(kinds, default=None))
    )
    calls = SECTIONS["instead"]
    return Counts(
        "instead", situations.INSTEAD, count(called, situations.INSTEAD, teams, "call", calls)
    )


def _time_here() -> pl.Expr:
    """The time left, longer at the end of a half for a team that wants to score before it."""
    ends = (pl.col("period") == 2) | ((pl.col("period") >= 4) & (pl.col("lead") <= 0))
    early = (pl.col("down") < 4) & ends & (pl.col("time") <= LAST_SECONDS)
    longer = (pl.col("time") * LONGER).round().cast(pl.Int32)
    return pl.when(early).then(longer).otherwise(pl.col("time"))


def _usual_punt(plays: pl.DataFrame) -> float:
    """The length of a punt that has the whole field before it."""
    free = plays.filter(
        (pl.col("play_type") == "punt") & (pl.col("punt_blocked") == 0) & (pl.col("spot") <= 40)
    )
    return float(free["kick_distance"].mean() or 44.0)  # type: ignore[arg-type]


def _pooch(length: float) -> pl.Expr:
    """A punt from near midfield is kept short: by so much that it lands where it should."""
    too_far = pl.col("spot") + length - POOCH_AIM
    chosen = pl.lit("punt")
    for yards in POOCHES[1:]:
        chosen = pl.when(too_far >= yards - 2.5).then(pl.lit(f"pooch-{yards}")).otherwise(chosen)
    return chosen


def tries(plays: pl.DataFrame, teams: list[str]) -> Counts:
    """One point or two."""
    two = pl.col("two_point_attempt") == 1
    called = plays.filter((pl.col("play_type") == "extra_point") | two).with_columns(
        call=pl.when(two).then(pl.lit("two-point")).otherwise(pl.lit("extra-point"))
    )
    counts = count(called, situations.TRY, teams, "call", SECTIONS["try"])
    return Counts("try", situations.TRY, counts)


def kickoffs(plays: pl.DataFrame, teams: list[str]) -> Counts:
    """Deep, short or onside; the receivers have the ball in the data, the kickers call."""
    short = pl.col("kick_distance").is_between(*SQUIB) & (pl.col("time") <= 60)
    called = plays.filter(pl.col("play_type") == "kickoff").with_columns(
        team=pl.col("defteam"),
        lead=-pl.col("lead"),
        call=pl.when(pl.col("desc").str.to_lowercase().str.contains("onside"))
        .then(pl.lit("onside"))
        .when(short & pl.col("period").is_in([2, 4]))
        .then(pl.lit("squib"))
        .otherwise(pl.lit("kickoff")),
    )
    counts = count(called, situations.KICKOFF, teams, "call", SECTIONS["kickoff"])
    return Counts("kickoff", situations.KICKOFF, counts)


def return_depths(plays: pl.DataFrame, teams: list[str]) -> list[int]:
    """How deep in the end zone a kickoff is still returned: the league's, then each team's.

    Set so that touchbacks come out as often as they did, if the length of kicks is normal:
    its middle and spread are read from the kicks that came down in the field.
    """
    kicks = plays.filter(
        (pl.col("play_type") == "kickoff")
        & (pl.col("kick_distance") > SQUIB[1])
        & (pl.col("kickoff_out_of_bounds") == 0)
    ).with_columns(over=pl.col("kick_distance") - pl.col("yardline_100").fill_null(0))
    if kicks.is_empty():
        return [NUMBERS["return-depth"][1]] * (len(teams) + 1)
    league = kicks.select(pl.col("over"), pl.col("touchback"))
    middle = float(league["over"].quantile(0.4) or 0.0)
    spread = max(1.0, (middle - float(league["over"].quantile(0.1) or 0.0)) / _between(0.1, 0.4))
    mean = middle - spread * NormalDist().inv_cdf(0.4)
    share = float(league["touchback"].mean() or 0.0)  # type: ignore[arg-type]
    depths = [_depth(mean, spread, share)]
    for code in teams:
        own = kicks.filter(pl.col("team") == code)["touchback"]
        held = (float(own.sum()) + 40 * share) / (own.len() + 40)
        depths.append(_depth(mean, spread, held))
    return depths


def _between(low: float, high: float) -> float:
    return NormalDist().inv_cdf(high) - NormalDist().inv_cdf(low)


def _depth(mean: float, spread: float, touchbacks: float) -> int:
    """The deepest spot that is returned if so many kicks are not; the goal line is 100 - kick."""
    longest = mean + spread * NormalDist().inv_cdf(1 - min(max(touchbacks, 0.005), 0.995))
    return max(0, min(9, round(longest) - 1))
