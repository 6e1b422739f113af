"""Every play of an offence against every formation of a defence: exact results and their worth.

A duel lays the offence's columns under the defence's by the Priority Chart, once, without a
place on the field; what becomes of each result the rules say (`ends.py`). What it is worth in a
situation is then a product of two small tables: how often each result comes, and the expected
points after it (`worth.py`).

Left out: a second flag on one play, the defence's own penalty chart, which strikes all formations
alike, muffed snaps, returns of the own fumble, fumbles on returns, and the yard that some plays
lose at the goal line. The short field (E1, E2) is looked at before a flag is accepted or not, and
not together with a flag that leaves no choice. A penalty that may be declined is accepted when
that is worth more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import (
    is_bold,
    is_number,
    is_penalty,
    kind_of,
    number_of,
)
from hashmark.games.data_driven.charts.lookups import LONG_WIDTH, SHORT_WIDTH, prevail
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS, OFFENCE_WEIGHTS
from hashmark.games.data_driven.kicks import MISS_SPOT, NO_RETURN_POOCH
from hashmark.games.data_driven.penalties import is_pass
from hashmark.games.data_driven.scrimmage import BIG_PLAY, has_supplement
from hashmark.games.data_driven.tables import DEEPEST, FORMATIONS, LINE_PLUNGE, PLAYS, REFUSED_FROM
from hashmark.league.whatifs.ends import (
    GAIN,
    HIGHEST,
    INCOMPLETE_AT,
    KEPT,
    LOWEST,
    RESULTS,
    SCRAMBLE,
    Crowd,
    End,
    Stops,
    ends,
    enforced,
    heard,
    left,
    place,
    walked_off,
)
from hashmark.league.whatifs.worth import FIELD_GOAL, TOUCHDOWN, Worth
from hashmark.table.errors import HashmarkError
from hashmark.table.record import HOME, TEAMS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLAGS = (c.OFF_5, c.OFF_10, c.OFF_15, c.GROUNDING, c.DEF_5, c.DEF_5X, c.DEF_15, c.PI)
FARTHEST = 100 - DEEPEST  # where a pass may be intercepted


@dataclass(frozen=True)
class Spot:
    """A situation on the field."""

    down: int
    to_go: int
    spot: int


def long_column(m: Any, team: int, column: int) -> tuple[int, ...]:
    """The cells of a column for the offence dice, as the match holds them."""
    first = (team * LONG_WIDTH + column) * len(OFFENCE_WEIGHTS)
    return tuple(m.long_cells[first : first + len(OFFENCE_WEIGHTS)])


def short_column(m: Any, team: int, column: int) -> tuple[int, ...]:
    """The cells of a column for the defence dice."""
    first = (team * SHORT_WIDTH + column) * len(DEFENCE_WEIGHTS)
    return tuple(m.short_cells[first : first + len(DEFENCE_WEIGHTS)])


def _weighted(cells: Iterable[int], weights: Iterable[int]) -> Iterator[tuple[int, float]]:
    given = list(weights)
    total = sum(given)
    for cell, weight in zip(cells, given, strict=True):
        yield cell, weight / total


def long(cells: Iterable[int]) -> dict[int, float]:
    """The chance of each cell of a column under the offence dice."""
    return _gathered(_weighted(cells, OFFENCE_WEIGHTS))


def short(cells: Iterable[int]) -> dict[int, float]:
    """The chance of each cell of a column under the defence dice."""
    return _gathered(_weighted(cells, DEFENCE_WEIGHTS))


def _gathered(pairs: Iterable[tuple[int, float]]) -> dict[int, float]:
    found: dict[int, float] = {}
    for cell, chance in pairs:
        found[cell] = found.get(cell, 0.0) + chance
    return found


def short_field(m: Any) -> Stops:
    """E1, E2: the charts of the short field with their chances; nothing where it is off."""
    if not m.short_field:
        return ()
    size = len(OFFENCE_WEIGHTS)
    return tuple(
        tuple(long(m.short_field_cells[first : first + size]).items())
        for first in range(0, len(m.short_field_cells), size)
    )


def home_field(m: Any, offence: int) -> Crowd:
    """E3: how often a gain of this offence is a yard longer, and a yard shorter."""
    chance = m.home_field / p.CROWD_FACES
    return (chance, 0.0) if offence == HOME else (0.0, chance)


class Duel:
    """The charts of an offence laid over those of the other team's defence, in a match."""

    def __init__(self, m: Any, offence: int) -> None:
        import numpy as np

        self.m, self.offence, self.defence = m, offence, 1 - offence
        self.flags = np.zeros((len(PLAYS), len(FLAGS)))
        self.foul_yards = np.zeros((len(PLAYS), len(FLAGS)))
        self.results: NDArray[np.float64] = np.zeros((len(PLAYS), len(FORMATIONS), RESULTS))
        self.anywhere = m.copy()  # a field without a short one: that is laid over the ends
        self.anywhere.short_field = 0
        self.anywhere.home_field = 0
        self._ends: dict[int, Sequence[End]] = {}
        self._finals: dict[tuple[int, bool, int], int] = {}
        for play in range(len(PLAYS)):
            cells = self._play_cells(play)
            for formation in range(len(FORMATIONS)):
                column = formation * len(PLAYS) + play
                against = short(short_column(m, self.defence, column))
                self._fill(self.results[play, formation], cells, against)

    def table(self, worth: Worth) -> Table:
        """The duel with what its ends are worth."""
        touchback = self.m.touchback_spot
        picked, lost = (
            _returned(worth, long_column(self.m, self.defence, column), touchback)
            for column in (layout.INT_RETURN, layout.FUMBLE_RETURN)
        )
        in_touch = worth.first_down(touchback)
        return Table(
            worth,
            self.results,
            self.flags,
            self.foul_yards,
            picked,
            lost,
            in_touch,
            short_field(self.m),
            home_field(self.m, self.offence),
        )

    def _play_cells(self, play: int) -> dict[tuple[int, bool], float]:
        """The offence's cells without flags, breakaways rolled out; notes the flags' rates."""
        m, offence = self.m, self.offence
        big_play = m.big_play and has_supplement(m, offence, BIG_PLAY)
        found: dict[tuple[int, bool], float] = {}
        for cell, chance in long(long_column(m, offence, play)).items():
            if is_penalty(cell):
                flag = FLAGS.index(kind_of(cell))
                self.flags[play, flag] += chance
                self.foul_yards[play, flag] += chance * number_of(cell)
                continue
            breakaway = kind_of(cell) == c.BREAKAWAY
            rolled = {cell: 1.0}
            if breakaway:
                rolled = long(long_column(m, offence, layout.BREAKAWAY))
            elif is_bold(cell) and big_play:
                rolled = long(long_column(m, offence, layout.BIG_PLAY))
            for one, part in rolled.items():
                if not is_penalty(one):
                    key = (one, breakaway)
                    found[key] = found.get(key, 0.0) + chance * part
        total = sum(found.values())
        if total == 0:
            raise HashmarkError(f"{TEAMS[offence]}: {PLAYS[play]} has nothing but flags")
        return {key: chance / total for key, chance in found.items()}

    def _fill(
        self,
        into: NDArray[np.float64],
        cells: dict[tuple[int, bool], float],
        against: dict[int, float],
    ) -> None:
        counts: dict[int, float] = {}
        finals = self._finals
        for (cell, breakaway), chance in cells.items():
            for defence, part in against.items():
                final = finals.get((cell, breakaway, defence))
                if final is None:
                    final = prevail(self.m, cell, defence, breakaway)
                    finals[cell, breakaway, defence] = final
                counts[final] = counts.get(final, 0.0) + chance * part
        for final, chance in counts.items():
            if final not in self._ends:
                self._ends[final] = ends(self.anywhere, self.offence, final)
            for at, share in self._ends[final]:
                into[at] += chance * share


