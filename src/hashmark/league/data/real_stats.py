"""Real team statistics of a season, counted the way the game counts them.

    stats = count_season(play_by_play.load("pbp_2008.parquet"))
    stats.team_counts("ARI", FOR)["points"]

The names equal those of the game's statistics, so that simulated and real values can be compared
directly. `load` reads the statistics of a shipped season.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hashmark.errors import HashmarkError, UnknownName
from hashmark.league.data.schedule import SHIPPED
from hashmark.sanitize import quote
from hashmark.storage import search_path
from hashmark.storage.atomic_write import csv_text

if TYPE_CHECKING:
    import polars as pl

SUFFIX = ".figures.csv"
MAX_COUNT = 10**6  # upper bound of any season count
FOR, AGAINST = SIDES = ("for", "against")
STAT_NAMES = (
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
KEY_FIELDS = ("team", "side", "games", "wins")


@dataclass(frozen=True)
class SeasonStats:
    """The counts of each team, for and against it, with its games and wins."""

    name: str
    games: Mapping[str, int]
    wins: Mapping[str, float]  # a tie is half a win
    counts: Mapping[tuple[str, str], Mapping[str, float]]  # by team and side

    @property
    def teams(self) -> list[str]:
        return list(self.games)

    def team_counts(self, team: str, side: str = FOR) -> Mapping[str, float]:
        if team not in self.games:
            raise UnknownName(f"team in the statistics of {self.name}", team, self.games)
        return self.counts[team, side]


def load(season: int) -> SeasonStats:
    """Load the statistics file of a season."""
    path = search_path.find_file("file of real statistics", str(season), SUFFIX, SHIPPED).resolve()
    return _load(path, str(season), path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _load(path: Path, name: str, changed: int) -> SeasonStats:
    games: dict[str, int] = {}
    wins: dict[str, float] = {}
    counts: dict[tuple[str, str], Mapping[str, float]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for row in csv.DictReader(lines):
            team = row["team"]
            games[team], wins[team] = int(_parse_count(row["games"])), _parse_count(row["wins"])
            counts[team, row["side"]] = {key: _parse_count(row[key]) for key in STAT_NAMES}
    except (OSError, KeyError, TypeError, ValueError, OverflowError, csv.Error) as fault:
        raise HashmarkError(f"{path.name}: not a file of real statistics: {fault}") from None
    for team in games:
        for side in SIDES:
            if (team, side) not in counts:
                raise HashmarkError(f"{path.name}: no line {side} for {quote(team)}")
    return SeasonStats(name, games, wins, counts)


def _parse_count(text: str) -> float:
    """Parse a season count; raise ValueError if it is out of range."""
    value = float(text)
    if not abs(value) < MAX_COUNT:
        raise ValueError(f"{quote(text)} is not a count")
    return value


def to_csv(stats: SeasonStats) -> str:
    """Return the statistics as the CSV text that `load` reads."""
    rows: list[tuple[object, ...]] = [(*KEY_FIELDS, *STAT_NAMES)]
    for team in sorted(stats.games):
        for side in SIDES:
            counts = stats.team_counts(team, side)
            key_fields = (team, side, stats.games[team], f"{stats.wins[team]:g}")
            rows.append((*key_fields, *(f"{counts[key]:g}" for key in STAT_NAMES)))
    return csv_text(rows)


# --- Counting ------------------------------------------------------------------------


def count_season(frame: pl.DataFrame, weeks: str = "all") -> SeasonStats:
    """Count the regular season, or only its odd or even weeks."""
    from hashmark.league.data import play_by_play
    from hashmark.league.data.play_checks import translate_sparse_data_errors

    with translate_sparse_data_errors("figures"):
        return _count_plays(play_by_play.select_plays(frame, weeks=weeks))


def _count_plays(plays: pl.DataFrame) -> SeasonStats:
    """Count the statistics of these plays."""
    import polars as pl

    by_game = _count_results(plays).join(_count_offense(plays), on=["game_id", "team"], how="left")
    for part in (_count_penalties(plays), _count_fumbles(plays), _count_kicks(plays)):
        by_game = by_game.join(part, on=["game_id", "team"], how="left")
    by_game = by_game.fill_null(0)
    opponents = by_game.select("game_id", pl.col("team").alias("other"), *STAT_NAMES)
    both = by_game.join(opponents, on=["game_id", "other"], suffix="_against")
    sums = (
        both.group_by("team")
        .agg(
            pl.len().alias("games"),
            pl.col("win").sum(),
            *(pl.col(key).sum() for key in STAT_NAMES),
            *(pl.col(f"{key}_against").sum() for key in STAT_NAMES),
        )
        .sort("team")
    )
    games, wins = {}, {}
    counts: dict[tuple[str, str], Mapping[str, float]] = {}
    for row in sums.iter_rows(named=True):
        team = row["team"]
        games[team], wins[team] = int(row["games"]), float(row["win"])
        counts[team, FOR] = {key: float(row[key]) for key in STAT_NAMES}
        counts[team, AGAINST] = {key: float(row[f"{key}_against"]) for key in STAT_NAMES}
    return SeasonStats(str(plays["season"][0]), games, wins, counts)


def _count_results(plays: pl.DataFrame) -> pl.DataFrame:
    """Return two rows a game: team, opponent, points and win."""
    import polars as pl

    results = plays.group_by("game_id", maintain_order=True).agg(
        pl.col(key).first() for key in ("home_team", "away_team", "home_score", "away_score")
    )
    sides = []
    for own, other in (("home", "away"), ("away", "home")):
        margin = pl.col(f"{own}_score") - pl.col(f"{other}_score")
        sides.append(
            results.select(
                "game_id",
                team=pl.col(f"{own}_team"),
                other=pl.col(f"{other}_team"),
                points=pl.col(f"{own}_score"),
                win=(margin > 0).cast(pl.Float64) + 0.5 * (margin == 0).cast(pl.Float64),
            )
        )
    return pl.concat(sides)


def _count_offense(plays: pl.DataFrame) -> pl.DataFrame:
    """Count what the team in possession did, excluding tries."""
    import polars as pl

    def kind(*names: str) -> pl.Expr:
        return pl.col("play_type").is_in(list(names))

    def flag(name: str) -> pl.Expr:
        return pl.col(name) == 1

    not_try = flag("two_point_attempt").not_()
    rush = not_try & flag("rush_attempt") & kind("run", "qb_kneel")
    sack = not_try & flag("sack") & kind("pass")
    attempt = not_try & flag("pass_attempt") & flag("sack").not_() & kind("pass", "qb_spike")
    snap = not_try & kind("run", "pass", "qb_kneel", "qb_spike")
    yards = pl.col("yards_gained").fill_null(0)
    field_goal_try = kind("field_goal")
    own_score = pl.col("td_team") == pl.col("posteam")
    counted = {
        "plays": rush | sack | attempt,
        "first_downs": flag("first_down"),
        "third_downs": snap & (flag("third_down_converted") | flag("third_down_failed")),
        "third_downs_made": snap & flag("third_down_converted"),
        "fourth_downs": snap & (flag("fourth_down_converted") | flag("fourth_down_failed")),
        "fourth_downs_made": snap & flag("fourth_down_converted"),
        "rushes": rush,
        "passes": attempt,
        "completions": attempt & flag("complete_pass"),
        "interceptions": attempt & flag("interception"),
        "sacked": sack,
        "field_goals": field_goal_try & (pl.col("field_goal_result") == "made"),
        "field_goals_tried": field_goal_try,
        "extra_points": pl.col("extra_point_result") == "good",
        "extra_points_tried": kind("extra_point") & flag("extra_point_attempt"),
        "two_points": flag("two_point_attempt") & (pl.col("two_point_conv_result") == "success"),
        "two_points_tried": flag("two_point_attempt") & kind("run", "pass"),
        "safeties": flag("safety") & own_score.not_(),
        "punts": kind("punt"),
    }
    summed = {
        "rushing_yards": (rush, yards),
        "passing_yards": (attempt & flag("complete_pass"), yards),
        "sack_yards": (sack, yards),
        "yards": (rush | sack | attempt, yards),
        "punt_yards": (kind("punt"), pl.col("kick_distance").fill_null(0)),
    }
    totals = plays.group_by("game_id", pl.col("posteam").alias("team")).agg(
        *(when.fill_null(False).sum().alias(name) for name, when in counted.items()),
        *(
            pl.when(when.fill_null(False)).then(amount).otherwise(0).sum().alias(name)
            for name, (when, amount) in summed.items()
        ),
    )
    scored = plays.filter(flag("touchdown") & pl.col("td_team").is_not_null())
    touchdowns = scored.group_by("game_id", pl.col("td_team").alias("team")).agg(
        pl.len().alias("touchdowns")
    )
    return totals.join(touchdowns, on=["game_id", "team"], how="full", coalesce=True)


def _count_penalties(plays: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    return (
        plays.filter((pl.col("penalty") == 1) & pl.col("penalty_team").is_not_null())
        .group_by("game_id", pl.col("penalty_team").alias("team"))
        .agg(pl.len().alias("penalties"), pl.col("penalty_yards").sum())
    )


def _count_fumbles(plays: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    lost = (pl.col("fumble_recovery_1_team") != pl.col("fumbled_1_team")).fill_null(False)
    return (
        plays.filter(pl.col("fumbled_1_team").is_not_null() & lost & (pl.col("fumble_lost") == 1))
        .group_by("game_id", pl.col("fumbled_1_team").alias("team"))
        .agg(pl.len().alias("fumbles_lost"))
    )


def _count_kicks(plays: pl.DataFrame) -> pl.DataFrame:
    """Count kickoffs for the kicking team and returns for the returning team."""
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
    onside = pl.col("desc").fill_null("").str.contains("(?i)onside")  # recovered, not returned
    returned = (dead == 0) & pl.col("return_yards").is_not_null() & ~(kickoff & onside)
    kicks = (
        plays.filter(kickoff)
        .group_by("game_id", pl.col("defteam").alias("team"))
        .agg(pl.len().alias("kickoffs"))
    )
    for name, kind, team in (("kick", kickoff, "posteam"), ("punt", punt, "defteam")):
        returns = (
            plays.filter(kind & returned)
            .group_by("game_id", pl.col(team).alias("team"))
            .agg(
                pl.len().alias(f"{name}_returns"),
                pl.col("return_yards").sum().alias(f"{name}_return_yards"),
            )
        )
        kicks = kicks.join(returns, on=["game_id", "team"], how="full", coalesce=True)
    return kicks
