"""Positions as users give them: a dictionary, JSON, a position ID, a file, or a row of plays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.api.seats import load_rules
from hashmark.engine.position_id import decode_position, looks_like_id
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.storage.user_files import parse_json, read_json

if TYPE_CHECKING:
    from hashmark.api.game import Game

PositionSpec = "Mapping[str, Any] | str | os.PathLike[str] | Game | None"


@dataclass(frozen=True)
class Situation:
    """A position of a game with everything that is fixed: rules, options and match."""

    rules: RuleSet
    options: dict[str, Any]
    match: MatchRecord
    position: PositionRecord


def parse_situation(
    rules: str | RuleSet,
    position: Mapping[str, Any] | str | os.PathLike[str] | Game | None,
    options: Mapping[str, Any] | None = None,
) -> Situation:
    """Return the situation that a user describes.

    `position` may be a dictionary as in a scenario, the same as JSON, a position ID, the path of a
    JSON file, a `Game` in progress, or a row of nflverse play-by-play.
    """
    loaded = load_rules(rules)
    all_options = dict(options or {})
    given: Any = position
    from hashmark.api.game import Game

    if isinstance(position, Game):
        game = position._game
        if game.rules.name != loaded.name:
            raise HashmarkError(f"this is a game of {game.rules.name}, not {loaded.name}")
        return Situation(game.rules, game.options, game.match, game.position.copy())
    if isinstance(position, str | os.PathLike):
        given, id_options = _parse_text(loaded, position)
        all_options = {**id_options, **all_options}
    if isinstance(given, Mapping) and "yardline_100" in given:
        from hashmark.sim.nflverse import position_from_play

        given = position_from_play(given)
    if given is not None and not isinstance(given, Mapping):
        raise HashmarkError("a position must be a dictionary, JSON, a position ID or a file")
    m = loaded.new_match(all_options)
    return Situation(loaded, all_options, m, loaded.new_position(m, given))


def _parse_text(rules: RuleSet, position: str | os.PathLike[str]) -> tuple[Any, dict[str, Any]]:
    """Return the position of a text or file, and the options that a position ID carries."""
    text = os.fspath(position)
    if Path(text).is_file():
        return read_json(text), {}
    if looks_like_id(text):
        decoded = decode_position(text)
        if decoded.rules.name != rules.name:
            raise HashmarkError(f"this position ID belongs to {decoded.rules.name}")
        return decoded.position.to_json(), decoded.options
    return parse_json(text, "position"), {}
