"""Analysis of a position: the value of every legal call, and the break-even of risky calls.

A call that puts the ball at stake succeeds or fails: a first down or not, a kick good or not. The
values after success and failure, and the value of the best alternative, give the break-even: the
success rate at which both calls are equally good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hashmark.engine.figures import Figure
from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.number_text import percent
from hashmark.odds import enumeration
from hashmark.odds.outlook import MAX_UNCOMPILED_LEAVES
from hashmark.sim.plain import play_game
from hashmark.values.value import (
    NEGLIGIBLE_LOSS,
    CallValues,
    Method,
    MixedStrategy,
    MixingSource,
    NoValue,
    Value,
    ValueSource,
)

# Figures that mark an outcome as a success of the call, where they apply to the question (our ball
# after an onside kick), and figures that mark an outcome as still undecided.
SUCCESS_FIGURES = (
    "first_down_chance",
    "touchdown_chance",
    "field_goal_chance",
    "makes_points_chance",
    "our_ball_chance",
)
UNDECIDED_FIGURES = ("our_ball_chance", "flag_chance")
WHOLE_DRIVE_FIGURE = "fourth_down_chance"  # where this figure applies, a call covers a whole drive
MAX_UNDECIDED_SHARE = 0.25  # of the failures; if more are undecided, nothing is at stake
COUNTED_GAMES = 4  # games that count how often a question is asked
WITH_BREAK_EVENS = (Method.EXACT, Method.FITTED)
MIN_OUTCOME_CHANCE = 0.02  # rarer successes or failures have no meaningful break-even


@dataclass(frozen=True)
class BreakEven:
    """Success rate of a call and the rate at which it equals the best alternative."""

    call: int
    alternative: int
    success_rate: float
    required_rate: float

    def describe(self, rules: RuleSet) -> str:
        call, alternative = (
            rules.words.call_phrase(rules.calls[code]) for code in (self.call, self.alternative)
        )
        return (
            f"{call} beats {alternative} if it succeeds more than "
            f"{percent(self.required_rate)} of the time; here it succeeds "
            f"{percent(self.success_rate)}"
        )


@dataclass(frozen=True)
class PositionAnalysis:
    """Analysis of a position: its value and, if a team is to call, the value of every call."""

    source: ValueSource
    value: Value
    call_values: CallValues | None
    break_evens: Mapping[int, BreakEven] = field(default_factory=dict)
    mixed_strategies: tuple[MixedStrategy, ...] = ()  # of both teams, where both call in secret
    knows_secret: bool = False  # the position contains a secret call of the other team

    @property
    def has_meaningful_choice(self) -> bool:
        return self.call_values is not None and self.call_values.has_meaningful_choice

    def to_json(self) -> dict[str, Any]:
        judged, names = self.call_values, self.source.rules.calls
        calls = {} if judged is None else judged.calls
        return {
            "team": None if judged is None else TEAMS[judged.team],
            **_chances(self.value),
            "exact": self.value.is_exact,
            "standard_error": self.value.error,
            "method": self.source.description,
            "label": self.value.method,
            "best": None if judged is None else names[judged.best],
            "calls": [{"call": names[call], **_chances(value)} for call, value in calls.items()],
        }


def _chances(value: Value) -> dict[str, float]:
    return {"home": value.home, "tie": value.tie, "away": value.away}


def analyze_position(
    source: ValueSource, g: PositionRecord, before: PositionRecord | None = None
) -> PositionAnalysis:
    """Analyze a position and every legal call of the team to act.

    `before` is the position before the other team's secret call, as `ValueSource.judge` expects it.
    """
    rules, m = source.rules, source.m
    if rules.is_over(g) or not rules.questions[rules.question(m, g)].calls:
        return PositionAnalysis(source, source.value(g), None)
    judged = source.judge(g, before)
    known = before is None and rules.view(m, g, judged.team) != g
    mixes = () if known or before is not None else _mixes(source, g)
    return PositionAnalysis(
        source, judged.value, judged, break_evens(source, g, judged), mixes, known
    )


def _mixes(source: ValueSource, g: PositionRecord) -> tuple[MixedStrategy, ...]:
    """Return the equilibrium mix of both teams where calls are secret and none is made yet."""
    rules, m = source.rules, source.m
    question = rules.questions[rules.question(m, g)]
    if not set(question.secret_calls) & set(rules.legal_calls(m, g)):
        return ()
    if isinstance(source, MixingSource):
        try:
            return source.mixes(g)
        except NoValue:
            pass
    from hashmark.values.hidden_calls import solve_hidden_calls

    game = solve_hidden_calls(rules, m, g, tie=source.tie)
    pairs = (
        (game.calls, game.equilibrium.row_mix, game.call_worths(), game.value),
        (game.answers, game.equilibrium.column_mix, game.answer_worths(), 1 - game.value),
    )
    return tuple(
        MixedStrategy(
            team,
            {
                call: (float(share), *worths[call])
                for call, share in zip(calls, shares, strict=True)
            },
            worth,
            game.error,
        )
        for team, (calls, shares, worths, worth) in zip(
            (game.team, 1 - game.team), pairs, strict=True
        )
    )


def format_loss(judged: CallValues, call: int) -> str:
    """Format what a call loses against the best call, for display."""
    loss, error = judged.loss(call), judged.errors[call]
    if call == judged.best:
        return "best"
    if loss < NEGLIGIBLE_LOSS and error < NEGLIGIBLE_LOSS:
        return "same"
    text = f"-{100 * loss:.1f}".replace("-0.0", "0.0")
    return text + (f" ± {100 * error:.1f}" if error else "")


# --- What small differences add up to ------------------------------------------------------------


def decisions_per_game(rules: RuleSet, m: MatchRecord, question: str) -> float:
    """Return how often both teams together answer a question in a game of `book`, from a few.

    Only decisions count: with more than one legal call, and no windows.
    """
    names = [coach.name for coach in rules.coaches]
    seat = names.index("book") if "book" in names else 0
    count = 0

    def see(g: PositionRecord, team: int, call: int, counts: object) -> None:
        nonlocal count
        asked = rules.questions[rules.question(m, g)]
        if asked.name == question and not asked.is_window:
            count += len(rules.legal_calls(m, g)) > 1

    for number in range(COUNTED_GAMES):
        play_game(rules, m, rules.new_position(m), 0, number, (seat, seat), see)
    return count / COUNTED_GAMES


def describe_small_differences(analysis: PositionAnalysis, g: PositionRecord) -> str:
    """State that no call costs much, and what such differences add up to over a game."""
    judged, rules, m = analysis.call_values, analysis.source.rules, analysis.source.m
    assert judged is not None
    first = f"All calls are within {100 * NEGLIGIBLE_LOSS:.1f} percentage points of each other."
    largest = 100 * max(judged.loss(call) for call in judged.calls)
    question = rules.questions[rules.question(m, g)].name
    decisions = decisions_per_game(rules, m, question)
    if round(largest, 2) == 0 or decisions < 2:
        return first
    return (
        f"{first} Small differences add up: {largest:.2f} lost on each of the {decisions:.0f} such "
        f"decisions of a game ({question}) would cost {largest * decisions:.1f}."
    )


# --- Break-even --------------------------------------------------------------------------


def break_evens(source: ValueSource, g: PositionRecord, judged: CallValues) -> dict[int, BreakEven]:
    """Return the break-even of each call that can succeed or fail and has an alternative.

    Only for instant values: an estimate would need rollouts of every outcome of every call.
    """
    if judged.value.method not in WITH_BREAK_EVENS or len(judged.calls) < 2:
        return {}
    rules = source.rules
    shown = rules.figures_at(rules.questions[rules.question(source.m, g)].name)
    works, goes_on = (
        _outcome_figures(shown, SUCCESS_FIGURES),
        _outcome_figures(rules.figures, UNDECIDED_FIGURES),
    )
    if not works or any(figure.name == WHOLE_DRIVE_FIGURE for figure in shown):
        return {}
    values = _Values(source)
    candidates = (_break_even(values, g, call, judged, works, goes_on) for call in judged.calls)
    return {even.call: even for even in candidates if even is not None}


class _Values:
    """Values of positions, each asked of the source once."""

    def __init__(self, source: ValueSource) -> None:
        self.source = source
        self._known: dict[tuple[int, ...], Value] = {}

    def worth(self, g: PositionRecord, team: int) -> float:
        key = tuple(g.flat())
        if key not in self._known:
            self._known[key] = self.source.value(g)
        return self._known[key].worth(team, self.source.tie)


def _reachable_positions(values: _Values, g: PositionRecord, call: int) -> list[tuple[float, Any]]:
    """Return every position a call can lead to, with its chance; empty if there are too many.

    Computes nothing else, so it is faster than an outlook. A flag is followed to the better answer.
    """
    chances: dict[tuple[int, ...], float] = {}
    positions: dict[tuple[int, ...], Any] = {}
    leaves = enumeration.enumerate_step(values.source.rules, values.source.m, g, call)
    for number, (chance, after, _) in enumerate(leaves):
        if number == MAX_UNCOMPILED_LEAVES:
            return []
        key = tuple(after.flat())
        chances[key] = chances.get(key, 0.0) + float(chance)
        positions[key] = after
    return [(chance, _settled(values, positions[key])) for key, chance in chances.items()]


def _settled(values: _Values, g: PositionRecord) -> PositionRecord:
    """Return the position after the best answer where an answer needs no dice, else the same."""
    rules, m = values.source.rules, values.source.m
    spec = rules.solver.spec
    if spec is None or rules.is_over(g) or not spec.is_instant(m, g):
        return g
    team = rules.team_to_act(m, g)
    answers: list[PositionRecord] = [
        after
        for call in rules.legal_calls(m, g)
        for _, after, _ in enumeration.enumerate_step(rules, m, g, call)
    ]
    return max(answers, key=lambda after: values.worth(after, team))


def _outcome_figures(figures: Iterable[Figure], names: tuple[str, ...]) -> list[Figure]:
    """Return the figures with these names that are rules on an outcome."""
    return [
        figure
        for figure in figures
        if figure.name in names and not isinstance(figure.source, tuple)
    ]


def _break_even(
    values: _Values,
    g: PositionRecord,
    call: int,
    judged: CallValues,
    works: list[Figure],
    goes_on: list[Figure],
) -> BreakEven | None:
    """Return where a call equals the best alternative, or None if nothing is at stake."""
    m, us = values.source.m, judged.team
    outcomes: dict[bool, list[tuple[float, Any]]] = {True: [], False: []}
    undecided = 0.0
    for chance, after in _reachable_positions(values, g, call):
        is_success = _any_holds(works, m, g, after, us)
        outcomes[is_success].append((chance, after))
        undecided += chance if not is_success and _any_holds(goes_on, m, g, after, us) else 0.0
    share = {
        is_success: sum(chance for chance, _ in outcomes[is_success]) for is_success in outcomes
    }
    if min(share.values()) < MIN_OUTCOME_CHANCE or undecided > MAX_UNDECIDED_SHARE * share[False]:
        return None
    other = max(
        (candidate for candidate in judged.calls if candidate != call),
        key=lambda candidate: judged.calls[candidate].worth(us, judged.tie),
    )
    # Only the half with fewer outcomes is evaluated; the other follows from the call's own value.
    smaller = len(outcomes[True]) < len(outcomes[False])
    summed = sum(chance * values.worth(after, us) for chance, after in outcomes[smaller])
    rest = judged.calls[call].worth(us, judged.tie) - summed
    if_success, if_failure = (summed, rest) if smaller else (rest, summed)
    if_success, if_failure = if_success / share[True], if_failure / share[False]
    level = judged.calls[other].worth(us, judged.tie)
    if not if_failure < level < if_success:
        return None
    return BreakEven(call, other, share[True], (level - if_failure) / (if_success - if_failure))


def _any_holds(
    figures: list[Figure], m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int
) -> bool:
    """Return whether any of these figures holds for an outcome."""
    return any(figure.source(m, before, after, us) for figure in figures)  # type: ignore[operator]
