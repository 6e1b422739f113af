"""Supplemental charts: adjustments of single teams relative to the league, and quotas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.layout import PENALTY_SETS
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS
from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.charts import quantize
from hashmark.league.charts.chart_file_text import format_rows
from hashmark.league.charts.kicking import round_to_mean, shrink
from hashmark.league.charts.penalties import DEF_5, DEF_5X, DEF_15, PI, PenaltyCounts
from hashmark.league.charts.tallies import YARDS, SideTallies, count_by_team
from hashmark.league.data.arrays import Floats

FLAG_PRIOR_SNAPS, RECOVERY_PRIOR_FUMBLES, SCRAMBLE_PRIOR_PLAYS = 550.0, 600.0, 60.0
KIND_OF_PENALTY_SET = dict(zip(PENALTY_SETS, (DEF_5, DEF_5X, DEF_15, PI), strict=True))

RowIndices = list[int]


@dataclass(frozen=True)
class AdjustmentRows:
    """A set of rows of one of two kinds."""

    kind: str
    rows: RowIndices

    def values(self) -> dict[str, str]:
        """Return the values of a chart file."""
        return {"kind": self.kind, "rows": format_rows(self.rows)}


def build_penalty_rows(flags: PenaltyCounts, faithful: bool) -> list[dict[str, AdjustmentRows]]:
    """Return for each defense the rows that commit or cancel each kind of penalty."""
    rows_by_team: list[dict[str, AdjustmentRows]] = [{} for _ in flags.snaps_against]
    k = 0.0 if faithful else FLAG_PRIOR_SNAPS
    for name, kind in KIND_OF_PENALTY_SET.items():
        against = flags.snaps_against * (flags.pass_share if kind == PI else 1.0)
        rates = shrink(flags.defense[:, kind], against, k)
        league = float(flags.defense[:, kind].sum() / max(against.sum(), 1e-9))
        for team, rate in enumerate(rates):
            if rate > league:
                adjusted = AdjustmentRows(
                    "commit", _free_rows(rows_by_team[team], float(rate) - league)
                )
            else:
                rows = quantize.rows_for_rate(1 - float(rate) / max(league, 1e-9))
                adjusted = AdjustmentRows("cancel", rows)
            if adjusted.rows:
                rows_by_team[team][name] = adjusted
    return rows_by_team


def _free_rows(taken: dict[str, AdjustmentRows], rate: float) -> RowIndices:
    """Return rows for a rate, excluding rows that already commit another penalty."""
    used = {row for rows in taken.values() if rows.kind == "commit" for row in rows.rows}
    return quantize.nearest_rows(
        [row for row in range(quantize.ROW_COUNT) if row not in used], 216 * rate
    )


def build_sack_rows(rate: float, league: float) -> AdjustmentRows | None:
    """R25: return rows that turn scrambles into sacks, or sacks into scrambles."""
    return _adjustment(rate, league, "SCK", "QR")


def _adjustment(rate: float, league: float, more: str, fewer: str) -> AdjustmentRows | None:
    """Return the rows that raise or lower the league's rate of an event to this one."""
    if rate == league:
        return None
    share = (rate - league) / (1 - league) if rate > league else 1 - rate / league
    rows = quantize.rows_for_rate(share)
    return AdjustmentRows(more if rate > league else fewer, rows) if rows else None


def build_recovery_rows(kept: Floats, number: Floats, faithful: bool) -> list[RowIndices]:
    """Return the rows on which each team recovers its own fumbles."""
    rates = shrink(kept, number, 0.0 if faithful else RECOVERY_PRIOR_FUMBLES)
    league = float(kept.sum() / max(number.sum(), 1e-9))
    return [
        quantize.rows_for_rate(float(rate) if own_fumbles + (not faithful) > 0 else league)
        for rate, own_fumbles in zip(rates, number, strict=True)
    ]


def build_recovery_adjustments(
    kept: Floats, number: Floats, faithful: bool
) -> list[AdjustmentRows | None]:
    """Return the rows on which each defense takes or gives back a fumble."""
    rates = shrink(kept, number, 0.0 if faithful else RECOVERY_PRIOR_FUMBLES)
    league = float(kept.sum() / max(number.sum(), 1e-9))
    return [_adjustment(float(rate), league, "NG", "G") for rate in rates]


def count_fumbles(plays: pl.DataFrame, teams: list[str]) -> tuple[Floats, Floats, Floats, Floats]:
    """Count fumbles kept and total, by the fumbling team; and the same by its opponent."""
    other = pl.when(pl.col("fumbled_1_team") == pl.col("home_team")).then(pl.col("away_team"))
    rows = plays.filter((pl.col("fumble") == 1) & pl.col("fumbled_1_team").is_not_null()).select(
        team=pl.col("fumbled_1_team"),
        other=other.otherwise(pl.col("home_team")),
        kept=pl.col("fumble_recovery_1_team").is_null()
        | (pl.col("fumble_recovery_1_team") == pl.col("fumbled_1_team")),
    )
    kept = rows.filter("kept")
    return (
        count_by_team(kept, "team", teams),
        count_by_team(rows, "team", teams),
        count_by_team(kept, "other", teams),
        count_by_team(rows, "other", teams),
    )


