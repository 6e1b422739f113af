"""What becomes of a whole play: both coaches' calls, then on through its dice to its end.

In games where both coaches call in secret, one call alone leads nowhere. Here both are made,
and the play is followed through every question in its middle: a window keeps its default,
and what must be decided is decided as the `book` coach does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hashmark.odds.outlook import Outcome, Outlook, outlook
from hashmark.table.effects import Table
from hashmark.table.errors import HashmarkError
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL, RuleSet

PATIENCE = 10  # ways that plain Python tries of each of the many steps of a play
SMALLEST = 1e-18  # a chance that no longer counts
FIGURES = {  # what a coach wants to know of a play, and the statistic that it comes from
    "expected_yards": "yards",
    "first_down_chance": "first_downs",
    "turnover_chance": "turnovers",
}


Key = tuple[int, ...]  # all integers of a position


class _Loud(Exception):
    """A rule wanted dice, or a coach a random number."""


class _Quiet(Table):
    """A table without dice."""

    def roll(self, g: Any, pool: Any, team: int) -> int:
        raise _Loud

    def draw(self, n: int) -> int:
        raise _Loud


@dataclass(frozen=True)
class Way:
    """One step in the middle of a play: where it leads, and what it counted."""

    outlook: Outlook
    next: list[tuple[Key, float, Any]]  # key, chance and position of each outcome
    again: float  # the chance that nothing has changed


@dataclass
class Follower:
    """Follows plays to their end and remembers what each position leads to."""

    rules: RuleSet
    m: Any
    engine: str = "auto"
    ways: dict[Key, Way] = field(default_factory=dict)
    worths: dict[Key, dict[str, float]] = field(default_factory=dict)

    def next_call(self, g: Any) -> int:
        """What is called in the middle of a play."""
        question = self.rules.questions[self.rules.question(self.m, g)]
        if not question.calls:
            return NO_CALL
        if question.is_window:
            return question.default
        g.table = _Quiet()
        try:
            return self.rules.decide(self.rules.coach("book"), self.m, g)
        except _Loud:
            raise HashmarkError(
                f"the book coach mixes its calls at {question.name}, in the middle of a play"
            ) from None

    def way(self, key: Key, g: Any) -> Way:
        """One step on from a position in the middle of a play."""
        if key not in self.ways:
            call = self.next_call(g)
            one = outlook(self.rules, self.m, g, call, self.engine, patience=PATIENCE)
            leads = [(tuple(o.position.flat()), o.chance, o.position) for o in one.outcomes]
            again = sum(chance for to, chance, _ in leads if to == key)
            self.ways[key] = Way(one, [lead for lead in leads if lead[0] != key], again)
        return self.ways[key]

    def spread(self, first: Outlook) -> tuple[dict[Key, float], dict[Key, list[Any]]]:
        """How often each way is gone, and where the play ends, with what chance."""
        gone: dict[Key, float] = {}
        ended: dict[Key, list[Any]] = {}
        going: dict[Key, list[Any]] = {}
        leads = [(tuple(o.position.flat()), o.chance, o.position) for o in first.outcomes]
        share = 1.0
        while True:
            for key, chance, g in leads:
                into = ended if self.rules.play_over(self.m, g) else going
                into.setdefault(key, [0.0, g])[0] += share * chance
            if not going:
                return gone, ended
            key = next(iter(going))
            mass, g = going.pop(key)
            leads = []
            if mass >= SMALLEST:
                way = self.way(key, g)
                share, leads = mass / (1 - way.again), way.next
                gone[key] = gone.get(key, 0.0) + share

    def follow(self, first: Outlook) -> Outlook:
        """The play to its end, from the outlook of the call that set it going."""
        gone, ended = self.spread(first)
        totals = [[list(row) for row in part] for part in (first.means, first.some)]
        for key, share in gone.items():
            one = self.ways[key].outlook
            for total, part in zip(totals, (one.means, one.some), strict=True):
                for team in range(len(TEAMS)):
                    for at, value in enumerate(part[team]):
                        total[team][at] += share * value
        outcomes = [Outcome(chance, position) for chance, position in ended.values()]
        outcomes.sort(key=lambda outcome: -outcome.chance)
        return Outlook(self.rules, first.before, first.team, first.call, outcomes, *totals)

    def hidden(self, g: Any, code: int) -> Any:
        """The position in which the other coach answers a secret call, or None."""
        after = g.copy()
        after.table = _Quiet()
        try:
            self.rules.step(self.m, after, code)
        except _Loud:
            return None
        question = self.rules.questions[self.rules.question(self.m, after)]
        answered = self.rules.asked(self.m, after) == 1 - self.rules.asked(self.m, g)
        secret = (
            question.calls and not question.is_window and not self.rules.play_over(self.m, after)
        )
        return after if secret and answered else None

    def answer(self, g: Any, call: str, against: str) -> Outlook:
        """The outlook of the second of two secret calls."""
        hidden = self.hidden(g, self.rules.read_call(self.m, g, call))
        if hidden is None:
            raise HashmarkError(f"{call} is not answered by a secret call of the other coach")
        return outlook(self.rules, self.m, hidden, against, self.engine)

    def play(self, g: Any, call: str, against: str) -> Outlook:
        """The whole play for the calls of both coaches, as the one who called first sees it."""
        whole = self.follow(self.answer(g, call, against))
        team, mine = self.rules.asked(self.m, g), self.rules.read_call(self.m, g, call)
        return Outlook(self.rules, g.copy(), team, mine, whole.outcomes, whole.means, whole.some)

    def figures(self, g: Any, call: str, against: str) -> dict[str, float]:
        """What the coach who called first has of the play, without its distribution."""
        team, first = self.rules.asked(self.m, g), self.answer(g, call, against)
        worth = self.counted(first, team)
        for key, share in self.spread(first)[0].items():
            if key not in self.worths:
                self.worths[key] = self.counted(self.ways[key].outlook, team)
            for name, value in self.worths[key].items():
                worth[name] += share * value
        return worth

    def counted(self, one: Outlook, team: int) -> dict[str, float]:
        """The figures of one step."""
        known = self.rules.statistics.names
        yards, *chances = FIGURES
        worth = {yards: one.mean(FIGURES[yards], team)}
        for name in chances:
            there = FIGURES[name] in known
            worth[name] = one.chance(FIGURES[name], team) if there else 0.0
        points = one.mean("points", team) - one.mean("points", 1 - team)
        return {**worth, "expected_points": points}


@dataclass(frozen=True)
class Matrix:
    """Every call of one coach against every call of the other."""

    calls: list[str]
    against: list[str]
    cells: dict[tuple[str, str], dict[str, float]]

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {"call": call, "against": against, **figures}
            for (call, against), figures in self.cells.items()
        ]


def matrix(rules: RuleSet, m: Any, g: Any, engine: str = "auto") -> Matrix:
    """The table of a position in which both coaches call in secret."""
    follower = Follower(rules, m, engine)
    calls: list[str] = []
    against: list[str] = []
    cells: dict[tuple[str, str], dict[str, float]] = {}
    for code in rules.legal_calls(m, g):
        hidden = follower.hidden(g, code)
        if hidden is None:
            continue
        calls.append(rules.calls[code])
        against = [rules.calls[one] for one in rules.legal_calls(m, hidden)]
        for name in against:
            cells[calls[-1], name] = follower.figures(g, calls[-1], name)
    if not calls:
        raise HashmarkError("in this position no call is answered by a secret call")
    return Matrix(calls, against, cells)
