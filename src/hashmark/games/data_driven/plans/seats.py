"""Where a game plan lies in a match: each of the four has a room of its own.

Plain matches and compiled records are filled by the same function. Beside its entries a plan
has an index, so that a coach need not try them one by one: sets of entries, one bit each, for
every down of every period, every five yards of the field, every distance, every lead and every
ten seconds. Only what is in all five sets can fit. Whether it does, the entry itself says: the
sets are a little too wide, and the outermost of each kind stand for all beyond, too. Where one
entry fits wherever the ball is and whatever the score, as most of the time, that is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import xor
from typing import Any

from hashmark.games.data_driven.plans.plan import KEYS, MOST_ROWS, SECTIONS, WIDTH, Plan
from hashmark.table.errors import HashmarkError

BITS = 62  # entries in one number of a set
WORDS = MOST_ROWS // BITS + len(SECTIONS)  # numbers of a set: each section begins a new one
PERIODS, DOWNS = 5, 5  # overtime as one period; no down as another
SPOTS, YARDS = 20, 5
DISTANCES = 12
MOST_LED = 10  # points behind or ahead
TIMES, SECONDS = 32, 10
FIRST_SPOT = PERIODS * DOWNS
FIRST_DISTANCE = FIRST_SPOT + SPOTS
NO_LEAD = FIRST_DISTANCE + DISTANCES + MOST_LED
FIRST_TIME = NO_LEAD + MOST_LED + 1
SETS = FIRST_TIME + TIMES
LATE = 310  # seconds left in a half from which on nothing is usual
DOWN, TO_GO, SPOT, LEAD, TIME, PERIOD = range(len(KEYS))
WIDEST = {TO_GO: KEYS["to-go"], SPOT: KEYS["spot"], LEAD: KEYS["lead"]}


@lru_cache(maxsize=64)
def laid_out(plan: Plan) -> Mapping[str, Sequence[int]]:
    """A plan as the fields of a match hold it, as long as its room in each."""
    if len(plan.rows) > MOST_ROWS:
        raise HashmarkError(f"{plan.name}: more than {MOST_ROWS} entries")
    rows = [number for entry in plan.rows for number in entry]
    words = [0]
    for first, end in pairwise(plan.starts):
        words.append(words[-1] - (first - end) // BITS)
    return {
        "plan_rows": rows + [0] * (MOST_ROWS * WIDTH - len(rows)),
        "plan_starts": plan.starts,
        "plan_index": index(plan, words),
        "plan_words": words,
        "plan_usual": usual(plan),
        "plan_numbers": plan.numbers,
    }


def index(plan: Plan, words: Sequence[int]) -> list[int]:
    """The sets of entries that may fit, word by word; `find_row` in the coaches reads them.

    A bit is noted where its entry comes in and where it is out again, then carried along.
    """
    made = [[0] * (SETS + 1) for _ in range(WORDS)]
    for section, (begin, end) in enumerate(pairwise(plan.starts)):
        for at, entry in enumerate(plan.rows[begin:end]):
            word, bit = words[section] + at // BITS, 1 << at % BITS
            for first, last in _spans(entry):
                made[word][first] ^= bit
                made[word][last + 1] ^= bit
    return [one for word in made for one in accumulate(word[:SETS], xor)]


def usual(plan: Plan) -> list[int]:
    """By section, period and down: the entry that fits wherever the ball and whatever the score.

    Only while more than LATE seconds are left in the half; -1 where it depends.
    """
    made = [-1] * (len(SECTIONS) * PERIODS * DOWNS)
    for section, (begin, end) in enumerate(pairwise(plan.starts)):
        open_ = {(period, down) for period in range(PERIODS) for down in range(DOWNS)}
        for at, entry in enumerate(plan.rows[begin:end], begin):
            here = {one for one in open_ if _may_fit(entry, *one)}
            for period, down in here:
                if _always_fits(entry, period):
                    made[(section * PERIODS + period) * DOWNS + down] = at
            open_ -= here
    return made


def _may_fit(entry: Sequence[int], period: int, down: int) -> bool:
    """Whether an entry is for this period (from 0) and down, somewhere and early in a half."""
    first, last = entry[2 * PERIOD : 2 * PERIOD + 2]
    low, high = entry[2 * DOWN : 2 * DOWN + 2]
    return (
        low <= down <= high
        and min(first, PERIODS) <= period + 1 <= last
        and entry[2 * TIME + 1] > LATE
    )


def _always_fits(entry: Sequence[int], period: int) -> bool:
    """Whether an entry that may fit has no other limit there."""
    limits = [tuple(entry[2 * key : 2 * key + 2]) for key in range(len(KEYS))]
    time, last = limits[TIME], limits[PERIOD][1]
    return (
        all(limits[key] == widest for key, widest in WIDEST.items())
        and time[0] <= LATE + 1
        and time[1] == KEYS["time"][1]
        and (period + 1 < PERIODS or (limits[PERIOD][0] <= PERIODS and last == KEYS["period"][1]))
    )


def _spans(entry: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The first and the last of neighbouring sets that an entry is in."""

    def span(kind: int, key: int, least: int, most: int, each: int = 1) -> tuple[int, int]:
        low, high = (limit // each for limit in entry[2 * key : 2 * key + 2])
        return kind + max(least, min(low, most)), kind + max(least, min(high, most))

    first, last = span(0, PERIOD, 1, PERIODS)
    for period in range(first - 1, last):
        yield span(period * DOWNS, DOWN, 0, DOWNS - 1)
    yield span(FIRST_SPOT, SPOT, 0, SPOTS - 1, YARDS)
    yield span(FIRST_DISTANCE, TO_GO, 0, DISTANCES - 1)
    yield span(NO_LEAD, LEAD, -MOST_LED, MOST_LED)
    low, high = ((limit + SECONDS - 1) // SECONDS for limit in entry[2 * TIME : 2 * TIME + 2])
    yield FIRST_TIME + min(low, TIMES - 1), FIRST_TIME + min(high, TIMES - 1)


def seat(m: Any, room: int, laid: Mapping[str, Sequence[int]]) -> None:
    """Put a plan that is laid out into its room."""
    for name, values in laid.items():
        size = len(values)
        getattr(m, name)[room * size : (room + 1) * size] = values
