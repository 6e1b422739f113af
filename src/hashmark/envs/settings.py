"""Setting of an environment: game, seats and opponent, parsed and validated once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.engine import registry
from hashmark.engine.generator import MASK
from hashmark.engine.record import AWAY, HOME, NOBODY, TEAMS, MatchRecord
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.errors import HashmarkError, UnknownName
from hashmark.session import opponents
from hashmark.sim.run import resolve_coaches

BOTH = "both"
RESULT, POINTS = "result", "points"
REWARDS = (RESULT, POINTS)

Opponent = str | Callable[[Any, Any], int]


@dataclass(frozen=True)
class GameSetting:
    """A match, the position in which its games begin, and who makes which calls.

    `seat` is the team whose calls are requested, NOBODY if those of both are. `opponent` is the
    coach of the other team, None if there is no other team or no coach is needed.
    """

    rules: RuleSet
    options: dict[str, Any]
    match: Any
    start: Any
    seat: int
    opponent: Coach | None

    @property
    def is_solo(self) -> bool:
        """Whether it is a solo game."""
        return self.rules.is_solo(self.match)

    @property
    def viewer(self) -> int:
        """The team whose rewards are reported."""
        return max(self.seat, HOME)

    @property
    def first_lead(self) -> int:
        """The lead of that team when a game begins."""
        score = self.start.score
        return int(score[self.viewer] - score[1 - self.viewer])

    @property
    def teams(self) -> tuple[str, ...]:
        """Names of the teams that play."""
        return TEAMS[:1] if self.is_solo else TEAMS

    def compiled_opponent(self) -> tuple[Callable[[], Any], str]:
        """Return a factory of the compiled opponent, one per thread, and its code variant."""
        from hashmark.compiler.constants import SingleCoach

        coach, rules = self.opponent, self.rules
        if coach is None:
            return lambda: None, BOTH
        if coach.compiled_factory is not None:
            return coach.compiled_factory(self.match, self.start), coach.name
        if rules.is_custom:
            number = rules.coaches.index(coach)
            return lambda: number, ""
        return lambda: SingleCoach(rules, coach), coach.name


def make_setting(
    game: str | RuleSet,
    *,
    seat: str = TEAMS[HOME],
    opponent: Opponent | None = None,
    options: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
) -> GameSetting:
    """Validate the arguments of an environment; the default opponent is used if none is given."""
    rules = registry.load(game) if isinstance(game, str) else game
    game_options = dict(options or {})
    m = rules.new_match(game_options)
    is_solo = rules.is_solo(m)
    allowed = (TEAMS[HOME], BOTH) if is_solo else (*TEAMS, BOTH)
    if seat not in allowed:
        raise UnknownName(f"seat of {rules.name}", seat, allowed)
    rules, coach = _resolve_opponent(rules, m, seat, opponent, is_solo)
    position = rules.new_position(m, start)
    if rules.is_over(position):
        raise HashmarkError("start: the game is over in this position")
    team = HOME if is_solo else NOBODY if seat == BOTH else TEAMS.index(seat)
    return GameSetting(rules, game_options, m, position, team, coach)


def _resolve_opponent(
    rules: RuleSet, m: MatchRecord, seat: str, opponent: Opponent | None, is_solo: bool
) -> tuple[RuleSet, Coach | None]:
    """Return the opponent, and the rule set that includes it."""
    if opponent is not None and is_solo:
        raise HashmarkError(f"{rules.name} is a solo game: leave opponent out")
    if opponent is not None and seat == BOTH:
        raise HashmarkError("opponent: leave it out with seat 'both', which makes every call")
    if is_solo or seat == BOTH:
        return rules, None
    if opponent is None:
        opponent = opponents.default_opponent(rules.name).partition(":")[2]
    rules, (coach, _) = resolve_coaches(rules, opponent, opponent)
    if coach.check_match is not None:
        coach.check_match(m)
    return rules, coach


def class_name(game: str) -> str:
    """Return a game's name as a class name: `FourthDown`."""
    return "".join(part.capitalize() for part in game.split("-"))


def identifier_of(game: str) -> str:
    """Return a game's name as an identifier: `hashmark_fourth_down`."""
    return f"hashmark_{game.replace('-', '_')}"


def check_reward(reward: str) -> str:
    """Return the kind of reward, or raise an error."""
    if reward not in REWARDS:
        raise UnknownName("reward", reward, REWARDS)
    return reward


def game_result(won: int, team: int) -> float:
    """Return a team's result of a finished game: 1 won, -1 lost, 0 a tie."""
    return 0.0 if won not in (HOME, AWAY) else 1.0 if won == team else -1.0


def seed_from(drawn: int | None) -> int:
    """Return the seed drawn by Gymnasium, reduced to 64 bits."""
    return (drawn or 0) & MASK
