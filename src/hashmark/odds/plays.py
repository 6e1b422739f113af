"""Outcomes of whole plays: a call, or the calls of both coaches, followed to the end of the play.

In games where both coaches call in secret, a single call has no outcome. Here both calls are made,
and the play is followed through every question in its middle: windows take their defaults, and
mandatory decisions are made by the `book` coach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.engine.dice import Pool
from hashmark.engine.effects import EffectHandler
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet, every_step
from hashmark.errors import HashmarkError, TooManyOutcomes
from hashmark.number_text import percent
from hashmark.odds.outlook import (
    QUICK_ENGINE,
    CallDistribution,
    Outlook,
    can_compile,
    leaf_limit,
    with_hint,
)
from hashmark.odds.plain_plays import PlainPlays

SecretPair = tuple[int, PositionRecord, int]
"""A secret call, the position after it, and the other team's answer."""

CHANCE_FORMAT = "percent"
TITLES = (
    ("expected_yards", "Mean yards", "{:+.2f}"),
    ("first_down_chance", "Probability of a first down", CHANCE_FORMAT),
    ("touchdown_chance", "Probability of a touchdown", CHANCE_FORMAT),
    ("turnover_chance", "Probability of a turnover", CHANCE_FORMAT),
    ("mean_points", "Points on this play", "{:+.3f}"),
)


MIN_TABLE_CHANCE = 0.01  # tables whose chances are all smaller are not shown
NEGLIGIBLE_CHANCE = 1e-12  # chances that do not affect nine digits of a figure


class _DiceRequested(Exception):
    """A rule requested dice."""


class _NoDice(EffectHandler):
    """Effect handler without dice."""

    def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
        raise _DiceRequested


def has_multi_step_plays(rules: RuleSet) -> bool:
    """Return whether a play of the game may take more than one step."""
    return rules.is_play_over is not every_step


@dataclass
class Follower:
    """Follows the plays of one match to their end."""

    rules: RuleSet
    m: MatchRecord
    engine: str = "auto"
    for_figures: bool = False  # compute only what figures need, to nine digits

    def follow(
        self, g: PositionRecord, us: int, starts: Sequence[PositionRecord], calls: Sequence[int]
    ) -> list[CallDistribution]:
        """Follow each call to the end of its play; figures are team `us`'s, relative to `g`."""
        compiles = can_compile(self.engine)
        if self.engine != "compiled":
            try:
                return self._plain(g, us).follow(starts, calls)
            except TooManyOutcomes:
                if not compiles or self.engine == QUICK_ENGINE:
                    raise
        from hashmark.odds.batch_plays import BatchPlays

        limits: dict[str, Any] = {}
        if self.for_figures:
            limits = {"statistics": self.rules.counted_statistics, "negligible": NEGLIGIBLE_CHANCE}
        return BatchPlays(self.rules, self.m, g, us, **limits).follow(starts, calls)

    def _plain(self, g: PositionRecord, us: int) -> PlainPlays:
        limit, compiles = leaf_limit(self.engine), can_compile(self.engine)
        return PlainPlays(self.rules, self.m, g, us, limit, together=compiles)

    def outlooks(self, g: PositionRecord, codes: Sequence[int]) -> list[Outlook]:
        """Return the outlook of each call to the end of its play."""
        team = self.rules.team_to_act(self.m, g)
        distributions = self.follow(g, max(team, 0), [g] * len(codes), codes)
        return [self._outlook(g, team, *pair) for pair in zip(codes, distributions, strict=True)]

    def feasible_outlooks(
        self, g: PositionRecord, codes: Sequence[int]
    ) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
        """Return the same, and the calls whose plays are too long without a compiler."""
        if can_compile(self.engine):
            return self.outlooks(g, codes), {}
        team = self.rules.team_to_act(self.m, g)
        plays = self._plain(g, max(team, 0))
        outlooks: list[Outlook] = []
        many: dict[int, TooManyOutcomes] = {}
        for code in codes:
            try:
                outlooks.append(self._outlook(g, team, code, plays.follow([g], [code])[0]))
            except TooManyOutcomes as fault:
                many[code] = with_hint(fault, plays.max_leaves)
        return outlooks, many

    def _outlook(self, g: PositionRecord, team: int, code: int, found: CallDistribution) -> Outlook:
        return Outlook(self.rules, self.m, g.copy(), team, code, found)

    def after_secret_call(self, g: PositionRecord, code: int) -> PositionRecord | None:
        """Return the position in which the other coach answers a secret call, or None."""
        question = self.rules.questions[self.rules.question(self.m, g)]
        if code not in question.secret_calls:
            return None
        after: PositionRecord = g.copy()
        after.handler = _NoDice()
        try:
            self.rules.step(self.m, after, code)
        except _DiceRequested:
            return None
        answers = self.rules.questions[self.rules.question(self.m, after)]
        is_answered = self.rules.team_to_act(self.m, after) == 1 - self.rules.team_to_act(self.m, g)
        return after if is_answered and set(answers.calls) & set(answers.secret_calls) else None

    def play(self, g: PositionRecord, call: str, against: str) -> Outlook:
        """Return the outlook of the whole play for both coaches' calls, for the first caller."""
        code = self.rules.parse_call(self.m, g, call)
        between = self.after_secret_call(g, code)
        if between is None:
            raise HashmarkError(
                f"the other coach does not answer {call} with a secret call: leave --against out"
            )
        answer = self.rules.parse_call(self.m, between, against)
        team = self.rules.team_to_act(self.m, g)
        distributions = self.follow(g, team, [between], [answer])
        return self._outlook(g, team, code, distributions[0])


