"""What a team meets over its schedule: its opponents' charts and plans, seen as one.

For each entry of a plan it knows what every call is worth against the opponents' own mix, and
which mix the game of plays against formations would settle on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven.plans.plan import KEYS
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons.games import make_match
from hashmark.league.whatifs import duels, worth
from hashmark.league.whatifs.changes import SHARES, Moment, Row, mix
from hashmark.league.whatifs.duels import Duel, Spot, Table, allowed
from hashmark.league.whatifs.trial import Trial
from hashmark.odds import equilibrium

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

SPOTS = (25, 45, 65)  # where an entry without limits is looked at
DISTANCES = {1: (10,), 2: (7,), 3: (6,), 4: (3,)}  # to go, by down, if an entry does not say


@dataclass(frozen=True)
class View:
    """An entry at one of its situations: the game there, and the opponents' mix."""

    matrix: NDArray[np.float64]  # plays that are allowed, by formation
    plays: list[int]
    against: NDArray[np.float64]  # the opponents' mix: of formations, or of those plays


class Opposition:
    """A team's opponents, each counted as often as it is met."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.met = Counter(fixture.opponent for fixture in trial.fixtures)
        self.worth = worth.load()
        self.games: dict[str, tuple[Any, int]] = {}  # a match with each, and our side in it
        self.offence: dict[str, Table] = {}  # ours against theirs
        self.defence: dict[str, Table] = {}  # theirs against ours
        for fixture in trial.fixtures:
            code, us = fixture.opponent, int(not fixture.at_home)
            if code not in self.games:
                m = make_match(trial.ground.charts, trial.ground.pairing(fixture))
                self.games[code] = (m, us)
                self.offence[code] = Duel(m, us).table(self.worth)
                self.defence[code] = Duel(m, 1 - us).table(self.worth)

    @cached_property
    def our_offence(self) -> Table:
        return self._blended(self.offence)

    @cached_property
    def our_defence(self) -> Table:
        return self._blended(self.defence)

    def _blended(self, tables: dict[str, Table]) -> Table:
        return duels.blend([tables[code] for code in self.met], [*self.met.values()])

    def mean_mix(self, section: str, moment: Moment) -> NDArray[np.float64]:
        """The opponents' mean shares in a situation; `moment` is as our coach sees it."""
        import numpy as np

        theirs = replace(moment, lead=-moment.lead)
        width = len(PLAYS) if section == "play" else len(FORMATIONS)
        total = np.zeros(width)
        for code, games in self.met.items():
            found = mix(self.trial.league[code], section, theirs)
            total += games * np.array(found if found is not None else default_mix(width))
        return np.asarray(total / total.sum())

    # --- Entries of our plan --------------------------------------------------------------

    def views(self, section: str, row: Row) -> list[View]:
        """An entry of the section `play` or `formation` at its typical situations."""
        made = []
        for moment in moments(row):
            plays = allowed(moment.spot)
            at = Spot(moment.down, min(moment.to_go, 100 - moment.spot), moment.spot)
            if section == "play":
                matrix = self.our_offence.matrix(at)[plays]
                against = self.mean_mix("formation", moment)
            else:
                matrix = self.our_defence.matrix(at)[plays]
                against = self.mean_mix("play", moment)[plays]
                against = against / against.sum()
            made.append(View(matrix, plays, against))
        return made

    def gains(self, section: str, row: Row) -> NDArray[np.float64]:
        """What each call gains over the mean of all, in expected points of our team.

        A play that the rules do not allow in the entry gets -inf.
        """
        import numpy as np

        width = len(PLAYS) if section == "play" else len(FORMATIONS)
        total, count = np.zeros(width), np.zeros(width)
        for view in self.views(section, row):
            if section == "play":
                values = view.matrix @ view.against
                total[view.plays] += values
                count[view.plays] += 1
            else:
                total -= view.against @ view.matrix
                count += 1
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.where(count > 0, total / count, -np.inf)
        return np.asarray(found - found[np.isfinite(found)].mean())

    def settled(self, section: str, row: Row) -> NDArray[np.float64]:
        """Our mix in the equilibrium of plays against formations, the mean of the situations."""
        import numpy as np

        width = len(PLAYS) if section == "play" else len(FORMATIONS)
        total = np.zeros(width)
        for view in self.views(section, row):
            found = equilibrium.solve(view.matrix)
            if section == "play":
                total[view.plays] += found.rows
            else:
                total += found.columns
        return np.asarray(total / total.sum())

    # --- Answers ----------------------------------------------------------------------------

    def best_answer(self, code: str, section: str, row: Row) -> int:
        """The opponent's best formation against an entry of our plays, or play against one of
        our formations."""
        import numpy as np

        width = len(FORMATIONS) if section == "play" else len(PLAYS)
        total, count = np.zeros(width), np.zeros(width)
        whole = len(PLAYS) if section == "play" else len(FORMATIONS)
        ours = np.array(row[SHARES : SHARES + whole], float)
        table = (self.offence if section == "play" else self.defence)[code]
        parts = ours / max(ours.sum(), 1.0)
        for moment in moments(row):
            plays = allowed(moment.spot)
            at = Spot(moment.down, min(moment.to_go, 100 - moment.spot), moment.spot)
            if section == "play":
                mine = ours[plays]
                if mine.sum() == 0:
                    continue
                total -= mine / mine.sum() @ table.matrix(at)[plays]
                count += 1
            else:
                total[plays] += table.matrix(at)[plays] @ parts
                count[plays] += 1
        most = count.max()
        return int(np.where((count == most) & (most > 0), total, -np.inf).argmax())


def default_mix(width: int) -> list[float]:
    """What a coach does whose plan says nothing: the first call."""
    return [1.0] + [0.0] * (width - 1)


@lru_cache(maxsize=2048)
def moments(row: Row) -> Sequence[Moment]:
    """Typical situations of an entry; every opponent is asked about the same ones."""
    limits = {key: (row[2 * at], row[2 * at + 1]) for at, key in enumerate(KEYS)}
    lead = _within(0, limits["lead"])
    time = _within(900, limits["time"])
    period = _within(2, limits["period"])
    low, high = limits["spot"]
    spots = [spot for spot in SPOTS if low <= spot <= high]
    if not spots:
        spots = [(max(low, 1) + min(high, 99)) // 2]
    found = []
    for down in range(max(1, limits["down"][0]), max(1, min(4, limits["down"][1])) + 1):
        for typical in DISTANCES[down]:
            to_go = _within(typical, limits["to-go"], middle=True)
            found += [Moment(down, max(1, to_go), spot, lead, time, period) for spot in spots]
    return found


def _within(typical: int, limits: tuple[int, int], middle: bool = False) -> int:
    """The typical value, or the nearest to it that the limits allow."""
    low, high = limits
    if low <= typical <= high:
        return typical
    if middle and high - low < 8:
        return (low + high) // 2
    return low if typical < low else high
