"""Ball spots of the current drive, for the field, and of the last one until the next has a play.

If a game lists its drives, the current one tells where it began. Otherwise a drive lasts as long as
the same team has the ball with the same score.
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from hashmark.engine.game import Game
from hashmark.engine.record import NOBODY, PositionRecord, Team
from hashmark.text.summary import Drive, list_drives

GOAL_LINE = 100  # the spot of the opponents' goal line


class DrivePath(NamedTuple):
    """A drive on the field: its team, and the ball's spots as that team counts them."""

    team: Team = NOBODY
    spots: tuple[int, ...] = ()


class ChartedDrive(NamedTuple):
    """A drive, and how many turns the game has had when it is over."""

    drive: Drive
    last_turn: int


def charted_drives(game: Game) -> list[ChartedDrive]:
    """Return all drives of a game with the turns at which they end."""
    drives, starts, turn = list_drives(game), [], 0
    for drive in drives:
        while turn < len(game.turns) and not _is_start(drive, game.turns[turn].before):
            turn += 1
        starts.append(turn)
    ends = [*starts[1:], len(game.turns)][: len(starts)]
    return [ChartedDrive(drive, end) for drive, end in zip(drives, ends, strict=True)]


def last_drive(game: Game) -> DrivePath:
    """Return the last drive that has ended, up to the spot that it reached."""
    ended = next((drive for drive in reversed(list_drives(game)) if drive.result), None)
    if ended is None:
        return DrivePath()
    spots = [*_spots_before(game, ended), min(ended.spot + ended.yards, GOAL_LINE)]
    spots = [spot for index, spot in enumerate(spots) if index == 0 or spot != spots[index - 1]]
    return DrivePath(ended.team, tuple(spots)) if len(spots) > 1 else DrivePath()


def _spots_before(game: Game, drive: Drive) -> list[int]:
    """Return the ball's spots from the beginning of a drive to its last snap."""
    befores = [turn.before for turn in game.turns]
    first = next((i for i in reversed(range(len(befores))) if _is_start(drive, befores[i])), None)
    if first is None:
        return [drive.spot]
    start = befores[first]
    during = takewhile(
        lambda g: g.possession == drive.team and 0 < g.spot < GOAL_LINE and g.score == start.score,
        befores[first:],
    )
    return [drive.spot, *(int(before.spot) for before in during)]


def drive_path(game: Game) -> tuple[int, ...]:
    """Return the ball's spots since the drive began, as its team counts; empty between drives."""
    g = game.position
    if game.is_over or g.possession < 0 or not 0 < g.spot < 100:
        return ()
    current_drive = _current_drive(game)
    if game.rules.words.list_drives is not None and current_drive is None:
        return ()
    spots = [int(g.spot)]
    for turn in reversed(game.turns):
        before = turn.before
        if not _is_same_possession(before, g):
            break
        if before.spot != spots[-1]:
            spots.append(int(before.spot))
        if current_drive is not None and _is_start(current_drive, before):
            break
    spots.reverse()
    if current_drive is not None:
        spots = _spots_of_drive(spots, current_drive)
    return tuple(spots) if len(spots) > 1 else ()


def _spots_of_drive(spots: list[int], drive: Drive) -> list[int]:
    """Drop spots before the drive's first one, such as a kick that its own team recovered."""
    if drive.spot in spots and drive.plays:
        return spots[spots.index(drive.spot) :]
    return [drive.spot, spots[-1]] if drive.spot != spots[-1] else []


def _current_drive(game: Game) -> Drive | None:
    """Return the drive in progress, if its team still has the ball.

    It began after the other team last had the ball, so earlier turns are not searched.
    """
    team = game.position.possession
    turns = game.turns
    start = next(
        (index for index in reversed(range(len(turns))) if turns[index].before.possession != team),
        0,
    )
    drives_so_far = list_drives(game.read_only_copy(game.position, turns[start:]))
    if (
        not drives_so_far
        or drives_so_far[-1].result
        or drives_so_far[-1].team != game.position.possession
    ):
        return None
    return drives_so_far[-1]


def _is_same_possession(before: PositionRecord, now: PositionRecord) -> bool:
    """Return whether the same team had the ball on the field, with the same score."""
    on_field = 0 < before.spot < 100
    return bool(on_field and before.possession == now.possession and before.score == now.score)


def _is_start(drive: Drive, before: PositionRecord) -> bool:
    return (before.period, before.clock, before.spot) == (drive.period, drive.clock, drive.spot)
