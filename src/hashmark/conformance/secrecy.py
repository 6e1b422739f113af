"""Check of secrecy: two games that differ only in a secret call look the same to other viewers.

At secret questions of random games two calls are tried on twins of the game. Until the calls are
revealed, everything that the other team and a spectator receive must be identical: the feed, the
position, the history, the box score, the sheet, the legal calls and the answers of their coaches.
"""

from __future__ import annotations

import json
from typing import Any

from hashmark.conformance.kit import ConformanceKit, Violation
from hashmark.engine.drawings import draw_call_charts, make_drawing
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import NO_CALL, CallCode
from hashmark.session.feed import EventFeed
from hashmark.session.redaction import VIEWERS, view_for
from hashmark.sheets import render, sheet_of
from hashmark.text import summary
from hashmark.text.game_report import dice_on_table, print_history, print_summary, situation_lines

MAX_STEPS = 6  # after a secret call; then the comparison ends even if it is not revealed


def check_secrets(kit: ConformanceKit, tries: int, every: int = 5) -> int:
    """Compare two calls at some secret questions of a game under each switch; return how many."""
    compared = 0
    if not kit.rules.has_secret_calls:
        return 0
    for number, options in enumerate(kit.option_sets()):
        game, remaining = kit.new_game(options, number), tries
        for step, _ in enumerate(kit.playout(game, kit.rules.coach("random"))):
            if step % every == number % every and not game.is_over:
                count = _try_secret_calls(kit, game, number)
                compared, remaining = compared + count, remaining - count
            if remaining == 0:
                break
    return compared


def copy_of(kit: ConformanceKit, game: Game, number: int) -> Game:
    """Return a copy of a game, with dice and random numbers of its own that will fall the same."""
    dice = SeededDice(kit.seed, number)
    twin = Game(kit.rules, game.options, dice=dice, seed=kit.seed, number=number)
    twin.position.assign(game.position)
    twin.turns = list(game.turns)
    dice.restore(game.dice.checkpoint())
    twin.draw_count = game.draw_count
    return twin


def _try_secret_calls(kit: ConformanceKit, game: Game, number: int) -> int:
    """Compare two secret calls on twins of the game, if it asks for one now; return how many."""
    legal = game.legal_calls()
    secret = [call for call in game.question.secret_calls if call in legal]
    if len(secret) < 2:
        return 0
    turn_number = len(game.turns)
    calls = [secret[(turn_number + k) % len(secret)] for k in (0, 1)]
    team = game.team_to_act
    twins = [copy_of(kit, game, number) for _ in calls]
    feeds = [EventFeed(twin) for twin in twins]
    for twin, feed, call in zip(twins, feeds, calls, strict=True):
        _play(twin, feed, call)
    for _ in range(MAX_STEPS):
        if _is_revealed(twins, feeds, team):
            break
        for viewer in VIEWERS:
            if viewer != team:
                _compare(kit, twins, feeds, viewer, calls)
        first = twins[0]
        legal = first.legal_calls()
        answer = legal[turn_number % len(legal)] if first.wants_call else NO_CALL
        for twin, feed in zip(twins, feeds, strict=True):
            _play(twin, feed, answer)
    return 1


def _play(twin: Game, feed: EventFeed, call: CallCode) -> None:
    turn = twin.play(call)
    feed.add_turn(turn, len(twin.turns), twin.snapshot())


def _is_revealed(twins: list[Game], feeds: list[EventFeed], team: int) -> bool:
    """Return whether the calls are open, or the rules ask a question because of them."""
    first, second = twins
    if any(
        team not in feed.secrets.hidden_turn_by_team or twin.is_over
        for twin, feed in zip(twins, feeds, strict=True)
    ):
        return True
    return first.question is not second.question or first.team_to_act != second.team_to_act


def _compare(
    kit: ConformanceKit, twins: list[Game], feeds: list[EventFeed], viewer: int, calls: list[int]
) -> None:
    first, second = (
        view_parts(game, feed, viewer) for game, feed in zip(twins, feeds, strict=True)
    )
    for part in first:
        if first[part] != second[part]:
            name = TEAMS[viewer] if viewer >= 0 else "a watcher"
            one, other = (kit.rules.calls[call] for call in calls)
            raise Violation(
                f"{kit.rules.name}, options {twins[0].options}, turn {len(twins[0].turns)}: "
                f"{name} can distinguish {one} from {other} by the {part}"
            )


def view_parts(game: Game, feed: EventFeed, viewer: int) -> dict[str, Any]:
    """Return everything that a viewer receives of a game, by name."""
    view = view_for(game, viewer)
    history: list[str] = []
    box: list[str] = []
    print_history(view, history.append, everything=True)
    print_history(view, history.append)
    print_summary(view, box.append)
    parts: dict[str, Any] = {
        "stream": json.dumps(feed.since(0, viewer)),
        "position": json.dumps(view.position.to_json()),
        "history": history,
        "box score": box,
        "figures": json.dumps(summary.game_json(view)),
        "table": [*situation_lines(view), *dice_on_table(view)],
        "sheet": render(sheet_of(view)),
        "drawing": repr(make_drawing(view, viewer)),
        "call charts": repr(draw_call_charts(view)),
        "numbers drawn": view.draw_count,
    }
    if game.team_to_act == viewer:
        parts["legal calls"] = game.rules.legal_calls(game.match, view.position)
        parts["coaches"] = _coach_answers(game)
    return parts


def _coach_answers(game: Game) -> list[CallCode]:
    """Return what each coach would call, and restore the random numbers they draw."""
    drawn, answers = game.draw_count, []
    for coach in game.rules.coaches:
        answers.append(game.decide(coach))
        game.draw_count = drawn
    return answers
