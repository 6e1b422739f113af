"""Game review: the cost of every decision, the luck of every roll, and totals for both teams.

    review = Review.of(game, source)
    review.start + review.luck - review.errors[HOME] + review.errors[AWAY] == review.result

All values are home's: its win probability plus a share of the tie probability. One pass over the
turns asks the source for the value before each roll and for the values of each decision's calls;
the rest is sums. A decision lowers the value by what it gives away, and the dice that follow move
it to the value of the next turn. So errors and luck always add up to the difference between the
first value and the result, for any source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

from hashmark.engine.game import Game, Turn
from hashmark.engine.position_id import PositionEncoder
from hashmark.engine.record import AWAY, HOME, TEAMS, PositionRecord
from hashmark.engine.rule_set import NO_CALL
from hashmark.session.redaction import SecretCalls
from hashmark.values import sources
from hashmark.values.analysis import BreakEven, break_evens
from hashmark.values.value import (
    DEFAULT_TIE_VALUE,
    NEGLIGIBLE_LOSS,
    REVIEW_GAMES,
    CallValues,
    RolloutProgress,
    Value,
    ValueSource,
)

MARKS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
# Standard errors: a smaller estimated loss may be no loss at all. One best call in 100 is flagged.
MIN_SIGNIFICANT_ERRORS = 2.33
NORMAL, NEGLIGIBLE_TAIL = NormalDist(), 6.0  # standard errors that an estimate is never off by
MAX_TURNING_POINTS = 6  # how many turning points are reported
MIN_SWING = 0.02  # smaller swings are no turning points

ReviewProgress = Callable[[int, int], None]
"""Callback with the number of turns done, and the total."""


@dataclass(frozen=True)
class Decision:
    """A call where there was a choice, with the values of all alternatives."""

    call_values: CallValues
    call: int
    loss: float  # to the team that called, shrunk; 0 where the estimate is inconclusive
    is_conclusive: bool  # the estimate separates the call from the best one
    break_evens: Mapping[int, BreakEven] = field(default_factory=dict)

    @property
    def team(self) -> int:
        return self.call_values.team

    @property
    def mark(self) -> str:
        """Name of the mark of a costly decision, or an empty string."""
        return next((name for points, name in MARKS if self.loss >= points), "")

    @property
    def better_call(self) -> int | None:
        """A call that was better or may have been; None if nothing was given away."""
        is_best = self.call == self.call_values.best or (self.is_conclusive and self.loss == 0)
        return None if is_best else self.call_values.best

    @property
    def error(self) -> float:
        """Standard error of the loss."""
        return self.call_values.errors.get(self.call, 0.0)

    @property
    def typical_error(self) -> float:
        """Standard error of the loss of the call, or of the next best one if it is the best."""
        others = [error for call, error in self.call_values.errors.items() if error > 0]
        return self.error or min(others, default=0.0)

    @classmethod
    def of(cls, judged: CallValues, call: int) -> Decision:
        """Create a decision from the values of its calls.

        It is inconclusive if the source does not know the call, or if the loss is within the error,
        unless both are negligible. An estimated loss that is significant is likely too high, since
        lower estimates are left out: it is shrunk as James and Stein do.
        """
        if call not in judged.calls:
            return cls(judged, call, 0.0, False)
        loss, error = judged.loss(call), judged.errors[call]
        is_significant = call == judged.best or loss >= MIN_SIGNIFICANT_ERRORS * error
        return cls(
            judged,
            call,
            shrink(loss, error) if is_significant else 0.0,
            is_significant or max(loss, error) < NEGLIGIBLE_LOSS,
        )


def shrink(loss: float, error: float) -> float:
    """Return an estimated loss, lower the larger its standard error is."""
    return loss * max(1 - (error / loss) ** 2, 0.0) if loss > 0 else 0.0


def expected_false_loss(error: float) -> float:
    """Return what a decision without any loss is charged on average, by its standard error.

    The estimate is normal around 0 with this error, and charged as `Decision.of` does.
    """
    low, steps = MIN_SIGNIFICANT_ERRORS, 200
    width = (NEGLIGIBLE_TAIL - low) / steps
    points = (low + (index + 0.5) * width for index in range(steps))
    return error * width * sum(shrink(x, 1.0) * NORMAL.pdf(x) for x in points)


@dataclass(frozen=True)
class TurnReview:
    """A turn of the game, with home's value before it, after the call and after the dice."""

    number: int
    turn: Turn
    before: float
    after_call: float
    after: float
    decision: Decision | None = None
    position_id: str | None = None

    @property
    def luck(self) -> float:
        """What the dice gained for home; away gains the negative."""
        return self.after - self.after_call

    @property
    def swing(self) -> float:
        """The larger of the decision's loss and the luck of the dice."""
        return max(abs(self.luck), 0.0 if self.decision is None else self.decision.loss)


