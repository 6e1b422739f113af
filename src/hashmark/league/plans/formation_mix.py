"""Formation mix: how often a defense shows each formation, by down and distance.

Formations are not in the play-by-play. The table starts from a reference mix (40 10 8 22 8 12
percent over a season) and shifts it by down and distance the way any defense does: heavier against
the run, lighter and deeper against the pass. It is the same for every team; the strength of a
team's defense is in its charts. `mix_by_column` returns the resulting mix over a season's plays
for each chart column, which the chart builder uses.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.data.situations import UNBOUNDED, When, when

if TYPE_CHECKING:
    import polars as pl

    from hashmark.league.data.arrays import Floats

REFERENCE_MIX = (40, 10, 8, 22, 8, 12)

# In the order of FORMATIONS: standard, jam-middle, rush-wide, nickel, dime, blitz.
LATE_ENTRY = (when(period=(2, 4), time=(0, 120), lead=(1, UNBOUNDED)), (18, 1, 3, 42, 26, 10))
ENTRIES_BY_DOWN: list[tuple[When, tuple[int, ...]]] = [
    (when(down=(3, 4), to_go=(1, 2)), (38, 24, 13, 11, 2, 12)),
    (when(down=(3, 4), to_go=(3, 6)), (28, 4, 5, 36, 12, 15)),
    (when(down=(3, 4)), (20, 2, 4, 38, 22, 14)),
    (when(down=2, to_go=(1, 4)), (45, 16, 11, 13, 3, 12)),
    (when(down=2, to_go=(5, 8)), (43, 10, 9, 21, 5, 12)),
    (when(down=2), (38, 7, 7, 28, 9, 11)),
    (when(down=1, to_go=(11, 99)), (38, 6, 7, 29, 9, 11)),
    ({}, (47, 12, 9, 16, 4, 12)),
]
MIX_ENTRIES: list[tuple[When, tuple[int, ...]]] = [LATE_ENTRY, *ENTRIES_BY_DOWN]
assert all(len(mix) == len(FORMATIONS) and sum(mix) == 100 for _, mix in MIX_ENTRIES)


@cache
def open_field_shares(down: int, to_go: int) -> tuple[int, ...]:
    """Return the formation shares for a down, disregarding the end of a half."""
    position = {"down": down, "to-go": to_go}
    for situation, mix in ENTRIES_BY_DOWN:
        if all(low <= position[key] <= high for key, (low, high) in situation.items()):
            return mix
    raise AssertionError("the last entry must match everything")


def mix_by_column(plays: pl.DataFrame) -> Floats:
    """Return the formation shares that each chart column meets over a season.

    `plays` is the play-by-play of `play_by_play.load`, or a part of it.
    """
    import numpy as np
    import polars as pl

    from hashmark.league.data import chart_columns
    from hashmark.league.data.call_counts import add_row_key, add_situation, first_matching_entry

    keyed = add_row_key(add_situation(plays)).with_columns(lead=-pl.col("lead"))
    entries = keyed.with_columns(first_matching_entry([situation for situation, _ in MIX_ENTRIES]))
    plays_called = chart_columns.assign_columns(keyed).frame.filter(pl.col("column").is_not_null())
    weights = (
        plays_called.join(entries.select("game_id", "entry"), on="game_id")
        .group_by("column", "entry")
        .agg(pl.col("weight").sum().round(6))
    )
    totals = np.zeros((len(PLAYS), len(FORMATIONS)))
    for column, entry, weight in weights.sort("column", "entry").iter_rows():
        totals[PLAYS.index(column)] += weight * np.array(MIX_ENTRIES[entry][1])
    totals += 1e-9 * np.array(REFERENCE_MIX)
    shares: Floats = totals / totals.sum(axis=1, keepdims=True)
    return shares
