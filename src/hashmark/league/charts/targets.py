"""What the charts have to come to: the results of every team's columns against average opponents.

`adjusted` takes the opponents out and draws rare events towards the league; `faithful` takes
the season as it was. Rates are per call: a dropback that ended in a sack or scramble belongs
to a pass column too, more often to a deep one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import PASSES, PLAYS
from hashmark.league.charts import effects, gains, scores, tallies
from hashmark.league.charts.effects import Effects
from hashmark.league.charts.formations import DEFENCE_PART, INC, INT, QT, F
from hashmark.league.charts.overlay import Rates
from hashmark.league.charts.tallies import PASS, RUN, Array, Side
from hashmark.league.facts import columns as k

FAITHFUL, ADJUSTED = "faithful", "adjusted"
MODES = (ADJUSTED, FAITHFUL)
# How often a passer is trapped on each pass play, relative to each other.
TRAPPED_ON = dict(zip(PASSES, (0.4, 0.7, 1.1, 1.5, 1.0), strict=True))
GAIN_PRIOR = {FAITHFUL: 1.0, ADJUSTED: 60.0}  # plays that the league's shape of gains counts
# The part of a team's unexplained points that its gains make up for (`scores.py`).
SCORE_PART = {FAITHFUL: 0.0, ADJUSTED: 0.5}
# Part of the league's rates that the other side's charts bring already: no team's own can be
# lower. A rate below (a handful of passes without an interception) is raised to it.
EVENTS = {"int": INT, "f": F, "qt": QT, "inc": INC}
ROOM = 1.05
LEAST_OPEN = 30  # attempts of a column in the open field, for its league rates to be made of them
# What the game makes of the charts' rates on the way to a box score, and therefore what the
# charts must have more or less of. Measured on simulated seasons from 2006 to 2025, much the same
# in all: accepted flags wipe out turnovers and sacks rather than gains, and runs near the goal
# line gain less than the product-limit estimate says.
AFTER_RULES = {"int": 1.02, "f": 1.14, "qt": 1.01, "inc": 1.01}
YARDS_AFTER_RULES = np.array([1.015, 1.02, 1.03, 1.03, 1.025, 1.025, 1.025, 1.025, 1.025])


@dataclass(frozen=True)
class Targets:
    """One side's results: rates [team, column], gains, and how often each column is called."""

    rates: Rates
    gains: Array  # [team, column, yard or TD]
    calls: Array  # [team, column]
    trapped: Array  # [team]: QT per dropback
    sacked: Array  # [team]: sacks per QT

    @property
    def yards(self) -> Array:
        """[team, column]: expected yards of a gain."""
        return gains.mean(self.gains)


@dataclass(frozen=True)
class Aims:
    """Both sides and the league, the latter as one team."""

    offence: Targets
    defence: Targets
    league: Targets
    ratios: dict[str, float]


def aims(
    frame: pl.DataFrame,
    open_plays: pl.DataFrame,
    teams: list[str],
    mode: str,
    points: tuple[Array, Array],
) -> tuple[Aims, Side, Side]:
    """The targets of a season, and the counts that they come from.

    The league's completions and gains are those of the `open_plays` of the frame; how much harder
    they come elsewhere is not in a team's charts (`short_field.py`). `points` are those a game for
    and against, by team.
    """
    own, theirs = (tallies.side(frame, teams, by) for by in ("team", "against"))
    whole = own.league()
    free = _enough(tallies.side(open_plays, teams, "team").league(), whole)
    found = _all_effects(frame, teams, mode)
    shape = gains.product_limit(free.gains, free.scores)
    shape = gains.tilt(shape, gains.mean(shape) * YARDS_AFTER_RULES)
    league = _league(whole, free, shape)
    offence = _side(own, whole, found, shape, mode, defence=False)
    defence = _side(theirs, whole, found, shape, mode, defence=True)
    ratios = {name: one.ratio for name, one in found.items()}
    given = {name: ROOM * DEFENCE_PART[event] for name, event in EVENTS.items()}
    taken = {name: ROOM * (1 - DEFENCE_PART[event]) for name, event in EVENTS.items()}
    sides = _levelled(offence, league, given), _levelled(defence, league, taken)
    worth = [scores.features(side.rates, side.yards, side.calls) for side in sides]
    part = SCORE_PART[mode]
    sides = (
        _scaled(sides[0], league, scores.factors(points[0], worth[0], worth[1], part)),
        _scaled(sides[1], league, scores.factors(points[1], worth[1], worth[0], part)),
    )
    return Aims(*sides, league, ratios), own, theirs


