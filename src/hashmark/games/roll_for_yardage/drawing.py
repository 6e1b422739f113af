"""Drawing of the last rows of the score sheet of Roll For Yardage!."""

from __future__ import annotations

from hashmark.engine.drawings import Chart, ChartCell, ChartRow, Drawing, DrawnDie, Poster
from hashmark.engine.game import Game
from hashmark.engine.record import AWAY, HOME
from hashmark.engine.team_names import short_names
from hashmark.games.roll_for_yardage.rows import SheetRow, build_rows
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
    note = "Rolls: the team with the ball first. The arrow shows the half of the field."
    return Drawing("Score sheet", [Chart("Last plays", HEADINGS, chart_rows, note=note)])


def _chart_row(row: SheetRow, team: str, is_last: bool) -> ChartRow:
    texts = (
        team,
        row.cells()["type"],
        row.down_text,
        spot_with_arrow(row.team, row.spot),
        row.kick,
        row.rolls,
        row.yards,
        row.cells()["result"],
    )
    return ChartRow(str(row.play), [ChartCell(text) for text in texts], is_last)


# Shown in the lobby.
POSTER = Poster(
    (
        "Both teams roll two dice on every play; the difference is the gain or the loss.",
        "Sixes roll again, odd against even doubles the offense's total, and snake eyes are a "
        "disaster for the team that rolls them.",
        "The dice run the play; you decide when to kick and when to go for it.",
    ),
    dice=(
        DrawnDie("d6", 6, team=HOME),
        DrawnDie("d6", 4, team=HOME),
        DrawnDie("d6", 3, team=AWAY),
        DrawnDie("d6", 2, team=AWAY),
    ),
)
