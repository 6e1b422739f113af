"""Chart lookups of the rules: cells, sets of rows, and the Priority Chart."""

from __future__ import annotations

from hashmark.engine.effects import emit, look_up
from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.cells import cell_of, is_number, is_out, kind_of, number_of
from hashmark.games.data_driven.charts.layout import LONG_COLUMNS, ROW_SETS, SHORT_COLUMNS
from hashmark.games.data_driven.dice import DEFENSE_DICE, OFFENSE_DICE
from hashmark.games.data_driven.position import Match, Position

LONG_COLUMN_COUNT = len(LONG_COLUMNS)
SHORT_COLUMN_COUNT = len(SHORT_COLUMNS)
ROW_SET_COUNT = len(ROW_SETS)
PRIORITY_COLUMN_COUNT = len(t.PRIORITY_COLUMNS)
ACTION_COUNT = len(t.ACTIONS)
BREAKAWAY_ROW = t.PRIORITY_ROWS.index("B")
ROW_OF_KIND = Grid("row of the Priority Chart", t.ROW_OF_KIND)
COLUMN_OF_KIND = Grid("column of the Priority Chart", t.COLUMN_OF_KIND)


@rule
def roll_long(m: Match, g: Position, team: int, column: int) -> int:
    """R1: Roll the offense dice for a team on its column; return the cell."""
    first = (team * LONG_COLUMN_COUNT + column) * c.LONG_SIZE
    return look_up(g, OFFENSE_DICE, m.long_cells, first, team)


@rule
def roll_short(m: Match, g: Position, team: int, column: int) -> int:
    """R2: Roll the defense dice for a team on its column; return the cell."""
    first = (team * SHORT_COLUMN_COUNT + column) * c.SHORT_SIZE
    return look_up(g, DEFENSE_DICE, m.short_cells, first, team)


@rule
def kind_of_set(m: Match, team: int, which: int) -> int:
    """Return which of its two kinds a set of rows is; 0 if the team has no such chart."""
    return m.set_kinds[team * ROW_SET_COUNT + which]


@rule
def roll_set(m: Match, g: Position, team: int, which: int) -> bool:
    """Roll the offense dice for a team on its set of rows; return whether the row is in it."""
    first = (team * ROW_SET_COUNT + which) * c.LONG_SIZE
    return look_up(g, OFFENSE_DICE, m.row_sets, first, team) == 1


@rule
def without_parentheses(cell: int) -> int:
    """Return the result that counts: `(#)` becomes yards and `(TD)` a touchdown."""
    if kind_of(cell) == c.PAREN:
        return cell_of(c.NUMBER, number_of(cell))
    if kind_of(cell) == c.PAREN_TD:
        return cell_of(c.TD, 0)
    return cell


@rule
def priority_row(offense: int, breakaway: bool) -> int:
    """R9: Return the row of the Priority Chart for the offense's result."""
    row = ROW_OF_KIND[kind_of(offense)]
    if breakaway and is_number(offense):
        row = BREAKAWAY_ROW
    return row


@rule
def priority_action(m: Match, row: int, defense: int) -> int:
    """R9: Return the action of the Priority Chart in a row for the defense's result."""
    return m.priority[row * PRIORITY_COLUMN_COUNT + COLUMN_OF_KIND[kind_of(defense)]]


@rule
def apply_priority_chart(
    m: Match, g: Position, team: int, offense: int, defense: int, breakaway: bool
) -> int:
    """R9, R10: Read both cells against each other; the offense's is this team's."""
    row = priority_row(offense, breakaway)
    action = priority_action(m, row, defense)
    emit(g, e.MEETS, team, offense, defense, row * ACTION_COUNT + action)
    return apply_action(action, offense, defense)


@rule
def priority_result(m: Match, offense: int, defense: int, breakaway: bool) -> int:
    """Return the result that counts of two, by the Priority Chart."""
    return apply_action(
        priority_action(m, priority_row(offense, breakaway), defense),
        offense,
        defense,
    )


@rule
def apply_action(action: int, offense: int, defense: int) -> int:
    """R13 to R17, R20: Return the outcome of two results by an action of the Priority Chart."""
    if action == t.ADD:
        kind = c.NUMBER_OUT if is_out(offense) else c.NUMBER
        return cell_of(kind, number_of(offense) + number_of(defense))
    if action == t.DEF:
        return without_parentheses(defense)
    if action == t.INCOMPLETE:
        return cell_of(c.INC, 0)
    if action == t.SHORTER:
        return cell_of(kind_of(offense), min(number_of(offense), number_of(defense)))
    if action == t.FUMBLE_AT_DEFENSE:
        return cell_of(c.FUMBLE, number_of(defense))
    return without_parentheses(offense)
