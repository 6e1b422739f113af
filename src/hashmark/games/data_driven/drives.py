"""The drive list of a game, from what was told of it."""

from __future__ import annotations

from typing import Any

from hashmark.games.data_driven.events import STATISTICS
from hashmark.table.events import Told
from hashmark.table.game import Game
from hashmark.table.names import NAMES
from hashmark.telling.summary import END_OF_HALF, Drive

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
    "over on downs": "downs",
    "period over": "",
}
TRIES = ("extra point good", "two points good")  # what a drive may still bring when it is over


def _amounts(told: Told) -> dict[int, int]:
    return dict(told.event.amounts(told.a, told.b, told.c))


def drives(game: Game) -> list[Drive]:
    """Every possession from scrimmage: where it began, its plays, yards and end."""
    found: list[Drive] = []
    score = list(game.start_score)
    for turn in game.turns:
        before = turn.before
        if not found and before.down:
            found.append(_begun(before, before.possession, before.spot, score))
        if found and before.down and not found[-1].plays:  # the kick before it took time
            found[-1].period, found[-1].clock = before.period, before.clock
        for told in turn.events:
            amounts = _amounts(told)
            score[told.team] += amounts.get(POINTS, 0)
            if told.name == "begins drive":
                found.append(_begun(before, told.team, told.a, score))
            elif found:
                if not found[-1].result or told.name in TRIES:
                    found[-1].score = (score[0], score[1])
                _count(found[-1], told, amounts)
    return found


def _begun(before: Any, team: int, spot: int, score: list[int]) -> Drive:
    return Drive(team, before.period, before.clock, spot, score=(score[0], score[1]))


def _count(drive: Drive, told: Told, amounts: dict[int, int]) -> None:
    """What an event adds to the drive that is going on, or how it ends it."""
    if told.team == drive.team and not drive.result:
        drive.plays += amounts.get(PLAYS, 0)
        drive.yards += amounts.get(YARDS, 0)
    if told.name == "time" and told.team == drive.team:
        drive.time += amounts.get(SECONDS, 0)
    if drive.result or told.name not in RESULTS:
        return
    if told.name == "period over":
        if told.a in (2, 4):
            drive.result = END_OF_HALF
    elif told.name == "touchdown" and told.team != drive.team:
        drive.result = f"touchdown of {NAMES[told.team]}"
    else:
        drive.result = RESULTS[told.name]
