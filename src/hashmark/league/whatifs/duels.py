"""Every play of an offence against every formation of a defence: exact results and their worth.

A duel lays the offence's columns under the defence's by the Priority Chart, once, without a
place on the field. What it is worth in a situation is then a product of two small tables: how
often each result comes, and the expected points after it (`worth.py`).

Left out: a second flag on one play and the defence's own penalty chart, which strikes all
formations alike; a penalty is accepted when that is worth more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import (
    is_bold,
    is_number,
    is_penalty,
    kind_of,
    number_of,
)
from hashmark.games.data_driven.charts.files import ChartFile, Team
from hashmark.games.data_driven.charts.lookups import prevail
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS, OFFENCE_WEIGHTS
from hashmark.games.data_driven.penalties import walk_back, walk_forward
from hashmark.games.data_driven.tables import ACTIONS, DOWN, FORMATIONS, PLAYS
from hashmark.league.whatifs.worth import FIELD_GOAL, TOUCHDOWN, Worth
from hashmark.table.errors import HashmarkError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOWEST, HIGHEST = -99, 110  # yards from the line that a result may have
YARDS = range(LOWEST, HIGHEST + 1)
WIDTH = len(YARDS)
GAIN, PICKED, LOOSE = range(3)  # kinds of result that have yards: the places of their tables
TOUCHDOWN_AT, INCOMPLETE_AT = 3 * WIDTH, 3 * WIDTH + 1
RESULTS = 3 * WIDTH + 2
FLAGS = (c.OFF_5, c.OFF_10, c.OFF_15, c.GROUNDING, c.DEF_5, c.DEF_5X, c.DEF_15, c.PI)
TOUCHBACK = 20
DEEPEST = -9  # where a return may begin, behind the own goal line


@dataclass(frozen=True)
class Spot:
    """A situation on the field."""

    down: int
    to_go: int
    spot: int


class _Priority:
    """The Priority Chart of a league, as the rules read it."""

    def __init__(self, file: ChartFile) -> None:
        rows = file.league.priority
        self.priority = [ACTIONS.index(action) for row in DOWN for action in rows[row]]


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


def rows_chance(team: Team, name: str) -> float:
    """The chance of a set of rows; 0 if the team has none."""
    if name not in team.sets:
        return 0.0
    mask = team.sets[name].mask
    return sum(w for bit, w in enumerate(OFFENCE_WEIGHTS) if mask >> bit & 1) / 216


class Duel:
    """The charts of an offence and a defence laid over each other."""

    def __init__(self, file: ChartFile, offence: str, defence: str, big_play: bool = False) -> None:
        import numpy as np

        self.offence, self.defence = file.team(offence), file.team(defence)
        self.big_play = big_play and "big-play" in self.offence.columns
        self._priority = _Priority(file)
        self.flags = np.zeros((len(PLAYS), len(FLAGS)))
        self.foul_yards = np.zeros((len(PLAYS), len(FLAGS)))
        self.results: NDArray[np.float64] = np.zeros((len(PLAYS), len(FORMATIONS), RESULTS))
        trapped = self._trapped()
        for at, play in enumerate(PLAYS):
            cells = self._play_cells(at, play)
            for where, formation in enumerate(FORMATIONS):
                against = short(self.defence.columns[f"defence.{formation}.{play}"])
                self._fill(self.results[at, where], cells, against, trapped)

    def table(self, worth: Worth) -> Table:
        """The duel with what its ends are worth."""
        return Table(
            worth,
            self.results,
            self.flags,
            self.foul_yards,
            self._kept(),
            _returned(worth, self.defence, "int-return"),
            _returned(worth, self.defence, "fumble-return"),
        )

    # --- Results ------------------------------------------------------------------------

    def _play_cells(self, at: int, play: str) -> dict[tuple[int, bool], float]:
        """The offence's cells without flags, breakaways rolled out; notes the flags' rates."""
        found: dict[tuple[int, bool], float] = {}
        column = long(self.offence.columns[f"offence.{play}"])
        for cell, chance in column.items():
            if is_penalty(cell):
                flag = FLAGS.index(kind_of(cell))
                self.flags[at, flag] += chance
                self.foul_yards[at, flag] += chance * number_of(cell)
                continue
            breakaway = kind_of(cell) == c.BREAKAWAY
            rolled = {cell: 1.0}
            if breakaway:
                rolled = long(self.offence.columns["breakaway"])
            elif is_bold(cell) and self.big_play:
                rolled = long(self.offence.columns["big-play"])
            for one, part in rolled.items():
                if not is_penalty(one):
                    key = (one, breakaway)
                    found[key] = found.get(key, 0.0) + chance * part
        total = sum(found.values())
        if total == 0:
            raise HashmarkError(f"{self.offence.key}: {play} has nothing but flags")
        return {key: chance / total for key, chance in found.items()}

    def _fill(
        self,
        into: NDArray[np.float64],
        cells: dict[tuple[int, bool], float],
        against: dict[int, float],
        trapped: NDArray[np.float64],
    ) -> None:
        for (cell, breakaway), chance in cells.items():
            for defence, part in against.items():
                final = prevail(self._priority, cell, defence, breakaway)  # type: ignore[arg-type]
                kind = kind_of(final)
                share = chance * part
                if is_number(final):
                    into[place(GAIN, number_of(final))] += share
                elif kind == c.TD:
                    into[TOUCHDOWN_AT] += share
                elif kind == c.INC:
                    into[INCOMPLETE_AT] += share
                elif kind == c.INT:
                    into[place(PICKED, number_of(final))] += share
                elif kind == c.TRAPPED:
                    into += share * trapped
                else:
                    into[place(LOOSE, number_of(final))] += share

    def _trapped(self) -> NDArray[np.float64]:
        """R24 to R33: where a trapped passer ends."""
        import numpy as np

        into = np.zeros(RESULTS)
        for cell, chance in long(self.offence.columns["qt"]).items():
            fumbled = kind_of(cell) == c.FUMBLE
            for yards, part in self._sack_adjusted(number_of(cell)):
                for final, lost, share in self._contained(yards, fumbled):
                    into[place(LOOSE if lost else GAIN, final)] += chance * part * share
        return into

    def _sack_adjusted(self, yards: int) -> list[tuple[int, float]]:
        """R25, R26: the defence's sack rate chart."""
        found = self.defence.sets.get("sack-rate")
        if found is None:
            return [(yards, 1.0)]
        chance = rows_chance(self.defence, "sack-rate")
        other = yards
        if yards <= 0 and found.kind == layout.SCRAMBLES and self.offence.qr_yards > 0:
            other = self.offence.qr_yards
        elif yards > 0 and found.kind == layout.SACKS and self.defence.sack_yards < 0:
            other = self.defence.sack_yards
        return [(other, chance), (yards, 1 - chance)]

    def _contained(self, yards: int, fumbled: bool) -> list[tuple[int, bool, float]]:
        """R27: a scramble meets the defence's QR chart."""
        if yards <= 0 or "qr" not in self.defence.columns:
            return [(yards, fumbled, 1.0)]
        ends = []
        scramble = c.cell_of(c.NUMBER, yards)
        for cell, chance in short(self.defence.columns["qr"]).items():
            final = prevail(self._priority, scramble, cell, False)  # type: ignore[arg-type]
            lost = fumbled or kind_of(final) == c.FUMBLE
            ends.append((number_of(final), lost, chance))
        return ends

    def _kept(self) -> float:
        """R43: the chance that the offence keeps its own fumble."""
        kept = rows_chance(self.offence, "recovery")
        adjust = self.defence.sets.get("recovery-adjust")
        if adjust is None:
            return kept
        chance = rows_chance(self.defence, "recovery-adjust")
        if adjust.kind == layout.TAKES_AWAY:
            return kept * (1 - chance)
        return kept + (1 - kept) * chance


