"""Penalties on scrimmage plays: kind of cell and rate, on runs and on passes.

The data columns cover accepted penalties only; declined and offsetting ones appear in the text. A
penalty on the charts is independent of the play, so it is declined more often than a real one (a
real pass interference is nearly always an incompletion; on the charts the pass may be caught). The
charts therefore contain more penalties than the season: enough to reproduce the accepted ones
(`ACCEPTED_SHARE`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import PASSES, PLAYS
from hashmark.league.charts.tallies import count_by_team
from hashmark.league.data.arrays import Floats

PENALTY_KINDS = ("OFF 5", "OFF 10", "OFF 15", "grounding", "DEF 5", "DEF 5X", "DEF 15", "PI")
OFF_5, OFF_10, OFF_15, GROUNDING, DEF_5, DEF_5X, DEF_15, PI = range(len(PENALTY_KINDS))
OFFENSE_KINDS = (OFF_5, OFF_10, OFF_15, GROUNDING)
# Share of each kind of penalty that the coaches accept in simulated games (measured). DEF 5 is
# always accepted in the basic game and two times in three in the full one; the value is between.
ACCEPTED_SHARE = np.array([0.93, 0.81, 0.87, 1.0, 0.74, 0.65, 0.93, 0.65])
DEAD_BALL_KINDS = (OFF_5, DEF_5)

_PERSONAL_FOULS = (
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
OFFENSE_FOULS = {
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
    **dict.fromkeys(_PERSONAL_FOULS, OFF_15),
    "Intentional Grounding": GROUNDING,
}  # anything else is OFF 5
DEFENSE_FOULS = {
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
    **dict.fromkeys(
        (*_PERSONAL_FOULS, "Roughing the Passer", "Roughing the Kicker", "Leverage"), DEF_15
    ),
    "Defensive Pass Interference": PI,
}  # anything else is DEF 5


@dataclass(frozen=True)
class PenaltyCounts:
    """Penalties by team and kind, with the snaps they are counted against."""

    offense: Floats  # [team, kind]: on plays of the team in possession
    defense: Floats  # [team, kind]: the same, by defending team
    snaps: Floats  # [team]: snaps of the offense, nullified ones included
    snaps_against: Floats  # [team]: snaps against the defense
    pass_share_by_kind: Floats  # [kind]: league share on passes
    pass_share: float  # league share of passes among snaps
    interference: pl.DataFrame  # pass interference: column and yards
    grounding: list[int]  # yards lost
    between_downs: float  # share of OFF 15 enforced between downs
    end_zone_holding: float  # share of OFF 10 on passes that was holding

    def column_rates(self, rates: Floats) -> Floats:
        """Turn rates per snap [team, kind] into rates [team, column, kind]."""
        by_column = np.repeat(rates[:, None, :], len(PLAYS), axis=1)
        for kind in range(len(PENALTY_KINDS)):
            if kind not in DEAD_BALL_KINDS:
                run = (1 - self.pass_share_by_kind[kind]) / max(1 - self.pass_share, 1e-9)
                by_column[:, :4, kind] *= run
                by_column[:, 4:, kind] *= self.pass_share_by_kind[kind] / max(self.pass_share, 1e-9)
        return np.asarray(by_column)


def count_penalties(plays: pl.DataFrame, teams: list[str]) -> PenaltyCounts:
    """Count all penalties on runs and passes of a season."""
    text = pl.col("desc").fill_null("")
    is_kick = text.str.contains("(?i)punts|field goal|extra point|kicks |two-point")
    snaps = plays.filter(
        (pl.col("play_type").is_in(["run", "pass"]) & (pl.col("two_point_attempt") == 0))
        | (
            (pl.col("play_type") == "no_play")
            & (pl.col("timeout") == 0)
            & pl.col("down").is_not_null()
            & ~is_kick
        )
    ).with_columns(
        passed=text.str.contains(" pass |sacked|scrambles|INTERCEPT"),
        ran=text.str.contains("(left|right) (end|tackle|guard)|up the middle"),
    )
    penalized = _accepted(snaps).with_columns(
        kind=pl.when(pl.col("penalty_team") == pl.col("posteam"))
        .then(pl.col("penalty_type").replace_strict(OFFENSE_FOULS, default=OFF_5))
        .otherwise(pl.col("penalty_type").replace_strict(DEFENSE_FOULS, default=DEF_5))
    )
    team_index = {team: index for index, team in enumerate(teams)}
    by_kind = penalized.filter(pl.col("passed") | pl.col("ran")).group_by("kind")
    pass_shares = dict(by_kind.agg(pl.col("passed").mean()).iter_rows())
    pass_shares |= {GROUNDING: 1.0, PI: 1.0}
    passes = snaps.filter(pl.col("play_type") != "no_play")["passed"]
    fifteen_yard = penalized.filter(pl.col("kind") == OFF_15)
    ten_yard = penalized.filter((pl.col("kind") == OFF_10) & pl.col("passed"))
    return PenaltyCounts(
        offense=_count_by_kind(penalized, "posteam", team_index) / ACCEPTED_SHARE,
        defense=_count_by_kind(penalized, "defteam", team_index) / ACCEPTED_SHARE,
        snaps=count_by_team(snaps, "posteam", teams),
        snaps_against=count_by_team(snaps, "defteam", teams),
        pass_share_by_kind=np.array(
            [float(pass_shares.get(kind, 0.5) or 0.0) for kind in range(len(PENALTY_KINDS))]
        ),
        pass_share=_share(passes),
        interference=_interference(penalized),
        grounding=[
            int(yards)
            for yards in penalized.filter(pl.col("kind") == GROUNDING)["penalty_yards"].drop_nulls()
            if yards > 0
        ],
        between_downs=_share(fifteen_yard["desc"].str.contains("enforced between downs")),
        end_zone_holding=_share(ten_yard["penalty_type"] == "Offensive Holding"),
    )


def _share(values: pl.Series) -> float:
    """Return the share of true values in a series; 0 if it is empty."""
    return float(values.sum()) / max(len(values), 1)


_COLUMNS = (
    "posteam",
    "defteam",
    "penalty_team",
    "penalty_type",
    "penalty_yards",
    "desc",
    "passed",
    "ran",
)


def _accepted(plays: pl.DataFrame) -> pl.DataFrame:
    return plays.filter(
        (pl.col("penalty") == 1)
        & pl.col("penalty_type").is_not_null()
        & pl.col("penalty_team").is_not_null()
    ).select(*_COLUMNS)


def _count_by_kind(penalized: pl.DataFrame, by: str, team_index: dict[str, int]) -> Floats:
    table = np.zeros((len(team_index), len(PENALTY_KINDS)))
    for team, kind, count in penalized.group_by(by, "kind").len().iter_rows():
        if team in team_index:
            table[team_index[team], kind] = count
    return table


def _interference(penalized: pl.DataFrame) -> pl.DataFrame:
    """Return pass interference by the column that its yards and text suggest."""
    yards, text = pl.col("penalty_yards"), pl.col("desc")
    middle = text.str.contains(" middle ")
    fouls = penalized.filter((pl.col("kind") == PI) & yards.is_not_null() & (yards > 0))
    return fouls.select(
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
