"""Results of a play and its flags, computed by the rules themselves.

`scrimmage.resolve` plays out a result of the Priority Chart, including trapped passers, containment
and recoveries, and every possible outcome is enumerated. Gains are resolved at the own 1 and losses
at the opponents' 1, so that no goal line interferes: the outcome holds for every spot on the field.
Home field (`apply_home_field`) and then the short field (`apply_short_field`) are applied to it
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from hashmark.engine.record import HOME
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.cells import is_number, kind_of, number_of
from hashmark.games.data_driven.charts.layout import CHAINS
from hashmark.games.data_driven.downs import set_first_down
from hashmark.games.data_driven.home_field import crowd_counts
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.scrimmage import resolve_result
from hashmark.games.data_driven.short_field import (
    OPEN_FIELD,
    chart_situation,
    is_checked,
    is_measured,
    shortened_gain,
)
from hashmark.games.data_driven.verdict import enforce, judge_def_5x, judge_def_15
from hashmark.league.data.arrays import Floats
from hashmark.odds.enumeration import DicePath, enumerate_outcomes

MIN_YARDS, MAX_YARDS = -99, 110  # yards from the line of scrimmage
YARDS = range(MIN_YARDS, MAX_YARDS + 1)
YARD_COUNT = len(YARDS)
# Kinds of results with yards: run or catch, interception, fumble lost, scramble, otherwise kept.
GAIN, INTERCEPTED, FUMBLE_LOST, SCRAMBLE, OTHERWISE_KEPT = range(5)
INCOMPLETE_INDEX = 5 * YARD_COUNT
RESULT_COUNT = 5 * YARD_COUNT + 1
# Spots with the whole field ahead of the offense, and behind it.
OWN_ONE_SPOT, OPPONENTS_ONE_SPOT = 1, 99
# Cells with probabilities of the short-field charts.
ShortFieldCharts = tuple[tuple[tuple[int, float], ...], ...]
CrowdChances = tuple[float, float]  # E3: probabilities that a gain is a yard longer, and shorter


class FieldSituation(NamedTuple):
    """Down, distance and spot on the field."""

    down: int
    to_go: int
    spot: int


def result_index(kind: int, yards: int) -> int:
    """Return the index of a result with yards in a table of results."""
    return kind * YARD_COUNT + min(max(yards, MIN_YARDS), MAX_YARDS) - MIN_YARDS


def snapped_position(team: int, spot: int) -> Any:
    """Return a position of this team after the snap; no rule about a single play applies to it."""
    g = p.Position()
    g.phase, g.possession, g.holder, g.play = p.SCRIMMAGE, team, team, t.SHORT_PASS
    set_first_down(g, spot)
    return g


# --- Results -----------------------------------------------------------------------------


ResultChance = tuple[int, float]  # index in the table of results, probability


def enumerate_results(m: Match, offense: int, cell: int) -> Sequence[ResultChance]:
    """Return every outcome of a result that counts, without short field and home field.

    Yards, touchdowns, incomplete passes and interceptions do not depend on a team's charts: they
    are resolved once for all matches.
    """
    if m.short_field or m.home_field or not (is_number(cell) or kind_of(cell) in CHARTLESS_KINDS):
        return list(_resolve_results(m, offense, cell))
    key = (offense, cell, m.goal_line_deduction)
    if key not in _result_cache:
        _result_cache[key] = list(_resolve_results(m, offense, cell))
    return _result_cache[key]


CHARTLESS_KINDS = (c.TD, c.INC, c.INT)
_result_cache: dict[tuple[int, int, int], Sequence[ResultChance]] = {}


def _resolve_results(m: Match, offense: int, cell: int) -> Iterator[ResultChance]:
    for spot in (OWN_ONE_SPOT, OPPONENTS_ONE_SPOT):
        g = snapped_position(offense, spot)
        for chance, after, _ in enumerate_outcomes(
            RULES, g, lambda position: resolve_result(m, position, cell)
        ):
            kind, yards = _classify(after, spot, cell)
            if (yards > 0) == (spot == OWN_ONE_SPOT):
                incomplete = after.result == p.ENDS_INCOMPLETE
                yield INCOMPLETE_INDEX if incomplete else result_index(kind, yards), float(chance)


def _classify(g: Position, spot: int, cell: int) -> tuple[int, int]:
    """Return the kind of result and its distance from the line of scrimmage.

    A scramble that is fumbled and recovered counts as a scramble, so E1, which does not apply to
    fumbles, is applied to it. That is one play in some thousands.
    """
    if g.way == p.INTERCEPTED:
        picked = 0 if g.result == p.ENDS_TOUCHDOWN else 100 - g.start
        return INTERCEPTED, picked - spot
    if g.holder != g.possession:
        return FUMBLE_LOST, g.gain
    if is_number(cell) or kind_of(cell) == c.TD:
        return GAIN, g.gain
    return SCRAMBLE if g.way == p.SCRAMBLED else OTHERWISE_KEPT, g.gain


# --- Home field and the short field --------------------------------------------------------


def apply_home_field(crowd: CrowdChances, situation: FieldSituation, base_values: Floats) -> Floats:
    """E3: return the values of gains after the crowd yard, given the values without it."""
    if not any(crowd):
        return base_values
    g = snapped_position(HOME, situation.spot)
    values = base_values.copy()
    for yards in YARDS:
        if crowd_counts(g, yards):
            index = yards - MIN_YARDS
            for yard, chance in zip((1, -1), crowd, strict=True):
                values[index] += chance * (base_values[index + yard] - base_values[index])
    return values


def apply_short_field(
    charts: ShortFieldCharts,
    way: int,
    here: FieldSituation,
    base_values: Floats,
    incomplete_value: float,
) -> Floats:
    """E1, E2: return the values of gains after the short field.

    `base_values` has the values without it. The rules say which gains are checked and how much of
    them remains.
    """
    if not charts:
        return base_values
    g = snapped_position(HOME, here.spot)
    g.down, g.to_go, g.way = here.down, here.to_go, way
    values = base_values.copy()
    zone, column = chart_situation(g), int(way == p.COMPLETED)
    if is_measured(g, g.to_go):
        index = g.to_go - MIN_YARDS
        chains = charts[2 * CHAINS + column]
        values[index] = sum(share * base_values[index + number_of(cell)] for cell, share in chains)
    if zone == OPEN_FIELD:
        return values
    whole = values.copy()  # gains that are not cut are measured
    for yards in YARDS:
        if is_checked(g, yards):
            values[yards - MIN_YARDS] = sum(
                share
                * (
                    incomplete_value
                    if kind_of(cell) == c.INC
                    else _shortened_value(base_values, whole, g, yards, cell)
                )
                for cell, share in charts[2 * zone + column]
            )
    return values


def _shortened_value(cut: Floats, whole: Floats, g: Position, yards: int, cell: int) -> float:
    remaining = shortened_gain(g, yards, cell)
    return float((cut if remaining < yards else whole)[max(remaining, MIN_YARDS) - MIN_YARDS])


# --- Flags -------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def situation_after_foul(foul: int, down: int, to_go: int, spot: int) -> FieldSituation:
    """R73 to R75: return the situation after a foul is walked off from the line of scrimmage."""
    g = snapped_position(HOME, spot)
    g.handler = DicePath(RULES)
    g.down, g.to_go = down, to_go
    enforce(g, foul)
    return FieldSituation(g.down, g.to_go, g.spot)


FOUL_RULES = {p.DEF_15: judge_def_15, p.DEF_5X: judge_def_5x}


@lru_cache(maxsize=1024)
def first_down_spots_after_foul(foul: int, play: int, spot: int) -> tuple[int, ...]:
    """R83, R84: return the spot of the first down after a foul without a choice.

    The first entry is for a turnover or a safety, the others for a play that ended on each yard
    line.
    """
    return (
        _first_down_spot(foul, play, spot, p.ENDS_SAFETY, 0),
        *(_first_down_spot(foul, play, spot, p.ENDS_DOWN, yard) for yard in range(1, 100)),
    )


def _first_down_spot(foul: int, play: int, spot: int, result: int, end_spot: int) -> int:
    g = snapped_position(HOME, spot)
    g.handler = DicePath(RULES)
    g.play, g.foul, g.result, g.at = play, foul, result, end_spot
    FOUL_RULES[foul](g)
    return int(g.spot)
