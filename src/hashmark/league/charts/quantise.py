"""Exact quantisation on the dice: rates become sets of rows, distributions become cells.

The offence dice give the rows 10 to 39 the weights 2 3 4 5 ... out of 216, the defence dice
the rows 1 to 5 the weights 12 11 9 3 1 out of 36 (R4). An event takes a set of rows whose
weights come to its rate; the yards are dealt out to the rows that are left, in slices of
their distribution, so that the expectation is kept to one way in 216.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from hashmark.games.data_driven.dice import OFFENCE_WEIGHTS
from hashmark.league.charts.tallies import Array

ROWS = len(OFFENCE_WEIGHTS)
RARE = 12.0  # ways: events below take light rows, those above heavy ones


def sums(rows: Sequence[int], weights: Sequence[int]) -> int:
    """Every total that rows can reach, as the bits of a number."""
    reached = 1
    for row in rows:
        reached |= reached << weights[row]
    return reached


def nearest(
    rows: Sequence[int], wanted: float, weights: Sequence[int] = OFFENCE_WEIGHTS
) -> list[int]:
    """The rows whose weights together come nearest to what is wanted.

    Of several sets the one with the fewest rows is taken; among those, light rows come first for
    a rare event, else heavy ones.
    """
    total = _nearest_bit(sums(rows, weights), wanted)
    return [*_chosen(tuple(rows), total, wanted < RARE, tuple(weights))]


@lru_cache(maxsize=20000)  # twice as many as charts of a season ask for
def _chosen(
    rows: tuple[int, ...], total: int, rare: bool, weights: tuple[int, ...]
) -> tuple[int, ...]:
    """The rows that come to a total, which they can."""
    sign = 1 if rare else -1
    order = sorted(rows, key=lambda one: (sign * weights[one], one))
    return tuple(sorted(_fewest(order, [weights[row] for row in order], total)))


def _nearest_bit(bits: int, wanted: float) -> int:
    """The bit of a number that is nearest to a place; of two the lower."""
    place = max(0, int(wanted))
    below = (bits & (2 << place) - 1).bit_length() - 1
    beyond = bits >> place + 1
    above = place + (beyond & -beyond).bit_length()
    return above if beyond and above - wanted < wanted - below else below


def _fewest(rows: Sequence[int], weights: Sequence[int], total: int) -> Iterator[int]:
    """The fewest rows that come to a total, each as early in its order as can be."""
    steps = _by_number(weights, total)
    left, at = len(steps[0]) - 1, len(rows)
    while left:
        while steps[at - 1][left] >> total & 1:
            at -= 1
        at -= 1
        yield rows[at]
        total, left = total - weights[at], left - 1


def _by_number(weights: Sequence[int], total: int) -> list[list[int]]:
    """What 0, 1, 2 ... of the first rows come to, as bits; so many as are needed for the total."""
    steps = [[1] for _ in range(len(weights) + 1)]
    while not steps[-1][-1] >> total & 1:
        reached = 0
        steps[0].append(reached)
        for step, before, weight in zip(steps[1:], steps, weights, strict=False):
            reached |= before[len(step) - 1] << weight
            step.append(reached)
    return steps


def deal(
    wanted: Mapping[str, float],
    weights: Sequence[int] = OFFENCE_WEIGHTS,
    first: Sequence[str] = (),
) -> tuple[dict[str, list[int]], list[int]]:
    """Rows for every event and the rows that are left: those of `first`, then rarest first."""
    free = list(range(len(weights)))
    dealt: dict[str, list[int]] = {}
    order = [event for event in first if event in wanted]
    others = (event for event in wanted if event not in first)
    order += sorted(others, key=lambda one: (wanted[one], one))
    for event in order:
        dealt[event] = nearest(free, wanted[event], weights)
        free = [row for row in free if row not in dealt[event]]
    return {event: dealt[event] for event in wanted}, free


def rows_for(rate: float) -> list[int]:
    """The rows of a chart that is only a set of rows: 216 times the rate, to the nearest."""
    return nearest(range(ROWS), 216.0 * min(max(rate, 0.0), 1.0))


def line_up(rows: Sequence[int], weights: Sequence[int] = OFFENCE_WEIGHTS) -> list[int]:
    """Rows in order of the yards that they will hold: light rows for the two tails."""
    left: list[int] = []
    right: list[int] = []
    for place, row in enumerate(sorted(rows, key=lambda one: (weights[one], one))):
        (left if place % 3 == 0 else right).append(row)
    return [*left, *reversed(right)]


def slices(shares: Sequence[int], values: Array, chances: Array) -> Array:
    """The mean of the distribution in each slice, from the lowest yards to the highest."""
    chances = chances / chances.sum()
    bounds = np.concatenate([[0.0], np.cumsum(chances)])
    area = np.concatenate([[0.0], np.cumsum(chances * values)])
    cuts = np.concatenate([[0.0], np.cumsum(shares)]) / float(np.sum(shares))
    return np.asarray(np.diff(np.interp(cuts, bounds, area)) / np.diff(cuts))


def spread(
    rows: Sequence[int],
    values: Array,
    chances: Array,
    total: float | None = None,
    weights: Sequence[int] = OFFENCE_WEIGHTS,
    lowest: int = -150,
) -> dict[int, int]:
    """Whole yards for each row: slices of the distribution, the expectation kept.

    `total` is the wanted sum of weight times yards, if it is not the distribution's own.
    """
    if not rows:
        return {}
    order = line_up(rows, weights)
    shares = [weights[row] for row in order]
    means = slices(shares, values, chances)
    if total is None:
        total = float(np.dot(shares, means))
    elif sum(shares):
        means = means + (total - float(np.dot(shares, means))) / sum(shares)
    cells: dict[int, int] = {}
    carry = 0.0
    for row, share, exact in zip(order, shares, means, strict=True):
        whole = max(round(exact + carry / share), lowest)
        carry += (exact - whole) * share
        cells[row] = whole
    return balance(cells, total, weights, lowest)


def balance(
    cells: dict[int, int],
    total: float,
    weights: Sequence[int] = OFFENCE_WEIGHTS,
    lowest: int = -150,
) -> dict[int, int]:
    """Move some cells by a yard, until the sum is the nearest whole one to the total."""
    for _ in range(8):
        off = round(total - sum(weights[row] * yards for row, yards in cells.items()))
        if off == 0:
            break
        step = 1 if off > 0 else -1
        movable = [row for row, yards in cells.items() if yards + step >= lowest]
        if not movable:
            break
        for row in nearest(movable, float(abs(off)), weights):
            cells[row] += step
    return cells
