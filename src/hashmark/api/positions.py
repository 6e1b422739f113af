"""Positions as users give them: a dictionary, JSON, a position ID, a file, or a row of plays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from hashmark.api.seats import DATA_DRIVEN, load_rules
from hashmark.engine.game import Game as EngineGame
from hashmark.engine.game import SeededDice
from hashmark.engine.position_id import decode_position, encode_position, looks_like_id
from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.storage.user_files import parse_json, read_json
from hashmark.text.phrases import capitalize

if TYPE_CHECKING:
    from hashmark.api.game import Game

PLAY_COLUMN = "yardline_100"  # only rows of play-by-play have it


class FrameRow(Protocol):
    """A row of a pandas frame."""

    def to_dict(self) -> dict[Any, Any]: ...


class Position(dict[str, Any]):
    """A position of a game: a dictionary with the keys of scenarios, checked by the rules.

    >>> import hashmark as hm
    >>> fourth = hm.Position("fourth-down", {"phase": "fourth-down", "possession": "home",
    ...                                      "spot": 60, "to_go": 3})
    >>> fourth
    <Position fourth-down: home 0, away 0, home: 4th & 3 at the away 40>
    >>> fourth["spot"], fourth.legal
    (60, ['go-for-it', 'field-goal', 'punt'])

    `position` may be a dictionary, JSON, a position ID, the path of a JSON file, a `Game`, or a row
    of nflverse play-by-play; without one it is the first decision of a game. A notebook draws the
    field.
    """

    def __init__(
        self,
        rules: str,
        position: Mapping[str, Any] | str | os.PathLike[str] | Game | None = None,
        *,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(parse_situation(rules, position, options))

    def _fill(self, situation: Situation) -> None:
        super().__init__(situation.position.to_json())
        self._rules, self.options = situation.rules, dict(situation.options)

    @classmethod
    def _of(cls, situation: Situation) -> Self:
        """Return the position of a situation."""
        made = cls.__new__(cls)
        made._fill(situation)
        return made

    @classmethod
    def from_play(
        cls, row: Mapping[str, Any] | FrameRow, *, options: Mapping[str, Any] | None = None
    ) -> Position:
        """Return the Data-Driven position of a row of nflverse play-by-play, real or simulated.

        The row is a mapping, such as `frame.row(0, named=True)`, or a row of a pandas frame.

        >>> import hashmark as hm
        >>> row = {"qtr": 4, "quarter_seconds_remaining": 120, "down": 4, "ydstogo": 2,
        ...        "yardline_100": 46, "posteam": "ARI", "home_team": "ARI", "away_team": "PIT",
        ...        "posteam_score": 23, "defteam_score": 20}
        >>> hm.Position.from_play(row)
        <Position data-driven: home 23, away 20, home: 4th & 2 at the away 46>
        """
        given = row if isinstance(row, Mapping) else row.to_dict()
        if PLAY_COLUMN not in given:
            raise HashmarkError(f"the row has no {PLAY_COLUMN}: is it a row of play-by-play?")
        return cls._of(parse_situation(DATA_DRIVEN, given, options))

    @property
    def rules(self) -> str:
        """The name of the game's rule set."""
        return self._rules.name

    @property
    def id(self) -> str:
        """A short text that identifies rules, options and position."""
        situation = self._situation
        return encode_position(situation.rules, situation.options, situation.position)

    @property
    def legal(self) -> list[str]:
        """The legal calls of the team to act."""
        s = self._situation
        codes = [] if s.rules.is_over(s.position) else s.rules.legal_calls(s.match, s.position)
        return [s.rules.calls[code] for code in codes]

    @property
    def _situation(self) -> Situation:
        """The position as the rules have it; a changed dictionary is checked again."""
        return parse_situation(self._rules, dict(self), self.options)

    def __repr__(self) -> str:
        return f"<Position {self.rules}: {describe(self._situation)}>"

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import situation_svg

        return situation_svg(self._situation)

    def _repr_html_(self) -> str:
        from hashmark.api.pictures import figure

        return figure(self._repr_svg_(), capitalize(describe(self._situation)))


@dataclass(frozen=True)
class Situation:
    """A position of a game with everything that is fixed: rules, options and match."""

    rules: RuleSet
    options: dict[str, Any]
    match: MatchRecord
    position: PositionRecord


def describe(situation: Situation) -> str:
    """Return score and situation in one line."""
    s = situation
    score: Any = s.position.score
    words = s.rules.words.situation(s.match, s.position, TEAMS)
    return f"home {score[0]}, away {score[1]}, {words}"


def parse_situation(
    rules: str | RuleSet,
    position: Mapping[str, Any] | str | os.PathLike[str] | Game | None,
    options: Mapping[str, Any] | None = None,
    *,
    first_decision: bool = True,
) -> Situation:
    """Return the situation that a user describes; `position` as in `Position`.

    Without a position, a new game begins; its first dice are rolled up to the first decision, with
    those of seed 0, unless `first_decision` is false.
    """
    from hashmark.api.game import Game

    loaded = load_rules(rules)
    if isinstance(position, Game):
        return _game_situation(loaded, position, options)
    given: Any = position
    all_options = dict(options or {})
    if isinstance(position, Position):
        _check_same_game(loaded, position.rules)
        all_options = {**position.options, **all_options}
    if isinstance(position, str | os.PathLike):
        given, id_options = _parse_text(loaded, position)
        all_options = {**id_options, **all_options}
    if given is not None and not isinstance(given, Mapping):
        raise HashmarkError("a position must be a dictionary, JSON, a position ID or a file")
    if given is not None and PLAY_COLUMN in given:
        given = _parse_play(loaded, given)
    if given is None and first_decision:
        game = EngineGame(loaded, all_options, dice=SeededDice(0))
        roll_to_decision(game)
        return Situation(loaded, game.options, game.match, game.position.copy())
    m = loaded.new_match(all_options)
    return Situation(loaded, all_options, m, loaded.new_position(m, given))


def roll_to_decision(game: EngineGame) -> list[Any]:
    """Roll what needs no call; return the turns."""
    turns = []
    while not game.is_over and not game.wants_call:
        turns.append(game.play())
    return turns


def _game_situation(rules: RuleSet, given: Game, options: Mapping[str, Any] | None) -> Situation:
    game = given._game
    _check_same_game(rules, game.rules.name)
    if options is not None:
        raise HashmarkError("a game has its own options: leave `options` out")
    return Situation(game.rules, game.options, game.match, game.position.copy())


def _check_same_game(rules: RuleSet, name: str) -> None:
    if name != rules.name:
        raise HashmarkError(f"this position belongs to {name}, not to {rules.name}")


def _parse_play(rules: RuleSet, row: Mapping[str, Any]) -> dict[str, Any]:
    from hashmark.api.nflverse import position_from_play

    if rules.name != DATA_DRIVEN:
        raise HashmarkError(
            f"a row of play-by-play is a position of {DATA_DRIVEN}, not of {rules.name}"
        )
    return position_from_play(row)


def _parse_text(rules: RuleSet, position: str | os.PathLike[str]) -> tuple[Any, dict[str, Any]]:
    """Return the position of a text or file, and the options that a position ID carries."""
    text = os.fspath(position)
    if Path(text).is_file():
        return read_json(text), {}
    if looks_like_id(text):
        decoded = decode_position(text)
        _check_same_game(rules, decoded.rules.name)
        return decoded.position.to_json(), decoded.options
    return parse_json(text, "position"), {}
