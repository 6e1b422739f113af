"""The spots of the drive that is under way, for the field.

A game that lists its drives says where this one began; in a game that does not, it is as long as
the same team has the ball with the same score.
"""

from __future__ import annotations

from typing import Any

from hashmark.table.game import Game
from hashmark.telling.summary import Drive, drives


def path_of(game: Game) -> tuple[int, ...]:
    """Every place where the ball lay since the drive began, as its team counts; none between."""
    g = game.position
    if game.is_over or g.possession < 0 or not 0 < g.spot < 100:
        return ()
    running = _running(game)
    if game.rules.words.drives is not None and running is None:
        return ()
    spots = [int(g.spot)]
    for turn in reversed(game.turns):
        before = turn.before
        if not _same(before, g):
            break
        if before.spot != spots[-1]:
            spots.append(int(before.spot))
        if running is not None and _begins(running, before):
            break
    spots.reverse()
    if running is not None:
        spots = _since(spots, running)
    return tuple(spots) if len(spots) > 1 else ()


def _since(spots: list[int], drive: Drive) -> list[int]:
    """Those from the drive's first spot on: a kick that its own team recovered lies before it."""
    if drive.spot in spots and drive.plays:
        return spots[spots.index(drive.spot) :]
    return [drive.spot, spots[-1]] if drive.spot != spots[-1] else []


def _running(game: Game) -> Drive | None:
    """The last drive, if it goes on and the ball is still its team's.

    It began after the other team had the ball last: no turn before that one is looked at.
    """
    now = game.position.possession
    turns = game.turns
    first = next(
        (at for at in reversed(range(len(turns))) if turns[at].before.possession != now), 0
    )
    found = drives(game.as_told(game.position, turns[first:]))
    if not found or found[-1].result or found[-1].team != game.position.possession:
        return None
    return found[-1]


def _same(before: Any, now: Any) -> bool:
    """Whether the same team had the ball on the field, and nobody has scored since."""
    on_field = 0 < before.spot < 100
    return bool(on_field and before.possession == now.possession and before.score == now.score)


def _begins(drive: Drive, before: Any) -> bool:
    return (before.period, before.clock, before.spot) == (drive.period, drive.clock, drive.spot)
