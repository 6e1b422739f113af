"""Passes near the goal line, entered under the play that yields what they yielded.

A chart knows no field: a short pass gains as much on the 4 as at midfield. Really the short
field takes a third of its completions. So in a plan a part of the passes from the 20 in is
called as the screen, the pass that yields least, such that the passes of a zone bring the yards
that they brought. The part is the same for all teams of a season.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import PASSES, PLAYS, SCREEN
from hashmark.league import columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ZONES = ((80, 89), (90, 94), (95, 99))
OPEN_UNTIL = 70  # spots below are open field
DEDUCTION_FROM = 95  # R108: a screen yields a yard less
SHORT_YIELD = PLAYS[SCREEN]


def entered(placed: pl.DataFrame) -> pl.DataFrame:
    """The plays, those near the goal line moved in part to the screen."""
    parts = [placed]
    for low, high in ZONES:
        zone = pl.col("spot").is_between(low, high)
        there = placed.filter(zone)
        for play in PASSES:
            part = part_moved(placed, there, play) if play != SHORT_YIELD else 0.0
            if part > 0:
                chosen = zone & (pl.col("column") == play)
                parts = [
                    piece.with_columns(
                        weight=pl.when(chosen)
                        .then(pl.col("weight") * (1 - part))
                        .otherwise(pl.col("weight"))
                    )
                    for piece in parts
                ]
                moved = placed.filter(chosen)
                weight = pl.col("weight") * part
                parts.append(moved.with_columns(column=pl.lit(SHORT_YIELD), weight=weight))
    return pl.concat(parts)


def part_moved(placed: pl.DataFrame, there: pl.DataFrame, play: str) -> float:
    """The part of a pass in a zone that must be called as screen to yield what it did."""
    own = there.filter(pl.col("column") == play)
    if own.height < 10:
        return 0.0
    room = (100 - own["spot"]).to_numpy().astype(float)
    real = float(np.minimum(_gains(own), room).mean())
    lost = 1.0 if bool((own["spot"] >= DEDUCTION_FROM).all()) else 0.0
    whole = _open_yield(placed, play, room)
    least = _open_yield(placed, SHORT_YIELD, room, lost)
    if whole <= least:
        return 0.0
    return min(1.0, max(0.0, (whole - real) / (whole - least)))


def _gains(plays: pl.DataFrame) -> Floats:
    """Yards, none where the play was not a gain."""
    gained = pl.when(pl.col("result") == columns.GAIN).then(pl.col("yards")).otherwise(0)
    made: Floats = plays.select(gained).to_numpy()[:, 0].astype(float)
    return made


def _open_yield(placed: pl.DataFrame, play: str, room: Floats, lost: float = 0.0) -> float:
    """What a play of the open field would bring with so much room, on average."""
    free = placed.filter((pl.col("column") == play) & (pl.col("spot") < OPEN_UNTIL))
    if free.is_empty():
        return 0.0
    gains = _gains(free)
    gains = np.where(gains != 0, gains - lost, gains)
    distances, times = np.unique(room, return_counts=True)
    means = [np.minimum(gains, distance).mean() for distance in distances]
    return float(np.average(means, weights=times))
