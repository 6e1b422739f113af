"""Golden playthroughs: whole games as text that a person can read and check by hand."""

from __future__ import annotations

import json
from typing import Any

from hashmark.conformance.kit import ConformanceKit
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import NO_CALL
from hashmark.text.game_report import print_summary

MAX_VALUE_CHARACTERS = 160  # of a value as JSON; of a longer one only the change is shown


def playthrough(rules: str, coach: str, number: int) -> str:
    """Return one game as text: each turn with its dice, sentences, events and changed keys."""
    kit = ConformanceKit(rules, seed=20)
    game = kit.new_game({}, number)
    lines = [f"{rules}: coach {coach} on both sides, seed 20, game {number}", ""]
    for turn in kit.playout(game, kit.rules.coach(coach)):
        call = "dice" if turn.call == NO_CALL else game.rules.calls[turn.call]
        caller = "" if turn.call == NO_CALL else f"{TEAMS[turn.team]}: "
        faces = [f"{TEAMS[t]} {turn.faces_of(t)}" for t in range(2) if turn.faces_of(t)]
        lines.append(f"{len(game.turns)}. {caller}{call}  {' '.join(faces)}".rstrip())
        lines += [f"   {sentence}" for sentence in game.sentences(turn) if sentence]
        if turn.events:
            lines.append(f"   told: {', '.join(event.to_line() for event in turn.events)}")
        changes = _changed_values(turn.before.to_json(), game.position.to_json())
        lines.append(f"   -> {json.dumps(changes)}")
    print_summary(game, lines.append)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _changed_entries(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the values that changed; of a nested object only its changed entries."""
    return {
        key: _changed_entries(before[key], value) if isinstance(value, dict) else value
        for key, value in after.items()
        if value != before[key]
    }


def _changed_values(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the changed values of a position, of a long value only the part that changed."""
    changes = {key: value for key, value in after.items() if value != before[key]}
    for key, value in changes.items():
        if len(json.dumps(value)) <= MAX_VALUE_CHARACTERS:
            continue
        if isinstance(value, dict):
            changes[key] = _changed_entries(before[key], value)
        elif isinstance(value, list) and value[: len(before[key])] == before[key]:
            changes[key] = ["...", *value[len(before[key]) :]]
    return changes
