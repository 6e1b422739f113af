"""The last rows of the score sheet of Roll For Yardage!, as they are being written."""

from __future__ import annotations

from hashmark.games.roll_for_yardage.rows import Row as Written
from hashmark.games.roll_for_yardage.rows import rows
from hashmark.games.roll_for_yardage.sheet import spot_with_arrow
from hashmark.table.drawings import Cell, Chart, Drawing, Row
from hashmark.table.game import Game
from hashmark.table.names import SHORT_NAMES

SHOWN = 6
HEADINGS = ("play", "team", "type", "down", "spot", "kick", "rolls", "yards", "result")


def drawing(game: Game, viewer: int) -> Drawing | None:
    """The rows of the last plays, the newest at the bottom; nothing before the first one."""
    written = rows(game)[-SHOWN:]
    if not written:
        return None
    last = len(written) - 1
    lines = [_line(row, at == last) for at, row in enumerate(written)]
    note = "Rolls: the team with the ball first. An arrow points to the half of the field."
    return Drawing("Score sheet", [Chart("The last plays", HEADINGS, lines, note=note)])


def _line(row: Written, last: bool) -> Row:
    texts = (
        SHORT_NAMES[row.team],
        row.cells()["type"],
        row.down,
        spot_with_arrow(row.team, row.spot),
        row.kick,
        row.rolls,
        row.yards,
        row.cells()["result"],
    )
    return Row(str(row.play), [Cell(text) for text in texts], last)
