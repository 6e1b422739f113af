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
from typing import TYPE_CHECKING

from hashmark.engine.effects import lowest_bit, nonneg
from hashmark.engine.rule import rule
from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans.plan import (
    ENTRY_WIDTH,
    MAX_ENTRIES,
    MAX_LEAD,
    SECTIONS,
    SITUATION_RANGES,
    Plan,
)

if TYPE_CHECKING:
    from hashmark.games.data_driven.position import Match, Position

BITS_PER_WORD = 62  # entries in one word of a set
WORD_COUNT = MAX_ENTRIES // BITS_PER_WORD + len(SECTIONS)  # of a set; a section begins a new one
PERIOD_COUNT, DOWN_COUNT = 5, 5  # overtime counts as one period, no down as another down
SPOT_SETS, YARDS_PER_SET = 20, 5
DISTANCE_SETS = 12
MAX_INDEXED_LEAD = 10  # points behind or ahead
TIME_SETS, SECONDS_PER_SET = 32, 10
FIRST_SPOT = PERIOD_COUNT * DOWN_COUNT
FIRST_DISTANCE = FIRST_SPOT + SPOT_SETS
LEVEL_SET = FIRST_DISTANCE + DISTANCE_SETS + MAX_INDEXED_LEAD
FIRST_TIME = LEVEL_SET + MAX_INDEXED_LEAD + 1
SET_COUNT = FIRST_TIME + TIME_SETS
LATE_SECONDS = 310  # seconds left in a half; from here on only the index applies
PLACED_SECTIONS = 2  # looked up by place: play and formation; then `instead`, and those by lead
LAST_QUARTER_OR_DOWN = 4  # the last quarter, and the last down
NEAR_LEAD, FAR_LEAD, MAX_TABLE_LEAD = 8, 10, 25  # points behind or ahead
# Moments of the place tables: in the first half at any lead, in the second by lead.
LEAD_BANDS = ((-MAX_TABLE_LEAD, -FAR_LEAD), (-NEAR_LEAD, NEAR_LEAD), (FAR_LEAD, MAX_TABLE_LEAD))
MOMENTS = (
    *((period, SITUATION_RANGES["lead"]) for period in (0, 1)),
    *((period, lead) for period in (2, 3) for lead in LEAD_BANDS),
)
YARD_LINES = 100  # yard lines of the field; also yards to go
MAX_ZONES, MAX_DISTANCE_CLASSES = 9, 12  # maximum counts, of the field and of distances
LEAD_COUNT = 2 * MAX_TABLE_LEAD + 1
MOMENT_COUNT = len(MOMENTS)
SECTION_STARTS_WIDTH = len(SECTIONS) + 1
LEAD_SECTION_COUNT = len(SECTIONS) - PLACED_SECTIONS - 1
FIRST_SHARE = 2 * len(SITUATION_RANGES)  # of an entry
ZONES_SIZE = PLACED_SECTIONS * 2 * YARD_LINES
PLACES_SIZE = (
    PLACED_SECTIONS * MOMENT_COUNT * LAST_QUARTER_OR_DOWN * MAX_ZONES * MAX_DISTANCE_CLASSES
)
LEADS_SIZE = LEAD_SECTION_COUNT * PERIOD_COUNT * LEAD_COUNT
DOWN, TO_GO, SPOT, LEAD, TIME, PERIOD = range(len(SITUATION_RANGES))
WIDEST = dict(enumerate(SITUATION_RANGES.values()))

EarlyEntry = tuple[int, Sequence[int], bool]


