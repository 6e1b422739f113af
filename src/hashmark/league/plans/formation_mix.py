"""How often a defence shows each formation, by down and distance.

Formations are not in the play-by-play. This table is the reference mix of the notes (40 10 8 22
8 12 percent over a whole season), moved by down and distance the way any defence moves: bigger
against the run, smaller and deeper against the pass. It is the same for every team; what a
team's defence is good at is in its charts. `by_column` tells what the table amounts to over a
season's plays, by play column: the chart builder lays exactly that over the offence's charts.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.facts.situations import FAR, When, when

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

REFERENCE = (40, 10, 8, 22, 8, 12)

# In the order of FORMATIONS: standard, jam-middle, rush-wide, nickel, dime, blitz.
LATE = (when(period=(2, 4), time=(0, 120), lead=(1, FAR)), (18, 1, 3, 42, 26, 10))
BY_DOWN: list[tuple[When, tuple[int, ...]]] = [
    (when(down=(3, 4), to_go=(1, 2)), (38, 24, 13, 11, 2, 12)),
    (when(down=(3, 4), to_go=(3, 6)), (28, 4, 5, 36, 12, 15)),
    (when(down=(3, 4)), (20, 2, 4, 38, 22, 14)),
    (when(down=2, to_go=(1, 4)), (45, 16, 11, 13, 3, 12)),
    (when(down=2, to_go=(5, 8)), (43, 10, 9, 21, 5, 12)),
    (when(down=2), (38, 7, 7, 28, 9, 11)),
    (when(down=1, to_go=(11, 99)), (38, 6, 7, 29, 9, 11)),
    ({}, (47, 12, 9, 16, 4, 12)),
]
MIX: list[tuple[When, tuple[int, ...]]] = [LATE, *BY_DOWN]
assert all(len(mix) == len(FORMATIONS) and sum(mix) == 100 for _, mix in MIX)


@cache
def shares_in_the_open(down: int, to_go: int) -> tuple[int, ...]:
    """The shares of formations on a down, the end of a half left aside."""
    here = {"down": down, "to-go": to_go}
    for situation, mix in BY_DOWN:
        if all(low <= here[key] <= high for key, (low, high) in situation.items()):
            return mix
    raise AssertionError("the last entry fits always")


def in_the_open(down: int, to_go: int) -> NDArray[np.float64]:
    """The same as an array."""
    import numpy as np

    return np.array(shares_in_the_open(down, to_go), dtype=float)


def by_column(plays: pl.DataFrame) -> NDArray[np.float64]:
    """What each play column meets over a season: shares by column and formation.

    `plays` is the play-by-play of `pbp.load`, or a part of it.
    """
    import numpy as np
    import polars as pl

    from hashmark.league.facts import columns
    from hashmark.league.facts.counting import entry_number, with_key, with_situation

    keyed = with_key(with_situation(plays)).with_columns(lead=-pl.col("lead"))
    entries = keyed.with_columns(entry_number([situation for situation, _ in MIX]))
    called = columns.scrimmage(keyed).frame.filter(pl.col("column").is_not_null())
    seen = (
        called.join(entries.select("game_id", "entry"), on="game_id")
        .group_by("column", "entry")
        .agg(pl.col("weight").sum().round(6))
    )
    made = np.zeros((len(PLAYS), len(FORMATIONS)))
    for column, entry, weight in seen.sort("column", "entry").iter_rows():
        made[PLAYS.index(column)] += weight * np.array(MIX[entry][1])
    made += 1e-9 * np.array(REFERENCE)
    shares: NDArray[np.float64] = made / made.sum(axis=1, keepdims=True)
    return shares
