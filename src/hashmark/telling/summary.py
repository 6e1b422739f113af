"""A game in figures: the box score by team and the list of drives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.table.game import Game, Turn
from hashmark.table.names import by_name
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL, RuleSet

END_OF_HALF, END_OF_GAME = "end of half", "end of game"  # where time ends a drive


@dataclass
class Drive:
    """One possession: where it began, what it brought, how it ended."""

    team: int
    period: int
    clock: int
    spot: int
    yards: int = 0
    time: int = 0
    plays: int = 0
    result: str = ""
    score: tuple[int, int] = (0, 0)

    def to_json(self) -> dict[str, Any]:
        return {
            "team": TEAMS[self.team],
            "period": self.period,
            "clock": self.clock,
            "spot": self.spot,
            "yards": self.yards,
            "time": self.time,
            "plays": self.plays,
            "result": self.result,
            "score": dict(zip(TEAMS, self.score, strict=True)),
        }


def box_rows(rules: RuleSet, game: Game | None) -> list[tuple[str, str, str]]:
    """The lines of the box score: heading, home, away. "made/tried" shows two figures."""
    counts = rules.statistics.zero() if game is None else game.statistics()
    more = rules.words.tallies
    return [*_counted(rules, counts), *(more(game) if more is not None else ())]


def _counted(rules: RuleSet, counts: Sequence[Sequence[int]]) -> list[tuple[str, str, str]]:
    """The lines that the statistics give."""
    index = {name: at for at, name in enumerate(rules.statistics.names)}

    def shown(key: str, team: int) -> str:
        return "/".join(str(counts[team][index[name]]) for name in key.split("/"))

    lines = (("points", "Points"), *rules.words.box)
    return [(heading, shown(key, 0), shown(key, 1)) for key, heading in lines]


@by_name
def drives(game: Game) -> list[Drive]:
    """The drives of a game, where the game knows drives; its last ends with the game."""
    work_out = game.rules.words.drives
    found: list[Drive] = [] if work_out is None else work_out(game)
    if found and game.is_over and found[-1].result in ("", END_OF_HALF):
        found[-1].result = END_OF_GAME
    return found


def to_json(game: Game) -> dict[str, Any]:
    """A game for a program to read: every turn, where it stands, box score and drives."""
    names, counts = game.rules.statistics.names, game.statistics()
    return {
        "over": game.is_over,
        "turns": [_turn(game, turn) for turn in game.turns],
        "position": game.position.to_json(),
        "box": {team: dict(zip(names, counts[at], strict=True)) for at, team in enumerate(TEAMS)},
        "drives": [drive.to_json() for drive in drives(game)],
    }


def _turn(game: Game, turn: Turn) -> dict[str, Any]:
    called = turn.call != NO_CALL
    return {
        "team": TEAMS[turn.team] if called else None,
        "call": game.rules.calls[turn.call] if called else None,
        "dice": {team: turn.faces_of(at) for at, team in enumerate(TEAMS)},
        "text": game.sentences(turn),
    }
