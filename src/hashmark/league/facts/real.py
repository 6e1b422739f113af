"""What really happened: the figures of every team of a season, counted as the game counts them.

    figures = of_season(pbp.load("pbp_2008.parquet"))
    figures.of("ARI", FOR)["points"]

The names are those of the game's statistics, so that simulated and real can be laid side by
side. `load` reads the figures of a season that the package ships.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hashmark.league.facts.schedule import SHIPPED
from hashmark.table import places
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.readable import shown
from hashmark.table.writing import csv_text

if TYPE_CHECKING:
    import polars as pl

SUFFIX = ".figures.csv"
MOST = 10**6  # of anything that is counted in a season
FOR, AGAINST = SIDES = ("for", "against")
COUNTED = (
    "points",
    "yards",
    "plays",
    "first_downs",
    "third_downs",
    "third_downs_made",
    "fourth_downs",
    "fourth_downs_made",
    "rushes",
    "rushing_yards",
    "passes",
    "completions",
    "passing_yards",
    "interceptions",
    "sacked",
    "sack_yards",
    "fumbles_lost",
    "penalties",
    "penalty_yards",
    "punts",
    "punt_yards",
    "punt_returns",
    "punt_return_yards",
    "kickoffs",
    "kick_returns",
    "kick_return_yards",
    "field_goals",
    "field_goals_tried",
    "touchdowns",
    "extra_points",
    "extra_points_tried",
    "two_points",
    "two_points_tried",
    "safeties",
)
HEAD = ("team", "side", "games", "wins")


@dataclass(frozen=True)
class Figures:
    """The counts of each team, for it and against it, over so many games."""

    name: str
    games: Mapping[str, int]
    wins: Mapping[str, float]  # a tie is half a win
    counts: Mapping[tuple[str, str], Mapping[str, float]]  # by team and side

    @property
    def teams(self) -> list[str]:
        return list(self.games)

    def of(self, team: str, side: str = FOR) -> Mapping[str, float]:
        if team not in self.games:
            raise UnknownName(f"team in the figures of {self.name}", team, self.games)
        return self.counts[team, side]


def load(season: int) -> Figures:
    """The figures of a season, from the file of that name."""
    path = places.find("file of real figures", str(season), SUFFIX, SHIPPED).resolve()
    return _load(path, str(season), path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _load(path: Path, name: str, changed: int) -> Figures:
    games: dict[str, int] = {}
    wins: dict[str, float] = {}
    counts: dict[tuple[str, str], Mapping[str, float]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for row in csv.DictReader(lines):
            team = row["team"]
            games[team], wins[team] = int(_figure(row["games"])), _figure(row["wins"])
            counts[team, row["side"]] = {key: _figure(row[key]) for key in COUNTED}
    except (OSError, KeyError, TypeError, ValueError, OverflowError, csv.Error) as fault:
        raise HashmarkError(f"{path.name}: not a file of real figures: {fault}") from None
    for team in games:
        for side in SIDES:
            if (team, side) not in counts:
                raise HashmarkError(f"{path.name}: the line {side} of {shown(team)} is missing")
    return Figures(name, games, wins, counts)


def _figure(text: str) -> float:
    """A count of a season; a ValueError where it cannot be one."""
    figure = float(text)
    if not abs(figure) < MOST:
        raise ValueError(f"{shown(text)} is not a count")
    return figure


def write(figures: Figures) -> str:
    """The file that `load` reads."""
    rows: list[tuple[object, ...]] = [(*HEAD, *COUNTED)]
    for team in sorted(figures.games):
        for side in SIDES:
            counts = figures.of(team, side)
            head = (team, side, figures.games[team], f"{figures.wins[team]:g}")
            rows.append((*head, *(f"{counts[key]:g}" for key in COUNTED)))
    return csv_text(rows)


# --- Counting ------------------------------------------------------------------------


def of_season(frame: pl.DataFrame, weeks: str = "all") -> Figures:
    """Count a season's regular games, or those of its odd or even weeks."""
    from hashmark.league.facts import pbp
    from hashmark.league.facts.pbp_bounds import enough_for

    with enough_for("figures"):
        return _counted(pbp.pick(frame, weeks=weeks))


def _counted(plays: pl.DataFrame) -> Figures:
    """The figures of these plays."""
    import polars as pl

    tables = _games(plays).join(_offence(plays), on=["game_id", "team"], how="left")
    for found in (_flags(plays), _fumbles(plays), _kicks(plays)):
        tables = tables.join(found, on=["game_id", "team"], how="left")
    tables = tables.fill_null(0)
    theirs = tables.select("game_id", pl.col("team").alias("other"), *COUNTED)
    both = tables.join(theirs, on=["game_id", "other"], suffix="_against")
    sums = (
        both.group_by("team")
        .agg(
            pl.len().alias("games"),
            pl.col("win").sum(),
            *(pl.col(key).sum() for key in COUNTED),
            *(pl.col(f"{key}_against").sum() for key in COUNTED),
        )
        .sort("team")
    )
    games, wins = {}, {}
    counts: dict[tuple[str, str], Mapping[str, float]] = {}
    for row in sums.iter_rows(named=True):
        team = row["team"]
        games[team], wins[team] = int(row["games"]), float(row["win"])
        counts[team, FOR] = {key: float(row[key]) for key in COUNTED}
        counts[team, AGAINST] = {key: float(row[f"{key}_against"]) for key in COUNTED}
    return Figures(str(plays["season"][0]), games, wins, counts)


