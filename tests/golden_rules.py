"""Every rule alone: what it answers and changes in made-up positions, whether they can be or not.

In a game a rule meets few of the positions that it knows, and much of what it does in the middle
of a play is forgotten at its end. `tests/golden/<rule set>-rules.txt` has a line for each rule,
with digests of all that came of it, at large, near the numbers that it names (`golden_near`), and
a step over each edge of each way that it goes (`golden_edges`); a line that changed names the rule
that now does something else. `make golden` writes it anew.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import golden_games
from golden_edges import MOST_CALLS, Asking, Ways, called, edges, swept
from golden_near import WORD, Near
from golden_numbers import Numbers
from golden_steps import MARKS, Notes, played
from hashmark.referee.digest import Digests
from hashmark.table import places, registry, rule
from hashmark.table.dice import Die
from hashmark.table.generator import Stream
from hashmark.table.record import Each, Flag, Kind, Many, Named, Row, Whole
from hashmark.table.rules import RuleSet

SEED = 22
TIMES, NEAR = 300, 200  # that each rule is asked at large, and near its numbers
OVER = "; over edges: "  # what stands before the last part of a line
TAKEN = ("Match", "Position", "Any", "int", "bool", "list[int]")  # Any is a position
SAID = ("int", "bool", "str", "str | None", "int | None", "list[str]", "list[int]")  # by others
MOST_ROLLS = 100  # of a rule that may never end in a position that cannot be
LONGEST_LIST = 40
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
# What takes too long to be asked so often; its values are looked at in tests/games/.
SLOW = {
    "rapid-roll": ("reader.best_call", "reader.planner", "reader.reader", "reader.reckon"),
    "two-minute-drill": ("search.search",),
}

# What takes long, and how often it is asked; and what is asked as often, but not over its edges.
SELDOM = {"search.compare": 30, "search.choice_worth": 15}
UNSWEPT = (*SELDOM, "reader.expected", "reader.punt_prospect")


class EndlessError(Exception):
    """A rule that rolls on and on."""


class ShortNotes(Notes):
    """Notes what is rolled and told, up to a limit."""

    def die(self, die: Die, team: int) -> int:
        if len(self.rolled) == MOST_ROLLS:
            raise EndlessError
        return super().die(die, team)


def path_of(name: str) -> Path:
    return golden_games.FOLDER / f"{name}-rules.txt"


def kept(name: str) -> dict[str, str]:
    """The line of each rule."""
    lines = path_of(name).read_text(encoding="utf-8").splitlines()
    return {line.partition(":")[0]: line for line in lines}


@cache
def rules_of(name: str) -> dict[str, Callable[..., Any]]:
    """The rules of a game, and what it says of positions, by module and name."""
    registry.load(name)
    package = f"hashmark.games.{name.replace('-', '_')}."
    inside = sys.modules[package.removesuffix(".")].__path__
    for one in pkgutil.walk_packages(inside, package):  # some are loaded only when needed
        importlib.import_module(one.name)
    found = {}
    for module in sorted(place for place in sys.modules if place.startswith(package)):
        for key, function in vars(sys.modules[module]).items():
            if (
                inspect.isfunction(function)
                and function.__module__ == module
                and can_be_asked(function)
            ):
                found[f"{module.removeprefix(package)}.{key}"] = function
    return {key: found[key] for key in found if key not in SLOW.get(name, ())}


def can_be_asked(function: Callable[..., Any]) -> bool:
    """Whether it is a rule, or says something plain of a position, and takes what we can draw."""
    signature = inspect.signature(function)
    takes = [one.annotation for one in signature.parameters.values()]
    known = all(what.removeprefix("p.") in TAKEN for what in takes)
    plain = function in rule.RULES or signature.return_annotation in SAID
    return bool(takes) and known and plain


def near_of(name: str, key: str) -> Near:
    """What a rule looks at, as its code stands now."""
    return Near.of(rules_of(name)[key], registry.load(name).position.fields)


def line_of(name: str, key: str, near: Near | None = None) -> str:
    """What comes of one rule: at large, near the numbers of its kept line, and over each edge."""
    near = near or Near.read(kept(name)[key])
    ways = Ways()
    at_large = asked(name, key, Stream(SEED, sum(map(ord, key)), 0), None, ways)
    close = asked(name, key, Stream(SEED, sum(map(ord, key)), 2), near, ways)
    over = across(name, key, near, ways)
    return f"{key}: {at_large}{WORD}{near}: {close}{over and OVER}{over}"


def asked(name: str, key: str, luck: Stream, near: Near | None, ways: Ways) -> str:
    """What a rule answers, changes and tells when it is asked again and again."""
    rules, function = registry.load(name), rules_of(name)[key]
    came = Came()
    takes = inspect.signature(function).parameters.values()
    for number in range(SELDOM.get(key, TIMES if near is None else NEAR)):
        if near is None:
            m, honest = places_of(name)[luck.below(PLACES)]
            g = made_up(honest, luck) if number % 3 else honest.copy()
        else:
            m, honest = (
                matches_of(name)[luck.below(MATCHES)],
                places_of(name)[luck.below(PLACES)][1],
            )
            g = near.position(honest, luck)
        seed = luck.below(1 << 30)
        g.table = notes = ShortNotes(rules, seed)
        before, numbers = g.copy(), Numbers(name, calls_at(rules, m, g), luck, near)
        given = [argument(one, m, g, numbers) for one in takes]
        answer, names = called(function, given)
        way = came.add(answer, names, before, notes, g, *numbers.changes())
        ways.note(way, answer, lambda: Asking(before, _as_given(given, g, numbers), seed))  # noqa: B023
    return str(came)


def _as_given(given: list[Any], g: Any, numbers: Numbers) -> list[Any]:
    """The arguments as they were before, with nothing in the place of the position."""
    space = numbers.space
    return [
        None if one is g else [*space.before] if space and one is space.w else one for one in given
    ]


def across(name: str, key: str, near: Near, ways: Ways) -> str:
    """What a rule answers, changes and tells a step over each edge of each of its ways."""
    rules, function = registry.load(name), rules_of(name)[key]
    takes = list(inspect.signature(function).parameters.values())
    over = edges(near, rules.position.fields, takes)
    if not over or key in UNSWEPT:
        return ""
    came, calls = Came(), 0
    for asking in swept(ways, over):
        g, given = asking.again()
        g.table = notes = ShortNotes(rules, asking.seed)
        answer, names = called(function, given)
        way = came.add(answer, names, asking.g, notes, g, asking.rewritten(given))
        ways.note(way, answer, lambda: asking)  # noqa: B023
        calls += names.total()
        if calls > MOST_CALLS:
            break
    return str(came)


class Came:
    """What came of the askings of a rule."""

    def __init__(self) -> None:
        self.digests, self.raised = Digests("answers", "changes", "told"), 0

    def add(
        self, answer: Any, names: Counter[str], before: Any, notes: Notes, g: Any, *also: Any
    ) -> tuple[Any, ...]:
        """One more; the way that it went: what it called, changed and told."""
        if isinstance(answer, type):
            answer, self.raised = answer.__name__, self.raised + 1
        changed = list(changes(before, g))
        self.digests.add("answers", answer)
        self.digests.add("changes", changed, *also)
        self.digests.add("told", notes.rolled, [(told.name, *told[1:]) for told in notes.told])
        return (
            frozenset(names),
            *(key for key, _ in changed),
            *{told.name: 0 for told in notes.told},
        )

    def __str__(self) -> str:
        return f"{self.digests}{f', {self.raised} times nothing' if self.raised else ''}"


def argument(one: inspect.Parameter, m: Any, g: Any, numbers: Numbers) -> Any:
    """What a rule is given: the match, the position, what may have come of it, or numbers."""
    if one.name == "after":
        return numbers.near.position(g, numbers.luck) if numbers.near else made_up(g, numbers.luck)
    number = numbers.draw(one.name, one.annotation)
    if one.annotation == "Match":
        return m
    return number if one.annotation in ("int", "bool", "list[int]") else g


def changes(before: Any, after: Any) -> Iterator[tuple[str, Any]]:
    for key in before.fields:
        if getattr(before, key) != getattr(after, key):
            yield key, getattr(after, key)


# --- Positions and numbers --------------------------------------------------------------------

PLACES, MATCHES = 150, 24


@cache
def places_of(name: str) -> list[tuple[Any, Any]]:
    """Matches, as they can be and with some values changed, with positions of random games."""
    rules, found = registry.load(name), []
    each = PLACES // len(OPTIONS[name])
    for number, options in enumerate(OPTIONS[name]):
        with places.beside(golden_games.path_of(name)):  # for the charts of the wild teams
            m = rules.new_match(options)
        come_up, both = played(rules, m, number), (m, made_up(m, Stream(SEED, number, 1)))
        found += [(both[at % 2], come_up[at * len(come_up) // each]) for at in range(each)]
    return found


@cache
def matches_of(name: str) -> list[Any]:
    """Many matches, each with other values changed."""
    found = []
    for number in range(MATCHES):
        with places.beside(golden_games.path_of(name)):
            m = registry.load(name).new_match(OPTIONS[name][number % len(OPTIONS[name])])
        found.append(made_up(m, Stream(SEED, number, 3)) if number >= len(OPTIONS[name]) else m)
    return found


def forget() -> None:
    """After a game was read anew: what is kept here is of the old one."""
    for kept_one in (rules_of, places_of, matches_of):
        kept_one.cache_clear()


def calls_at(rules: RuleSet, m: Any, g: Any) -> Sequence[int]:
    """The calls of the question, if one is asked."""
    try:
        return rules.questions[rules.question(m, g)].calls
    except (IndexError, KeyError):
        return ()


def made_up(honest: Any, luck: Stream) -> Any:
    """A position or match with about a third of its values changed."""
    g = honest.copy()
    for key, kind in g.fields.items():
        if luck.below(3) == 0:
            setattr(g, key, any_value(kind, getattr(g, key), luck))
    return g


def any_value(kind: Kind, was: Any, luck: Stream) -> Any:
    """Any value that a field may hold: near the old one, small, where rules change, or any."""
    if isinstance(kind, Whole):
        near, small = was + luck.below(7) - 3, kind.low + luck.below(13)
        mark = MARKS[luck.below(len(MARKS))]
        value = (near, small, mark, kind.low + luck.below(min(kind.high, 199) - kind.low + 1))
        return min(max(value[luck.below(4)], kind.low), kind.high)
    if isinstance(kind, Named):
        return luck.below(len(kind.names) + kind.nullable) - kind.nullable
    if isinstance(kind, Flag):
        return luck.below(2)
    if isinstance(kind, Each | Row) and len(was) <= LONGEST_LIST:
        return [any_value(kind.kind, one, luck) for one in was]
    if isinstance(kind, Many):
        return [luck.below(was[0] + 1), *was[1:]]
    return was
