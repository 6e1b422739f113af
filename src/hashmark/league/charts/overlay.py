"""Priority Chart in closed form: results of an offense column against a defense.

A pass column of the offense shows INT, F, QT, INC or a gain; a run column F or a gain. The same
five rates describe the result. `combine` computes the results of both sides. `solve_offense`
solves for the offense rates that give wanted results under a cover (a mix of defense cells),
`solve_defense` for the defense rates. Penalty cells are excluded: the play is rolled again after
them (R69).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from hashmark.league.data.arrays import Floats

Yards = int  # `int` is a field below
Index = int


@dataclass(frozen=True)
class ResultRates:
    """Chances of the results other than a gain, each an array or a number."""

    int: Floats
    f: Floats
    qt: Floats
    inc: Floats

    @property
    def gain(self) -> Floats:
        return np.asarray(1.0 - self.int - self.f - self.qt - self.inc)

    def at(self, team: Index | slice, column: Index) -> ResultRates:
        """Return the rates of a column, of one team or of all."""
        every = (self.int, self.f, self.qt, self.inc)
        return ResultRates(*(np.asarray(rates[team, column]) for rates in every))


@dataclass(frozen=True)
class CoverRates:
    """Chances of the cells of a defense column, or of a mix of columns."""

    inc: float = 0.0
    int: float = 0.0
    qt: float = 0.0
    f: float = 0.0
    paren_td: float = 0.0
    shifts: Mapping[Yards, float] = field(default_factory=lambda: {0: 1.0})
    parens: Mapping[Yards, float] = field(default_factory=dict)

    @property
    def number_rate(self) -> float:
        return sum(self.shifts.values())

    @property
    def paren_rate(self) -> float:
        """Chance of `(#)` and `(TD)` together: they cancel an interception."""
        return sum(self.parens.values()) + self.paren_td

    @property
    def mean_shift(self) -> float:
        """Mean of the number cells."""
        total = sum(by * chance for by, chance in self.shifts.items())
        return total / max(self.number_rate, 1e-12)


def combine(p: ResultRates, q: CoverRates) -> ResultRates:
    """Return the results of offense rates p under the cover q."""
    intercepted = p.int * (1 - q.paren_rate) + (1 - p.int) * q.int
    fumbled = p.f * (1 - q.int - q.paren_td) + q.f * (1 - p.int - p.f)
    trapped = p.qt * (1 - q.paren_rate - q.int - q.f) + q.qt * (1 - p.int - p.f - p.qt)
    incomplete = p.inc * (q.number_rate + q.inc) + p.int * q.paren_rate + q.inc * p.gain
    return ResultRates(intercepted, fumbled, trapped, incomplete)


def solve_offense(wanted: ResultRates, q: CoverRates) -> ResultRates:
    """Return the offense rates that give the wanted results, none below 0."""
    intercepted = np.maximum((wanted.int - q.int) / (1 - q.paren_rate - q.int), 0.0)
    rest = 1 - intercepted
    fumbled = np.maximum((wanted.f - q.f * rest) / (1 - q.int - q.paren_td - q.f), 0.0)
    rest = rest - fumbled
    trapped = (wanted.qt - q.qt * rest) / (1 - q.paren_rate - q.int - q.f - q.qt)
    trapped = np.maximum(trapped, 0.0)
    rest = rest - trapped
    incomplete = (wanted.inc - intercepted * q.paren_rate - q.inc * rest) / max(q.number_rate, 1e-9)
    return ResultRates(intercepted, fumbled, trapped, np.clip(incomplete, 0.0, rest))


def solve_defense(wanted: ResultRates, p: ResultRates, q: CoverRates) -> ResultRates:
    """Return the defense rates that give the wanted results against p; `(#)` as in q."""
    intercepted = np.maximum((wanted.int - p.int * (1 - q.paren_rate)) / (1 - p.int), 0.0)
    fumbled = wanted.f - p.f * (1 - intercepted - q.paren_td)
    fumbled = np.maximum(fumbled / (1 - p.int - p.f), 0.0)
    trapped = wanted.qt - p.qt * (1 - q.paren_rate - intercepted - fumbled)
    trapped = np.maximum(trapped / (1 - p.qt - p.int - p.f), 0.0)
    body = 1 - q.paren_rate - intercepted - fumbled - trapped
    incomplete = (wanted.inc - p.inc * body - p.int * q.paren_rate) / np.maximum(p.gain, 1e-9)
    return ResultRates(intercepted, fumbled, trapped, np.clip(incomplete, 0.0, 0.8))


def solve_offense_gains(
    wanted: Floats, result: ResultRates, p: ResultRates, q: CoverRates, values: Floats
) -> Floats:
    """Return the gains (mass by value) that the offense's own numbers and TDs must supply.

    The contribution of `(#)` and `(TD)` cells is subtracted from the wanted distribution.
    """
    mass = wanted * float(result.gain)
    defense_applies = 1 - float(p.int) - float(p.f)
    for yards, chance in q.parens.items():
        _remove_mass(mass, int(np.searchsorted(values[:-1], yards)), chance * defense_applies)
    _remove_mass(mass, len(values) - 1, q.paren_td * (1 - float(p.int)))
    return np.asarray(mass / mass.sum())


def _remove_mass(mass: Floats, center: int, amount: float) -> None:
    """Remove an amount of mass around an index, as far as there is any."""
    for distance in range(len(mass) - 1):
        for index in {center - distance, center + distance}:
            if 0 <= index < len(mass) - (distance > 0) and amount > 0:
                removed = min(amount, 0.8 * float(mass[index]))
                mass[index] -= removed
                amount -= removed
        if amount <= 1e-12:
            return
