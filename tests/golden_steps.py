"""One step from everywhere: positions of random games, moved about, and what calls make of them.

A rule that counts on one yard line, with one second left or after one rare play is seldom asked in
games. Here it is: the positions of a random game are changed in one to three places, those that can
be are set up, and a few calls are tried in each. After that the check of set-up positions has its
turn: all that differ in one value from a position that came up. `tests/golden/<rule set>-steps.txt`
holds a line of digests for each such game. The first few are tried in every run of the tests, all
of them in the long one and by the mutants.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import golden_games
from hashmark.referee.digest import CHOICES, Digests, drawn
from hashmark.sim.plain import Sampler
from hashmark.table import places, registry
from hashmark.table.dice import Die
from hashmark.table.errors import InvalidPosition
from hashmark.table.events import Event, Told
from hashmark.table.generator import Stream
from hashmark.table.record import Each, Flag, Kind, Many, Named, Whole
from hashmark.table.rules import NO_CALL, RuleSet

SEED = 21
QUICK, LINES = 3, 24  # of each of the two kinds of lines
TAKEN, MOVES = 30, 5  # positions of a game, and how often each is changed
ASKED = 3  # calls that are tried in each
AGAIN = 2  # of so many positions of a game one is set up as it is
HONEST = 3  # positions of a game of which each value alone is changed
MARKS = (1, 2, 4, 5, 6, 9, 10, 11, 15, 16, 20, 21, 99, 100, 500, 501, 900, 901, 999, 1000)
FREQUENT = ("spot", "to_go", "down", "clock", "period", "score")


class Notes(Sampler):
    """Rolls, and keeps what is told."""

    def __init__(self, rules: RuleSet, number: int) -> None:
        super().__init__(rules, SEED, number)
        self.told: list[Told] = []
        self.rolled: list[int] = []

    def die(self, die: Die, team: int) -> int:
        self.rolled.append(super().die(die, team))
        return self.rolled[-1]

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.told.append(Told(event, team, a, b, c))


def path_of(rules: str) -> Path:
    return golden_games.FOLDER / f"{rules}-steps.txt"


def kept(rules: str) -> list[str]:
    return path_of(rules).read_text(encoding="utf-8").splitlines()


def line_of(name: str, number: int) -> str:
    """The line of one game: a step from everywhere, or from `LINES` on the positions near by."""
    rules, luck = registry.load(name), Stream(SEED, number, CHOICES)
    with places.beside(golden_games.path_of(name)):  # for the charts of the wild teams
        options, _ = drawn(rules, golden_games.SERIES[name].variety, luck)
        m = rules.new_match(options)
    if number >= LINES:
        return f"{number}. {near_by(rules, m, number, luck)}"
    return f"{number}. {steps_from(rules, m, number, luck)}"


def steps_from(rules: RuleSet, m: Any, number: int, luck: Stream) -> str:
    """How many positions could be, and what came of them."""
    digests, found = Digests("positions", "events", "words", "refusals"), 0
    for g in visited(rules, m, number):
        for there in (g, *elsewhere(rules, m, g, luck)):
            found += 1
            look(rules, m, there, digests)
            for call in tried(rules, m, there, luck):
                try_out(rules, m, there, call, luck, digests)
    return f"{found} positions: {digests}"


def near_by(rules: RuleSet, m: Any, number: int, luck: Stream) -> str:
    """How many positions there are with one value changed, and what is said of each; and of some
    that came up as they are.
    """
    digests, found = Digests("taken", "refused", "again"), 0
    for g in played(rules, m, number)[number % AGAIN :: AGAIN]:
        digests.add("again", set_up_again(rules, m, g))
    for g in honest(rules, m, number):
        for given in neighbours(g, luck):
            found += 1
            try:
                digests.add("taken", rules.new_position(m, given).flat())
            except InvalidPosition as complaint:
                digests.add("refused", str(complaint))
    return f"{found} set-ups: {digests}"


def set_up_again(rules: RuleSet, m: Any, g: Any) -> bool | str:
    """Whether a position that came up is the same when it is set up, or what is said of it."""
    try:
        return bool(rules.new_position(m, g.to_json()).flat() == g.flat())
    except InvalidPosition as complaint:
        return str(complaint)


def visited(rules: RuleSet, m: Any, number: int) -> Iterator[Any]:
    """Positions of a random game: as many of its beginning, its middle and its end."""
    found = played(rules, m, number)
    yield from found[number % 7 :: 1 + len(found) // TAKEN]


def honest(rules: RuleSet, m: Any, number: int) -> Iterator[Any]:
    """A few positions of a random game, each with another question."""
    found: dict[int, list[Any]] = {}
    for g in played(rules, m, number):
        found.setdefault(rules.question(m, g), []).append(g)
    kinds = sorted(found, key=lambda asked: len(found[asked]))
    for at in range(HONEST):
        alike = found[kinds[(number + at * len(kinds) // HONEST) % len(kinds)]]
        yield alike[number % len(alike)]


def played(rules: RuleSet, m: Any, number: int) -> list[Any]:
    """Every position of a random game but the last."""
    g = rules.new_position(m)
    g.table = Notes(rules, number)
    found = []
    while not rules.is_over(g):
        found.append(g.copy())
        wanted = rules.questions[rules.question(m, g)].calls
        rules.step(m, g, rules.decide(rules.coach("random"), m, g) if wanted else NO_CALL)
    return found


def tried(rules: RuleSet, m: Any, g: Any, luck: Stream) -> list[int]:
    """A few of the calls that are allowed; none is a call too, where nobody is asked."""
    if rules.is_over(g):
        return []
    calls = rules.legal_calls(m, g) or [NO_CALL]
    return calls if len(calls) <= ASKED else [calls[luck.below(len(calls))] for _ in range(ASKED)]


def look(rules: RuleSet, m: Any, g: Any, digests: Digests) -> None:
    """What is said and allowed here."""
    words, question = rules.words, rules.questions[rules.question(m, g)]
    digests.add("positions", g.flat(), rules.play_over(m, g), rules.asked(m, g))
    digests.add("words", words.clock(m, g), words.situation(m, g), words.to_gain(m, g))
    digests.add("refusals", [rules.refusal(m, g, call) for call in question.calls])
    for call in question.calls[:ASKED]:
        digests.add("words", words.meaning(m, g, call, rules.calls[call]))


def try_out(rules: RuleSet, m: Any, g: Any, call: int, luck: Stream, digests: Digests) -> None:
    """A step with this call, and what it told."""
    there = g.copy()
    there.table = notes = Notes(rules, luck.below(1 << 30))
    rules.step(m, there, call)
    digests.add("positions", there.flat())
    digests.add("events", call, notes.rolled, [told.line() for told in notes.told])
    digests.add("words", [rules.words.sentence(told) for told in notes.told])


# --- Elsewhere ------------------------------------------------------------------------------


def elsewhere(rules: RuleSet, m: Any, g: Any, luck: Stream) -> Iterator[Any]:
    """The position with some changes, if it can be set up so."""
    given = g.to_json()
    telling = [key for key, kind in g.fields.items() if given[key] != kind.to_json(kind.new())]
    for _ in range(MOVES):
        changed = dict(given)
        for _ in range(1 + luck.below(3)):
            keys = ([key for key in FREQUENT if key in given], telling, [*given])[luck.below(4) % 3]
            key = keys[luck.below(len(keys))] if keys else "score"
            changed[key] = another(g.fields[key], changed[key], luck)
        try:
            yield rules.new_position(m, changed)
        except InvalidPosition:
            continue


def another(kind: Kind, was: Any, luck: Stream) -> Any:
    """Another value: near the old one, small, near an end, or any."""
    if isinstance(kind, Whole):
        near = (kind.low if was is None else was) + luck.below(7) - 3
        end = kind.high - luck.below(4)
        small = kind.low + luck.below(13)
        value = (near, small, end, kind.low + luck.below(kind.high - kind.low + 1))[luck.below(4)]
        return min(max(value, kind.low), kind.high)
    if isinstance(kind, Named):
        return kind.names[luck.below(len(kind.names))]
    if isinstance(kind, Flag):
        return not was
    if isinstance(kind, Each) and was.keys() == set(kind.keys):
        return {key: another(kind.kind, was[key], luck) for key in kind.keys}
    if isinstance(kind, Many):
        return was[: luck.below(len(was) + 1)]
    return was


# --- One value changed ----------------------------------------------------------------------


def neighbours(g: Any, luck: Stream) -> Iterator[dict[str, Any]]:
    """The position with one value left out, or another one."""
    given = g.to_json()
    for key, kind in g.fields.items():
        yield {name: value for name, value in given.items() if name != key}
        for value in others(kind, given[key], luck):
            yield {**given, key: value}


def others(kind: Kind, was: Any, luck: Stream) -> list[Any]:
    """Values near the old one, at the ends, and some where rules change."""
    if isinstance(kind, Whole):
        null = [] if kind.null is None else [None]
        near = kind.low if was is None else was
        marks = [MARKS[luck.below(len(MARKS))] for _ in range(2)]
        values = [near - 1, near + 1, kind.low, kind.high, *marks]
        return [*null, *(value for value in values if kind.low <= value <= kind.high)]
    if isinstance(kind, Named):
        return [kind.names[luck.below(len(kind.names))] for _ in range(min(len(kind.names), 5))]
    if isinstance(kind, Flag):
        return [not was]
    if isinstance(kind, Each) and was.keys() == set(kind.keys):
        key = kind.keys[luck.below(len(kind.keys))]
        return [{key: value} for value in others(kind.kind, was[key], luck)]
    return [was[: luck.below(len(was))]] if was and isinstance(kind, Many) else []
