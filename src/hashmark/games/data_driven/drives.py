"""Drive list of a game, built from its events."""

from __future__ import annotations

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game
from hashmark.engine.team_names import TeamNames
from hashmark.games.data_driven.events import STATISTICS
from hashmark.games.data_driven.position import Position
from hashmark.text.summary import END_OF_HALF, Drive

POINTS = STATISTICS.names.index("points")
PLAYS = STATISTICS.names.index("plays")
YARDS = STATISTICS.names.index("yards")
SECONDS = STATISTICS.names.index("seconds")
RESULTS = {
    "touchdown": "touchdown",
    "field goal good": "field goal",
    "field goal missed": "missed field goal",
    "safety": "safety",
    "punt over": "punt",
    "loses pass": "interception",
    "loses fumble": "fumble",
    "over on downs": "turnover on downs",
    "period over": "",
}
TRIES = ("extra point good", "two points good")  # may still add to a finished drive


def find_drives(game: Game) -> list[Drive]:
    """Return every possession from scrimmage: where it began, its plays, yards and end."""
    drive_list: list[Drive] = []
    score = list(game.start_score)
    for turn in game.turns:
        before = turn.before
        if not drive_list and before.down:
            drive_list.append(_new_drive(before, before.possession, before.spot, score))
        if drive_list and before.down and not drive_list[-1].plays:  # the kick took time
            drive_list[-1].period, drive_list[-1].clock = before.period, before.clock
        for event in turn.events:
            amounts = dict(event.amounts())
            score[event.team] += amounts.get(POINTS, 0)
            if event.name == "begins drive":
                drive_list.append(_new_drive(before, event.team, event.spot, score))
            elif drive_list:
                if not drive_list[-1].result or event.name in TRIES:
                    drive_list[-1].score = (score[0], score[1])
                _count(drive_list[-1], event, amounts, game.names)
    return drive_list


def _new_drive(before: Position, team: int, spot: int, score: list[int]) -> Drive:
    return Drive(team, before.period, before.clock, spot, score=(score[0], score[1]))


def _count(drive: Drive, event: GameEvent, amounts: dict[int, int], names: TeamNames) -> None:
    """Add an event to the current drive, or end the drive with it."""
    if event.team == drive.team and not drive.result:
        drive.plays += amounts.get(PLAYS, 0)
        drive.yards += amounts.get(YARDS, 0)
    if event.name == "time" and event.team == drive.team:
        drive.time += amounts.get(SECONDS, 0)
    if drive.result or event.name not in RESULTS:
        return
    if event.name == "period over":
        if event.period in (2, 4):
            drive.result = END_OF_HALF
    elif event.name == "touchdown" and event.team != drive.team:
        drive.result = f"{names[event.team]} touchdown"
    else:
        drive.result = RESULTS[event.name]
