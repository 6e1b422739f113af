"""A game reviewed: what every decision cost, what every roll brought, and who was how lucky.

    review = Review.of(game, source)
    review.start + review.luck - review.errors[HOME] + review.errors[AWAY] == review.result

All values are those of home: its chance to win, and a part of that of a tie. One pass over the
turns asks the source for the value before each roll and for the calls of each decision; from there
on it is sums. A decision moves the value down by what it gives away, and the dice that follow move
it to where the next turn finds it. So whatever the source says, errors and luck add up to the way
from the first value to the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hashmark.table.game import Game, Turn
from hashmark.table.position_id import Ids
from hashmark.table.record import AWAY, HOME, TEAMS
from hashmark.table.rules import NO_CALL
from hashmark.table.secrets import Secrets
from hashmark.values.best import BreakEven, break_evens
from hashmark.values.value import SMALL, Judgement, Source, Value

MARKS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
CANNOT_TELL = 2.0  # standard errors: an estimate that gives away less may give away nothing
TURNING = 6  # turning points that are told first
LEAST = 0.02  # what moves the value less is no turning point

Progress = Callable[[int, int], None]
"""Hears how many turns are done, and of how many."""


@dataclass(frozen=True)
class Decision:
    """A call where there was a choice, with every other that could have been made."""

    judgement: Judgement
    call: int
    loss: float  # to the team that called; 0 where the estimate cannot tell
    clear: bool  # whether that is known: the estimate can tell the call from the best one
    break_evens: Mapping[int, BreakEven] = field(default_factory=dict)

    @property
    def team(self) -> int:
        return self.judgement.team

    @property
    def mark(self) -> str:
        """What a costly decision is called."""
        return next((name for points, name in MARKS if self.loss >= points), "")

    @property
    def better(self) -> int | None:
        """Another call that was better, or that may have been; None if nothing was given away."""
        is_best = self.call == self.judgement.best or (self.clear and self.loss == 0)
        return None if is_best else self.judgement.best

    @property
    def error(self) -> float:
        """The standard error of what it gives away."""
        return self.judgement.errors.get(self.call, 0.0)

    @classmethod
    def of(cls, judged: Judgement, call: int) -> Decision:
        """A decision; a call that the source does not know cannot be told.

        Nor can one be told from the best within the error, unless neither is worth talking about.
        """
        if call not in judged.calls:
            return cls(judged, call, 0.0, False)
        loss, error = judged.loss(call), judged.errors[call]
        told = call == judged.best or loss >= CANNOT_TELL * error
        return cls(judged, call, loss if told else 0.0, told or max(loss, error) < SMALL)


@dataclass(frozen=True)
class Step:
    """A turn of the game, with home's value before it, after the call, and after the dice."""

    number: int
    turn: Turn
    before: float
    called: float
    after: float
    decision: Decision | None = None
    position_id: str | None = None

    @property
    def luck(self) -> float:
        """What the dice brought home; from away it is the same with the other sign."""
        return self.after - self.called

    @property
    def swing(self) -> float:
        """The larger of what was called and what was rolled."""
        return max(abs(self.luck), 0.0 if self.decision is None else self.decision.loss)


@dataclass(frozen=True)
class Side:
    """What a review says of one team."""

    team: int
    decisions: int  # with a choice, and judged
    untold: int  # of these, too close for the estimate
    errors: float  # what they gave away together
    luck: float
    marks: Mapping[str, int]

    @property
    def error_per_decision(self) -> float:
        return self.errors / self.decisions if self.decisions else 0.0