@lru_cache(maxsize=64)
def build_lookup_tables(plan: Plan) -> Mapping[str, Sequence[int]]:
    """Return a plan as the fields of a match hold it, each as long as its slot."""
    if len(plan.rows) > MAX_ENTRIES:
        raise HashmarkError(f"{plan.name}: more than {MAX_ENTRIES} entries")
    rows = [number for entry in plan.rows for number in entry]
    words = [0]
    for first, end in pairwise(plan.starts):
        words.append(words[-1] - (first - end) // BITS_PER_WORD)
    zones, cells = build_place_tables(plan)
    return {
        "plan_rows": rows + [0] * (MAX_ENTRIES * ENTRY_WIDTH - len(rows)),
        "plan_starts": plan.starts,
        "plan_index": build_index(plan, words),
        "plan_words": words,
        "plan_zones": zones,
        "plan_places": cells,
        "plan_downs": build_down_table(plan),
        "plan_leads": build_lead_tables(plan),
        "plan_numbers": plan.numbers,
    }


def build_index(plan: Plan, words: Sequence[int]) -> list[int]:
    """Return the sets of entries that may fit, word by word; `search_index` reads them.

    A bit is toggled where its entry starts and where it ends, then carried along.
    """
    words_of_sets = [[0] * (SET_COUNT + 1) for _ in range(WORD_COUNT)]
    for section, (begin, end) in enumerate(pairwise(plan.starts)):
        for number, entry in enumerate(plan.rows[begin:end]):
            word, bit = words[section] + number // BITS_PER_WORD, 1 << number % BITS_PER_WORD
            for first, last in _spans(entry):
                words_of_sets[word][first] ^= bit
                words_of_sets[word][last + 1] ^= bit
    return [set_word for word in words_of_sets for set_word in accumulate(word[:SET_COUNT], xor)]


# --- Early in a half ---------------------------------------------------------------------


def build_place_tables(plan: Plan) -> tuple[list[int], list[int]]:
    """Return field zones and distance classes, and the entry in each, for plays and formations.

    Zones and classes begin where an entry begins or ends. If there are too many of them, the table
    stays empty and the index is used.
    """
    zones, cells = [], []
    for section in range(PLACED_SECTIONS):
        early = list(_early_entries(plan, section))
        spots, distances = _zones(SPOT, early), _zones(TO_GO, early)
        table = [-1] * (MOMENT_COUNT * LAST_QUARTER_OR_DOWN * MAX_ZONES * MAX_DISTANCE_CLASSES)
        if spots[-1] < MAX_ZONES and distances[-1] < MAX_DISTANCE_CLASSES:
            _fill_places(table, early, spots, distances)
        else:
            spots = distances = [0] * YARD_LINES
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
                    begin = (
                        (moment * LAST_QUARTER_OR_DOWN + down - 1) * MAX_ZONES + zone
                    ) * MAX_DISTANCE_CLASSES + first
                    cells[begin : begin + width] = values


def _moments(entry: Sequence[int]) -> Iterable[tuple[int, bool]]:
    """Yield the moments in which an entry may fit, and whether it always does there."""
    begin, end = _bounds(entry, PERIOD)
    low, high = _bounds(entry, LEAD)
    for moment, (period, (least, most)) in enumerate(MOMENTS):
        if begin <= period + 1 <= end and low <= most and high >= least:
            yield moment, low <= least and most <= high


def build_down_table(plan: Plan) -> list[int]:
    """Return the table of section `instead`, by period and down; nothing else matters."""
    cells = [-1] * FIRST_SPOT
    for number, entry, sure in _early_entries(plan, PLACED_SECTIONS):
        sure = sure and _is_wide(entry, TO_GO, SPOT, LEAD)
        low, high = _bounds(entry, DOWN)
        for period, always in _periods(entry):
            values = [number if sure and always else -1] * (high - low + 1)
            cells[period * DOWN_COUNT + low : period * DOWN_COUNT + high + 1] = values
    return cells


def build_lead_tables(plan: Plan) -> list[int]:
    """Return the tables of the other sections, by period and lead; nothing else matters."""
    cells = []
    for section in range(PLACED_SECTIONS + 1, len(SECTIONS)):
        table = [-1] * (PERIOD_COUNT * LEAD_COUNT)
        for number, entry, sure in _early_entries(plan, section):
            least, most = _bounds(entry, LEAD)
            low, high = max(least, -MAX_TABLE_LEAD), min(most, MAX_TABLE_LEAD)
            sure = sure and _is_wide(entry, DOWN, TO_GO, SPOT)
            for period, always in _periods(entry):
                begin = period * LEAD_COUNT + MAX_TABLE_LEAD + low
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
        if last > LATE_SECONDS:
            yield (
                number,
                plan.rows[number],
                first <= LATE_SECONDS + 1 and last == SITUATION_RANGES["time"][1],
            )


def _zones(key: int, early: Iterable[EarlyEntry]) -> list[int]:
    """Return the zone number of each value; a zone begins where an entry begins or ends."""
    begins = [0] * (YARD_LINES + 1)
    for _, entry, _ in early:
        low, high = _bounds(entry, key)
        begins[low] = begins[high + 1] = 1
    return list(accumulate([0, *begins[1:YARD_LINES]]))


def _bounds(entry: Sequence[int], key: int) -> Sequence[int]:
    return entry[2 * key : 2 * key + 2]


def _is_wide(entry: Sequence[int], *keys: int) -> bool:
    """Return whether the entry has no limit in these keys."""
    return all(tuple(_bounds(entry, key)) == WIDEST[key] for key in keys)


def _periods(entry: Sequence[int]) -> Iterable[tuple[int, bool]]:
    """Yield the periods (0-based, overtime as one) that may fit, and whether they always do."""
    first, last = _bounds(entry, PERIOD)
    for period in range(min(first, PERIOD_COUNT) - 1, min(last, PERIOD_COUNT)):
        yield (
            period,
            period < LAST_QUARTER_OR_DOWN
            or (first <= PERIOD_COUNT and last == SITUATION_RANGES["period"][1]),
        )


def _spans(entry: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield the first and last of adjacent sets that contain an entry."""

    def span(kind: int, key: int, least: int, most: int, each: int = 1) -> tuple[int, int]:
        low, high = (limit // each for limit in entry[2 * key : 2 * key + 2])
        return kind + max(least, min(low, most)), kind + max(least, min(high, most))

    first, last = span(0, PERIOD, 1, PERIOD_COUNT)
    for period in range(first - 1, last):
        yield span(period * DOWN_COUNT, DOWN, 0, DOWN_COUNT - 1)
    yield span(FIRST_SPOT, SPOT, 0, SPOT_SETS - 1, YARDS_PER_SET)
    yield span(FIRST_DISTANCE, TO_GO, 0, DISTANCE_SETS - 1)
    yield span(LEVEL_SET, LEAD, -MAX_INDEXED_LEAD, MAX_INDEXED_LEAD)
    low, high = (
        (limit + SECONDS_PER_SET - 1) // SECONDS_PER_SET for limit in entry[2 * TIME : 2 * TIME + 2]
    )
    yield FIRST_TIME + min(low, TIME_SETS - 1), FIRST_TIME + min(high, TIME_SETS - 1)


def store_plan(m: object, slot: int, tables: Mapping[str, Sequence[int]]) -> None:
    """Store a plan's lookup tables in its slot of the match."""
    for name, values in tables.items():
        size = len(values)
        getattr(m, name)[slot * size : (slot + 1) * size] = values


# --- The entry that a situation uses --------------------------------------------------


@rule
def seconds_left(m: Match, g: Position) -> int:
    """Return the seconds left in the half, or in overtime."""
    if g.period == 1 or g.period == 3:
        return g.clock + m.quarter_seconds
    return g.clock


@rule
def entry_fits(m: Match, g: Position, row: int, lead: int, time: int) -> bool:
    """Return whether the situation lies in all ranges of the entry at this row."""
    ranges = m.plan_rows
    return (
        ranges[nonneg(row)] <= g.down <= ranges[nonneg(row + 1)]
        and ranges[nonneg(row + 2)] <= g.to_go <= ranges[nonneg(row + 3)]
        and ranges[nonneg(row + 4)] <= g.spot <= ranges[nonneg(row + 5)]
        and ranges[nonneg(row + 6)] <= lead <= ranges[nonneg(row + 7)]
        and ranges[nonneg(row + 8)] <= time <= ranges[nonneg(row + 9)]
        and ranges[nonneg(row + 10)] <= g.period <= ranges[nonneg(row + 11)]
    )


@rule
def moment_index(period: int, lead: int) -> int:
    """Return the number of the place table that applies, or -1."""
    if period <= 2:
        return period - 1
    if period > LAST_QUARTER_OR_DOWN or lead < -MAX_TABLE_LEAD or lead > MAX_TABLE_LEAD:
        return -1
    if -FAR_LEAD < lead < FAR_LEAD:
        return period * 3 - 6 if -NEAR_LEAD <= lead <= NEAR_LEAD else -1
    return period * 3 - 7 if lead < 0 else period * 3 - 5


@rule
def place_entry(m: Match, g: Position, plan: int, section: int, lead: int) -> int:
    """Return the entry of a play or formation early in a half, by down and place, or -1."""
    game_state = moment_index(g.period, lead)
    if game_state < 0 or g.down < 1:
        return -1
    table = plan * PLACED_SECTIONS + section
    zone = m.plan_zones[nonneg(table * 2 * YARD_LINES + g.spot)]
    distance = m.plan_zones[nonneg((table * 2 + 1) * YARD_LINES + g.to_go)]
    cell = (table * MOMENT_COUNT + game_state) * LAST_QUARTER_OR_DOWN + g.down - 1
    return m.plan_places[nonneg((cell * MAX_ZONES + zone) * MAX_DISTANCE_CLASSES + distance)]


@rule
def lead_entry(m: Match, plan: int, section: int, period: int, lead: int) -> int:
    """Return the entry of a section that early in a half depends on the lead alone, or -1."""
    if lead < -MAX_TABLE_LEAD or lead > MAX_TABLE_LEAD:
        return -1
    table = plan * LEAD_SECTION_COUNT + section - PLACED_SECTIONS - 1
    return m.plan_leads[
        nonneg((table * PERIOD_COUNT + period) * LEAD_COUNT + MAX_TABLE_LEAD + lead)
    ]


@rule
def early_entry(m: Match, g: Position, plan: int, section: int, lead: int) -> int:
    """Return the entry that applies early in a half, or -1 if the index must be searched."""
    period = min(g.period, PERIOD_COUNT) - 1
    if section < PLACED_SECTIONS:
        return place_entry(m, g, plan, section, lead)
    if section == PLACED_SECTIONS:
        return m.plan_downs[nonneg((plan * PERIOD_COUNT + period) * DOWN_COUNT + g.down)]
    return lead_entry(m, plan, section, period, lead)


@rule
def find_row(m: Match, g: Position, plan: int, section: int, team: int) -> int:
    """Return where the shares of the first fitting entry begin, or -1."""
    time = seconds_left(m, g)
    lead = max(-MAX_LEAD, min(MAX_LEAD, g.score[team] - g.score[1 - team]))
    if time > LATE_SECONDS:
        entry = early_entry(m, g, plan, section, lead)
        if entry >= 0:
            return (plan * MAX_ENTRIES + entry) * ENTRY_WIDTH + FIRST_SHARE
    return search_index(m, g, plan, section, lead, time)


@rule
def search_index(m: Match, g: Position, plan: int, section: int, lead: int, time: int) -> int:
    """Find the same row with the plan's index of entries."""
    downs = (min(g.period, PERIOD_COUNT) - 1) * DOWN_COUNT + g.down
    spots = FIRST_SPOT + g.spot // YARDS_PER_SET
    distances = FIRST_DISTANCE + min(g.to_go, DISTANCE_SETS - 1)
    leads = LEVEL_SET + max(-MAX_INDEXED_LEAD, min(MAX_INDEXED_LEAD, lead))
    times = FIRST_TIME + min((time + SECONDS_PER_SET - 1) // SECONDS_PER_SET, TIME_SETS - 1)
    first = plan * SECTION_STARTS_WIDTH + section
    entry = plan * MAX_ENTRIES + m.plan_starts[first]
    for word in range(m.plan_words[first], m.plan_words[first + 1]):
        sets = (plan * WORD_COUNT + word) * SET_COUNT
        candidates = m.plan_index[nonneg(sets + downs)] & m.plan_index[nonneg(sets + spots)]
        candidates = (
            candidates & m.plan_index[nonneg(sets + distances)] & m.plan_index[nonneg(sets + leads)]
        )
        candidates = candidates & m.plan_index[nonneg(sets + times)]
        while candidates != 0:
            row = (entry + lowest_bit(candidates)) * ENTRY_WIDTH
            if entry_fits(m, g, row, lead, time):
                return row + FIRST_SHARE
            candidates = candidates & (candidates - 1)
        entry += BITS_PER_WORD
    return -1
