"""Compiled policy of the coach `best`: looks its calls up in the file of a solved game.

A `CompiledPolicy` is the whole file viewed as several dtypes, with tables that locate its blocks.
In a compiled loop it takes the place of a coach's number. Only decisions without dice are not
stored in the file: there the values after both answers are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from hashmark.compiler import dispatch, registration
from hashmark.compiler.dispatch import (
    ILLEGAL,
    copy_position,
    is_over,
    legal_call,
    step,
    team_to_act,
)
from hashmark.engine import solver_keys as k
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.engine.solver_keys import split_key
from hashmark.odds.arrays import Bytes, Floats, Ints, Records
from hashmark.values.solved import EQUAL_TOLERANCE, NOT_IN_SOLUTION, OVER, SolvedGame
from hashmark.values.sweep import outcome_weights
from hashmark.values.transition_kernel import (
    NODE_SIZE,
    OPPONENT_CHOOSES,
    ROW_DTYPE,
    TARGET_SIZE,
    is_instant,
    key_slot,
)

# Columns of the tables of blocks and of kinds. Offsets count numbers from the start of the file.
KIND, WIDTH, VALUES, BEST, IS_PARTIAL = range(5)
FIRSTS, CHOICES, TARGETS, NODES, ROWS = range(5)
NOT_FOUND = -1

Indices = NDArray[np.int32]
ChancesFunction = Callable[["CompiledPolicy", int, int, int], tuple[float, float]]
"""Chances of a member of a block at a lead."""


class CompiledPolicy(NamedTuple):
    """A solved game for compiled code; each thread has its own work space."""

    float64s: Floats
    int64s: Ints
    int8s: Bytes
    rows: Records
    keys: Records
    slots: Ints
    times: Ints
    blocks: Ints
    block_at: Indices  # block number by time, or NOT_FOUND
    kinds: Ints
    member_of: Indices  # by kind and key
    stored_index_of: Indices  # by kind and member
    even_clock_index_of: Indices
    multi_choice_index_of: Indices
    tie: float
    work: Records
    place: Ints

    @staticmethod
    def choose_function(rules: RuleSet) -> Any:
        """Return the compiled function that makes this coach's calls."""

        @register_jitable
        def choose(m: MatchRecord, g: PositionRecord, policy: CompiledPolicy) -> int:
            return best_call(rules, m, g, policy)

        return choose


def load_policy(solved: SolvedGame) -> CompiledPolicy:
    """Load the file of a solved game for compiled code, after verifying all of it."""
    rules, file = solved.rules, solved.file
    file.verify()
    keys = np.ascontiguousarray(file.array("keys"))
    slots = np.full(1 << (2 * len(keys)).bit_length(), NOT_FOUND, np.int64)
    registration.compile_loop(fill_key_slots, rules)(rules, keys, slots)
    kinds = np.full((len(solved.kinds), 5), NOT_FOUND, np.int64)
    names = ("firsts", "choices", "targets", "nodes", "rows")
    for number, row in enumerate(kinds):
        for column, name in enumerate(names):
            row[column] = _offset(
                solved, f"{name}/{number}", ROW_DTYPE.itemsize if name == "rows" else 8
            )
    all_blocks = list(solved.blocks.values())
    times = np.array([block.time for block in all_blocks], np.int64)
    block_at = np.full(times.max(axis=0) + 2, NOT_FOUND, np.int32)
    blocks = np.zeros((len(all_blocks), 5), np.int64)
    for number, block in enumerate(all_blocks):
        block_at[_index(block.time)] = number
        values = _offset(solved, f"values/{block.number}", 8)
        best = _offset(solved, f"best/{block.number}", 1)
        blocks[number] = (block.kind.number, block.width, values, best, not block.is_whole)
    return CompiledPolicy(
        float64s=file.view_as(np.float64),
        int64s=file.view_as(np.int64),
        int8s=file.view_as(np.int8),
        rows=file.view_as(ROW_DTYPE),
        keys=keys,
        slots=slots,
        times=times,
        blocks=blocks,
        block_at=block_at,
        kinds=kinds,
        member_of=np.stack([kind.member_of for kind in solved.kinds]).astype(np.int32),
        stored_index_of=_stacked([kind.stored_index_of for kind in solved.kinds]),
        even_clock_index_of=_stacked([kind.even_clock_index_of for kind in solved.kinds]),
        multi_choice_index_of=_stacked([kind.multi_choice_index_of for kind in solved.kinds]),
        tie=solved.tie,
        work=np.zeros(2, rules.position.dtype(dispatch.enumerating_fields(rules))),
        place=np.zeros(k.PLACE_SIZE, np.int64),
    )


def with_own_workspace(policy: CompiledPolicy) -> CompiledPolicy:
    """Return the same policy with a work space for another thread."""
    return policy._replace(work=np.zeros_like(policy.work), place=np.zeros_like(policy.place))


