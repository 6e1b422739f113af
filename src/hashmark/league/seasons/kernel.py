"""The compiled loop that plays the games of a slate: any pairing, any game number, in any order."""

from __future__ import annotations

from typing import Any

import numpy as np

from hashmark.table.compiled import decide, fold, is_over, open_streams, step, wants_call
from hashmark.table.errors import EndlessGame
from hashmark.table.generator import mix
from hashmark.table.rules import LONGEST_GAME, NO_CALL, NO_END


def play_games(
    rules: Any,
    matches: Any,
    starts: Any,
    seed: Any,
    which: Any,
    games: Any,
    coach: int,
    points: Any,
    sums: Any,
    squares: Any,
) -> Any:
    """Play game number `games[i]` with match `which[i]`; the digest of all final positions.

    `points` takes the score of each game; `sums` and `squares`, where they have room for it,
    those of each statistic by match and team.
    """
    work = starts[:1].copy()
    g = work[0]
    digest = np.uint64(0)
    own: Any = np.uint64(0)  # the streams of the game itself
    for i in range(len(which)):
        at = which[i]
        game = games[i]
        work[0] = starts[at]
        match = matches[at]
        open_streams(g, seed, game, own)
        steps = 0
        while not is_over(rules, g):
            steps += 1
            if steps == LONGEST_GAME:
                raise EndlessGame(NO_END)
            call = NO_CALL
            if wants_call(rules, match, g):
                call = decide(rules, match, g, coach)
            step(rules, match, g, call)
        digest += mix(fold(rules, g) + game)
        points[i, 0] = g.score[0]
        points[i, 1] = g.score[1]
        if sums.shape[0] > 0:
            for team in range(2):
                for k in range(sums.shape[2]):
                    value = np.int64(g._stats[team, k])
                    sums[at, team, k] += value
                    squares[at, team, k] += value * value
    return digest