@dataclass(frozen=True)
class Matrix:
    """Every call of one coach against every call of the other."""

    calls: list[str]
    against: list[str]
    cells: dict[tuple[str, str], dict[str, float]]

    def tables(self) -> list[tuple[str, list[str], list[list[str]]]]:
        """Return one table per figure for display: calls down, the other coach's calls across.

        A figure that the game lacks, or a chance that is negligible everywhere, has no table.
        """
        shown = []
        for key, title, form in TITLES:
            values = [cell[key] for cell in self.cells.values() if key in cell]
            if not values or (form == CHANCE_FORMAT and max(values) < MIN_TABLE_CHANCE):
                continue
            rows = [
                [call, *(self._format_cell(call, other, key, form) for other in self.against)]
                for call in self.calls
            ]
            shown.append((title, ["call", *self.against], rows))
        return shown

    def _format_cell(self, call: str, other: str, key: str, form: str) -> str:
        """Return one cell; a dash where the pair is impossible or the figure does not apply."""
        value = self.cells.get((call, other), {}).get(key)
        if value is None:
            return "-"
        return percent(value, 1) if form == CHANCE_FORMAT else form.format(value)

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {"call": call, "against": against, **figures}
            for (call, against), figures in self.cells.items()
        ]


def secret_pairs(follower: Follower, g: PositionRecord) -> list[SecretPair]:
    """Return every secret call with every answer."""
    rules, m = follower.rules, follower.m
    pairs: list[SecretPair] = []
    for code in rules.legal_calls(m, g):
        between = follower.after_secret_call(g, code)
        if between is not None:
            pairs += [(code, between, answer) for answer in rules.legal_calls(m, between)]
    if not pairs:
        raise HashmarkError("no secret calls in this position: leave --table out")
    return pairs


def matrix(rules: RuleSet, m: MatchRecord, g: PositionRecord, engine: str = "auto") -> Matrix:
    """Return the matrix of a position in which both coaches call in secret."""
    follower = Follower(rules, m, engine, for_figures=True)
    pairs = secret_pairs(follower, g)
    us = rules.team_to_act(m, g)
    distributions = follower.follow(g, us, [pair[1] for pair in pairs], [pair[2] for pair in pairs])
    return build_matrix(rules, m, g, pairs, distributions)


def build_matrix(
    rules: RuleSet,
    m: MatchRecord,
    g: PositionRecord,
    pairs: Sequence[SecretPair],
    found: Sequence[CallDistribution],
) -> Matrix:
    """Build the matrix from the distribution of each pair of calls."""
    us = rules.team_to_act(m, g)
    cells = {
        (rules.calls[code], rules.calls[answer]): play_figures(
            Outlook(rules, m, g, us, code, distribution)
        )
        for (code, _, answer), distribution in zip(pairs, found, strict=True)
    }
    calls = list(dict.fromkeys(call for call, _ in cells))
    return Matrix(calls, list(dict.fromkeys(answer for _, answer in cells)), cells)


def play_figures(outlook: Outlook) -> dict[str, float]:
    """Return the figures of a play for the coach who called first."""
    summary = outlook.summary()
    counted = "first_downs" in outlook.distribution.statistics
    downs = outlook.chance("first_downs", outlook.us) if counted else 0.0
    return {
        "expected_yards": summary["expected_yards"],
        "first_down_chance": downs,
        "turnover_chance": summary["turnover_chance"],
        "mean_points": summary["mean_points"],
        "expected_points": summary["mean_points"],  # old name, kept for one release
        **{name: value for name, value in outlook.figures.items() if value is not None},
    }
