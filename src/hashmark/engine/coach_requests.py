"""Coach requests: what a coach is asked, independent of the session, so it can run elsewhere.

A request holds what the coach's team may see and the random stream it may draw from, and no dice.
The code that runs it, in this thread or in another process, returns the call and how many numbers
were drawn for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from hashmark.engine.dice import Die
from hashmark.engine.effects import EffectHandler
from hashmark.engine.generator import RandomStream
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import CallCode, Coach, RuleSet
from hashmark.errors import HashmarkError


class CoachHandler(EffectHandler):
    """Effect handler of a coach: random numbers to mix calls with, and no dice."""

    def __init__(self, stream: RandomStream) -> None:
        self.stream = stream

    def roll_die(self, die: Die, team: int) -> int:
        raise HashmarkError("a coach must not roll the dice")

    def draw(self, n: int) -> int:
        return self.stream.randbelow(n)


@dataclass(frozen=True)
class CoachRequest:
    """A request to a coach to answer a question at one moment of a session."""

    moment: int
    coach: Coach
    rules: RuleSet
    match: MatchRecord
    view: PositionRecord  # as the coach's team may see it
    stream: RandomStream  # a copy, unless decided in place: the session's own does not advance

    def decide(self) -> tuple[CallCode, int]:
        """Return the coach's call, and how many numbers have been drawn by then."""
        self.view.handler = CoachHandler(self.stream)
        code = self.rules.decide(self.coach, self.match, self.view)
        return code, self.stream.word_count