@dataclass(frozen=True)
class Review:
    """The reckoning of a whole game, for any screen."""

    game: Game
    source: Source
    start: float
    steps: tuple[Step, ...]
    exact: bool  # whether all that the source said is
    interrupted: bool = False

    @classmethod
    def of(cls, game: Game, source: Source, progress: Progress | None = None) -> Review:
        """Ask the source for each turn; Ctrl-C ends it with the turns that are done."""
        answers = _Asking(game, source)
        interrupted = False
        try:
            for done in range(len(game.turns) + 1):
                answers.ask(done)
                if progress is not None:
                    progress(done, len(game.turns))
        except KeyboardInterrupt:
            interrupted = True
            if not answers.told:
                raise
        return cls._added_up(game, source, answers, interrupted)

    @classmethod
    def _added_up(cls, game: Game, source: Source, answers: _Asking, interrupted: bool) -> Review:
        """The steps from what the source said, as far as it was asked."""
        told, ids = answers.told, Ids(game.rules, game.options)
        value = start = told[0].value or 0.0
        steps: list[Step] = []
        for at, turn in enumerate(game.turns[: max(0, len(told) - 1)]):
            decision = told[at].decision
            toward = -1 if turn.team == HOME else 1
            called = value + toward * (0.0 if decision is None else decision.loss)
            fresh = told[at + 1].value
            after = called if fresh is None else fresh
            name = ids.if_any(told[at].position) if decision is not None or turn.faces else None
            steps.append(Step(at + 1, turn, value, called, after, decision, name))
            value = after
        return cls(game, source, start, tuple(steps), answers.exact, interrupted)

    # --- What it comes to ----------------------------------------------------------------

    @property
    def result(self) -> float:
        """How it ended for home, or how it stands where the game is not over."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def luck(self) -> float:
        """What all dice brought home."""
        return sum(step.luck for step in self.steps)

    @property
    def is_over(self) -> bool:
        return self.game.is_over and not self.interrupted

    @property
    def settled(self) -> bool:
        """Whether nothing ever moved the value as far as to talk about."""
        values = [value for step in self.steps for value in (step.called, step.after)]
        return all(abs(value - self.start) < SMALL for value in values)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """Both teams; home alone where nobody sits on the other side."""
        alone = self.game.rules.alone(self.game.match)
        return tuple(self._side(team) for team in ((HOME,) if alone else (HOME, AWAY)))

    def _side(self, team: int) -> Side:
        made = [one for one in self.decisions if one.decision and one.decision.team == team]
        decisions = [one.decision for one in made if one.decision]
        return Side(
            team,
            len(decisions),
            sum(not one.clear for one in decisions),
            sum(one.loss for one in decisions),
            self.luck if team == HOME else -self.luck,
            {name: sum(one.mark == name for one in decisions) for _, name in MARKS},
        )

    @property
    def errors(self) -> tuple[float, float]:
        """What home and away gave away."""
        home, away = self._side(HOME), self._side(AWAY)
        return home.errors, away.errors

    @property
    def adjusted(self) -> float:
        """The result of home without the luck of the dice: the start and what both coaches did."""
        return self.result - self.luck

    @cached_property
    def decisions(self) -> tuple[Step, ...]:
        """The turns in which somebody had a choice that was judged."""
        return tuple(step for step in self.steps if step.decision is not None)

    @cached_property
    def turning_points(self) -> tuple[Step, ...]:
        """The turns that moved the game most, by what was called or by what was rolled."""
        found = [step for step in self.steps if step.swing >= LEAST]
        return tuple(sorted(found, key=lambda step: -step.swing)[:TURNING])

    def to_json(self) -> dict[str, Any]:
        """Everything, for a program to read; chances and losses from 0 to 1."""
        return {
            "rules": self.game.rules.name,
            "options": self.game.options,
            "names": dict(zip(TEAMS, self.game.names, strict=True)),
            "source": self.source.said,
            "tie": self.source.tie,
            "exact": self.exact,
            "over": self.game.is_over,
            "interrupted": self.interrupted,
            "start": self.start,
            "result": self.result,
            "luck": self.luck,
            "luck_adjusted": self.adjusted,
            "teams": {TEAMS[side.team]: _side_json(side) for side in self.sides},
            "turning_points": [step.number for step in self.turning_points],
            "turns": [_step_json(self, step) for step in self.steps],
        }


def _side_json(side: Side) -> dict[str, Any]:
    return {
        "decisions": side.decisions,
        "too_close_to_tell": side.untold,
        "errors": side.errors,
        "error_per_decision": side.error_per_decision,
        "luck": side.luck,
        "marks": dict(side.marks),
    }


def _step_json(review: Review, step: Step) -> dict[str, Any]:
    names, turn = review.game.rules.calls, step.turn
    called = turn.call != NO_CALL
    return {
        "turn": step.number,
        "position_id": step.position_id,
        "team": TEAMS[turn.team] if called else None,
        "call": names[turn.call] if called else None,
        "before": step.before,
        "called": step.called,
        "after": step.after,
        "luck": step.luck,
        "text": review.game.sentences(turn),
        "decision": None if step.decision is None else _decision_json(step.decision, names),
    }


def _decision_json(decision: Decision, names: tuple[str, ...]) -> dict[str, Any]:
    judged = decision.judgement
    return {
        "best": names[judged.best],
        "loss": decision.loss,
        "standard_error": decision.error,
        "clear": decision.clear,
        "mark": decision.mark or None,
        "calls": [
            {"call": names[call], "home": one.home, "tie": one.tie, "away": one.away}
            for call, one in judged.calls.items()
        ],
    }


# --- Asking the source -------------------------------------------------------------------


@dataclass(frozen=True)
class _Told:
    """What the source said of the position before a turn; no value where no dice led to it."""

    position: Any
    value: float | None
    decision: Decision | None


class _Asking:
    """Goes through the turns of a game and asks of each what has to be known."""

    def __init__(self, game: Game, source: Source) -> None:
        self.game, self.source = game, source
        self.secrets = Secrets(game.rules, game.match)
        self.told: list[_Told] = []
        self.exact = True

    def ask(self, at: int) -> None:
        """Of the position before turn `at`, counted from 0; behind the last one, of where it is."""
        game = self.game
        if at == len(game.turns):
            self.told.append(_Told(game.position, self._value(game.position, at), None))
            return
        turn = game.turns[at]
        before = self.secrets.before_other(game.turns, turn.team) if turn.call != NO_CALL else None
        judged = self._judged(turn, before)
        seen = turn.before if before is None else before
        if judged is None:
            self.told.append(_Told(seen, self._value(turn.before, at), None))
        else:
            decision = self._decision(judged, turn, before)
            value = self._worth(judged.value) if self._rolled(at) else None
            self.told.append(_Told(seen, value, decision))
        self.secrets.take(at + 1, turn)

    def _rolled(self, at: int) -> bool:
        """Whether dice led to the position, or a call of which nobody knows what it is worth.

        Where none did, its value is what the call was worth: an estimate would only add noise.
        """
        if at == 0:
            return True
        last, told = self.game.turns[at - 1], self.told[at - 1]
        unknown = told.decision is not None and last.call not in told.decision.judgement.calls
        return bool(last.faces) or unknown or self.game.rules.is_over(self._position(at))

    def _position(self, at: int) -> Any:
        turns = self.game.turns
        return self.game.position if at == len(turns) else turns[at].before

    def _value(self, g: Any, at: int) -> float | None:
        if not self._rolled(at):
            return None
        return self._worth(self.source.value(g))

    def _worth(self, value: Value) -> float:
        """What a value is worth to home."""
        self.exact = self.exact and value.exact
        return value.worth(HOME, self.source.tie)

    def _judged(self, turn: Turn, before: Any) -> Judgement | None:
        """The calls of a real decision: with a choice, and one that can matter."""
        rules, m, g = self.game.rules, self.game.match, turn.before
        if turn.call == NO_CALL or len(rules.legal_calls(m, g)) < 2:
            return None
        question = rules.questions[rules.question(m, g)]
        passed = question.is_window and turn.call == question.default
        if passed and not rules.matters(m, rules.view(m, g, turn.team)):
            return None
        return self.source.judge(g, before)

    def _decision(self, judged: Judgement, turn: Turn, before: Any) -> Decision:
        """The decision, with break-evens where it was a costly one."""
        made = Decision.of(judged, turn.call)
        if not made.mark or before is not None:
            return made
        found = break_evens(self.source, turn.before, judged)
        return Decision(made.judgement, made.call, made.loss, made.clear, found)
