"""Win probability through a game, where it is known at once: after every play, as a viewer sees it.

Positions in the middle of a play have no point of their own. Values are cached by position, so that
a curve costs one value for each further play.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hashmark.engine.game import Game
from hashmark.engine.record import HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.sim.results import NORMAL_95
from hashmark.values.instant import has_instant_values, instant_value
from hashmark.values.value import Value

MAX_POSITIONS = 20_000  # cached values


class ChancePoint(NamedTuple):
    """Home's chance after so many turns; a tie counts half."""

    turn: int
    home: float
    margin: float  # half-width of the 95 % interval


def chance_points(game: Game) -> list[ChancePoint]:
    """Return the chances wherever a play begins, and at the end; none if nothing knows them.

    The game is the viewer's: its positions hide what the viewer must not know.
    """
    if not has_instant_values(game.rules, game.match):
        return []
    positions = [*(turn.before for turn in game.turns), game.position]
    points = [
        (turn, _position_value(game.rules, game.match, position))
        for turn, position in enumerate(positions)
        if game.rules.is_over(position) or game.rules.begins_play(game.match, position)
    ]
    return [
        ChancePoint(turn, value.worth(HOME), NORMAL_95 * value.error)
        for turn, value in points
        if value is not None
    ]


def _position_value(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Value | None:
    return _cached_value(rules, tuple(m.flat()), tuple(g.flat()))


@lru_cache(MAX_POSITIONS)
def _cached_value(
    rules: RuleSet, match: tuple[int, ...], position: tuple[int, ...]
) -> Value | None:
    m = rules.match.from_flat(list(match))
    return instant_value(rules, m, rules.position.from_flat(list(position)))
