"""Analysis of a position: the value of every legal call, and the break-even of risky calls.

A call that puts the ball at stake succeeds or fails: a first down or not, a kick good or not. The
values after success and failure, and the value of the best alternative, give the break-even: the
success rate at which both calls are equally good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hashmark.odds import plain
from hashmark.odds.outlook import UNCOMPILED_LEAVES
from hashmark.table.figures import Figure
from hashmark.table.record import TEAMS
from hashmark.values.value import SMALL, Judgement, Source, Value

# Figures that mark an outcome as a success of the call, where they apply to the question (our ball
# after an onside kick), and figures that mark an outcome as still undecided.
WORKS = (
    "first_down_chance",
    "touchdown_chance",
    "field_goal_chance",
    "makes_points_chance",
    "our_ball_chance",
)
GOES_ON = ("our_ball_chance", "flag_chance")
DRIVES = "fourth_down_chance"  # where this figure applies, a call covers a whole drive
MOST_OPEN = 0.25  # maximum share of failures that may be undecided; above it nothing is at stake
SELDOM = 0.02  # rarer successes or failures have no meaningful break-even


@dataclass(frozen=True)
class BreakEven:
    """Success rate of a call and the rate at which it equals the best alternative."""

    call: int
    other: int
    works: float
    needed: float

    def said(self, names: tuple[str, ...]) -> str:
        return (
            f"{names[self.call]} is right against {names[self.other]} if it works more than "
            f"{self.needed:.0%} of the time; it works {self.works:.0%}"
        )


@dataclass(frozen=True)
class Mix:
    """A team's mixed strategy over its secret calls: share, worth and standard error of each."""

    team: int
    calls: Mapping[int, tuple[float, float, float]]


@dataclass(frozen=True)
class Best:
    """Analysis of a position: its value and, if a team is to call, the value of every call."""

    source: Source
    value: Value
    judgement: Judgement | None
    break_evens: Mapping[int, BreakEven] = field(default_factory=dict)
    mixes: tuple[Mix, ...] = ()  # of both teams, where both call in secret
    knows_secret: bool = False  # the position contains a secret call of the other team

    @property
    def matters(self) -> bool:
        return self.judgement is not None and self.judgement.matters

    def to_json(self) -> dict[str, Any]:
        judged, names = self.judgement, self.source.rules.calls
        calls = {} if judged is None else judged.calls
        return {
            "team": None if judged is None else TEAMS[judged.team],
            **_chances(self.value),
            "exact": self.value.exact,
            "standard_error": self.value.error,
            "best": None if judged is None else names[judged.best],
            "calls": [{"call": names[call], **_chances(value)} for call, value in calls.items()],
        }


def _chances(value: Value) -> dict[str, float]:
    return {"home": value.home, "tie": value.tie, "away": value.away}


def best_of(source: Source, g: Any, before: Any = None) -> Best:
    """Analyze a position and every legal call of the team to act.

    `before` is the position before the other team's secret call, as `Source.judge` expects it.
    """
    rules, m = source.rules, source.m
    if rules.is_over(g) or not rules.questions[rules.question(m, g)].calls:
        return Best(source, source.value(g), None)
    judged = source.judge(g, before)
    known = before is None and rules.view(m, g, judged.team) != g
    mixes = () if known or before is not None else _mixes(source, g)
    return Best(source, judged.value, judged, break_evens(source, g, judged), mixes, known)


def _mixes(source: Source, g: Any) -> tuple[Mix, ...]:
    """Return the equilibrium mix of both teams where calls are secret and none is made yet."""
    rules, m = source.rules, source.m
    question = rules.questions[rules.question(m, g)]
    if not set(question.secret) & set(rules.legal_calls(m, g)):
        return ()
    from hashmark.values.hidden import hidden

    game = hidden(rules, m, g, tie=source.tie)
    pairs = (
        (game.calls, game.mix.rows, game.of_calls()),
        (game.answers, game.mix.columns, game.of_answers()),
    )
    return tuple(
        Mix(
            team,
            {
                call: (float(share), *worths[call])
                for call, share in zip(calls, shares, strict=True)
            },
        )
        for team, (calls, shares, worths) in zip((game.team, 1 - game.team), pairs, strict=True)
    )


