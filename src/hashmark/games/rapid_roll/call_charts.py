"""Printed charts of the calls that a team may make now: a column for each, a row for each sum."""

from __future__ import annotations

from hashmark.engine.drawings import Chart, ChartCell, ChartRow, Drawing
from hashmark.engine.game import Game
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.scrimmage import CALL_COLUMN, is_shaded
from hashmark.games.rapid_roll.tables import (
    CELLS,
    COLUMNS,
    NO_COLUMN,
    PUNT,
    SHORT_PUNT,
    SHORT_PUNT_MIN_SPOT,
    SUMS,
)
from hashmark.number_text import percent

WAYS = 36  # of two dice to fall
NOTE = (
    "The percentage is the chance of the sum. Cells in parentheses, long, loss and scramble need "
    "another number from the clock line."
)
SHADED_NOTE = " Special cells are shaded here: incomplete, no gain, or a gain of 9."


def call_charts(game: Game) -> Drawing | None:
    """Return the columns that the legal plays are read on; None where no play is called."""
    g = game.position
    columns = _columns(game)
    if not columns:
        return None
    shaded = {
        (column, total)
        for column in columns
        for total in SUMS
        if column < len(game.match.shading) and is_shaded(game.match, g, column, total)
    }
    rows = [
        ChartRow(
            f"{total} ({percent(_ways(total) / WAYS)})",
            [
                ChartCell(
                    CELLS[COLUMNS[column]][total - SUMS[0]],
                    mark="shaded" if (column, total) in shaded else "",
                )
                for column in columns
            ],
        )
        for total in SUMS
    ]
    headings = ["sum", *(COLUMNS[column].replace("-", " ") for column in columns)]
    note = NOTE + (SHADED_NOTE if shaded else "")
    chart = Chart("The calls of this play", headings, rows, note=note)
    return Drawing("Charts of the calls", [chart])


def _columns(game: Game) -> list[int]:
    """Return the chart columns of the legal plays, in the order of the calls."""
    if not game.wants_call:
        return []
    plays = [call for call in game.legal_calls() if call < len(p.PLAY_CALLS)]
    columns = dict.fromkeys(int(CALL_COLUMN[call]) for call in plays)
    if PUNT in columns and game.position.spot >= SHORT_PUNT_MIN_SPOT:
        columns = dict.fromkeys(SHORT_PUNT if column == PUNT else column for column in columns)
    return [column for column in columns if column != NO_COLUMN]


def _ways(total: int) -> int:
    """Return in how many ways two dice show a sum."""
    return 6 - abs(7 - total)
