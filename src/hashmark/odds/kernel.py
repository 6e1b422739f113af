"""Exact enumeration of a step, compiled; equal positions are merged as they appear."""

from __future__ import annotations

from typing import Any

import numpy as np

from hashmark.table.compiled import default_call, fold, same, step, take
from hashmark.table.rules import NO_CALL

FULL = -1
TOO_MANY = -2


def enumerate_step(
    rules: Any,
    m: Any,
    start: Any,
    call: int,
    through: bool,
    found: Any,
    chances: Any,
    slots: Any,
    means: Any,
    some: Any,
    most: int,
) -> Any:
    """All outcomes of a call into `found` and `chances`; how many there are, or FULL.

    `slots` is a hash table of indices into `found`, its size a power of two. `means` and
    `some` take the expectation of each statistic and the chance that it is above zero. With
    `through`, windows that open take their defaults, up to a call that must be made. After
    `most` ways it gives up: TOO_MANY.
    """
    work = start.copy()
    g = work[0]
    match = m[0]
    mask = np.uint64(len(slots) - 1)
    count = 0
    known = 0
    walked = 0
    while True:
        if walked == most:
            return TOO_MANY
        walked += 1
        take(rules, g, start[0])
        g._stats[:] = 0
        g._depth = 0
        g._known = known
        g._chance = 1.0
        answer = call
        while True:
            step(rules, match, g, answer)
            answer = default_call(rules, match, g) if through else NO_CALL
            if answer == NO_CALL:
                break
        for team in range(2):
            for k in range(means.shape[1]):
                value = g._stats[team, k]
                if value != 0:
                    means[team, k] += g._chance * value
                    if value > 0:
                        some[team, k] += g._chance
        slot = fold(rules, g) & mask
        while slots[slot] >= 0 and not same(rules, g, found[slots[slot]]):
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            if count == len(found):
                return FULL
            slots[slot] = count
            take(rules, found[count], g)
            count += 1
        chances[slots[slot]] += g._chance
        known = g._known
        while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
            known -= 1
        if known == 0:
            return count
        g._path[known - 1] += 1
