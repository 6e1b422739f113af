"""Chances of flags on a play, from the offense's column and the defense's penalty chart.

R69 to R72, R77, R82, R88 to R92: after a flag the offense rolls again, so the foul that is noted at
the end of a play is that of a chain of rolls. The cell that counts does not depend on it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.lookups import kind_of_set
from hashmark.games.data_driven.dice import OFFENSE_WEIGHTS
from hashmark.games.data_driven.penalties import (
    foul_of,
    is_five_fifteen,
    is_heavier,
    is_offensive,
    is_pass,
)

if TYPE_CHECKING:
    from hashmark.games.data_driven.pairing_rows import ChartOdds

MAX_FLAGS = 12  # rolls of one play that show a flag; more are less likely than 1e-12
TYPICAL_PI_YARDS = 12  # to compare pass interference with another foul of the defense
NOTED = {
    p.OFF_5: grid.NOTED_OFF_5,
    p.OFF_10: grid.NOTED_OFF_10,
    p.OFF_15: grid.NOTED_OFF_15,
    p.DEF_5: grid.NOTED_DEF_5,
    p.DEF_5X: grid.NOTED_DEF_5X,
    p.DEF_15: grid.NOTED_DEF_15,
    p.PI: grid.NOTED_PI,
}
DEAD = {p.OFF_5: grid.DEAD_OFF_5, p.DEF_5: grid.DEAD_DEF_5}


def flag_chances(odds: ChartOdds, offense: int, play: int) -> dict[int, float]:
    """Return the chance of each kind of flag; the rest of the plays have none."""
    total: dict[int, float] = defaultdict(float)
    for bits, chance in _penalty_rolls(odds, 1 - offense).items():
        for flag, q in _FlagChain(odds, offense, play, bits).run().items():
            total[flag] += chance * q
    return total


def _penalty_rolls(odds: ChartOdds, defense: int) -> dict[int, float]:
    """R89: Return the chances of what the defense's one roll shows."""
    if not odds.m.def_penalties:
        return {0: 1.0}
    rows = odds.m.penalty_rows[defense * c.LONG_SIZE : (defense + 1) * c.LONG_SIZE]
    chances: dict[int, float] = defaultdict(float)
    for row, weight in zip(rows, OFFENSE_WEIGHTS, strict=True):
        chances[row] += weight / sum(OFFENSE_WEIGHTS)
    return chances


class _FlagChain:
    """The chain of rolls of one play, given the defense's penalty roll."""

    def __init__(self, odds: ChartOdds, offense: int, play: int, bits: int) -> None:
        self.odds, self.m = odds, odds.m
        self.offense, self.play, self.bits = offense, play, bits
        self.fouls: dict[int, float] = defaultdict(float)
        self.final: dict[int, float] = defaultdict(float)
        for cell, chance in odds.long(offense, play).items():
            if c.is_penalty(cell) and c.kind_of(cell) != c.GROUNDING:
                self.fouls[foul_of(cell)] += chance
        self.clean = 1 - sum(self.fouls.values())

    def run(self) -> dict[int, float]:
        """Return the chance of each kind of flag at the end of the play."""
        noted = {p.NO_FOUL: 1.0}
        for _ in range(MAX_FLAGS):
            after: dict[int, float] = defaultdict(float)
            for foul, chance in noted.items():
                self._commit(foul, chance * self.clean)
                for new, q in self.fouls.items():
                    if self._is_cancelled(new):
                        after[foul] += chance * q
                    else:
                        self._note(after, foul, new, chance * q)
            noted = after
        return self.final

    def _is_cancelled(self, foul: int) -> bool:
        """R90: Return whether a disciplined defense did not commit the foul."""
        if is_offensive(foul) or not self.m.def_penalties:
            return False
        which = layout.DEF_5_ROWS + foul - p.DEF_5
        kind = kind_of_set(self.m, 1 - self.offense, which)
        return kind == layout.CANCELS and self._shows(which)

    def _shows(self, which: int) -> bool:
        return self.bits >> (which - layout.DEF_5_ROWS) & 1 == 1

    def _note(self, after: dict[int, float], foul: int, new: int, chance: float) -> None:
        """R69 to R72: Note a foul beside an earlier one."""
        if foul != p.NO_FOUL and is_offensive(foul) != is_offensive(new):
            self._offset(foul, new, chance)
            return
        dead = self._dead_ball_share(new)
        if dead:
            self.final[DEAD[new]] += chance * dead
        yards = TYPICAL_PI_YARDS
        heavier = foul == p.NO_FOUL or is_heavier(new, yards, foul, yards)
        after[new if heavier else foul] += chance * (1 - dead)

    def _dead_ball_share(self, foul: int) -> float:
        """R77, R82: Return how often a five-yard foul comes before the snap."""
        rolls = kind_of_set(self.m, self.offense, layout.PRE_SNAP)
        if foul == p.OFF_5:
            full = self.m.mode == p.FULL and rolls
            return self.odds.in_set(self.offense, layout.PRE_SNAP) if full else 1.0
        if foul == p.DEF_5:
            if self.m.mode == p.BASIC:
                return 1.0
            if self.m.def5_presnap_roll and rolls:
                return self.odds.in_set(self.offense, layout.PRE_SNAP)
        return 0.0

    def _offset(self, foul: int, new: int, chance: float) -> None:
        """R70, R71: Offset two fouls; 15 yards beat 5."""
        if self.m.five_fifteen and (is_five_fifteen(foul, new) or is_five_fifteen(new, foul)):
            heavy = new if is_five_fifteen(foul, new) else foul
            self.final[NOTED[heavy]] += chance
        else:
            self.final[grid.REPLAYED] += chance

    def _commit(self, foul: int, chance: float) -> None:
        """R91, R92: Add the foul that the penalty chart shows at the end of the rolls."""
        committed = self._committed()
        if not committed or (foul != p.NO_FOUL and not is_offensive(foul)):
            if foul != p.NO_FOUL:
                self.final[NOTED[foul]] += chance
            return
        for new, share in committed.items():
            after: dict[int, float] = defaultdict(float)
            self._note(after, foul, new, chance * share)
            for noted, q in after.items():
                self.final[NOTED[noted]] += q

    def _committed(self) -> dict[int, float]:
        """R92: Return the fouls among which a fair die decides, with their shares."""
        if not self.m.def_penalties:
            return {}
        faces = {}
        for which in range(layout.DEF_5_ROWS, layout.PI_ROWS + 1):
            kind = kind_of_set(self.m, 1 - self.offense, which)
            applies = which != layout.PI_ROWS or is_pass(self.play)
            if applies and kind == layout.COMMITS and self._shows(which):
                weight = self.m.pi_weight if which == layout.PI_ROWS else 1
                faces[p.DEF_5 + which - layout.DEF_5_ROWS] = weight
        total = sum(faces.values())
        return {foul: weight / total for foul, weight in faces.items()}
