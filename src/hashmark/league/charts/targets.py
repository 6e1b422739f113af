"""Chart targets: the results that every team's columns must yield against average opponents.

`adjusted` removes the effect of opponents and shrinks rare events to the league average;
`faithful` takes the season as it was. Rates are per call: a dropback that ended in a sack or
scramble also belongs to a pass column, more often to a deep one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import PASSES, PLAYS
from hashmark.league.charts import effects, score_adjustment, tallies
from hashmark.league.charts.effects import TeamEffects
from hashmark.league.charts.formations import DEFENSE_SHARE, INC, INT, QT, F
from hashmark.league.charts.gain_distributions import kaplan_meier, mean_gain, tilt_to_mean
from hashmark.league.charts.overlay import ResultRates
from hashmark.league.charts.tallies import PASS_COLUMNS, RUN_COLUMNS, SideTallies
from hashmark.league.data import chart_columns
from hashmark.league.data.arrays import Floats

FAITHFUL, ADJUSTED = "faithful", "adjusted"
MODES = (ADJUSTED, FAITHFUL)
# Weight of the league's distribution of gains, in plays.
GAIN_PRIOR_PLAYS = {FAITHFUL: 1.0, ADJUSTED: 60.0}
# Share of a team's unexplained points put into its gains (`score_adjustment.py`).
SCORE_SHARE = {FAITHFUL: 0.0, ADJUSTED: 0.5}
# The other side's charts contribute part of the league's rates, so no team can be below that floor.
# A lower rate (a handful of passes without an interception) is raised to it.
EVENTS = {"int": INT, "f": F, "qt": QT, "inc": INC}
RATE_FLOOR_MARGIN = 1.05
MIN_OPEN_ATTEMPTS = 30  # open-field attempts a column needs for league rates of its own
# Factors that offset the effect of the rules on box scores, measured on simulated seasons from 2006
# to 2025 and stable across them: accepted penalties nullify turnovers and sacks more often than
# gains, and runs near the goal line gain less than the Kaplan-Meier estimate.
RATE_FACTORS = {"int": 1.02, "f": 1.14, "qt": 1.01, "inc": 1.01}
GAIN_FACTORS = np.array([1.015, 1.02, 1.03, 1.03, 1.025, 1.025, 1.025, 1.025, 1.025])


@dataclass(frozen=True)
class SideTargets:
    """One side's results: rates [team, column], gains, and calls of each column."""

    rates: ResultRates
    gains: Floats  # [team, column, yard or TD]
    calls: Floats  # [team, column]
    trapped: Floats  # [team]: QT per dropback
    sacked: Floats  # [team]: sacks per QT

    @property
    def yards(self) -> Floats:
        """[team, column]: expected yards of a gain."""
        return mean_gain(self.gains)


@dataclass(frozen=True)
class SeasonTargets:
    """Targets of both sides and of the league, the latter as a single team."""

    offense: SideTargets
    defense: SideTargets
    league: SideTargets
    variance_ratios: dict[str, float]


def build_targets(
    frame: pl.DataFrame,
    open_plays: pl.DataFrame,
    teams: list[str],
    mode: str,
    points: tuple[Floats, Floats],
) -> tuple[SeasonTargets, SideTallies, SideTallies]:
    """Return the targets of a season, and the tallies they come from.

    The league's completions and gains are those of the `open_plays`; the difficulty elsewhere is
    not in a team's charts (`short_field.py`). `points` are points a game for and against, by team.
    """
    own, against = (tallies.count_side(frame, teams, by) for by in ("team", "against"))
    league_tallies = own.league()
    open_tallies = _replace_sparse(
        tallies.count_side(open_plays, teams, "team").league(), league_tallies
    )
    team_effects = _estimate_effects(frame, teams, mode)
    distribution = kaplan_meier(open_tallies.gains, open_tallies.scores)
    distribution = tilt_to_mean(distribution, mean_gain(distribution) * GAIN_FACTORS)
    league = _league_targets(league_tallies, open_tallies, distribution)
    ratios = {name: effect.variance_ratio for name, effect in team_effects.items()}
    sides = []
    for tally, is_defense in ((own, False), (against, True)):
        side = _side_targets(tally, league_tallies, team_effects, distribution, mode, is_defense)
        sides.append(_match_league_rates(side, league, _rate_floors(is_defense)))
    features = [
        score_adjustment.rate_features(side.rates, side.yards, side.calls) for side in sides
    ]
    factors = (
        score_adjustment.gain_factors(
            points[side], features[side], features[1 - side], SCORE_SHARE[mode]
        )
        for side in (0, 1)
    )
    offense, defense = map(_scale_gains, sides, (league, league), factors)
    return SeasonTargets(offense, defense, league, ratios), own, against


