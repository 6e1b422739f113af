"""Score sheets of Roll For Yardage!: one for each quarter, filled in or blank (R62 to R64, G42)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hashmark.engine.game import Game
from hashmark.engine.record import HOME, TEAMS
from hashmark.engine.team_names import short_names
from hashmark.games.roll_for_yardage.drives import possession_ending, split_possessions
from hashmark.games.roll_for_yardage.flow import period_plays
from hashmark.games.roll_for_yardage.rows import SheetRow, build_rows
from hashmark.games.roll_for_yardage.tables import LAST_QUARTER, REGULAR_OVERTIME_PLAYS
from hashmark.games.roll_for_yardage.words import period_name
from hashmark.sheets import shared_blocks
from hashmark.sheets.document import (
    NO_BREAK_SPACE,
    Arrow,
    Block,
    Box,
    Boxes,
    BoxRow,
    Cell,
    Column,
    Document,
    Field,
    Heading,
    Mark,
    Note,
    Page,
    Table,
    field_yards,
    without_breaks,
)
from hashmark.text.phrases import FIRST_ORDINALS, capitalize
from hashmark.text.summary import positions_after

TITLE = "Roll For Yardage!"
QUARTERS = (*FIRST_ORDINALS, "OT")
USUAL_PLAYS, SPARE_ROWS = 30, 4

COLUMNS = (
    Column("Play\nNumber", 0.95, "center"),
    Column("Team\nWith Ball", 0.9, "center"),
    Column("Play\nType", 0.6, "center"),
    Column("Down/\nTo Go", 1.05, "center"),
    Column("← Ball\nSpot →", 0.95, "center"),
    Column("Kick/\nReturn", 1.0, "center"),
    Column("Off Roll/\nDef Roll", 1.0, "center"),
    Column("Yards\nGained/\nLost", 0.95, "center"),
    Column("Fumble/\nRecovery", 1.15, "center"),
    Column("Penalty", 1.05, "center"),
    Column("Result", 2.3),
)

LEGEND = (
    "Play types: S scrimmage play or Hail Mary, K kickoff, P punt, F field-goal attempt, "
    "X extra point, 2 two-point try, O onside kick, SK safety kick. Kicks: yards kicked/returned, "
    "SH shank, TB touchback, FC fair catch. Ball spot: ← {} half, → {} half of the field. "
    "Rolls: final totals, team with the ball first; 1-1 is snake eyes."
)


def sheet(game: Game | None) -> Document:
    """Return the sheets of a game so far, or a blank set to print."""
    return _blank_sheets() if game is None else _filled_sheets(game)


# --- Sheets of a game ------------------------------------------------------------------


def _filled_sheets(game: Game) -> Document:
    sheet_rows = build_rows(game)
    periods = sorted({row.period for row in sheet_rows} | {game.position.period})
    return Document(
        TITLE, [*(_page(game, period, sheet_rows) for period in periods), _summary(game)]
    )


def _summary(game: Game) -> Page:
    """Return the page with the scoring summary and the box score."""
    scores = shared_blocks.scoring_table(game)
    figures: list[Block] = [Heading("Box score"), shared_blocks.box_score(game.rules, game)]
    return Page("Summary", [*([] if scores is None else [scores]), *figures])


def _page(game: Game, period: int, sheet_rows: Sequence[SheetRow]) -> Page:
    plays = [row for row in sheet_rows if row.period == period]
    period_length = period_plays(game.match, period)
    last = plays[-1].play if plays else 0
    names = short_names(game.names)
    table_rows = [_table_row(row, names[row.team]) for row in plays]
    if game.position.period == period and not game.is_over:
        table_rows += _blank_rows(range(last + 1, period_length + 1))
    spare = period_length + SPARE_ROWS - max(last, period_length)
    blocks: list[Block] = [
        _field(game, period),
        _scoreboard(game, period),
        _quarter_boxes(period),
        Table(COLUMNS, [*table_rows, *_blank_rows(("",) * spare)]),
        Note(LEGEND.format(*game.names), small=True),
    ]
    return Page(capitalize(period_name(period)), blocks)


def _table_row(row: SheetRow, team: str) -> list[str | Cell]:
    """Return the eleven cells of a play."""
    cells = row.cells()
    scored = "touchdown" in row.results or "safety" in row.results or "good" in row.results
    return [
        str(row.play),
        team,
        cells["type"],
        without_breaks(cells["down"]),
        spot_with_arrow(row.team, row.spot),
        row.kick,
        row.rolls,
        row.yards,
        row.fumble,
        row.penalty,
        Cell(cells["result"], "strong" if scored else "plain"),
    ]


def spot_with_arrow(team: int, spot: int) -> str:
    """G42: return the yard line 1 to 50, with an arrow to the half of the field it is in."""
    if spot == 50:
        return "50"
    in_home_half = (team == HOME) == (spot < 50)
    yard = min(spot, 100 - spot)
    return f"←{NO_BREAK_SPACE}{yard}" if in_home_half else f"{yard}{NO_BREAK_SPACE}→"


def _scoreboard(game: Game, period: int) -> Table:
    """R62: return the points by quarter and the score at the end of the period."""
    position = _position_after(game, period)
    column = min(period, len(QUARTERS))
    points = [list(position.line[team][:column]) for team in range(2)]
    teams = [capitalize(team) for team in game.names]
    return shared_blocks.scoreboard(QUARTERS, points, list(position.score), teams)


def _position_after(game: Game, period: int) -> Any:
    """Return the position after the last play of a period."""
    for after in positions_after(game):
        if after.period > period:
            return after
    return game.position


def _quarter_boxes(period: int) -> Boxes:
    """R62: return the boxes of the quarters, the current one marked."""
    current = min(period, len(QUARTERS)) - 1
    boxes = [
        Box(name, "current" if index == current else "open", 1.6)
        for index, name in enumerate(QUARTERS)
    ]
    return Boxes([BoxRow("Quarter", boxes)])


def _field(game: Game, period: int) -> Field:
    """Return the field with the possessions of the period and the current spot of the ball."""
    marks: Sequence[Mark] = ()
    now = shared_blocks.current_field(game) if game.position.period == period else None
    if now is not None:
        marks = now.marks
    arrows = []
    for possession in split_possessions(build_rows(game)):
        plays = [row for row in possession if row.period == period]
        if plays:
            arrows.append(_arrow(plays))
    home, away = (team.upper() for team in short_names(game.names))
    return Field(home, away, marks=marks, arrows=arrows)


def _arrow(plays: Sequence[SheetRow]) -> Arrow:
    first, last = plays[0], plays[-1]
    end = max(0, min(100, last.spot + last.net))
    start, stop = field_yards(first.team, first.spot), field_yards(first.team, end)
    return Arrow(start, stop, possession_ending(last), dashed=first.team != HOME)


# --- Blank sheets ------------------------------------------------------------------------


def _blank_sheets() -> Document:
    quarters = [_blank_page(period, USUAL_PLAYS) for period in range(1, LAST_QUARTER + 1)]
    return Document(TITLE, [*quarters, _blank_page(LAST_QUARTER + 1, REGULAR_OVERTIME_PLAYS)])


def _blank_page(period: int, plays: int) -> Page:
    numbers = [*range(1, plays + 1), *("",) * SPARE_ROWS]
    blocks: list[Block] = [
        Field("", "", ticks=1),
        shared_blocks.scoreboard(QUARTERS, teams=("", "")),
        _quarter_boxes(period),
        Table(COLUMNS, _blank_rows(numbers)),
        Note(LEGEND.format(*TEAMS), small=True),
    ]
    return Page(capitalize(period_name(period)), blocks)


def _blank_rows(numbers: Sequence[int | str]) -> list[list[str | Cell]]:
    """Return rows to write in, with the signs that are printed in every row."""
    return [[str(n), "", "", "&", f"←{NO_BREAK_SPACE * 6}→", "/", "/"] for n in numbers]
