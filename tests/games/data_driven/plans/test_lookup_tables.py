"""Lookup tables of plans: the index finds the same entry as trying all entries."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import coaches as c
from hashmark.games.data_driven.plans import lookup_tables
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.lookup_tables import build_lookup_tables, store_plan
from hashmark.games.data_driven.plans.plan import (
    ENTRY_WIDTH,
    MAX_ENTRIES,
    SECTIONS,
    SITUATION_RANGES,
    Plan,
)
from hashmark.games.data_driven.position import Match, Position

# Values at which a range of a plan, or a set of the index, may begin or end.
EDGES = {
    "down": (0, 1, 2, 3, 4),
    "to-go": (0, 1, 2, 3, 4, 10, 14, 15, 16, 17, 98, 99),
    "spot": (0, 1, 4, 5, 9, 10, 44, 45, 79, 80, 95, 96, 97, 98, 99),
    "lead": (-9999, -999, -18, -17, -16, -1, 0, 1, 16, 17, 18, 999, 9999),
    "time": (0, 1, 9, 10, 11, 120, 121, 599, 600, 601, 609, 610, 611, 620, 1800, 7200, 9999),
    "period": (1, 2, 3, 4, 5, 6, 98, 99),
}


def first_that_fits(m: Match, plan: int, section: int, values: tuple[int, ...]) -> int:
    """Return the first fitting row by trying every entry and key."""
    index = plan * (len(SECTIONS) + 1) + section
    for row in range(m.plan_starts[index], m.plan_starts[index + 1]):
        base = (plan * MAX_ENTRIES + row) * ENTRY_WIDTH
        ranges = m.plan_rows[base : base + 2 * len(SITUATION_RANGES)]
        limits = zip(ranges[::2], values, ranges[1::2], strict=True)
        if all(low <= value <= high for low, value, high in limits):
            return base + 2 * len(SITUATION_RANGES)
    return -1


def random_plan(random: Random, entries: int = MAX_ENTRIES, limited: float = 0.5) -> Plan:
    """Return a plan of this many entries, in sections of random length, with random ranges."""
    rows = []
    for _ in range(entries):
        limits: list[int] = []
        for key, widest in SITUATION_RANGES.items():
            pair = sorted(random.choices(EDGES[key], k=2))
            limits += pair if random.random() < limited else widest
        rows.append((*limits, *(random.randrange(9) for _ in range(9))))
    cuts = sorted(random.randrange(entries + 1) for _ in range(len(SECTIONS) - 1))
    return Plan("any", tuple(rows), (0, *cuts, entries), (4, 6))


def random_situation(random: Random, m: Match, g: Position) -> tuple[int, ...]:
    """Set a random position; return it in the order of the keys, from home's side."""
    down, to_go, spot, lead, time, period = (
        random.choice(EDGES[key]) if random.random() < 0.5 else random.randint(*widest)
        for key, widest in SITUATION_RANGES.items()
    )
    g.down, g.to_go, g.spot, g.period = down, to_go, spot, period
    g.score = [max(lead, 0), max(-lead, 0)]
    g.clock = min(time, 3600)
    return down, to_go, spot, lead, lookup_tables.seconds_left(m, g), period


@pytest.mark.parametrize("seed", range(2))
def test_the_index_finds_what_trying_every_entry_finds(seed: int) -> None:
    random = Random(seed)
    m = RULES.new_match({"home_plan": "2008:ARI"})
    store_plan(m, c.AWAY_PLAN, build_lookup_tables(random_plan(random)))
    g = RULES.new_position(m)
    rows = set()
    for _ in range(5000):
        values = random_situation(random, m, g)
        plan, section = random.randrange(4), random.randrange(len(SECTIONS))
        row = lookup_tables.find_row(m, g, plan, section, 0)
        assert row == first_that_fits(m, plan, section, values)
        rows.add(row)
    assert len(rows) > 150


