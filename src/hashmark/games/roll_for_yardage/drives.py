"""The possessions of a game of Roll For Yardage!, from the rows of its sheets."""

from __future__ import annotations

from hashmark.games.roll_for_yardage.rows import Row, rows
from hashmark.table.game import Game
from hashmark.telling.summary import END_OF_HALF, Drive

DOWNS = ("S", "P", "F")  # types of plays from scrimmage
TRIES = ("X", "2")

# What ends a possession, by the first word that is found among a row's results.
ENDINGS = {
    "ball lost": "ball lost",
    "touchdown": "touchdown",
    "safety": "safety",
    "over on downs": "downs",
    "good": "field goal",
    "no good": "missed kick",
}


def series(written: list[Row]) -> list[list[Row]]:
    """The rows of each possession; a half or an overtime begins a new one."""
    found: list[list[Row]] = []
    last: Row | None = None
    for row in written:
        if row.type in DOWNS:
            if last is None or not _goes_on(last, row):
                found.append([])
            found[-1].append(row)
        last = row
    return found


def _goes_on(last: Row, row: Row) -> bool:
    same_half = last.period == row.period or (last.period, row.period) in ((1, 2), (3, 4))
    kept = last.type in DOWNS and last.team == row.team and not ending(last)
    return kept and same_half


def ending(row: Row) -> str:
    """How the possession ended with this play, or nothing."""
    for result, name in ENDINGS.items():
        if result in row.results:
            return name
    return "punt" if row.type == "P" and "blocked" not in row.results else ""


def drives(game: Game) -> list[Drive]:
    """Every possession, and what became of it; the score with the try that follows."""
    found: list[Drive] = []
    written = rows(game)
    for plays in series(written):
        first, last = plays[0], plays[-1]
        if found:
            found[-1].result = found[-1].result or END_OF_HALF
        drive = Drive(first.team, first.period, first.clock, first.spot)
        drive.yards = sum(row.net for row in plays)
        drive.plays = drive.time = len(plays)
        drive.result = ending(last)
        after = written[written.index(last) + 1 :][:1]
        drive.score = after[0].score if after and after[0].type in TRIES else last.score
        found.append(drive)
    return found