def _offset(solved: SolvedGame, name: str, size: int) -> int:
    return int(solved.file.offset(name)) // size if name in solved.file else NOT_FOUND


def _index(time: tuple[int, ...]) -> tuple[int, ...]:
    """Return a time as an index into the table of blocks; carried teams may be NOBODY."""
    return (*time[:3], *(carried + 1 for carried in time[3:]))


def _stacked(rows: list[Ints]) -> Indices:
    """Return rows of different lengths as one array, padded with NOT_FOUND."""
    length = max(map(len, rows))
    padded = (np.pad(row, (0, length - len(row)), constant_values=NOT_FOUND) for row in rows)
    return np.stack([row.astype(np.int32) for row in padded])


# --- Compiled ------------------------------------------------------------------------------


def fill_key_slots(rules: RuleSet, keys: Records, slots: Ints) -> None:
    """Fill the hash table of the keys."""
    for number in range(len(keys)):
        slots[key_slot(rules, keys[number], keys, slots)] = number


@register_jitable
def best_call(rules: RuleSet, m: MatchRecord, g: PositionRecord, s: CompiledPolicy) -> int:
    """Return the best call of the team to act."""
    if is_instant(rules, m, g):
        return _best_instant_call(rules, m, g, s)
    copy_position(rules, s.work[0], g)
    split_key(rules, m, s.work[0], s.place)
    block, member = _find(rules, s.work[0], s)
    kind = s.blocks[block, KIND]
    choice = s.int64s[s.kinds[kind, FIRSTS] + member]
    choice += _best_number(s, block, member, s.place[k.LEAD])
    return s.int64s[s.kinds[kind, CHOICES] + 2 * choice]


@register_jitable
def _best_instant_call(rules: RuleSet, m: MatchRecord, g: PositionRecord, s: CompiledPolicy) -> int:
    """Return the answer with the higher value, for a decision without dice."""
    team = team_to_act(rules, m, g)
    best, highest = NO_CALL, -1.0
    index = 0
    while True:
        call = legal_call(rules, m, g, index)
        if call == NO_CALL:
            return best
        if call != ILLEGAL:
            after = s.work[1]
            copy_position(rules, after, g)
            after._depth = 0
            after._known = 0
            step(rules, m, after, call)
            worth = _worth(rules, m, after, team, s)
            if worth > highest + EQUAL_TOLERANCE:
                best, highest = call, worth
        index += 1


@register_jitable
def _find(rules: RuleSet, key: PositionRecord, s: CompiledPolicy) -> tuple[int, int]:
    """Return the block of a key at the current place, and its member index."""
    number = s.slots[key_slot(rules, key, s.keys, s.slots)]
    if number < 0:
        raise ValueError(NOT_IN_SOLUTION)
    t = s.place
    block = s.block_at[
        t[k.STEADY], t[k.PERIOD], t[k.CLOCK], t[k.CARRIED] + 1, t[k.MORE_CARRIED] + 1
    ]
    if block < 0 or s.member_of[s.blocks[block, KIND], number] < 0:
        raise ValueError(NOT_IN_SOLUTION)
    return block, s.member_of[s.blocks[block, KIND], number]


@register_jitable
def _column(s: CompiledPolicy, block: int, lead: int) -> int:
    """Return the column of a lead; leads beyond the stored range are clamped."""
    width = s.blocks[block, WIDTH]
    if width < 0:
        return 0
    return min(max(lead, -width), width) + width


@register_jitable
def _span(s: CompiledPolicy, block: int) -> int:
    """Return the number of columns of a block."""
    return max(2 * s.blocks[block, WIDTH] + 1, 1)


@register_jitable
def _best_number(s: CompiledPolicy, block: int, member: int, lead: int) -> int:
    """Return the number of a member's best choice."""
    row = s.multi_choice_index_of[s.blocks[block, KIND], member]
    if row < 0:
        return 0
    return s.int8s[s.blocks[block, BEST] + row * _span(s, block) + _column(s, block, lead)]


@register_jitable
def _stored_row(s: CompiledPolicy, block: int, member: int) -> int:
    """Return the row of a member among the stored values, or NOT_FOUND."""
    if s.blocks[block, VALUES] < 0:
        return NOT_FOUND
    if s.blocks[block, IS_PARTIAL]:
        return s.even_clock_index_of[s.blocks[block, KIND], member]
    return s.stored_index_of[s.blocks[block, KIND], member]


@register_jitable
def _decided(lead: int) -> tuple[float, float]:
    """Return the win and loss chances of a team at the end of a game, by its lead."""
    return (1.0 if lead > 0 else 0.0), (1.0 if lead < 0 else 0.0)


@register_jitable
def _is_far(s: CompiledPolicy, block: int, lead: int) -> bool:
    """Return whether a lead is beyond the stored range."""
    width = s.blocks[block, WIDTH]
    return width >= 0 and abs(lead) > width