@dataclass(frozen=True)
class TeamReview:
    """Review totals of one team."""

    team: int
    decisions: int  # decisions with a choice that were evaluated
    inconclusive: int  # of these, inconclusive
    errors: float  # total loss
    expected_false_errors: float  # total that a team without any error would be charged
    luck: float
    marks: Mapping[str, int]

    @property
    def error_per_decision(self) -> float:
        return self.errors / self.decisions if self.decisions else 0.0


@dataclass(frozen=True)
class Review:
    """Review of a whole game, independent of presentation."""

    game: Game
    source: ValueSource
    start: float
    steps: tuple[TurnReview, ...]
    exact: bool  # whether all values of the source are exact
    interrupted: bool = False

    @classmethod
    def of(cls, game: Game, source: ValueSource, progress: ReviewProgress | None = None) -> Review:
        """Evaluate each turn; Ctrl-C ends the review with the turns done so far."""
        evaluation = _Evaluator(game, source)
        interrupted = False
        try:
            for done in range(len(game.turns) + 1):
                evaluation.ask(done)
                if progress is not None:
                    progress(done, len(game.turns))
        except KeyboardInterrupt:
            interrupted = True
            if not evaluation.evaluated:
                raise
        return cls._from_evaluation(game, source, evaluation, interrupted)

    @classmethod
    def _from_evaluation(
        cls, game: Game, source: ValueSource, evaluation: _Evaluator, interrupted: bool
    ) -> Review:
        """Build the steps from the evaluated turns."""
        evaluated, ids = evaluation.evaluated, PositionEncoder(game.rules, game.options)
        value = start = evaluated[0].value or 0.0
        steps: list[TurnReview] = []
        for index, turn in enumerate(game.turns[: max(0, len(evaluated) - 1)]):
            decision = evaluated[index].decision
            sign = -1 if turn.team == HOME else 1
            called = value + sign * (0.0 if decision is None else decision.loss)
            next_value = evaluated[index + 1].value
            after = called if next_value is None else next_value
            identifier = (
                ids.encode_or_none(evaluated[index].position)
                if decision is not None or turn.faces
                else None
            )
            steps.append(TurnReview(index + 1, turn, value, called, after, decision, identifier))
            value = after
        return cls(game, source, start, tuple(steps), evaluation.exact, interrupted)

    # --- Totals ---------------------------------------------------------------------------

    @property
    def result(self) -> float:
        """Home's value at the end, or the current value if the game is not over."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def luck(self) -> float:
        """What all dice gained for home."""
        return sum(step.luck for step in self.steps)

    @property
    def is_over(self) -> bool:
        return self.game.is_over and not self.interrupted

    @property
    def is_settled(self) -> bool:
        """Whether the value never moved by a meaningful amount."""
        values = [value for step in self.steps for value in (step.after_call, step.after)]
        return all(abs(value - self.start) < NEGLIGIBLE_LOSS for value in values)

    @cached_property
    def teams(self) -> tuple[TeamReview, ...]:
        """Totals of both teams; of home alone in a solo game."""
        alone = self.game.rules.is_solo(self.game.match)
        return tuple(self._side(team) for team in ((HOME,) if alone else (HOME, AWAY)))

    def _side(self, team: int) -> TeamReview:
        all_decisions = [step.decision for step in self.decisions if step.decision]
        decisions = [decision for decision in all_decisions if decision.team == team]
        return TeamReview(
            team,
            len(decisions),
            sum(not one.is_conclusive for one in decisions),
            sum(one.loss for one in decisions),
            sum(map(expected_false_loss, (one.typical_error for one in decisions))),
            self.luck if team == HOME else -self.luck,
            {name: sum(one.mark == name for one in decisions) for _, name in MARKS},
        )

    @property
    def errors(self) -> tuple[float, float]:
        """Total losses of home and away."""
        return self._side(HOME).errors, self._side(AWAY).errors

    @cached_property
    def luck_adjusted(self) -> float:
        """Home's result without the luck of the dice: from the start, only errors move it.

        An error takes the share of the team's win probability here that it took in the game, so
        the result stays between 0 and 1 however many errors there are.
        """
        value = self.start
        for step in self.decisions:
            decision = step.decision
            assert decision is not None
            if decision.team == HOME:
                value *= 1 - _share(decision.loss, step.before)
            else:
                value = 1 - (1 - value) * (1 - _share(decision.loss, 1 - step.before))
        return value

    @cached_property
    def decisions(self) -> tuple[TurnReview, ...]:
        """The turns with a choice that was evaluated."""
        return tuple(step for step in self.steps if step.decision is not None)

    @cached_property
    def turning_points(self) -> tuple[TurnReview, ...]:
        """The turns that moved the value most, by call or by dice."""
        candidates = [step for step in self.steps if step.swing >= MIN_SWING]
        return tuple(sorted(candidates, key=lambda step: -step.swing)[:MAX_TURNING_POINTS])

    def to_json(self) -> dict[str, Any]:
        """Return the whole review as JSON; chances and losses are between 0 and 1."""
        return {
            "rules": self.game.rules.name,
            "options": self.game.options,
            "names": dict(zip(TEAMS, self.game.names, strict=True)),
            "source": self.source.description,
            "tie": self.source.tie,
            "exact": self.exact,
            "over": self.game.is_over,
            "interrupted": self.interrupted,
            "start": self.start,
            "result": self.result,
            "luck": self.luck,
            "luck_adjusted": self.luck_adjusted,
            "teams": {TEAMS[side.team]: _side_json(side) for side in self.teams},
            "turning_points": [step.number for step in self.turning_points],
            "turns": [_step_json(self, step) for step in self.steps],
        }


def _share(loss: float, worth: float) -> float:
    """Return which share of a team's worth a loss takes."""
    return min(loss / worth, 1.0) if worth > 0 else 0.0


