"""Possessions of a game of Roll For Yardage!, derived from the rows of its sheets."""

from __future__ import annotations

from hashmark.engine.game import Game
from hashmark.games.roll_for_yardage.rows import SheetRow, build_rows
from hashmark.text.summary import END_OF_HALF, Drive

SCRIMMAGE_TYPES = ("S", "P", "F")  # types of plays from scrimmage
TRY_TYPES = ("X", "2")

# Results that end a possession; the first one found in a row counts.
ENDINGS = {
    "turnover": "turnover",
    "touchdown": "touchdown",
    "safety": "safety",
    "turnover on downs": "turnover on downs",
    "good": "field goal",
    "no good": "missed FG",
}


def split_possessions(sheet_rows: list[SheetRow]) -> list[list[SheetRow]]:
    """Return the rows of each possession; a half or an overtime begins a new one."""
    possessions: list[list[SheetRow]] = []
    last: SheetRow | None = None
    for row in sheet_rows:
        if row.type in SCRIMMAGE_TYPES:
            if last is None or not _is_same_possession(last, row):
                possessions.append([])
            possessions[-1].append(row)
        last = row
    return possessions


def _is_same_possession(last: SheetRow, row: SheetRow) -> bool:
    same_half = last.period == row.period or (last.period, row.period) in ((1, 2), (3, 4))
    keeps_ball = (
        last.type in SCRIMMAGE_TYPES and last.team == row.team and not possession_ending(last)
    )
    return keeps_ball and same_half


def possession_ending(row: SheetRow) -> str:
    """Return how the possession ended with this play, or an empty string."""
    for result, name in ENDINGS.items():
        if result in row.results:
            return name
    return "punt" if row.type == "P" and "blocked" not in row.results else ""


def list_drives(game: Game) -> list[Drive]:
    """Return every possession with its result; the score includes the try that follows."""
    drive_list: list[Drive] = []
    sheet_rows = build_rows(game)
    for plays in split_possessions(sheet_rows):
        first, last = plays[0], plays[-1]
        if drive_list:
            drive_list[-1].result = drive_list[-1].result or END_OF_HALF
        drive = Drive(first.team, first.period, first.clock, first.spot)
        drive.yards = sum(row.net for row in plays)
        drive.plays = drive.time = len(plays)
        drive.result = possession_ending(last)
        after = sheet_rows[sheet_rows.index(last) + 1 :][:1]
        drive.score = after[0].score if after and after[0].type in TRY_TYPES else last.score
        drive_list.append(drive)
    return drive_list
