"""Scenarios: a position, dice and calls, and the expected result.

The format is described in docs/reference/scenarios.md. Users write scenarios, and every worked
example of the rulebooks is checked as one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hashmark.engine import registry
from hashmark.engine.game import Game, ListedDice
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import NO_CALL, CallCode
from hashmark.errors import BrokenScenario, HashmarkError, OutOfDice, UnknownName
from hashmark.sanitize import one_line, quote, shorten
from hashmark.storage import search_path
from hashmark.storage.user_files import read_json

SCENARIO_KEYS = (
    "id",
    "source",
    "rules",
    "options",
    "start",
    "calls",
    "dice",
    "expect",
    "events",
    "error",
    "note",
)


@dataclass(frozen=True)
class ScenarioResult:
    """Result of one scenario."""

    id: str
    ok: bool
    error: str | None = None
    diff: list[str] = field(default_factory=list)
    game: Game | None = None  # the game at the end, unless the scenario was refused

    def to_json(self) -> dict[str, Any]:
        json: dict[str, Any] = {"id": self.id, "ok": self.ok}
        if self.error is not None:
            json["error"] = self.error
        if self.diff:
            json["diff"] = self.diff
        return json


def read_scenarios(path: Path | str) -> list[Mapping[str, Any]]:
    """Read the scenarios in a file: a JSON list."""
    scenarios = read_json(path)
    if not isinstance(scenarios, list):
        raise BrokenScenario(f"{path}: expected a JSON list of scenarios")
    for number, scenario in enumerate(scenarios, 1):
        if not isinstance(scenario, Mapping):
            raise BrokenScenario(f"{path}: scenario number {number} is not a JSON object")
    return scenarios


def run_scenarios(path: Path) -> list[ScenarioResult]:
    """Run the scenarios of a file; files that they name are also searched in its directory."""
    with search_path.search_beside(path):
        return [run_scenario(scenario) for scenario in read_scenarios(path)]


def run_scenario(scenario: Mapping[str, Any]) -> ScenarioResult:
    """Run one scenario and compare the result."""
    name = str(scenario.get("id", "(no id)"))
    try:
        game, message = _play(scenario)
    except BrokenScenario as fault:
        return ScenarioResult(name, False, str(fault))
    except HashmarkError as fault:
        game, message = None, str(fault)
    except Exception as fault:  # a bug in one scenario must not hide the others
        error = one_line(f"Hashmark failed: {type(fault).__name__}: {fault}")
        return ScenarioResult(name, False, error)
    if scenario.get("error") is not None:
        mismatch = _compare_errors(scenario["error"], message)
        return ScenarioResult(name, mismatch is None, mismatch)
    if message is not None or game is None:
        return ScenarioResult(name, False, message)
    diff = differences(scenario.get("expect", {}), observed_state(game, scenario.get("expect", {})))
    diff += missing_events(scenario.get("events", []), game)
    return ScenarioResult(name, not diff, None, diff, game)


def _compare_errors(expected: object, message: str | None) -> str | None:
    """Return how a message differs from the expected error; None if it contains it."""
    if message is None:
        return f"expected the error {quote(expected)}"
    if str(expected) not in message:
        return f"expected the error {quote(expected)}, got {message!r}"
    return None


def _play(scenario: Mapping[str, Any]) -> tuple[Game, str | None]:
    """Play a scenario as far as it goes; the second value says what was left over."""
    for key in scenario:
        if key not in SCENARIO_KEYS:
            raise BrokenScenario(str(UnknownName("key in a scenario", key, SCENARIO_KEYS)))
    if "rules" not in scenario:
        raise BrokenScenario("a scenario must name its rules")
    if ("expect" in scenario) == ("error" in scenario):
        raise BrokenScenario("a scenario must have either expect or error")
    if "error" in scenario and not isinstance(scenario["error"], str):
        raise BrokenScenario("error: expected part of the message as text")
    events = scenario.get("events", [])
    if not isinstance(events, list) or not all(isinstance(line, str) for line in events):
        raise BrokenScenario('events: expected a list of lines, such as "touchdown home"')
    rules = registry.load(str(scenario["rules"]))
    calls = _by_team(scenario, "calls")
    dice = ListedDice(_by_team(scenario, "dice"))
    game = Game(rules, _object(scenario, "options"), dice=dice, start=_object(scenario, "start"))
    used = [0, 0]
    while not game.is_over and _advance(game, calls, used):
        pass
    unused_calls = [calls[team][used[team] :] for team in range(2)]
    left = [
        f"{name} {what} {shorten(', '.join(map(str, rest)))}"
        for name, *leftovers in zip(TEAMS, unused_calls, dice.remaining(), strict=True)
        for what, rest in zip(("calls", "dice"), leftovers, strict=True)
        if rest
    ]
    return game, one_line(f"left over: {'; '.join(left)}") if left else None


def _object(scenario: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = scenario.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BrokenScenario(f"{key}: expected an object, not {quote(value)}")
    return value


def _by_team(scenario: Mapping[str, Any], key: str) -> list[list[Any]]:
    given = _object(scenario, key)
    for team, values in given.items():
        if team not in TEAMS:
            raise BrokenScenario(str(UnknownName(f"team in {key}", team, TEAMS)))
        if not isinstance(values, list):
            raise BrokenScenario(f"{key}.{team}: expected a list, not {quote(values)}")
    return [list(given.get(team, [])) for team in TEAMS]


def _advance(game: Game, calls: list[list[Any]], used: list[int]) -> bool:
    """Play one step, if the lists have what it needs."""
    if not game.wants_call:
        return _unless_out_of_dice(game, NO_CALL)
    team = game.team_to_act
    rest = calls[team][used[team] :]
    question = game.question
    next_call = game.rules.find_call(str(rest[0])) if rest else NO_CALL
    if question.is_window and next_call not in question.calls:
        return _unless_out_of_dice(game, question.default)
    if not rest:
        return False
    game.play_named(str(rest[0]))
    used[team] += 1
    return True


def _unless_out_of_dice(game: Game, code: CallCode) -> bool:
    """Play a step without an answer; without any dice for it the position waits."""
    try:
        game.play(code)
    except OutOfDice as fault:
        if fault.had_rolled:
            raise
        return False
    return True


def observed_state(game: Game, expected: object) -> dict[str, Any]:
    """Return the position's keys, and the computed ones that are expected."""
    json: dict[str, Any] = game.position.to_json()
    for key, compute in game.rules.setup.computed_keys.items():
        if isinstance(expected, Mapping) and key in expected:
            json[key] = compute(game)
    return json


def missing_events(expected: list[str], game: Game) -> list[str]:
    """Return the first expected event that did not occur in order; others may come between."""
    remaining = iter(event_lines(game))
    for line in expected:
        if line not in remaining:
            actual = ", ".join(event_lines(game)) or "none"
            return [f"events: expected {_quoted(line)}, got {actual}"]
    return []


def event_lines(game: Game) -> list[str]:
    """Return all events as lines, each with its team and its numbers."""
    return [event.to_line() for turn in game.turns for event in turn.events]


def _quoted(value: object) -> str:
    return shorten(json.dumps(value))


def differences(expected: object, actual: object, where: str = "") -> list[str]:
    """Return where a position is not as expected; only the given keys are compared."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        diffs = []
        for key, value in expected.items():
            path = f"{where}.{shorten(str(key))}" if where else one_line(shorten(str(key)))
            if key not in actual:
                diffs.append(f"{path}: expected {_quoted(value)}, but there is no such key")
            else:
                diffs += differences(value, actual[key], path)
        return diffs
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return [d for i, (e, s) in pairs for d in differences(e, s, f"{where}[{i}]")]
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return [] if same else [f"{where}: expected {_quoted(expected)}, got {_quoted(actual)}"]
