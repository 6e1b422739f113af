"""Compiled enumeration of whole layers of positions: the transition rows that the solver sums.

For every key of a block and every legal call, the rules run along each path of the dice. A path
ends in a *target*: the points scored and the resulting *node*, for each of three cases: the other
team leads afterwards, the score is tied, we lead (the same node three times where the rules ignore
the score). If an instant decision comes up at the end of a path, the row has two targets and says
which team chooses. Rows of a call with equal targets are merged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numba import types
from numba.extending import register_jitable

from hashmark.compiler.constants import RulesType
from hashmark.compiler.dispatch import (
    ILLEGAL,
    copy_position,
    is_over,
    is_same,
    legal_call,
    step,
    team_to_act,
)
from hashmark.compiler.effects import compile_as_rule, compiled_meaning, make_numpy_function
from hashmark.engine import solver_keys as k
from hashmark.engine.generator import STRIDE, mix
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.engine.solver_keys import restore_place, split_key
from hashmark.odds.arrays import Flags, Ints, Records

if TYPE_CHECKING:
    from hashmark.odds.arrays import EnumeratedPosition

ROW_DTYPE = np.dtype([("chance", "f8"), ("target", "i4"), ("other", "i4")])
OPPONENT_CHOOSES = 1 << 30  # flag in `other`: the other team chooses between the two targets
# A node: the number of its key (OVER if the game has ended), and its place without the lead.
NODE_SIZE = 1 + k.LEAD
OVER, NONE = -1, -1
TARGET_SIZE = 4  # points, then the nodes if the other team leads, the score is tied, we lead
CHOICE_SIZE = 2  # a call, and the end of its rows

# Layout of the state that is carried between slices.
KEYS, MEMBERS, NODES, TARGETS, ROWS, CHOICES, NEXT_MEMBER, NEXT_CALL = range(8)
KEYS_HASHED, NODES_HASHED, TARGETS_HASHED = range(8, 11)
STATE_SIZE = 11
DONE, SLICE_OVER, FULL = range(3)

BASE_SCORE = 1 << 18  # added to both scores, so that leads either way stay nonnegative
DECISIVE_LEAD = 1 << 12  # a lead that no single step can overturn
NOT_SOLVABLE = "an instant decision rolls dice, or the score decides which dice are rolled"


def score_matters(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Any:
    """Return whether the next step may depend on the lead."""
    raise TypeError("compiled only")


def is_instant(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Any:
    """Return whether no call here rolls dice."""
    raise TypeError("compiled only")


def steady_number(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Any:
    """Return the number of the steady block, or 0."""
    raise TypeError("compiled only")


compile_as_rule(score_matters, "solver.score_matters")
compile_as_rule(is_instant, "solver.spec.is_instant")
compile_as_rule(steady_number, "solver.spec.steady_layer")


def hash_key(rules: RuleSet, key: PositionRecord) -> Any:
    """Return the hash of a key."""
    raise TypeError("compiled only")


@compiled_meaning(hash_key)
def _spread(rules: RulesType, key: types.Type) -> Any:
    known = {"mix": mix, "stride": np.uint64(STRIDE | 1), "uint64": np.uint64}
    return make_numpy_function("spread", "rules, g", k.key_hash_lines(rules.value), **known)


@compiled_meaning(split_key)
def _part(rules: RulesType, m: types.Type, g: types.Type, place: types.Type) -> Any:
    return k.split_key_function(rules.value)


@compiled_meaning(restore_place)
def _restore(rules: RulesType, g: types.Type, place: types.Type) -> Any:
    return k.restore_place_function(rules.value)


class TransitionRow(Protocol):
    """A row: its chance, its target, and the second target of an instant decision or NONE."""

    chance: float
    target: int
    other: int


class Tables(NamedTuple):
    """Output arrays: keys and nodes of all kinds, and the rows of one block."""

    keys: Records
    key_slots: Ints
    members: Ints
    is_member: Flags
    nodes: Ints
    node_slots: Ints
    targets: Ints
    target_slots: Ints
    rows: Records
    row_slots: Ints
    choices: Ints
    firsts: Ints
    state: Ints
    place: Ints  # scratch space


def enumerate_block(
    rules: RuleSet, m: Records, work: Records, time: Ints, t: Tables, most: int
) -> int:
    """Enumerate the calls of a block's members, at most `most` calls; return how the slice ended.

    `time` is the place of the block. Keys reached within the same block become members of it. Each
    choice is a call with the end of its rows; `firsts[i]` is the first choice of member i. A full
    table ends the slice with FULL, and the unfinished call starts over. `work` has two records.
    """
    g = work[0]
    match = m[0]
    state = t.state
    _rehash(rules, t)
    for _ in range(most):
        if state[NEXT_MEMBER] == state[MEMBERS]:
            return DONE
        if state[CHOICES] == len(t.choices):
            return FULL
        key = t.keys[t.members[state[NEXT_MEMBER]]]
        _set_up(rules, g, key, time, 0)
        call = legal_call(rules, match, g, state[NEXT_CALL])
        if state[NEXT_CALL] == 0:
            t.firsts[state[NEXT_MEMBER]] = state[CHOICES]
        if call == NO_CALL and state[NEXT_CALL] > 0:
            state[NEXT_MEMBER] += 1
            state[NEXT_CALL] = 0
            t.firsts[state[NEXT_MEMBER]] = state[CHOICES]
            continue
        if call != ILLEGAL:
            first = state[ROWS]
            if not _add_rows(rules, match, work, time, key, call, t):
                state[ROWS] = first
                return FULL
            t.choices[state[CHOICES], 0] = call
            t.choices[state[CHOICES], 1] = state[ROWS]
            state[CHOICES] += 1
        state[NEXT_CALL] += 1
    return SLICE_OVER


@register_jitable
def _set_up(rules: RuleSet, g: PositionRecord, key: PositionRecord, time: Ints, lead: int) -> None:
    """Set up the position of a key at a time, with this lead unless the key has its own."""
    copy_position(rules, g, key)
    restore_place(rules, g, time)
    ahead = lead
    if key.period == k.LEAD_KEY_PERIOD:
        ahead = key.score[0] - key.score[1]
    g.score[0] = BASE_SCORE + ahead
    g.score[1] = BASE_SCORE


@register_jitable
def _walk(
    rules: RuleSet,
    m: MatchRecord,
    g: EnumeratedPosition,
    key: PositionRecord,
    time: Ints,
    call: int,
    lead: int,
) -> None:
    """Run a step along the path chosen so far."""
    _set_up(rules, g, key, time, lead)
    g._depth = 0
    g._chance = 1.0
    step(rules, m, g, call)
    if g._depth != g._known:
        raise ValueError(NOT_SOLVABLE)


@register_jitable
def _continue_path(
    rules: RuleSet,
    m: MatchRecord,
    work: Records,
    key: PositionRecord,
    time: Ints,
    call: int,
    lead: int,
    answer: int,
) -> None:
    """Run to the end of the path with a given lead and an instant call, in the first record.

    The second record holds the position before the instant call, for a lead of 0.
    """
    g = work[0]
    if answer == NO_CALL:
        _walk(rules, m, g, key, time, call, lead)
        return
    copy_position(rules, g, work[1])
    g.score[0] += lead
    g._depth = g._known
    step(rules, m, g, answer)
    if g._depth != g._known:
        raise ValueError(NOT_SOLVABLE)


@register_jitable
def _add_rows(
    rules: RuleSet,
    m: MatchRecord,
    work: Records,
    time: Ints,
    key: PositionRecord,
    call: int,
    t: Tables,
) -> bool:
    """Add the rows of one call; return False if a table is full."""
    g = work[0]
    first = t.state[ROWS]
    _set_up(rules, g, key, time, 0)
    ignores_score = key.period == k.LEAD_KEY_PERIOD or not score_matters(rules, m, g)
    g._known = 0
    while True:
        _walk(rules, m, g, key, time, call, 0)
        chance = g._chance
        answer, second, chooser = NO_CALL, NO_CALL, 0
        if not is_over(rules, g) and is_instant(rules, m, g):
            copy_position(rules, work[1], g)
            chooser = team_to_act(rules, m, g)
            answer = _instant_call(rules, m, g, 0)
            second = _instant_call(rules, m, g, 1)
        target = _target(rules, m, work, time, key, call, answer, ignores_score, t)
        other_target = NONE
        if second != NO_CALL:
            other_target = _target(rules, m, work, time, key, call, second, ignores_score, t)
        if min(target, other_target) == _TABLE_FULL:
            return False
        if other_target == target:
            other_target = NONE
        elif other_target != NONE and chooser:
            other_target |= OPPONENT_CHOOSES
        row = _intern_row(target, other_target, t.rows, t.row_slots, first, t.state)
        if row == _TABLE_FULL:
            return False
        t.rows[row].chance += chance
        known = g._known
        while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
            known -= 1
        if known == 0:
            return True
        g._path[known - 1] += 1
        g._known = known


_TABLE_FULL = -2


@register_jitable
def _instant_call(rules: RuleSet, m: MatchRecord, g: PositionRecord, skip: int) -> int:
    """Return the first legal call of an instant decision, or the second with `skip` 1."""
    index = 0
    while True:
        call = legal_call(rules, m, g, index)
        if call == NO_CALL:
            return NO_CALL
        if call != ILLEGAL:
            if skip == 0:
                return call
            skip -= 1
        index += 1


@register_jitable
def _target(
    rules: RuleSet,
    m: MatchRecord,
    work: Records,
    time: Ints,
    key: PositionRecord,
    call: int,
    answer: int,
    ignores_score: bool,
    t: Tables,
) -> int:
    """Return the number of the target in which the path ends, including an instant call."""
    g = work[0]
    if ignores_score:
        if answer != NO_CALL:
            _continue_path(rules, m, work, key, time, call, 0, answer)
        points = g.score[0] - g.score[1]
        if key.period == k.LEAD_KEY_PERIOD and not is_over(rules, g):
            points = 0
        level = _node(rules, m, g, time, t)
        behind, ahead = level, level
    else:
        _continue_path(rules, m, work, key, time, call, DECISIVE_LEAD, answer)
        points = g.score[0] - g.score[1] - DECISIVE_LEAD
        ahead = _node(rules, m, g, time, t)
        _continue_path(rules, m, work, key, time, call, -DECISIVE_LEAD, answer)
        behind = _node(rules, m, g, time, t)
        _continue_path(rules, m, work, key, time, call, -points, answer)
        level = _node(rules, m, g, time, t)
    if min(behind, level, ahead) == _TABLE_FULL:
        return _TABLE_FULL
    return _intern_target(points, behind, level, ahead, t.targets, t.target_slots, t.state)


@register_jitable
def _node(rules: RuleSet, m: MatchRecord, g: PositionRecord, time: Ints, t: Tables) -> int:
    """Return the number of the node of a position; its key joins the block if it belongs there."""
    place = t.place
    place[:] = 0
    number = OVER
    if not is_over(rules, g):
        split_key(rules, m, g, place)
        number = _intern_key(rules, g, t.keys, t.key_slots, t.state)
        if number == _TABLE_FULL:
            return _TABLE_FULL
        is_in_block = place[k.STEADY] == time[k.STEADY]
        if time[k.STEADY] > 0:
            place[k.PERIOD] -= time[k.PERIOD]
            place[k.CLOCK] -= time[k.CLOCK]
            place[k.CARRIED] = place[k.MORE_CARRIED] = 0
        else:
            for index in range(k.PERIOD, k.LEAD):
                is_in_block = is_in_block and place[index] == time[index]
        if is_in_block and not _join(number, t):
            return _TABLE_FULL
    return _intern_node(number, place, t.nodes, t.node_slots, t.state)


@register_jitable
def _join(number: int, t: Tables) -> bool:
    """Make a key a member of the block; return False if there is no room."""
    if t.is_member[number]:
        return True
    if t.state[MEMBERS] + 1 >= len(t.members):
        return False
    t.members[t.state[MEMBERS]] = number
    t.state[MEMBERS] += 1
    t.is_member[number] = True
    return True


@register_jitable
def _node_slot(number: int, place: Ints, nodes: Ints, slots: Ints) -> Any:
    """Return the hash slot of a node, occupied or free."""
    digest: Any = np.uint64(number + 2)
    for index in range(k.LEAD):
        digest = mix(digest ^ np.uint64(place[index] + 4096))
    mask = np.uint64(len(slots) - 1)
    slot = digest & mask
    while slots[slot] >= 0:
        node = nodes[slots[slot]]
        equal = node[0] == number
        for index in range(k.LEAD):
            equal = equal and node[1 + index] == place[index]
        if equal:
            break
        slot = (slot + np.uint64(1)) & mask
    return slot


@register_jitable
def _intern_node(number: int, place: Ints, nodes: Ints, slots: Ints, state: Ints) -> int:
    """Return the number of a node, adding it if it is new."""
    slot = _node_slot(number, place, nodes, slots)
    if slots[slot] >= 0:
        return slots[slot]
    new = state[NODES]
    if new == len(nodes):
        return _TABLE_FULL
    nodes[new, 0] = number
    for index in range(k.LEAD):
        nodes[new, 1 + index] = place[index]
    slots[slot] = new
    state[NODES] = state[NODES_HASHED] = new + 1
    return new


@register_jitable
def _target_slot(
    points: int, behind: int, level: int, ahead: int, targets: Ints, slots: Ints
) -> Any:
    """Return the hash slot of a target, occupied or free."""
    first: Any = np.uint64(points + 4096) ^ (np.uint64(behind) << np.uint64(32))
    second: Any = np.uint64(level) ^ (np.uint64(ahead) << np.uint64(32))
    digest = mix(mix(first) ^ second)
    mask = np.uint64(len(slots) - 1)
    slot = digest & mask
    while slots[slot] >= 0:
        target = targets[slots[slot]]
        same_nodes = target[1] == behind and target[2] == level and target[3] == ahead
        if same_nodes and target[0] == points:
            break
        slot = (slot + np.uint64(1)) & mask
    return slot


@register_jitable
def _intern_target(
    points: int, behind: int, level: int, ahead: int, targets: Ints, slots: Ints, state: Ints
) -> int:
    """Return the number of a target, adding it if it is new."""
    slot = _target_slot(points, behind, level, ahead, targets, slots)
    if slots[slot] >= 0:
        return slots[slot]
    new = state[TARGETS]
    if new == len(targets):
        return _TABLE_FULL
    targets[new, 0] = points
    targets[new, 1] = behind
    targets[new, 2] = level
    targets[new, 3] = ahead
    slots[slot] = new
    state[TARGETS] = state[TARGETS_HASHED] = new + 1
    return new


@register_jitable
def _intern_row(
    target: int, other: int, rows: Records, slots: Ints, first: int, state: Ints
) -> int:
    """Return the row of this call for these targets, adding it if it is new.

    Slots are never cleared: a slot that refers to a row of another call counts as free.
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
        return _TABLE_FULL
    rows[new].chance = 0.0
    rows[new].target = target
    rows[new].other = other
    slots[slot] = new
    state[ROWS] += 1
    return new


