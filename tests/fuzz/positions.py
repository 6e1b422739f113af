"""Fuzzes positions that a user sets up: what is accepted plays on under the referee's eyes.

A case names a game, its options, a coach and a position: one from a random game with a few keys
changed or left out, some keys with any values at all, or one odd value in an honest position.
A position may be refused with a sentence. One that is accepted plays in plain Python, with lists
that know no negative index, keeps the referee's invariants, and every position that it leads to
is accepted as well; its words, its odds and, in `compare`, its compiled game are those of any
other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from hashmark.odds.plain import leaves
from hashmark.referee.invariants import foul_in_position, foul_in_step
from hashmark.sim import plain, simulate
from hashmark.table import registry
from hashmark.table.dice import Die
from hashmark.table.errors import HashmarkError
from hashmark.table.events import Event, Told
from hashmark.table.record import Each, Flag, Kind, Many, Named, Record, Row, Whole
from hashmark.table.rules import LONGEST_GAME, NO_CALL, RuleSet

from .harness import Finding, Fuzzer, main

GAMES = registry.built_in()
OPTION_SETS = 24  # of each game
POOL_GAMES = 60  # honest games whose positions are changed
POOL = 100  # of the positions in which a question is asked
WATCHED, SLOWLY_WATCHED = 60, 6  # steps that are played with every check
MOST_LEAVES = 200
SLOW_COACHES = ("search", "reader", "planner")
CHARTS = ("invented", "data-driven-examples")


class StrictList(list[Any]):
    """A list as compiled code has it: no index below 0."""

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, int) and at < 0:
            raise IndexError(f"index {at}")
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, int) and at < 0:
            raise IndexError(f"index {at}")
        super().__setitem__(at, value)


def strict(record: Any) -> Any:
    """The record with lists that know no negative index."""

    def wrapped(value: Any) -> Any:
        return StrictList(wrapped(one) for one in value) if isinstance(value, list) else value

    for key in record.fields:
        setattr(record, key, wrapped(getattr(record, key)))
    return record


# --- Honest games -----------------------------------------------------------------------


def any_options(rules: RuleSet, random: Random) -> dict[str, Any]:
    """The defaults, or a few options turned."""
    chosen: dict[str, Any] = {}
    for option in random.sample(rules.options, min(len(rules.options), random.choice((0, 1, 4)))):
        if isinstance(option.allowed, range):
            ends = (option.allowed[0], option.allowed[-1])
            chosen[option.name] = random.choice((*ends, random.choice(option.allowed)))
        elif option.reader is None:
            chosen[option.name] = random.choice(option.allowed)
        elif option.name == "charts":
            chosen[option.name] = random.choice(CHARTS)
        elif option.name == "records":
            chosen[option.name] = {"home": [random.randrange(12), 3], "away": [5, 5]}
    return chosen


@cache
def option_sets(name: str) -> list[dict[str, Any]]:
    """The sets of options that the cases of a game have."""
    random = Random(f"options {name}")
    rules = registry.load(name)
    presets = [{"preset": preset} for preset in rules.presets]
    return [{}, *presets, *(any_options(rules, random) for _ in range(OPTION_SETS))]


@cache
def match_of(name: str, options: str) -> Any:
    return strict(registry.load(name).new_match(json.loads(options)))


@cache
def pool(name: str) -> list[list[tuple[dict[str, Any], dict[str, Any]]]]:
    """Options and positions from random games, as many of every question, rare or not."""
    rules = registry.load(name)
    random = Random(f"pool {name}")
    found: dict[int, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    seen: Counter[int] = Counter()
    for number in range(POOL_GAMES):
        options = random.choice(option_sets(name))
        m = match_of(name, json.dumps(options))
        for g in playout(rules, m, number):
            asked = rules.question(m, g)
            seen[asked] += 1
            kept, at = found.setdefault(asked, []), random.randrange(seen[asked])
            if len(kept) < POOL:
                kept.append((options, g.to_json()))
            elif at < POOL:
                kept[at] = (options, g.to_json())
    return list(found.values())


def playout(rules: RuleSet, m: Any, number: int) -> Iterator[Any]:
    """The positions of a random game; the same record every time."""
    g = rules.new_position(m)
    g.table = plain.Sampler(rules, 1, number)
    while not rules.is_over(g):
        yield g
        rules.step(m, g, any_call(rules, m, g))
    yield g


def any_call(rules: RuleSet, m: Any, g: Any, coach: str = "random") -> int:
    """The call of a coach, if one is asked for."""
    if not rules.questions[rules.question(m, g)].calls:
        return NO_CALL
    return rules.decide(rules.coach(coach), m, g)


# --- Making cases -----------------------------------------------------------------------


def any_value(kind: Kind, random: Random) -> Any:
    """A value that the kind can read: its ends and what lies between."""
    if isinstance(kind, Whole):
        small = min(kind.high, max(kind.low, random.randrange(-3, 12)))
        between = random.randint(kind.low, kind.high)
        value = random.choice((kind.low, kind.high, small, between, between))
        return None if kind.null is not None and random.random() < 0.15 else value
    if isinstance(kind, Named):
        return None if kind.nullable and random.random() < 0.2 else random.choice(kind.names)
    if isinstance(kind, Flag):
        return random.random() < 0.5
    if isinstance(kind, Each):
        chosen = [key for key in kind.keys if random.random() < 0.6]
        flat = {key: any_value(kind.kind, random) for key in chosen}
        return nested(flat) if any("." in key for key in kind.keys) else flat
    if isinstance(kind, Many):
        most = random.choice((0, 1, 3, kind.most // 2, kind.most))
        return [any_value(kind.kind, random) for _ in range(most)]
    assert isinstance(kind, Row)
    return [any_value(kind.kind, random) for _ in range(kind.length)]


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Counts with two-part names as the objects that they are written as."""
    made: dict[str, Any] = {}
    for key, value in flat.items():
        group, _, name = key.rpartition(".")
        (made.setdefault(group, {}) if group else made)[name] = value
    return made