def build_containment(theirs: SideTallies, faithful: bool) -> list[list[int]]:
    """Build QR charts: five rows whose mean is the deviation of scramble yards allowed."""
    counts = theirs.scrambles.sum(1)
    total = theirs.scrambles @ YARDS
    rates = shrink(total, counts, 0.0 if faithful else SCRAMBLE_PRIOR_PLAYS)
    league = float(total.sum() / max(counts.sum(), 1e-9))
    deviations = np.where(counts > 0, rates - league, 0.0).tolist()
    return [
        [c.cell_of(c.NUMBER, number) for number in round_to_mean(DEFENSE_WEIGHTS, deviation)]
        for deviation in deviations
    ]


# --- Quotas --------------------------------------------------------------------------


def quantile_per_game(
    rows: pl.DataFrame, team: str, teams: list[str], games: pl.DataFrame, quantile: float
) -> list[int]:
    """Return a quantile of rows per game (1: the maximum), games with none included."""
    counts = games.join(
        rows.group_by("game_id", team).len("n"),
        left_on=["game_id", "team"],
        right_on=["game_id", team],
        how="left",
    ).with_columns(pl.col("n").fill_null(0))
    quantiles = dict(
        counts.group_by("team").agg(pl.col("n").quantile(quantile, "higher")).iter_rows()
    )
    return [int(quantiles.get(code, 0)) for code in teams]


def build_quotas(
    plays: pl.DataFrame, frame: pl.DataFrame, teams: list[str]
) -> tuple[list[int], list[list[int]], list[list[int]]]:
    """Return by team: hurry-ups a game, most calls of each play, audibles and home field."""
    games = team_games(plays)
    is_late = (pl.col("half_seconds_remaining") <= 120) & (
        (pl.col("qtr") == 2) | (pl.col("score_differential") <= 0)
    )
    hurried = plays.filter(
        pl.col("play_type").is_in(["run", "pass"]) & ((pl.col("no_huddle") == 1) | is_late)
    )
    by_play = [
        quantile_per_game(frame.filter(pl.col("column") == play), "team", teams, games, 1.0)
        for play in PLAYS
    ]
    usage = [[max(most[at], 1) for most in by_play] for at in range(len(teams))]
    offense = points_per_drive(plays, "posteam", teams)
    defense = -points_per_drive(plays, "defteam", teams)
    ratings = rate_home_field(plays, teams, offense, defense)
    return quantile_per_game(hurried, "posteam", teams, games, 0.9), usage, ratings


def points_per_drive(plays: pl.DataFrame, team: str, teams: list[str]) -> Floats:
    """Return points per drive of the team in possession, by offense or defense."""
    own_touchdown = (pl.col("touchdown") == 1) & pl.col("td_team").eq_missing(pl.col("posteam"))
    field_goal = (pl.col("field_goal_result") == "made").fill_null(False)
    totals = plays.group_by(team).agg(
        points=7 * own_touchdown.sum() + 3 * field_goal.sum(),
        drives=pl.struct("game_id", "fixed_drive").n_unique(),
    )
    rates = dict(totals.select(team, pl.col("points") / pl.col("drives")).iter_rows())
    return np.array([float(rates.get(code, 0.0)) for code in teams])


def team_games(plays: pl.DataFrame) -> pl.DataFrame:
    """Return every game of every team: game_id, team."""
    games = plays.select("game_id", "home_team", "away_team").unique(maintain_order=True)
    return pl.concat(
        [
            games.select("game_id", team=pl.col("home_team")),
            games.select("game_id", team=pl.col("away_team")),
        ]
    )


def rate_home_field(
    plays: pl.DataFrame, teams: list[str], offense: Floats, defense: Floats
) -> list[list[int]]:
    """Return audibles by quartile of strength, and home and road ratings by wins of eight."""
    games = plays.select("game_id", "home_team", "away_team", "home_score", "away_score").unique(
        maintain_order=True
    )
    ratings = []
    for index, team in enumerate(teams):
        home = games.filter(pl.col("home_team") == team)
        away = games.filter(pl.col("away_team") == team)
        home_wins = home.filter(pl.col("home_score") > pl.col("away_score")).height
        road_wins = away.filter(pl.col("away_score") > pl.col("home_score")).height
        home_rating, road_rating = (
            _scale_to_eight(home_wins, home.height),
            _scale_to_eight(road_wins, away.height),
        )
        hfa = 3 if home_rating >= 7 else 2 if home_rating == 6 else 1 if home_rating == 5 else 0
        road = 2 if road_rating >= 7 else 1 if road_rating == 6 else 0
        ratings.append(
            [_strength_quartile(offense, index), _strength_quartile(defense, index), hfa, road]
        )
    return ratings


def _scale_to_eight(won: int, games: int) -> int:
    return int(np.floor(8 * won / games + 0.5)) if games else 0


def _strength_quartile(strength: Floats, team: int) -> int:
    """Return 3 for the best quarter of the league, 0 for the last."""
    better = int((strength > strength[team]).sum())
    return 3 - min(4 * better // len(strength), 3)
