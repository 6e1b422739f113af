"""The three ways in which a rule reaches the world, and the one in which a coach does.

Here they have their plain meaning: they ask the position's table. `hashmark.table.compiled_effects`
gives each a compiled meaning, chosen by the kind of record that the position then is.
"""

from __future__ import annotations

from typing import Any

from hashmark.table.dice import Die, Pool
from hashmark.table.events import Event

IN_POSSESSION = -1  # the team that has the ball rolls


def roll(g: Any, pool: Pool, team: int = IN_POSSESSION) -> int:
    """Roll a pool, by the team in possession if no other is named; its outcome."""
    return g.table.roll(g, pool, g.possession if team < 0 else team)  # type: ignore[no-any-return]


def check(g: Any, pool: Pool, at_most: int, team: int = IN_POSSESSION) -> bool:
    """Roll a pool where only one thing matters: is the outcome at most this?"""
    return g.table.check(g, pool, at_most, g.possession if team < 0 else team)  # type: ignore[no-any-return]


def roll_within(g: Any, pool: Pool, low: int, high: int, team: int = IN_POSSESSION) -> int:
    """Roll a pool whose outcomes beyond these bounds mean the same as the bound.

    Enumeration takes all that lie beyond a bound as one outcome.
    """
    return g.table.roll_within(g, pool, low, high, g.possession if team < 0 else team)  # type: ignore[no-any-return]


def look_up(g: Any, pool: Pool, cells: Any, first: int, team: int = IN_POSSESSION) -> int:
    """Roll a pool on a column of cells: its lowest outcome reads the cell number `first`.

    Where only the cell matters, enumeration takes rows with equal cells as one outcome.
    """
    by = g.possession if team < 0 else team
    return g.table.look_up(g, pool, cells, first, by)  # type: ignore[no-any-return]


def tell(g: Any, event: Event, team: int, a: int = 0, b: int = 0, c: int = 0) -> None:
    """Say that something happened to a team, with up to three numbers."""
    g.table.tell(event, team, a, b, c)


def draw(g: Any, n: int) -> int:
    """For coaches that mix their calls: a number from 0 to n - 1, apart from the dice."""
    return g.table.draw(n)  # type: ignore[no-any-return]


def place(n: int) -> int:
    """A place in a list, counted from its beginning.

    Compiled code then need not ask whether it is counted from the end, as a negative one is.
    """
    return n


def lowest_bit(n: int) -> int:
    """The place of the lowest bit of a set that is not empty."""
    return (n & -n).bit_length() - 1


def scratch(n: int) -> list[int]:
    """For coaches that look ahead: a work space of n whole numbers, all 0."""
    return [0] * n


class Table:
    """Who rolls the dice and hears the story; the base of the plain readers."""

    def roll(self, g: Any, pool: Pool, team: int) -> int:
        if isinstance(pool, Die):
            return self.die(pool, team)
        return pool.throw(g, team)

    def check(self, g: Any, pool: Pool, at_most: int, team: int) -> bool:
        return self.roll(g, pool, team) <= at_most

    def roll_within(self, g: Any, pool: Pool, low: int, high: int, team: int) -> int:
        return max(low, min(high, self.roll(g, pool, team)))

    def look_up(self, g: Any, pool: Pool, cells: Any, first: int, team: int) -> int:
        return cells[first + self.roll(g, pool, team) - pool.lowest]  # type: ignore[no-any-return]

    def die(self, die: Any, team: int) -> int:
        """The face that one die shows."""
        raise NotImplementedError

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        """Hear what happened; the base class forgets it."""

    def draw(self, n: int) -> int:
        raise NotImplementedError
