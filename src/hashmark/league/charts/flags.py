"""Penalties on plays from scrimmage: which cell each is, how often, on runs and on passes.

The columns of the data know accepted flags only; declined and offsetting ones stand in the
text. A flag on the charts is thrown without looking at the play, so it is declined more
often than a real one (a real pass interference is nearly always an incompletion; on the
charts the pass may be caught). So the charts have more flags than the season: as many
as make the accepted ones right (`TAKEN`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import PASSES, PLAYS
from hashmark.league.charts.tallies import Array

KINDS = ("OFF 5", "OFF 10", "OFF 15", "grounding", "DEF 5", "DEF 5X", "DEF 15", "PI")
OFF_5, OFF_10, OFF_15, GROUNDING, DEF_5, DEF_5X, DEF_15, PI = range(len(KINDS))
OFFENSIVE = (OFF_5, OFF_10, OFF_15, GROUNDING)
# The part of each kind's flags that the coaches accept in simulated games; measured. DEF 5 is
# always accepted in the basic game and two times in three in the full one: between them.
TAKEN = np.array([0.93, 0.81, 0.87, 1.0, 0.74, 0.65, 0.93, 0.65])
DEAD_BALL = (OFF_5, DEF_5)

_ROUGH = (
    "Unnecessary Roughness",
    "Face Mask",
    "Face Mask (15 Yards)",
    "Unsportsmanlike Conduct",
    "Personal Foul",
    "Taunting",
    "Clipping",
    "Chop Block",
    "Low Block",
    "Horse Collar Tackle",
    "Disqualification",
    "Illegal Peelback",
    "Illegal Blindside Block",
    "Lowering the Head to Initiate Contact",
    "Lowering the Head to Make Forcible Contact",
    "Use of Helmet",
)
BY_OFFENCE = {
    **dict.fromkeys(
        (
            "Offensive Holding",
            "Offensive Pass Interference",
            "Illegal Use of Hands",
            "Illegal Block Above the Waist",
            "Illegal Block",
            "Tripping",
            "Illegal Crackback",
            "Illegal Double-Team Block",
        ),
        OFF_10,
    ),
    **dict.fromkeys(_ROUGH, OFF_15),
    "Intentional Grounding": GROUNDING,
}  # anything else is OFF 5
BY_DEFENCE = {
    **dict.fromkeys(
        (
            "Defensive Holding",
            "Illegal Contact",
            "Illegal Use of Hands",
            "Illegal Block Above the Waist",
            "Tripping",
        ),
        DEF_5X,
    ),
    **dict.fromkeys((*_ROUGH, "Roughing the Passer", "Roughing the Kicker", "Leverage"), DEF_15),
    "Defensive Pass Interference": PI,
}  # anything else is DEF 5


@dataclass(frozen=True)
class Flags:
    """Flags by team and kind, and the snaps that they are counted against."""

    offence: Array  # [team, kind]: drawn by or called against the team with the ball
    defence: Array  # [team, kind]: the same, by the team without it
    snaps: Array  # [team]: snaps of the offence, wiped-out ones too
    snaps_against: Array  # [team]: snaps against the defence
    on_pass: Array  # [kind]: the part of them on passes, league
    pass_part: float  # the part of snaps that are passes, league
    interference: pl.DataFrame  # pass interference: column and yards
    grounding: list[int]  # yards lost
    between_downs: float  # the part of OFF 15 that was enforced between downs
    end_zone_holding: float  # the part of OFF 10 on passes that was holding

    def column_rates(self, rates: Array) -> Array:
        """Rates [team, kind] per snap made rates [team, column, kind] of runs and passes."""
        made = np.repeat(rates[:, None, :], len(PLAYS), axis=1)
        for kind in range(len(KINDS)):
            if kind not in DEAD_BALL:
                run = (1 - self.on_pass[kind]) / max(1 - self.pass_part, 1e-9)
                made[:, :4, kind] *= run
                made[:, 4:, kind] *= self.on_pass[kind] / max(self.pass_part, 1e-9)
        return np.asarray(made)


def count(plays: pl.DataFrame, teams: list[str]) -> Flags:
    """All flags on runs and passes of a season."""
    text = pl.col("desc").fill_null("")
    kick = text.str.contains("(?i)punts|field goal|extra point|kicks |two-point")
    snaps = plays.filter(
        (pl.col("play_type").is_in(["run", "pass"]) & (pl.col("two_point_attempt") == 0))
        | (
            (pl.col("play_type") == "no_play")
            & (pl.col("timeout") == 0)
            & pl.col("down").is_not_null()
            & ~kick
        )
    ).with_columns(
        passed=text.str.contains(" pass |sacked|scrambles|INTERCEPT"),
        ran=text.str.contains("(left|right) (end|tackle|guard)|up the middle"),
    )
    flagged = _accepted(snaps).with_columns(
        kind=pl.when(pl.col("penalty_team") == pl.col("posteam"))
        .then(pl.col("penalty_type").replace_strict(BY_OFFENCE, default=OFF_5))
        .otherwise(pl.col("penalty_type").replace_strict(BY_DEFENCE, default=DEF_5))
    )
    number = {team: at for at, team in enumerate(teams)}
    by_kind = flagged.filter(pl.col("passed") | pl.col("ran")).group_by("kind")
    shares = dict(by_kind.agg(pl.col("passed").mean()).iter_rows())
    shares |= {GROUNDING: 1.0, PI: 1.0}
    passes = snaps.filter(pl.col("play_type") != "no_play")["passed"]
    fifteen = flagged.filter(pl.col("kind") == OFF_15)
    ten = flagged.filter((pl.col("kind") == OFF_10) & pl.col("passed"))
    return Flags(
        offence=_table(flagged, "posteam", number) / TAKEN,
        defence=_table(flagged, "defteam", number) / TAKEN,
        snaps=_heights(snaps, "posteam", number),
        snaps_against=_heights(snaps, "defteam", number),
        on_pass=np.array([float(shares.get(kind, 0.5) or 0.0) for kind in range(len(KINDS))]),
        pass_part=_part(passes),
        interference=_interference(flagged),
        grounding=[
            int(yards)
            for yards in flagged.filter(pl.col("kind") == GROUNDING)["penalty_yards"].drop_nulls()
            if yards > 0
        ],
        between_downs=_part(fifteen["desc"].str.contains("enforced between downs")),
        end_zone_holding=_part(ten["penalty_type"] == "Offensive Holding"),
    )


def _part(flags: pl.Series) -> float:
    """The part of a column of flags that are set; 0 for none."""
    return float(flags.sum()) / max(len(flags), 1)


_KEPT = (
    "posteam",
    "defteam",
    "penalty_team",
    "penalty_type",
    "penalty_yards",
    "desc",
    "passed",
    "ran",
)


def _accepted(snaps: pl.DataFrame) -> pl.DataFrame:
    return snaps.filter(
        (pl.col("penalty") == 1)
        & pl.col("penalty_type").is_not_null()
        & pl.col("penalty_team").is_not_null()
    ).select(*_KEPT)


def _table(flagged: pl.DataFrame, by: str, number: dict[str, int]) -> Array:
    made = np.zeros((len(number), len(KINDS)))
    for team, kind, count in flagged.group_by(by, "kind").len().iter_rows():
        if team in number:
            made[number[team], kind] = count
    return made


def _heights(snaps: pl.DataFrame, by: str, number: dict[str, int]) -> Array:
    made = np.zeros(len(number))
    for team, count in snaps.group_by(by).len().iter_rows():
        if team in number:
            made[number[team]] = count
    return made


def _interference(flagged: pl.DataFrame) -> pl.DataFrame:
    """Pass interference by the column that its yards and the text point to."""
    yards, text = pl.col("penalty_yards"), pl.col("desc")
    middle = text.str.contains(" middle ")
    found = flagged.filter((pl.col("kind") == PI) & yards.is_not_null() & (yards > 0))
    return found.select(
        column=pl.when(yards >= 20)
        .then(pl.lit("long-pass"))
        .when(yards <= 2)
        .then(pl.lit("screen"))
        .when(middle & (yards >= 10))
        .then(pl.lit("medium-pass"))
        .when(middle | (yards <= 4))
        .then(pl.lit("short-pass"))
        .otherwise(pl.lit("sideline-pass")),
        yards=yards.cast(pl.Int32),
    ).filter(pl.col("column").is_in(PASSES))