@register_jitable
def _rehash(rules: RuleSet, t: Tables) -> None:
    """Insert entries that are not yet in the hash tables, which may have grown."""
    state = t.state
    for number in range(state[KEYS_HASHED], state[KEYS]):
        t.key_slots[key_slot(rules, t.keys[number], t.keys, t.key_slots)] = number
    for number in range(state[NODES_HASHED], state[NODES]):
        node = t.nodes[number]
        t.node_slots[_node_slot(node[0], node[1:], t.nodes, t.node_slots)] = number
    for number in range(state[TARGETS_HASHED], state[TARGETS]):
        target = t.targets[number]
        slot = _target_slot(target[0], target[1], target[2], target[3], t.targets, t.target_slots)
        t.target_slots[slot] = number
    state[KEYS_HASHED] = state[KEYS]
    state[NODES_HASHED] = state[NODES]
    state[TARGETS_HASHED] = state[TARGETS]


@register_jitable
def key_slot(rules: RuleSet, g: PositionRecord, keys: Records, slots: Ints) -> Any:
    """Return the hash slot of a key, occupied or free."""
    mask = np.uint64(len(slots) - 1)
    slot = hash_key(rules, g) & mask
    while slots[slot] >= 0 and not is_same(rules, g, keys[slots[slot]]):
        slot = (slot + np.uint64(1)) & mask
    return slot


@register_jitable
def _intern_key(rules: RuleSet, g: PositionRecord, keys: Records, slots: Ints, state: Ints) -> int:
    """Return the number of a key, adding it if it is new."""
    slot = key_slot(rules, g, keys, slots)
    if slots[slot] >= 0:
        return slots[slot]
    new = state[KEYS]
    if new == len(keys):
        return _TABLE_FULL
    slots[slot] = new
    copy_position(rules, keys[new], g)
    state[KEYS] = state[KEYS_HASHED] = new + 1
    return new


def steady_at(
    rules: RuleSet,
    m: Records,
    work: Records,
    keys: Records,
    numbers: Ints,
    time: Ints,
    steady_numbers: Ints,
) -> None:
    """Write the steady number of each key at a time into `steady_numbers`."""
    g = work[0]
    for index in range(len(numbers)):
        _set_up(rules, g, keys[numbers[index]], time, 0)
        steady_numbers[index] = steady_number(rules, m[0], g)
