"""Counts of real calls by team, plan entry and call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.plans.plan import SECTIONS
from hashmark.league.data import situations
from hashmark.league.data.arrays import Floats
from hashmark.league.data.situations import When

NO_ENTRY = -1
LAST_QUARTER, LAST_PERIOD = 4, 99


@dataclass(frozen=True)
class CallCounts:
    """The calls of one plan section: counts by team, entry and call."""

    section: str
    whens: list[When]
    counts: Floats


def add_situation(plays: pl.DataFrame) -> pl.DataFrame:
    """Add the keys of a plan's `when` as columns, from the view of the team in possession."""
    return plays.with_columns(
        team=pl.col("posteam"),
        spot=(100 - pl.col("yardline_100")).fill_null(0).cast(pl.Int32),
        lead=pl.col("score_differential").fill_null(0).cast(pl.Int32),
        time=pl.col("half_seconds_remaining").fill_null(0).cast(pl.Int32),
        period=pl.col("qtr").cast(pl.Int32),
        down=pl.col("down").fill_null(0).cast(pl.Int32),
        **{"to-go": pl.col("ydstogo").fill_null(0).cast(pl.Int32)},
    )


def add_row_key(plays: pl.DataFrame) -> pl.DataFrame:
    """Put a unique row key into `game_id`, so that derived rows can be joined back."""
    return plays.with_row_index("row").with_columns(game_id=pl.col("row").cast(pl.String))


def first_matching_entry(whens: Sequence[When]) -> pl.Expr:
    """Return the index of the first entry that matches a play."""
    entry: pl.Expr = pl.lit(NO_ENTRY)
    for index, when in reversed(list(enumerate(whens))):
        matches = pl.lit(True)
        for key, (low, high) in when.items():
            matches = matches & pl.col(key).is_between(low, high)
        entry = pl.when(matches).then(pl.lit(index)).otherwise(entry)
    return entry.alias("entry")


def count_calls(
    plays: pl.DataFrame,
    whens: Sequence[When],
    teams: Sequence[str],
    call: str | None = None,
    calls: Sequence[str] = ("",),
    weight: str | None = None,
) -> Floats:
    """Count how often each team made each call in each entry.

    Overtimes are rare: entries for the end of an overtime use the plays from the end of the fourth
    quarter as well, which also count in their own entries.
    """
    totals = _count(plays, whens, teams, call, calls, weight)
    overtime_entries = [
        index for index, when in enumerate(whens) if situations.is_overtime_end(when)
    ]
    if overtime_entries:
        extended = [
            {**whens[index], "period": (LAST_QUARTER, LAST_PERIOD)} for index in overtime_entries
        ]
        totals[:, overtime_entries] = _count(plays, extended, teams, call, calls, weight)
    return totals


def count_section(
    section: str, plays: pl.DataFrame, whens: list[When], teams: Sequence[str]
) -> CallCounts:
    """Count the calls of a plan section, which are in the column `call`."""
    return CallCounts(section, whens, count_calls(plays, whens, teams, "call", SECTIONS[section]))


def _count(
    plays: pl.DataFrame,
    whens: Sequence[When],
    teams: Sequence[str],
    call: str | None,
    calls: Sequence[str],
    weight: str | None,
) -> Floats:
    totals = np.zeros((len(teams), len(whens), len(calls)))
    keys = ["team", "entry", *([call] if call else [])]
    amount = pl.col(weight).sum().round(6) if weight else pl.len()
    grouped = plays.with_columns(first_matching_entry(whens)).group_by(keys).agg(amount.alias("n"))
    team_index = {code: index for index, code in enumerate(teams)}
    call_index = {name: index for index, name in enumerate(calls)}
    for team, entry, *name, n in grouped.select(*keys, "n").iter_rows():
        if team in team_index and entry != NO_ENTRY:
            totals[team_index[team], entry, call_index[name[0]] if name else 0] += n
    return totals
