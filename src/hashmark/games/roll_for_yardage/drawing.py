"""Drawing of the last rows of the score sheet of Roll For Yardage!."""

from __future__ import annotations

from hashmark.engine.drawings import Chart, ChartCell, ChartRow, Drawing
from hashmark.engine.game import Game
from hashmark.engine.team_names import short_names
from hashmark.games.roll_for_yardage.rows import SheetRow as SheetRow
from hashmark.games.roll_for_yardage.rows import build_rows
from hashmark.games.roll_for_yardage.sheet import spot_with_arrow

SHOWN_PLAYS = 6
HEADINGS = ("play", "team", "type", "down", "spot", "kick", "rolls", "yards", "result")


def drawing(game: Game, viewer: int) -> Drawing | None:
    """Return the rows of the last plays, newest at the bottom; None before the first play."""
    sheet_rows = build_rows(game)[-SHOWN_PLAYS:]
    if not sheet_rows:
        return None
    last = len(sheet_rows) - 1
    names = short_names(game.names)
    chart_rows = [
        _chart_row(row, names[row.team], index == last) for index, row in enumerate(sheet_rows)
    ]
    note = "Rolls: the team with the ball first. An arrow points to the half of the field."
    return Drawing("Score sheet", [Chart("The last plays", HEADINGS, chart_rows, note=note)])


def _chart_row(row: SheetRow, team: str, is_last: bool) -> ChartRow:
    texts = (
        team,
        row.cells()["type"],
        row.down,
        spot_with_arrow(row.team, row.spot),
        row.kick,
        row.rolls,
        row.yards,
        row.cells()["result"],
    )
    return ChartRow(str(row.play), [ChartCell(text) for text in texts], is_last)
