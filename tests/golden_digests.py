"""One line of digests per game, which changes with anything the game does or says.

A golden playthrough is read by people; a line here is only compared. Each part of a game has a
short digest of its own, so that a changed line says where to look.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from hashmark.conformance.kit import ConformanceKit
from hashmark.engine.dice import Die, Pool
from hashmark.engine.drawings import make_drawing
from hashmark.engine.game import Game, SeededDice, Turn
from hashmark.engine.generator import RandomStream
from hashmark.engine.record import FieldKind, PositionRecord, Record
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.errors import IllegalCall, InvalidPosition
from hashmark.session.scenario import ScenarioResult, event_lines
from hashmark.sheets import blank_sheet, sheet_of
from hashmark.sim.plain import SamplingHandler
from hashmark.text import summary

# Random streams from which a game's options, start and coaches, and other positions are drawn.
CHOICES_STREAM, ELSEWHERE_STREAM = 2, 3
SHORT_PARTS = ("calls", "events", "positions", "words", "figures")
PARTS = ("calls", "events", "positions", "words", "refusals", "coaches", "figures", "sheet")

PART_OF = {  # the digest that a field of a rule set belongs to; all others belong to "words"
    **dict.fromkeys(("calls", "version", "presets"), "calls"),
    **dict.fromkeys(("position", "match"), "positions"),
    **dict.fromkeys(("figures", "columns", "compile_effort"), "figures"),
    "statistics": "events",
    "refusals": "refusals",
}


@dataclass(frozen=True)
class Variety:
    """Ways in which the games of a rule set differ, apart from their dice.

    `options`: values to try of an option (all, if it is a plain switch).
    `starts`: positions that every other game begins in.
    `ask_every`: slow coaches, which are asked only every so many turns.
    `ask_elsewhere`: whether coaches are also asked in made-up positions.
    """

    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    starts: Sequence[Mapping[str, Any]] = ()
    ask_every: Mapping[str, int] = field(default_factory=dict)
    ask_elsewhere: bool = True


class Digests:
    """Digest of each part of a game, updated as the game goes on."""

    def __init__(self, *parts: str) -> None:
        self.hashes = {part: hashlib.blake2b(digest_size=4) for part in parts or PARTS}

    def add(self, part: str, *values: object) -> None:
        self.hashes[part].update(repr(values).encode())

    def __str__(self) -> str:
        return " ".join(f"{part} {digest.hexdigest()}" for part, digest in self.hashes.items())


class AnnouncedDice(SeededDice):
    """Seeded dice that record what a person would be asked to roll, and its odds."""

    def __init__(self, number: int, digests: Digests) -> None:
        super().__init__(20, number)
        self.digests = digests
        self.seen_pools: set[int] = set()

    def announce_pool(self, pool: Pool, team: int) -> None:
        self.digests.add("words", pool.description, team)
        if id(pool) not in self.seen_pools:
            self.seen_pools.add(id(pool))
            self.digests.add("figures", pool.name, pool.odds)

    def next_face(self, die: Die, team: int) -> int:
        self.announce_pool(die, team)
        return super().next_face(die, team)


def game_line(rules: RuleSet, number: int, variety: Variety, short: bool = False) -> str:
    """Return game `number` as one line: its coaches, options and score, and a digest of every part.

    A `short` line covers the play alone: no coach is asked for other calls, and the table is not
    rendered.
    """
    random, digests = (
        RandomStream(20, number, CHOICES_STREAM),
        Digests(*SHORT_PARTS if short else PARTS),
    )
    options, start = draw_setup(rules, variety, random)
    dice = AnnouncedDice(number, digests)
    try:
        game = Game(rules, options, dice=dice, start=start, seed=20, number=number)
    except InvalidPosition:  # not with these options: from the beginning, then
        game = Game(rules, options, dice=dice, seed=20, number=number)
    quick = [coach for coach in rules.coaches if coach.name not in variety.ask_every]
    pair = [
        quick[0] if random.randbelow(2) else quick[random.randbelow(len(quick))] for _ in range(2)
    ]
    _add_position(game, digests, None if short else variety)
    for turn in _play(game, pair):
        digests.add("calls", turn.team, turn.call, turn.faces)
        digests.add("events", [event.to_line() for event in turn.events])
        digests.add("words", game.sentences(turn))
        _add_position(game, digests, None if short else variety)
        if not short:
            digests.add("sheet", make_drawing(game, game.team_to_act))
    digests.add("figures", summary.game_json(game))
    if not short:
        digests.add("sheet", sheet_of(game))
    home, away = game.position.score
    chosen = "".join(f" {name}={value}" for name, value in game.options.items())
    return (
        f"{number}. {pair[0].name} {home}, {pair[1].name} {away}, {len(game.turns)} turns{chosen}: "
        f"{digests}"
    )


def draw_setup(
    rules: RuleSet, variety: Variety, random: RandomStream
) -> tuple[Mapping[str, Any], Any]:
    """Draw options to change, and a start from the list or none."""
    options = {}
    for option in rules.setup.options:
        values = variety.options.get(option.name, () if option.parser else option.allowed)
        if values and random.randbelow(2):
            options[option.name] = values[random.randbelow(len(values))]
    if variety.starts and random.randbelow(2):
        return options, variety.starts[random.randbelow(len(variety.starts))]
    return options, None


def _play(game: Game, pair: Sequence[Coach]) -> Iterator[Turn]:
    """Yield the turns of the game, with its two coaches calling."""
    kit = ConformanceKit(game.rules)
    while not game.is_over:
        yield next(kit.playout(game, pair[max(game.team_to_act, 0)]))


def _add_position(game: Game, digests: Digests, variety: Variety | None) -> None:
    """Add everything that can be asked of a position; without a variety only its fields."""
    rules, m, g, words = game.rules, game.match, game.position, game.rules.words
    digests.add("positions", [getattr(g, key) for key in g.fields])
    if variety is None:
        return
    digests.add("refusals", rules.is_play_over(m, g))
    situation = words.situation(m, g, game.names)
    digests.add("words", words.clock(m, g), situation, words.line_to_gain(m, g))
    digests.add(
        "words", words.when(m, g), words.play_begins is not None and words.play_begins(m, g)
    )
    if words.dice_lines is not None:
        digests.add("words", words.dice_lines(m, g, game.names))
    question = game.question
    for call in (*question.calls, *question.unlisted_calls[len(game.turns) % 16 :: 16]):
        digests.add("refusals", call, rules.refusal(m, g, call))
        digests.add("words", words.meaning_at(m, g, call, rules.calls[call], game.names))
    if not game.wants_call:
        return
    digests.add("refusals", _illegal_call_message(game))
    _ask_coaches(game, g, digests, variety)
    elsewhere = _elsewhere(game) if variety.ask_elsewhere else None
    if elsewhere is not None:
        _ask_coaches(game, elsewhere, digests, variety)


def _ask_coaches(game: Game, g: PositionRecord, digests: Digests, variety: Variety) -> None:
    """Add what each coach would call in a position."""
    rules, m, turn = game.rules, game.match, len(game.turns)
    view = rules.view(m, g, rules.team_to_act(m, g)).copy()
    for coach in rules.coaches:
        if turn % variety.ask_every.get(coach.name, 1) == 0:
            view.handler = SamplingHandler(rules, 20, turn)
            digests.add("coaches", coach.name, rules.decide(coach, m, view))


def _elsewhere(game: Game) -> Any:
    """Return the same question with another score, clock and spot, if such a position can exist."""
    g, fields = game.position, game.position.fields
    random = RandomStream(20, len(game.turns) * 1000 + g.clock, ELSEWHERE_STREAM)
    given = g.to_json()
    given["score"] = {team: random.randbelow(30) for team in given["score"]}
    given["clock"] = random.randbelow(
        1 + (12 if random.randbelow(2) else min(fields["clock"].high, 900))
    )
    if given["spot"] is not None:
        given["spot"] = 1 + random.randbelow(99)
    if given.get("to_go") is not None:
        given["to_go"] = 1 + random.randbelow(min(15, 100 - given["spot"]))
        given["down"] = 1 + random.randbelow(4)
    try:
        position = game.rules.new_position(game.match, given)
    except InvalidPosition:
        return None
    question = game.rules.questions[game.rules.question(game.match, position)]
    return position if question.calls and game.rules.legal_calls(game.match, position) else None


def _illegal_call_message(game: Game) -> str:
    """Return the message about an illegal call, or an empty string; each turn tries another."""
    name = game.rules.calls[len(game.turns) % len(game.rules.calls)]
    try:
        game.rules.parse_call(game.match, game.position, name)
    except IllegalCall as fault:
        return str(fault)
    return ""


def scenario_line(outcome: ScenarioResult) -> str:
    """Return a scenario as one line: every event, and a digest of where it ended."""
    game = outcome.game
    if game is None:
        return f"{outcome.id}: refused"
    digests = Digests("positions", "words", "figures")
    digests.add("positions", game.position.to_json())
    digests.add("words", [game.sentences(turn) for turn in game.turns])
    digests.add("figures", game.statistics())
    return f"{outcome.id}: {', '.join(event_lines(game)) or 'nothing told'}; {digests}"


def rules_line(rules: RuleSet) -> str:
    """Return the declarations of a rule set as one line of digests."""
    digests = Digests()
    for declared in fields(rules):
        part = PART_OF.get(declared.name, "words")
        digests.add(part, declared.name, describe_declaration(getattr(rules, declared.name)))
    digests.add("words", rules.words.list_tables())
    digests.add("words", [rules.words.format_time(amount) for amount in range(100)])
    digests.add("figures", _odds_tables(rules))
    digests.add("positions", rules.new_position(rules.new_match()).to_json())
    digests.add("sheet", blank_sheet(rules))
    return f"{rules.name} {rules.version}: {digests}"


def describe_declaration(value: object) -> Any:
    """Return a declaration in full: functions by name, files by name and existence."""
    if isinstance(value, type) and issubclass(value, Record):
        return describe_declaration(value.fields)
    if isinstance(value, FieldKind):
        return type(value).__name__, describe_declaration(dict(sorted(_declaration(value).items())))
    if is_dataclass(value):
        return [
            (part.name, describe_declaration(getattr(value, part.name))) for part in fields(value)
        ]
    if isinstance(value, Mapping):
        return [
            (describe_declaration(key), describe_declaration(item)) for key, item in value.items()
        ]
    if isinstance(value, Path):
        return value.name, value.exists()
    if isinstance(value, list | tuple):
        return [describe_declaration(item) for item in value]
    if isinstance(value, partial):  # what it is bound to may be a path of this machine
        return describe_declaration(value.func)
    return getattr(value, "__name__", repr(value))


def _declaration(kind: FieldKind) -> dict[str, Any]:
    """Return the attributes a kind was created with, without cached properties."""
    cached = {key for key, value in vars(FieldKind).items() if isinstance(value, cached_property)}
    return {key: value for key, value in vars(kind).items() if key not in cached}


def _odds_tables(rules: RuleSet) -> list[Any]:
    """Return the rule set's own odds tables, with a full clock and with less."""
    m, g = rules.new_match(), rules.new_position(rules.new_match())
    tables = []
    while rules.presentation.odds_tables is not None and g.clock > 0:
        tables.append(rules.presentation.odds_tables(m, g))
        g.clock //= 2
    return tables
