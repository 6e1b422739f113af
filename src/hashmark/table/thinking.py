"""What a coach is asked, cut loose from its table: it may think elsewhere, for as long as it likes.

A thought holds what the coach's team may see and the numbers it may draw, and no dice. Whoever
lets it think, in this thread or in another process, hands back the call and how many numbers were
drawn for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hashmark.table.game import CoachTable
from hashmark.table.generator import Stream
from hashmark.table.rules import Coach, RuleSet


@dataclass(frozen=True)
class Thought:
    """A question to a coach, of one moment of a table."""

    moment: int
    coach: Coach
    rules: RuleSet
    match: Any
    view: Any  # the position as the coach's team may see it
    luck: Stream  # a copy: the table's own stands still meanwhile

    def decide(self) -> tuple[str, int]:
        """The coach's call, and how many numbers have been drawn by then."""
        self.view.table = CoachTable(self.luck)
        code = self.rules.decide(self.coach, self.match, self.view)
        return self.rules.calls[code], self.luck.count