def test_tables_for_early_in_a_half_name_the_entry_that_fits_or_none() -> None:
    """With plans that are simple enough for tables; every section uses its own."""
    random = Random(3)
    m = RULES.new_match()
    g = RULES.new_position(m)
    named = [0] * len(SECTIONS)
    for _ in range(60):
        store_plan(m, c.HOME_PLAN, build_lookup_tables(random_plan(random, 30, 0.2)))
        for _ in range(80):
            values = random_situation(random, m, g)
            if values[4] <= lookup_tables.LATE_SECONDS:
                continue
            for section in range(len(SECTIONS)):
                entry = lookup_tables.early_entry(m, g, c.HOME_PLAN, section, values[3])
                if entry >= 0:
                    row = (c.HOME_PLAN * MAX_ENTRIES + entry) * ENTRY_WIDTH + 2 * len(
                        SITUATION_RANGES
                    )
                    assert row == first_that_fits(m, c.HOME_PLAN, section, values)
                    named[section] += 1
    assert min(named) > 100


@pytest.mark.parametrize("section", range(len(SECTIONS)), ids=SECTIONS)
def test_early_in_a_half_each_period_has_its_own_entry(section: int) -> None:
    """Every quarter has its table; overtime, where all periods are one, uses the index."""
    periods = [(1, 1), (2, 2), (3, 3), (4, 4), SITUATION_RANGES["period"]]
    widest = [end for key in SITUATION_RANGES if key != "period" for end in SITUATION_RANGES[key]]
    rows = tuple((*widest, *period, *[1] * 9) for period in periods)
    starts = tuple(len(rows) if index > section else 0 for index in range(len(SECTIONS) + 1))
    m = RULES.new_match()
    store_plan(m, c.HOME_PLAN, build_lookup_tables(Plan("of periods", rows, starts, (4, 6))))
    g = RULES.new_position(m)
    g.down, g.to_go, g.spot, g.clock = 1, 10, 30, lookup_tables.LATE_SECONDS + 1
    for g.period in range(1, 6):
        row = (c.HOME_PLAN * MAX_ENTRIES + g.period - 1) * ENTRY_WIDTH + 2 * len(SITUATION_RANGES)
        assert lookup_tables.find_row(m, g, c.HOME_PLAN, section, 0) == row
        if g.period <= lookup_tables.LAST_QUARTER_OR_DOWN:
            assert lookup_tables.early_entry(m, g, c.HOME_PLAN, section, 0) == g.period - 1


def test_a_plan_with_too_many_zones_is_left_to_the_index() -> None:
    rows = [
        (*[end for key in SITUATION_RANGES for end in SITUATION_RANGES[key]], *[1] * 9)
    ] * lookup_tables.MAX_DISTANCE_CLASSES
    rows = [(*row[:2], index, index, *row[4:]) for index, row in enumerate(rows)]
    starts = (0, len(rows), *[len(rows)] * (len(SECTIONS) - 1))
    assert set(lookup_tables.build_place_tables(Plan("many", tuple(rows), starts, (4, 6)))[1]) == {
        -1
    }
    fewer = Plan(
        "fewer", tuple(rows[:-1]), tuple(min(index, len(rows) - 1) for index in starts), (4, 6)
    )
    assert set(lookup_tables.build_place_tables(fewer)[1]) == {-1, *range(len(rows) - 1)}


def test_a_plan_without_entries_finds_nothing() -> None:
    m = RULES.new_match()
    store_plan(
        m, c.HOME_PLAN, build_lookup_tables(Plan("none", (), (0,) * (len(SECTIONS) + 1), (4, 6)))
    )
    assert lookup_tables.find_row(m, RULES.new_position(m), c.HOME_PLAN, c.PLAY, 0) == -1


def test_a_plan_fills_its_slot_and_no_other() -> None:
    m = RULES.new_match({"home_plan": "bold"})
    slots = [
        m.plan_rows[slot * MAX_ENTRIES * ENTRY_WIDTH :][: MAX_ENTRIES * ENTRY_WIDTH]
        for slot in range(4)
    ]
    assert slots[c.HOME_PLAN] == slots[c.BOLD] != slots[c.BOOK] == slots[c.AWAY_PLAN]
    store_plan(m, c.HOME_PLAN, build_lookup_tables(plans.load("book")))
    assert fields_of(m) == fields_of(RULES.new_match())


def fields_of(m: Match) -> dict[str, Any]:
    return {name: getattr(m, name) for name in RULES.match.fields}


def test_a_plan_with_too_many_entries_is_refused() -> None:
    book = plans.load("book")
    with pytest.raises(HashmarkError, match="more than 400 entries"):
        build_lookup_tables(
            Plan("long", book.rows[:1] * (MAX_ENTRIES + 1), book.starts, book.numbers)
        )
