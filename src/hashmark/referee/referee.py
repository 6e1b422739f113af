"""Conformance kit of one rule set: plays games in every way and stops at the first violation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from hashmark.referee.invariants import foul_in_position, foul_in_step
from hashmark.table import registry
from hashmark.table.errors import IllegalCall
from hashmark.table.game import Game, SeededDice, Turn
from hashmark.table.rules import ALLOWED, LONGEST_GAME, Coach, RuleSet

MAX_ILLEGAL_CALLS = 16  # approximate number of illegal calls to try in one position


class Foul(AssertionError):
    """Violation of an invariant by a rule set; the message says where."""


class Referee:
    """Games of one rule set under its default options and under each of its switches."""

    def __init__(
        self,
        rules: str | RuleSet,
        games: int = 20,
        seed: int = 1,
        turns: int = 200_000,
        most: int = 4000,
        thinkers: Collection[str] = (),
        thoughts: int = 1,
        calls: int = 1000,
        sparse: int = 1,
        throws: int = 20_000,
        stretch: int = 12,
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
        self.games, self.seed, self.turns, self.most = games, seed, turns, most
        self.thinkers, self.thoughts, self.calls = thinkers, thoughts, calls
        self.sparse, self.throws, self.stretch = sparse, throws, stretch
        self.read_pdf = read_pdf
        self._random_games: dict[int, tuple[Any, list[Any]]] = {}

    def options(self) -> Iterator[dict[str, Any]]:
        """Yield the default options, then each switch set to each of its other values."""
        yield {}
        for option in self.rules.options:
            if option.reader is None and isinstance(option.allowed, tuple):
                for value in option.allowed:
                    if value != option.value:
                        yield {option.name: value}

    def game(
        self, options: Mapping[str, Any], number: int, start: Mapping[str, Any] | None = None
    ) -> Game:
        """Return a new game with the dice of this number, optionally from a given position."""
        dice = SeededDice(self.seed, number)
        return Game(self.rules, options, dice=dice, start=start, seed=self.seed, number=number)

    def playout(self, game: Game, coach: Coach) -> Iterator[Turn]:
        """Play a game to its end and yield each turn."""
        for _ in range(LONGEST_GAME):
            if game.is_over:
                return
            yield game.play(game.decide(coach) if game.wants_call else None)
        raise Foul(f"{self.rules.name}: a game with {coach.name} did not end: {game.position}")

    def played(self, options: Mapping[str, Any], number: int, coach: str = "random") -> Game:
        """Return a finished game."""
        game = self.game(options, number)
        for _ in self.playout(game, self.rules.coach(coach)):
            pass
        return game

    def asked_now_and_then(self, options: Mapping[str, Any], number: int, coach: str) -> None:
        """Play a game in which a slow coach answers some questions, and a random coach the others.

        The slow coach also gets every question that comes up for the first time.
        """
        game, questions = self.game(options, number), set[str]()
        slow_coach, random_coach = self.rules.coach(coach), self.rules.coach("random")
        while not game.is_over:
            ask_slow_coach = (
                game.question.name not in questions or len(game.turns) % self.thoughts == 0
            )
            questions.add(game.question.name)
            next(self.playout(game, slow_coach if ask_slow_coach else random_coach))
            if len(game.turns) > LONGEST_GAME:
                raise self.foul(game, "the game does not end")

    def positions(self, games: int, every: int = 1) -> Iterator[tuple[Any, Any]]:
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
            switches = list(self.options())
            game = self.game(switches[number % len(switches)], number)
            reached = [game.position.copy()]
            for _ in self.playout(game, self.rules.coach("random")):
                reached.append(game.position.copy())
            self._random_games[number] = game.match, reached
        return self._random_games[number]

    def watch(self, game: Game, coach: Coach) -> None:
        """Play a game and check every turn of it."""
        self._raise_if(game, foul_in_position(self.rules, game.match, game.position))
        while not game.is_over:
            before = game.position.copy()
            self.refuses_illegal_calls(game)
            turn = next(self.playout(game, coach))
            counts = self.rules.statistics.zero()
            for event in turn.events:
                self.rules.statistics.add(counts, *event)
            self._raise_if(game, foul_in_step(self.rules, before, game.position, counts))
            self._raise_if(game, foul_in_position(self.rules, game.match, game.position))
            if len(game.turns) > LONGEST_GAME:
                raise self.foul(game, "the game does not end")

    def _raise_if(self, game: Game, problem: str | None) -> None:
        if problem is not None:
            raise self.foul(game, problem)

    def refuses_illegal_calls(self, game: Game) -> None:
        """Check that illegal calls are refused, and that making one changes nothing.

        Of a large vocabulary each position tries only a few, so that a game covers all of them.
        """
        if not game.wants_call:
            return
        legal = {*game.legal(), *(self.rules.calls[call] for call in game.question.also)}
        illegal = [name for name in self.rules.calls if name not in legal]
        stride = 1 + len(illegal) // MAX_ILLEGAL_CALLS
        before, mark = game.position.copy(), game.dice.mark()
        tried = illegal[len(game.turns) % stride :: stride]
        for name in tried:
            if self.rules.call_of(game.match, game.position, name)[1] == ALLOWED:
                raise self.foul(game, f"{name} was not refused")
        if tried:
            self._check_refused(game, tried[len(game.turns) % len(tried)])
        if game.position != before or game.dice.mark() != mark:
            raise self.foul(game, "a refused call changed something")

    def _check_refused(self, game: Game, name: str) -> None:
        try:
            game.play(name)
        except IllegalCall:
            return
        raise self.foul(game, f"{name} was played all the same")

    def foul(self, game: Game, problem: str) -> Foul:
        """Return a violation with the game it happened in."""
        calls = [self.rules.calls[turn.call] for turn in game.turns[-3:]]
        return Foul(
            f"{self.rules.name}, options {game.options}, turn {len(game.turns)}: {problem}; "
            f"last calls {calls}, position {game.position}"
        )
