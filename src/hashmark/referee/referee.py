"""The referee: plays games of a rule set in every way and stops at the first foul."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from hashmark.referee.invariants import foul_in_position, foul_in_step
from hashmark.table import registry
from hashmark.table.errors import IllegalCall
from hashmark.table.game import Game, SeededDice, Turn
from hashmark.table.rules import ALLOWED, LONGEST_GAME, Coach, RuleSet

MOST_REFUSALS = 16  # illegal calls that are tried in one position, about


class Foul(AssertionError):
    """A rule set broke one of the rules of the house; the message says where."""


class Referee:
    """Checks one rule set under its default options and under each of its switches."""

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
        """`games` for the checks that watch every turn; so many `turns` in plain Python, and at
        `most` so many games of a kind, for the comparison with compiled code; `thinkers` are
        coaches that take long over a call, of which fewer are compared, and who under a switch
        are asked only one in so many `thoughts`; at most so many `calls` of a position are
        enumerated, other ones in each; the checks that enumerate look at one in so many
        (`sparse`) of their positions, and throw every pool so many times (`throws`); so many
        turns are told one by one from a moment in the middle of a game (`stretch`), a third of
        them once more after an undo; `read_pdf` is a reader of PDF files, if one is at hand,
        that must understand every sheet."""
        self.rules = registry.load(rules) if isinstance(rules, str) else rules
        self.games, self.seed, self.turns, self.most = games, seed, turns, most
        self.thinkers, self.thoughts, self.calls = thinkers, thoughts, calls
        self.sparse, self.throws, self.stretch = sparse, throws, stretch
        self.read_pdf = read_pdf
        self._random: dict[int, tuple[Any, list[Any]]] = {}

    def options(self) -> Iterator[dict[str, Any]]:
        """The defaults, then each switch turned alone."""
        yield {}
        for option in self.rules.options:
            if option.reader is None and isinstance(option.allowed, tuple):
                for value in option.allowed:
                    if value != option.value:
                        yield {option.name: value}

    def game(
        self, options: Mapping[str, Any], number: int, start: Mapping[str, Any] | None = None
    ) -> Game:
        """A new game with the dice of this number, or one from a position that is set up."""
        dice = SeededDice(self.seed, number)
        return Game(self.rules, options, dice=dice, start=start, seed=self.seed, number=number)

    def playout(self, game: Game, coach: Coach) -> Iterator[Turn]:
        """Play a game to its end, a turn at a time."""
        for _ in range(LONGEST_GAME):
            if game.is_over:
                return
            yield game.play(game.decide(coach) if game.wants_call else None)
        raise Foul(f"{self.rules.name}: a game with {coach.name} did not end: {game.position}")

    def played(self, options: Mapping[str, Any], number: int, coach: str = "random") -> Game:
        """A finished game."""
        game = self.game(options, number)
        for _ in self.playout(game, self.rules.coach(coach)):
            pass
        return game

    def asked_now_and_then(self, options: Mapping[str, Any], number: int, coach: str) -> None:
        """A game in which a thinker is asked one question in so many, a random coach the others.

        It is asked whatever is asked for the first time, too.
        """
        game, asked = self.game(options, number), set[str]()
        thinker, anybody = self.rules.coach(coach), self.rules.coach("random")
        while not game.is_over:
            now = game.question.name not in asked or len(game.turns) % self.thoughts == 0
            asked.add(game.question.name)
            next(self.playout(game, thinker if now else anybody))
            if len(game.turns) > LONGEST_GAME:
                raise self.foul(game, "the game does not end")

    def positions(self, games: int, every: int = 1) -> Iterator[tuple[Any, Any]]:
        """Matches and positions that come up in random games, every so many steps.

        The games take turns with the defaults and the switches.
        """
        for number in range(games):
            m, found = self._random_game(number)
            for g in found[::every]:
                yield m, g.copy()

    def _random_game(self, number: int) -> tuple[Any, list[Any]]:
        """The match and all positions of a random game; it is played once for all checks."""
        if number not in self._random:
            switches = list(self.options())
            game = self.game(switches[number % len(switches)], number)
            found = [game.position.copy()]
            for _ in self.playout(game, self.rules.coach("random")):
                found.append(game.position.copy())
            self._random[number] = game.match, found
        return self._random[number]

    def watch(self, game: Game, coach: Coach) -> None:
        """Play a game and check every turn of it."""
        self._call(game, foul_in_position(self.rules, game.match, game.position))
        while not game.is_over:
            before = game.position.copy()
            self.refuses_illegal_calls(game)
            turn = next(self.playout(game, coach))
            counts = self.rules.statistics.zero()
            for told in turn.events:
                self.rules.statistics.add(counts, *told)
            self._call(game, foul_in_step(self.rules, before, game.position, counts))
            self._call(game, foul_in_position(self.rules, game.match, game.position))
            if len(game.turns) > LONGEST_GAME:
                raise self.foul(game, "the game does not end")

    def _call(self, game: Game, what: str | None) -> None:
        if what is not None:
            raise self.foul(game, what)

    def refuses_illegal_calls(self, game: Game) -> None:
        """Calls that are not allowed are refused; one is made, and changes nothing.

        Of a large vocabulary each position tries another few, so that over a game all get
        their turn.
        """
        if not game.wants_call:
            return
        legal = {*game.legal(), *(self.rules.calls[call] for call in game.question.also)}
        illegal = [name for name in self.rules.calls if name not in legal]
        stride = 1 + len(illegal) // MOST_REFUSALS
        before, mark = game.position.copy(), game.dice.mark()
        tried = illegal[len(game.turns) % stride :: stride]
        for name in tried:
            if self.rules.call_of(game.match, game.position, name)[1] == ALLOWED:
                raise self.foul(game, f"{name} was not refused")
        if tried:
            self._is_refused(game, tried[len(game.turns) % len(tried)])
        if game.position != before or game.dice.mark() != mark:
            raise self.foul(game, "a refused call changed something")

    def _is_refused(self, game: Game, name: str) -> None:
        try:
            game.play(name)
        except IllegalCall:
            return
        raise self.foul(game, f"{name} was played all the same")

    def foul(self, game: Game, what: str) -> Foul:
        """A foul with the game it happened in."""
        calls = [self.rules.calls[turn.call] for turn in game.turns[-3:]]
        return Foul(
            f"{self.rules.name}, options {game.options}, turn {len(game.turns)}: {what}; "
            f"last calls {calls}, position {game.position}"
        )
