"""Plays counted by team, by entry of a plan, and by what was called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hashmark.league.facts import situations
from hashmark.league.facts.situations import When

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NO_ENTRY = -1
LAST_QUARTER, FAR = 4, 99


@dataclass(frozen=True)
class Counts:
    """What was called in a section of the plans: by team, entry and call."""

    section: str
    whens: list[When]
    counts: Floats


def with_situation(plays: pl.DataFrame) -> pl.DataFrame:
    """The keys of a plan's `when` as columns, as the team with the ball sees them."""
    return plays.with_columns(
        team=pl.col("posteam"),
        spot=(100 - pl.col("yardline_100")).fill_null(0).cast(pl.Int32),
        lead=pl.col("score_differential").fill_null(0).cast(pl.Int32),
        time=pl.col("half_seconds_remaining").fill_null(0).cast(pl.Int32),
        period=pl.col("qtr").cast(pl.Int32),
        down=pl.col("down").fill_null(0).cast(pl.Int32),
        **{"to-go": pl.col("ydstogo").fill_null(0).cast(pl.Int32)},
    )


def with_key(plays: pl.DataFrame) -> pl.DataFrame:
    """Every row has a key of its own in `game_id`, by which what is made of it is found again."""
    return plays.with_row_index("row").with_columns(game_id=pl.col("row").cast(pl.String))


def entry_number(whens: Sequence[When]) -> pl.Expr:
    """The number of the first entry that fits."""
    chosen: pl.Expr = pl.lit(NO_ENTRY)
    for number, when in reversed(list(enumerate(whens))):
        fits = pl.lit(True)
        for key, (low, high) in when.items():
            fits = fits & pl.col(key).is_between(low, high)
        chosen = pl.when(fits).then(pl.lit(number)).otherwise(chosen)
    return chosen.alias("entry")


def count(
    placed: pl.DataFrame,
    whens: Sequence[When],
    teams: Sequence[str],
    call: str | None = None,
    calls: Sequence[str] = ("",),
    weight: str | None = None,
) -> Floats:
    """How often each team made each call in each entry.

    Overtimes are few: their ends are counted with those of the fourth quarter, whose plays count
    where they belong as well.
    """
    made = _count(placed, whens, teams, call, calls, weight)
    ends = [at for at, when in enumerate(whens) if situations.ends_overtime(when)]
    if ends:
        alike = [{**whens[at], "period": (LAST_QUARTER, FAR)} for at in ends]
        made[:, ends] = _count(placed, alike, teams, call, calls, weight)
    return made


def _count(
    placed: pl.DataFrame,
    whens: Sequence[When],
    teams: Sequence[str],
    call: str | None,
    calls: Sequence[str],
    weight: str | None,
) -> Floats:
    made = np.zeros((len(teams), len(whens), len(calls)))
    keys = ["team", "entry", *([call] if call else [])]
    amount = pl.col(weight).sum().round(6) if weight else pl.len()
    found = placed.with_columns(entry_number(whens)).group_by(keys).agg(amount.alias("n"))
    team_at = {code: at for at, code in enumerate(teams)}
    call_at = {name: at for at, name in enumerate(calls)}
    for team, entry, *name, n in found.select(*keys, "n").iter_rows():
        if team in team_at and entry != NO_ENTRY:
            made[team_at[team], entry, call_at[name[0]] if name else 0] += n
    return made