@register_jitable
def _stored_chances(s: CompiledPolicy, block: int, row: int, lead: int) -> tuple[float, float]:
    """Return the stored chances; a lead beyond the stored range decides the game."""
    if _is_far(s, block, lead):
        return _decided(lead)
    span = _span(s, block)
    first = s.blocks[block, VALUES] + row * 2 * span + _column(s, block, lead)
    return s.float64s[first], s.float64s[first + span]


@register_jitable
def _stored_member_chances(
    s: CompiledPolicy, block: int, member: int, lead: int
) -> tuple[float, float]:
    """Return the chances of a stored member."""
    row = _stored_row(s, block, member)
    if row < 0:
        raise ValueError(NOT_IN_SOLUTION)
    return _stored_chances(s, block, row, lead)


def make_chances_function(chances_there: ChancesFunction) -> Any:
    """Build a function that returns the chances of the team to act, stored or summed.

    `chances_there` returns the chances of successor positions in the same way. Compiled code does
    not recurse here: a sum of sums is built from this function's own result.
    """

    @register_jitable
    def chances(s: CompiledPolicy, block: int, member: int, lead: int) -> tuple[float, float]:
        if _is_far(s, block, lead):
            return _decided(lead)
        stored_row = _stored_row(s, block, member)
        if stored_row >= 0:
            return _stored_chances(s, block, stored_row, lead)
        kind = s.blocks[block, KIND]
        choice = s.int64s[s.kinds[kind, FIRSTS] + member] + _best_number(s, block, member, lead)
        ends = s.kinds[kind, CHOICES] + 1
        begin = 0 if choice == 0 else s.int64s[ends + 2 * (choice - 1)]
        won, lost = 0.0, 0.0
        for index in range(begin, s.int64s[ends + 2 * choice]):
            row = s.rows[s.kinds[kind, ROWS] + index]
            wins, loses = after(s, block, row.target, lead)
            if row.other >= 0:
                of_won, of_lost = outcome_weights(row.other & OPPONENT_CHOOSES, s.tie)
                other_wins, other_loses = after(s, block, row.other & (OPPONENT_CHOOSES - 1), lead)
                if of_won * (wins - other_wins) + of_lost * (loses - other_loses) < 0:
                    wins, loses = other_wins, other_loses
            won += row.chance * wins
            lost += row.chance * loses
        return won, lost

    @register_jitable
    def after(s: CompiledPolicy, block: int, target: int, lead: int) -> tuple[float, float]:
        """Return the chances, after a target, of the team that was to act before it."""
        kind = s.blocks[block, KIND]
        entry = s.kinds[kind, TARGETS] + TARGET_SIZE * target
        ahead = lead + s.int64s[entry]
        node = s.kinds[kind, NODES] + NODE_SIZE * s.int64s[entry + 2 + (ahead > 0) - (ahead < 0)]
        if s.int64s[node] == OVER:
            return _decided(ahead)
        flipped = s.int64s[node + 1 + k.IS_FLIPPED]
        next_block, member = _successor(s, block, node)
        won, lost = chances_there(s, next_block, member, -ahead if flipped else ahead)
        if flipped:
            return lost, won
        return won, lost

    return chances


@register_jitable
def _successor(s: CompiledPolicy, block: int, node: int) -> tuple[int, int]:
    """Return the block of a node reached from a block, and its member index there."""
    flipped = s.int64s[node + 1 + k.IS_FLIPPED]
    time = s.times[block]
    period = time[1] + s.int64s[node + 1 + k.PERIOD]
    clock = time[2] + s.int64s[node + 1 + k.CLOCK]
    carried = _carried_from_other_side(time[3], flipped) + 1
    more = _carried_from_other_side(time[4], flipped) + 1
    for steady in range(s.block_at.shape[0]):
        next_block = s.block_at[steady, period, clock, carried, more]
        if next_block >= 0:
            member = s.member_of[s.blocks[next_block, KIND], s.int64s[node]]
            if member >= 0:
                return next_block, member
    raise ValueError(NOT_IN_SOLUTION)


@register_jitable
def _carried_from_other_side(carried: int, flipped: int) -> int:
    """Return a carried team, or NOBODY, as seen from the other side if flipped."""
    if flipped and carried >= 0:
        return 1 - carried
    return carried


_chances = make_chances_function(_stored_member_chances)


@register_jitable
def _worth(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, team: int, s: CompiledPolicy
) -> float:
    """Return the worth of a position to a team."""
    lead = g.score[team] - g.score[1 - team]
    if is_over(rules, g):
        won, lost = _decided(lead)
    else:
        split_key(rules, m, g, s.place)
        block, member = _find(rules, g, s)
        won, lost = _chances(s, block, member, s.place[k.LEAD])
        if s.place[k.IS_FLIPPED] != team:
            won, lost = lost, won
    return won + s.tie * (1.0 - won - lost)