def changed(position: dict[str, Any], fields: Mapping[str, Kind], random: Random) -> dict[str, Any]:
    """An honest position with one to four keys changed, some left out."""
    made = dict(position)
    at_rest = {key: kind.to_json(kind.new()) for key, kind in fields.items()}
    telling = [key for key in sorted(fields) if position[key] != at_rest[key]]
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        key = random.choice(telling if telling and random.random() < 0.7 else sorted(fields))
        made[key] = any_value(fields[key], random)
    if random.random() < 0.3:
        for key in random.sample(sorted(made), random.randrange(len(made))):
            del made[key]
    return made


def partial(fields: Mapping[str, Kind], random: Random) -> dict[str, Any]:
    """Some keys with any values."""
    keys = random.sample(sorted(fields), random.choice((1, 2, 3, 5, 8)))
    common = ("phase", "possession", "spot", "period", "clock", "asks", "window")
    keys += [key for key in common if key in fields and random.random() < 0.5]
    return {key: any_value(fields[key], random) for key in keys}


def make_for(name: str, random: Random) -> dict[str, Any]:
    """A case of one game."""
    rules = registry.load(name)
    options, position = random.choice(random.choice(pool(name)))
    if random.random() < 0.75:
        position = changed(position, rules.position.fields, random)
    else:
        position = partial(rules.position.fields, random)
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


def written(case: Mapping[str, Any]) -> bytes:
    return json.dumps(case).encode()


def make(random: Random) -> bytes:
    return written(make_for(random.choice(GAMES), random))


# --- Checking a case --------------------------------------------------------------------


class Watcher(plain.Sampler):
    """Rolls and counts, and sees to it that dice and events belong to a team."""

    def __init__(self, rules: RuleSet, number: int) -> None:
        super().__init__(rules, 3, number)
        self.told: list[Told] = []

    def die(self, die: Die, team: int) -> int:
        if team not in (0, 1):
            raise Finding(f"team {team} is to roll a {die.name}")
        return super().die(die, team)

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.told.append(Told(event, team, a, b, c))
        super().tell(event, team, a, b, c)


