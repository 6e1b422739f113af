"""Many games in a line each: whatever a game does, tells or says differently shows in its line.

A golden playthrough is read by people; a line here is only compared. Each part of a game has a
short digest of its own, so that a line which changed says where to look.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hashmark.referee.referee import Referee
from hashmark.sheet import blank_sheet, sheet_of
from hashmark.sim.plain import Sampler
from hashmark.table.dice import Die, Pool
from hashmark.table.drawings import drawing_of
from hashmark.table.errors import IllegalCall, InvalidPosition
from hashmark.table.game import Game, SeededDice, Turn
from hashmark.table.generator import Stream
from hashmark.table.record import Kind, Record
from hashmark.table.rules import Coach, RuleSet
from hashmark.table.scenario import Outcome, told_lines
from hashmark.telling import summary

# The streams from which a game's options, start and coaches, and other positions are drawn.
CHOICES, ELSEWHERE = 2, 3
SHORT = ("calls", "events", "positions", "words", "figures")
PARTS = ("calls", "events", "positions", "words", "refusals", "coaches", "figures", "sheet")

PART_OF = {  # where a field of a rule set is looked for; the others are words
    **dict.fromkeys(("calls", "version", "clock_rise", "presets"), "calls"),
    **dict.fromkeys(("position", "match"), "positions"),
    **dict.fromkeys(("figures", "columns", "effort", "compile_effort"), "figures"),
    "statistics": "events",
    "refusals": "refusals",
}


@dataclass(frozen=True)
class Variety:
    """What the games of a rule set differ in, beside their dice.

    `options` names the values that are tried of an option (all, if it is a plain switch),
    `starts` the positions that every other game begins in, `seldom` the coaches that are asked
    only every so many turns, because they take long to answer. `elsewhere`: coaches are asked in
    made-up positions too.
    """

    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    starts: Sequence[Mapping[str, Any]] = ()
    seldom: Mapping[str, int] = field(default_factory=dict)
    elsewhere: bool = True


class Digests:
    """A digest for each part of a game, fed as the game goes on."""

    def __init__(self, *parts: str) -> None:
        self.seen = {part: hashlib.blake2b(digest_size=4) for part in parts or PARTS}

    def add(self, part: str, *things: Any) -> None:
        self.seen[part].update(repr(things).encode())

    def __str__(self) -> str:
        return " ".join(f"{part} {seen.hexdigest()}" for part, seen in self.seen.items())


class AnnouncedDice(SeededDice):
    """The dice of a seed, which note what a person would be asked to roll, and its odds."""

    def __init__(self, number: int, digests: Digests) -> None:
        super().__init__(20, number)
        self.digests = digests
        self.known: set[int] = set()

    def announce(self, pool: Pool, team: int) -> None:
        self.digests.add("words", pool.say, team)
        if id(pool) not in self.known:
            self.known.add(id(pool))
            self.digests.add("figures", pool.name, pool.odds)

    def face(self, die: Die, team: int) -> int:
        self.announce(die, team)
        return super().face(die, team)


def game_line(rules: RuleSet, number: int, variety: Variety, short: bool = False) -> str:
    """Game `number` in one line: its coaches, options and score, and a digest of every part.

    A `short` line is about the play alone: no coach is asked what he would have called, and
    nobody looks at the table.
    """
    luck, digests = Stream(20, number, CHOICES), Digests(*SHORT if short else PARTS)
    options, start = drawn(rules, variety, luck)
    dice = AnnouncedDice(number, digests)
    try:
        game = Game(rules, options, dice=dice, start=start, seed=20, number=number)
    except InvalidPosition:  # not with these options: from the beginning, then
        game = Game(rules, options, dice=dice, seed=20, number=number)
    quick = [coach for coach in rules.coaches if coach.name not in variety.seldom]
    pair = [quick[0] if luck.below(2) else quick[luck.below(len(quick))] for _ in range(2)]
    _look(game, digests, None if short else variety)
    for turn in _played(game, pair):
        digests.add("calls", turn.team, turn.call, turn.faces)
        digests.add("events", [told.line() for told in turn.events])
        digests.add("words", game.sentences(turn))
        _look(game, digests, None if short else variety)
        if not short:
            digests.add("sheet", drawing_of(game, game.asked))
    digests.add("figures", summary.to_json(game))
    if not short:
        digests.add("sheet", sheet_of(game))
    home, away = game.position.score
    chosen = "".join(f" {name}={value}" for name, value in game.options.items())
    return (
        f"{number}. {pair[0].name} {home}, {pair[1].name} {away}, {len(game.turns)} turns{chosen}: "
        f"{digests}"
    )


def drawn(rules: RuleSet, variety: Variety, luck: Stream) -> tuple[Mapping[str, Any], Any]:
    """Some options that are changed, and a start from the list or none."""
    options = {}
    for option in rules.options:
        values = variety.options.get(option.name, () if option.reader else option.allowed)
        if values and luck.below(2):
            options[option.name] = values[luck.below(len(values))]
    if variety.starts and luck.below(2):
        return options, variety.starts[luck.below(len(variety.starts))]
    return options, None


def _played(game: Game, pair: Sequence[Coach]) -> Iterator[Turn]:
    """The turns of the game, its two coaches calling."""
    referee = Referee(game.rules)
    while not game.is_over:
        yield next(referee.playout(game, pair[max(game.asked, 0)]))


def _look(game: Game, digests: Digests, variety: Variety | None) -> None:
    """Everything that can be asked of a position as it stands; in short only what it is."""
    rules, m, g, words = game.rules, game.match, game.position, game.rules.words
    digests.add("positions", [getattr(g, key) for key in g.fields])
    if variety is None:
        return
    digests.add("refusals", rules.play_over(m, g))
    digests.add("words", words.clock(m, g), words.situation(m, g), words.to_gain(m, g))
    digests.add("words", words.when(m, g), words.begins is not None and words.begins(m, g))
    if words.lying is not None:
        digests.add("words", words.lying(m, g))
    question = game.question
    for call in (*question.calls, *question.also[len(game.turns) % 16 :: 16]):
        digests.add("refusals", call, rules.refusal(m, g, call))
        digests.add("words", words.meaning(m, g, call, rules.calls[call]))
    if not game.wants_call:
        return
    digests.add("refusals", _complaint(game))
    _ask_coaches(game, g, digests, variety)
    elsewhere = _elsewhere(game) if variety.elsewhere else None
    if elsewhere is not None:
        _ask_coaches(game, elsewhere, digests, variety)


def _ask_coaches(game: Game, g: Any, digests: Digests, variety: Variety) -> None:
    """What each coach would call in a position."""
    rules, m, turn = game.rules, game.match, len(game.turns)
    seen = rules.view(m, g, rules.asked(m, g)).copy()
    for coach in rules.coaches:
        if turn % variety.seldom.get(coach.name, 1) == 0:
            seen.table = Sampler(rules, 20, turn)
            digests.add("coaches", coach.name, rules.decide(coach, m, seen))


def _elsewhere(game: Game) -> Any:
    """The same question with another score, clock and spot, if there can be such a position."""
    g, fields = game.position, game.position.fields
    luck = Stream(20, len(game.turns) * 1000 + g.clock, ELSEWHERE)
    given = g.to_json()
    given["score"] = {team: luck.below(30) for team in given["score"]}
    given["clock"] = luck.below(1 + (12 if luck.below(2) else min(fields["clock"].high, 900)))
    if given["spot"] is not None:
        given["spot"] = 1 + luck.below(99)
    if given.get("to_go") is not None:
        given["to_go"] = 1 + luck.below(min(15, 100 - given["spot"]))
        given["down"] = 1 + luck.below(4)
    try:
        there = game.rules.new_position(game.match, given)
    except InvalidPosition:
        return None
    wanted = game.rules.questions[game.rules.question(game.match, there)]
    return there if wanted.calls and game.rules.legal_calls(game.match, there) else None


def _complaint(game: Game) -> str:
    """What is said of a call that is not allowed; another one in each turn."""
    name = game.rules.calls[len(game.turns) % len(game.rules.calls)]
    try:
        game.rules.read_call(game.match, game.position, name)
    except IllegalCall as fault:
        return str(fault)
    return ""


def scenario_line(outcome: Outcome) -> str:
    """A scenario in one line: everything that was told, and a digest of where it ended."""
    game = outcome.game
    if game is None:
        return f"{outcome.id}: refused"
    digests = Digests("positions", "words", "figures")
    digests.add("positions", game.position.to_json())
    digests.add("words", [game.sentences(turn) for turn in game.turns])
    digests.add("figures", game.statistics())
    return f"{outcome.id}: {', '.join(told_lines(game)) or 'nothing told'}; {digests}"


def rules_line(rules: RuleSet) -> str:
    """What a rule set says of itself, in one line of digests."""
    digests = Digests()
    for one in fields(rules):
        part = PART_OF.get(one.name, "words")
        digests.add(part, one.name, described(getattr(rules, one.name)))
    digests.add("words", rules.words.tables())
    digests.add("words", [rules.words.time(amount) for amount in range(100)])
    digests.add("figures", _tables_of_odds(rules))
    digests.add("positions", rules.new_position(rules.new_match()).to_json())
    digests.add("sheet", blank_sheet(rules))
    return f"{rules.name} {rules.version}: {digests}"


def described(value: Any) -> Any:
    """A declaration with all that is in it; of functions the names, of files whether they exist."""
    if isinstance(value, type) and issubclass(value, Record):
        return described(value.fields)
    if isinstance(value, Kind):
        return type(value).__name__, described(dict(sorted(_declared(value).items())))
    if is_dataclass(value):
        return [(one.name, described(getattr(value, one.name))) for one in fields(value)]
    if isinstance(value, Mapping):
        return [(described(key), described(inner)) for key, inner in value.items()]
    if isinstance(value, Path):
        return value.name, value.exists()
    if isinstance(value, list | tuple):
        return [described(inner) for inner in value]
    return getattr(value, "__name__", repr(value))


def _declared(kind: Kind) -> dict[str, Any]:
    """What a kind was made with, without what was worked out of it since."""
    made = {key for key, one in vars(Kind).items() if isinstance(one, cached_property)}
    return {key: one for key, one in vars(kind).items() if key not in made}


def _tables_of_odds(rules: RuleSet) -> list[Any]:
    """The rule set's own tables of odds, with a full clock and with less."""
    m, g = rules.new_match(), rules.new_position(rules.new_match())
    shown = []
    while rules.parts is not None and g.clock > 0:
        shown.append(rules.parts(m, g))
        g.clock //= 2
    return shown
