"""What a coach is asked, cut loose from its table: it may think elsewhere, for as long as it likes.

A thought holds what the coach's team may see and the numbers it may draw, and no dice. Whoever
lets it think, in this thread or in another process, hands back the call and how many numbers were
drawn for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hashmark.table.dice import Die
from hashmark.table.effects import Table
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import Stream
from hashmark.table.rules import Coach, RuleSet


class CoachTable(Table):
    """What a coach has at hand: numbers to mix its calls with, and no dice."""

    def __init__(self, luck: Stream) -> None:
        self.luck = luck

    def die(self, die: Die, team: int) -> int:
        raise HashmarkError("a coach must not roll the dice")

    def draw(self, n: int) -> int:
        return self.luck.below(n)


@dataclass(frozen=True)
class Thought:
    """A question to a coach, of one moment of a table."""

    moment: int
    coach: Coach
    rules: RuleSet
    match: Any
    view: Any  # the position as the coach's team may see it
    luck: Stream  # elsewhere a copy: the table's own stands still meanwhile

    def decide(self) -> tuple[str, int]:
        """The coach's call, and how many numbers have been drawn by then."""
        self.view.table = CoachTable(self.luck)
        code = self.rules.decide(self.coach, self.match, self.view)
        return self.rules.calls[code], self.luck.count