def _rate_floors(is_defense: bool) -> dict[str, float]:
    """Return the lowest rate of each event, relative to the league: what the other side adds."""
    return {
        name: RATE_FLOOR_MARGIN * (1 - DEFENSE_SHARE[event] if is_defense else DEFENSE_SHARE[event])
        for name, event in EVENTS.items()
    }


def _replace_sparse(open_tallies: SideTallies, all_tallies: SideTallies) -> SideTallies:
    """Return the open-field tallies; of a column with too few plays, those of all plays."""
    is_sparse = (open_tallies.attempts < MIN_OPEN_ATTEMPTS)[:, :, None]
    names = ("results", "gains", "scores")
    return replace(
        open_tallies,
        **{
            name: np.where(is_sparse, getattr(all_tallies, name), getattr(open_tallies, name))
            for name in names
        },
    )


# --- Effects -------------------------------------------------------------------------

USUAL_RATIO_MEASURE = {"run fumble": "fumble", "catch fumble": "fumble"}


def _estimate_effects(frame: pl.DataFrame, teams: list[str], mode: str) -> dict[str, TeamEffects]:
    result = pl.col("result")
    run = pl.col("column").is_in(PLAYS[:4])
    thrown = pl.col("column").is_in(PASSES)
    caught = result.is_in([chart_columns.GAIN, chart_columns.FUMBLE])
    trapped = result.is_in([chart_columns.SACK, chart_columns.SCRAMBLE])
    yards = pl.col("yards").cast(pl.Float64)

    def flag(when: pl.Expr) -> pl.Expr:
        return when.cast(pl.Float64)

    measures = {
        "run yards": (run & (result == chart_columns.GAIN), yards, 4),
        "run fumble": (run, flag(result == chart_columns.FUMBLE), 4),
        "completion yards": (thrown & (result == chart_columns.GAIN), yards, 5),
        "completion": (thrown, flag(caught), 5),
        "interception": (thrown, flag(result == chart_columns.INTERCEPTED), 5),
        "catch fumble": (thrown & caught, flag(result == chart_columns.FUMBLE), 5),
        "trapped": (thrown | trapped, flag(trapped), 1),
        "sack": (trapped, flag(result == chart_columns.SACK), 1),
    }
    estimated = {}
    for name, (condition, value, columns) in measures.items():
        sums = _sum_by_game(frame.filter(condition), value, teams, columns)
        if mode == FAITHFUL:
            estimated[name] = effects.raw_effects(sums, len(teams), columns)
        else:
            measure = USUAL_RATIO_MEASURE.get(name, name)
            estimated[name] = effects.estimate_effects(sums, len(teams), columns, measure)
    return estimated


