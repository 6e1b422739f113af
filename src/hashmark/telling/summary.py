"""A game in figures: the box score by team, the scores and the list of drives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.table.events import Told
from hashmark.table.game import Game, Turn
from hashmark.table.names import by_name
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL, RuleSet, Scoring
from hashmark.telling.speech import yards

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


@dataclass
class Score:
    """Points on the board: who, when, how, and what the board says then."""

    team: int
    period: int
    clock: int
    how: str
    score: tuple[int, int]

    def to_json(self) -> dict[str, Any]:
        return {
            "team": TEAMS[self.team],
            "period": self.period,
            "clock": self.clock,
            "how": self.how,
            "score": dict(zip(TEAMS, self.score, strict=True)),
        }


@by_name
def scores(game: Game) -> list[Score]:
    """Every score of a game; what became of the try stands with its touchdown."""
    scoring, points = game.rules.words.scoring, game.rules.statistics.names.index("points")
    found: list[Score] = []
    board = list(game.start_score)
    told_so_far: list[Told] = []  # since the last score
    for turn, after in zip(game.turns, positions_after(game), strict=True):
        clock = after.clock if after.period == turn.before.period else 0
        for told in turn.events:
            gained = dict(told.event.amounts(told.a, told.b, told.c)).get(points, 0)
            board[told.team] += gained
            now = (board[0], board[1])
            if told.name in scoring.tries:
                _add_try(found, scoring.tries[told.name].format(yards=yards(told.a)), now)
            if gained and (told.name not in scoring.tries or not found):
                how = _how(scoring, told, told_so_far)
                found.append(Score(told.team, turn.before.period, clock, how, now))
                told_so_far = []
            told_so_far.append(told)
    return found


def _add_try(found: list[Score], said: str, score: tuple[int, int]) -> None:
    """A try belongs to the touchdown before it."""
    if found:
        found[-1].how += f" ({said})"
        found[-1].score = score


def _how(scoring: Scoring, scored: Told, before: Sequence[Told]) -> str:
    """What was scored, and of a touchdown how."""
    what = scoring.scores.get(scored.name, scored.name).format(yards=yards(scored.a))
    if scored.name != "touchdown":
        return what
    for told in reversed(before):
        ways = scoring.ways if told.team == scored.team else scoring.theirs
        if told.name in ways:
            return f"{what}, {ways[told.name].format(yards=yards(told.a))}"
    return what


def positions_after(game: Game) -> list[Any]:
    """The position that each turn led to."""
    return [*(turn.before for turn in game.turns[1:]), game.position][: len(game.turns)]


def box_rows(rules: RuleSet, game: Game | None) -> list[tuple[str, str, str]]:
    """The lines of the box score: heading, home, away. "made/tried" shows two figures."""
    counts = rules.statistics.zero() if game is None else game.statistics()
    more = rules.words.tallies
    return [*_counted(rules, counts), *(more(game) if more is not None else ())]


def _counted(rules: RuleSet, counts: Sequence[Sequence[int]]) -> list[tuple[str, str, str]]:
    """The lines that the statistics give."""
    index = {name: at for at, name in enumerate(rules.statistics.names)}

    def figure(name: str, team: int) -> str:
        number = counts[team][index[name]]
        return rules.words.time(number) if name in rules.words.timed else str(number)

    def shown(key: str, team: int) -> str:
        return "/".join(figure(name, team) for name in key.split("/"))

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
        "scoring": [score.to_json() for score in scores(game)],
    }


def _turn(game: Game, turn: Turn) -> dict[str, Any]:
    called = turn.call != NO_CALL
    return {
        "team": TEAMS[turn.team] if called else None,
        "call": game.rules.calls[turn.call] if called else None,
        "dice": {team: turn.faces_of(at) for at, team in enumerate(TEAMS)},
        "rolls": [one.to_json() for one in game.rolled(turn)],
        "text": game.sentences(turn),
        "when": {"period": turn.before.period, "clock": turn.before.clock},
        "score": dict(zip(TEAMS, turn.before.score, strict=True)),
        "situation": _situation(game, turn),
    }


@by_name
def _situation(game: Game, turn: Turn) -> str:
    """Down and distance, or what else stood before the coach."""
    return game.rules.words.situation(game.match, turn.before)
