"""Totals over many simulated seasons: integers only, so the order of addition is irrelevant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from hashmark.engine.generator import MASK
from hashmark.league.seasons.playoffs import CHAMPION, LEVELS
from hashmark.league.seasons.standings import MAX_SEEDS, TEAM_COUNT, Standings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hashmark.league.data.arrays import Integers


MAX_HALF_WINS = 2 * 17
MAX_SEASON_POINTS = 10**5  # upper bound per season
ROBIN_GAMES, ROBIN_WINS, ROBIN_MARGIN, ROBIN_SQUARES = range(4)


@dataclass
class Tally:
    """Totals over seasons; the first index of every array is the team."""

    runs: int
    digest: int  # of the final positions of all games
    best_records: int  # seasons whose champion had the best record, alone or tied
    wins: Integers  # seasons by number of half wins
    divisions: Integers  # division titles
    seeds: Integers  # seasons by seed; 0 means no playoffs
    reached: Integers  # seasons by playoff level reached
    points: Integers  # regular season: for, against
    robin: Integers  # games, wins, margin and its squares in the round robin

    @classmethod
    def empty(cls) -> Tally:
        import numpy as np

        def zeros(width: int) -> Integers:
            return np.zeros((TEAM_COUNT, width), np.int64)

        return cls(
            runs=0,
            digest=0,
            best_records=0,
            wins=zeros(MAX_HALF_WINS + 1),
            divisions=np.zeros(TEAM_COUNT, np.int64),
            seeds=zeros(MAX_SEEDS + 1),
            reached=zeros(len(LEVELS)),
            points=zeros(2),
            robin=zeros(4),
        )

    def add(self, other: Tally) -> None:
        """Add the totals of other seasons."""
        for column in fields(self):
            setattr(self, column.name, getattr(self, column.name) + getattr(other, column.name))
        self.digest &= MASK

    def to_json(self) -> dict[str, Any]:
        """Return all counts, so that a run can be resumed later."""
        values = {column.name: getattr(self, column.name) for column in fields(self)}
        return {name: v if isinstance(v, int) else v.tolist() for name, v in values.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tally:
        import numpy as np

        tally = cls.empty()
        for column in fields(cls):
            empty, value = getattr(tally, column.name), data[column.name]
            if isinstance(empty, int):
                if type(value) is not int or not 0 <= value <= MASK:
                    raise ValueError(f"{column.name} is not a count")
                setattr(tally, column.name, value)
                continue
            array = np.array(value)
            if empty.shape != array.shape or array.dtype != np.int64:
                raise ValueError(f"{column.name} does not have the expected shape")
            setattr(tally, column.name, array)
        tally.validate()
        return tally

    def validate(self) -> None:
        """Raise a ValueError that names the first count that no seasons can add up to."""
        for name in ("wins", "seeds", "reached"):
            counts: Integers = getattr(self, name)
            if (counts < 0).any() or any(sum(row) != self.runs for row in counts.tolist()):
                raise ValueError(f"{name} does not add up to {self.runs} seasons")
        limit = self.runs * MAX_SEASON_POINTS**2
        for column in fields(self):
            value = getattr(self, column.name)
            if not isinstance(value, int) and not (
                -limit <= int(value.min()) and int(value.max()) <= limit
            ):
                raise ValueError(f"{column.name} is too large for {self.runs} seasons")


def count_seasons(standings: Standings, reached: Integers, games: Integers) -> Tally:
    """Return the totals of seasons from their standings and playoffs; `games` is by team."""
    import numpy as np

    tally = Tally.empty()
    tally.runs = len(reached)
    for team in range(TEAM_COUNT):
        won = standings.won[:, team]
        tally.wins[team] = np.bincount(won, minlength=MAX_HALF_WINS + 1)
        tally.reached[team] = np.bincount(reached[:, team], minlength=len(LEVELS))
        has_seed = standings.seeds == team
        tally.seeds[team, 1 : 1 + has_seed.shape[2]] = has_seed.sum(axis=(0, 1))
        tally.seeds[team, 0] = tally.runs - tally.seeds[team].sum()
    tally.divisions = (standings.ranks == 0).sum(axis=0)
    win_share = standings.won / np.maximum(1, games)
    champions = reached == CHAMPION
    tally.best_records = (
        int((win_share[champions] >= win_share.max(axis=1)).sum()) if tally.runs else 0
    )
    return tally


def count_round_robin(pairs: Integers, points: NDArray[np.int16]) -> Integers:
    """Return the totals of round-robin games, given pairs of teams and their points."""
    import numpy as np

    totals = np.zeros((TEAM_COUNT, 4), np.int64)
    margin = points[:, 0].astype(np.int64) - points[:, 1]
    for seat, sign in ((0, 1), (1, -1)):
        own_margin = sign * margin
        for column, values in (
            (ROBIN_GAMES, np.ones_like(own_margin)),
            (ROBIN_WINS, (own_margin > 0).astype(np.int64)),
            (ROBIN_MARGIN, own_margin),
            (ROBIN_SQUARES, own_margin * own_margin),
        ):
            np.add.at(totals[:, column], pairs[:, seat], values)
    return totals
