"""One block backwards: the value of every key for every lead, from those of the blocks after it.

Values are kept as two rows for each key, the chances that the team which is asked wins and loses,
by its lead. A value for leads beyond a block's width is that of a game that is decided. This code
knows no game: it sums rows.
"""

from __future__ import annotations

from typing import Any

from numba.extending import register_jitable

from hashmark.values.kernel import NONE, THEIRS

# What a node is when its block is at hand: where its values begin, the width of the block, flipped.
BASE, WIDTH, TURNED = range(3)
ENDED, LONE = -1, -1  # no values: the game is over; no width: one value, for the one lead there is


def sweep(
    order: Any,
    firsts: Any,
    choices: Any,
    rows: Any,
    targets: Any,
    nodes: Any,
    values: Any,
    base: int,
    width: int,
    tie: float,
    best: Any,
    work: Any,
) -> float:
    """Values of the members in this order; the largest change of one.

    `width` is how far leads go either way; `best` takes the number of the best choice of each
    member for each lead. `work` is a work space of nine rows.
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
                    _add_better(row, targets, nodes, values, width, tie, won, lost, work)
            first_row = choices[choice, 1]
            _keep_better(work, best[member], choice - firsts[member], span, tie)
        at = base + member * 2 * span
        for d in range(span):
            change = abs(work[2, d] - values[at + d]) + abs(work[3, d] - values[at + span + d])
            changed = max(changed, change)
            values[at + d] = work[2, d]
            values[at + span + d] = work[3, d]
    return changed


@register_jitable
def _keep_better(work: Any, best: Any, number: int, span: int, tie: float) -> None:
    """Of each lead the better of what was found and this choice; equals stay with the first."""
    won, lost, best_won, best_lost = work[0], work[1], work[2], work[3]
    for d in range(span):
        worth = won[d] + tie * (1.0 - won[d] - lost[d])
        kept = best_won[d] + tie * (1.0 - best_won[d] - best_lost[d])
        if number == 0 or worth > kept:
            best_won[d] = won[d]
            best_lost[d] = lost[d]
            best[d] = number


@register_jitable
def _add_better(
    row: Any, targets: Any, nodes: Any, values: Any, width: int, tie: float, won: Any, lost: Any,
    work: Any,
) -> None:  # fmt: skip
    """Add an instant decision: for each lead what whoever decides likes better."""
    span = 2 * width + 1
    work[4:8, :span] = 0.0
    _add(1.0, targets[row.target], nodes, values, width, work[4], work[5])
    _add(1.0, targets[row.other & (THEIRS - 1)], nodes, values, width, work[6], work[7])
    chance, theirs = row.chance, row.other & THEIRS
    for d in range(span):
        drawn, other_drawn = 1.0 - work[4, d] - work[5, d], 1.0 - work[6, d] - work[7, d]
        if theirs:
            first = work[5, d] + tie * drawn >= work[7, d] + tie * other_drawn
        else:
            first = work[4, d] + tie * drawn >= work[6, d] + tie * other_drawn
        won[d] += chance * (work[4, d] if first else work[6, d])
        lost[d] += chance * (work[5, d] if first else work[7, d])


@register_jitable
def _add(
    chance: float, target: Any, nodes: Any, values: Any, width: int, won: Any, lost: Any
) -> None:
    """Add the values of a target with its chance: a lead of d becomes one of d and its points."""
    points = target[0]
    if target[1] == target[3] and target[1] == target[2]:
        _add_span(chance, nodes[target[2]], points, -width, width, values, width, won, lost)
        return
    level = min(max(-points, -width - 1), width + 1)
    behind, ahead = min(level - 1, width), max(level + 1, -width)
    _add_span(chance, nodes[target[1]], points, -width, behind, values, width, won, lost)
    if -width <= level <= width:
        _add_span(chance, nodes[target[2]], points, level, level, values, width, won, lost)
    _add_span(chance, nodes[target[3]], points, ahead, width, values, width, won, lost)


@register_jitable
def _add_span(
    chance: float, node: Any, points: int, low: int, high: int, values: Any, width: int,
    won: Any, lost: Any,
) -> None:  # fmt: skip
    """Add the values of a node for the leads from low to high, as they are before the points."""
    base, reach = node[BASE], node[WIDTH]
    if reach == LONE and base != ENDED:
        first, second = values[base], values[base + 1]
        if node[TURNED]:
            first, second = second, first
        for d in range(low, high + 1):
            won[d + width] += chance * first
            lost[d + width] += chance * second
        return
    if base == ENDED:
        reach = 0
    for d in range(low, min(high, -points - reach - 1) + 1):
        lost[d + width] += chance
    for d in range(max(low, -points + reach + 1), high + 1):
        won[d + width] += chance
    if base == ENDED:
        return
    begin, end = max(low, -points - reach), min(high, -points + reach)
    count = end - begin + 1
    if count <= 0:
        return
    to = begin + width
    span = 2 * reach + 1
    if node[TURNED]:
        at = base + reach - points - begin
        for i in range(count):
            won[to + i] += chance * values[at + span - i]
            lost[to + i] += chance * values[at - i]
    else:
        at = base + reach + points + begin
        for i in range(count):
            won[to + i] += chance * values[at + i]
            lost[to + i] += chance * values[at + span + i]
