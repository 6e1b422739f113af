"""The printed tables of 4th Down! with the cells that the last roll has hit."""

from __future__ import annotations

from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.tables import ATTEMPT_DIE, DRIVE_DIE, KICK_DIE
from hashmark.games.fourth_down.words import tables
from hashmark.table.drawings import Cell, Chart, Drawing, Row
from hashmark.table.game import Game, Turn

DRIVE, ATTEMPTS = range(2)  # of the printed tables
ATTEMPT_COLUMNS = {ATTEMPT_DIE: 0, KICK_DIE: 1}


def drawing(game: Game, viewer: int) -> Drawing:
    """The table that was last read, and the one that the next call will be read on."""
    hits = _hits(game.turns[-1]) if game.turns else set()
    wanted = {table for table, _, _ in hits} | _to_be_read(game.position)
    charts = [_chart(table, hits) for table in sorted(wanted)]
    return Drawing("Tables", charts)


def _to_be_read(g: p.Position) -> set[int]:
    if g.phase == p.DRIVE:
        return {DRIVE}
    return {ATTEMPTS} if g.phase in (p.FOURTH_DOWN, p.UNTIMED_DOWN) else set()


def _hits(turn: Turn) -> set[tuple[int, int, int]]:
    """What the rolls of a turn were looked up in: table, row and column."""
    found = set()
    for roll in turn.rolls:
        if roll.pool is DRIVE_DIE:
            found.add((DRIVE, roll.outcome, turn.call - p.BALANCED))
        elif roll.pool in ATTEMPT_COLUMNS:
            found.add((ATTEMPTS, roll.outcome, ATTEMPT_COLUMNS[roll.pool]))
    return found


def _chart(table: int, hits: set[tuple[int, int, int]]) -> Chart:
    title, headings, rows = tables()[table]
    drawn = [
        Row(
            row[0],
            [
                Cell(text, mark="hit" if (table, int(row[0]), at) in hits else "")
                for at, text in enumerate(row[1:])
            ],
        )
        for row in rows
    ]
    return Chart(title, headings, drawn)