def _enough(free: Side, whole: Side) -> Side:
    """The plays of the open field; of a column that has hardly any, all plays."""
    few = (free.attempts < LEAST_OPEN)[:, :, None]
    names = ("results", "gains", "scores")
    return replace(
        free,
        **{name: np.where(few, getattr(whole, name), getattr(free, name)) for name in names},
    )


# --- Effects -------------------------------------------------------------------------

USUAL_OF = {"run fumble": "fumble", "catch fumble": "fumble"}


def _all_effects(frame: pl.DataFrame, teams: list[str], mode: str) -> dict[str, Effects]:
    result = pl.col("result")
    run = pl.col("column").is_in(PLAYS[:4])
    thrown = pl.col("column").is_in(PASSES)
    caught = result.is_in([k.GAIN, k.FUMBLE])
    trapped = result.is_in([k.SACK, k.SCRAMBLE])
    yards = pl.col("yards").cast(pl.Float64)

    def flag(when: pl.Expr) -> pl.Expr:
        return when.cast(pl.Float64)

    what = {
        "run yards": (run & (result == k.GAIN), yards, 4),
        "run fumble": (run, flag(result == k.FUMBLE), 4),
        "completion yards": (thrown & (result == k.GAIN), yards, 5),
        "completion": (thrown, flag(caught), 5),
        "interception": (thrown, flag(result == k.PICKED), 5),
        "catch fumble": (thrown & caught, flag(result == k.FUMBLE), 5),
        "trapped": (thrown | trapped, flag(trapped), 1),
        "sack": (trapped, flag(result == k.SACK), 1),
    }
    found = {}
    for name, (rows, value, columns) in what.items():
        sums = _sums(frame.filter(rows), value, teams, columns)
        if mode == FAITHFUL:
            found[name] = effects.raw(sums, len(teams), columns)
        else:
            usual = USUAL_OF.get(name, name)
            found[name] = effects.estimate(sums, len(teams), columns, usual)
    return found


def _sums(rows: pl.DataFrame, value: pl.Expr, teams: list[str], columns: int) -> pl.DataFrame:
    number = {team: at for at, team in enumerate(teams)}
    first = {4: 0, 5: 4}.get(columns, 0)
    column = (
        pl.lit(0)
        if columns == 1
        else pl.col("column").replace_strict(k.COLUMN_NUMBER, return_dtype=pl.Int64) - first
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
            t=pl.col("team").replace_strict(number, return_dtype=pl.Int64),
            u=pl.col("against").replace_strict(number, return_dtype=pl.Int64),
        )
        .sort("t", "u", "c", "home")
    )


# --- One side ------------------------------------------------------------------------


def trapped_rates(attempts: Array, rate: Array) -> Array:
    """QT per call [team, pass column] whose use-weighted rate per dropback is the one given."""
    relative = np.array([TRAPPED_ON[play] for play in PASSES])
    low, high = np.zeros(len(rate)), np.full(len(rate), 0.6)
    for _ in range(50):
        scale = (low + high) / 2
        each = np.minimum(scale[:, None] * relative, 0.95)
        calls = attempts / (1 - each)
        total = np.maximum(calls.sum(1), 1e-9)
        above = (calls * each).sum(1) / total > rate
        high, low = np.where(above, scale, high), np.where(above, low, scale)
    return np.asarray(each)


def _league(whole: Side, free: Side, shape: Array) -> Targets:
    nothing = np.zeros((1, 5))
    run = whole.results[:, RUN]
    thrown, results = whole.attempts[:, PASS], whole.results[:, PASS]
    held = free.results[:, PASS][:, :, [k.GAIN, k.FUMBLE]].sum(axis=2)
    caught = held / np.maximum(free.attempts[:, PASS], 1e-9)
    return _targets(
        side=whole,
        aborted=_aborted(whole),
        run_fumble=run[:, :, k.FUMBLE] / whole.attempts[:, RUN],
        caught=caught,
        picked=results[:, :, k.PICKED] / thrown,
        dropped=results[:, :, k.FUMBLE] / np.maximum(caught * thrown, 1e-9) + nothing,
        trapped=whole.trapped / whole.dropbacks,
        sacked=whole.sacks.sum(1) / np.maximum(whole.trapped, 1e-9),
        gains=shape,
        more=AFTER_RULES,
    )


