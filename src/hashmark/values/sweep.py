"""Backward induction step for one block: values of every key and lead from its successor blocks.

Values are stored as four rows per key: win and loss chances of the team to act, by its lead, and
both again by the other team's lead, so that they read in the same direction from either side. Rows
are padded beyond the leads of the block by the most points one step can score; in the padding the
game counts as decided. So summing the outcomes of a call is nothing but adding rows. This code
knows no game.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from hashmark.odds.arrays import Bytes, Floats, Ints, Records
from hashmark.values.transition_kernel import NONE, OPPONENT_CHOOSES, TransitionRow

# A node once its block is placed: the offsets of lead 0 in its two rows, for the team that acted
# before it; and whether it has a single value, for the only lead there is.
WON, LOST, IS_SINGLE = range(3)
ROWS_PER_KEY = 4  # rows per key
WORK_ROWS = 8


def sweep(
    order: Ints,
    firsts: Ints,
    choices: Ints,
    rows: Records,
    targets: Ints,
    nodes: Ints,
    values: Floats,
    base: int,
    width: int,
    pad: int,
    tie: float,
    best: Bytes,
    work: Floats,
) -> float:
    """Update the values of the members in this order; return the largest change.

    `width` is the largest lead either way, `pad` the padding of the rows at both ends, -1 where a
    member has a single value. `best` receives the number of each member's best choice by lead.
    """
    span = 2 * width + 1
    changed = 0.0
    for member in order:
        won, lost = work[0], work[1]
        first_row = 0 if firsts[member] == 0 else choices[firsts[member] - 1, 1]
        for choice in range(firsts[member], firsts[member + 1]):
            won[:span] = 0.0
            lost[:span] = 0.0
            for at in range(first_row, choices[choice, 1]):
                row = rows[at]
                if row.other == NONE:
                    _add(row.chance, targets[row.target], nodes, values, width, won, lost)
                else:
                    _add_better(row, targets, nodes, values, width, tie, work)
            first_row = choices[choice, 1]
            _keep_better(work, best[member], choice - firsts[member], span, tie)
        if pad < 0:
            at = base + 2 * member
            change = _put(values, at, work[2, 0]) + _put(values, at + 1, work[3, 0])
        else:
            change = _put_rows(
                values, base + member * ROWS_PER_KEY * (span + 2 * pad), width, pad, work
            )
        changed = max(changed, change)
    return changed


@register_jitable
def _put(values: Floats, offset: int, value: float) -> float:
    """Store a value; return by how much it changes."""
    change = abs(values[offset] - value)
    values[offset] = value
    return change


@register_jitable
def _put_rows(values: Floats, base: int, width: int, pad: int, work: Floats) -> float:
    """Store the rows of a key; return the largest change of a value."""
    span = 2 * width + 1
    row = span + 2 * pad
    changed = 0.0
    for d in range(span):
        change = _put(values, base + pad + d, work[2, d])
        change += _put(values, base + row + pad + d, work[3, d])
        values[base + 2 * row + pad + span - 1 - d] = work[2, d]
        values[base + 3 * row + pad + span - 1 - d] = work[3, d]
        changed = max(changed, change)
    for d in range(pad):
        far = pad + span + d
        values[base + d] = values[base + 2 * row + far] = 0.0
        values[base + far] = values[base + 2 * row + d] = 1.0
        values[base + row + d] = values[base + 3 * row + far] = 1.0
        values[base + row + far] = values[base + 3 * row + d] = 0.0
    return changed


@register_jitable
def _keep_better(work: Floats, best: Bytes, number: int, span: int, tie: float) -> None:
    """For each lead keep the better of this choice and the best so far; ties keep the first."""
    won, lost, best_won, best_lost = work[0], work[1], work[2], work[3]
    for d in range(span):
        worth = won[d] + tie * (1.0 - won[d] - lost[d])
        best_worth = best_won[d] + tie * (1.0 - best_won[d] - best_lost[d])
        if number == 0 or worth > best_worth:
            best_won[d] = won[d]
            best_lost[d] = lost[d]
            best[d] = number


@register_jitable
def _is_single_node(target: Ints) -> bool:
    """Return whether a target is the same node for every lead."""
    return target[1] == target[2] and target[1] == target[3]


@register_jitable
def outcome_weights(theirs: int, tie: float) -> tuple[float, float]:
    """Return the weights of our win and loss chances to the team that decides."""
    if theirs:
        return -tie, 1.0 - tie
    return 1.0 - tie, -tie


@register_jitable
def _add_better(
    row: TransitionRow,
    targets: Ints,
    nodes: Ints,
    values: Floats,
    width: int,
    tie: float,
    work: Floats,
) -> None:
    """Add an instant decision: for each lead the target that the deciding team prefers."""
    first, second = targets[row.target], targets[row.other & (OPPONENT_CHOOSES - 1)]
    won, lost = work[0], work[1]
    span = 2 * width + 1
    chance = row.chance
    of_won, of_lost = outcome_weights(row.other & OPPONENT_CHOOSES, tie)
    if _is_single_node(first) and _is_single_node(second):
        node, other_node = nodes[first[2]], nodes[second[2]]
        shift = -width + (0 if node[IS_SINGLE] else first[0])
        other_shift = -width + (0 if other_node[IS_SINGLE] else second[0])
        wins = values[node[WON] + shift : node[WON] + shift + span]
        loses = values[node[LOST] + shift : node[LOST] + shift + span]
        other_wins = values[other_node[WON] + other_shift : other_node[WON] + other_shift + span]
        other_loses = values[other_node[LOST] + other_shift : other_node[LOST] + other_shift + span]
        for d in range(span):
            win, lose, other_win, other_lose = wins[d], loses[d], other_wins[d], other_loses[d]
            gain = of_won * (win - other_win) + of_lost * (lose - other_lose)
            won[d] += chance * (win if gain >= 0 else other_win)
            lost[d] += chance * (lose if gain >= 0 else other_lose)
        return
    work[4:8, :span] = 0.0
    _add(1.0, first, nodes, values, width, work[4], work[5])
    _add(1.0, second, nodes, values, width, work[6], work[7])
    for d in range(span):
        gain = of_won * (work[4, d] - work[6, d]) + of_lost * (work[5, d] - work[7, d])
        won[d] += chance * (work[4, d] if gain >= 0 else work[6, d])
        lost[d] += chance * (work[5, d] if gain >= 0 else work[7, d])


@register_jitable
def _add(
    chance: float, target: Ints, nodes: Ints, values: Floats, width: int, won: Floats, lost: Floats
) -> None:
    """Add the values of a target, weighted by its chance: lead d becomes d plus its points."""
    points = target[0]
    if _is_single_node(target):
        _add_rows(chance, nodes[target[2]], points, -width, width, values, width, won, lost)
        return
    level = min(max(-points, -width - 1), width + 1)
    behind, ahead = min(level - 1, width), max(level + 1, -width)
    _add_rows(chance, nodes[target[1]], points, -width, behind, values, width, won, lost)
    if -width <= level <= width:
        _add_rows(chance, nodes[target[2]], points, level, level, values, width, won, lost)
    _add_rows(chance, nodes[target[3]], points, ahead, width, values, width, won, lost)


@register_jitable
def _add_rows(
    chance: float, node: Ints, points: int, low: int, high: int, values: Floats, width: int,
    won: Floats, lost: Floats,
) -> None:  # fmt: skip
    """Add the rows of a node for the leads from `low` to `high`, before the points."""
    if node[IS_SINGLE]:
        for d in range(low + width, high + width + 1):
            won[d] += chance * values[node[WON]]
            lost[d] += chance * values[node[LOST]]
        return
    first, count = low + width, high - low + 1
    wins = values[node[WON] + points + low : node[WON] + points + high + 1]
    loses = values[node[LOST] + points + low : node[LOST] + points + high + 1]
    ours, theirs = won[first : first + count], lost[first : first + count]
    for d in range(count):
        ours[d] += chance * wins[d]
        theirs[d] += chance * loses[d]


def terminal_rows(reach: int) -> Floats:
    """Return the rows of a finished game: the leading team has won."""
    leads = np.arange(-reach, reach + 1)
    return np.concatenate((leads > 0, leads < 0)).astype(float)
