"""Every rule alone: what it answers and changes in made-up positions, whether they can be or not.

In a game a rule meets few of the positions that it knows, and much of what it does in the middle
of a play is forgotten at its end. `tests/golden/<rule set>-rules.txt` has a line for each rule,
with a digest of all that came of it; a line that changed names the rule that now does something
else. `make golden` writes it anew.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import golden_games
from golden_steps import MARKS, Notes, played
from hashmark.referee.digest import Digests
from hashmark.table import places, registry, rule
from hashmark.table.dice import Die
from hashmark.table.generator import Stream
from hashmark.table.record import Each, Flag, Kind, Many, Named, Row, Whole
from hashmark.table.rules import RuleSet

SEED = 22
TIMES = 300  # that each rule is asked
TAKEN = ("Match", "Position", "Any", "int", "bool")  # by rules that are asked; Any is a position
MOST_ROLLS = 100  # of a rule that may never end in a position that cannot be
LONGEST_LIST = 40
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "data-driven": (
        {"charts": "wild", "audibles": "board", "max_usage": True},
        {"charts": "wild", "audibles": "pc", "overtime": "modified", "away_plan": "bold"},
        {"offence_fumble_return": True},
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


def rules_of(name: str) -> dict[str, Callable[..., Any]]:
    """The rules of a game that take a match, positions and numbers, by module and name."""
    registry.load(name)
    package = f"hashmark.games.{name.replace('-', '_')}."
    found = {}
    for module in sorted(one for one in sys.modules if one.startswith(package)):
        for key, function in vars(sys.modules[module]).items():
            if inspect.isfunction(function) and function.__module__ == module and is_rule(function):
                found[f"{module.removeprefix(package)}.{key}"] = function
    return {key: found[key] for key in found if key not in SLOW.get(name, ())}


def is_rule(function: Callable[..., Any]) -> bool:
    takes = [one.annotation for one in inspect.signature(function).parameters.values()]
    known = all(what.removeprefix("p.") in TAKEN for what in takes)
    return bool(takes) and known and function in rule.RULES


def line_of(name: str, key: str) -> str:
    """What comes of one rule."""
    rules, function = registry.load(name), rules_of(name)[key]
    luck, digests = Stream(SEED, sum(map(ord, key)), 0), Digests("answers", "changes", "told")
    takes = inspect.signature(function).parameters.values()
    raised = 0
    for number in range(TIMES):
        m, honest = places_of(name)[luck.below(PLACES)]
        g = made_up(honest, luck) if number % 3 else honest.copy()
        g.table = notes = ShortNotes(rules, luck.below(1 << 30))
        before, calls = g.copy(), calls_at(rules, m, g)
        given = [argument(one, m, g, calls, luck) for one in takes]
        try:
            answer = function(*given)
        except Exception as fault:
            answer, raised = type(fault).__name__, raised + 1
        digests.add("answers", answer)
        digests.add("changes", list(changes(before, g)))
        digests.add("told", notes.rolled, [(told.name, *told[1:]) for told in notes.told])
    return f"{key}: {digests}{f', {raised} times nothing' if raised else ''}"


def argument(one: inspect.Parameter, m: Any, g: Any, calls: Sequence[int], luck: Stream) -> Any:
    """What a rule is given: the match, the position, what may have come of it, or a number."""
    if one.name == "after":
        return made_up(g, luck)
    number = any_number(calls, luck, one.name, one.annotation)
    if one.annotation in ("int", "bool"):
        return number
    return m if one.annotation == "Match" else g


def changes(before: Any, after: Any) -> Iterator[tuple[str, Any]]:
    for key in before.fields:
        if getattr(before, key) != getattr(after, key):
            yield key, getattr(after, key)


# --- Positions and numbers --------------------------------------------------------------------

PLACES = 150


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


def calls_at(rules: RuleSet, m: Any, g: Any) -> Sequence[int]:
    """The calls of the question, if one is asked."""
    try:
        return rules.questions[rules.question(m, g)].calls
    except (IndexError, KeyError):
        return ()


# The first numbers that an argument of this name may be, and how many; others may be anything.
RANGES = {
    **dict.fromkeys(("team", "us", "kicker", "holder", "receiver", "side"), (0, 2)),
    **dict.fromkeys(("own", "noted_own"), (0, 2)),
    **dict.fromkeys(("play", "extension"), (0, 17)),
    **dict.fromkeys(("foul", "noted"), (0, 11)),
    **dict.fromkeys(("down", "timeouts"), (1, 4)),
    **dict.fromkeys(("die", "best", "taken", "also"), (-1, 9)),
    "style": (0, 3),
    "which": (0, 4),
    "plan": (0, 4),
    "section": (0, 9),
    "row": (2, 11),
    "column": (0, 18),
    "kind": (0, 16),
    "formation": (0, 6),
}
ROLLED = ("number", "first", "second", "roll")  # two dice side by side, in Rapid Roll
CELLS = (
    *("5", "-3", "0", "12*", "6!", "TD", "(TD)", "(4)", "B", "INT 7", "F 3", "BLK 4", "PI 9", "QT"),
    *("OFF 5", "OFF 10", "OFF 15*", "DEF 5", "DEF 5X", "DEF 15", "INC", "G", "NG", "-8*", "44", ""),
)


def any_number(calls: Sequence[int], luck: Stream, name: str, what: str) -> int:
    """A number that an argument of this name may well be."""
    if what == "bool":
        return luck.below(2)
    if name == "call":
        return calls[luck.below(len(calls))] if calls and luck.below(2) else luck.below(40)
    if name == "cell":
        from hashmark.games.data_driven.charts.cells import parse

        return parse(CELLS[luck.below(len(CELLS))])
    if name in RANGES:
        return RANGES[name][0] + luck.below(RANGES[name][1])
    if name in ROLLED and luck.below(8):
        return 10 * (1 + luck.below(6)) + 1 + luck.below(6)
    small, spot = luck.below(13), luck.below(101)
    return (luck.below(2), small, spot, luck.below(31) - 15)[luck.below(4)]


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
