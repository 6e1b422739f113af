"""What the Priority Chart makes of an offence column under a defence: exact, in closed form.

A pass column of the offence shows INT, F, QT, INC or a gain; a run column F or a gain. The
same five rates describe the result. `under` solves for the offence's rates that give wanted
results under a cover (a mix of defence cells), `over` for the defence's; `laid` is the way
forward. Penalty cells take no part: the play is rolled again after them (R69).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from hashmark.league.charts.tallies import Array

Yards = int


@dataclass(frozen=True)
class Rates:
    """Chances of the results other than a gain, each an array or a number."""

    int: Array
    f: Array
    qt: Array
    inc: Array

    @property
    def gain(self) -> Array:
        return np.asarray(1.0 - self.int - self.f - self.qt - self.inc)


@dataclass(frozen=True)
class Cover:
    """The cells of a defence column, or of a mix of them, as chances."""

    inc: float = 0.0
    int: float = 0.0
    qt: float = 0.0
    f: float = 0.0
    paren_td: float = 0.0
    shifts: Mapping[Yards, float] = field(default_factory=lambda: {0: 1.0})
    parens: Mapping[Yards, float] = field(default_factory=dict)

    @property
    def number(self) -> float:
        return sum(self.shifts.values())

    @property
    def paren(self) -> float:
        """`(#)` and `(TD)` together: they undo an interception."""
        return sum(self.parens.values()) + self.paren_td

    @property
    def shift(self) -> float:
        """The mean of the numbers."""
        total = sum(by * chance for by, chance in self.shifts.items())
        return total / max(self.number, 1e-12)


def laid(p: Rates, q: Cover) -> Rates:
    """The results of offence rates p under the cover q."""
    picked = p.int * (1 - q.paren) + (1 - p.int) * q.int
    fumbled = p.f * (1 - q.int - q.paren_td) + q.f * (1 - p.int - p.f)
    trapped = p.qt * (1 - q.paren - q.int - q.f) + q.qt * (1 - p.int - p.f - p.qt)
    missed = p.inc * (q.number + q.inc) + p.int * q.paren + q.inc * p.gain
    return Rates(picked, fumbled, trapped, missed)


def under(wanted: Rates, q: Cover) -> Rates:
    """The offence's rates that give the results wanted; none is below 0."""
    picked = np.maximum((wanted.int - q.int) / (1 - q.paren - q.int), 0.0)
    rest = 1 - picked
    fumbled = np.maximum((wanted.f - q.f * rest) / (1 - q.int - q.paren_td - q.f), 0.0)
    rest = rest - fumbled
    trapped = (wanted.qt - q.qt * rest) / (1 - q.paren - q.int - q.f - q.qt)
    trapped = np.maximum(trapped, 0.0)
    rest = rest - trapped
    missed = (wanted.inc - picked * q.paren - q.inc * rest) / max(q.number, 1e-9)
    return Rates(picked, fumbled, trapped, np.clip(missed, 0.0, rest))


def over(wanted: Rates, p: Rates, q: Cover) -> Rates:
    """The defence's rates that give the results wanted against p; `(#)` as in q."""
    picked = np.maximum((wanted.int - p.int * (1 - q.paren)) / (1 - p.int), 0.0)
    fumbled = wanted.f - p.f * (1 - picked - q.paren_td)
    fumbled = np.maximum(fumbled / (1 - p.int - p.f), 0.0)
    trapped = wanted.qt - p.qt * (1 - q.paren - picked - fumbled)
    trapped = np.maximum(trapped / (1 - p.qt - p.int - p.f), 0.0)
    body = 1 - q.paren - picked - fumbled - trapped
    missed = (wanted.inc - p.inc * body - p.int * q.paren) / np.maximum(p.gain, 1e-9)
    return Rates(picked, fumbled, trapped, np.clip(missed, 0.0, 0.8))


def gains_under(wanted: Array, result: Rates, p: Rates, q: Cover, values: Array) -> Array:
    """The gains (mass by value) that must come from the offence's own numbers and TDs.

    What `(#)` and `(TD)` cells bring is taken off the wanted distribution of gains.
    """
    mass = wanted * float(result.gain)
    against = 1 - float(p.int) - float(p.f)
    for yards, chance in q.parens.items():
        _take(mass, int(np.searchsorted(values[:-1], yards)), chance * against)
    _take(mass, len(values) - 1, q.paren_td * (1 - float(p.int)))
    return np.asarray(mass / mass.sum())


def _take(mass: Array, place: int, amount: float) -> None:
    """Take an amount off around a place, as far as there is any."""
    for away in range(len(mass) - 1):
        for at in {place - away, place + away}:
            if 0 <= at < len(mass) - (away > 0) and amount > 0:
                taken = min(amount, 0.8 * float(mass[at]))
                mass[at] -= taken
                amount -= taken
        if amount <= 1e-12:
            return