# --- Worth -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """How often each result comes, for one duel or the mean of several."""

    worth: Worth
    results: NDArray[np.float64]  # play, formation, result
    flags: NDArray[np.float64]  # play, flag: the chance
    foul_yards: NDArray[np.float64]  # and its chance times its yards
    kept: float  # the chance that the offence keeps its own fumble
    returns: NDArray[np.float64]  # what an interception is worth from each start, from -9 on
    recovered: NDArray[np.float64]  # and a recovered fumble

    known: dict[Spot, NDArray[np.float64]] = field(default_factory=dict, compare=False, repr=False)

    def matrix(self, at: Spot) -> NDArray[np.float64]:
        """Expected points of the offence for each play (down) against each formation (across)."""
        import numpy as np

        if at not in self.known:
            values, dead = self.with_flags(at)
            self.known[at] = np.einsum("pfr,pr->pf", self.results, values) + dead[:, None]
        return self.known[at]

    def after(self, at: Spot) -> NDArray[np.float64]:
        """The worth of each result."""
        import numpy as np

        ends = at.spot + np.arange(LOWEST, HIGHEST + 1)
        stands = self.worth.after_each(at.down, at.to_go, at.spot, LOWEST, HIGHEST)
        start = np.clip(100 - np.minimum(ends, 109), DEEPEST, 99) - DEEPEST
        picked = np.where(ends <= 0, -TOUCHDOWN, -self.returns[start])
        lost = np.where(ends <= 0, -TOUCHDOWN, -self.recovered[start])
        lost = np.where(ends >= 100, -self.worth.first_down(TOUCHBACK), lost)
        loose = self.kept * stands + (1 - self.kept) * lost
        missed = self.worth.after(at.down, at.to_go, at.spot, 0)
        return np.concatenate((stands, picked, loose, [TOUCHDOWN, missed]))

    def with_flags(self, at: Spot) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Values of results with the flags of each play's column laid over, and of dead balls."""
        import numpy as np

        worth, plain = self.worth, self.after(at)
        rates = dict(zip(FLAGS, self.flags.T, strict=True))
        yards = dict(zip(FLAGS, self.foul_yards.T, strict=True))
        kinds = {
            c.OFF_10: np.minimum(plain, _enforced(worth, at, -10, False)),
            c.OFF_15: np.minimum(plain, _enforced(worth, at, -15, False)),
            c.DEF_5X: np.maximum(plain, _enforced(worth, at, 5, True)),
            c.DEF_15: self._fifteen(at, plain),
        }
        values: NDArray[np.float64] = np.outer(1 - self.flags.sum(1), plain)
        for flag, value in kinds.items():
            values += np.outer(rates[flag], value)
        for play in np.flatnonzero(rates[c.PI]):
            far = min(99, at.spot + round(yards[c.PI][play] / rates[c.PI][play]))
            values[play] += rates[c.PI][play] * np.maximum(plain, worth.first_down(far))
        dead = rates[c.OFF_5] * _enforced(worth, at, -5, False)
        dead = dead + rates[c.DEF_5] * _enforced(worth, at, 5, False)
        for play in np.flatnonzero(rates[c.GROUNDING]):
            back = round(yards[c.GROUNDING][play] / rates[c.GROUNDING][play])
            lost = worth.after(at.down, at.to_go, at.spot, -back)
            dead[play] += rates[c.GROUNDING][play] * lost
        return values, dead

    def _fifteen(self, at: Spot, plain: NDArray[np.float64]) -> NDArray[np.float64]:
        """R84: the play stands and 15 more; a turnover or safety is ignored."""
        values = plain.copy()
        values[:TOUCHDOWN_AT] = values[INCOMPLETE_AT] = _enforced(self.worth, at, 15, True)
        for end in range(1, 100):
            gain = end - at.spot
            values[place(GAIN, gain)] = self.worth.first_down(walk_forward(end, 15))
        for gain in range(100 - at.spot, HIGHEST + 1):
            values[place(GAIN, gain)] = TOUCHDOWN
        return values


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
        float(mean([one.kept for one in tables])),
        mean([one.returns for one in tables]),
        mean([one.recovered for one in tables]),
    )