def _side_json(side: TeamReview) -> dict[str, Any]:
    return {
        "decisions": side.decisions,
        "too_close_to_tell": side.inconclusive,
        "errors": side.errors,
        "expected_false_errors": side.expected_false_errors,
        "error_per_decision": side.error_per_decision,
        "luck": side.luck,
        "marks": dict(side.marks),
    }


def _step_json(review: Review, step: TurnReview) -> dict[str, Any]:
    names, turn = review.game.rules.calls, step.turn
    called = turn.call != NO_CALL
    return {
        "turn": step.number,
        "position_id": step.position_id,
        "team": TEAMS[turn.team] if called else None,
        "call": names[turn.call] if called else None,
        "before": step.before,
        "called": step.after_call,
        "after": step.after,
        "luck": step.luck,
        "text": review.game.sentences(turn),
        "decision": None if step.decision is None else _decision_json(step.decision, names),
    }


def _decision_json(decision: Decision, names: tuple[str, ...]) -> dict[str, Any]:
    judged = decision.call_values
    return {
        "best": names[judged.best],
        "loss": decision.loss,
        "standard_error": decision.error,
        "clear": decision.is_conclusive,
        "mark": decision.mark or None,
        "calls": [
            {"call": names[call], "home": value.home, "tie": value.tie, "away": value.away}
            for call, value in judged.calls.items()
        ],
    }


