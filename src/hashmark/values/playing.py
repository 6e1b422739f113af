"""The coach `best` in compiled games: it reads its calls from the file of a solved game.

A `Library` is the whole file, seen as numbers of several kinds, with tables that say where in it
the blocks lie. In a compiled loop it sits where else the number of a coach does. Only a decision
without dice is not in the file: there the values after both answers are compared.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from hashmark.table import compiled, compiling
from hashmark.table import keys as k
from hashmark.table.compiled import ILLEGAL, asked, is_over, legal_call, step, take
from hashmark.table.keys import part
from hashmark.table.rules import NO_CALL, RuleSet
from hashmark.values.kernel import NODE as NODE_SIZE
from hashmark.values.kernel import ROW, TARGET, THEIRS, instant, key_slot
from hashmark.values.solved import NOT_THERE, OVER, SLACK, Solved
from hashmark.values.sweep import weights

# Where things lie: of a block and of a kind. Offsets count numbers from the beginning of the file.
KIND, WIDTH, VALUES, BEST, BETWEEN = range(5)
FIRSTS, CHOICES, TARGETS, NODES, ROWS = range(5)
NOWHERE = -1
TIME = k.LEAD - k.STEADY  # how many numbers the time of a block is


class Library(NamedTuple):
    """A solved game for compiled code; each thread has room of its own."""

    floats: Any
    whole: Any
    small: Any
    rows: Any
    keys: Any
    slots: Any
    times: Any
    blocks: Any
    at: Any  # the number of the block of a time, or NOWHERE
    kinds: Any
    member_of: Any
    kept_of: Any
    between_of: Any
    several: Any
    tie: float
    work: Any
    place: Any

    @staticmethod
    def chooser(rules: RuleSet) -> Any:
        """What this coach calls, as compiled code."""

        @register_jitable
        def choose(m: Any, g: Any, library: Any) -> Any:
            return best_call(rules, m, g, library)

        return choose


def open_library(solved: Solved) -> Library:
    """The file of a solved game as compiled code reads it; all of it is checked first."""
    rules, file = solved.rules, solved.file
    file.check()
    keys = np.ascontiguousarray(file.array("keys"))
    slots = np.full(1 << (2 * len(keys)).bit_length(), NOWHERE, np.int64)
    compiling.ready(number_keys, rules)(rules, keys, slots)
    kinds = np.full((len(solved.kinds), 5), NOWHERE, np.int64)
    names = ("firsts", "choices", "targets", "nodes", "rows")
    for number, row in enumerate(kinds):
        for column, name in enumerate(names):
            row[column] = _offset(solved, f"{name}/{number}", ROW.itemsize if name == "rows" else 8)
    listed = list(solved.blocks.values())
    times = np.array([block.time for block in listed], np.int64)
    at = np.full(times.max(axis=0) + 2, NOWHERE, np.int32)
    blocks = np.zeros((len(listed), 5), np.int64)
    for number, block in enumerate(listed):
        at[_index(block.time)] = number
        values = _offset(solved, f"values/{block.number}", 8)
        best = _offset(solved, f"best/{block.number}", 1)
        blocks[number] = (block.kind.number, block.width, values, best, not block.is_whole)
    most = max(len(kind.members) for kind in solved.kinds)
    return Library(
        floats=file.everything(np.float64),
        whole=file.everything(np.int64),
        small=file.everything(np.int8),
        rows=file.everything(ROW),
        keys=keys,
        slots=slots,
        times=times,
        blocks=blocks,
        at=at,
        kinds=kinds,
        member_of=np.stack([kind.member_of for kind in solved.kinds]).astype(np.int32),
        kept_of=np.stack([_padded(kind.kept_of, most) for kind in solved.kinds]),
        between_of=np.stack([_padded(kind.between_of, most) for kind in solved.kinds]),
        several=np.stack([_padded(kind.several, most) for kind in solved.kinds]),
        tie=solved.tie,
        work=np.zeros(2, rules.position.dtype(compiled.enumerating_fields(rules))),
        place=np.zeros(k.PLACE, np.int64),
    )


def own_room(library: Library) -> Library:
    """The same library with room for another thread."""
    return library._replace(work=np.zeros_like(library.work), place=np.zeros_like(library.place))


def _offset(solved: Solved, name: str, size: int) -> int:
    return int(solved.file.offset(name)) // size if name in solved.file else NOWHERE


def _index(time: tuple[int, ...]) -> tuple[int, ...]:
    """A time as a place in the table of blocks; what is carried may be nobody."""
    return (*time[:3], *(carried + 1 for carried in time[3:]))


def _padded(numbers: Any, most: int) -> Any:
    return np.pad(numbers, (0, most - len(numbers)), constant_values=NOWHERE).astype(np.int32)


# --- Compiled ------------------------------------------------------------------------------


def number_keys(rules: Any, keys: Any, slots: Any) -> None:
    """Fill the hash table of the keys."""
    for number in range(len(keys)):
        slots[key_slot(rules, keys[number], keys, slots)] = number


@register_jitable
def best_call(rules: Any, m: Any, g: Any, s: Any) -> int:
    """The best call of the team that is asked."""
    if instant(rules, m, g):
        return _by_values(rules, m, g, s)
    take(rules, s.work[0], g)
    part(rules, m, s.work[0], s.place)
    block, member = _find(rules, s.work[0], s)
    kind = s.blocks[block, KIND]
    choice = s.whole[s.kinds[kind, FIRSTS] + member]
    choice += _best_number(s, block, member, s.place[k.LEAD])
    return s.whole[s.kinds[kind, CHOICES] + 2 * choice]


@register_jitable
def _by_values(rules: Any, m: Any, g: Any, s: Any) -> int:
    """Of a decision without dice the answer after which our team stands better."""
    team = asked(rules, m, g)
    best, highest = NO_CALL, -1.0
    at = 0
    while True:
        call = legal_call(rules, m, g, at)
        if call == NO_CALL:
            return best
        if call != ILLEGAL:
            then = s.work[1]
            take(rules, then, g)
            then._depth = 0
            then._known = 0
            step(rules, m, then, call)
            worth = _worth(rules, m, then, team, s)
            if worth > highest + SLACK:
                best, highest = call, worth
        at += 1


@register_jitable
def _find(rules: Any, key: Any, s: Any) -> tuple[int, int]:
    """The block of the key at the place, and which of its members it is."""
    number = s.slots[key_slot(rules, key, s.keys, s.slots)]
    if number < 0:
        raise ValueError(NOT_THERE)
    t = s.place
    block = s.at[t[k.STEADY], t[k.PERIOD], t[k.CLOCK], t[k.CARRIED] + 1, t[k.MORE_CARRIED] + 1]
    if block < 0 or s.member_of[s.blocks[block, KIND], number] < 0:
        raise ValueError(NOT_THERE)
    return block, s.member_of[s.blocks[block, KIND], number]


@register_jitable
def _column(s: Any, block: int, lead: int) -> int:
    """The column of a lead; who is further ahead than any is looked up as the furthest."""
    width = s.blocks[block, WIDTH]
    if width < 0:
        return 0
    return min(max(lead, -width), width) + width


@register_jitable
def _span(s: Any, block: int) -> int:
    """How many columns a block has."""
    return max(2 * s.blocks[block, WIDTH] + 1, 1)


@register_jitable
def _best_number(s: Any, block: int, member: int, lead: int) -> int:
    """The number of the best choice of a member."""
    row = s.several[s.blocks[block, KIND], member]
    if row < 0:
        return 0
    return s.small[s.blocks[block, BEST] + row * _span(s, block) + _column(s, block, lead)]


@register_jitable
def _kept_row(s: Any, block: int, member: int) -> int:
    """The row of a member among those whose values are kept, or NOWHERE."""
    if s.blocks[block, VALUES] < 0:
        return NOWHERE
    if s.blocks[block, BETWEEN]:
        return s.between_of[s.blocks[block, KIND], member]
    return s.kept_of[s.blocks[block, KIND], member]


@register_jitable
def _decided(lead: int) -> tuple[float, float]:
    """The chances of a team that leads by so much at the end."""
    return (1.0 if lead > 0 else 0.0), (1.0 if lead < 0 else 0.0)


@register_jitable
def _is_far(s: Any, block: int, lead: int) -> bool:
    """Whether a lead is further than those that are kept."""
    width = s.blocks[block, WIDTH]
    return width >= 0 and abs(lead) > width


@register_jitable
def _kept(s: Any, block: int, row: int, lead: int) -> tuple[float, float]:
    """The chances that are kept; a lead that is further than these decides the game."""
    if _is_far(s, block, lead):
        return _decided(lead)
    span = _span(s, block)
    first = s.blocks[block, VALUES] + row * 2 * span + _column(s, block, lead)
    return s.floats[first], s.floats[first + span]


@register_jitable
def _kept_there(s: Any, block: int, member: int, lead: int) -> tuple[float, float]:
    """The chances of a member that is kept."""
    row = _kept_row(s, block, member)
    if row < 0:
        raise ValueError(NOT_THERE)
    return _kept(s, block, row, lead)


def summing(chances_there: Any) -> Any:
    """The chances of the team that is asked: from the file, or a sum of what comes after.

    `chances_there` says those of what comes after, in the same way. Compiled code does not call
    itself here, so a sum of sums is made of this function's own result.
    """

    @register_jitable
    def chances(s: Any, block: int, member: int, lead: int) -> tuple[float, float]:
        if _is_far(s, block, lead):
            return _decided(lead)
        row = _kept_row(s, block, member)
        if row >= 0:
            return _kept(s, block, row, lead)
        kind = s.blocks[block, KIND]
        choice = s.whole[s.kinds[kind, FIRSTS] + member] + _best_number(s, block, member, lead)
        ends = s.kinds[kind, CHOICES] + 1
        begin = 0 if choice == 0 else s.whole[ends + 2 * (choice - 1)]
        won, lost = 0.0, 0.0
        for at in range(begin, s.whole[ends + 2 * choice]):
            one = s.rows[s.kinds[kind, ROWS] + at]
            wins, loses = after(s, block, one.target, lead)
            if one.other >= 0:
                of_won, of_lost = weights(one.other & THEIRS, s.tie)
                other_wins, other_loses = after(s, block, one.other & (THEIRS - 1), lead)
                if of_won * (wins - other_wins) + of_lost * (loses - other_loses) < 0:
                    wins, loses = other_wins, other_loses
            won += one.chance * wins
            lost += one.chance * loses
        return won, lost

    @register_jitable
    def after(s: Any, block: int, target: int, lead: int) -> tuple[float, float]:
        """The chances of the team that was asked in a block, after a target."""
        kind = s.blocks[block, KIND]
        found = s.kinds[kind, TARGETS] + TARGET * target
        ahead = lead + s.whole[found]
        here = s.kinds[kind, NODES] + NODE_SIZE * s.whole[found + 2 + (ahead > 0) - (ahead < 0)]
        if s.whole[here] == OVER:
            return _decided(ahead)
        flipped = s.whole[here + 1 + k.FLIPPED]
        then, member = _reached(s, block, here)
        won, lost = chances_there(s, then, member, -ahead if flipped else ahead)
        if flipped:
            return lost, won
        return won, lost

    return chances


@register_jitable
def _reached(s: Any, block: int, here: int) -> tuple[int, int]:
    """The block of a node that is reached from a block, and which of its members it is."""
    flipped = s.whole[here + 1 + k.FLIPPED]
    time = s.times[block]
    period = time[1] + s.whole[here + 1 + k.PERIOD]
    clock = time[2] + s.whole[here + 1 + k.CLOCK]
    carried = _turned(time[3], flipped) + 1
    more = _turned(time[4], flipped) + 1
    for steady in range(s.at.shape[0]):
        then = s.at[steady, period, clock, carried, more]
        if then >= 0:
            member = s.member_of[s.blocks[then, KIND], s.whole[here]]
            if member >= 0:
                return then, member
    raise ValueError(NOT_THERE)


@register_jitable
def _turned(carried: int, flipped: int) -> int:
    """A team that is carried, or nobody, as seen from the other side if need be."""
    if flipped and carried >= 0:
        return 1 - carried
    return carried


_chances = summing(_kept_there)


@register_jitable
def _worth(rules: Any, m: Any, g: Any, team: int, s: Any) -> float:
    """What a position is worth to a team."""
    lead = g.score[team] - g.score[1 - team]
    if is_over(rules, g):
        won, lost = _decided(lead)
    else:
        part(rules, m, g, s.place)
        block, member = _find(rules, g, s)
        won, lost = _chances(s, block, member, s.place[k.LEAD])
        if s.place[k.FLIPPED] != team:
            won, lost = lost, won
    return won + s.tie * (1.0 - won - lost)
