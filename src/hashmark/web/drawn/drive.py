"""The spots of the drive that is under way, for the field."""

from __future__ import annotations

from hashmark.table.game import Game


def path_of(game: Game) -> tuple[int, ...]:
    """Where the ball lay while the same team had it and nobody scored."""
    g = game.position
    if game.is_over or g.possession < 0 or not 0 < g.spot < 100:
        return ()
    spots = [int(g.spot)]
    for turn in reversed(game.turns):
        before = turn.before
        if before.possession != g.possession or before.score != g.score:
            break
        if 0 < before.spot < 100 and before.spot != spots[-1]:
            spots.append(int(before.spot))
    return tuple(reversed(spots))
