"""A game to play from Python."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hashmark.api.positions import Position, Situation, roll_to_decision
from hashmark.api.seats import CoachSpec, choose_seats, load_rules
from hashmark.engine.game import Game as EngineGame
from hashmark.engine.game import ListedDice, SeededDice
from hashmark.engine.generator import check_seed
from hashmark.engine.record import TEAMS, TIE, winner
from hashmark.engine.rule_set import NO_CALL, Coach, RuleSet
from hashmark.errors import HashmarkError, IllegalCall
from hashmark.sim.run import resolve_coaches
from hashmark.text.phrases import capitalize

if TYPE_CHECKING:
    import polars as pl

    from hashmark.api.reviewing import Review

DEFAULT_COACH = "book"


class Game:
    """A game in progress: legal calls, the score, the play-by-play, and every play as a frame.

    >>> import hashmark as hm
    >>> game = hm.Game("fourth-down", seed=1)
    >>> game.legal
    ['balanced', 'run-first', 'pass-first']
    >>> text = game.play("run-first")
    >>> game.over
    False
    >>> game.play_out(home="book", away="bold").over
    True

    Dice that need no call, such as a coin toss, are rolled at once. `dice` takes the faces of real
    dice, a list for each team, instead of a seed. `home` and `away` are the coaches of `play_out`;
    in Data-Driven Football they may be real teams, such as "2008:ARI".
    """

    def __init__(
        self,
        rules: str,
        *,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        home: CoachSpec = DEFAULT_COACH,
        away: CoachSpec = DEFAULT_COACH,
        names: tuple[str, str] | None = None,
        dice: Sequence[Sequence[int]] | None = None,
    ) -> None:
        loaded = load_rules(rules)
        seats, options = choose_seats(loaded, home, away, options)
        loaded, self._coaches = resolve_coaches(loaded, *seats)
        source = SeededDice(check_seed(seed)) if dice is None else ListedDice(dice)
        self._game = EngineGame(
            loaded,
            options,
            dice=source,
            start=start,
            seed=seed,
            names=names or loaded.team_names(options),
        )
        roll_to_decision(self._game)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Return the game of a log, as far as it was played; its dice cannot be continued."""
        from hashmark.session.log import replay

        loaded = cls.__new__(cls)
        game = loaded._game = replay(os.fspath(path)).game
        coach = game.rules.coach(DEFAULT_COACH)
        loaded._coaches = (coach, coach)
        return loaded

    @classmethod
    def _replayed(
        cls,
        rules: RuleSet,
        options: Mapping[str, Any],
        start: Mapping[str, Any] | None,
        coaches: tuple[Coach, Coach],
        seed: int,
        number: int,
    ) -> Game:
        """Return game number `number` of a seed at its beginning, with its coaches."""
        made = cls.__new__(cls)
        made._coaches = coaches
        made._game = EngineGame(
            rules,
            options,
            dice=SeededDice(seed, number),
            start=start,
            seed=seed,
            number=number,
            names=rules.team_names(options),
        )
        roll_to_decision(made._game)
        return made

    @property
    def rules(self) -> str:
        """The name of the game's rule set."""
        return self._game.rules.name

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._game.is_over

    @property
    def score(self) -> tuple[int, int]:
        """The points of home and away."""
        home, away = self._game.position.score
        return home, away

    @property
    def winner(self) -> str | None:
        """home, away or tie; None while the game is in progress."""
        if not self.over:
            return None
        won = winner(self._game.position)
        return "tie" if won == TIE else TEAMS[won]

    @property
    def names(self) -> tuple[str, str]:
        """The names of home and away."""
        return self._game.names

    @property
    def team(self) -> str | None:
        """The team to call: home or away; None if the game is over."""
        return None if self.over else TEAMS[self._game.team_to_act]

    @property
    def question(self) -> str | None:
        """The question that the team has to answer."""
        return None if self.over else self._game.question.text

    @property
    def legal(self) -> list[str]:
        """The legal calls of the team to act."""
        return [] if self.over else [self._game.rules.calls[c] for c in self._game.legal_calls()]

    @property
    def situation(self) -> str:
        """Clock, score and situation as a broadcaster says them."""
        words, m, g = self._game.rules.words, self._game.match, self._game.position
        home, away = self.score
        board = f"{self.names[0]} {home}, {self.names[1]} {away}"
        return capitalize(f"{words.when(m, g)} | {board} | {words.situation(m, g, self.names)}")

    @property
    def position(self) -> Position:
        """The position, a dictionary as scenarios and `odds` take it."""
        game = self._game
        return Position._of(Situation(game.rules, game.options, game.match, game.position.copy()))

    @property
    def position_id(self) -> str:
        """A short text that identifies rules, options and position."""
        return self.position.id

    def play(self, call: str) -> list[str]:
        """Make a call, by its name or a unique beginning; return what happens in sentences."""
        if self.over:
            raise HashmarkError("the game is over")
        turns = [self._game.play(self._parse(call)), *roll_to_decision(self._game)]
        return [sentence for turn in turns for sentence in self._game.sentences(turn)]

    def _parse(self, call: str) -> int:
        if not isinstance(call, str):
            raise IllegalCall(f"a call is a name, not {call!r}; allowed: {', '.join(self.legal)}")
        matches = [name for name in self.legal if name.startswith(call.strip().lower())]
        return self._game.parse_call(matches[0] if len(matches) == 1 else call)

    def coach_call(self, coach: str = DEFAULT_COACH) -> str | None:
        """Return the call that a coach would make here."""
        code = self._game.decide(self._game.rules.coach(coach.removeprefix("coach:")))
        return None if code == NO_CALL else self._game.rules.calls[code]

    def play_out(self, home: str | None = None, away: str | None = None) -> Game:
        """Let two coaches play the rest of the game, those of the game or others; return it."""
        coaches = [
            own if name is None else self._game.rules.coach(name.removeprefix("coach:"))
            for own, name in zip(self._coaches, (home, away), strict=True)
        ]
        while not self.over:
            self._game.play(self._game.decide(coaches[self._game.team_to_act]))
            roll_to_decision(self._game)
        return self

    def undo(self) -> None:
        """Undo the last call and the dice that followed; the same dice will be rolled again."""
        while True:
            turn = self._game.undo()
            if turn.call != NO_CALL:
                return

    @property
    def play_by_play(self) -> list[str]:
        """Everything that has happened, in sentences."""
        return [text for turn in self._game.turns for text in self._game.sentences(turn)]

    def box_score(self) -> dict[str, tuple[int, int]]:
        """Return the statistics of home and away by name."""
        home, away = self._game.statistics()
        names = self._game.rules.statistics.names
        return dict(zip(names, zip(home, away, strict=True), strict=True))

    def plays(self, nflverse: bool = False) -> pl.DataFrame:
        """Return a row for each play so far, in our columns or in those of nflverse."""
        from hashmark.api.frames import game_plays

        return game_plays(self._game, nflverse)

    def drives(self) -> pl.DataFrame:
        """Return a row for each drive so far."""
        from hashmark.sim.frames import drive_frame

        return drive_frame(self.plays())

    def review(self, tie: float = 0.5) -> Review:
        """Return the review of the game so far: see `hashmark.review`."""
        from hashmark.api.reviewing import review_of

        return review_of(self._game, tie)

    def __repr__(self) -> str:
        home, away = self.score
        state = f"won by {self.winner}" if self.over else self.team
        state = "tie" if self.winner == "tie" else state if self.over else f"{state} to call"
        return f"<Game {self.rules}: {self.names[0]} {home}, {self.names[1]} {away}, {state}>"

    def __str__(self) -> str:
        lines = [self.situation]
        if not self.over:
            lines += [f"{capitalize(str(self.team))}: {self.question} {', '.join(self.legal)}"]
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import field_svg

        return field_svg(self._game)

    def _repr_html_(self) -> str:
        from hashmark.api.pictures import figure

        return figure(self._repr_svg_(), self.situation)
