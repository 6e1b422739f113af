"""Ball spots of the current drive, for the field.

If a game lists its drives, the current one tells where it began. Otherwise a drive lasts as long as
the same team has the ball with the same score.
"""

from __future__ import annotations

from hashmark.engine.game import Game
from hashmark.engine.record import PositionRecord
from hashmark.text.summary import Drive, list_drives


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