def _side(
    side: Side, whole: Side, found: dict[str, Effects], shape: Array, mode: str, defence: bool
) -> Targets:
    def rate(name: str) -> Array:
        one = found[name]
        added = one.defence if defence else one.offence
        return np.asarray(np.maximum(one.mean + added, 0.0))

    def shift(name: str) -> Array:
        one = found[name]
        return one.defence if defence else one.offence

    wanted = gains.mean(shape) + np.concatenate([shift("run yards"), shift("completion yards")], 1)
    distribution = gains.product_limit(side.gains, side.scores, shape, GAIN_PRIOR[mode])
    if mode == ADJUSTED:
        distribution = gains.tilt(distribution, wanted)
    return _targets(
        side=side,
        aborted=np.full(len(side.sacks), _aborted(whole)[0]),
        run_fumble=rate("run fumble"),
        caught=np.minimum(rate("completion"), 0.98),
        picked=rate("interception"),
        dropped=rate("catch fumble"),
        trapped=rate("trapped")[:, 0],
        sacked=np.clip(rate("sack")[:, 0], 0.02, 0.98),
        gains=distribution,
    )


def _aborted(whole: Side) -> Array:
    """The league's bad snaps, as a part of all calls of runs."""
    runs = whole.attempts[:, RUN].sum(1)
    return np.asarray(whole.aborted / (runs + whole.aborted))


def _targets(
    side: Side,
    aborted: Array,
    run_fumble: Array,
    caught: Array,
    picked: Array,
    dropped: Array,
    trapped: Array,
    sacked: Array,
    gains: Array,
    more: Mapping[str, float] | None = None,
) -> Targets:
    """Rates per attempt made rates per call, some of them a little more."""
    more = more or dict.fromkeys(EVENTS, 1.0)
    picked, dropped, run_fumble = picked * more["int"], dropped * more["f"], run_fumble * more["f"]
    trapped, caught = trapped * more["qt"], 1 - (1 - caught) * more["inc"]
    attempts = np.maximum(side.attempts, 1e-6)
    each = trapped_rates(attempts[:, PASS], trapped)
    thrown = 1 - each
    caught = np.minimum(caught, 1 - picked)
    kept = 1 - aborted[:, None]
    nothing = np.zeros_like(attempts[:, RUN])
    return Targets(
        rates=Rates(
            int=np.concatenate([nothing, picked * thrown], 1),
            f=np.concatenate([run_fumble * kept + aborted[:, None], caught * dropped * thrown], 1),
            qt=np.concatenate([nothing, each], 1),
            inc=np.concatenate([nothing, (1 - caught - picked) * thrown], 1),
        ),
        gains=gains,
        calls=np.concatenate([attempts[:, RUN] / kept, attempts[:, PASS] / thrown], 1),
        trapped=trapped,
        sacked=sacked,
    )


def _levelled(side: Targets, league: Targets, least: dict[str, float]) -> Targets:
    """The same with the league's rates kept: what all teams together do is what was done."""
    calls = side.calls / side.calls.sum(0)

    def level(name: str) -> Array:
        own, whole = getattr(side.rates, name), getattr(league.rates, name)[0]
        for _ in range(20):
            own = np.maximum(own, least[name] * whole)
            together = (calls * own).sum(0)
            own = own * np.where(together > 0, whole / np.maximum(together, 1e-9), 1.0)
        return np.asarray(own)

    rates = Rates(*(level(name) for name in EVENTS))
    shaped = _level_yards(side.gains, gains.mean(side.gains), calls * rates.gain, league)
    trapped = (side.calls * rates.qt).sum(1)
    sacked = side.sacked * float(league.sacked[0] * trapped.sum() / (trapped * side.sacked).sum())
    return Targets(rates, shaped, side.calls, side.trapped, np.minimum(sacked, 0.98))


def _level_yards(shape: Array, yards: Array, held: Array, league: Targets) -> Array:
    """Gains with the means given, all of them moved so that the league's mean is kept."""
    together = (held * yards).sum(0) / held.sum(0)
    return gains.tilt(shape, yards * (gains.mean(league.gains)[0] / together))


def _scaled(side: Targets, league: Targets, factors: Array) -> Targets:
    """The same with every team's gains multiplied."""
    held = side.calls / side.calls.sum(0) * side.rates.gain
    shaped = _level_yards(side.gains, side.yards * factors[:, None], held, league)
    return replace(side, gains=shaped)
