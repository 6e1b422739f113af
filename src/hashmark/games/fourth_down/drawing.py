"""Drawing of the printed tables of 4th Down!, with the cells that the last rolls hit."""

from __future__ import annotations

from hashmark.engine.drawings import Chart, ChartCell, ChartRow, Drawing, DrawnDie, Poster
from hashmark.engine.game import Game, Turn
from hashmark.engine.record import HOME
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.tables import ATTEMPT_DIE, DRIVE_DIE, KICK_DIE
from hashmark.games.fourth_down.words import list_tables

DRIVE, ATTEMPTS = range(2)  # indices of the printed tables
ATTEMPT_COLUMNS = {ATTEMPT_DIE: 0, KICK_DIE: 1}


def drawing(game: Game, viewer: int) -> Drawing:
    """Return the tables that the last turn was read on, and the one for the next call."""
    hits = _hits(game.turns[-1]) if game.turns else set()
    shown = {table for table, _, _ in hits} | _next_tables(game.position)
    charts = [_chart(table, hits) for table in sorted(shown)]
    return Drawing("Tables", charts)


def _next_tables(g: p.Position) -> set[int]:
    """Return the tables that the next call will be read on."""
    if g.phase == p.DRIVE:
        return {DRIVE}
    return {ATTEMPTS} if g.phase in (p.FOURTH_DOWN, p.UNTIMED_DOWN) else set()


def _hits(turn: Turn) -> set[tuple[int, int, int]]:
    """Return the table, row and column of each roll of a turn."""
    hits = set()
    for roll in turn.rolls:
        if roll.pool is DRIVE_DIE:
            hits.add((DRIVE, roll.outcome, turn.call - p.BALANCED))
        elif roll.pool in ATTEMPT_COLUMNS:
            hits.add((ATTEMPTS, roll.outcome, ATTEMPT_COLUMNS[roll.pool]))
    return hits


def _chart(table: int, hits: set[tuple[int, int, int]]) -> Chart:
    title, headings, rows = list_tables()[table]
    chart_rows = [
        ChartRow(
            row[0],
            [
                ChartCell(text, mark="hit" if (table, int(row[0]), index) in hits else "")
                for index, text in enumerate(row[1:])
            ],
        )
        for row in rows
    ]
    return Chart(title, headings, chart_rows)


# Shown in the lobby.
POSTER = Poster(
    (
        "A full game in 15 minutes: every drive is one roll of a 20-sided die.",
        "Choose a style, safe and slow or quick and risky, and look up the yards and the time.",
        "Then the decision that gives the game its name: on 4th down, kick, punt or go for it.",
    ),
    dice=(DrawnDie("d20", 17, team=HOME),),
)
