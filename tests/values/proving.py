"""A solved game against its rules, by the hundred thousand positions, compiled.

Of each sampled position every legal call is taken along each path of the dice, by the rules
themselves and not by the rows that solving has made; the values after it come from the file. A path
is gone once for all leads, but where the rules look at the lead; and what paths end in is valued
once for all paths that end there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from hashmark.table import compiled, compiling
from hashmark.table import keys as k
from hashmark.table.compiled import ILLEGAL, asked, is_over, legal_call, step, take
from hashmark.table.generator import mix
from hashmark.table.keys import part
from hashmark.table.rules import NO_CALL
from hashmark.values.kernel import _set_up, _walk, instant, score_counts
from hashmark.values.playing import (
    TIME,
    WIDTH,
    Library,
    _decided,
    _find,
    _kept_there,
    open_library,
    summing,
)
from hashmark.values.solved import Solved

KEPT, BEST, CHANCE, CALLS = range(4)  # what is found out of a position
# What a path ends in: the block is OVER at the end of the game, NONE if there is no second answer.
POINTS, BLOCK, MEMBER, FLIPPED, OURS, END = range(6)
OVER, NONE = -1, -2
SLOTS = 1 << 16

_chances = summing(summing(summing(_kept_there)))  # a try, a kickoff, a penalty on it


class Ends(NamedTuple):
    """What the paths of a call end in, by either answer of an instant decision, and how often."""

    known: Any
    chance: Any
    new: Any


def by_the_rules(solved: Solved, samples: Any) -> Any:
    """Of each sample, a row for each lead: its value, the best call's, chances added up, calls."""
    library = open_library(solved)
    m = np.zeros(1, solved.m.dtype())
    solved.m.to_array(m[0])
    work = np.zeros(3, solved.rules.position.dtype(compiled.enumerating_fields(solved.rules)))
    widths = [max(int(library.blocks[block, WIDTH]), 0) for block, _, _ in samples]
    found = np.zeros((sum(2 * width + 1 for width in widths), 4))
    ends = (np.zeros((SLOTS, 2 * END), np.int64), np.zeros(SLOTS), np.zeros((1, 2 * END), np.int64))
    room = (np.zeros(k.PLACE, np.int64), np.zeros(2 * max(widths) + 1), Ends(*ends))
    compiling.ready(_all, solved.rules)(solved.rules, m, work, library, *room, samples, found)
    return found


def sampled(solved: Solved, positions: int, seed: int) -> Any:
    """Enough samples for so many positions: a time, and one of the keys that are kept there."""
    luck = np.random.default_rng(seed)
    blocks = list(solved.blocks.values())
    kept = [np.flatnonzero(block.kept_of >= 0) if block.has_values else () for block in blocks]
    some = [number for number, members in enumerate(kept) if len(members)]
    made: list[tuple[int, int, int]] = []
    while positions > 0:
        number = int(luck.choice(some))
        block, member = blocks[number], int(luck.choice(kept[number]))
        made.append((number, int(block.kind.members[member]), member))
        positions -= 2 * max(block.width, 0) + 1
    return np.array(made, np.int64)


def _all(
    rules: Any, m: Any, work: Any, s: Library, time: Any, sums: Any, ends: Any, samples: Any,
    found: Any,
) -> None:  # fmt: skip
    first = 0
    for number in range(len(samples)):
        block, key, member = samples[number]
        width = max(s.blocks[block, WIDTH], 0)
        for at in range(TIME):
            time[k.STEADY + at] = s.times[block, at]
        for lead in range(-width, width + 1):
            won, lost = _kept_there(s, block, member, lead)
            found[first + width + lead, KEPT] = won + s.tie * (1.0 - won - lost)
            found[first + width + lead, BEST] = -1.0
        at = 0
        while True:
            _set_up(rules, work[0], s.keys[key], time, 0)
            call = legal_call(rules, m[0], work[0], at)
            if call == NO_CALL and at > 0:
                break
            if call != ILLEGAL:
                total = _add_up(rules, m[0], work, s, key, time, call, width, sums, ends)
                for column in range(2 * width + 1):
                    row = found[first + column]
                    row[BEST] = max(row[BEST], sums[column])
                    row[CHANCE] = total
                    row[CALLS] += 1
            at += 1
        first += 2 * width + 1


