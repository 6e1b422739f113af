"""Golden playthroughs: whole games as text that a person can read and check by hand."""

from __future__ import annotations

import json
from typing import Any

from hashmark.referee.referee import Referee
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL
from hashmark.telling.report import print_summary

LONG = 160  # characters of a value as JSON, beyond which only its change is shown


def playthrough(rules: str, coach: str, number: int) -> str:
    """One game: each turn with its dice, its sentences, what was told and the keys that changed."""
    referee = Referee(rules, seed=20)
    game = referee.game({}, number)
    lines = [f"{rules}: coach {coach} on both sides, seed 20, game {number}", ""]
    for turn in referee.playout(game, referee.rules.coach(coach)):
        called = "dice" if turn.call == NO_CALL else game.rules.calls[turn.call]
        who = "" if turn.call == NO_CALL else f"{TEAMS[turn.team]}: "
        faces = [f"{TEAMS[t]} {turn.faces_of(t)}" for t in range(2) if turn.faces_of(t)]
        lines.append(f"{len(game.turns)}. {who}{called}  {' '.join(faces)}".rstrip())
        lines += [f"   {sentence}" for sentence in game.sentences(turn) if sentence]
        if turn.events:
            lines.append(f"   told: {', '.join(told.line() for told in turn.events)}")
        was, now = turn.before.to_json(), game.position.to_json()
        changed = {key: _change(was[key], now[key]) for key in now if now[key] != was[key]}
        lines.append(f"   -> {json.dumps(changed)}")
    print_summary(game, lines.append)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _change(was: Any, now: Any) -> Any:
    """The new value; of a long one only what is new in it."""
    if len(json.dumps(now)) <= LONG:
        return now
    if isinstance(now, dict):
        return {key: _inner(was[key], now[key]) for key in now if now[key] != was[key]}
    if isinstance(now, list) and now[: len(was)] == was:
        return ["...", *now[len(was) :]]
    return now


def _inner(was: Any, now: Any) -> Any:
    """Inside a long value everything that has not changed is left out."""
    if not isinstance(now, dict):
        return now
    return {key: _inner(was[key], now[key]) for key in now if now[key] != was[key]}
