"""The compiled loop that plays the games of a slate: any pairing, any game number, in any order.

The dice of a game are one stream, as at the table. Then the first play that goes another way
changes all luck after it. To compare plans the dice are *keyed*: every play of every drive has
dice of its own. A team's third play of its fifth drive in a half rolls the same whatever happened
before, and its coaches draw the same numbers. Two games in which one plan differs then share far
more of their luck, and a small change shows in far fewer games.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.passing import step_past
from hashmark.games.data_driven.position import ASK_KICK, ASK_PLAY
from hashmark.table.compiled import decide, fetch, fold, is_over, open_streams, wants_call
from hashmark.table.errors import EndlessGame
from hashmark.table.generator import mix
from hashmark.table.rules import LONGEST_GAME, NO_CALL, NO_END

PLAN = RULES.coach("plan")  # who calls in all of these games
MOST = 256  # drives of a half, plays of a drive: more share their dice with earlier ones


@register_jitable(forceinline=True)
def _step(m: Any, g: Any, call: int) -> None:
    """Put in line with all that it calls, as `compiled.step` is."""
    step_past(m, g, call)


def play_games(
    rules: Any,
    matches: Any,
    starts: Any,
    work: Any,
    drives: Any,
    seed: Any,
    which: Any,
    games: Any,
    keyed: int,
    points: Any,
    sums: Any,
    squares: Any,
) -> Any:
    """Play game number `games[i]` with match `which[i]`; the digest of all final positions.

    `points` takes the score of each game; `sums` and `squares`, where they have room for it,
    those of each statistic by match and team. `work` has room for a position, `drives` for a
    number of each team.
    """
    g = work[0]
    digest = np.uint64(0)
    own: Any = np.uint64(0)  # the streams of the game itself
    first: Any = np.uint64(2)  # those of a play come after them
    for i in range(len(which)):
        at = which[i]
        game = games[i]
        work[0] = starts[at]
        match = matches[at]
        following = which[min(i + 1, len(which) - 1)]
        coming = matches[following]
        open_streams(g, seed, game, own)
        drives[:] = 0
        half = 0
        had_ball = -1
        plays = 0
        steps = 0
        while not is_over(rules, g):
            steps += 1
            if steps == LONGEST_GAME:
                raise EndlessGame(NO_END)
            if following != at:
                fetch(coming, steps - 1)
            if keyed and (g.asks == ASK_PLAY or g.asks == ASK_KICK):
                kick = 0
                if g.asks == ASK_KICK:
                    kick = 1
                    had_ball = -1
                    if g.period >= 3 and half == 0:
                        half = 1
                        drives[:] = 0
                elif g.possession != had_ball:
                    had_ball = g.possession
                    drives[had_ball] += 1
                    plays = 0
                plays += 1
                key = (half * MOST + drives[g.possession] % MOST) * MOST + plays % MOST
                stream = np.uint64(2 * ((key * 2 + kick) * 2 + g.possession)) + first
                open_streams(g, seed, game, stream)
            call = NO_CALL
            if wants_call(rules, match, g):
                call = decide(rules, match, g, PLAN)
            _step(match, g, call)
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
