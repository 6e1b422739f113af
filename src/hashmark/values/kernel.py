"""The rows of whole layers of positions, compiled: what a solver sums up, made by the rules.

For every key of a block and every call that is legal there, the rules are run along each path of
the dice. What a path ends in is a *target*: the points made, and where the game then stands, as a
*node*, for each of three cases: the other team leads then, nobody, we lead (the same node thrice
where the rules do not ask). Where an instant decision comes up at the end of a path, the row has
two targets and says who chooses. Rows of a call with the same targets are one row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from hashmark.table import keys as k
from hashmark.table.compiled import ILLEGAL, asked, is_over, legal_call, same, step, take
from hashmark.table.compiled_effects import meaning_of, written
from hashmark.table.generator import STRIDE, mix
from hashmark.table.keys import part, restore
from hashmark.table.rules import NO_CALL

ROW = np.dtype([("chance", "f8"), ("target", "i4"), ("other", "i4")])
THEIRS = 1 << 30  # in `other`, beside the number of the second target: the other team chooses
# A node: the number of the key (OVER if the game is), and its place without the lead.
NODE = 1 + k.LEAD
OVER, NONE = -1, -1
TARGET = 4  # points, and the nodes where the other team leads, nobody, we
CHOICE = 2  # a call, and the row after its last one

# The state between two slices.
KEYS, MEMBERS, NODES, TARGETS, ROWS, CHOICES, AT, CALL = range(8)
KEYS_HASHED, NODES_HASHED, TARGETS_HASHED = range(8, 11)
STATE = 11
DONE, SLICE_OVER, FULL = range(3)

HEIGHT = 1 << 18  # of both scores: room for a lead either way
FAR = 1 << 12  # a lead that no step can turn
FAULT = "an instant decision rolls dice, or the score decides which dice are rolled"


def score_counts(rules: Any, m: Any, g: Any) -> Any:
    """Whether the next step may look at the lead."""
    raise TypeError("compiled only")


def instant(rules: Any, m: Any, g: Any) -> Any:
    """Whether no call here rolls dice."""
    raise TypeError("compiled only")


def steady(rules: Any, m: Any, g: Any) -> Any:
    """The number of the steady block, or 0."""
    raise TypeError("compiled only")


@meaning_of(score_counts)
def _score_counts(rules: Any, m: Any, g: Any) -> Any:
    function = rules.value.score_counts
    return lambda rules, m, g: function(m, g)


@meaning_of(instant)
def _instant(rules: Any, m: Any, g: Any) -> Any:
    function = rules.value.solving.instant
    return lambda rules, m, g: function(m, g)


@meaning_of(steady)
def _steady(rules: Any, m: Any, g: Any) -> Any:
    function = rules.value.solving.steady
    return lambda rules, m, g: function(m, g)


def spread(rules: Any, key: Any) -> Any:
    """A number for the hash table of keys."""
    raise TypeError("compiled only")


@meaning_of(spread)
def _spread(rules: Any, key: Any) -> Any:
    known = {"mix": mix, "stride": np.uint64(STRIDE | 1), "uint64": np.uint64}
    return written("spread", "rules, g", k.spreading(rules.value), **known)


@meaning_of(part)
def _part(rules: Any, m: Any, g: Any, place: Any) -> Any:
    return k.parting(rules.value)


@meaning_of(restore)
def _restore(rules: Any, g: Any, place: Any) -> Any:
    return k.restoring(rules.value)


class Tables(NamedTuple):
    """What is filled: keys and nodes of all kinds, and the rows of a block."""

    keys: Any
    key_slots: Any
    members: Any
    is_member: Any
    nodes: Any
    node_slots: Any
    targets: Any
    target_slots: Any
    rows: Any
    row_slots: Any
    choices: Any
    firsts: Any
    state: Any
    place: Any  # a work space


def enumerate_block(rules: Any, m: Any, work: Any, time: Any, t: Any, most: int) -> int:
    """Go on with the members of a block, for at most so many calls; how the slice ended.

    The block stands at the place `time`. Keys that steps lead to in the same block become
    members of it. The choices are the calls of all members with the row after their last,
    `firsts[i]` is the first choice of member i. A table without room ends the slice: FULL; the
    call that was worked at is begun anew. `work` has two records.
    """
    g = work[0]
    match = m[0]
    state = t.state
    _hash_again(rules, t)
    for _ in range(most):
        if state[AT] == state[MEMBERS]:
            return DONE
        if state[CHOICES] == len(t.choices):
            return FULL
        key = t.keys[t.members[state[AT]]]
        _set_up(rules, g, key, time, 0)
        call = legal_call(rules, match, g, state[CALL])
        if state[CALL] == 0:
            t.firsts[state[AT]] = state[CHOICES]
        if call == NO_CALL and state[CALL] > 0:
            state[AT] += 1
            state[CALL] = 0
            t.firsts[state[AT]] = state[CHOICES]
            continue
        if call != ILLEGAL:
            first = state[ROWS]
            if not _add_rows(rules, match, work, time, key, call, t):
                state[ROWS] = first
                return FULL
            t.choices[state[CHOICES], 0] = call
            t.choices[state[CHOICES], 1] = state[ROWS]
            state[CHOICES] += 1
        state[CALL] += 1
    return SLICE_OVER


@register_jitable
def _set_up(rules: Any, g: Any, key: Any, time: Any, lead: int) -> None:
    """The position of a key at a time, with a lead unless the key has its own."""
    take(rules, g, key)
    restore(rules, g, time)
    ahead = lead
    if key.period == k.WITH_LEAD:
        ahead = key.score[0] - key.score[1]
    g.score[0] = HEIGHT + ahead
    g.score[1] = HEIGHT


@register_jitable
def _walk(rules: Any, m: Any, g: Any, key: Any, time: Any, call: int, lead: int) -> None:
    """Take a step along the path that is known."""
    _set_up(rules, g, key, time, lead)
    g._depth = 0
    g._chance = 1.0
    step(rules, m, g, call)
    if g._depth != g._known:
        raise ValueError(FAULT)


@register_jitable
def _go_on(
    rules: Any, m: Any, work: Any, key: Any, time: Any, call: int, lead: int, then: int
) -> None:
    """The end of the path for a lead, with an instant call after it, in the first record.

    What the path comes to before an instant call is in the second one, for a lead of 0.
    """
    g = work[0]
    if then == NO_CALL:
        _walk(rules, m, g, key, time, call, lead)
        return
    take(rules, g, work[1])
    g.score[0] += lead
    g._depth = g._known
    step(rules, m, g, then)
    if g._depth != g._known:
        raise ValueError(FAULT)


@register_jitable
def _add_rows(rules: Any, m: Any, work: Any, time: Any, key: Any, call: int, t: Any) -> bool:
    """The rows of one call; False if a table has no room for them."""
    g = work[0]
    first = t.state[ROWS]
    _set_up(rules, g, key, time, 0)
    apart = key.period == k.WITH_LEAD or not score_counts(rules, m, g)
    g._known = 0
    while True:
        _walk(rules, m, g, key, time, call, 0)
        chance = g._chance
        answer, second, theirs = NO_CALL, NO_CALL, 0
        if not is_over(rules, g) and instant(rules, m, g):
            take(rules, work[1], g)
            theirs = asked(rules, m, g)
            answer = _legal_after(rules, m, g, 0)
            second = _legal_after(rules, m, g, 1)
        target = _target(rules, m, work, time, key, call, answer, apart, t)
        other = NONE
        if second != NO_CALL:
            other = _target(rules, m, work, time, key, call, second, apart, t)
        if min(target, other) == _NO_ROOM:
            return False
        if other == target:
            other = NONE
        elif other != NONE and theirs:
            other |= THEIRS
        row = _row(target, other, t.rows, t.row_slots, first, t.state)
        if row == _NO_ROOM:
            return False
        t.rows[row].chance += chance
        known = g._known
        while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
            known -= 1
        if known == 0:
            return True
        g._path[known - 1] += 1
        g._known = known


_NO_ROOM = -2


@register_jitable
def _legal_after(rules: Any, m: Any, g: Any, skip: int) -> int:
    """A legal call of an instant decision, the first or the second."""
    at = 0
    while True:
        call = legal_call(rules, m, g, at)
        if call == NO_CALL:
            return NO_CALL
        if call != ILLEGAL:
            if skip == 0:
                return call
            skip -= 1
        at += 1


@register_jitable
def _target(
    rules: Any, m: Any, work: Any, time: Any, key: Any, call: int, then: int, apart: bool, t: Any
) -> int:
    """The number of what the path ends in, an instant call after it included."""
    g = work[0]
    if apart:
        if then != NO_CALL:
            _go_on(rules, m, work, key, time, call, 0, then)
        points = g.score[0] - g.score[1]
        if key.period == k.WITH_LEAD and not is_over(rules, g):
            points = 0
        level = _node(rules, m, g, time, t)
        behind, ahead = level, level
    else:
        _go_on(rules, m, work, key, time, call, FAR, then)
        points = g.score[0] - g.score[1] - FAR
        ahead = _node(rules, m, g, time, t)
        _go_on(rules, m, work, key, time, call, -FAR, then)
        behind = _node(rules, m, g, time, t)
        _go_on(rules, m, work, key, time, call, -points, then)
        level = _node(rules, m, g, time, t)
    if min(behind, level, ahead) == _NO_ROOM:
        return _NO_ROOM
    return _interned_target(points, behind, level, ahead, t.targets, t.target_slots, t.state)


@register_jitable
def _node(rules: Any, m: Any, g: Any, time: Any, t: Any) -> int:
    """The number of the node at which the game stands; its key joins the block if it is there."""
    place = t.place
    place[:] = 0
    number = OVER
    if not is_over(rules, g):
        part(rules, m, g, place)
        number = _number(rules, g, t.keys, t.key_slots, t.state)
        if number == _NO_ROOM:
            return _NO_ROOM
        here = place[k.STEADY] == time[k.STEADY]
        if time[k.STEADY] > 0:
            place[k.PERIOD] -= time[k.PERIOD]
            place[k.CLOCK] -= time[k.CLOCK]
            place[k.CARRIED] = place[k.MORE_CARRIED] = 0
        else:
            for at in range(k.PERIOD, k.LEAD):
                here = here and place[at] == time[at]
        if here and not _join(number, t):
            return _NO_ROOM
    return _interned_node(number, place, t.nodes, t.node_slots, t.state)


@register_jitable
def _join(number: int, t: Any) -> bool:
    """Let a key be a member; False if there is no room."""
    if t.is_member[number]:
        return True
    if t.state[MEMBERS] + 1 >= len(t.members):
        return False
    t.members[t.state[MEMBERS]] = number
    t.state[MEMBERS] += 1
    t.is_member[number] = True
    return True


@register_jitable
def _node_slot(number: int, place: Any, nodes: Any, slots: Any) -> Any:
    """Where in its hash table a node is, or would be."""
    digest: Any = np.uint64(number + 2)
    for at in range(k.LEAD):
        digest = mix(digest ^ np.uint64(place[at] + 4096))
    mask = np.uint64(len(slots) - 1)
    slot = digest & mask
    while slots[slot] >= 0:
        found = nodes[slots[slot]]
        equal = found[0] == number
        for at in range(k.LEAD):
            equal = equal and found[1 + at] == place[at]
        if equal:
            break
        slot = (slot + np.uint64(1)) & mask
    return slot


@register_jitable
def _interned_node(number: int, place: Any, nodes: Any, slots: Any, state: Any) -> int:
    """The number of a node, a new one if need be."""
    slot = _node_slot(number, place, nodes, slots)
    if slots[slot] >= 0:
        return slots[slot]
    new = state[NODES]
    if new == len(nodes):
        return _NO_ROOM
    nodes[new, 0] = number
    for at in range(k.LEAD):
        nodes[new, 1 + at] = place[at]
    slots[slot] = new
    state[NODES] = state[NODES_HASHED] = new + 1
    return new


@register_jitable
def _target_slot(points: int, behind: int, level: int, ahead: int, targets: Any, slots: Any) -> Any:
    """Where in its hash table a target is, or would be."""
    first: Any = np.uint64(points + 4096) ^ (np.uint64(behind) << np.uint64(32))
    second: Any = np.uint64(level) ^ (np.uint64(ahead) << np.uint64(32))
    digest = mix(mix(first) ^ second)
    mask = np.uint64(len(slots) - 1)
    slot = digest & mask
    while slots[slot] >= 0:
        found = targets[slots[slot]]
        alike = found[1] == behind and found[2] == level and found[3] == ahead
        if alike and found[0] == points:
            break
        slot = (slot + np.uint64(1)) & mask
    return slot


@register_jitable
def _interned_target(
    points: int, behind: int, level: int, ahead: int, targets: Any, slots: Any, state: Any
) -> int:
    """The number of a target, a new one if need be."""
    slot = _target_slot(points, behind, level, ahead, targets, slots)
    if slots[slot] >= 0:
        return slots[slot]
    new = state[TARGETS]
    if new == len(targets):
        return _NO_ROOM
    targets[new, 0] = points
    targets[new, 1] = behind
    targets[new, 2] = level
    targets[new, 3] = ahead
    slots[slot] = new
    state[TARGETS] = state[TARGETS_HASHED] = new + 1
    return new


@register_jitable
def _row(target: int, other: int, rows: Any, slots: Any, first: int, state: Any) -> int:
    """The row of this call for these targets, a new one if need be.

    The slots are never emptied: one that names a row of another call is as good as empty.
    """
    both: Any = np.uint64(target) ^ (np.uint64(other + 1) << np.uint64(32))
    digest = mix(both)
    mask = np.uint64(len(slots) - 1)
    slot = digest & mask
    while first <= slots[slot] < state[ROWS]:
        row = rows[slots[slot]]
        if row.target == target and row.other == other:
            return slots[slot]
        slot = (slot + np.uint64(1)) & mask
    new = state[ROWS]
    if new == len(rows) or new - first >= len(slots) // 2:
        return _NO_ROOM
    rows[new].chance = 0.0
    rows[new].target = target
    rows[new].other = other
    slots[slot] = new
    state[ROWS] += 1
    return new


@register_jitable
def _hash_again(rules: Any, t: Any) -> None:
    """Put what is not in the hash tables there: they may have grown."""
    state = t.state
    for number in range(state[KEYS_HASHED], state[KEYS]):
        t.key_slots[key_slot(rules, t.keys[number], t.keys, t.key_slots)] = number
    for number in range(state[NODES_HASHED], state[NODES]):
        node = t.nodes[number]
        t.node_slots[_node_slot(node[0], node[1:], t.nodes, t.node_slots)] = number
    for number in range(state[TARGETS_HASHED], state[TARGETS]):
        one = t.targets[number]
        slot = _target_slot(one[0], one[1], one[2], one[3], t.targets, t.target_slots)
        t.target_slots[slot] = number
    state[KEYS_HASHED] = state[KEYS]
    state[NODES_HASHED] = state[NODES]
    state[TARGETS_HASHED] = state[TARGETS]


@register_jitable
def key_slot(rules: Any, g: Any, keys: Any, slots: Any) -> Any:
    """Where in its hash table a key is, or would be."""
    mask = np.uint64(len(slots) - 1)
    slot = spread(rules, g) & mask
    while slots[slot] >= 0 and not same(rules, g, keys[slots[slot]]):
        slot = (slot + np.uint64(1)) & mask
    return slot


@register_jitable
def _number(rules: Any, g: Any, keys: Any, slots: Any, state: Any) -> int:
    """The number of a key, a new one if need be."""
    slot = key_slot(rules, g, keys, slots)
    if slots[slot] >= 0:
        return slots[slot]
    new = state[KEYS]
    if new == len(keys):
        return _NO_ROOM
    slots[slot] = new
    take(rules, keys[new], g)
    state[KEYS] = state[KEYS_HASHED] = new + 1
    return new


def steady_at(rules: Any, m: Any, work: Any, keys: Any, numbers: Any, time: Any, said: Any) -> None:
    """Which of these keys are steady at a time."""
    g = work[0]
    for at in range(len(numbers)):
        _set_up(rules, g, keys[numbers[at]], time, 0)
        said[at] = steady(rules, m[0], g)