@register_jitable
def _add_up(
    rules: Any, m: Any, work: Any, s: Any, key: int, time: Any, call: int, width: int, sums: Any,
    ends: Ends,
) -> float:  # fmt: skip
    """What a call is worth to who is asked, at each lead, and the sum of all chances."""
    _set_up(rules, work[0], s.keys[key], time, 0)
    alike = s.keys[key].period != k.WITH_LEAD and not score_counts(rules, m, work[0])
    total = 0.0
    for lead in range(-width, width + 1):
        if lead == -width or not alike:
            total = _collect(rules, m, work, s, key, time, call, 0 if alike else lead, alike, ends)
        sums[width + lead] = 0.0
        for slot in range(SLOTS):
            if ends.chance[slot] > 0:
                sums[width + lead] += ends.chance[slot] * _worth(s, ends.known[slot], lead)
    return total


@register_jitable
def _collect(
    rules: Any, m: Any, work: Any, s: Any, key: int, time: Any, call: int, lead: int, alike: bool,
    ends: Ends,
) -> float:  # fmt: skip
    """Go along every path of the dice."""
    g = work[0]
    total = 0.0
    for slot in range(SLOTS):
        ends.chance[slot] = 0.0
    g._known = 0
    while True:
        _walk(rules, m, g, s.keys[key], time, call, lead)
        total += g._chance
        known = g._known
        take(rules, work[1], g)
        _end(rules, m, work, s, ends.new[0], lead, alike)
        _put(ends, g._chance)
        while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
            known -= 1
        if known == 0:
            return total
        g._path[known - 1] += 1
        g._known = known


@register_jitable
def _put(ends: Ends, chance: float) -> None:
    """Add the chance of a path to those that end in the same."""
    digest: Any = np.uint64(0)
    for at in range(2 * END):
        digest = mix(digest ^ np.uint64(ends.new[0, at] + 4096))
    slot = digest & np.uint64(SLOTS - 1)
    while ends.chance[slot] > 0:
        equal = True
        for at in range(2 * END):
            equal = equal and ends.known[slot, at] == ends.new[0, at]
        if equal:
            break
        slot = (slot + np.uint64(1)) & np.uint64(SLOTS - 1)
    for at in range(2 * END):
        ends.known[slot, at] = ends.new[0, at]
    ends.chance[slot] += chance


@register_jitable
def _end(rules: Any, m: Any, work: Any, s: Any, new: Any, lead: int, alike: bool) -> None:
    """Where the second record ends, by either answer of an instant decision."""
    then = work[1]
    for at in range(2 * END):
        new[at] = 0
    new[END + BLOCK] = NONE
    if is_over(rules, then) or not instant(rules, m, then):
        _note(rules, m, then, s, new, 0, lead, alike)
        return
    new[OURS] = asked(rules, m, then) == 0
    at = answers = 0
    while True:
        call = legal_call(rules, m, then, at)
        if call == NO_CALL:
            return
        if call != ILLEGAL:
            take(rules, work[2], then)
            work[2]._depth = 0
            work[2]._known = 0
            step(rules, m, work[2], call)
            _note(rules, m, work[2], s, new, END * answers, lead, alike)
            answers += 1
        at += 1


@register_jitable
def _note(rules: Any, m: Any, g: Any, s: Any, new: Any, first: int, lead: int, alike: bool) -> None:
    """The points that were made on the way, and the place in the file."""
    new[first + POINTS] = g.score[0] - g.score[1] - lead
    new[first + BLOCK] = OVER
    if not is_over(rules, g):
        part(rules, m, g, s.place)
        if alike and g.period == k.WITH_LEAD:
            raise ValueError("the lead matters where the rules say that it does not")
        new[first + FLIPPED] = s.place[k.FLIPPED]
        new[first + BLOCK], new[first + MEMBER] = _find(rules, g, s)


@register_jitable
def _worth(s: Any, end: Any, lead: int) -> float:
    """What an end is worth to home at a lead; who chooses takes the better answer."""
    best = -1.0
    for first in range(0, 2 * END, END):
        if end[first + BLOCK] == NONE:
            break
        ahead = lead + end[first + POINTS]
        if end[first + BLOCK] == OVER:
            won, lost = _decided(ahead)
        else:
            flipped = end[first + FLIPPED] != 0
            seen = -ahead if flipped else ahead
            won, lost = _chances(s, end[first + BLOCK], end[first + MEMBER], seen)
            if flipped:
                won, lost = lost, won
        worth = won + s.tie * (1.0 - won - lost)
        if first == 0 or (worth > best) == (end[OURS] != 0):
            best = worth
    return best
