"""The referee: plays games of a rule set in every way and stops at the first foul."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from hashmark.table import registry
from hashmark.table.errors import IllegalCall
from hashmark.table.game import Game, SeededDice, Turn
from hashmark.table.record import AWAY, HOME, TEAMS, TIE
from hashmark.table.rules import Coach, RuleSet

LONGEST_GAME = 50_000  # steps; a game that takes more will never end
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
        read_pdf: Callable[[bytes], object] = len,
    ) -> None:
        """`games` for the checks that watch every turn; so many `turns` in plain Python, and at
        `most` so many games of a kind, for the comparison with compiled code; `thinkers` are
        coaches that take long over a call, of which fewer are compared; `read_pdf` is a reader
        of PDF files, if one is at hand, that must understand every sheet."""
        self.rules = registry.load(rules) if isinstance(rules, str) else rules
        self.games, self.seed, self.turns, self.most = games, seed, turns, most
        self.thinkers, self.read_pdf = thinkers, read_pdf

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

    def positions(self, games: int, every: int = 1) -> Iterator[tuple[Any, Any]]:
        """Matches and positions that come up in random games, every so many steps.

        The games take turns with the defaults and the switches.
        """
        switches = list(self.options())
        for number in range(games):
            game = self.game(switches[number % len(switches)], number)
            yield game.match, game.position.copy()
            for step, _ in enumerate(self.playout(game, self.rules.coach("random")), 1):
                if step % every == 0:
                    yield game.match, game.position.copy()

    def watch(self, game: Game, coach: Coach) -> None:
        """Play a game and check every turn of it."""
        self._check_standing(game)
        points = self.rules.statistics.names.index("points")
        while not game.is_over:
            before, score = game.position.copy(), list(game.position.score)
            self.refuses_illegal_calls(game)
            turn = next(self.playout(game, coach))
            counts = self.rules.statistics.zero()
            for told in turn.events:
                self.rules.statistics.add(counts, *told)
            for team in range(2):
                if game.position.score[team] - score[team] != counts[team][points]:
                    raise self.foul(game, f"{TEAMS[team]} has points that no event told")
            self._check_clock(game, before)
            self._check_standing(game)
            if len(game.turns) > LONGEST_GAME:
                raise self.foul(game, "the game does not end")

    def _check_clock(self, game: Game, before: Any) -> None:
        now = game.position
        if now.period < before.period:
            raise self.foul(game, "the period ran backwards")
        if now.period == before.period and now.clock > before.clock + self.rules.clock_rise:
            raise self.foul(game, "the clock ran backwards")
        if now.clock < 0:
            raise self.foul(game, "the clock fell below zero")

    def _check_standing(self, game: Game) -> None:
        """The position is one that may be, and somebody can go on from it."""
        g = game.position
        if not game.is_over and game.wants_call:
            if not game.legal():
                raise self.foul(game, "nobody has a legal call")
            if game.asked not in (0, 1):
                raise self.foul(game, "a question is put to nobody")
            if game.question.is_window and self.rules.refusal(game.match, g, game.question.default):
                raise self.foul(game, "the default of a window is not allowed")
        if game.is_over and game.wants_call:
            raise self.foul(game, "the game is over and still asks")
        if game.is_over and "winner" in g.fields and g.winner not in (HOME, AWAY, TIE):
            raise self.foul(game, "the game is over and nobody has won")
        if self.rules.position.fields["spot"].to_json(g.spot) is not None and not (
            0 < g.spot < 100
        ):
            raise self.foul(game, "the ball is not on the field")

    def refuses_illegal_calls(self, game: Game) -> None:
        """Calls that are not allowed are refused and change nothing.

        Of a large vocabulary each position tries another few, so that over a game all get
        their turn.
        """
        if not game.wants_call:
            return
        legal = {*game.legal(), *(self.rules.calls[call] for call in game.question.also)}
        illegal = [name for name in self.rules.calls if name not in legal]
        stride = 1 + len(illegal) // MOST_REFUSALS
        before, mark = game.position.copy(), game.dice.mark()
        for name in illegal[len(game.turns) % stride :: stride]:
            try:
                game.play(name)
            except IllegalCall:
                pass
            else:
                raise self.foul(game, f"{name} was not refused")
            if game.position != before or game.dice.mark() != mark:
                raise self.foul(game, f"the refused call {name} changed something")

    def foul(self, game: Game, what: str) -> Foul:
        """A foul with the game it happened in."""
        calls = [self.rules.calls[turn.call] for turn in game.turns[-3:]]
        return Foul(
            f"{self.rules.name}, options {game.options}, turn {len(game.turns)}: {what}; "
            f"last calls {calls}, position {game.position}"
        )
