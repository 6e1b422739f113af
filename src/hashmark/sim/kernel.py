"""Compiled loop that plays games and totals them.

One record is reused for every game, so memory is constant for any number of games. Games are
independent, so batches may run on any number of threads; all totals are integers, so the order of
addition does not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hashmark.compiler.dispatch import (
    decide_for,
    digest_position,
    is_allowed,
    is_over,
    open_streams,
    step,
    wants_call,
    winner,
)
from hashmark.compiler.record_types import IntArray, RecordArray, SamplingRecord
from hashmark.engine.generator import mix
from hashmark.engine.record import MatchRecord
from hashmark.engine.rule_set import ENDLESS_GAME_MESSAGE, MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.errors import EndlessGame

COUNTS_SIZE = 6
STEPS, ILLEGAL_GAME, ILLEGAL_CALL = 3, 4, 5  # after the wins of home and away, and the ties


def play_batch(
    rules: RuleSet,
    m: RecordArray[MatchRecord],
    start: RecordArray[SamplingRecord],
    work: RecordArray[SamplingRecord],
    seed: int,
    first: int,
    count: int,
    home: int,
    away: int,
    totals: IntArray,
    margins: IntArray,
    sums: IntArray,
    squares: IntArray,
    rows: npt.NDArray[np.int32],
) -> Any:
    """Play games `first` to `first + count - 1`; return the digest of their final positions.

    `work` holds one position. `totals` counts home wins, away wins, ties and STEPS; if a coach
    created at run time makes an illegal call, ILLEGAL_GAME is the number of the game in the batch,
    from 1, and ILLEGAL_CALL the call. `margins` holds the sum and the sum of squares of the home
    margin; `sums` and `squares` those of each statistic. `rows` receives each game's statistics if
    it has room for them.
    """
    g = work[0]
    match = m[0]
    digest = np.uint64(0)
    own = np.uint64(0)  # the streams of the game itself
    for i in range(count):
        game = first + np.uint64(i)
        work[0] = start[0]
        open_streams(g, seed, game, own)
        steps = 0
        while not is_over(rules, g):
            call = NO_CALL
            if wants_call(rules, match, g):
                call = decide_for(rules, match, g, home, away)
                if not is_allowed(rules, match, g, call):
                    totals[ILLEGAL_GAME] = i + 1
                    totals[ILLEGAL_CALL] = call
                    return digest
            step(rules, match, g, call)
            steps += 1
            if steps == MAX_GAME_STEPS:
                raise EndlessGame(ENDLESS_GAME_MESSAGE)
        digest += mix(digest_position(rules, g) + game)
        margin = g.score[0] - g.score[1]
        totals[winner(rules, g)] += 1
        totals[STEPS] += steps
        margins[0] += margin
        margins[1] += margin * margin
        for team in range(2):
            for k in range(sums.shape[1]):
                value = np.int64(g._stats[team, k])
                sums[team, k] += value
                squares[team, k] += value * value
        if rows.shape[0] > 0:
            for team in range(2):
                for k in range(sums.shape[1]):
                    rows[i, team, k] = g._stats[team, k]
    return digest
