"""Compiled loop that plays games and records every play.

It is the loop of `kernel.py` with a row for each play: fields of the position at its beginning, the
calls, and how much every statistic of both teams grew. The rows of a game are written to arrays of
a fixed size; a game that finds no room is not counted, and is played again in the next batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hashmark.compiler.dispatch import (
    decide_for,
    is_allowed,
    is_over,
    open_streams,
    play_begins,
    step,
    team_to_act,
    wants_call,
)
from hashmark.compiler.record_types import IntArray, RecordArray, SamplingRecord
from hashmark.engine.record import MatchRecord
from hashmark.engine.rule_set import ENDLESS_GAME_MESSAGE, MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.errors import EndlessGame
from hashmark.sim.play_rows import (
    AWAY_CALL,
    AWAY_SCORE,
    CLOCK,
    DOWN,
    GAME,
    HOME_CALL,
    HOME_SCORE,
    PERIOD,
    PHASE,
    POSSESSION,
    SPOT,
    TO_GO,
)

GAMES, ROWS, ILLEGAL_GAME, ILLEGAL_CALL, COUNTS_SIZE = 0, 1, 2, 3, 4


def record_plays(
    rules: RuleSet,
    m: RecordArray[MatchRecord],
    start: RecordArray[SamplingRecord],
    work: RecordArray[SamplingRecord],
    seed: int,
    first: int,
    count: int,
    home: int,
    away: int,
    counts: IntArray,
    rows: npt.NDArray[np.int32],
    gains: npt.NDArray[np.int16],
) -> Any:
    """Play games `first` to `first + count - 1` as long as their rows fit.

    `counts` receives the number of GAMES that were recorded and of their ROWS; an illegal call is
    reported as in `kernel.play_batch`. `rows` has ROW_SIZE columns, `gains` the growth of each
    statistic of home and away during the play.
    """
    g: Any = work[0]  # a position of a game with downs
    match = m[0]
    own = np.uint64(0)  # the streams of the game itself
    row = 0
    for i in range(count):
        game = first + np.uint64(i)
        work[0] = start[0]
        open_streams(g, seed, game, own)
        game_row = row
        steps = 0
        while not is_over(rules, g):
            if steps == 0 or play_begins(rules, match, g):
                if row == rows.shape[0]:
                    return 0
                rows[row, GAME] = i
                rows[row, HOME_CALL] = NO_CALL
                rows[row, AWAY_CALL] = NO_CALL
                rows[row, PHASE] = g.phase
                rows[row, PERIOD] = g.period
                rows[row, CLOCK] = g.clock
                rows[row, POSSESSION] = g.possession
                rows[row, SPOT] = g.spot
                rows[row, DOWN] = g.down
                rows[row, TO_GO] = g.to_go
                rows[row, HOME_SCORE] = g.score[0]
                rows[row, AWAY_SCORE] = g.score[1]
                for team in range(2):
                    for k in range(gains.shape[2]):
                        gains[row, team, k] = np.int16(-g._stats[team, k])
                        if row > game_row:
                            gains[row - 1, team, k] += np.int16(g._stats[team, k])
                row += 1
            call = NO_CALL
            if wants_call(rules, match, g):
                call = decide_for(rules, match, g, home, away)
                if not is_allowed(rules, match, g, call):
                    counts[ILLEGAL_GAME] = i + 1
                    counts[ILLEGAL_CALL] = call
                    return 0
                column = HOME_CALL + team_to_act(rules, match, g)
                if rows[row - 1, column] == NO_CALL:
                    rows[row - 1, column] = call
            step(rules, match, g, call)
            steps += 1
            if steps == MAX_GAME_STEPS:
                raise EndlessGame(ENDLESS_GAME_MESSAGE)
        if row > game_row:
            for team in range(2):
                for k in range(gains.shape[2]):
                    gains[row - 1, team, k] += np.int16(g._stats[team, k])
        counts[GAMES] = i + 1
        counts[ROWS] = row
    return 0
