"""Statistics of a game: the box score by team, the scores and the list of drives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game, Turn
from hashmark.engine.presentation import Scoring
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.text.phrases import yards_text

END_OF_HALF, END_OF_GAME = "end of half", "end of game"  # results of drives that time ended


@dataclass
class Drive:
    """One possession: where it began, what it gained, how it ended."""

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
        return _event_json(self)


@dataclass
class Score:
    """One score: the team, when, how, and the resulting scoreboard."""

    team: int
    period: int
    clock: int
    how: str
    score: tuple[int, int]

    def to_json(self) -> dict[str, Any]:
        return _event_json(self)


def _event_json(event: Drive | Score) -> dict[str, Any]:
    """Return the fields by name, with teams by name too."""
    score = dict(zip(TEAMS, event.score, strict=True))
    return {**asdict(event), "team": TEAMS[event.team], "score": score}


def events_with_score(game: Game) -> Iterator[tuple[Turn, GameEvent, tuple[int, int]]]:
    """Yield every event with its turn and the score after it."""
    points = game.rules.statistics.names.index("points")
    score = list(game.start_score)
    for turn in game.turns:
        for event in turn.events:
            score[event.team] += sum(n for statistic, n in event.amounts() if statistic == points)
            yield turn, event, (score[0], score[1])


def list_scores(game: Game) -> list[Score]:
    """Return every score of a game; the result of a try is added to its touchdown."""
    scoring, points = game.rules.words.scoring, game.rules.statistics.names.index("points")
    result: list[Score] = []
    board = list(game.start_score)
    events_since_score: list[GameEvent] = []  # since the last score
    for turn, after in zip(game.turns, positions_after(game), strict=True):
        clock = after.clock if after.period == turn.before.period else 0
        for event in turn.events:
            gained = dict(event.amounts()).get(points, 0)
            board[event.team] += gained
            score_now = (board[0], board[1])
            if event.name in scoring.try_texts:
                _add_try(result, _score_text(scoring.try_texts[event.name], event), score_now)
            if gained and (event.name not in scoring.try_texts or not result):
                how = _describe_score(scoring, event, events_since_score)
                result.append(Score(event.team, turn.before.period, clock, how, score_now))
                events_since_score = []
            events_since_score.append(event)
    return result


def _add_try(so_far: list[Score], text: str, score: tuple[int, int]) -> None:
    """Add a try to the touchdown before it."""
    if so_far:
        so_far[-1].how += f" ({text})"
        so_far[-1].score = score


def _describe_score(scoring: Scoring, scored: GameEvent, before: Sequence[GameEvent]) -> str:
    """Describe a score; for a touchdown also how it was made."""
    what = _score_text(scoring.score_texts.get(scored.name, scored.name), scored)
    if scored.name != "touchdown":
        return what
    for event in reversed(before):
        is_own = event.team == scored.team
        ways = scoring.touchdown_texts if is_own else scoring.opponent_touchdown_texts
        if event.name in ways:
            return f"{what}, {_score_text(ways[event.name], event)}"
    return what


def _score_text(text: str, event: GameEvent) -> str:
    """Return a text of the scoring summary; `{length}` is "25-yard", `{yards}` is "25 yards"."""
    yards = event.values[0] if event.values else 0
    return text.format(length=f"{yards}-yard", yards=yards_text(yards))


def positions_after(game: Game) -> list[Any]:
    """Return the position after each turn."""
    return [*(turn.before for turn in game.turns[1:]), game.position][: len(game.turns)]


def box_rows(rules: RuleSet, game: Game | None) -> list[tuple[str, str, str]]:
    """Return the lines of the box score: heading, home, away. "made/tried" shows two numbers."""
    counts = rules.statistics.empty_counts() if game is None else game.statistics()
    make_extra = rules.words.extra_box_lines
    return [*_statistic_rows(rules, counts), *(make_extra(game) if make_extra is not None else ())]


def _statistic_rows(rules: RuleSet, counts: Sequence[Sequence[int]]) -> list[tuple[str, str, str]]:
    """Return the box score lines of the statistics."""
    index = {name: position for position, name in enumerate(rules.statistics.names)}

    def figure(name: str, team: int) -> str:
        number = counts[team][index[name]]
        is_time = name in rules.words.time_statistics
        return rules.words.format_time(number) if is_time else str(number)

    def shown(key: str, team: int) -> str:
        return "/".join(figure(name, team) for name in key.split("/"))

    lines = (("points", "Points"), *rules.words.box_lines)
    return [(heading, shown(key, 0), shown(key, 1)) for key, heading in lines]


def list_drives(game: Game) -> list[Drive]:
    """Return the drives of a game, if the game has drives; the last one ends with the game."""
    compute = game.rules.words.list_drives
    drives: list[Drive] = [] if compute is None else compute(game)
    if drives and game.is_over and drives[-1].result in ("", END_OF_HALF):
        drives[-1].result = END_OF_GAME
    return drives


def game_json(game: Game) -> dict[str, Any]:
    """Return a game as JSON: every turn, the position, box score and drives."""
    names, counts = game.rules.statistics.names, game.statistics()
    return {
        "over": game.is_over,
        "turns": [_turn_json(game, turn) for turn in game.turns],
        "position": game.position.to_json(),
        "box": {
            team: dict(zip(names, counts[index], strict=True)) for index, team in enumerate(TEAMS)
        },
        "drives": [drive.to_json() for drive in list_drives(game)],
        "scoring": [score.to_json() for score in list_scores(game)],
    }


def _turn_json(game: Game, turn: Turn) -> dict[str, Any]:
    has_call = turn.call != NO_CALL
    return {
        "team": TEAMS[turn.team] if has_call else None,
        "call": game.rules.calls[turn.call] if has_call else None,
        "dice": {team: turn.faces_of(index) for index, team in enumerate(TEAMS)},
        "rolls": [group.to_json() for group in game.roll_groups(turn)],
        "text": game.sentences(turn),
        "when": {"period": turn.before.period, "clock": turn.before.clock},
        "score": dict(zip(TEAMS, turn.before.score, strict=True)),
        "situation": game.rules.words.situation(game.match, turn.before, game.names),
    }