def review_game(
    game: Game,
    *,
    tie: float = DEFAULT_TIE_VALUE,
    games: int = REVIEW_GAMES,
    seed: int = 0,
    threads: int | None = None,
    progress: ReviewProgress | None = None,
    rollout_progress: RolloutProgress | None = None,
) -> Review:
    """Review a game with the best source for its match.

    `games` and `seed` are those of rollouts, where there is no table.
    """
    source = sources.source_of(
        game.rules,
        game.options,
        m=game.match,
        tie=tie,
        games=games,
        seed=seed,
        threads=threads,
        progress=rollout_progress,
    )
    return Review.of(game, source, progress)


# --- Evaluation ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _EvaluatedTurn:
    """Evaluation of the position before a turn; the value is None where no dice led to it."""

    position: PositionRecord
    value: float | None
    decision: Decision | None


class _Evaluator:
    """Evaluates the turns of a game with a source."""

    def __init__(self, game: Game, source: ValueSource) -> None:
        self.game, self.source = game, source
        self.secrets = SecretCalls(game.rules, game.match)
        self.evaluated: list[_EvaluatedTurn] = []
        self.exact = True

    def ask(self, index: int) -> None:
        """Evaluate the position before turn `index`, counted from 0, or the last position."""
        game = self.game
        if index == len(game.turns):
            self.evaluated.append(
                _EvaluatedTurn(game.position, self._value(game.position, index), None)
            )
            return
        turn = game.turns[index]
        before = (
            self.secrets.position_before_opponent(game.turns, turn.team)
            if turn.call != NO_CALL
            else None
        )
        judged = self._call_values(turn, before)
        shown = turn.before if before is None else before
        if judged is None:
            self.evaluated.append(_EvaluatedTurn(shown, self._value(turn.before, index), None))
        else:
            self.exact = self.exact and judged.value.is_exact
            decision = self._decision(judged, turn, before)
            value = self._worth(judged.value) if self._needs_value(index) else None
            self.evaluated.append(_EvaluatedTurn(shown, value, decision))
        self.secrets.add_turn(index + 1, turn)

    def _needs_value(self, index: int) -> bool:
        """Return whether dice led to the position, or a call of unknown value.

        Otherwise its value is that of the call: a fresh estimate would only add noise.
        """
        if index == 0:
            return True
        last, decision = self.game.turns[index - 1], self.evaluated[index - 1].decision
        unknown = decision is not None and last.call not in decision.call_values.calls
        is_end = index == len(self.game.turns) and self.game.is_over
        return bool(last.faces) or unknown or is_end

    def _value(self, g: PositionRecord, index: int) -> float | None:
        if not self._needs_value(index):
            return None
        return self._worth(self.source.value(g))

    def _worth(self, value: Value) -> float:
        """Return home's worth of a value."""
        self.exact = self.exact and value.is_exact
        return value.worth(HOME, self.source.tie)

    def _call_values(self, turn: Turn, before: PositionRecord | None) -> CallValues | None:
        """Return the values of the calls if there was a choice that can matter."""
        rules, m, g = self.game.rules, self.game.match, turn.before
        if turn.call == NO_CALL or len(rules.legal_calls(m, g)) < 2:
            return None
        question = rules.questions[rules.question(m, g)]
        took_default = question.is_window and turn.call == question.default
        if took_default and not rules.should_prompt(m, rules.view(m, g, turn.team)):
            return None
        return self.source.judge(g, before)

    def _decision(self, judged: CallValues, turn: Turn, before: PositionRecord | None) -> Decision:
        """Return the decision, with break-evens if it was costly."""
        decision = Decision.of(judged, turn.call)
        if not decision.mark or before is not None:
            return decision
        return replace(decision, break_evens=break_evens(self.source, turn.before, judged))
