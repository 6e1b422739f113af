"""Correlations of simulated and real yards per play: the table of docs/explanation/how-true.md.

    python tools/yards_against.py FOLDER [SEASON]...

For every shipped season, or the given ones, whose play-by-play is in FOLDER, prints correlations
over the 32 teams of the yards per play that a defense allowed (and that an offense gained):

    halves      real odd weeks with real even weeks
    ceiling     what that implies for a whole season: the square root of its reliability
                (Spearman-Brown); a team's true strength correlates no better with the real figure
    drawn       real with the chart targets before points are given back: adjusted for opponents
                and shrunk to the league mean
    meant       real with the chart targets after that
    charts      the chart targets with the exact values of the charts on the dice
    simulated   real with 40 simulated seasons
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import files
from hashmark.league.charts import fidelity, formations, score_adjustment, short_field, targets
from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.league.data import chart_columns, play_by_play, real_stats
from hashmark.league.data.arrays import Floats
from hashmark.league.plans import formation_mix
from hashmark.league.validation.verify import correlation, verify

RUNS = 40
SIDES = {real_stats.AGAINST: "defteam", real_stats.FOR: "posteam"}
HEAD = ("season", "yards", "halves", "ceiling", "drawn", "meant", "charts", "simulated")


def correlate_halves(plays: pl.DataFrame, by: str, teams: list[str]) -> float:
    """Return the correlation of odd weeks with even weeks."""
    snaps = plays.filter(
        pl.col("play_type").is_in(["run", "pass"])
        & (pl.col("down") > 0)
        & (pl.col("two_point_attempt") == 0)
    )
    parts = []
    for odd in (1, 0):
        half = snaps.filter(pl.col("week") % 2 == odd)
        means = dict(half.group_by(by).agg(pl.col("yards_gained").mean()).iter_rows())
        parts.append(np.array([float(means[team]) for team in teams]))
    return correlation(parts[0], parts[1])


def ceiling(half_correlation: float) -> float:
    """Return the reliability of a whole season as a correlation with a team's true strength."""
    reliability = 2 * half_correlation / (1 + half_correlation)
    return float(np.sqrt(max(0.0, reliability)))


def compute_targets(plays: pl.DataFrame, teams: list[str], share: float) -> targets.SeasonTargets:
    """Return the chart targets with this share of the unexplained points given back."""
    frame = chart_columns.assign_columns(plays).frame
    original = dict(targets.SCORE_SHARE)
    targets.SCORE_SHARE[targets.ADJUSTED] = share
    points = score_adjustment.points_per_game(plays, teams)
    open_field = short_field.open_field_plays(frame)
    aims, _, _ = targets.build_targets(frame, open_field, teams, targets.ADJUSTED, points)
    targets.SCORE_SHARE.update(original)
    return aims


def yards_per_call(side: targets.SideTargets) -> Floats:
    """Return the yards per call by team."""
    share = side.calls / side.calls.sum(1, keepdims=True)
    return np.asarray((share * score_adjustment.yards_per_call(side.rates, side.yards)).sum(1))


def yards_on_dice(
    season: int, plays: pl.DataFrame, teams: list[str], aims: targets.SeasonTargets
) -> dict[str, Floats]:
    """Return the same for the shipped charts, over every pair of cells."""
    file = files.load(str(season))
    keys = [f"{team}-{season}" for team in teams]
    column_sets = [file.team(key).columns for key in keys]
    mix = formations.normalize_mix(formation_mix.mix_by_column(short_field.open_field_plays(plays)))
    lines = {
        real_stats.FOR: fidelity.measure_offenses(keys, column_sets, mix, aims),
        real_stats.AGAINST: fidelity.measure_defenses(keys, column_sets, mix, aims),
    }
    by_side = {}
    for side, all_lines in lines.items():
        by_team = [[line for line in all_lines if line.team == key] for key in keys]
        by_side[side] = np.array(
            [
                sum(
                    line.calls
                    * (
                        line.actual.yards
                        + score_adjustment.TRAPPED_YARDS * line.actual.events["QT"]
                    )
                    for line in team_lines
                )
                / sum(line.calls for line in team_lines)
                for team_lines in by_team
            ]
        )
    return by_side


def season_correlations(season: int, folder: Path) -> dict[str, list[float]]:
    """Return the correlations of a season by side."""
    plays = play_by_play.select_plays(
        play_by_play.load(play_by_play.find_season_file(season, folder), season)
    )
    teams = play_by_play.team_codes(plays)
    drawn_aims, final_aims = (
        compute_targets(plays, teams, 0.0),
        compute_targets(plays, teams, targets.SCORE_SHARE[targets.ADJUSTED]),
    )
    dice = yards_on_dice(season, plays, teams, final_aims)
    verification = verify(season, RUNS)
    by_side = {}
    for side, by in SIDES.items():
        compared = verification.compared["yards_per_play", side]
        order = [compared.teams.index(team) for team in teams]
        real_yards, simulated_yards = compared.real[order], compared.simulated[order]
        before, after = (
            yards_per_call(aims.defense if side == real_stats.AGAINST else aims.offense)
            for aims in (drawn_aims, final_aims)
        )
        half_correlation = correlate_halves(plays, by, teams)
        by_side[side] = [
            half_correlation,
            ceiling(half_correlation),
            correlation(real_yards, before),
            correlation(real_yards, after),
            correlation(after, dice[side]),
            correlation(real_yards, simulated_yards),
        ]
    return by_side


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    folder, *seasons = sys.argv[1:]
    print("  ".join(f"{word:>9}" for word in HEAD))
    all_rows = []
    for season in [int(item) for item in seasons] or SEASONS:
        for side, figures in season_correlations(season, Path(folder)).items():
            all_rows.append((side, figures))
            print(_format_row(str(season), side, figures), flush=True)
    for side in SIDES:
        means = np.mean([figures for item, figures in all_rows if item == side], axis=0)
        means[1] = ceiling(float(means[0]))
        print(_format_row("all", side, means.tolist()))


def _format_row(season: str, side: str, figures: list[float]) -> str:
    return "  ".join([f"{season:>9}", f"{side:>9}", *(f"{figure:9.2f}" for figure in figures)])


if __name__ == "__main__":
    main()