# --- Worth -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """How often each result comes, for one duel or the mean of several."""

    worth: Worth
    results: NDArray[np.float64]  # play, formation, result
    flags: NDArray[np.float64]  # play, flag: the chance
    foul_yards: NDArray[np.float64]  # and its chance times its yards
    returns: NDArray[np.float64]  # what an interception is worth from each start, from -9 on
    recovered: NDArray[np.float64]  # and a recovered fumble
    in_touch: float  # and one that is recovered in the own end zone
    stops: Stops = ()
    crowd: Crowd = (0.0, 0.0)

    known: dict[Spot, NDArray[np.float64]] = field(default_factory=dict, compare=False, repr=False)

    def matrix(self, at: Spot) -> NDArray[np.float64]:
        """Expected points of the offence for each play (down) against each formation (across)."""
        import numpy as np

        if at not in self.known:
            values, dead = self.with_flags(at)
            self.known[at] = np.einsum("pfr,pr->pf", self.results, values) + dead[:, None]
        return self.known[at]

    def after(self, at: Spot) -> NDArray[np.float64]:
        """The worth of each result (across) of each play (down)."""
        import numpy as np

        spots = at.spot + np.arange(LOWEST, HIGHEST + 1)
        stands = self.worth.after_each(at.down, at.to_go, at.spot, LOWEST, HIGHEST)
        start = np.clip(100 - np.minimum(spots, FARTHEST), DEEPEST, 99) - DEEPEST
        picked = np.where(spots <= 0, -TOUCHDOWN, -self.returns[start])
        lost = np.where(spots <= 0, -TOUCHDOWN, -self.recovered[start])
        lost = np.where(spots >= 100, -self.in_touch, lost)
        missed = self.worth.after(at.down, at.to_go, at.spot, 0)
        here = (at.down, at.to_go, at.spot)
        run, catch = (
            heard(self.crowd, here, left(self.stops, way, here, stands, missed))
            for way in (p.RAN, p.COMPLETED)
        )
        rest = np.concatenate((picked, lost, run, stands, [missed]))
        kinds = [np.concatenate((gain, rest)) for gain in (run, catch)]
        return np.stack([kinds[int(is_pass(play))] for play in range(len(PLAYS))])

    def with_flags(self, at: Spot) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Values of results with the flags of each play's column laid over, and of dead balls."""
        import numpy as np

        worth, plain = self.worth, self.after(at)
        rates = dict(zip(FLAGS, self.flags.T, strict=True))
        yards = dict(zip(FLAGS, self.foul_yards.T, strict=True))
        passes = np.array([is_pass(play) for play in range(len(PLAYS))])
        kinds = (
            (rates[c.OFF_10], np.minimum(plain, self._enforced(at, p.OFF_10))),
            (rates[c.OFF_15], np.minimum(plain, self._enforced(at, p.OFF_15))),
            (rates[c.DEF_5X] * passes, np.maximum(plain, self._enforced(at, p.DEF_5X))),
            (rates[c.DEF_5X] * ~passes, self._walked_off(at, p.DEF_5X)),
            (rates[c.DEF_15], self._walked_off(at, p.DEF_15)),
        )
        values: NDArray[np.float64] = (1 - self.flags.sum(1))[:, None] * plain
        for rate, value in kinds:
            values += rate[:, None] * value
        for play in np.flatnonzero(rates[c.PI]):
            far = min(99, at.spot + round(yards[c.PI][play] / rates[c.PI][play]))
            values[play] += rates[c.PI][play] * np.maximum(plain[play], worth.first_down(far))
        dead = rates[c.OFF_5] * self._enforced(at, p.OFF_5)
        dead = dead + rates[c.DEF_5] * self._enforced(at, p.DEF_5)
        for play in np.flatnonzero(rates[c.GROUNDING]):
            back = round(yards[c.GROUNDING][play] / rates[c.GROUNDING][play])
            lost = worth.after(at.down, at.to_go, at.spot, -back)
            dead[play] += rates[c.GROUNDING][play] * lost
        return values, dead

    def _enforced(self, at: Spot, foul: int) -> float:
        """The worth after a penalty from the line of scrimmage."""
        return self.worth.at(*enforced(foul, at.down, at.to_go, at.spot))

    def _walked_off(self, at: Spot, foul: int) -> NDArray[np.float64]:
        """R83, R84: no choice: the play stands and more, or it is ignored; a score stands."""
        import numpy as np

        values = self.worth.first_downs[list(walked_off(foul, LINE_PLUNGE, at.spot))]
        found = np.full(RESULTS, values[0])
        found[INCOMPLETE_AT] = values[at.spot]
        for kind in (GAIN, SCRAMBLE, KEPT):
            found[place(kind, 1 - at.spot) : place(kind, 99 - at.spot) + 1] = values[1:]
            found[place(kind, 100 - at.spot) : place(kind, HIGHEST) + 1] = TOUCHDOWN
        return found