def allowed(spot: int) -> list[int]:
    """R8: the plays that may be called from a spot."""
    return [
        at
        for at, play in enumerate(PLAYS)
        if not (play == "long-pass" and spot >= 80) and not (play == "draw" and spot >= 97)
    ]


def place(kind: int, yards: int) -> int:
    """Where a result with yards stands in a table of results."""
    return kind * WIDTH + min(max(yards, LOWEST), HIGHEST) - LOWEST


def _enforced(worth: Worth, at: Spot, yards: int, first: bool) -> float:
    """The worth after a penalty from the line of scrimmage."""
    spot = walk_forward(at.spot, yards) if yards > 0 else walk_back(at.spot, -yards)
    to_go = at.to_go - (spot - at.spot)
    if first or to_go <= 0:
        return worth.first_down(spot)
    return worth.at(at.down, to_go, spot)


@lru_cache(maxsize=256)
def _return_cells(cells: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """The cells of a return chart without its flags."""
    clean = {cell: chance for cell, chance in long(cells).items() if not is_penalty(cell)}
    total = sum(clean.values())
    return tuple((cell, chance / total) for cell, chance in clean.items())


def _returned(worth: Worth, team: Team, chart: str) -> NDArray[np.float64]:
    """What a return from each start is worth to the team that returns (R37, R38)."""
    import numpy as np

    cells = _return_cells(tuple(team.columns[chart]))
    return np.array(
        [
            sum(chance * _return_ends(worth, start, cell) for cell, chance in cells)
            for start in range(DEEPEST, 100)
        ]
    )


def _return_ends(worth: Worth, start: int, cell: int) -> float:
    """One return; a fumble on it is taken as a ball kept where it lies."""
    end = start + number_of(cell)
    if kind_of(cell) == c.TD or end >= 100:
        return TOUCHDOWN
    if end > 0:
        return worth.first_down(end)
    return worth.first_down(start if start > 0 else TOUCHBACK)


# --- Kicks -----------------------------------------------------------------------------


def field_goal(worth: Worth, team: Team, spot: int) -> float | None:
    """What a field goal is worth; None where the rules do not allow one (R65, R66)."""
    cells = {k: v for k, v in long(team.columns["field-goal"]).items() if not is_penalty(k)}
    numbers = [number_of(cell) for cell in cells if is_number(cell)]
    if 100 - spot > max(numbers, default=0):
        return None
    good = sum(
        chance
        for cell, chance in cells.items()
        if is_number(cell) and number_of(cell) >= 100 - spot
    ) / sum(cells.values())
    missed = max(TOUCHBACK, 100 - (spot - 8))
    return good * FIELD_GOAL - (1 - good) * worth.first_down(min(99, missed))


def punt(worth: Worth, kickers: Team, receivers: Team, spot: int, shorter: int = 0) -> float:
    """What a punt is worth (R57 to R59); blocks and flags are left out."""
    total = value = 0.0
    returned = dict(_return_cells(tuple(receivers.columns["punt-return"])))
    for cell, chance in long(kickers.columns["punt"]).items():
        if not is_number(cell):
            continue
        total += chance
        landing = spot + max(0, number_of(cell) - shorter)
        if landing >= 100:
            value -= chance * worth.first_down(TOUCHBACK)
        elif c.is_out(cell) or shorter >= 10:
            value -= chance * worth.first_down(100 - landing)
        else:
            start = 100 - landing
            value -= chance * sum(
                part * _return_ends(worth, start, one) for one, part in returned.items()
            )
    return value / total