def _sum_by_game(
    rows: pl.DataFrame, value: pl.Expr, teams: list[str], columns: int
) -> pl.DataFrame:
    team_index = {team: index for index, team in enumerate(teams)}
    first_column = {4: 0, 5: 4}.get(columns, 0)
    column = (
        pl.lit(0)
        if columns == 1
        else pl.col("column").replace_strict(chart_columns.COLUMN_INDEX, return_dtype=pl.Int64)
        - first_column
    )
    return (
        rows.with_columns(value=value, c=column)
        .group_by("team", "against", "c", "home", maintain_order=True)
        .agg(
            n=pl.col("weight").sum().round(9),
            y=(pl.col("weight") * pl.col("value")).sum().round(9),
            y2=(pl.col("weight") * pl.col("value") ** 2).sum().round(9),
        )
        .with_columns(
            t=pl.col("team").replace_strict(team_index, return_dtype=pl.Int64),
            u=pl.col("against").replace_strict(team_index, return_dtype=pl.Int64),
        )
        .sort("t", "u", "c", "home")
    )


# --- One side ------------------------------------------------------------------------


def trapped_rates(attempts: Floats, rate: Floats) -> Floats:
    """Return QT per call [team, pass column] that gives this rate per dropback overall."""
    relative = np.array([chart_columns.TRAPPED_WEIGHTS[play] for play in PASSES])
    low, high = np.zeros(len(rate)), np.full(len(rate), 0.6)
    for _ in range(50):
        scale = (low + high) / 2
        rates = np.minimum(scale[:, None] * relative, 0.95)
        calls = attempts / (1 - rates)
        total = np.maximum(calls.sum(1), 1e-9)
        above = (calls * rates).sum(1) / total > rate
        high, low = np.where(above, scale, high), np.where(above, low, scale)
    return np.asarray(rates)


def _league_targets(
    all_tallies: SideTallies, open_tallies: SideTallies, shape: Floats
) -> SideTargets:
    zeros = np.zeros((1, 5))
    run = all_tallies.results[:, RUN_COLUMNS]
    thrown, results = all_tallies.attempts[:, PASS_COLUMNS], all_tallies.results[:, PASS_COLUMNS]
    catches = open_tallies.results[:, PASS_COLUMNS][
        :, :, [chart_columns.GAIN, chart_columns.FUMBLE]
    ].sum(axis=2)
    caught = catches / np.maximum(open_tallies.attempts[:, PASS_COLUMNS], 1e-9)
    return _make_targets(
        side=all_tallies,
        aborted=_aborted_share(all_tallies),
        run_fumble=run[:, :, chart_columns.FUMBLE] / all_tallies.attempts[:, RUN_COLUMNS],
        caught=caught,
        picked=results[:, :, chart_columns.INTERCEPTED] / thrown,
        dropped=results[:, :, chart_columns.FUMBLE] / np.maximum(caught * thrown, 1e-9) + zeros,
        trapped=all_tallies.trapped / all_tallies.dropbacks,
        sacked=all_tallies.sacks.sum(1) / np.maximum(all_tallies.trapped, 1e-9),
        gains=shape,
        more=RATE_FACTORS,
    )


def _side_targets(
    side: SideTallies,
    league_tallies: SideTallies,
    team_effects: dict[str, TeamEffects],
    league_gains: Floats,
    mode: str,
    is_defense: bool,
) -> SideTargets:
    def shift(name: str) -> Floats:
        effect = team_effects[name]
        return effect.defense if is_defense else effect.offense

    def rate(name: str) -> Floats:
        return np.asarray(np.maximum(team_effects[name].mean + shift(name), 0.0))

    wanted = mean_gain(league_gains) + np.concatenate(
        [shift("run yards"), shift("completion yards")], 1
    )
    distribution = kaplan_meier(side.gains, side.scores, league_gains, GAIN_PRIOR_PLAYS[mode])
    if mode == ADJUSTED:
        distribution = tilt_to_mean(distribution, wanted)
    return _make_targets(
        side=side,
        aborted=np.full(len(side.sacks), _aborted_share(league_tallies)[0]),
        run_fumble=rate("run fumble"),
        caught=np.minimum(rate("completion"), 0.98),
        picked=rate("interception"),
        dropped=rate("catch fumble"),
        trapped=rate("trapped")[:, 0],
        sacked=np.clip(rate("sack")[:, 0], 0.02, 0.98),
        gains=distribution,
    )