def read(case: bytes) -> tuple[RuleSet, Any, Any, str, int]:
    """The game, match, position, coach and number of a case."""
    try:
        given = json.loads(case)
        name, options, position = given["rules"], given["options"], given["position"]
        coach, number = given["coach"], given["game"]
    except (ValueError, KeyError, TypeError):
        raise HashmarkError("no case") from None
    rules = registry.load(name)
    m = match_of(name, json.dumps(options))
    return rules, m, rules.new_position(m, position), rules.coach(coach).name, int(number)


def check(case: bytes) -> None:
    """A position is refused, or plays on as any other."""
    rules, m, g, coach, number = read(case)
    came_back(rules, m, g)
    speak(rules, m, g)
    if number % 40 == 0:
        odds(rules, m, g)
    watch(rules, m, strict(g), coach, number)


def watch(rules: RuleSet, m: Any, g: Any, coach: str, number: int) -> None:
    """Play with every check; one game in five to its end, the others for some plays."""
    g.table = table = Watcher(rules, number)
    complain(foul_in_position(rules, m, g), g)
    slow = coach in SLOW_COACHES
    most = SLOWLY_WATCHED if slow else WATCHED if number % 5 else LONGEST_GAME
    for step in range(LONGEST_GAME):
        if rules.is_over(g) or step == most:
            return
        before, table.counts = g.copy(), rules.statistics.zero()
        call = any_call(rules, m, g, coach)
        if call != NO_CALL and call not in rules.legal_calls(m, g):
            raise Finding(f"{coach} calls {rules.calls[call]}, which is not allowed, in {g}")
        rules.step(m, g, call)
        complain(foul_in_step(rules, before, g, table.counts), before)
        complain(foul_in_position(rules, m, g), before)
        if step < 8 or step % 10 == 0 or rules.is_over(g):
            came_back(rules, m, g, before)
        for told in table.told:
            rules.words.sentence(told)
        table.told.clear()
    raise Finding(f"the game does not end: {g}")


def complain(foul: str | None, before: Any) -> None:
    if foul is not None:
        raise Finding(f"{foul}; from {json.dumps(before.to_json())}")


def came_back(rules: RuleSet, m: Any, g: Any, before: Record | None = None) -> None:
    """The position is accepted when it is set up again, and settling changes nothing."""
    try:
        back = rules.new_position(m, g.to_json())
    except HashmarkError as refusal:
        raise Finding(f"reached, but refused: {refusal}; {g}, from {before}") from None
    if back != g:
        raise Finding(f"reached, but put in order when set up: {g} as {back}, from {before}")


def speak(rules: RuleSet, m: Any, g: Any) -> None:
    """What the game says of the position."""
    words = rules.words
    words.clock(m, g)
    words.situation(m, g)
    words.to_gain(m, g)
    if words.lying is not None:
        words.lying(m, g)
    for call in rules.legal_calls(m, g):
        words.meaning(m, g, call, rules.calls[call])


def odds(rules: RuleSet, m: Any, g: Any) -> None:
    """The first ways in which the step can go."""
    for call in rules.legal_calls(m, g)[:3] or ([] if rules.is_over(g) else [NO_CALL]):
        for _ in islice(leaves(rules, m, g, call), MOST_LEAVES):
            pass


def compare(case: bytes) -> None:
    """The same games in both engines, with every coach that is quick in plain Python."""
    rules, _, g, coach, number = read(case)
    coach = "random" if coach in SLOW_COACHES else coach
    given = json.loads(case)
    runs = [
        simulate(
            rules,
            2,
            seed=number,
            home=coach,
            away="random",
            options=given["options"],
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
    """The fuzzer of one game alone."""
    return Fuzzer("positions", ".json", lambda random: written(make_for(name, random)), check)


if __name__ == "__main__":
    main(FUZZER)
