"""What many simulated seasons add up to: whole numbers only, so that any order gives the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from hashmark.league.facts.schedule import TEAMS
from hashmark.league.seasons.playoffs import CHAMPION, LEVELS
from hashmark.league.seasons.standings import MOST_SEEDS, Standings
from hashmark.table.generator import MASK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

COUNT = len(TEAMS)
MOST_HALF_WINS = 2 * 17
MOST_POINTS = 10**5  # of a season, at the very most
ROBIN_GAMES, ROBIN_WINS, ROBIN_MARGIN, ROBIN_SQUARES = range(4)


@dataclass
class Tally:
    """Sums over seasons; the first index of every table is the team."""

    runs: int
    digest: int  # of the final positions of all games
    best_records: int  # seasons whose champion had the best record, alone or with others
    wins: Numbers  # seasons with so many half wins
    divisions: Numbers  # division titles
    seeds: Numbers  # seasons with this seed; 0 is none
    reached: Numbers  # seasons that ended at this level of the playoffs
    points: Numbers  # regular season: for, against
    robin: Numbers  # games, wins, margin and its squares in the round robin

    @classmethod
    def empty(cls) -> Tally:
        import numpy as np

        def table(width: int) -> Numbers:
            return np.zeros((COUNT, width), np.int64)

        return cls(
            runs=0,
            digest=0,
            best_records=0,
            wins=table(MOST_HALF_WINS + 1),
            divisions=np.zeros(COUNT, np.int64),
            seeds=table(MOST_SEEDS + 1),
            reached=table(len(LEVELS)),
            points=table(2),
            robin=table(4),
        )

    def add(self, other: Tally) -> None:
        """Add other seasons."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        self.digest &= MASK

    def to_json(self) -> dict[str, Any]:
        """All counts, so that a run can go on another day."""
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: v if isinstance(v, int) else v.tolist() for name, v in said.items()}

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Tally:
        import numpy as np

        made = cls.empty()
        for one in fields(cls):
            held, value = getattr(made, one.name), said[one.name]
            if isinstance(held, int):
                if type(value) is not int or not 0 <= value <= MASK:
                    raise ValueError(f"{one.name} is not a count")
                setattr(made, one.name, value)
                continue
            read = np.array(value)
            if held.shape != read.shape or read.dtype != np.int64:
                raise ValueError(f"{one.name} is not a table of counts of this shape")
            setattr(made, one.name, read)
        made.check()
        return made

    def check(self) -> None:
        """Refuse counts that no seasons add up to; a ValueError says which."""
        for name in ("wins", "seeds", "reached"):
            table: Numbers = getattr(self, name)
            if (table < 0).any() or any(sum(row) != self.runs for row in table.tolist()):
                raise ValueError(f"{name} does not add up to {self.runs} seasons")
        most = self.runs * MOST_POINTS**2
        for one in fields(self):
            value = getattr(self, one.name)
            if not isinstance(value, int) and not (
                -most <= int(value.min()) and int(value.max()) <= most
            ):
                raise ValueError(f"{one.name} is more than {self.runs} seasons can bring")


def count_seasons(standings: Standings, reached: Numbers, games: Numbers) -> Tally:
    """Count what the standings and playoffs of many seasons show; `games` is by team."""
    import numpy as np

    made = Tally.empty()
    made.runs = len(reached)
    for team in range(COUNT):
        won = standings.won[:, team]
        made.wins[team] = np.bincount(won, minlength=MOST_HALF_WINS + 1)
        made.reached[team] = np.bincount(reached[:, team], minlength=len(LEVELS))
        where = standings.seeds == team
        made.seeds[team, 1 : 1 + where.shape[2]] = where.sum(axis=(0, 1))
        made.seeds[team, 0] = made.runs - made.seeds[team].sum()
    made.divisions = (standings.ranks == 0).sum(axis=0)
    share = standings.won / np.maximum(1, games)
    champions = reached == CHAMPION
    made.best_records = int((share[champions] >= share.max(axis=1)).sum()) if made.runs else 0
    return made


def count_robin(pairs: Numbers, points: NDArray[np.int16]) -> Numbers:
    """Count the games of the round robin: pairs of teams and their points."""
    import numpy as np

    made = np.zeros((COUNT, 4), np.int64)
    margin = points[:, 0].astype(np.int64) - points[:, 1]
    for side, sign in ((0, 1), (1, -1)):
        own = sign * margin
        for column, values in (
            (ROBIN_GAMES, np.ones_like(own)),
            (ROBIN_WINS, (own > 0).astype(np.int64)),
            (ROBIN_MARGIN, own),
            (ROBIN_SQUARES, own * own),
        ):
            np.add.at(made[:, column], pairs[:, side], values)
    return made
