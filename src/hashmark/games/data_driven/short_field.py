"""E1 and E2, our extension of the rules: play near the goal line and near the line to gain.

A chart knows neither field position nor distance. With the option `short_field`, gains near the
goal line, and on third and fourth down near the line to gain, are checked once more (E1), and a
gain that ends exactly at the line to gain is measured (E2): the defense rolls offense dice on a
chart of the league (`short-field`). The option is off by default; seasons and what-ifs turn it on.
"""

from __future__ import annotations

from hashmark.engine.effects import look_up
from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.cells import kind_of, number_of
from hashmark.games.data_driven.charts.layout import (
    CHAINS,
    GOAL_2,
    GOAL_5,
    GOAL_30,
    LINE_2,
    LINE_6,
    LINE_10,
)
from hashmark.games.data_driven.dice import OFFENSE_DICE
from hashmark.games.data_driven.position import Match, Position

OPEN_FIELD = -1
# Spots where the short field, its five-yard zones, and its last two yards begin.
SHORT_FIELD_FROM, FIVE_YARD_ZONES_FROM, LAST_TWO_YARDS_FROM = 70, 80, 98


@rule
def is_short_yardage(g: Position) -> bool:
    """Return whether it is 3rd or 4th down with 10 or less to a line short of the goal line."""
    return g.down >= 3 and g.to_go <= 10 and g.spot + g.to_go < 100


@rule
def chart_situation(g: Position) -> int:
    """Return which chart is rolled on: by distance to gain, else by distance to the goal."""
    if is_short_yardage(g):
        if g.to_go <= 2:
            return LINE_2
        return LINE_6 if g.to_go <= 6 else LINE_10
    if g.spot >= LAST_TWO_YARDS_FROM:
        return GOAL_2
    if g.spot >= FIVE_YARD_ZONES_FROM:
        return GOAL_5 + (99 - g.spot) // 5
    return GOAL_30 if g.spot >= SHORT_FIELD_FROM else OPEN_FIELD


@rule
def line_to_reach(g: Position) -> int:
    """Return the yards to the line to gain in short yardage, else to the goal line."""
    return g.to_go if is_short_yardage(g) else 100 - g.spot


@rule
def is_checked(g: Position, gain: int) -> bool:
    """Return whether E1 applies: catches and conversions in short yardage, near the goal all."""
    if is_short_yardage(g):
        return g.way == p.COMPLETED or gain >= g.to_go
    return g.spot >= SHORT_FIELD_FROM


@rule
def is_measured(g: Position, gain: int) -> bool:
    """E2: Return whether a gain ends exactly at the line to gain on a down E1 does not cover."""
    in_field = g.down > 0 and g.spot + g.to_go < 100
    return in_field and gain == g.to_go and not is_short_yardage(g)


@rule
def roll_stop(m: Match, g: Position, where: int) -> int:
    """Roll offense dice for the defense on a situation's chart, by kind of play."""
    first = (2 * where + int(g.way == p.COMPLETED)) * c.LONG_SIZE
    return look_up(g, OFFENSE_DICE, m.short_field_cells, first, 1 - g.possession)


@rule
def roll_short_field(m: Match, g: Position, gain: int) -> int:
    """E1: Return the cell for a gain; a white box if nothing is rolled."""
    if not m.short_field or not is_checked(g, gain):
        return c.BLANK
    return roll_stop(m, g, chart_situation(g))


@rule
def roll_chains(m: Match, g: Position, gain: int) -> int:
    """E2: Return the cell of a measurement; a white box if there is none."""
    if not m.short_field or not is_measured(g, gain):
        return c.BLANK
    return roll_stop(m, g, CHAINS)


@rule
def shortened_gain(g: Position, gain: int, cell: int) -> int:
    """E1: Return the gain; a number stops a conversion short, `(#)` caps any other gain."""
    line = line_to_reach(g)
    if gain >= line:
        return line + number_of(cell) if number_of(cell) < 0 else gain
    return min(gain, number_of(cell)) if kind_of(cell) == c.PAREN else gain
