"""Fuzzer of positions that a user sets up: an accepted position plays on without a fault.

A case names a game, its options, a coach and a position: one from a random game with a few keys
changed or left out, or some keys with any values. A position may be refused with a sentence. An
accepted one is played in plain Python, with lists that reject negative indices. It must keep the
invariants of the conformance kit, and every position that it leads to must be accepted as well. Its
texts and its odds must work, and in `compare` its compiled game must equal the plain one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from hashmark.conformance.kit import position_violation, step_violation
from hashmark.engine import registry
from hashmark.engine.dice import Die
from hashmark.engine.events import EventKind, GameEvent, Values
from hashmark.engine.record import (
    TEAMS,
    ArrayField,
    FieldKind,
    FlagField,
    IntField,
    KeyedField,
    ListField,
    NameField,
    Record,
)
from hashmark.engine.rule_set import MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.errors import HashmarkError
from hashmark.odds.enumeration import enumerate_step
from hashmark.sim import plain, simulate

from .harness import Finding, Fuzzer, main

GAMES = registry.builtin_names()
OPTION_SETS_PER_GAME = 24
POOL_GAMES = 60  # random games whose positions are changed
POOL_SIZE = 100  # positions kept for each question
CHECKED_STEPS, SLOW_CHECKED_STEPS = 60, 6  # steps played with every check
MAX_LEAVES = 200
SLOW_COACHES = ("search", "reader", "planner")
CHARTS = ("invented", "data-driven-examples")


class StrictList(list[Any]):
    """List that rejects negative indices, as compiled code does."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"index {index}")
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"index {index}")
        super().__setitem__(index, value)


def make_strict(record: Any) -> Any:
    """Replace the lists of a record with lists that reject negative indices."""

    def wrap(value: Any) -> Any:
        return StrictList(wrap(item) for item in value) if isinstance(value, list) else value

    for key in record.fields:
        setattr(record, key, wrap(getattr(record, key)))
    return record


# --- Random games -----------------------------------------------------------------------


def any_options(rules: RuleSet, random: Random) -> dict[str, Any]:
    """Return no options, or a few with random values."""
    chosen: dict[str, Any] = {}
    for option in random.sample(
        rules.setup.options, min(len(rules.setup.options), random.choice((0, 1, 4)))
    ):
        if isinstance(option.allowed, range):
            ends = (option.allowed[0], option.allowed[-1])
            chosen[option.name] = random.choice((*ends, random.choice(option.allowed)))
        elif option.parser is None:
            chosen[option.name] = random.choice(option.allowed)
        elif option.name == "charts":
            chosen[option.name] = random.choice(CHARTS)
        elif option.name == "records":
            chosen[option.name] = {"home": [random.randrange(12), 3], "away": [5, 5]}
    return chosen


@cache
def option_sets(name: str) -> list[dict[str, Any]]:
    """Return the sets of options that the cases of a game use."""
    random = Random(f"options {name}")
    rules = registry.load(name)
    presets = [{"preset": preset} for preset in rules.setup.presets]
    return [{}, *presets, *(any_options(rules, random) for _ in range(OPTION_SETS_PER_GAME))]


@cache
def match_of(name: str, options: str) -> Any:
    return make_strict(registry.load(name).new_match(json.loads(options)))


