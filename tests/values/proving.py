"""A solved game against its rules, by the hundred thousand positions, compiled.

Of each sampled position every legal call is taken along each path of the dice, by the rules
themselves and not by the rows that solving has made; the values after it come from the file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from hashmark.table import compiled, compiling
from hashmark.table import keys as k
from hashmark.table.compiled import ILLEGAL, asked, is_over, legal_call, step, take
from hashmark.table.rules import NO_CALL
from hashmark.values.kernel import _set_up, _walk, instant
from hashmark.values.playing import (
    TIME,
    Library,
    _kept_there,
    open_library,
    summing,
    worths,
)
from hashmark.values.solved import Solved

KEPT, BEST, CHANCE, CALLS = range(4)  # what is found out of a position

_worth = worths(summing(summing(summing(_kept_there))))  # a try, a kickoff, a penalty on it


def by_the_rules(solved: Solved, samples: Any) -> Any:
    """Of each sample (block, key, member, lead): its value, the best call's, their chances' sum.

    The last column counts the calls.
    """
    library = open_library(solved)
    m = np.zeros(1, solved.m.dtype())
    solved.m.to_array(m[0])
    work = np.zeros(3, solved.rules.position.dtype(compiled.enumerating_fields(solved.rules)))
    found = np.zeros((len(samples), 4))
    time = np.zeros(k.PLACE, np.int64)
    compiling.ready(_all, solved.rules)(solved.rules, m, work, library, time, samples, found)
    return found


def sampled(solved: Solved, count: int, seed: int) -> Any:
    """Positions drawn at random: a time, then one of the keys that are kept there, then a lead."""
    luck = np.random.default_rng(seed)
    blocks = list(solved.blocks.values())
    kept = [np.flatnonzero(block.kept_of >= 0) if block.has_values else () for block in blocks]
    some = [number for number, members in enumerate(kept) if len(members)]
    made = np.zeros((count, 4), np.int64)
    for row in made:
        number = int(luck.choice(some))
        block, member = blocks[number], int(luck.choice(kept[number]))
        lead = int(luck.integers(-block.width, block.width + 1)) if block.width >= 0 else 0
        row[:] = number, block.kind.members[member], member, lead
    return made


def _all(rules: Any, m: Any, work: Any, s: Library, time: Any, samples: Any, found: Any) -> None:
    for number in range(len(samples)):
        block, key, member, lead = samples[number]
        for at in range(TIME):
            time[k.STEADY + at] = s.times[block, at]
        won, lost = _kept_there(s, block, member, lead)
        found[number, KEPT] = won + s.tie * (1.0 - won - lost)
        found[number, BEST] = -1.0
        at = 0
        while True:
            _set_up(rules, work[0], s.keys[key], time, lead)
            call = legal_call(rules, m[0], work[0], at)
            if call == NO_CALL and at > 0:
                break
            if call != ILLEGAL:
                worth, chance = _mean(rules, m[0], work, s, key, time, call, lead)
                found[number, BEST] = max(found[number, BEST], worth)
                found[number, CHANCE] = chance
                found[number, CALLS] += 1
            at += 1


@register_jitable
def _mean(
    rules: Any, m: Any, work: Any, s: Any, key: int, time: Any, call: int, lead: int
) -> tuple[float, float]:
    """What a call is worth to who is asked, as a mean over the dice, and the sum of chances."""
    g = work[0]
    worth = total = 0.0
    g._known = 0
    while True:
        _walk(rules, m, g, s.keys[key], time, call, lead)
        chance = g._chance
        known = g._known
        while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
            known -= 1
        take(rules, work[1], g)
        worth += chance * _ending(rules, m, work, s)
        total += chance
        if known == 0:
            return worth, total
        g._path[known - 1] += 1
        g._known = known


@register_jitable
def _ending(rules: Any, m: Any, work: Any, s: Any) -> float:
    """What the second record is worth to home, who was asked; an instant decision is made first."""
    then = work[1]
    if is_over(rules, then) or not instant(rules, m, then):
        return _worth(rules, m, then, 0, s)
    ours = asked(rules, m, then) == 0
    best = -1.0 if ours else 2.0
    at = 0
    while True:
        call = legal_call(rules, m, then, at)
        if call == NO_CALL:
            return best
        if call != ILLEGAL:
            take(rules, work[2], then)
            work[2]._depth = 0
            work[2]._known = 0
            step(rules, m, work[2], call)
            worth = _worth(rules, m, work[2], 0, s)
            best = max(best, worth) if ours else min(best, worth)
        at += 1