def _games(plays: pl.DataFrame) -> pl.DataFrame:
    """Two rows a game: who it was, against whom, and the points."""
    import polars as pl

    ends = plays.group_by("game_id", maintain_order=True).agg(
        pl.col(key).first() for key in ("home_team", "away_team", "home_score", "away_score")
    )
    sides = []
    for own, other in (("home", "away"), ("away", "home")):
        margin = pl.col(f"{own}_score") - pl.col(f"{other}_score")
        sides.append(
            ends.select(
                "game_id",
                team=pl.col(f"{own}_team"),
                other=pl.col(f"{other}_team"),
                points=pl.col(f"{own}_score"),
                win=(margin > 0).cast(pl.Float64) + 0.5 * (margin == 0).cast(pl.Float64),
            )
        )
    return pl.concat(sides)


def _offence(plays: pl.DataFrame) -> pl.DataFrame:
    """What the team with the ball did; tries apart."""
    import polars as pl

    def kind(*names: str) -> pl.Expr:
        return pl.col("play_type").is_in(list(names))

    def flag(name: str) -> pl.Expr:
        return pl.col(name) == 1

    drive = flag("two_point_attempt").not_()
    rush = drive & flag("rush_attempt") & kind("run", "qb_kneel")
    sack = drive & flag("sack") & kind("pass")
    throw = drive & flag("pass_attempt") & flag("sack").not_() & kind("pass", "qb_spike")
    down = drive & kind("run", "pass", "qb_kneel", "qb_spike")
    yards = pl.col("yards_gained").fill_null(0)
    goal = kind("field_goal")
    ours = pl.col("td_team") == pl.col("posteam")
    sums = {
        "plays": rush | sack | throw,
        "first_downs": flag("first_down"),
        "third_downs": down & (flag("third_down_converted") | flag("third_down_failed")),
        "third_downs_made": down & flag("third_down_converted"),
        "fourth_downs": down & (flag("fourth_down_converted") | flag("fourth_down_failed")),
        "fourth_downs_made": down & flag("fourth_down_converted"),
        "rushes": rush,
        "passes": throw,
        "completions": throw & flag("complete_pass"),
        "interceptions": throw & flag("interception"),
        "sacked": sack,
        "field_goals": goal & (pl.col("field_goal_result") == "made"),
        "field_goals_tried": goal,
        "extra_points": pl.col("extra_point_result") == "good",
        "extra_points_tried": kind("extra_point") & flag("extra_point_attempt"),
        "two_points": flag("two_point_attempt") & (pl.col("two_point_conv_result") == "success"),
        "two_points_tried": flag("two_point_attempt") & kind("run", "pass"),
        "safeties": flag("safety") & ours.not_(),
        "punts": kind("punt"),
    }
    measured = {
        "rushing_yards": (rush, yards),
        "passing_yards": (throw & flag("complete_pass"), yards),
        "sack_yards": (sack, yards),
        "yards": (rush | sack | throw, yards),
        "punt_yards": (kind("punt"), pl.col("kick_distance").fill_null(0)),
    }
    found = plays.group_by("game_id", pl.col("posteam").alias("team")).agg(
        *(when.fill_null(False).sum().alias(name) for name, when in sums.items()),
        *(
            pl.when(when.fill_null(False)).then(what).otherwise(0).sum().alias(name)
            for name, (when, what) in measured.items()
        ),
    )
    scored = plays.filter(flag("touchdown") & pl.col("td_team").is_not_null())
    touchdowns = scored.group_by("game_id", pl.col("td_team").alias("team")).agg(
        pl.len().alias("touchdowns")
    )
    return found.join(touchdowns, on=["game_id", "team"], how="full", coalesce=True)


def _flags(plays: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    return (
        plays.filter((pl.col("penalty") == 1) & pl.col("penalty_team").is_not_null())
        .group_by("game_id", pl.col("penalty_team").alias("team"))
        .agg(pl.len().alias("penalties"), pl.col("penalty_yards").sum())
    )


def _fumbles(plays: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    lost = (pl.col("fumble_recovery_1_team") != pl.col("fumbled_1_team")).fill_null(False)
    return (
        plays.filter(pl.col("fumbled_1_team").is_not_null() & lost & (pl.col("fumble_lost") == 1))
        .group_by("game_id", pl.col("fumbled_1_team").alias("team"))
        .agg(pl.len().alias("fumbles_lost"))
    )


def _kicks(plays: pl.DataFrame) -> pl.DataFrame:
    """Kickoffs by the kickers, returns by the returners."""
    import polars as pl

    kickoff, punt = pl.col("play_type") == "kickoff", pl.col("play_type") == "punt"
    dead = sum(
        (
            pl.col(name)
            for name in (
                "touchback",
                "kickoff_out_of_bounds",
                "kickoff_fair_catch",
                "punt_out_of_bounds",
                "punt_fair_catch",
                "punt_downed",
                "punt_blocked",
            )
        ),
        pl.lit(0),
    )
    onside = pl.col("desc").fill_null("").str.contains("(?i)onside")  # fallen on, not returned
    returned = (dead == 0) & pl.col("return_yards").is_not_null() & ~(kickoff & onside)
    kicks = (
        plays.filter(kickoff)
        .group_by("game_id", pl.col("defteam").alias("team"))
        .agg(pl.len().alias("kickoffs"))
    )
    for name, kind, team in (("kick", kickoff, "posteam"), ("punt", punt, "defteam")):
        found = (
            plays.filter(kind & returned)
            .group_by("game_id", pl.col(team).alias("team"))
            .agg(
                pl.len().alias(f"{name}_returns"),
                pl.col("return_yards").sum().alias(f"{name}_return_yards"),
            )
        )
        kicks = kicks.join(found, on=["game_id", "team"], how="full", coalesce=True)
    return kicks