def difference(judged: Judgement, call: int) -> str:
    """Format what a call loses against the best call, for display."""
    loss, error = judged.loss(call), judged.errors[call]
    if call == judged.best:
        return "best"
    if loss < SMALL and error < SMALL:
        return "no matter"
    text = f"-{100 * loss:.1f}".replace("-0.0", "0.0")
    return text + (f" ± {100 * error:.1f}" if error else "")


# --- Break-even --------------------------------------------------------------------------


def break_evens(source: Source, g: Any, judged: Judgement) -> dict[int, BreakEven]:
    """Return the break-even of each call that can succeed or fail and has an alternative.

    Only for exact values: an estimate would need rollouts of every outcome of every call.
    """
    if not judged.value.exact or len(judged.calls) < 2:
        return {}
    rules = source.rules
    shown = rules.figures_at(rules.questions[rules.question(source.m, g)].name)
    works, goes_on = _outcome_figures(shown, WORKS), _outcome_figures(rules.figures, GOES_ON)
    if not works or any(figure.name == DRIVES for figure in shown):
        return {}
    candidates = (_break_even(source, g, call, judged, works, goes_on) for call in judged.calls)
    return {even.call: even for even in candidates if even is not None}


def _reachable_positions(source: Source, g: Any, call: int) -> list[tuple[float, Any]]:
    """Return every position a call can lead to, with its chance; empty if there are too many.

    Computes nothing else, so it is faster than an outlook.
    """
    chances: dict[tuple[int, ...], float] = {}
    positions: dict[tuple[int, ...], Any] = {}
    leaves = plain.leaves(source.rules, source.m, g, call)
    for number, (chance, after, _) in enumerate(leaves):
        if number == UNCOMPILED_LEAVES:
            return []
        key = tuple(after.flat())
        chances[key] = chances.get(key, 0.0) + float(chance)
        positions[key] = after
    return [(chance, positions[key]) for key, chance in chances.items()]


def _outcome_figures(figures: Iterable[Figure], names: tuple[str, ...]) -> list[Figure]:
    """Return the figures with these names that are rules on an outcome."""
    return [
        figure for figure in figures if figure.name in names and not isinstance(figure.of, tuple)
    ]


def _break_even(
    source: Source,
    g: Any,
    call: int,
    judged: Judgement,
    works: list[Figure],
    goes_on: list[Figure],
) -> BreakEven | None:
    """Return where a call equals the best alternative, or None if nothing is at stake."""
    m, us = source.m, judged.team
    outcomes: dict[bool, list[tuple[float, Any]]] = {True: [], False: []}
    undecided = 0.0
    for chance, after in _reachable_positions(source, g, call):
        is_success = _any_holds(works, m, g, after, us)
        outcomes[is_success].append((chance, after))
        undecided += chance if not is_success and _any_holds(goes_on, m, g, after, us) else 0.0
    share = {
        is_success: sum(chance for chance, _ in outcomes[is_success]) for is_success in outcomes
    }
    if min(share.values()) < SELDOM or undecided > MOST_OPEN * share[False]:
        return None
    other = max(
        (candidate for candidate in judged.calls if candidate != call),
        key=lambda candidate: judged.calls[candidate].worth(us, judged.tie),
    )
    # Only the half with fewer outcomes is evaluated; the other follows from the call's own value.
    smaller = len(outcomes[True]) < len(outcomes[False])
    summed = sum(
        chance * source.value(after).worth(us, judged.tie) for chance, after in outcomes[smaller]
    )
    rest = judged.calls[call].worth(us, judged.tie) - summed
    if_success, if_failure = (summed, rest) if smaller else (rest, summed)
    if_success, if_failure = if_success / share[True], if_failure / share[False]
    level = judged.calls[other].worth(us, judged.tie)
    if not if_failure < level < if_success:
        return None
    return BreakEven(call, other, share[True], (level - if_failure) / (if_success - if_failure))


def _any_holds(figures: list[Figure], m: Any, before: Any, after: Any, us: int) -> bool:
    """Return whether any of these figures holds for an outcome."""
    return any(figure.of(m, before, after, us) for figure in figures)  # type: ignore[operator]
