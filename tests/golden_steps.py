"""Golden steps: positions of random games, shifted, and what calls make of them.

A rule that matters on one yard line, with one second left or after one rare play seldom applies in
games. Here the positions of a random game are changed in one to three places, the valid ones are
set up, and a few calls are tried in each. Then the validation of positions is tested with all
positions that differ in one value from a reached one. `tests/golden/<rule set>-steps.txt` holds a
line of digests for each such game. Every test run tries the first few; the long run and the
mutants try all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import golden_games
from golden_digests import CHOICES_STREAM, Digests, draw_setup
from hashmark.engine import registry
from hashmark.engine.dice import Die
from hashmark.engine.events import EventKind, GameEvent, Values
from hashmark.engine.generator import RandomStream
from hashmark.engine.record import (
    TEAMS,
    FieldKind,
    FlagField,
    IntField,
    KeyedField,
    ListField,
    NameField,
)
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.errors import InvalidPosition
from hashmark.sim.plain import SamplingHandler
from hashmark.storage import search_path

SEED = 21
QUICK, LINES = 3, 24  # of each of the two kinds of lines
MAX_POSITIONS, MOVES = 30, 5  # positions of a game, and how often each is changed
MAX_CALLS = 3  # that are tried in each position
UNCHANGED_STRIDE = 2  # one in this many positions of a game is set up unchanged
NEIGHBORHOODS = 3  # positions of a game of which each value alone is changed
RULE_THRESHOLDS = (1, 2, 4, 5, 6, 9, 10, 11, 15, 16, 20, 21, 99, 100, 500, 501, 900, 901, 999, 1000)
FREQUENT_FIELDS = ("spot", "to_go", "down", "clock", "period", "score")


class RecordingSampler(SamplingHandler):
    """Sampler that records rolls and events."""

    def __init__(self, rules: RuleSet, number: int) -> None:
        super().__init__(rules, SEED, number)
        self.events: list[GameEvent] = []
        self.rolled: list[int] = []

    def roll_die(self, die: Die, team: int) -> int:
        self.rolled.append(super().roll_die(die, team))
        return self.rolled[-1]

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.events.append(GameEvent(event, team, values))


def path_of(rules: str) -> Path:
    return golden_games.FOLDER / f"{rules}-steps.txt"


def stored_lines(rules: str) -> list[str]:
    return path_of(rules).read_text(encoding="utf-8").splitlines()


def current_line(name: str, number: int) -> str:
    """Return the line of one game: steps from moved positions, or from `LINES` on neighbors."""
    rules, random = registry.load(name), RandomStream(SEED, number, CHOICES_STREAM)
    with search_path.search_beside(golden_games.path_of(name)):  # finds the charts named "wild"
        options, _ = draw_setup(rules, golden_games.SERIES[name].variety, random)
        m = rules.new_match(options)
    if number >= LINES:
        return f"{number}. {neighbors_line(rules, m, number, random)}"
    return f"{number}. {steps_line(rules, m, number, random)}"


def steps_line(rules: RuleSet, m: Any, number: int, random: RandomStream) -> str:
    """Return how many positions are valid, and digests of the steps from them."""
    digests, count = Digests("positions", "events", "words", "refusals"), 0
    for g in visited(rules, m, number):
        for position in (g, *moved(rules, m, g, random)):
            count += 1
            add_position(rules, m, position, digests)
            for call in calls_to_try(rules, m, position, random):
                add_step(rules, m, position, call, random, digests)
    return f"{count} positions: {digests}"


def neighbors_line(rules: RuleSet, m: Any, number: int, random: RandomStream) -> str:
    """Return how many positions differ in one value, and digests of what setting them up gives.

    Also covers some reached positions unchanged.
    """
    digests, count = Digests("taken", "refused", "again"), 0
    for g in random_game_positions(rules, m, number)[number % UNCHANGED_STRIDE :: UNCHANGED_STRIDE]:
        digests.add("again", set_up_again(rules, m, g))
    for g in typical_positions(rules, m, number):
        for given in neighbors(g, random):
            count += 1
            try:
                digests.add("taken", rules.new_position(m, given).flat())
            except InvalidPosition as error:
                digests.add("refused", str(error))
    return f"{count} set-ups: {digests}"


def set_up_again(rules: RuleSet, m: Any, g: Any) -> bool | str:
    """Return whether a reached position is unchanged when it is set up, or the error message."""
    try:
        return bool(rules.new_position(m, g.to_json()).flat() == g.flat())
    except InvalidPosition as error:
        return str(error)


def visited(rules: RuleSet, m: Any, number: int) -> Iterator[Any]:
    """Yield positions of a random game, spread evenly from beginning to end."""
    reached = random_game_positions(rules, m, number)
    yield from reached[number % 7 :: 1 + len(reached) // MAX_POSITIONS]


def typical_positions(rules: RuleSet, m: Any, number: int) -> Iterator[Any]:
    """Yield a few positions of a random game, each with another question."""
    by_question: dict[int, list[Any]] = {}
    for g in random_game_positions(rules, m, number):
        by_question.setdefault(rules.question(m, g), []).append(g)
    questions = sorted(by_question, key=lambda question: len(by_question[question]))
    for index in range(NEIGHBORHOODS):
        alike = by_question[
            questions[(number + index * len(questions) // NEIGHBORHOODS) % len(questions)]
        ]
        yield alike[number % len(alike)]


def random_game_positions(rules: RuleSet, m: Any, number: int) -> list[Any]:
    """Return every position of a random game but the last."""
    g = rules.new_position(m)
    g.handler = RecordingSampler(rules, number)
    reached = []
    while not rules.is_over(g):
        reached.append(g.copy())
        calls = rules.questions[rules.question(m, g)].calls
        rules.step(m, g, rules.decide(rules.coach("random"), m, g) if calls else NO_CALL)
    return reached


def calls_to_try(rules: RuleSet, m: Any, g: Any, random: RandomStream) -> list[int]:
    """Return a few of the legal calls, or no call where no team is asked."""
    if rules.is_over(g):
        return []
    calls = rules.legal_calls(m, g) or [NO_CALL]
    return (
        calls
        if len(calls) <= MAX_CALLS
        else [calls[random.randbelow(len(calls))] for _ in range(MAX_CALLS)]
    )


def add_position(rules: RuleSet, m: Any, g: Any, digests: Digests) -> None:
    """Add the texts and legal calls of a position to the digests."""
    words, question = rules.words, rules.questions[rules.question(m, g)]
    digests.add("positions", g.flat(), rules.is_play_over(m, g), rules.team_to_act(m, g))
    digests.add("words", words.clock(m, g), words.situation(m, g, TEAMS), words.line_to_gain(m, g))
    digests.add("refusals", [rules.refusal(m, g, call) for call in question.calls])
    for call in question.calls[:MAX_CALLS]:
        digests.add("words", words.meaning_at(m, g, call, rules.calls[call], TEAMS))


def add_step(
    rules: RuleSet, m: Any, g: Any, call: int, random: RandomStream, digests: Digests
) -> None:
    """Add a step with this call, and its events, to the digests."""
    after = g.copy()
    after.handler = notes = RecordingSampler(rules, random.randbelow(1 << 30))
    rules.step(m, after, call)
    digests.add("positions", after.flat())
    digests.add("events", call, notes.rolled, [event.to_line() for event in notes.events])
    digests.add("words", [rules.words.sentence(event, TEAMS) for event in notes.events])


# --- Moved positions ------------------------------------------------------------------------


def moved(rules: RuleSet, m: Any, g: Any, random: RandomStream) -> Iterator[Any]:
    """Yield the position with some changes, if it can be set up so."""
    given = g.to_json()
    set_fields = [
        key for key, kind in g.fields.items() if given[key] != kind.to_json(kind.new_value())
    ]
    for _ in range(MOVES):
        changed = dict(given)
        for _ in range(1 + random.randbelow(3)):
            keys = ([key for key in FREQUENT_FIELDS if key in given], set_fields, [*given])[
                random.randbelow(4) % 3
            ]
            key = keys[random.randbelow(len(keys))] if keys else "score"
            changed[key] = other_value(g.fields[key], changed[key], random)
        try:
            yield rules.new_position(m, changed)
        except InvalidPosition:
            continue


def other_value(kind: FieldKind, old: Any, random: RandomStream) -> Any:
    """Return another value: near the old one, small, near an end, or any."""
    if isinstance(kind, IntField):
        near = (kind.low if old is None else old) + random.randbelow(7) - 3
        end = kind.high - random.randbelow(4)
        small = kind.low + random.randbelow(13)
        value = (near, small, end, kind.low + random.randbelow(kind.high - kind.low + 1))[
            random.randbelow(4)
        ]
        return min(max(value, kind.low), kind.high)
    if isinstance(kind, NameField):
        return kind.names[random.randbelow(len(kind.names))]
    if isinstance(kind, FlagField):
        return not old
    if isinstance(kind, KeyedField) and old.keys() == set(kind.keys):
        return {key: other_value(kind.kind, old[key], random) for key in kind.keys}
    if isinstance(kind, ListField):
        return old[: random.randbelow(len(old) + 1)]
    return old


# --- One value changed ----------------------------------------------------------------------


def neighbors(g: Any, random: RandomStream) -> Iterator[dict[str, Any]]:
    """Yield the position with one value left out or changed."""
    given = g.to_json()
    for key, kind in g.fields.items():
        yield {name: value for name, value in given.items() if name != key}
        for value in other_values(kind, given[key], random):
            yield {**given, key: value}


def other_values(kind: FieldKind, old: Any, random: RandomStream) -> list[Any]:
    """Return values near the old one, at the ends, and some where rules change."""
    if isinstance(kind, IntField):
        null = [] if kind.null_value is None else [None]
        near = kind.low if old is None else old
        marks = [RULE_THRESHOLDS[random.randbelow(len(RULE_THRESHOLDS))] for _ in range(2)]
        values = [near - 1, near + 1, kind.low, kind.high, *marks]
        return [*null, *(value for value in values if kind.low <= value <= kind.high)]
    if isinstance(kind, NameField):
        return [
            kind.names[random.randbelow(len(kind.names))] for _ in range(min(len(kind.names), 5))
        ]
    if isinstance(kind, FlagField):
        return [not old]
    if isinstance(kind, KeyedField) and old.keys() == set(kind.keys):
        key = kind.keys[random.randbelow(len(kind.keys))]
        return [{key: value} for value in other_values(kind.kind, old[key], random)]
    return [old[: random.randbelow(len(old))]] if old and isinstance(kind, ListField) else []
