"""The compiled loop for comparing plans: every play of every drive has dice of its own.

In an ordinary game the dice are one stream, so that the first play that goes another way
changes all luck after it. Here a team's third play of its fifth drive rolls the same dice
whatever happened before, and its coaches draw the same numbers. Two games in which one plan
differs then share far more of their luck, and a small change shows in far fewer games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hashmark.games.data_driven.position import ASK_KICK, ASK_PLAY
from hashmark.table.compiled import decide, fold, is_over, step, wants_call
from hashmark.table.generator import COACHES, DICE, mix, stream_start, stream_stride
from hashmark.table.rules import NO_CALL


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
    mode: int,
) -> Any:
    work = starts[:1].copy()
    g = work[0]
    digest = np.uint64(0)
    dice: Any = np.uint64(DICE)
    luck: Any = np.uint64(COACHES)
    for i in range(len(which)):
        at = which[i]
        game = games[i]
        work[0] = starts[at]
        match = matches[at]
        g._dice = stream_start(seed, game, dice)
        g._dice_stride = stream_stride(g._dice)
        g._luck = stream_start(seed, game, luck)
        g._luck_stride = stream_stride(g._luck)
        d0 = 0
        d1 = 0
        s0 = 0
        s1 = 0
        last = -1
        snap = 0
        total = 0
        drive = 0
        half = 0
        while not is_over(rules, g):
            call = NO_CALL
            if g.asks == ASK_PLAY or g.asks == ASK_KICK:
                team = g.possession
                total += 1
                if g.asks == ASK_KICK:
                    last = -1
                    if mode == 4 and g.period >= 3 and half == 0:
                        half = 1
                        d0 = 0
                        d1 = 0
                elif team != last:
                    last = team
                    snap = 0
                    if team == 0:
                        d0 += 1
                    else:
                        d1 += 1
                drive = d0 if team == 0 else d1
                if team == 0:
                    s0 += 1
                else:
                    s1 += 1
                snap += 1
                key = 0
                if mode == 1:
                    key = total
                elif mode == 2:
                    key = (s0 if team == 0 else s1) * 2 + team
                elif mode == 3:
                    key = (drive * 256 + snap) * 2 + team
                    if g.asks == ASK_KICK:
                        key += 1 << 20
                elif mode == 4:
                    key = ((half * 256 + drive) * 256 + snap) * 2 + team
                    if g.asks == ASK_KICK:
                        key += 1 << 20
                elif mode == 5:
                    key = ((drive * 8 + g.down) * 16 + snap // 3) * 2 + team
                    if g.asks == ASK_KICK:
                        key += 1 << 20
                if mode > 0:
                    stream = np.uint64(key * 2 + 2)
                    g._dice = stream_start(seed, game, stream)
                    g._dice_stride = stream_stride(g._dice)
                    g._luck = stream_start(seed, game, stream + np.uint64(1))
                    g._luck_stride = stream_stride(g._luck)
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