def blend(tables: Sequence[Table], weights: Sequence[float]) -> Table:
    """The mean of several duels."""
    import numpy as np

    shares = np.array(weights) / sum(weights)

    def mean(parts: list[Any]) -> Any:
        return sum(share * part for share, part in zip(shares, parts, strict=True))

    return Table(
        tables[0].worth,
        mean([one.results for one in tables]),
        mean([one.flags for one in tables]),
        mean([one.foul_yards for one in tables]),
        mean([one.returns for one in tables]),
        mean([one.recovered for one in tables]),
        float(mean([one.in_touch for one in tables])),
        tables[0].stops,
        (mean([one.crowd[0] for one in tables]), mean([one.crowd[1] for one in tables])),
    )


def allowed(spot: int) -> list[int]:
    """R8: the plays that may be called from a spot."""
    return [play for play in range(len(PLAYS)) if spot < REFUSED_FROM.get(play, 100)]


@lru_cache(maxsize=256)
def _return_cells(cells: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """The cells of a return chart without its flags."""
    clean = {cell: chance for cell, chance in long(cells).items() if not is_penalty(cell)}
    total = sum(clean.values())
    return tuple((cell, chance / total) for cell, chance in clean.items())


def _returned(worth: Worth, column: tuple[int, ...], touchback: int) -> NDArray[np.float64]:
    """What a return from each start is worth to the team that returns (R37, R38)."""
    import numpy as np

    cells = _return_cells(column)
    return np.array(
        [
            sum(chance * _return_ends(worth, start, cell, touchback) for cell, chance in cells)
            for start in range(DEEPEST, 100)
        ]
    )


def _return_ends(worth: Worth, start: int, cell: int, touchback: int) -> float:
    """One return; a fumble on it is taken as a ball kept where it lies."""
    end = start + number_of(cell)
    if kind_of(cell) == c.TD or end >= 100:
        return TOUCHDOWN
    if end > 0:
        return worth.first_down(end)
    return worth.first_down(start if start > 0 else touchback)


# --- Kicks -----------------------------------------------------------------------------


def field_goal(worth: Worth, m: Any, kickers: int, spot: int) -> float | None:
    """What a field goal is worth; None where the rules do not allow one (R65, R66)."""
    if 100 - spot > m.longest_kick[kickers]:
        return None
    column = long(long_column(m, kickers, layout.FIELD_GOAL))
    cells = {cell: chance for cell, chance in column.items() if not is_penalty(cell)}
    good = sum(
        chance
        for cell, chance in cells.items()
        if is_number(cell) and number_of(cell) >= 100 - spot
    ) / sum(cells.values())
    missed = min(max(100 - spot + m.fg_depth, MISS_SPOT), 99)
    return good * FIELD_GOAL - (1 - good) * worth.first_down(missed)


def punt(worth: Worth, m: Any, kickers: int, spot: int, shorter: int = 0) -> float:
    """What a punt is worth (R57 to R59); blocks and flags are left out."""
    total = value = 0.0
    returned = _return_cells(long_column(m, 1 - kickers, layout.PUNT_RETURN))
    for cell, chance in long(long_column(m, kickers, layout.PUNT)).items():
        if not is_number(cell):
            continue
        total += chance
        landing = spot + max(0, number_of(cell) - shorter)
        start = 100 - landing
        if landing >= 100:
            value -= chance * worth.first_down(m.touchback_spot)
        elif c.is_out(cell) or shorter >= NO_RETURN_POOCH:
            value -= chance * worth.first_down(start)
        else:
            value -= chance * sum(
                part * _return_ends(worth, start, one, m.touchback_spot) for one, part in returned
            )
    return value / total
