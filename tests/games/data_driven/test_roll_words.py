"""Purpose of every roll of Data-Driven Football in words: each column, row set and die."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hashmark.engine.dice import COIN, Pool
from hashmark.engine.record import HOME
from hashmark.engine.rolls import Roll
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import LONG_SIZE, SHORT_SIZE, parse
from hashmark.games.data_driven.dice import (
    BOUNCE_DIE,
    CHOICE_3,
    CROWD_DIE,
    DEFENSE_DICE,
    FALSE_READ_DIE,
    OFFENSE_DICE,
)
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.roll_words import (
    COLUMN_NAMES,
    ROW_SET_TEXTS,
    column_name,
    roll_purpose,
)

EXPECTED_NAMES = {
    "offence.off-tackle": "off tackle",
    "defence.rush-wide.short-pass": "rush wide against short pass",
    "pi-yards.screen": "interference yards",
    "short-field.goal-2-run": "run, 2 yards or less to goal",
    "short-field.goal-30-pass": "pass, 30 yards or less to goal",
    "short-field.line-6-pass": "pass, 6 yards or less to gain",
    "short-field.chains-run": "measurement",
    "qt": "quarterback trapped",
    "big-play": "big play",
    "int-return": "interception return",
    "fg-adjust": "field goal, defense",
    "qr": "containment",
    "kick-return": "kick return",
}
SETS = {
    "recovery": "fumble recovery: kept or lost",
    "pat-miss": "extra point: missed or good",
    "muffed-snap": "snap: muffed or clean",
    "sack-rate": "sack rate: changed or no change",
    "recovery-adjust": "recovery, defense: changed or no change",
    "onside": "onside kick: recovered or lost",
    "pre-snap": "before the snap?: yes or no",
    "holding": "holding in the end zone?: yes or no",
    "between-downs": "between downs?: yes or no",
}


def describe_roll(
    m: Match, pool: Pool, outcome: int, cells: Sequence[int] = (), first: int = -1
) -> str:
    """Return label and reading of a roll."""
    roll = Roll(pool, HOME, (), outcome, cells=cells, first_cell=first)
    text = roll_purpose(m, None, roll)  # type: ignore[arg-type]
    return f"{text.label}: {text.result_text}"


def test_every_column_has_a_name_of_its_own() -> None:
    names = {column.name: column_name(column.name) for column in layout.ALL_COLUMNS}
    assert {key: names[key] for key in EXPECTED_NAMES} == EXPECTED_NAMES
    shared = [
        name for key, name in names.items() if key.partition(".")[0] in ("pi-yards", "defence")
    ]
    others = [name for name in names.values() if name not in shared]
    assert len(set(others)) == len(others) - 1  # both measurements
    assert set(COLUMN_NAMES) <= set(names)


@pytest.mark.parametrize("name", SETS)
def test_a_row_set_says_what_a_row_in_it_means(name: str) -> None:
    assert set(ROW_SET_TEXTS) == set(SETS)
    m = RULES.new_match()
    first = layout.ROW_SETS.index(name) * LONG_SIZE
    m.row_sets[first], m.row_sets[first + 1] = 1, 0
    inside, outside = (describe_roll(m, OFFENSE_DICE, row, m.row_sets, first) for row in (10, 11))
    label, _, words = SETS[name].rpartition(": ")
    yes, _, no = words.partition(" or ")
    assert (inside, outside) == (f"{label}: 10, {yes}", f"{label}: 11, {no}")


def test_an_empty_cell_reads_as_zero_or_lets_the_play_stand() -> None:
    """A white box is 0 on a chart, and lets the play stand on a short-field chart."""
    m = RULES.new_match()
    for cells, column, pool, size in (
        (m.long_cells, layout.LONG_INDEX["offence.draw"], OFFENSE_DICE, LONG_SIZE),
        (m.short_cells, layout.SHORT_INDEX["defence.blitz.draw"], DEFENSE_DICE, SHORT_SIZE),
        (m.short_field_cells, 0, OFFENSE_DICE, LONG_SIZE),
    ):
        first, low = column * size, pool.lowest
        cells[first], cells[first + 1] = parse(""), parse("-1")
        name = column_name(
            {LONG_SIZE: "offence.draw", SHORT_SIZE: "defence.blitz.draw"}[size]
            if cells is not m.short_field_cells
            else "short-field.goal-2-run"
        )
        nothing = "play stands" if cells is m.short_field_cells else "0"
        assert describe_roll(m, pool, low, cells, first) == f"{name}: {low}, {nothing}"
        assert describe_roll(m, pool, low + 1, cells, first) == f"{name}: {low + 1}, -1"


@pytest.mark.parametrize(
    ("pool", "said"),
    [
        (COIN, "coin toss"),
        (FALSE_READ_DIE, "false read"),
        (CROWD_DIE, "home field"),
        (BOUNCE_DIE, "yards of the roll"),
        (DEFENSE_DICE, "direction of the roll"),
        (CHOICE_3, "which foul"),
    ],
)
def test_dice_without_a_chart_have_a_label(pool: Pool, said: str) -> None:
    assert describe_roll(RULES.new_match(), pool, 1) == f"{said}: "
