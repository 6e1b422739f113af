"""Best calls: every legal call of a position with its value, and from where on each would be right.

A call that puts the ball at stake works or it does not: a first down or not, a kick good or not.
What the position is worth after either, and what the best other call is worth, gives the chance
at which both calls are as good: the break-even.
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

# Figures that say of an outcome that a call has worked, if they mean something at the question
# (the ball is ours after an onside kick), and those that say that nothing is decided yet.
WORKS = (
    "first_down_chance",
    "touchdown_chance",
    "field_goal_chance",
    "makes_points_chance",
    "our_ball_chance",
)
GOES_ON = ("our_ball_chance", "flag_chance")
DRIVES = "fourth_down_chance"  # where it means something, a call is about a whole drive
MOST_OPEN = 0.25  # of what has not worked may be undecided: else nothing is at stake
SELDOM = 0.02  # what works, or fails, less often has no break-even worth talking of


@dataclass(frozen=True)
class BreakEven:
    """A call works so often, and is right from so often on, against the best other call."""

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
    """How a team should mix its secret calls: of each its share, its worth, and the error of it."""

    team: int
    calls: Mapping[int, tuple[float, float, float]]


@dataclass(frozen=True)
class Best:
    """What is to be said of a position: its value, and if somebody is asked, of every call."""

    source: Source
    value: Value
    judgement: Judgement | None
    break_evens: Mapping[int, BreakEven] = field(default_factory=dict)
    mixes: tuple[Mix, ...] = ()  # of both sides, where both call in secret
    knows_secret: bool = False  # a secret call of the other team is in the position

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
            "calls": [{"call": names[call], **_chances(one)} for call, one in calls.items()],
        }


def _chances(value: Value) -> dict[str, float]:
    return {"home": value.home, "tie": value.tie, "away": value.away}


def best_of(source: Source, g: Any, before: Any = None) -> Best:
    """Every legal call of a position; `before` as a source wants it where a call is secret."""
    rules, m = source.rules, source.m
    if rules.is_over(g) or not rules.questions[rules.question(m, g)].calls:
        return Best(source, source.value(g), None)
    judged = source.judge(g, before)
    known = before is None and rules.view(m, g, judged.team) != g
    mixes = () if known or before is not None else _mixes(source, g)
    return Best(source, judged.value, judged, break_evens(source, g, judged), mixes, known)


def _mixes(source: Source, g: Any) -> tuple[Mix, ...]:
    """The best mix of both sides where the calls are secret and nobody has called yet."""
    rules, m = source.rules, source.m
    question = rules.questions[rules.question(m, g)]
    if not set(question.secret) & set(rules.legal_calls(m, g)):
        return ()
    from hashmark.values.hidden import hidden

    found = hidden(rules, m, g, tie=source.tie)
    pairs = (
        (found.calls, found.mix.rows, found.of_calls()),
        (found.answers, found.mix.columns, found.of_answers()),
    )
    return tuple(
        Mix(
            team,
            {call: (float(share), *worths[call]) for call, share in zip(calls, own, strict=True)},
        )
        for team, (calls, own, worths) in zip((found.team, 1 - found.team), pairs, strict=True)
    )


def difference(judged: Judgement, call: int) -> str:
    """What a call gives away against the best one, as people read it."""
    loss, error = judged.loss(call), judged.errors[call]
    if call == judged.best:
        return "best"
    if loss < SMALL and error < SMALL:
        return "no matter"
    lost = f"-{100 * loss:.1f}".replace("-0.0", "0.0")
    return lost + (f" ± {100 * error:.1f}" if error else "")


# --- Break-even --------------------------------------------------------------------------


def break_evens(source: Source, g: Any, judged: Judgement) -> dict[int, BreakEven]:
    """Of each call that works or fails, and has another beside it; exact values only.

    An estimate would have to play out every outcome of every call.
    """
    if not judged.value.exact or len(judged.calls) < 2:
        return {}
    rules = source.rules
    shown = rules.figures_at(rules.questions[rules.question(source.m, g)].name)
    works, goes_on = _rules_of(shown, WORKS), _rules_of(rules.figures, GOES_ON)
    if not works or any(figure.name == DRIVES for figure in shown):
        return {}
    made = (_break_even(source, g, call, judged, works, goes_on) for call in judged.calls)
    return {one.call: one for one in made if one is not None}


def _ends(source: Source, g: Any, call: int) -> list[tuple[float, Any]]:
    """Every position that a call can lead to, with its chance; none where the ways are too many.

    Nothing else is asked of them, so this is quicker than an outlook.
    """
    chances: dict[tuple[int, ...], float] = {}
    positions: dict[tuple[int, ...], Any] = {}
    ways = plain.leaves(source.rules, source.m, g, call)
    for number, (chance, after, _) in enumerate(ways):
        if number == UNCOMPILED_LEAVES:
            return []
        key = tuple(after.flat())
        chances[key] = chances.get(key, 0.0) + float(chance)
        positions[key] = after
    return [(chance, positions[key]) for key, chance in chances.items()]


def _rules_of(figures: Iterable[Figure], names: tuple[str, ...]) -> list[Figure]:
    """Those of these names that are rules on an outcome."""
    return [one for one in figures if one.name in names and not isinstance(one.of, tuple)]


def _break_even(
    source: Source,
    g: Any,
    call: int,
    judged: Judgement,
    works: list[Figure],
    goes_on: list[Figure],
) -> BreakEven | None:
    """Where a call is as good as the best other one; None where it is not at stake."""
    m, us = source.m, judged.team
    parted: dict[bool, list[tuple[float, Any]]] = {True: [], False: []}
    undecided = 0.0
    for chance, after in _ends(source, g, call):
        good = _any(works, m, g, after, us)
        parted[good].append((chance, after))
        undecided += chance if not good and _any(goes_on, m, g, after, us) else 0.0
    share = {good: sum(chance for chance, _ in parted[good]) for good in parted}
    if min(share.values()) < SELDOM or undecided > MOST_OPEN * share[False]:
        return None
    other = max(
        (one for one in judged.calls if one != call),
        key=lambda one: judged.calls[one].worth(us, judged.tie),
    )
    fewer = len(parted[True]) < len(parted[False])  # the rest is known from the call's own value
    known = sum(
        chance * source.value(after).worth(us, judged.tie) for chance, after in parted[fewer]
    )
    rest = judged.calls[call].worth(us, judged.tie) - known
    if_good, if_not = (known, rest) if fewer else (rest, known)
    if_good, if_not = if_good / share[True], if_not / share[False]
    level = judged.calls[other].worth(us, judged.tie)
    if not if_not < level < if_good:
        return None
    return BreakEven(call, other, share[True], (level - if_not) / (if_good - if_not))


def _any(figures: list[Figure], m: Any, before: Any, after: Any, us: int) -> bool:
    """Whether one of these says yes of an outcome."""
    return any(figure.of(m, before, after, us) for figure in figures)  # type: ignore[operator]
