"""Why simulated yards a play do not follow the real ones closer: the table of docs/how-true.md.

    python tools/yards_against.py FOLDER [SEASON]...

For every shipped season, or those given, whose play-by-play is in FOLDER, correlations over the
32 teams, of the yards a play that a defence gave up (and that an offence gained):

    halves      real odd weeks with real even weeks
    ceiling     what that makes of a whole season: the square root of its reliability
                (Spearman and Brown); a team's true strength follows the real figure no closer
    drawn       real, with what the charts are meant to be before points are given back: opponents
                taken out, drawn to the league
    meant       real, with what they are meant to be after that
    charts      what they are meant to be, with the charts as the dice have them, exactly
    simulated   real, with 40 simulated seasons
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import files
from hashmark.league.charts import fidelity, formations, scores, short_field, targets
from hashmark.league.charts.shipped import SEASONS
from hashmark.league.charts.tallies import Array
from hashmark.league.checks.verify import correlation, verify
from hashmark.league.facts import columns, pbp, real
from hashmark.league.plans import formation_mix

RUNS = 40
SIDES = {real.AGAINST: "defteam", real.FOR: "posteam"}
HEAD = ("season", "yards", "halves", "ceiling", "drawn", "meant", "charts", "simulated")


def halves(plays: pl.DataFrame, by: str, teams: list[str]) -> float:
    """Odd weeks with even weeks."""
    snaps = plays.filter(
        pl.col("play_type").is_in(["run", "pass"])
        & (pl.col("down") > 0)
        & (pl.col("two_point_attempt") == 0)
    )
    parts = []
    for odd in (1, 0):
        part = snaps.filter(pl.col("week") % 2 == odd)
        found = dict(part.group_by(by).agg(pl.col("yards_gained").mean()).iter_rows())
        parts.append(np.array([float(found[team]) for team in teams]))
    return correlation(parts[0], parts[1])


def ceiling(halves_agree: float) -> float:
    """The reliability of a whole season, as a correlation with what a team truly is."""
    whole = 2 * halves_agree / (1 + halves_agree)
    return float(np.sqrt(max(0.0, whole)))


def meant(plays: pl.DataFrame, teams: list[str], part: float) -> targets.Aims:
    """What the charts are to be, with this part of the unexplained points given back."""
    frame = columns.scrimmage(plays).frame
    usual = dict(targets.SCORE_PART)
    targets.SCORE_PART[targets.ADJUSTED] = part
    points = scores.per_game(plays, teams)
    open_field = short_field.in_the_open(frame)
    made, _, _ = targets.aims(frame, open_field, teams, targets.ADJUSTED, points)
    targets.SCORE_PART.update(usual)
    return made


def yards(side: targets.Targets) -> Array:
    """Yards a call, by team."""
    share = side.calls / side.calls.sum(1, keepdims=True)
    return np.asarray((share * scores.yards_of_calls(side.rates, side.yards)).sum(1))


def on_dice(
    season: int, plays: pl.DataFrame, teams: list[str], aims: targets.Aims
) -> dict[str, Array]:
    """The same of the shipped charts, every pair of cells laid over one another."""
    file = files.load(str(season))
    keys = [f"{team}-{season}" for team in teams]
    made = [file.team(key).columns for key in keys]
    mix = formations.mixes(formation_mix.by_column(short_field.in_the_open(plays)))
    lines = {
        real.FOR: fidelity.offence_lines(keys, made, mix, aims),
        real.AGAINST: fidelity.defence_lines(keys, made, mix, aims),
    }
    found = {}
    for side, all_lines in lines.items():
        own = [[line for line in all_lines if line.team == key] for key in keys]
        found[side] = np.array(
            [
                sum(
                    line.calls * (line.got.yards + scores.TRAPPED_YARDS * line.got.events["QT"])
                    for line in some
                )
                / sum(line.calls for line in some)
                for some in own
            ]
        )
    return found


def rows(season: int, folder: Path) -> dict[str, list[float]]:
    """The correlations of a season, by side."""
    plays = pbp.pick(pbp.load(pbp.find(season, folder), season))
    teams = pbp.teams(plays)
    drawn, whole = (
        meant(plays, teams, 0.0),
        meant(plays, teams, targets.SCORE_PART[targets.ADJUSTED]),
    )
    dice = on_dice(season, plays, teams, whole)
    played = verify(season, RUNS)
    made = {}
    for side, by in SIDES.items():
        compared = played.compared["yards_per_play", side]
        place = [compared.teams.index(team) for team in teams]
        truth, simulated = compared.real[place], compared.simulated[place]
        before, after = (
            yards(aims.defence if side == real.AGAINST else aims.offence) for aims in (drawn, whole)
        )
        agree = halves(plays, by, teams)
        made[side] = [
            agree,
            ceiling(agree),
            correlation(truth, before),
            correlation(truth, after),
            correlation(after, dice[side]),
            correlation(truth, simulated),
        ]
    return made


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    folder, *wanted = sys.argv[1:]
    print("  ".join(f"{word:>9}" for word in HEAD))
    found = []
    for season in [int(one) for one in wanted] or SEASONS:
        for side, figures in rows(season, Path(folder)).items():
            found.append((side, figures))
            print(_line(str(season), side, figures), flush=True)
    for side in SIDES:
        means = np.mean([figures for one, figures in found if one == side], axis=0)
        means[1] = ceiling(float(means[0]))
        print(_line("all", side, means.tolist()))


def _line(season: str, side: str, figures: list[float]) -> str:
    return "  ".join([f"{season:>9}", f"{side:>9}", *(f"{one:9.2f}" for one in figures)])


if __name__ == "__main__":
    main()
