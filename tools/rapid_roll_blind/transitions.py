"""Transitions of the blind game of Rapid Roll: where each call leads from each state.

The rules themselves are enumerated, compiled, on an empty clock line, so that every further number
is thrown. Windows are answered by the book; magic yards, fakes and new quarterbacks are left out.
A play is enumerated once for each spot, call and class of downs, up to its penalty; the rules then
settle its results from each down and distance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from hashmark.compiler import dispatch, registration
from hashmark.games.rapid_roll import RULES, blind_states, cells, clock, coaches, rules, scrimmage
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.position import Match
from hashmark.odds.arrays import Ints, Records

SCRIMMAGE_CALLS = (
    p.LINE_RUN,
    p.END_RUN,
    p.SHORT_PASS,
    p.MEDIUM_PASS,
    p.DEEP_PASS,
    p.LONG_PASS,
    p.SCREEN_PASS,
    p.SNEAK,
    p.REVERSE,
    p.TRICK_PASS,
    p.PUNT,
    p.FIELD_GOAL,
)
TRY_CALLS = (p.EXTRA_POINT, *SCRIMMAGE_CALLS[:10])
KICK_CALLS = (p.KICK_OFF, p.ONSIDE)
SLOTS = len(SCRIMMAGE_CALLS)
# Down and yards to go of the classes of downs in which plays read their column alike.
DOWN_CLASSES = ((1, 10), (2, 10), (3, 1), (3, 10))
MAX_RESULTS, HASH_SIZE = 1 << 15, 1 << 17
KEY_FIELDS = 12
MAX_NUMBERS = 5  # further numbers of a play; a ball that is loose after that many is recovered

registration.register()
answer, end_action = rules.answer, rules.end_action
begin_play, settle_play = rules.begin_play, rules.settle_play
answer_window, CALL_COLUMN, KIND = coaches.answer_window, scrimmage.CALL_COLUMN, t.KIND
state_row, scrimmage_row = blind_states.state_row, blind_states.scrimmage_row
ACTION, ASK = clock.ACTION, clock.ASK


class Transitions(NamedTuple):
    """Outcomes of every call in every state, as sparse rows.

    The outcomes of slot `s` in state `r` are those from `starts[s, r]` to `starts[s, r + 1]`; from
    `outs[s, r]` on the play ended out of bounds. `targets` is twice the row, plus 1 where the
    other team has the ball then; `points` are the points of the team that called. `fumbled_*` hold
    the same for the change if the call repeats the one before.
    """

    starts: Ints
    outs: Ints
    targets: NDArray[np.int32]
    points: NDArray[np.int8]
    chances: NDArray[np.float32]
    fumbled_starts: Ints
    fumbled_outs: Ints
    fumbled_targets: NDArray[np.int32]
    fumbled_points: NDArray[np.int8]
    fumbled_chances: NDArray[np.float32]


@numba.njit(nogil=True)
def _play(m: Any, g: Any, call: int, total: int) -> None:
    """Play a call whose roll has this sum, up to its penalty or its end."""
    g.call = call
    begin_play(m, g, 10 + total - 1 if total <= 7 else 10 * (total - 6) + 6)
    stage = ACTION
    while stage == ACTION:
        stage = end_action(m, g)
        if stage == ASK and g.window != p.PENALTY_CHOICE:
            stage = answer(m, g, answer_window(m, g, 7, 4))


@numba.njit(nogil=True)
def _copy_start(g: Any, start: Any) -> None:
    g.phase = start.phase
    g.period = start.period
    g.clock = start.clock
    g.possession = start.possession
    g.spot = start.spot
    g.down = start.down
    g.to_go = start.to_go
    g.last_play = start.last_play
    g.score[0] = 0
    g.score[1] = 0
    g.log[0] = 0
    g.window = start.window
    g.call = start.call
    g.roll = start.roll
    g.rewinds = cells.MAX_REWINDS - MAX_NUMBERS
    g.flagged = start.flagged
    g.play = start.play
    g.carrier = start.carrier
    g.at = start.at
    g.gain = start.gain
    g.return_spot = start.return_spot
    g.result = start.result
    g.ended = start.ended
    g.fumbled = start.fumbled
    g.lost[0] = start.lost[0]
    g.lost[1] = start.lost[1]
    g.timeout_due = start.timeout_due
    g.foul = start.foul
    g.foul_yards = start.foul_yards
    g.foul_timeout = start.foul_timeout


@numba.njit(nogil=True)
def _key_of(g: Any, key: Any) -> None:
    """Write what settling a play reads of its result."""
    key[0] = g.carrier
    key[1] = g.at
    key[2] = g.result
    key[3] = g.ended
    key[4] = g.play
    key[5] = g.lost[0]
    key[6] = g.lost[1]
    key[7] = g.foul
    key[8] = g.foul_yards
    key[9] = g.return_spot
    key[10] = g.window
    key[11] = g.fumbled


@numba.njit(nogil=True)
def _apply_key(g: Any, key: Any) -> None:
    g.carrier = key[0]
    g.at = key[1]
    g.result = key[2]
    g.ended = key[3]
    g.play = key[4]
    g.lost[0] = key[5]
    g.lost[1] = key[6]
    g.foul = key[7]
    g.foul_yards = key[8]
    g.return_spot = key[9]
    g.window = key[10]
    g.fumbled = key[11]


@numba.njit(nogil=True)
def _slot_of(key: Any, keys: Any, slots: Any) -> int:
    """Return the place of a key in the hash table, or the free place for it."""
    h = np.uint64(14695981039346656037)
    for k in range(len(key)):
        h = (h ^ np.uint64(key[k] + 1000)) * np.uint64(1099511628211)
    at = np.int64((h ^ (h >> np.uint64(29))) & np.uint64(len(slots) - 1))
    while slots[at] >= 0:
        same = True
        for k in range(len(key)):
            if keys[slots[at], k] != key[k]:
                same = False
                break
        if same:
            return at
        at = (at + 1) & (len(slots) - 1)
    return at


@numba.njit(nogil=True)
def _add(key: Any, chance: float, keys: Any, chances: Any, slots: Any, count: int) -> int:
    """Add a chance to a key; return how many keys there are now."""
    at = _slot_of(key, keys, slots)
    if slots[at] < 0:
        if count == len(keys):
            raise ValueError("a call has more results than there is room for")
        slots[at] = count
        keys[count] = key
        chances[count] = 0.0
        count += 1
    chances[slots[at]] += chance
    return count


@numba.njit(nogil=True)
def _advance(g: Any) -> int:
    """Advance the path like an odometer; return its fixed length, 0 after the last path."""
    known = g._known
    while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
        known -= 1
    if known > 0:
        g._path[known - 1] += 1
    return known


@numba.njit(nogil=True)
def _enumerate(
    m: Any, g: Any, start: Any, call: int, only_long: bool, keys: Any, chances: Any, slots: Any
) -> int:
    """Enumerate the results of a call, or of its long gains; return how many differ.

    On an empty clock line only the sum of the roll matters.
    """
    slots[:] = -1
    count = 0
    key = np.zeros(KEY_FIELDS, np.int64)
    column = CALL_COLUMN[call]
    for total in range(2, 13):
        if only_long and (column < 0 or KIND[column, total] != t.LONG):
            continue
        known = 0
        while True:
            _copy_start(g, start)
            g._known = known
            g._depth = 0
            g._chance = (6 - abs(7 - total)) / 36
            _play(m, g, call, total)
            _key_of(g, key)
            count = _add(key, g._chance, keys, chances, slots, count)
            known = _advance(g)
            if known == 0:
                break
    return count


@numba.njit(nogil=True)
def _settle(
    m: Any, g: Any, start: Any, call: int, results: Any, weights: Any, count: int, sign: float,
    keys: Any, chances: Any, slots: Any, found: int,
) -> int:  # fmt: skip
    """Settle every result from one state and add up where they lead; return how many differ."""
    key = np.zeros(3, np.int64)
    for index in range(count):
        _copy_start(g, start)
        g.call = call
        _apply_key(g, results[index])
        if g.window == p.PENALTY_CHOICE:
            answer(m, g, answer_window(m, g, 7, 4))
        is_out = g.ended == p.OUT_OF_BOUNDS and start.phase != p.TRY
        settle_play(m, g)
        key[0] = 2 * state_row(g) + (1 if g.possession != start.possession else 0)
        key[1] = g.score[start.possession] - g.score[1 - start.possession]
        key[2] = 1 if is_out else 0
        found = _add(key, sign * weights[index], keys, chances, slots, found)
    return found


@numba.njit(nogil=True)
def _store(
    keys: Any, chances: Any, found: int, size: int, targets: Any, points: Any, parts: Any
) -> tuple[int, int]:
    """Append the outcomes: those in bounds, then those out of bounds; return both ends."""
    middle = size
    for out in range(2):
        for index in range(found):
            if keys[index, 2] == out and abs(chances[index]) > 1e-9:
                targets[size] = keys[index, 0]
                points[size] = keys[index, 1]
                parts[size] = chances[index]
                size += 1
        if out == 0:
            middle = size
    return middle, size


@numba.njit(nogil=True)
def _outcomes_of_slot(
    m: Any, work: Any, call: int, phase: int, repeats: bool, downs: Any, classes: Any, spots: Any,
    buffers: Any, starts: Any, outs: Any, size: int, targets: Any, points: Any, parts: Any,
) -> int:  # fmt: skip
    """Append the outcomes of a call from every state of a phase; return the size afterward.

    With `repeats`, the change if the call repeats the one before: other results, less the usual
    ones.
    """
    g, start = work[0], work[1]
    keys, chances, slots, found_keys, found_chances = buffers
    counts = np.full((2, len(DOWN_CLASSES)), -1, np.int64)
    for row in range(len(downs)):
        c = classes[row]
        if row > 0 and spots[row] != spots[row - 1]:
            counts[:] = -1
        start.spot = spots[row]
        if counts[0, c] < 0:
            start.down, start.to_go = 0, 0
            if phase == p.SCRIMMAGE:
                start.down = DOWN_CLASSES[c][0]
                start.to_go = min(DOWN_CLASSES[c][1], 100 - start.spot)
            start.last_play = p.NO_PLAY
            counts[0, c] = _enumerate(m, g, start, call, repeats, keys[0, c], chances[0, c], slots)
            if repeats:
                start.last_play = call
                counts[1, c] = _enumerate(m, g, start, call, True, keys[1, c], chances[1, c], slots)
        if phase == p.SCRIMMAGE:
            start.down, start.to_go = downs[row, 0], downs[row, 1]
        slots[:] = -1
        found = 0
        for part in range(2 if repeats else 1):
            sign = -1.0 if repeats and part == 0 else 1.0
            found = _settle(
                m, g, start, call, keys[part, c], chances[part, c], counts[part, c], sign,
                found_keys, found_chances, slots, found,
            )  # fmt: skip
        starts[row] = size
        outs[row], size = _store(found_keys, found_chances, found, size, targets, points, parts)
    starts[len(downs)] = size
    return size


def _down_class(call: int, down: int, to_go: int) -> int:
    """Return the class of downs in which a call reads its column as it does here."""
    if down == 1 and call == p.LONG_PASS:
        return 0
    if down <= 2 or call in (p.SNEAK, p.PUNT, p.FIELD_GOAL):
        return 1
    if to_go <= 2:
        return 2
    return 3 if to_go >= 7 and CALL_COLUMN[call] <= t.END_RUN else 1


def _states(call: int) -> tuple[Ints, Ints, Ints]:
    """Return down and yards to go of every row of a down, the class of the down, and the spot."""
    rows = [(row, *blind_states.down_of_row(row)) for row in range(blind_states.SCRIMMAGE_ROWS)]
    classes = [_down_class(call, down, to_go) for _, _, down, to_go in rows]
    return (
        np.array([(down, to_go) for _, _, down, to_go in rows]),
        np.array(classes),
        np.array([spot for _, spot, _, _ in rows]),
    )


class _Store:
    """Growing arrays of outcomes, with the ends of every slot and row."""

    def __init__(self, capacity: int) -> None:
        self.starts = np.zeros((SLOTS, blind_states.ROWS + 1), np.int64)
        self.outs = np.zeros((SLOTS, blind_states.ROWS), np.int64)
        self.targets = np.zeros(capacity, np.int32)
        self.points = np.zeros(capacity, np.int8)
        self.chances = np.zeros(capacity, np.float32)
        self.size = 0

    def fill(
        self, m: Any, work: Records, slot: int, call: int, first: int, phase: int, repeats: bool,
        states: tuple[Ints, Ints, Ints],
    ) -> None:  # fmt: skip
        """Append one call from the states of a phase, whose first row is given."""
        shape = (2, len(DOWN_CLASSES), MAX_RESULTS)
        buffers = (
            np.zeros((*shape, KEY_FIELDS), np.int64), np.zeros(shape),
            np.zeros(HASH_SIZE, np.int64),
            np.zeros((MAX_RESULTS, 3), np.int64), np.zeros(MAX_RESULTS),
        )  # fmt: skip
        downs, classes, spots = states
        last = first + len(downs)
        work[1]["phase"] = phase
        self.size = _outcomes_of_slot(
            m, work, call, phase, repeats, downs, classes, spots, buffers,
            self.starts[slot, first : last + 1], self.outs[slot, first:last], self.size,
            self.targets, self.points, self.chances,
        )  # fmt: skip

    def arrays(self) -> tuple[Any, ...]:
        end = self.size
        return self.starts, self.outs, self.targets[:end], self.points[:end], self.chances[:end]


def build_transitions(match: Match, capacity: int = 20_000_000) -> Transitions:
    """Enumerate the blind game of a match."""
    m = dispatch.match_array(RULES, match)[0]
    position = RULES.new_position(match)
    position.possession = 0
    work = dispatch.position_array(RULES, position, dispatch.enumerating_fields(RULES), 2)
    work[1] = work[0]
    usual, fumbled = _Store(capacity), _Store(capacity)
    for slot, call in enumerate(SCRIMMAGE_CALLS):
        for store, repeats in ((usual, False), (fumbled, True)):
            store.fill(m, work, slot, call, 0, p.SCRIMMAGE, repeats, _states(call))
            fill_other_phases(store, m, work, slot, repeats)
    return Transitions(*usual.arrays(), *fumbled.arrays())


def fill_other_phases(store: _Store, m: Any, work: Records, slot: int, repeats: bool) -> None:
    """Append the kick or try of a slot, if it has one; the rest of the slot stays empty."""
    nothing = np.zeros(1, np.int64)
    for row, phase, spot, calls in (
        (blind_states.KICKOFF_ROW, p.KICKOFF, 30, KICK_CALLS),
        (blind_states.SAFETY_KICK_ROW, p.SAFETY_KICK, 20, KICK_CALLS),
        (blind_states.TRY_ROW, p.TRY, 98, TRY_CALLS),
    ):
        if slot < len(calls) and not repeats:
            state = (np.zeros((1, 2), np.int64), nothing, np.array([spot]))
            store.fill(m, work, slot, calls[slot], row, phase, repeats, state)
        else:
            store.starts[slot, row : row + 2] = store.size
            store.outs[slot, row] = store.size
