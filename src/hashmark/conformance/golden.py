"""Golden playthroughs: whole games as text that a person can read and check by hand."""

from __future__ import annotations

import json
from typing import Any

from hashmark.conformance.kit import ConformanceKit
from hashmark.engine.record import TEAMS, PositionRecord
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
        before, after = turn.before.to_json(), game.position.to_json()
        changes = {
            key: _change(before[key], after[key]) for key in after if after[key] != before[key]
        }
        lines.append(f"   -> {json.dumps(changes)}")
    print_summary(game, lines.append)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _change(before: PositionRecord, after: PositionRecord) -> Any:
    """Return the new value, or only the changed part of a long one."""
    if len(json.dumps(after)) <= MAX_VALUE_CHARACTERS:
        return after
    if isinstance(after, dict):
        return {
            key: _changed_entries(before[key], after[key])
            for key in after
            if after[key] != before[key]
        }
    if isinstance(after, list) and after[: len(before)] == before:
        return ["...", *after[len(before) :]]
    return after


def _changed_entries(before: PositionRecord, after: PositionRecord) -> Any:
    """Return the entries of a nested value that changed."""
    if not isinstance(after, dict):
        return after
    return {
        key: _changed_entries(before[key], after[key]) for key in after if after[key] != before[key]
    }
