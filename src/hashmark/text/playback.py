"""The plays of a game one by one, as a spectator sees them: the turns of each, and its banner.

A scene is what is shown at once: a turn that rolls dice, and the turns without dice that follow in
the same play. Its dice and sentences belong together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game, Turn
from hashmark.engine.record import NOBODY, PositionRecord, Team
from hashmark.text.phrases import capitalize

HALFTIME_AFTER = 2  # the period after which halftime comes, if there are four


@dataclass(frozen=True)
class Scene:
    """Turns that are shown at once."""

    first: int  # number of the first turn, from 0
    turns: tuple[Turn, ...]

    @property
    def end(self) -> int:
        """How many turns the game has had after the scene."""
        return self.first + len(self.turns)

    def sentences(self, game: Game) -> list[str]:
        """Return the events of the scene as sentences."""
        return [sentence for turn in self.turns for sentence in game.sentences(turn)]

    def rolls(self, game: Game) -> list[dict[str, Any]]:
        """Return the dice of the scene, each roll with its purpose."""
        return [group.to_json() for turn in self.turns for group in game.roll_groups(turn)]

    def includes(self, team: Team) -> bool:
        """Return whether a team made one of its calls."""
        return any(turn.team == team for turn in self.turns)


def list_scenes(game: Game, since: int = 0) -> list[Scene]:
    """Return the scenes of a game after so many turns, in order; what has none is left out."""
    return list(_scenes(game, max(0, since), len(game.turns)))


def _scenes(game: Game, start: int, end: int) -> Iterator[Scene]:
    """Yield the scenes of a span of turns: each play begins one, and so does each further roll."""
    first, has_content = start, False
    for index in range(start, end):
        turn = game.turns[index]
        begins_play = _begins_play(game, turn)
        if begins_play or (has_content and turn.has_dice):
            if has_content:
                yield Scene(first, tuple(game.turns[first:index]))
            first, has_content = index, False
        has_content = has_content or _has_content(game, turn)
    if has_content:
        yield Scene(first, tuple(game.turns[first:end]))


def last_scene(game: Game) -> Scene | None:
    """Return the last scene of a game; None before the first."""
    return next(scenes_backwards(game), None)


def scenes_backwards(game: Game) -> Iterator[Scene]:
    """Yield the scenes of a game, the last one first."""
    end = len(game.turns)
    for index in reversed(range(end)):
        if index == 0 or _begins_play(game, game.turns[index]):
            yield from reversed(list(_scenes(game, index, end)))
            end = index


def _begins_play(game: Game, turn: Turn) -> bool:
    return game.rules.begins_play(game.match, turn.before)


def _has_content(game: Game, turn: Turn) -> bool:
    return turn.has_dice or bool(game.sentences(turn))


# --- Banners -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Highlight:
    """Banner of a scene: its text, and the team that scored, if any."""

    text: str
    team: Team = NOBODY


def find_highlight(game: Game, scene: Scene) -> Highlight | None:
    """Return the banner of a scene: a score, a turnover, the end of a period or of the game."""
    events = [event for turn in scene.turns for event in turn.events]
    notable = _most_notable(game, events)
    ended = _ended_period(game, scene)
    if notable is None:
        return Highlight(ended) if ended else None
    team = notable.team if _points(game, notable) else NOBODY
    text = game.rules.presentation.highlights[notable.name]
    text = text if team == NOBODY else f"{text}, {capitalize(game.names[team])}"
    return Highlight(f"{text} · {ended}" if ended else text, team)


def _most_notable(game: Game, events: Sequence[GameEvent]) -> GameEvent | None:
    """Return the event with the most points among those with a banner, the first one of equals."""
    declared = [event for event in events if event.name in game.rules.presentation.highlights]
    return max(declared, key=lambda event: _points(game, event), default=None)


def _points(game: Game, event: GameEvent) -> int:
    points = game.rules.statistics.names.index("points")
    return sum(amount for statistic, amount in event.amounts() if statistic == points)


def _ended_period(game: Game, scene: Scene) -> str:
    """Return what has ended with the scene: nothing, a period, or the game."""
    before, after = scene.turns[0].before, position_after(game, scene.end)
    if game.rules.is_over(after):
        return "Final"
    if after.period == before.period:
        return ""
    if (before.period, after.period) == (HALFTIME_AFTER, HALFTIME_AFTER + 1):
        return "Halftime"
    name = game.rules.words.period_name(before.period)
    return f"End of the {name}" if name[0].isdigit() else f"End of {name}"


def position_after(game: Game, turns: int) -> PositionRecord:
    """Return the position after so many turns."""
    position: PositionRecord = game.position
    if turns < len(game.turns):
        position = game.turns[turns].before
    return position
