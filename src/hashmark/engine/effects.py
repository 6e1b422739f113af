"""Effects: the ways in which a rule or a coach reaches beyond the position.

Here they have their plain meaning: they call the position's effect handler.
`hashmark.compiler.effects` gives each a compiled meaning, chosen by the kind of record that
the position is there.
"""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.engine.dice import Die, Pool
from hashmark.engine.events import EventKind, Values
from hashmark.engine.record import PositionRecord

IN_POSSESSION = -1  # the team in possession rolls


def roll(g: PositionRecord, pool: Pool, team: int = IN_POSSESSION) -> int:
    """Roll a pool and return its outcome; the team in possession rolls unless another is named."""
    return g.handler.roll(g, pool, g.possession if team < 0 else team)  # type: ignore[no-any-return]


def check(g: PositionRecord, pool: Pool, at_most: int, team: int = IN_POSSESSION) -> bool:
    """Roll a pool and return whether the outcome is at most this value."""
    return g.handler.check(g, pool, at_most, g.possession if team < 0 else team)  # type: ignore[no-any-return]


def roll_within(
    g: PositionRecord, pool: Pool, low: int, high: int, team: int = IN_POSSESSION
) -> int:
    """Roll a pool and clamp the outcome to these bounds.

    Enumeration treats all outcomes beyond a bound as one.
    """
    return g.handler.roll_within(g, pool, low, high, g.possession if team < 0 else team)  # type: ignore[no-any-return]


def look_up(
    g: PositionRecord, pool: Pool, cells: Sequence[int], first: int, team: int = IN_POSSESSION
) -> int:
    """Roll a pool on a column of cells and return the cell; the lowest outcome reads cell `first`.

    Only the cell matters, so enumeration treats rows with equal cells as one outcome.
    """
    roller = g.possession if team < 0 else team
    return g.handler.look_up(g, pool, cells, first, roller)  # type: ignore[no-any-return]


def emit(
    g: PositionRecord, event: EventKind, team: int, a: int = 0, b: int = 0, c: int = 0
) -> None:
    """Emit an event of a team, with up to three numbers."""
    g.handler.emit(event, team, (a, b, c))


def draw(g: PositionRecord, n: int) -> int:
    """Return a random number from 0 to n - 1, independent of the dice, for coaches that mix
    calls."""
    return g.handler.draw(n)  # type: ignore[no-any-return]


def nonneg(n: int) -> int:
    """Return an index that is known to be non-negative.

    Compiled code then needs no test for negative indices, which count from the end.
    """
    return n


def lowest_bit(n: int) -> int:
    """Return the index of the lowest bit of a non-empty set."""
    return (n & -n).bit_length() - 1


def scratch(n: int) -> list[int]:
    """Return a work space of n integers, all 0, for coaches that look ahead."""
    return [0] * n


class EffectHandler:
    """Handler of the effects of rules: rolls dice and receives events; base of the plain
    readers."""

    def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
        if isinstance(pool, Die):
            return self.roll_die(pool, team)
        return pool.throw(g, team)

    def check(self, g: PositionRecord, pool: Pool, at_most: int, team: int) -> bool:
        return self.roll(g, pool, team) <= at_most

    def roll_within(self, g: PositionRecord, pool: Pool, low: int, high: int, team: int) -> int:
        return max(low, min(high, self.roll(g, pool, team)))

    def look_up(
        self, g: PositionRecord, pool: Pool, cells: Sequence[int], first: int, team: int
    ) -> int:
        return cells[first + self.roll(g, pool, team) - pool.lowest]

    def roll_die(self, die: Die, team: int) -> int:
        """Return the face that one die shows."""
        raise NotImplementedError

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        """Receive an event; the base class ignores it."""

    def draw(self, n: int) -> int:
        raise NotImplementedError
