"""Golden lines of every rule alone: its answers and changes in made-up positions, valid or not.

In a game a rule meets few of the positions that it covers, and much of what it does in the middle
of a play is gone at the end of the play. `tests/golden/<rule set>-rules.txt` has a line for each
rule with digests of its results: in random positions, near the numbers that it names
(`golden_near`), and across each edge of each path through it (`golden_edges`). A changed line names
the rule that now behaves differently. `make golden` rewrites the file.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import golden_games
from golden_digests import Digests
from golden_edges import MAX_SWEEP_CALLS, Invocation, RulePaths, call_traced, edge_values, sweep
from golden_near import NEAR_PREFIX, Neighborhood
from golden_numbers import Numbers
from golden_steps import RULE_THRESHOLDS, RecordingSampler, random_game_positions
from hashmark.engine import registry, rule
from hashmark.engine.dice import Die
from hashmark.engine.generator import RandomStream
from hashmark.engine.record import (
    TEAMS,
    ArrayField,
    FieldKind,
    FlagField,
    IntField,
    KeyedField,
    ListField,
    NameField,
)
from hashmark.engine.rule_set import RuleSet
from hashmark.storage import search_path

SEED = 22
RANDOM_CALLS, NEAR_CALLS = 300, 200  # of each rule: in random positions, and near its numbers
EDGES_PREFIX = "; over edges: "  # before the last part of a line
PARAMETER_TYPES = (  # Any is a position
    *("Match", "Position", "Any", "int", "bool", "list[int]", "TeamNames"),
)
# Return types of functions other than rules that are covered.
RETURN_TYPES = ("int", "bool", "str", "str | None", "int | None", "list[str]", "list[int]")
MAX_ROLLS = 100  # of a rule that may never end in an impossible position
MAX_LIST_LENGTH = 40
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "data-driven": (
        {"charts": "wild", "audibles": "board", "max_usage": True},
        {"charts": "wild", "audibles": "pc", "overtime": "modified", "away_plan": "bold"},
        {"offence_fumble_return": True, "overtime": "both", "playoff": True},
    ),
    "fourth-down": ({}, {"turnover-spot": "end"}, {"late-half-ends": False}),
    "rapid-roll": (
        {"records": {"home": [10, 6], "away": [7, 9]}},
        {"shading": {}, "repeat": "column"},
        {"repeat": "off", "numbers_per_quarter": 12},
    ),
    "roll-for-yardage": (
        {},
        {"overtime_plays": 4, "season": "postseason"},
        {"tries_count": False, "defensive_penalty_spot": "end", "overtime_last_play": True},
    ),
    "two-minute-drill": ({}, {"referee-clock": "sheet"}, {"reply": True, "start-spot": 40}),
}
# Too slow to be called so often; their values are checked in tests/games/.
SLOW = {
    "rapid-roll": ("reader.best_call", "reader.planner", "reader.reader", "reader.choose_call"),
    "two-minute-drill": ("search.search",),
}

# Slow functions with their number of calls; and functions that are not swept over edges.
FEW_CALLS = {"search.compare": 30, "search.choice_value": 15}
UNSWEPT = (*FEW_CALLS, "reader.call_value", "reader.punt_call_value")


class EndlessError(Exception):
    """Rule that keeps rolling."""


class LimitedRecorder(RecordingSampler):
    """Recorder of rolls and events, up to a limit of rolls."""

    def roll_die(self, die: Die, team: int) -> int:
        if len(self.rolled) == MAX_ROLLS:
            raise EndlessError
        return super().roll_die(die, team)


def path_of(name: str) -> Path:
    return golden_games.FOLDER / f"{name}-rules.txt"


def stored_lines(name: str) -> dict[str, str]:
    """Return the stored line of each rule."""
    lines = path_of(name).read_text(encoding="utf-8").splitlines()
    return {line.partition(":")[0]: line for line in lines}


@cache
def covered_functions(name: str) -> dict[str, Callable[..., Any]]:
    """Return the rules of a game, and its functions on positions, by module and name."""
    registry.load(name)
    package = f"hashmark.games.{name.replace('-', '_')}."
    package_path = sys.modules[package.removesuffix(".")].__path__
    for module_info in pkgutil.walk_packages(
        package_path, package
    ):  # some are loaded only on demand
        importlib.import_module(module_info.name)
    functions = {}
    for module in sorted(
        module_name for module_name in sys.modules if module_name.startswith(package)
    ):
        for key, function in vars(sys.modules[module]).items():
            if (
                inspect.isfunction(function)
                and function.__module__ == module
                and is_covered(function)
            ):
                functions[f"{module.removeprefix(package)}.{key}"] = function
    return {key: functions[key] for key in functions if key not in SLOW.get(name, ())}


def is_covered(function: Callable[..., Any]) -> bool:
    """Return whether it is a rule or a plain function of a position that we can call."""
    signature = inspect.signature(function)
    annotations = [parameter.annotation for parameter in signature.parameters.values()]
    has_known_types = all(
        annotation.removeprefix("p.") in PARAMETER_TYPES for annotation in annotations
    )
    has_plain_result = (
        function in rule.REGISTERED_RULES or signature.return_annotation in RETURN_TYPES
    )
    return bool(annotations) and has_known_types and has_plain_result


def neighborhood_of(name: str, key: str) -> Neighborhood:
    """Return the fields and numbers of a rule, as its code stands now."""
    return Neighborhood.of(covered_functions(name)[key], registry.load(name).position.fields)


def current_line(name: str, key: str, near: Neighborhood | None = None) -> str:
    """Return the digests of one rule: random, near the numbers of its stored line, across edges."""
    near = near or Neighborhood.read(stored_lines(name)[key])
    paths = RulePaths()
    at_random = sample_line(name, key, RandomStream(SEED, sum(map(ord, key)), 0), None, paths)
    near_numbers = sample_line(name, key, RandomStream(SEED, sum(map(ord, key)), 2), near, paths)
    at_edges = edges_line(name, key, near, paths)
    return (
        f"{key}: {at_random}{NEAR_PREFIX}{near}: "
        f"{near_numbers}{at_edges and EDGES_PREFIX}{at_edges}"
    )


def sample_line(
    name: str, key: str, random: RandomStream, near: Neighborhood | None, paths: RulePaths
) -> str:
    """Return digests of the answers, changes and events of a rule that is called many times."""
    rules, function = registry.load(name), covered_functions(name)[key]
    results = ResultDigests()
    parameters = inspect.signature(function).parameters.values()
    for number in range(FEW_CALLS.get(key, RANDOM_CALLS if near is None else NEAR_CALLS)):
        if near is None:
            m, original = sample_positions(name)[random.randbelow(POSITION_COUNT)]
            g = mutated(original, random) if number % 3 else original.copy()
        else:
            m, original = (
                sample_matches(name)[random.randbelow(MATCH_COUNT)],
                sample_positions(name)[random.randbelow(POSITION_COUNT)][1],
            )
            g = near.position(original, random)
        seed = random.randbelow(1 << 30)
        g.handler = notes = LimitedRecorder(rules, seed)
        before, numbers = g.copy(), Numbers(name, calls_at(rules, m, g), random, near)
        arguments = [argument(parameter, m, g, numbers) for parameter in parameters]
        answer, names = call_traced(function, arguments)
        path = results.add(answer, names, before, notes, g, *numbers.changes())
        paths.record(path, answer, partial(_invocation, before, arguments, g, numbers, seed))
    return str(results)


def _invocation(
    before: Any, arguments: list[Any], g: Any, numbers: Numbers, seed: int
) -> Invocation:
    """Return a call with its arguments as they were before, None in place of the position."""
    space = numbers.space
    originals = [
        None if argument is g else [*space.before] if space and argument is space.w else argument
        for argument in arguments
    ]
    return Invocation(before, originals, seed)


def edges_line(name: str, key: str, near: Neighborhood, paths: RulePaths) -> str:
    """Return digests of the answers, changes and events of a rule across each edge of its paths."""
    rules, function = registry.load(name), covered_functions(name)[key]
    parameters = list(inspect.signature(function).parameters.values())
    changes_to_try = edge_values(near, rules.position.fields, parameters)
    if not changes_to_try or key in UNSWEPT:
        return ""
    results, calls = ResultDigests(), 0
    for invocation in sweep(paths, changes_to_try):
        g, arguments = invocation.fresh_copy()
        g.handler = notes = LimitedRecorder(rules, invocation.seed)
        answer, names = call_traced(function, arguments)
        path = results.add(answer, names, invocation.g, notes, g, invocation.list_writes(arguments))
        paths.record(path, answer, lambda: invocation)  # noqa: B023
        calls += names.total()
        if calls > MAX_SWEEP_CALLS:
            break
    return str(results)


class ResultDigests:
    """Digests of the results of a rule."""

    def __init__(self) -> None:
        self.digests, self.raised = Digests("answers", "changes", "told"), 0

    def add(
        self,
        answer: Any,
        names: Counter[str],
        before: Any,
        notes: RecordingSampler,
        g: Any,
        *also: Any,
    ) -> tuple[Any, ...]:
        """Add one result and return its path: called rules, changed fields and events."""
        if isinstance(answer, type):
            answer, self.raised = answer.__name__, self.raised + 1
        changed = list(changes(before, g))
        self.digests.add("answers", answer)
        self.digests.add("changes", changed, *also)
        events = [(event.name, event.team, *event.values) for event in notes.events]
        self.digests.add("told", notes.rolled, events)
        return (
            frozenset(names),
            *(key for key, _ in changed),
            *{event.name: 0 for event in notes.events},
        )

    def __str__(self) -> str:
        return f"{self.digests}{f', {self.raised} times nothing' if self.raised else ''}"


def argument(parameter: inspect.Parameter, m: Any, g: Any, numbers: Numbers) -> Any:
    """Return an argument of a rule: the match, a position, a later one, names, or a number."""
    if parameter.annotation == "TeamNames":
        return TEAMS
    if parameter.name == "after":
        return (
            numbers.near.position(g, numbers.random) if numbers.near else mutated(g, numbers.random)
        )
    number = numbers.draw(parameter.name, parameter.annotation)
    if parameter.annotation == "Match":
        return m
    return number if parameter.annotation in ("int", "bool", "list[int]") else g


def changes(before: Any, after: Any) -> Iterator[tuple[str, Any]]:
    for key in before.fields:
        if getattr(before, key) != getattr(after, key):
            yield key, getattr(after, key)


# --- Positions and values ---------------------------------------------------------------------

POSITION_COUNT, MATCH_COUNT = 150, 24


@cache
def sample_positions(name: str) -> list[tuple[Any, Any]]:
    """Return matches, valid and with some values changed, with positions of random games."""
    rules, pairs = registry.load(name), []
    per_option_set = POSITION_COUNT // len(OPTIONS[name])
    for number, options in enumerate(OPTIONS[name]):
        with search_path.search_beside(golden_games.path_of(name)):  # finds the charts named "wild"
            m = rules.new_match(options)
        reached, variants = (
            random_game_positions(rules, m, number),
            (m, mutated(m, RandomStream(SEED, number, 1))),
        )
        pairs += [
            (variants[index % 2], reached[index * len(reached) // per_option_set])
            for index in range(per_option_set)
        ]
    return pairs


@cache
def sample_matches(name: str) -> list[Any]:
    """Return many matches, each with other values changed."""
    matches = []
    for number in range(MATCH_COUNT):
        with search_path.search_beside(golden_games.path_of(name)):
            m = registry.load(name).new_match(OPTIONS[name][number % len(OPTIONS[name])])
        matches.append(
            mutated(m, RandomStream(SEED, number, 3)) if number >= len(OPTIONS[name]) else m
        )
    return matches


def clear_caches() -> None:
    """Clear the caches after a game was loaded anew."""
    for cached in (covered_functions, sample_positions, sample_matches):
        cached.cache_clear()


def calls_at(rules: RuleSet, m: Any, g: Any) -> Sequence[int]:
    """Return the calls of the question, if one is asked."""
    try:
        return rules.questions[rules.question(m, g)].calls
    except (IndexError, KeyError):
        return ()


def mutated(original: Any, random: RandomStream) -> Any:
    """Return a position or match with about a third of its values changed."""
    g = original.copy()
    for key, kind in g.fields.items():
        if random.randbelow(3) == 0:
            setattr(g, key, any_value(kind, getattr(g, key), random))
    return g


def any_value(kind: FieldKind, old: Any, random: RandomStream) -> Any:
    """Return a value that a field may hold: near the old one, small, where rules change, or any."""
    if isinstance(kind, IntField):
        near, small = old + random.randbelow(7) - 3, kind.low + random.randbelow(13)
        mark = RULE_THRESHOLDS[random.randbelow(len(RULE_THRESHOLDS))]
        value = (near, small, mark, kind.low + random.randbelow(min(kind.high, 199) - kind.low + 1))
        return min(max(value[random.randbelow(4)], kind.low), kind.high)
    if isinstance(kind, NameField):
        return random.randbelow(len(kind.names) + kind.nullable) - kind.nullable
    if isinstance(kind, FlagField):
        return random.randbelow(2)
    if isinstance(kind, KeyedField | ArrayField) and len(old) <= MAX_LIST_LENGTH:
        return [any_value(kind.kind, item, random) for item in old]
    if isinstance(kind, ListField):
        return [random.randbelow(old[0] + 1), *old[1:]]
    return old