@cache
def pool(name: str) -> list[list[tuple[dict[str, Any], dict[str, Any]]]]:
    """Return options and positions from random games, equally many for each question."""
    rules = registry.load(name)
    random = Random(f"pool {name}")
    by_question: dict[int, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    seen: Counter[int] = Counter()
    for number in range(POOL_GAMES):
        options = random.choice(option_sets(name))
        m = match_of(name, json.dumps(options))
        for g in playout(rules, m, number):
            question = rules.question(m, g)
            seen[question] += 1
            sampled, slot = by_question.setdefault(question, []), random.randrange(seen[question])
            if len(sampled) < POOL_SIZE:
                sampled.append((options, g.to_json()))
            elif slot < POOL_SIZE:
                sampled[slot] = (options, g.to_json())
    return list(by_question.values())


def playout(rules: RuleSet, m: Any, number: int) -> Iterator[Any]:
    """Yield the positions of a random game; always the same record."""
    g = rules.new_position(m)
    g.handler = plain.SamplingHandler(rules, 1, number)
    while not rules.is_over(g):
        yield g
        rules.step(m, g, any_call(rules, m, g))
    yield g


def any_call(rules: RuleSet, m: Any, g: Any, coach: str = "random") -> int:
    """Return the call of a coach, or NO_CALL if none is asked for."""
    if not rules.questions[rules.question(m, g)].calls:
        return NO_CALL
    return rules.decide(rules.coach(coach), m, g)


# --- Making cases -----------------------------------------------------------------------


def any_value(kind: FieldKind, random: Random) -> Any:
    """Return a value that the kind can parse: a bound or something between."""
    if isinstance(kind, IntField):
        small = min(kind.high, max(kind.low, random.randrange(-3, 12)))
        between = random.randint(kind.low, kind.high)
        value = random.choice((kind.low, kind.high, small, between, between))
        return None if kind.null_value is not None and random.random() < 0.15 else value
    if isinstance(kind, NameField):
        return None if kind.nullable and random.random() < 0.2 else random.choice(kind.names)
    if isinstance(kind, FlagField):
        return random.random() < 0.5
    if isinstance(kind, KeyedField):
        chosen = [key for key in kind.keys if random.random() < 0.6]
        flat = {key: any_value(kind.kind, random) for key in chosen}
        return nest_keys(flat) if any("." in key for key in kind.keys) else flat
    if isinstance(kind, ListField):
        length = random.choice((0, 1, 3, kind.max_length // 2, kind.max_length))
        return [any_value(kind.kind, random) for _ in range(length)]
    assert isinstance(kind, ArrayField)
    return [any_value(kind.kind, random) for _ in range(kind.length)]


def nest_keys(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return counts with two-part names as nested objects."""
    groups: dict[str, Any] = {}
    for key, value in flat.items():
        group, _, name = key.rpartition(".")
        (groups.setdefault(group, {}) if group else groups)[name] = value
    return groups


def change_keys(
    position: dict[str, Any], fields: Mapping[str, FieldKind], random: Random
) -> dict[str, Any]:
    """Return a valid position with one to four keys changed and some left out."""
    result = dict(position)
    defaults = {key: kind.to_json(kind.new_value()) for key, kind in fields.items()}
    non_default = [key for key in sorted(fields) if position[key] != defaults[key]]
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        key = random.choice(
            non_default if non_default and random.random() < 0.7 else sorted(fields)
        )
        result[key] = any_value(fields[key], random)
    if random.random() < 0.3:
        for key in random.sample(sorted(result), random.randrange(len(result))):
            del result[key]
    return result


def random_keys(fields: Mapping[str, FieldKind], random: Random) -> dict[str, Any]:
    """Return some keys with any values."""
    keys = random.sample(sorted(fields), random.choice((1, 2, 3, 5, 8)))
    common = ("phase", "possession", "spot", "period", "clock", "asks", "window")
    keys += [key for key in common if key in fields and random.random() < 0.5]
    return {key: any_value(fields[key], random) for key in keys}


def make_for(name: str, random: Random) -> dict[str, Any]:
    """Return a case of one game."""
    rules = registry.load(name)
    options, position = random.choice(random.choice(pool(name)))
    if random.random() < 0.75:
        position = change_keys(position, rules.position.fields, random)
    else:
        position = random_keys(rules.position.fields, random)
    quick = [coach.name for coach in rules.coaches if coach.name not in SLOW_COACHES]
    slow = [coach.name for coach in rules.coaches if coach.name in SLOW_COACHES]
    coach = random.choice(("random", random.choice(quick)))
    coach = random.choice(slow) if slow and random.random() < 0.02 else coach
    return {
        "rules": name,
        "options": options,
        "position": position,
        "coach": coach,
        "game": random.randrange(1000),
    }


def encode_case(case: Mapping[str, Any]) -> bytes:
    return json.dumps(case).encode()


def make(random: Random) -> bytes:
    return encode_case(make_for(random.choice(GAMES), random))


# --- Checking a case --------------------------------------------------------------------


class CheckingSampler(plain.SamplingHandler):
    """Sampler that checks that dice and events belong to a team."""

    def __init__(self, rules: RuleSet, number: int) -> None:
        super().__init__(rules, 3, number)
        self.events: list[GameEvent] = []

    def roll_die(self, die: Die, team: int) -> int:
        if team not in (0, 1):
            raise Finding(f"team {team} is to roll a {die.name}")
        return super().roll_die(die, team)

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.events.append(GameEvent(event, team, values))
        super().emit(event, team, values)


def read_case(case: bytes) -> tuple[RuleSet, Any, Any, str, int]:
    """Return the game, match, position, coach and number of a case."""
    try:
        data = json.loads(case)
        name, options, position = data["rules"], data["options"], data["position"]
        coach, number = data["coach"], data["game"]
    except (ValueError, KeyError, TypeError):
        raise HashmarkError("no case") from None
    rules = registry.load(name)
    m = match_of(name, json.dumps(options))
    return rules, m, rules.new_position(m, position), rules.coach(coach).name, int(number)


def check(case: bytes) -> None:
    """Check that a position is refused or plays on like any other."""
    rules, m, g, coach, number = read_case(case)
    check_round_trip(rules, m, g)
    check_texts(rules, m, g)
    if number % 40 == 0:
        check_odds(rules, m, g)
    play_checked(rules, m, make_strict(g), coach, number)


def play_checked(rules: RuleSet, m: Any, g: Any, coach: str, number: int) -> None:
    """Play with every check: one game in five to its end, the others for some plays."""
    g.handler = watcher = CheckingSampler(rules, number)
    raise_foul(position_violation(rules, m, g), g)
    slow = coach in SLOW_COACHES
    max_steps = SLOW_CHECKED_STEPS if slow else CHECKED_STEPS if number % 5 else MAX_GAME_STEPS
    for step in range(MAX_GAME_STEPS):
        if rules.is_over(g) or step == max_steps:
            return
        before, watcher.counts = g.copy(), rules.statistics.empty_counts()
        call = any_call(rules, m, g, coach)
        if call != NO_CALL and call not in rules.legal_calls(m, g):
            raise Finding(f"{coach} calls {rules.calls[call]}, which is not allowed, in {g}")
        rules.step(m, g, call)
        raise_foul(step_violation(rules, before, g, watcher.counts), before)
        raise_foul(position_violation(rules, m, g), before)
        if step < 8 or step % 10 == 0 or rules.is_over(g):
            check_round_trip(rules, m, g, before)
        for event in watcher.events:
            rules.words.sentence(event, TEAMS)
        watcher.events.clear()
    raise Finding(f"the game does not end: {g}")


def raise_foul(foul: str | None, before: Any) -> None:
    if foul is not None:
        raise Finding(f"{foul}; from {json.dumps(before.to_json())}")


def check_round_trip(rules: RuleSet, m: Any, g: Any, before: Record | None = None) -> None:
    """Check that the position is accepted when set up again, and is not normalized further."""
    try:
        again = rules.new_position(m, g.to_json())
    except HashmarkError as refusal:
        raise Finding(f"reached, but refused: {refusal}; {g}, from {before}") from None
    if again != g:
        raise Finding(f"reached, but put in order when set up: {g} as {again}, from {before}")


def check_texts(rules: RuleSet, m: Any, g: Any) -> None:
    """Ask the game for all texts of the position."""
    words = rules.words
    words.clock(m, g)
    words.situation(m, g, TEAMS)
    words.line_to_gain(m, g)
    if words.dice_lines is not None:
        words.dice_lines(m, g, TEAMS)
    for call in rules.legal_calls(m, g):
        words.meaning_at(m, g, call, rules.calls[call], TEAMS)


def check_odds(rules: RuleSet, m: Any, g: Any) -> None:
    """Enumerate the first outcomes of the next step."""
    for call in rules.legal_calls(m, g)[:3] or ([] if rules.is_over(g) else [NO_CALL]):
        for _ in islice(enumerate_step(rules, m, g, call), MAX_LEAVES):
            pass


def compare(case: bytes) -> None:
    """Compare the same games in both engines, with every coach that is fast in plain Python."""
    rules, _, g, coach, number = read_case(case)
    coach = "random" if coach in SLOW_COACHES else coach
    data = json.loads(case)
    runs = [
        simulate(
            rules,
            2,
            seed=number,
            home=coach,
            away="random",
            options=data["options"],
            start=g.to_json(),
            engine=engine,
            threads=1,
        )
        for engine in ("plain", "compiled")
    ]
    if runs[0].totals != runs[1].totals:
        raise Finding(f"plain {runs[0].totals} is not compiled {runs[1].totals}")


FUZZER = Fuzzer("positions", ".json", make, check)


def fuzzer_of(name: str, check: Callable[[bytes], object] = check) -> Fuzzer:
    """Return the fuzzer of one game alone."""
    return Fuzzer("positions", ".json", lambda random: encode_case(make_for(name, random)), check)


if __name__ == "__main__":
    main(FUZZER)
