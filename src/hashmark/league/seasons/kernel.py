"""Compiled loop that plays the games of a batch: any pairing, any game number, in any order.

By default the dice of a game are one stream, as in a session, so the first play that differs
changes all luck after it. To compare plans the dice are *keyed* instead: every play of every drive
has its own dice. A team's third play of its fifth drive in a half rolls the same dice no matter
what happened before, and its coaches draw the same numbers. Two games that differ in one plan then
share far more of their luck (common random numbers), and a small change shows in far fewer games.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from hashmark.compiler.dispatch import (
    decide,
    digest_position,
    is_over,
    open_streams,
    prefetch,
    wants_call,
)
from hashmark.engine.generator import mix
from hashmark.engine.rule_set import ENDLESS_GAME_MESSAGE, MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.errors import EndlessGame
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.position import ASK_KICK, ASK_PLAY, Match, Position
from hashmark.games.data_driven.skipped_audibles import step_past_audibles
from hashmark.league.data.arrays import Integers

PLAN_COACH = RULES.coach("plan")  # calls for both teams in all games
DICE_KEY_BASE = 256  # drives per half, plays per drive; beyond that, dice repeat


@register_jitable(forceinline=True)
def _step(m: Match, g: Position, call: int) -> None:
    """Apply a call and everything that follows from it, inlined as `dispatch.step` is."""
    step_past_audibles(m, g, call)


def play_games(
    rules: RuleSet,
    matches: NDArray[np.void],
    starts: NDArray[np.void],
    work: NDArray[np.void],
    drives: Integers,
    seed: np.uint64,
    match_indices: Integers,
    game_numbers: NDArray[np.uint64],
    keyed: int,
    points: NDArray[np.int16],
    sums: Integers,
    squares: Integers,
) -> Any:
    """Play game `game_numbers[i]` with match `match_indices[i]`; return a digest of all results.

    `points` receives the score of each game. `sums` and `squares`, unless empty, receive the sums
    and squares of each statistic by match and team. `work` holds one position, `drives` one number
    for each team. The digest covers all final positions.
    """
    g = work[0]
    digest = np.uint64(0)
    game_stream: Any = np.uint64(0)  # streams of the game itself
    first_play_stream: Any = np.uint64(2)  # streams of single plays follow
    for i in range(len(match_indices)):
        index = match_indices[i]
        game = game_numbers[i]
        work[0] = starts[index]
        match = matches[index]
        next_index = match_indices[min(i + 1, len(match_indices) - 1)]
        next_match = matches[next_index]
        open_streams(g, seed, game, game_stream)
        drives[:] = 0
        half = 0
        had_ball = -1
        plays = 0
        steps = 0
        while not is_over(rules, g):
            steps += 1
            if steps == MAX_GAME_STEPS:
                raise EndlessGame(ENDLESS_GAME_MESSAGE)
            if next_index != index:
                prefetch(next_match, steps - 1)
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
                key = (
                    half * DICE_KEY_BASE + drives[g.possession] % DICE_KEY_BASE
                ) * DICE_KEY_BASE + plays % DICE_KEY_BASE
                stream = np.uint64(2 * ((key * 2 + kick) * 2 + g.possession)) + first_play_stream
                open_streams(g, seed, game, stream)
            call = NO_CALL
            if wants_call(rules, match, g):
                call = decide(rules, match, g, PLAN_COACH)
            _step(match, g, call)
        digest += mix(digest_position(rules, g) + game)
        points[i, 0] = g.score[0]
        points[i, 1] = g.score[1]
        if sums.shape[0] > 0:
            for team in range(2):
                for k in range(sums.shape[2]):
                    value = np.int64(g._stats[team, k])
                    sums[index, team, k] += value
                    squares[index, team, k] += value * value
    return digest
