"""What becomes of a whole play: both coaches' calls, then on through its dice to its end.

In games where both coaches call in secret, one call alone leads nowhere. Here both are made,
and the play is followed through every question in its middle: a window keeps its default,
and what must be decided is decided as the `book` coach does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hashmark.odds.outlook import (
    Enumerator,
    Key,
    Outcome,
    Outlook,
    can_compile,
    outlook,
    outlook_of,
)
from hashmark.table.effects import Table
from hashmark.table.errors import HashmarkError
from hashmark.table.events import Event
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL, RuleSet

SMALLEST = 1e-18  # a chance that no longer counts
FIGURES = {  # what a coach wants to know of a play, and the statistic that it comes from
    "expected_yards": "yards",
    "first_down_chance": "first_downs",
    "turnover_chance": "turnovers",
}
TITLES = (
    ("expected_yards", "Expected yards", "{:+.2f}"),
    ("first_down_chance", "Chance of a first down", "{:.1%}"),
    ("turnover_chance", "Chance of a turnover", "{:.1%}"),
    ("expected_points", "Expected points of the play", "{:+.3f}"),
)

Counted = dict[tuple[int, int], tuple[float, float]]
"""By team and number of the statistic: its expectation, and the chance that it is above zero."""


class _Loud(Exception):
    """A rule wanted dice, or a coach a random number."""


class _Quiet(Table):
    """A table without dice, at which what happens is counted."""

    def __init__(self, rules: RuleSet) -> None:
        self.statistics = rules.statistics
        self.counts = rules.statistics.zero()

    def roll(self, g: Any, pool: Any, team: int) -> int:
        raise _Loud

    def draw(self, n: int) -> int:
        raise _Loud

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.statistics.add(self.counts, event, team, a, b, c)


def _not_zero(means: Sequence[Sequence[float]], some: list[list[float]]) -> Counted:
    return {
        (team, at): (mean, some[team][at])
        for team in range(len(TEAMS))
        for at, mean in enumerate(means[team])
        if mean or some[team][at]
    }


@dataclass(frozen=True)
class Way:
    """One step in the middle of a play: where it leads, and what it counts."""

    next: list[tuple[Key, float]]
    again: float  # the chance that nothing has changed
    counted: Counted


@dataclass
class Follower:
    """Follows plays to their end and remembers what each position leads to."""

    rules: RuleSet
    m: Any
    engine: str = "auto"
    ways: dict[Key, Way] = field(default_factory=dict)
    over: dict[Key, bool] = field(default_factory=dict)

    def position(self, key: Key) -> Any:
        """The position that a key stands for."""
        return self.rules.position.from_flat(key)

    def is_over(self, key: Key) -> bool:
        """Whether the play has ended in this position."""
        if key not in self.over:
            self.over[key] = self.rules.play_over(self.m, self.position(key))
        return self.over[key]

    def next_call(self, g: Any) -> int:
        """What is called in the middle of a play."""
        question = self.rules.questions[self.rules.question(self.m, g)]
        if not question.calls:
            return NO_CALL
        if question.is_window:
            return question.default
        g.table = _Quiet(self.rules)
        try:
            return self.rules.decide(self.rules.coach("book"), self.m, g)
        except _Loud:
            raise HashmarkError(
                f"the book coach mixes its calls at {question.name}, in the middle of a play"
            ) from None

    def way(self, key: Key) -> Way:
        """One step on from a position in the middle of a play."""
        if key not in self.ways:
            g = self.position(key)
            call = self.next_call(g)
            self.ways[key] = self.quiet_way(g, call) or self.rolled_way(key, g, call)
        return self.ways[key]

    def quiet_way(self, g: Any, call: int) -> Way | None:
        """The way of a step that needs no dice, as most decisions do not; None if it does."""
        after = g.copy()
        table = after.table = _Quiet(self.rules)
        try:
            self.rules.step(self.m, after, call)
        except _Loud:
            return None
        some = [[float(count > 0) for count in row] for row in table.counts]
        return Way([(tuple(after.flat()), 1.0)], 0.0, _not_zero(table.counts, some))

    def rolled_way(self, key: Key, g: Any, call: int) -> Way:
        """The way of a step with dice."""
        one = self.step(g, call)
        again = sum(outcome.chance for outcome in one.outcomes if outcome.key == key)
        leads = [(outcome.key, outcome.chance) for outcome in one.outcomes if outcome.key != key]
        return Way(leads, again, _not_zero(one.means, one.some))

    def step(self, g: Any, call: int) -> Outlook:
        """One call or roll, and the windows that it opens."""
        if not self.compiles:
            return outlook(self.rules, self.m, g, call, self.engine, through=True)
        return outlook_of(self.rules, self.m, g, call, self.enumerator.enumerate(g, call, True))

    @cached_property
    def compiles(self) -> bool:
        return can_compile(self.engine)

    @cached_property
    def enumerator(self) -> Enumerator:
        """The compiled enumeration: the many steps of a play are too many for plain Python."""
        return Enumerator(self.rules, self.m)

    def spread(self, first: Outlook) -> tuple[dict[Key, float], dict[Key, float]]:
        """How often each way is gone, and where the play ends, with what chance."""
        gone: dict[Key, float] = {}
        ended: dict[Key, float] = {}
        going: dict[Key, float] = {}
        leads = [(outcome.key, outcome.chance) for outcome in first.outcomes]
        share = 1.0
        while True:
            for key, chance in leads:
                into = ended if self.is_over(key) else going
                into[key] = into.get(key, 0.0) + share * chance
            if not going:
                return gone, ended
            key = next(iter(going))
            mass = going.pop(key)
            leads = []
            if mass >= SMALLEST:
                way = self.way(key)
                share, leads = mass / (1 - way.again), way.next
                gone[key] = gone.get(key, 0.0) + share

    def follow(self, first: Outlook) -> Outlook:
        """The play to its end, from the outlook of the call that set it going."""
        gone, ended = self.spread(first)
        means, some = ([list(row) for row in part] for part in (first.means, first.some))
        for key, share in gone.items():
            for (team, at), (mean, chance) in self.ways[key].counted.items():
                means[team][at] += share * mean
                some[team][at] += share * chance
        outcomes = [Outcome(chance, key, self.rules.position) for key, chance in ended.items()]
        outcomes.sort(key=lambda outcome: -outcome.chance)
        return Outlook(self.rules, first.before, first.team, first.call, outcomes, means, some)

    def hidden(self, g: Any, code: int) -> Any:
        """The position in which the other coach answers a secret call, or None."""
        question = self.rules.questions[self.rules.question(self.m, g)]
        if code not in question.secret:
            return None
        after = g.copy()
        after.table = _Quiet(self.rules)
        try:
            self.rules.step(self.m, after, code)
        except _Loud:
            return None
        answers = self.rules.questions[self.rules.question(self.m, after)]
        answered = self.rules.asked(self.m, after) == 1 - self.rules.asked(self.m, g)
        return after if answered and set(answers.calls) & set(answers.secret) else None

    def answer(self, g: Any, call: str, against: str) -> Outlook:
        """The outlook of the second of two secret calls."""
        hidden = self.hidden(g, self.rules.read_call(self.m, g, call))
        if hidden is None:
            raise HashmarkError(f"{call} is not answered by a secret call of the other coach")
        return self.step(hidden, self.rules.read_call(self.m, hidden, against))

    def play(self, g: Any, call: str, against: str) -> Outlook:
        """The whole play for the calls of both coaches, as the one who called first sees it."""
        whole = self.follow(self.answer(g, call, against))
        team, mine = self.rules.asked(self.m, g), self.rules.read_call(self.m, g, call)
        return Outlook(self.rules, g.copy(), team, mine, whole.outcomes, whole.means, whole.some)

    def figures(self, g: Any, call: str, against: str) -> dict[str, float]:
        """What the coach who called first has of the play, without its distribution."""
        us, first = self.rules.asked(self.m, g), self.answer(g, call, against)
        wanted = {"points": 0, **dict.fromkeys(FIGURES.values(), 0)}
        names = self.rules.statistics.names
        places = {name: names.index(name) for name in wanted if name in names}
        worth = _not_zero(first.means, first.some)
        total = {
            (team, at): list(worth.get((team, at), (0.0, 0.0)))
            for team in (us, 1 - us)
            for at in places.values()
        }
        for key, share in self.spread(first)[0].items():
            for place, (mean, chance) in self.ways[key].counted.items():
                if place in total:
                    total[place][0] += share * mean
                    total[place][1] += share * chance
        yards, *chances = FIGURES
        found = {yards: total[us, places[FIGURES[yards]]][0]}
        for name in chances:
            there = FIGURES[name] in places
            found[name] = total[us, places[FIGURES[name]]][1] if there else 0.0
        points = places["points"]
        return {**found, "expected_points": total[us, points][0] - total[1 - us, points][0]}


@dataclass(frozen=True)
class Matrix:
    """Every call of one coach against every call of the other."""

    calls: list[str]
    against: list[str]
    cells: dict[tuple[str, str], dict[str, float]]

    def tables(self) -> list[tuple[str, list[str], list[list[str]]]]:
        """For people: one table for each figure, calls down, the other coach's calls across."""
        made = []
        for key, title, form in TITLES:
            rows = [
                [call, *(form.format(self.cells[call, other][key]) for other in self.against)]
                for call in self.calls
            ]
            made.append((title, ["call", *self.against], rows))
        return made

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
