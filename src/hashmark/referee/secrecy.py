"""Secrets are kept: two games that differ only in a secret call look the same to the others.

At each secret question of random games two calls are tried on twins of the game. Until the
calls are revealed, all that the other team and a watcher receive must be equal, letter for
letter: the stream, the position, the history, the box score, the sheet, what may be called and
what every coach of theirs answers.
"""

from __future__ import annotations

import json
from typing import Any

from hashmark.referee.referee import Foul, Referee
from hashmark.sheet import render, sheet_of
from hashmark.table.drawings import drawing_of
from hashmark.table.game import Game, SeededDice
from hashmark.table.happenings import Stream
from hashmark.table.record import TEAMS
from hashmark.table.secrets import VIEWERS, seen
from hashmark.telling import summary
from hashmark.telling.report import on_the_table, print_history, print_summary, standing

STEPS = 6  # after a secret call, within which it is revealed or the comparison ends


def check_secrets(referee: Referee, tries: int, every: int = 5) -> int:
    """Under each switch, try other calls at some secret questions of a random game; how many."""
    tried = 0
    if not referee.rules.calls_in_secret:
        return 0
    for number, options in enumerate(referee.options()):
        game, left = referee.game(options, number), tries
        for step, _ in enumerate(referee.playout(game, referee.rules.coach("random"))):
            if step % every == number % every and not game.is_over:
                done = _try_others(referee, game, number)
                tried, left = tried + done, left - done
            if left == 0:
                break
    return tried


def twin_of(referee: Referee, game: Game, number: int) -> Game:
    """The same game once more, with dice and luck of its own that will fall the same."""
    dice = SeededDice(referee.seed, number)
    twin = Game(referee.rules, game.options, dice=dice, seed=referee.seed, number=number)
    twin.position.assign(game.position)
    twin.turns = list(game.turns)
    dice.back_to(game.dice.mark())
    twin.drawn = game.drawn
    return twin


def _try_others(referee: Referee, game: Game, number: int) -> int:
    """Two secret calls on twins of the game, if it asks for one now; how many were compared."""
    secret = [call for call in game.question.secret if referee.rules.calls[call] in game.legal()]
    if len(secret) < 2:
        return 0
    at = len(game.turns)
    calls = [referee.rules.calls[secret[(at + k) % len(secret)]] for k in (0, 1)]
    team = game.asked
    twins = [twin_of(referee, game, number) for _ in calls]
    streams = [Stream(twin) for twin in twins]
    for twin, stream, call in zip(twins, streams, calls, strict=True):
        _play(twin, stream, call)
    for _ in range(STEPS):
        if _is_told_apart(twins, streams, team):
            break
        for viewer in VIEWERS:
            if viewer != team:
                _compare(referee, twins, streams, viewer, calls)
        first = twins[0]
        legal = first.legal()
        answer = legal[at % len(legal)] if first.wants_call else None
        for twin, stream in zip(twins, streams, strict=True):
            _play(twin, stream, answer)
    return 1


def _play(twin: Game, stream: Stream, call: str | None) -> None:
    turn = twin.play(call)
    stream.played(turn, len(twin.turns), twin.still())


def _is_told_apart(twins: list[Game], streams: list[Stream], team: int) -> bool:
    """Whether the calls are open now, or the rules ask somebody because of them."""
    first, second = twins
    if any(
        team not in stream.secrets.standing or twin.is_over
        for twin, stream in zip(twins, streams, strict=True)
    ):
        return True
    return first.question is not second.question or first.asked != second.asked


def _compare(
    referee: Referee, twins: list[Game], streams: list[Stream], viewer: int, calls: list[str]
) -> None:
    one, other = (
        received(game, stream, viewer) for game, stream in zip(twins, streams, strict=True)
    )
    for what in one:
        if one[what] != other[what]:
            name = TEAMS[viewer] if viewer >= 0 else "a watcher"
            raise Foul(
                f"{referee.rules.name}, options {twins[0].options}, turn {len(twins[0].turns)}: "
                f"{name} can tell {calls[0]} from {calls[1]} by the {what}"
            )


def received(game: Game, stream: Stream, viewer: int) -> dict[str, Any]:
    """All that a viewer gets of a game, by its name."""
    shown = seen(game, viewer)
    history: list[str] = []
    box: list[str] = []
    print_history(shown, history.append, everything=True)
    print_history(shown, history.append)
    print_summary(shown, box.append)
    got: dict[str, Any] = {
        "stream": json.dumps(stream.since(0, viewer)),
        "position": json.dumps(shown.position.to_json()),
        "history": history,
        "box score": box,
        "figures": json.dumps(summary.to_json(shown)),
        "table": [*standing(shown), *on_the_table(shown)],
        "sheet": render(sheet_of(shown)),
        "drawing": repr(drawing_of(shown, viewer)),
        "numbers drawn": shown.drawn,
    }
    if game.asked == viewer:
        got["legal calls"] = game.rules.legal_calls(game.match, shown.position)
        got["coaches"] = _answers(game)
    return got


def _answers(game: Game) -> list[str]:
    """What each coach would call; what they draw for it is put back."""
    drawn, answers = game.drawn, []
    for coach in game.rules.coaches:
        answers.append(game.decide(coach))
        game.drawn = drawn
    return answers
