"""Who sits where: what every environment is told when it is made, read and checked once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.sim.run import seat_coaches
from hashmark.table import opponents, registry
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.generator import MASK
from hashmark.table.record import AWAY, HOME, NOBODY, TEAMS
from hashmark.table.rules import Coach, RuleSet

BOTH = "both"
RESULT, POINTS = "result", "points"
REWARDS = (RESULT, POINTS)

Opponent = str | Callable[[Any, Any], int]


@dataclass(frozen=True)
class Setting:
    """A match, the position in which its games begin, and who makes whose calls.

    `seat` is the team whose calls are asked for, NOBODY where those of both are. `opponent` is the
    coach of the other team, None if nobody sits there or nobody is needed.
    """

    rules: RuleSet
    options: dict[str, Any]
    match: Any
    start: Any
    seat: int
    opponent: Coach | None

    @property
    def alone(self) -> bool:
        """Whether nobody sits on the other side."""
        return self.rules.alone(self.match)

    @property
    def viewer(self) -> int:
        """The team whose rewards are told."""
        return max(self.seat, HOME)

    @property
    def first_lead(self) -> int:
        """By how much that team leads when a game begins."""
        score = self.start.score
        return int(score[self.viewer] - score[1 - self.viewer])

    @property
    def teams(self) -> tuple[str, ...]:
        """Who plays."""
        return TEAMS[:1] if self.alone else TEAMS

    def coach_in_compiled_games(self) -> tuple[Callable[[], Any], str]:
        """What gives each thread that which stands for the opponent, and the name of its code."""
        from hashmark.table.compiled_effects import OnlyCoach

        coach, rules = self.opponent, self.rules
        if coach is None:
            return lambda: None, BOTH
        if coach.compiled is not None:
            return coach.compiled(self.match, self.start), coach.name
        if rules.custom:
            number = rules.coaches.index(coach)
            return lambda: number, ""
        return lambda: OnlyCoach(rules, coach), coach.name


def set_up(
    game: str | RuleSet,
    *,
    seat: str = TEAMS[HOME],
    opponent: Opponent | None = None,
    options: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
) -> Setting:
    """Read what an environment is made with; the usual opponent, if none is named."""
    rules = registry.load(game) if isinstance(game, str) else game
    given = dict(options or {})
    m = rules.new_match(given)
    alone = rules.alone(m)
    allowed = (TEAMS[HOME], BOTH) if alone else (*TEAMS, BOTH)
    if seat not in allowed:
        raise UnknownName(f"seat of {rules.name}", seat, allowed)
    rules, coach = _seated(rules, m, seat, opponent, alone)
    first = rules.new_position(m, start)
    if rules.is_over(first):
        raise HashmarkError("start: the game is over in this position")
    number = HOME if alone else NOBODY if seat == BOTH else TEAMS.index(seat)
    return Setting(rules, given, m, first, number, coach)


def _seated(
    rules: RuleSet, m: Any, seat: str, opponent: Opponent | None, alone: bool
) -> tuple[RuleSet, Coach | None]:
    """The opponent, and the rule set with him."""
    if opponent is not None and alone:
        raise HashmarkError(f"{rules.name} is played alone: there is no opponent")
    if opponent is not None and seat == BOTH:
        raise HashmarkError("opponent: with both seats given nobody else calls")
    if alone or seat == BOTH:
        return rules, None
    if opponent is None:
        opponent = opponents.default_opponent(rules.name).partition(":")[2]
    rules, (coach, _) = seat_coaches(rules, opponent, opponent)
    if coach.ready is not None:
        coach.ready(m)
    return rules, coach


def class_name(game: str) -> str:
    """The name of a game as classes have theirs: `FourthDown`."""
    return "".join(part.capitalize() for part in game.split("-"))


def name_of(game: str) -> str:
    """The name of a game where names are plain words: `hashmark_fourth_down`."""
    return f"hashmark_{game.replace('-', '_')}"


def check_reward(reward: str) -> str:
    """The kind of reward, or a sentence."""
    if reward not in REWARDS:
        raise UnknownName("reward", reward, REWARDS)
    return reward


def result(won: int, team: int) -> float:
    """What a finished game is to a team: 1 won, -1 lost, 0 a tie."""
    return 0.0 if won not in (HOME, AWAY) else 1.0 if won == team else -1.0


def any_seed(drawn: int | None) -> int:
    """A seed where none is given: the one that Gymnasium has drawn, in our 64 bits."""
    return (drawn or 0) & MASK
