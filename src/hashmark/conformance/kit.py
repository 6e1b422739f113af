"""Conformance kit of one rule set: plays games in every way and stops at the first violation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice, Turn
from hashmark.engine.record import AWAY, HOME, TEAMS, TIE, MatchRecord, PositionRecord, Record
from hashmark.engine.rule_set import ALLOWED, MAX_GAME_STEPS, CallCode, Coach, RuleSet
from hashmark.errors import IllegalCall

MAX_ILLEGAL_CALLS = 16  # approximate number of illegal calls to try in one position


class Violation(AssertionError):
    """Violation of an invariant by a rule set; the message says where."""


class ConformanceKit:
    """Games of one rule set under its default options and under each of its switches."""

    def __init__(
        self,
        rules: str | RuleSet,
        games: int = 20,
        seed: int = 1,
        turns: int = 200_000,
        max_games: int = 4000,
        slow_coaches: Collection[str] = (),
        slow_coach_every: int = 1,
        max_calls: int = 1000,
        position_stride: int = 1,
        pool_rolls: int = 20_000,
        stretch_turns: int = 12,
        read_pdf: Callable[[bytes], object] = len,
    ) -> None:
        """Set how much to check.

        `games`: games of the checks that watch every turn.
        `turns`, `max_games`: turns in plain Python and games of a kind for the comparison with
        compiled code.
        `slow_coaches`: coaches that are slow to call, of which fewer games are compared. Under a
        switch they are asked only one in `slow_coach_every` questions.
        `max_calls`: calls to enumerate in a position; different ones in each.
        `position_stride`: checks that enumerate look at one in this many of their positions.
        `pool_rolls`: rolls of each pool.
        `stretch_turns`: turns that are rendered one by one from the middle of a game; a third of
        them is undone and rendered again.
        `read_pdf`: a PDF reader that must understand every sheet.
        """
        self.rules = registry.load(rules) if isinstance(rules, str) else rules
        self.games, self.seed, self.turns, self.max_games = games, seed, turns, max_games
        self.slow_coaches, self.slow_coach_every = slow_coaches, slow_coach_every
        self.max_calls, self.position_stride = max_calls, position_stride
        self.pool_rolls, self.stretch_turns = pool_rolls, stretch_turns
        self.read_pdf = read_pdf
        self._random_games: dict[int, tuple[Any, list[Any]]] = {}

    def option_sets(self) -> Iterator[dict[str, Any]]:
        """Yield the default options, then each switch set to each of its other values."""
        yield {}
        for option in self.rules.setup.options:
            if option.parser is None and isinstance(option.allowed, tuple):
                for value in option.allowed:
                    if value != option.default_value:
                        yield {option.name: value}

    def new_game(
        self, options: Mapping[str, Any], number: int, start: Mapping[str, Any] | None = None
    ) -> Game:
        """Return a new game with the dice of this number, optionally from a given position."""
        dice = SeededDice(self.seed, number)
        return Game(self.rules, options, dice=dice, start=start, seed=self.seed, number=number)

    def playout(self, game: Game, coach: Coach) -> Iterator[Turn]:
        """Play a game to its end and yield each turn."""
        for _ in range(MAX_GAME_STEPS):
            if game.is_over:
                return
            yield game.play(game.decide(coach))
        raise Violation(f"{self.rules.name}: a game with {coach.name} did not end: {game.position}")

    def play_game(self, options: Mapping[str, Any], number: int, coach: str = "random") -> Game:
        """Return a finished game."""
        game = self.new_game(options, number)
        for _ in self.playout(game, self.rules.coach(coach)):
            pass
        return game

    def play_with_slow_coach(self, options: Mapping[str, Any], number: int, coach: str) -> None:
        """Play a game in which a slow coach answers some questions, and a random coach the others.

        The slow coach also gets every question that comes up for the first time.
        """
        game, questions = self.new_game(options, number), set[str]()
        slow_coach, random_coach = self.rules.coach(coach), self.rules.coach("random")
        while not game.is_over:
            ask_slow_coach = (
                game.question.name not in questions or len(game.turns) % self.slow_coach_every == 0
            )
            questions.add(game.question.name)
            next(self.playout(game, slow_coach if ask_slow_coach else random_coach))
            if len(game.turns) > MAX_GAME_STEPS:
                raise self.violation(game, "the game does not end")

    def random_positions(self, games: int, every: int = 1) -> Iterator[tuple[Any, Any]]:
        """Yield matches and positions that come up in random games, one in every `every` steps.

        The games cycle through the defaults and the switches.
        """
        for number in range(games):
            m, reached = self._random_game(number)
            for g in reached[::every]:
                yield m, g.copy()

    def _random_game(self, number: int) -> tuple[Any, list[Any]]:
        """Return the match and all positions of a random game; it is played once for all checks."""
        if number not in self._random_games:
            switches = list(self.option_sets())
            game = self.new_game(switches[number % len(switches)], number)
            reached = [game.position.copy()]
            for _ in self.playout(game, self.rules.coach("random")):
                reached.append(game.position.copy())
            self._random_games[number] = game.match, reached
        return self._random_games[number]

    def check_game(self, game: Game, coach: Coach) -> None:
        """Play a game and check every turn of it."""
        self._raise_if(game, position_violation(self.rules, game.match, game.position))
        while not game.is_over:
            before = game.position.copy()
            self.check_illegal_calls(game)
            turn = next(self.playout(game, coach))
            counts = self.rules.statistics.empty_counts()
            for event in turn.events:
                self.rules.statistics.add(counts, *event)
            self._raise_if(game, step_violation(self.rules, before, game.position, counts))
            self._raise_if(game, position_violation(self.rules, game.match, game.position))
            if len(game.turns) > MAX_GAME_STEPS:
                raise self.violation(game, "the game does not end")

    def _raise_if(self, game: Game, problem: str | None) -> None:
        if problem is not None:
            raise self.violation(game, problem)

    def check_illegal_calls(self, game: Game) -> None:
        """Check that illegal calls are refused, and that making one changes nothing.

        Of a large vocabulary each position tries only a few, so that a game covers all of them.
        """
        if not game.wants_call:
            return
        legal = {*game.legal_calls(), *game.question.unlisted_calls}
        illegal = [code for code in range(len(self.rules.calls)) if code not in legal]
        stride = 1 + len(illegal) // MAX_ILLEGAL_CALLS
        before, mark = game.position.copy(), game.dice.checkpoint()
        tried = illegal[len(game.turns) % stride :: stride]
        for name in (self.rules.calls[code] for code in tried):
            code = self.rules.find_call(name)
            if self.rules.refusal_reason(game.match, game.position, code) == ALLOWED:
                raise self.violation(game, f"{name} was not refused")
        if tried:
            self._check_refused(game, tried[len(game.turns) % len(tried)])
        if game.position != before or game.dice.checkpoint() != mark:
            raise self.violation(game, "a refused call changed something")

    def _check_refused(self, game: Game, code: CallCode) -> None:
        try:
            game.play(code)
        except IllegalCall:
            return
        raise self.violation(game, f"{self.rules.calls[code]} was played all the same")

    def violation(self, game: Game, problem: str) -> Violation:
        """Return a violation with the game it happened in."""
        calls = [self.rules.calls[turn.call] for turn in game.turns[-3:]]
        return Violation(
            f"{self.rules.name}, options {game.options}, turn {len(game.turns)}: {problem}; "
            f"last calls {calls}, position {game.position}"
        )


# --- Invariants, regardless of the position a game began from --------------------------------


def position_violation(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> str | None:
    """Return what is wrong with a position: play cannot continue from it, or it cannot exist."""
    question = rules.questions[rules.question(m, g)]
    if rules.is_over(g):
        if question.calls:
            return "the game is over and still asks"
        if getattr(g, "winner", HOME) not in (HOME, AWAY, TIE):
            return "the game is over without a winner or a tie"
    elif question.calls:
        if not rules.legal_calls(m, g):
            return "no team has a legal call"
        if rules.team_to_act(m, g) not in (HOME, AWAY):
            return "a question is put to no team"
        if question.is_window and rules.refusal(m, g, question.default):
            return "the default of a window is not allowed"
    on_field = 0 < g.spot < 100
    if rules.position.fields["spot"].to_json(g.spot) is not None and not on_field:
        return "the ball is not on the field"
    return None


def step_violation(
    rules: RuleSet, before: Record, g: PositionRecord, counts: list[list[int]]
) -> str | None:
    """Return what is wrong with a step: points without an event, or a clock that ran backwards."""
    points = rules.statistics.names.index("points")
    previous: Any = before
    for team, name in enumerate(TEAMS):
        if g.score[team] - previous.score[team] != counts[team][points]:
            return f"{name} has points that no event accounts for"
    if g.period < previous.period:
        return "the period ran backwards"
    if g.period == previous.period and g.clock > previous.clock + rules.solver.max_clock_rise:
        return "the clock ran backwards"
    return "the clock fell below zero" if g.clock < 0 else None
