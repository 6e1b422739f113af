"""Exact quantization onto the dice: rates become sets of rows, distributions become cells.

The offense dice give rows 10 to 39 the weights 2 3 4 5 ... out of 216, the defense dice give rows
1 to 5 the weights 12 11 9 3 1 out of 36 (R4). An event takes a set of rows whose weights add up to
its rate. The remaining rows take the yards, in slices of their distribution, so that the mean is
exact to one way in 216.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from hashmark.games.data_driven.dice import OFFENSE_WEIGHTS
from hashmark.league.data.arrays import Floats

ROW_COUNT = len(OFFENSE_WEIGHTS)
TOTAL_WAYS = sum(OFFENSE_WEIGHTS)  # 216
RARE_BELOW_WAYS = 12.0  # ways: events below take light rows, others heavy ones


def reachable_totals(rows: Sequence[int], weights: Sequence[int]) -> int:
    """Return every total that the rows can reach, as the bits of an integer."""
    reached = 1
    for row in rows:
        reached |= reached << weights[row]
    return reached


def sum_ways(rows: Iterable[int]) -> int:
    """Return the combined weight of rows."""
    return sum(OFFENSE_WEIGHTS[row] for row in rows)


def nearest_rows(rows: Sequence[int], wanted: float) -> list[int]:
    """Return the rows whose combined weight is nearest to the wanted one.

    Among several sets the smallest is taken; among those, light rows come first for a rare event,
    heavy rows otherwise.
    """
    total = _nearest_bit(reachable_totals(rows, OFFENSE_WEIGHTS), wanted)
    return [*_choose_rows(tuple(rows), total, wanted < RARE_BELOW_WAYS)]


@lru_cache(maxsize=20000)  # twice as many as the charts of a season need
def _choose_rows(rows: tuple[int, ...], total: int, rare: bool) -> tuple[int, ...]:
    """Return the rows that add up to a reachable total."""
    sign = 1 if rare else -1
    order = sorted(rows, key=lambda row: (sign * OFFENSE_WEIGHTS[row], row))
    return tuple(sorted(_fewest_rows(order, [OFFENSE_WEIGHTS[row] for row in order], total)))


def _nearest_bit(bits: int, wanted: float) -> int:
    """Return the set bit nearest to a position; the lower one of two."""
    position = max(0, int(wanted))
    below = (bits & (2 << position) - 1).bit_length() - 1
    higher_bits = bits >> position + 1
    above = position + (higher_bits & -higher_bits).bit_length()
    return above if higher_bits and above - wanted < wanted - below else below


def _fewest_rows(rows: Sequence[int], weights: Sequence[int], total: int) -> Iterator[int]:
    """Yield the fewest rows that add up to the total, each as early in order as possible."""
    steps = _reachable_by_count(weights, total)
    remaining, index = len(steps[0]) - 1, len(rows)
    while remaining:
        while steps[index - 1][remaining] >> total & 1:
            index -= 1
        index -= 1
        yield rows[index]
        total, remaining = total - weights[index], remaining - 1


def _reachable_by_count(weights: Sequence[int], total: int) -> list[list[int]]:
    """Return the totals of 0, 1, 2 ... of the first rows as bits, until the total is reached."""
    steps = [[1] for _ in range(len(weights) + 1)]
    while not steps[-1][-1] >> total & 1:
        reached = 0
        steps[0].append(reached)
        for step, before, weight in zip(steps[1:], steps, weights, strict=False):
            reached |= before[len(step) - 1] << weight
            step.append(reached)
    return steps


def allocate_rows(
    wanted: Mapping[str, float], first: Sequence[str] = ()
) -> tuple[dict[str, list[int]], list[int]]:
    """Allocate rows to every event, those of `first` and then the rarest first; return the rest."""
    free_rows = list(range(ROW_COUNT))
    rows_by_event: dict[str, list[int]] = {}
    order = [event for event in first if event in wanted]
    others = (event for event in wanted if event not in first)
    order += sorted(others, key=lambda event: (wanted[event], event))
    for event in order:
        rows_by_event[event] = nearest_rows(free_rows, wanted[event])
        free_rows = [row for row in free_rows if row not in rows_by_event[event]]
    return {event: rows_by_event[event] for event in wanted}, free_rows


def allocate_events(
    flags: Mapping[str, float], events: Mapping[str, float]
) -> tuple[dict[str, list[int]], list[int]]:
    """Allocate rows to penalties, at rates per roll, and to events, at rates of all other rolls."""
    flag_ways = {name: rate * TOTAL_WAYS for name, rate in flags.items()}
    flag_rows, _ = allocate_rows(flag_ways)
    body = TOTAL_WAYS - sum(map(sum_ways, flag_rows.values()))
    return allocate_rows(flag_ways | {name: rate * body for name, rate in events.items()})


def rows_for_rate(rate: float) -> list[int]:
    """Return the rows of a row-set chart: 216 times the rate, to the nearest."""
    return nearest_rows(range(ROW_COUNT), TOTAL_WAYS * min(max(rate, 0.0), 1.0))


def order_rows(rows: Sequence[int]) -> list[int]:
    """Return rows in order of the yards they will hold, with light rows at both tails."""
    left: list[int] = []
    right: list[int] = []
    for rank, row in enumerate(sorted(rows, key=lambda row: (OFFENSE_WEIGHTS[row], row))):
        (left if rank % 3 == 0 else right).append(row)
    return [*left, *reversed(right)]


def slice_means(shares: Sequence[int], values: Floats, chances: Floats) -> Floats:
    """Return the mean of the distribution in each slice, from lowest to highest yards."""
    chances = chances / chances.sum()
    bounds = np.concatenate([[0.0], np.cumsum(chances)])
    area = np.concatenate([[0.0], np.cumsum(chances * values)])
    cuts = np.concatenate([[0.0], np.cumsum(shares)]) / float(np.sum(shares))
    return np.asarray(np.diff(np.interp(cuts, bounds, area)) / np.diff(cuts))


def allocate_yards(
    rows: Sequence[int],
    values: Floats,
    chances: Floats,
    total: float | None = None,
    lowest: int = -150,
) -> dict[int, int]:
    """Return integer yards for each row: slices of the distribution with its mean preserved.

    `total` is the wanted sum of weight times yards, if it differs from the distribution's own.
    """
    if not rows:
        return {}
    order = order_rows(rows)
    shares = [OFFENSE_WEIGHTS[row] for row in order]
    means = slice_means(shares, values, chances)
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
    return balance_total(cells, total, lowest)


def balance_total(cells: dict[int, int], total: float, lowest: int) -> dict[int, int]:
    """Adjust cells by one yard until the weighted sum is nearest to the total."""
    for _ in range(8):
        error = round(total - sum(OFFENSE_WEIGHTS[row] * yards for row, yards in cells.items()))
        if error == 0:
            break
        step = 1 if error > 0 else -1
        movable = [row for row, yards in cells.items() if yards + step >= lowest]
        if not movable:
            break
        for row in nearest_rows(movable, float(abs(error))):
            cells[row] += step
    return cells
