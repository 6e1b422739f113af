"""Expected points by down, distance and field position.

They are the points of the next score for the team with the ball: a touchdown counts its own points,
and what follows the kickoff is ignored. The table is the mean of the play-by-play column `ep`
around each node, over all available seasons, without the last two minutes of a half. It ships as
`data/expected-points.csv`; `write_table` rebuilds it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hashmark.errors import HashmarkError
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.tables import FIRST_DOWN_YARDS
from hashmark.league.data.arrays import Floats
from hashmark.storage import atomic_write

TABLE_PATH = Path(__file__).parent / "data" / "expected-points.csv"
DOWNS = (1, 2, 3, 4)
TO_GO = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30)
SPOTS = (1, 3, 5, *range(10, 91, 5), 92, 94, 96, 98, 99)
MAX_TO_GO = TO_GO[-1]
# Value of the next score, including the try.
TOUCHDOWN_POINTS, FIELD_GOAL_POINTS, SAFETY_POINTS = 6.97, 3.0, -2.0
QUARTERS = 4  # of regulation
CLOSING_SECONDS = 120  # of a half: the table leaves them out
METHOD = "nflverse, by down, distance and spot"


class ExpectedPoints:
    """Expected points of every situation for the team with the ball."""

    def __init__(self, nodes: Floats) -> None:
        spots = np.arange(101)
        by_spot = np.apply_along_axis(lambda row: np.interp(spots, SPOTS, row), 2, nodes)
        by_distance = np.apply_along_axis(
            lambda row: np.interp(np.arange(MAX_TO_GO + 1), TO_GO, row), 1, by_spot
        )
        self._cache: dict[tuple[int, ...], Floats] = {}
        self.points: Floats = by_distance  # down - 1, to go, spot
        self.first_down_values: Floats = np.array(
            [self.value_at(1, FIRST_DOWN_YARDS, spot) for spot in spots[:100]]
        )

    def value_at(self, down: int, to_go: int, spot: int) -> float:
        """Return the expected points; `to_go` is capped by the field that is left."""
        return float(self.points[down - 1, min(to_go, MAX_TO_GO, 100 - spot), spot])

    def first_down_value(self, spot: int) -> float:
        return float(self.first_down_values[spot])

    def value_after(self, down: int, to_go: int, spot: int, gain: int) -> float:
        """Return the expected points of the offense after a gain."""
        end = spot + gain
        if end >= 100:
            return TOUCHDOWN_POINTS
        if end <= 0:
            return SAFETY_POINTS
        if gain >= to_go:
            return self.first_down_value(end)
        if down == 4:
            return -self.first_down_value(100 - end)
        return self.value_at(down + 1, to_go - gain, end)

    def values_after(self, down: int, to_go: int, spot: int, lowest: int, highest: int) -> Floats:
        """Return `value_after` for every gain in a range."""
        key = (down, to_go, spot, lowest, highest)
        if key not in self._cache:
            gains = range(lowest, highest + 1)
            self._cache[key] = np.array(
                [self.value_after(down, to_go, spot, gain) for gain in gains]
            )
        return self._cache[key]


@lru_cache(maxsize=1)
def load() -> ExpectedPoints:
    """Load the shipped table."""
    with TABLE_PATH.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    values = np.array([[float(cell) for cell in row[2:]] for row in rows])
    return ExpectedPoints(values.reshape(len(DOWNS), len(TO_GO), len(SPOTS)))


def next_score_ep(g: p.Position) -> float | None:
    """Return the expected points of the offense before a snap, or None where no table applies.

    The table covers scrimmage downs in regulation, except the last two minutes of a half.
    """
    is_before_snap = g.phase == p.SCRIMMAGE and g.asks in (p.ASK_PLAY, p.ASK_FORMATION)
    is_closing = g.period % 2 == 0 and g.clock <= CLOSING_SECONDS
    if not is_before_snap or is_closing or g.period > QUARTERS:
        return None
    return load().value_at(g.down, g.to_go, g.spot)


# --- Building the table ------------------------------------------------------------------


def write_table(sources: Iterable[Path], out: Path = TABLE_PATH) -> None:
    """Write the table from play-by-play files in the nflverse layout."""
    nodes = fit_table(sources)
    lines: list[tuple[object, ...]] = [("down", "to-go", *(f"spot-{spot}" for spot in SPOTS))]
    for down, block in zip(DOWNS, nodes, strict=True):
        for to_go, row in zip(TO_GO, block, strict=True):
            lines.append((down, to_go, *(f"{value:.2f}" for value in row)))
    atomic_write.write_file(out, atomic_write.csv_text(lines))


def fit_table(sources: Iterable[Path]) -> Floats:
    """Return the value at every node, from a plane fitted to the plays around it."""
    frames = [_plays(path) for path in sources]
    if not frames:
        raise HashmarkError("expected points need at least one season of play-by-play")
    plays = np.concatenate(frames)
    nodes = np.zeros((len(DOWNS), len(TO_GO), len(SPOTS)))
    for index, down in enumerate(DOWNS):
        _, to_go, spots, points, weights = plays[plays[:, 0] == down].T
        for i, distance in enumerate(TO_GO):
            for j, spot in enumerate(SPOTS):
                nodes[index, i, j] = _plane(
                    to_go - distance, spots - spot, points, weights, distance
                )
    return nodes


def _plays(path: Path) -> Floats:
    """Return down, to go, spot, mean points and number of plays of each situation of a season."""
    import polars as pl

    scan: Any = pl.scan_parquet if path.suffix == ".parquet" else pl.scan_csv
    plays = (
        scan(path)
        .filter(
            pl.col("ep").is_not_null(),
            pl.col("down").is_not_null(),
            pl.col("half_seconds_remaining") > 120,
        )
        .group_by("down", "ydstogo", "yardline_100")
        .agg(pl.col("ep").mean(), pl.len().cast(pl.Float64).alias("plays"))
        .sort("down", "ydstogo", "yardline_100")
        .with_columns(spot=100 - pl.col("yardline_100"))
        .select("down", "ydstogo", "spot", "ep", "plays")
        .collect()
    )
    return np.asarray(plays.to_numpy())


def _plane(dy: Floats, dx: Floats, points: Floats, weights: Floats, distance: int) -> float:
    """Fit a plane around a node by weighted least squares; return its height at the node."""
    width = 1.0
    while True:  # widen the window until enough plays are near
        nearness = np.exp(
            -((dy / (width * (0.6 + 0.06 * distance))) ** 2 + (dx / (width * 3)) ** 2) / 2
        )
        weight = weights * nearness
        if weight.sum() >= 200 or width > 16:
            break
        width *= 1.5
    basis = np.stack((np.ones_like(dx), dx, dy), 1)
    root = np.sqrt(weight)
    fitted = np.linalg.lstsq(basis * root[:, None], points * root, rcond=None)[0]
    return float(fitted[0])
