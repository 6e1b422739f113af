"""Where a game plan lies in a match: each of the four has a room of its own.

Plain matches and compiled records are filled by the same function. Beside its entries a plan
has an index, so that a coach need not try them one by one: sets of entries, one bit each, for
every down of every period, every five yards of the field, every distance, every lead and every
ten seconds. Only what is in all five sets can fit. Whether it does, the entry itself says: the
sets are a little too wide, and the outermost of each kind stand for all beyond, too.

Most of a game is played early in a half, when few things matter: for a play and a formation where
the ball is, for the rest the down or the lead. For that time each section has a table of its own
that names the entry, or -1 where more matters.
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
LATE = 310  # seconds left in a half from which on only the index knows
PLACED = 2  # sections by place: play and formation; then `instead`, and those by lead
LAST = 4  # the last quarter, and the last down
NEAR, FAR, CLOSE = 8, 10, 25  # points behind or ahead
# What else a table of places goes by: the first half whatever the lead, the second by the lead.
LEADS_APART = ((-CLOSE, -FAR), (-NEAR, NEAR), (FAR, CLOSE))
MOMENTS = (
    *((period, KEYS["lead"]) for period in (0, 1)),
    *((period, lead) for period in (2, 3) for lead in LEADS_APART),
)
LINES = 100  # of the field; yards to go
ZONES, CLASSES = 9, 12  # at most, of the field and of distances
LEADS = 2 * CLOSE + 1
ZONES_SIZE = PLACED * 2 * LINES
PLACES_SIZE = PLACED * len(MOMENTS) * LAST * ZONES * CLASSES
LEADS_SIZE = (len(SECTIONS) - PLACED - 1) * PERIODS * LEADS
DOWN, TO_GO, SPOT, LEAD, TIME, PERIOD = range(len(KEYS))
WIDEST = dict(enumerate(KEYS.values()))

Early = tuple[int, Sequence[int], bool]


@lru_cache(maxsize=64)
def laid_out(plan: Plan) -> Mapping[str, Sequence[int]]:
    """A plan as the fields of a match hold it, as long as its room in each."""
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


# --- Early in a half ---------------------------------------------------------------------


def by_place(plan: Plan) -> tuple[list[int], list[int]]:
    """For plays and formations: zones of the field and classes of distance, and what fits in each.

    Zones and classes begin where an entry begins or ends. If there are too many of them, nothing
    is noted: the index knows.
    """
    zones, cells = [], []
    for section in range(PLACED):
        early = list(_early(plan, section))
        spots, distances = _parts(SPOT, early), _parts(TO_GO, early)
        noted = [-1] * (len(MOMENTS) * LAST * ZONES * CLASSES)
        if spots[-1] < ZONES and distances[-1] < CLASSES:
            _paint_places(noted, early, spots, distances)
        else:
            spots = distances = [0] * LINES
        zones += spots + distances
        cells += noted
    return zones, cells


def _paint_places(
    cells: list[int], early: Iterable[Early], spots: Sequence[int], distances: Sequence[int]
) -> None:
    """Note entries from the last to the first, each over what comes after it."""
    for at, entry, sure in early:
        first, last = (distances[limit] for limit in _limits(entry, TO_GO))
        width = last - first + 1
        near, far = (spots[limit] for limit in _limits(entry, SPOT))
        low, high = _limits(entry, DOWN)
        for moment, always in _moments(entry):
            noted = [at if sure and always else -1] * width
            for down in range(max(low, 1), high + 1):
                for zone in range(near, far + 1):
                    begin = ((moment * LAST + down - 1) * ZONES + zone) * CLASSES + first
                    cells[begin : begin + width] = noted


def _moments(entry: Sequence[int]) -> Iterable[tuple[int, bool]]:
    """The moments in which an entry may fit, and whether it always does there."""
    begin, end = _limits(entry, PERIOD)
    low, high = _limits(entry, LEAD)
    for moment, (period, (least, most)) in enumerate(MOMENTS):
        if begin <= period + 1 <= end and low <= most and high >= least:
            yield moment, low <= least and most <= high


def by_down(plan: Plan) -> list[int]:
    """For what is done instead of a play, by period and down: the same everywhere else."""
    cells = [-1] * FIRST_SPOT
    for at, entry, sure in _early(plan, PLACED):
        sure = sure and _is_wide(entry, TO_GO, SPOT, LEAD)
        low, high = _limits(entry, DOWN)
        for period, always in _periods(entry):
            noted = [at if sure and always else -1] * (high - low + 1)
            cells[period * DOWNS + low : period * DOWNS + high + 1] = noted
    return cells


def by_lead(plan: Plan) -> list[int]:
    """For all other sections, by period and lead: the same everywhere else."""
    cells = []
    for section in range(PLACED + 1, len(SECTIONS)):
        noted = [-1] * (PERIODS * LEADS)
        for at, entry, sure in _early(plan, section):
            least, most = _limits(entry, LEAD)
            low, high = max(least, -CLOSE), min(most, CLOSE)
            sure = sure and _is_wide(entry, DOWN, TO_GO, SPOT)
            for period, always in _periods(entry):
                begin = period * LEADS + CLOSE + low
                width = max(0, high - low + 1)
                noted[begin : begin + width] = [at if sure and always else -1] * width
        cells += noted
    return cells


def _early(plan: Plan, section: int) -> Iterable[Early]:
    """The entries that may fit early in a half, from the last on, and whether they do all the time.

    With their number in the plan.
    """
    begin, end = plan.starts[section : section + 2]
    for at in range(end - 1, begin - 1, -1):
        first, last = _limits(plan.rows[at], TIME)
        if last > LATE:
            yield at, plan.rows[at], first <= LATE + 1 and last == KEYS["time"][1]


def _parts(key: int, early: Iterable[Early]) -> list[int]:
    """The number of the part that each value is in; a part begins where an entry does or ends."""
    begins = [0] * (LINES + 1)
    for _, entry, _ in early:
        low, high = _limits(entry, key)
        begins[low] = begins[high + 1] = 1
    return list(accumulate([0, *begins[1:LINES]]))


def _limits(entry: Sequence[int], key: int) -> Sequence[int]:
    return entry[2 * key : 2 * key + 2]


def _is_wide(entry: Sequence[int], *keys: int) -> bool:
    """Whether the entry has no limit in these."""
    return all(tuple(_limits(entry, key)) == WIDEST[key] for key in keys)


def _periods(entry: Sequence[int]) -> Iterable[tuple[int, bool]]:
    """The periods from 0 in which an entry may fit, overtime as one, and whether it always does."""
    first, last = _limits(entry, PERIOD)
    for period in range(min(first, PERIODS) - 1, min(last, PERIODS)):
        yield period, period < LAST or (first <= PERIODS and last == KEYS["period"][1])


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
