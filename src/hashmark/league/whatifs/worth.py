"""What a situation is worth: expected points by down, distance and field position.

The points are those of the next score, for the team with the ball: a touchdown is worth its
own points and what comes after the kickoff is left out. The table is the mean of the
play-by-play column `ep` around each node, over all seasons at hand; the last two minutes of a
half are left out. It ships as `data/expected-points.csv`, and `write_table` makes it again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven.tables import FIRST_DOWN_YARDS
from hashmark.table import writing
from hashmark.table.errors import HashmarkError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE = Path(__file__).parent / "data" / "expected-points.csv"
DOWNS = (1, 2, 3, 4)
TO_GO = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30)
SPOTS = (1, 3, 5, *range(10, 91, 5), 92, 94, 96, 98, 99)
FARTHEST = TO_GO[-1]
TOUCHDOWN, FIELD_GOAL, SAFETY = 6.97, 3.0, -2.0  # the next score itself, the try with it


class Worth:
    """Expected points of every situation, as the team with the ball sees them."""

    def __init__(self, nodes: NDArray[np.float64]) -> None:
        import numpy as np

        spots = np.arange(101)
        along = np.apply_along_axis(lambda row: np.interp(spots, SPOTS, row), 2, nodes)
        over = np.apply_along_axis(
            lambda row: np.interp(np.arange(FARTHEST + 1), TO_GO, row), 1, along
        )
        self._known: dict[tuple[int, ...], NDArray[np.float64]] = {}
        self.points: NDArray[np.float64] = over  # down - 1, to go, spot
        self.first_downs: NDArray[np.float64] = np.array(
            [self.at(1, FIRST_DOWN_YARDS, s) for s in spots[:100]]
        )

    def at(self, down: int, to_go: int, spot: int) -> float:
        """What the offence may expect; first and goal has no more to go than there is field."""
        return float(self.points[down - 1, min(to_go, FARTHEST, 100 - spot), spot])

    def first_down(self, spot: int) -> float:
        return float(self.first_downs[spot])

    def after(self, down: int, to_go: int, spot: int, gain: int) -> float:
        """What the offence has once a play has ended so far from the line."""
        end = spot + gain
        if end >= 100:
            return TOUCHDOWN
        if end <= 0:
            return SAFETY
        if gain >= to_go:
            return self.first_down(end)
        if down == 4:
            return -self.first_down(100 - end)
        return self.at(down + 1, to_go - gain, end)

    def after_each(
        self, down: int, to_go: int, spot: int, lowest: int, highest: int
    ) -> NDArray[np.float64]:
        """`after` for every gain of a range."""
        import numpy as np

        key = (down, to_go, spot, lowest, highest)
        if key not in self._known:
            gains = range(lowest, highest + 1)
            self._known[key] = np.array([self.after(down, to_go, spot, gain) for gain in gains])
        return self._known[key]


@lru_cache(maxsize=1)
def load() -> Worth:
    """The shipped table."""
    import numpy as np

    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    values = np.array([[float(cell) for cell in row[2:]] for row in rows])
    return Worth(values.reshape(len(DOWNS), len(TO_GO), len(SPOTS)))


# --- Making the table --------------------------------------------------------------------


def write_table(sources: Iterable[Path], out: Path = TABLE) -> None:
    """The table from play-by-play files in the nflverse layout."""
    nodes = build(sources)
    lines: list[tuple[object, ...]] = [("down", "to-go", *(f"spot-{spot}" for spot in SPOTS))]
    for down, block in zip(DOWNS, nodes, strict=True):
        for to_go, row in zip(TO_GO, block, strict=True):
            lines.append((down, to_go, *(f"{value:.2f}" for value in row)))
    writing.put(out, writing.csv_text(lines))


def build(sources: Iterable[Path]) -> NDArray[np.float64]:
    """The value at every node: a plane laid through the plays around it."""
    import numpy as np

    frames = [_plays(path) for path in sources]
    if not frames:
        raise HashmarkError("expected points need at least one season of play-by-play")
    plays = np.concatenate(frames)
    made = np.zeros((len(DOWNS), len(TO_GO), len(SPOTS)))
    for at, down in enumerate(DOWNS):
        _, to_go, spots, points, weights = plays[plays[:, 0] == down].T
        for i, distance in enumerate(TO_GO):
            for j, spot in enumerate(SPOTS):
                made[at, i, j] = _plane(to_go - distance, spots - spot, points, weights, distance)
    return made


def _plays(path: Path) -> NDArray[np.float64]:
    """Down, to go, spot, mean points and number of plays of each situation of a season."""
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
    found: NDArray[np.float64] = plays.to_numpy()
    return found


def _plane(dy: Any, dx: Any, points: Any, weights: Any, distance: int) -> float:
    """Weighted least squares of a plane around a node; its height there."""
    import numpy as np

    wide = 1.0
    while True:  # wider until enough plays are near
        near = np.exp(-((dy / (wide * (0.6 + 0.06 * distance))) ** 2 + (dx / (wide * 3)) ** 2) / 2)
        weight = weights * near
        if weight.sum() >= 200 or wide > 16:
            break
        wide *= 1.5
    basis = np.stack((np.ones_like(dx), dx, dy), 1)
    root = np.sqrt(weight)
    fitted = np.linalg.lstsq(basis * root[:, None], points * root, rcond=None)[0]
    return float(fitted[0])
