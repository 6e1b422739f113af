"""Returns of kicks, interceptions and recovered fumbles (R36 to R38, R45, R52, R58)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import is_number, kind_of, number_of
from hashmark.games.data_driven.charts.lookups import (
    apply_priority_chart,
    priority_result,
    roll_short,
)
from hashmark.games.data_driven.ending import end_play, roll_again, roll_on
from hashmark.games.data_driven.fumbles import fumble
from hashmark.games.data_driven.penalties import foul_of, note_on_return
from hashmark.games.data_driven.position import Match, Position


@rule
def flag_on_return(m: Match, g: Position, column: int, cell: int) -> None:
    """R53, R62: Note a foul on a return and let the holder roll again."""
    if note_on_return(m, g, foul_of(cell)):
        roll_again(g, column)


@rule
def end_return(m: Match, g: Position, cell: int) -> None:
    """R37, R38, R42: End the return; R12 of the notes covers momentum and touchbacks."""
    kind = kind_of(cell)
    spot = g.start + number_of(cell)
    if kind == c.FUMBLE:
        fumble(m, g, spot)
    elif kind == c.TD or (is_number(cell) and spot >= 100):
        emit(g, e.RETURNS_TO_SCORE, g.holder)
        end_play(g, p.ENDS_TOUCHDOWN, g.holder, 100)
    elif spot > 0:
        emit(g, e.RETURNS, g.holder, spot - g.start, spot)
        end_play(g, p.ENDS_DOWN, g.holder, spot)
    elif g.start > 0:
        emit(g, e.RETURNS, g.holder, 0, g.start)
        end_play(g, p.ENDS_DOWN, g.holder, g.start)
    else:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)


@rule
def record_return(g: Position, cell: int) -> None:
    """Record the yards of a kick return for the statistics: as far as the ball comes."""
    g.returned = min(number_of(cell), 100 - g.start)
    if kind_of(cell) == c.TD:
        g.returned = 100 - g.start
    elif kind_of(cell) != c.FUMBLE and g.start + g.returned <= 0:
        g.returned = 0


@rule
def end_kick_return(m: Match, g: Position, cell: int, coverage: int) -> None:
    """R52, R58: Apply coverage roll and Priority Chart; a fair catch is not covered."""
    if kind_of(cell) == c.FAIR_CATCH:
        emit(g, e.FAIR_CATCH, g.holder, g.start)
        end_play(g, p.ENDS_DOWN, g.holder, g.start)
        return
    if g.play != p.PLAY_SQUIB or m.squib_coverage:
        against = roll_short(m, g, 1 - g.holder, coverage)
        cell = apply_priority_chart(m, g, g.holder, cell, against, False)
    else:
        cell = priority_result(m, cell, c.BLANK, False)
    record_return(g, cell)
    end_return(m, g, cell)


@rule
def return_fumble(g: Position, call: int) -> None:
    """R45: Return the recovered ball, or fall on it."""
    if call == p.RETURN:
        roll_on(g, layout.FUMBLE_RETURN)
    else:
        emit(g, e.FALLS_ON_IT, g.holder)
        end_play(g, p.ENDS_DOWN, g.holder, g.start)
