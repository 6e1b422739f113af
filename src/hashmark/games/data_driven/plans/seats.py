"""Lookup tables of a game plan in the match; each of the four plans has its own slot.

Plain matches and compiled records are filled by the same function. Besides its entries a plan has
an index, so that a coach need not try them one by one: sets of entries, one bit each, for every
down of every period, every five yards of the field, every distance, every lead and every ten
seconds. Only entries in all five sets can fit; the entry itself then decides, because the sets are
slightly too wide, and the outermost set of each kind also stands for everything beyond it.

Most of a game is played early in a half, when few things matter: for a play and a formation the
place of the ball, for the other sections the down or the lead. For that time each section has a
table that names the entry, or -1 where more matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import xor
from typing import Any

from hashmark.games.data_driven.plans.plan import KEYS, MOST_ROWS, SECTIONS, WIDTH, Plan
from hashmark.table.errors import HashmarkError

BITS = 62  # entries in one word of a set
WORDS = MOST_ROWS // BITS + len(SECTIONS)  # words of a set; each section begins a new one
PERIODS, DOWNS = 5, 5  # overtime counts as one period, no down as another down
SPOTS, YARDS = 20, 5
DISTANCES = 12
MOST_LED = 10  # points behind or ahead
TIMES, SECONDS = 32, 10
FIRST_SPOT = PERIODS * DOWNS
FIRST_DISTANCE = FIRST_SPOT + SPOTS
NO_LEAD = FIRST_DISTANCE + DISTANCES + MOST_LED
FIRST_TIME = NO_LEAD + MOST_LED + 1
SETS = FIRST_TIME + TIMES
LATE = 310  # seconds left in a half; from here on only the index applies
PLACED = 2  # sections looked up by place: play and formation; then `instead`, and those by lead
LAST = 4  # the last quarter, and the last down
NEAR, FAR, CLOSE = 8, 10, 25  # points behind or ahead
# Moments of the place tables: in the first half at any lead, in the second by lead.
LEADS_APART = ((-CLOSE, -FAR), (-NEAR, NEAR), (FAR, CLOSE))
MOMENTS = (
    *((period, KEYS["lead"]) for period in (0, 1)),
    *((period, lead) for period in (2, 3) for lead in LEADS_APART),
)
LINES = 100  # yard lines of the field; also yards to go
ZONES, CLASSES = 9, 12  # maximum counts, of the field and of distances
LEADS = 2 * CLOSE + 1
ZONES_SIZE = PLACED * 2 * LINES
PLACES_SIZE = PLACED * len(MOMENTS) * LAST * ZONES * CLASSES
LEADS_SIZE = (len(SECTIONS) - PLACED - 1) * PERIODS * LEADS
DOWN, TO_GO, SPOT, LEAD, TIME, PERIOD = range(len(KEYS))
WIDEST = dict(enumerate(KEYS.values()))

EarlyEntry = tuple[int, Sequence[int], bool]


@lru_cache(maxsize=64)
def laid_out(plan: Plan) -> Mapping[str, Sequence[int]]:
    """Return a plan as the fields of a match hold it, each as long as its slot."""
    if len(plan.rows) > MOST_ROWS:
        raise HashmarkError(f"{plan.name}: more than {MOST_ROWS} entries")
    rows = [number for entry in plan.rows for number in entry]
    words = [0]
    for first, end in pairwise(plan.starts):
        words.append(words[-1] - (first - end) // BITS)
    zones, cells = by_place(plan)
    return {
        "plan_rows": rows + [0] * (MOST_ROWS * WIDTH - len(rows)),
        "plan_starts": plan.starts,
        "plan_index": index(plan, words),
        "plan_words": words,
        "plan_zones": zones,
        "plan_places": cells,
        "plan_downs": by_down(plan),
        "plan_leads": by_lead(plan),
        "plan_numbers": plan.numbers,
    }


def index(plan: Plan, words: Sequence[int]) -> list[int]:
    """Return the sets of entries that may fit, word by word; `find_row` in the coaches reads them.

    A bit is toggled where its entry starts and where it ends, then carried along.
    """
    words_of_sets = [[0] * (SETS + 1) for _ in range(WORDS)]
    for section, (begin, end) in enumerate(pairwise(plan.starts)):
        for number, entry in enumerate(plan.rows[begin:end]):
            word, bit = words[section] + number // BITS, 1 << number % BITS
            for first, last in _spans(entry):
                words_of_sets[word][first] ^= bit
                words_of_sets[word][last + 1] ^= bit
    return [set_word for word in words_of_sets for set_word in accumulate(word[:SETS], xor)]


# --- Early in a half ---------------------------------------------------------------------


def by_place(plan: Plan) -> tuple[list[int], list[int]]:
    """Return field zones and distance classes, and the entry in each, for plays and formations.

    Zones and classes begin where an entry begins or ends. If there are too many of them, the table
    stays empty and the index is used.
    """
    zones, cells = [], []
    for section in range(PLACED):
        early = list(_early_entries(plan, section))
        spots, distances = _zones(SPOT, early), _zones(TO_GO, early)
        table = [-1] * (len(MOMENTS) * LAST * ZONES * CLASSES)
        if spots[-1] < ZONES and distances[-1] < CLASSES:
            _fill_places(table, early, spots, distances)
        else:
            spots = distances = [0] * LINES
        zones += spots + distances
        cells += table
    return zones, cells


def _fill_places(
    cells: list[int], early: Iterable[EarlyEntry], spots: Sequence[int], distances: Sequence[int]
) -> None:
    """Write entries from the last to the first, so that earlier entries overwrite later ones."""
    for number, entry, is_always_early in early:
        first, last = (distances[limit] for limit in _bounds(entry, TO_GO))
        width = last - first + 1
        near, far = (spots[limit] for limit in _bounds(entry, SPOT))
        low, high = _bounds(entry, DOWN)
        for moment, always in _moments(entry):
            values = [number if is_always_early and always else -1] * width
            for down in range(max(low, 1), high + 1):
                for zone in range(near, far + 1):
                    begin = ((moment * LAST + down - 1) * ZONES + zone) * CLASSES + first
                    cells[begin : begin + width] = values


def _moments(entry: Sequence[int]) -> Iterable[tuple[int, bool]]:
    """Yield the moments in which an entry may fit, and whether it always does there."""
    begin, end = _bounds(entry, PERIOD)
    low, high = _bounds(entry, LEAD)
    for moment, (period, (least, most)) in enumerate(MOMENTS):
        if begin <= period + 1 <= end and low <= most and high >= least:
            yield moment, low <= least and most <= high


def by_down(plan: Plan) -> list[int]:
    """Return the table of section `instead`, by period and down; nothing else matters."""
    cells = [-1] * FIRST_SPOT
    for number, entry, sure in _early_entries(plan, PLACED):
        sure = sure and _is_wide(entry, TO_GO, SPOT, LEAD)
        low, high = _bounds(entry, DOWN)
        for period, always in _periods(entry):
            values = [number if sure and always else -1] * (high - low + 1)
            cells[period * DOWNS + low : period * DOWNS + high + 1] = values
    return cells


def by_lead(plan: Plan) -> list[int]:
    """Return the tables of the other sections, by period and lead; nothing else matters."""
    cells = []
    for section in range(PLACED + 1, len(SECTIONS)):
        table = [-1] * (PERIODS * LEADS)
        for number, entry, sure in _early_entries(plan, section):
            least, most = _bounds(entry, LEAD)
            low, high = max(least, -CLOSE), min(most, CLOSE)
            sure = sure and _is_wide(entry, DOWN, TO_GO, SPOT)
            for period, always in _periods(entry):
                begin = period * LEADS + CLOSE + low
                width = max(0, high - low + 1)
                table[begin : begin + width] = [number if sure and always else -1] * width
        cells += table
    return cells


def _early_entries(plan: Plan, section: int) -> Iterable[EarlyEntry]:
    """Yield number, row and certainty of entries that may fit early in a half, last entry first.

    The certainty is whether the entry fits at every time early in the half.
    """
    begin, end = plan.starts[section : section + 2]
    for number in range(end - 1, begin - 1, -1):
        first, last = _bounds(plan.rows[number], TIME)
        if last > LATE:
            yield number, plan.rows[number], first <= LATE + 1 and last == KEYS["time"][1]


def _zones(key: int, early: Iterable[EarlyEntry]) -> list[int]:
    """Return the zone number of each value; a zone begins where an entry begins or ends."""
    begins = [0] * (LINES + 1)
    for _, entry, _ in early:
        low, high = _bounds(entry, key)
        begins[low] = begins[high + 1] = 1
    return list(accumulate([0, *begins[1:LINES]]))


def _bounds(entry: Sequence[int], key: int) -> Sequence[int]:
    return entry[2 * key : 2 * key + 2]


def _is_wide(entry: Sequence[int], *keys: int) -> bool:
    """Return whether the entry has no limit in these keys."""
    return all(tuple(_bounds(entry, key)) == WIDEST[key] for key in keys)


def _periods(entry: Sequence[int]) -> Iterable[tuple[int, bool]]:
    """Yield the periods (0-based, overtime as one) that may fit, and whether they always do."""
    first, last = _bounds(entry, PERIOD)
    for period in range(min(first, PERIODS) - 1, min(last, PERIODS)):
        yield period, period < LAST or (first <= PERIODS and last == KEYS["period"][1])


def _spans(entry: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield the first and last of adjacent sets that contain an entry."""

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


def seat(m: Any, slot: int, tables: Mapping[str, Sequence[int]]) -> None:
    """Store a plan's lookup tables in its slot of the match."""
    for name, values in tables.items():
        size = len(values)
        getattr(m, name)[slot * size : (slot + 1) * size] = values