def _aborted_share(whole: SideTallies) -> Floats:
    """Return the league's bad snaps as a share of all run calls."""
    runs = whole.attempts[:, RUN_COLUMNS].sum(1)
    return np.asarray(whole.aborted / (runs + whole.aborted))


def _make_targets(
    side: SideTallies,
    aborted: Floats,
    run_fumble: Floats,
    caught: Floats,
    picked: Floats,
    dropped: Floats,
    trapped: Floats,
    sacked: Floats,
    gains: Floats,
    more: Mapping[str, float] | None = None,
) -> SideTargets:
    """Convert rates per attempt into rates per call, with the factors of `more`."""
    more = more or dict.fromkeys(EVENTS, 1.0)
    picked, dropped, run_fumble = picked * more["int"], dropped * more["f"], run_fumble * more["f"]
    trapped, caught = trapped * more["qt"], 1 - (1 - caught) * more["inc"]
    attempts = np.maximum(side.attempts, 1e-6)
    trapped_each = trapped_rates(attempts[:, PASS_COLUMNS], trapped)
    thrown = 1 - trapped_each
    caught = np.minimum(caught, 1 - picked)
    clean_snap = 1 - aborted[:, None]
    zeros = np.zeros_like(attempts[:, RUN_COLUMNS])
    return SideTargets(
        rates=ResultRates(
            int=np.concatenate([zeros, picked * thrown], 1),
            f=np.concatenate(
                [run_fumble * clean_snap + aborted[:, None], caught * dropped * thrown], 1
            ),
            qt=np.concatenate([zeros, trapped_each], 1),
            inc=np.concatenate([zeros, (1 - caught - picked) * thrown], 1),
        ),
        gains=gains,
        calls=np.concatenate(
            [attempts[:, RUN_COLUMNS] / clean_snap, attempts[:, PASS_COLUMNS] / thrown], 1
        ),
        trapped=trapped,
        sacked=sacked,
    )


def _match_league_rates(
    side: SideTargets, league: SideTargets, least: dict[str, float]
) -> SideTargets:
    """Rescale a side so that all teams together have the league's rates."""
    calls = side.calls / side.calls.sum(0)

    def level(name: str) -> Floats:
        rates_by_team, league_rate = getattr(side.rates, name), getattr(league.rates, name)[0]
        for _ in range(20):
            rates_by_team = np.maximum(rates_by_team, least[name] * league_rate)
            combined = (calls * rates_by_team).sum(0)
            rates_by_team = rates_by_team * np.where(
                combined > 0, league_rate / np.maximum(combined, 1e-9), 1.0
            )
        return np.asarray(rates_by_team)

    rates = ResultRates(*(level(name) for name in EVENTS))
    tilted = _match_league_yards(side.gains, side.yards, calls * rates.gain, league)
    trapped = (side.calls * rates.qt).sum(1)
    sacked = side.sacked * float(league.sacked[0] * trapped.sum() / (trapped * side.sacked).sum())
    return SideTargets(rates, tilted, side.calls, side.trapped, np.minimum(sacked, 0.98))


def _match_league_yards(
    shape: Floats, yards: Floats, weights: Floats, league: SideTargets
) -> Floats:
    """Tilt gains to these means, rescaled to preserve the league mean."""
    combined = (weights * yards).sum(0) / weights.sum(0)
    return tilt_to_mean(shape, yards * (mean_gain(league.gains)[0] / combined))


def _scale_gains(side: SideTargets, league: SideTargets, factors: Floats) -> SideTargets:
    """Multiply every team's gains by its factor."""
    weights = side.calls / side.calls.sum(0) * side.rates.gain
    tilted = _match_league_yards(side.gains, side.yards * factors[:, None], weights, league)
    return replace(side, gains=tilted)
