"""Roll of the offense dice on a column, and where the result leads."""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import is_penalty
from hashmark.games.data_driven.charts.lookups import roll_long
from hashmark.games.data_driven.kicks import (
    field_goal,
    flag_on_field_goal,
    flag_on_kickoff,
    flag_on_punt,
    kick_off,
    punt,
)
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.returns import end_kick_return, end_return, flag_on_return
from hashmark.games.data_driven.scrimmage import continue_play, flag_on_play
from hashmark.games.data_driven.tables import PLAYS


@rule
def roll_column(m: Match, g: Position) -> None:
    """R1, R69: Roll on a column for the holder; a yellow box is a flag, all else a result."""
    column = g.rolls_on
    g.rolls_on = -1
    cell = roll_long(m, g, g.holder, column)
    if is_penalty(cell):
        apply_flag(m, g, column, cell)
    else:
        apply_result(m, g, column, cell)


@rule
def apply_flag(m: Match, g: Position, column: int, cell: int) -> None:
    """Apply a foul, by the chart that shows it."""
    if column < len(PLAYS):
        flag_on_play(m, g, cell)
    elif column == layout.KICKOFF:
        flag_on_kickoff(g, cell)
    elif column == layout.PUNT:
        flag_on_punt(m, g, cell)
    elif column == layout.FIELD_GOAL:
        flag_on_field_goal(m, g, cell)
    else:
        flag_on_return(m, g, column, cell)


@rule
def apply_result(m: Match, g: Position, column: int, cell: int) -> None:
    """Apply a result, by the chart that shows it."""
    if column < len(PLAYS):
        continue_play(m, g, cell)
    elif column == layout.KICKOFF:
        kick_off(g, cell)
    elif column == layout.PUNT:
        punt(m, g, cell)
    elif column == layout.FIELD_GOAL:
        field_goal(m, g, cell)
    elif column == layout.KICK_RETURN or column == layout.SQUIB_RETURN:
        end_kick_return(m, g, cell, layout.KICK_COVERAGE)
    elif column == layout.PUNT_RETURN:
        end_kick_return(m, g, cell, layout.PUNT_COVERAGE)
    else:
        end_return(m, g, cell)
