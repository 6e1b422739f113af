"""What becomes of a whole play: a call, or the calls of both coaches, then on to its end.

In games where both coaches call in secret, one call alone leads nowhere. Here both are made,
and the play is followed through every question in its middle: a window keeps its default,
and what must be decided is decided as the `book` coach does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.odds.outlook import (
    MOST_LEAVES,
    PLAIN_LEAVES,
    QUICK,
    UNCOMPILED_LEAVES,
    Found,
    Outlook,
    can_compile,
    with_hint,
)
from hashmark.odds.plain_plays import PlainPlays
from hashmark.table.effects import Table
from hashmark.table.errors import HashmarkError, TooManyOutcomes
from hashmark.table.rules import RuleSet, every_step

TITLES = (
    ("expected_yards", "Expected yards", "{:+.2f}"),
    ("first_down_chance", "Chance of a first down", "{:.1%}"),
    ("touchdown_chance", "Chance of a touchdown", "{:.1%}"),
    ("turnover_chance", "Chance of a turnover", "{:.1%}"),
    ("expected_points", "Expected points of the play", "{:+.3f}"),
)


LEAST_CHANCE = 0.01  # of a table for people
NINE_DIGITS = 1e-12  # a chance that nine digits of a figure do not show


class _Loud(Exception):
    """A rule wanted dice."""


class _Quiet(Table):
    """A table without dice."""

    def roll(self, g: Any, pool: Any, team: int) -> int:
        raise _Loud


def has_long_plays(rules: RuleSet) -> bool:
    """Whether a play of the game may take more than one step."""
    return rules.play_over is not every_step


@dataclass
class Follower:
    """Follows plays of one match to their end."""

    rules: RuleSet
    m: Any
    engine: str = "auto"
    for_figures: bool = False  # no more is worked out than figures need, to nine digits

    def follow(self, g: Any, us: int, starts: Sequence[Any], calls: Sequence[int]) -> list[Found]:
        """Each call to the end of its play; figures are for team `us`, compared with `g`."""
        compiles = can_compile(self.engine)
        if self.engine != "compiled":
            try:
                return self._plain(g, us).follow(starts, calls)
            except TooManyOutcomes:
                if not compiles or self.engine == QUICK:
                    raise
        from hashmark.odds.batch_plays import BatchPlays

        limits: dict[str, Any] = {}
        if self.for_figures:
            limits = {"statistics": self.rules.counted, "negligible": NINE_DIGITS}
        return BatchPlays(self.rules, self.m, g, us, **limits).follow(starts, calls)

    def _plain(self, g: Any, us: int) -> PlainPlays:
        compiles = can_compile(self.engine)
        most = PLAIN_LEAVES if compiles else UNCOMPILED_LEAVES
        most = MOST_LEAVES if self.engine == "plain" else most
        return PlainPlays(self.rules, self.m, g, us, most, together=compiles)

    def calls(self, g: Any, codes: Sequence[int]) -> list[Outlook]:
        """The outlook of each of these calls to the end of its play."""
        team = self.rules.asked(self.m, g)
        found = self.follow(g, max(team, 0), [g] * len(codes), codes)
        return [self._outlook(g, team, *one) for one in zip(codes, found, strict=True)]

    def calls_in_time(
        self, g: Any, codes: Sequence[int]
    ) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
        """The same, and those calls that are too long where nothing is compiled."""
        if can_compile(self.engine):
            return self.calls(g, codes), {}
        team = self.rules.asked(self.m, g)
        plays = self._plain(g, max(team, 0))
        made: list[Outlook] = []
        many: dict[int, TooManyOutcomes] = {}
        for code in codes:
            try:
                made.append(self._outlook(g, team, code, plays.follow([g], [code])[0]))
            except TooManyOutcomes as fault:
                many[code] = with_hint(fault, plays.most)
        return made, many

    def _outlook(self, g: Any, team: int, code: int, found: Found) -> Outlook:
        return Outlook(self.rules, self.m, g.copy(), team, code, found)

    def hidden(self, g: Any, code: int) -> Any:
        """The position in which the other coach answers a secret call, or None."""
        question = self.rules.questions[self.rules.question(self.m, g)]
        if code not in question.secret:
            return None
        after = g.copy()
        after.table = _Quiet()
        try:
            self.rules.step(self.m, after, code)
        except _Loud:
            return None
        answers = self.rules.questions[self.rules.question(self.m, after)]
        answered = self.rules.asked(self.m, after) == 1 - self.rules.asked(self.m, g)
        return after if answered and set(answers.calls) & set(answers.secret) else None

    def play(self, g: Any, call: str, against: str) -> Outlook:
        """The whole play for the calls of both coaches, as the one who called first sees it."""
        code = self.rules.read_call(self.m, g, call)
        hidden = self.hidden(g, code)
        if hidden is None:
            raise HashmarkError(f"{call} is not answered by a secret call of the other coach")
        answer = self.rules.read_call(self.m, hidden, against)
        team = self.rules.asked(self.m, g)
        found = self.follow(g, team, [hidden], [answer])
        return self._outlook(g, team, code, found[0])


@dataclass(frozen=True)
class Matrix:
    """Every call of one coach against every call of the other."""

    calls: list[str]
    against: list[str]
    cells: dict[tuple[str, str], dict[str, float]]

    def tables(self) -> list[tuple[str, list[str], list[list[str]]]]:
        """For people: one table for each figure, calls down, the other coach's calls across.

        A figure that the game does not have, or a chance that is next to nothing everywhere, has
        no table.
        """
        made = []
        for key, title, form in TITLES:
            told = [cell[key] for cell in self.cells.values() if key in cell]
            if not told or ("%" in form and max(told) < LEAST_CHANCE):
                continue
            rows = [
                [call, *(self._shown(call, other, key, form) for other in self.against)]
                for call in self.calls
            ]
            made.append((title, ["call", *self.against], rows))
        return made

    def _shown(self, call: str, other: str, key: str, form: str) -> str:
        """One cell; nothing where the other coach cannot answer so, or no outcome counts."""
        value = self.cells.get((call, other), {}).get(key)
        return "-" if value is None else form.format(value)

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {"call": call, "against": against, **figures}
            for (call, against), figures in self.cells.items()
        ]


def secret_pairs(follower: Follower, g: Any) -> list[tuple[int, Any, int]]:
    """Every secret call with every answer: the call, the position between them, the answer."""
    rules, m = follower.rules, follower.m
    found = []
    for code in rules.legal_calls(m, g):
        hidden = follower.hidden(g, code)
        if hidden is not None:
            found += [(code, hidden, answer) for answer in rules.legal_calls(m, hidden)]
    if not found:
        raise HashmarkError("in this position no call is answered by a secret call")
    return found


def matrix(rules: RuleSet, m: Any, g: Any, engine: str = "auto") -> Matrix:
    """The table of a position in which both coaches call in secret."""
    follower = Follower(rules, m, engine, for_figures=True)
    pairs = secret_pairs(follower, g)
    us = rules.asked(m, g)
    found = follower.follow(g, us, [one[1] for one in pairs], [one[2] for one in pairs])
    return matrix_of(rules, m, g, pairs, found)


def matrix_of(
    rules: RuleSet, m: Any, g: Any, pairs: Sequence[tuple[int, Any, int]], found: Sequence[Found]
) -> Matrix:
    """The table from what becomes of each pair of calls."""
    us = rules.asked(m, g)
    cells = {
        (rules.calls[code], rules.calls[answer]): play_figures(Outlook(rules, m, g, us, code, one))
        for (code, _, answer), one in zip(pairs, found, strict=True)
    }
    calls = list(dict.fromkeys(call for call, _ in cells))
    return Matrix(calls, list(dict.fromkeys(answer for _, answer in cells)), cells)


def play_figures(one: Outlook) -> dict[str, float]:
    """What the coach who called first has of a play."""
    summary = one.summary()
    counted = "first_downs" in one.found.statistics
    downs = one.chance("first_downs", one.us) if counted else 0.0
    return {
        "expected_yards": summary["expected_yards"],
        "first_down_chance": downs,
        "turnover_chance": summary["turnover_chance"],
        "expected_points": summary["expected_points"],
        **{name: value for name, value in one.figures.items() if value is not None},
    }
