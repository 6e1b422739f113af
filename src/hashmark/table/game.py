"""A game in progress in plain Python: a position, its dice and everything that happened.

The terminal, the web server, replays and scenarios all play through `Game`. A turn is one call (or
none, where only dice are rolled) with its faces and events. The position before each turn is kept,
so that undo is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Protocol

from hashmark.table import registry
from hashmark.table.dice import Die, Pool
from hashmark.table.effects import Table
from hashmark.table.errors import HashmarkError, InvalidDice, OutOfDice
from hashmark.table.events import Event, Told
from hashmark.table.generator import COACHES, DICE, Stream
from hashmark.table.names import naming
from hashmark.table.readable import shown
from hashmark.table.record import TEAMS
from hashmark.table.rolls import Roll, Rolled, Thrown, rolled
from hashmark.table.rules import NO_CALL, Coach, Question, RuleSet
from hashmark.table.thinking import Thought


class Dice(Protocol):
    """Source of faces; a mark allows returning to an earlier state."""

    def announce(self, pool: Pool, team: int) -> None: ...
    def face(self, die: Die, team: int) -> int: ...
    def mark(self) -> Any: ...
    def back_to(self, mark: Any) -> None: ...


class SeededDice:
    """The dice of game number `game` of a seed: the same faces that a simulation rolls."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self.stream = Stream(seed, game, DICE)

    def announce(self, pool: Pool, team: int) -> None:
        """Do nothing: seeded dice need no announcement."""

    def face(self, die: Die, team: int) -> int:
        return die.faces[self.stream.below(len(die.faces))]

    def mark(self) -> int:
        return self.stream.count

    def back_to(self, mark: int) -> None:
        self.stream.count = mark


class ListedDice:
    """Faces given in advance, one list for each team, read independently.

    This also serves real dice: where a list ends, `OutOfDice` says which die of which team is
    needed, the turn is undone, and it is tried again when that die has been rolled.
    """

    def __init__(self, lists: Sequence[Sequence[Any]]) -> None:
        self.lists = lists
        self.used = [0, 0]
        self.pool: Pool | None = None  # the pool whose first die is the next one

    def announce(self, pool: Pool, team: int) -> None:
        """Note a pool of several dice that is about to be rolled."""
        self.pool = pool

    def face(self, die: Die, team: int) -> int:
        index, pool, self.pool = self.used[team], self.pool, None
        if index >= len(self.lists[team]):
            raise OutOfDice(f"{TEAMS[team]} has no face left for a {die.name}", die, team, pool)
        face = self.lists[team][index]
        if not die.shows(face):
            raise InvalidDice(
                f"{TEAMS[team]} die number {index + 1}: a {die.name} cannot show {shown(face)}, "
                f"only {die.range()}"
            )
        self.used[team] += 1
        return int(face)

    def left(self) -> list[list[Any]]:
        """Return the unused faces by team."""
        return [list(faces[used:]) for faces, used in zip(self.lists, self.used, strict=True)]

    def mark(self) -> tuple[int, ...]:
        return tuple(self.used)

    def back_to(self, mark: tuple[int, ...]) -> None:
        self.used = list(mark)


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of a game as it happened."""

    team: int  # the team that called, or NOBODY
    call: int  # or NO_CALL
    faces: tuple[tuple[int, int], ...]  # (team, face) in the order they were rolled
    events: tuple[Told, ...]
    before: Any
    dice_before: Any
    drawn_after: int  # random numbers drawn by coaches up to the end of the turn
    secret: bool = False  # a call was made, and it is hidden from the viewer of this turn
    rolls: tuple[Roll, ...] = ()  # the same faces by roll, with their outcomes

    @property
    def rolled(self) -> bool:
        return bool(self.faces)

    def faces_of(self, team: int) -> list[int]:
        return [face for roller, face in self.faces if roller == team]


class _GameHandler(Table):
    """Effect handler of a game: rolls the game's dice and records rolls and events."""

    def __init__(self, dice: Dice, luck: Stream) -> None:
        self.dice, self.luck = dice, luck
        self.clear()

    def clear(self) -> None:
        self.faces: list[tuple[int, int]] = []
        self.events: list[Told] = []
        self.rolls: list[Roll] = []
        self._current_dice: list[Thrown] = []
        self._in_pool = False  # whether a pool is rolling its single dice

    def roll(self, g: Any, pool: Pool, team: int) -> int:
        if not isinstance(pool, Die):
            self.dice.announce(pool, team)
        if self._in_pool:
            return super().roll(g, pool, team)
        self._current_dice, self._in_pool = [], True
        outcome = super().roll(g, pool, team)
        self._in_pool = False
        self.rolls.append(Roll(pool, team, tuple(self._current_dice), outcome))
        return outcome

    def check(self, g: Any, pool: Pool, at_most: int, team: int) -> bool:
        passed = super().check(g, pool, at_most, team)
        self.rolls[-1] = replace(self.rolls[-1], at_most=at_most)
        return passed

    def look_up(self, g: Any, pool: Pool, cells: Any, first: int, team: int) -> int:
        cell = super().look_up(g, pool, cells, first, team)
        self.rolls[-1] = replace(self.rolls[-1], cells=cells, first=first)
        return cell

    def die(self, die: Die, team: int) -> int:
        face = self.dice.face(die, team)
        self.faces.append((team, face))
        self._current_dice.append(Thrown(team, die.name, face))
        return face

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.events.append(Told(event, team, a, b, c))

    def draw(self, n: int) -> int:
        return self.luck.below(n)


class Game:
    """One game: its fixed settings, its position, and its turns so far."""

    def __init__(
        self,
        rules: RuleSet | str,
        options: Mapping[str, Any] | None = None,
        *,
        dice: Dice,
        start: Mapping[str, Any] | None = None,
        seed: int = 0,
        number: int = 0,
        names: tuple[str, str] = TEAMS,
    ) -> None:
        self.names = names
        self.rules = registry.load(rules) if isinstance(rules, str) else rules
        self.options = dict(options or {})
        self.match = self.rules.new_match(self.options)
        self.position = self.rules.new_position(self.match, start)
        self.start_score = tuple(self.position.score)
        self.dice: Dice = dice
        self.turns: list[Turn] = []
        self._snapshot: Any = None  # the last copy made of the position
        self._handler = _GameHandler(dice, Stream(seed, number, COACHES))
        self.position.table = self._handler

    @property
    def is_over(self) -> bool:
        return self.rules.is_over(self.position)

    @property
    def question(self) -> Question:
        """The question of the current position."""
        return self.rules.questions[self.rules.question(self.match, self.position)]

    @property
    def asked(self) -> int:
        """The team to act, if any."""
        return self.rules.asked(self.match, self.position)

    @property
    def wants_call(self) -> bool:
        return bool(self.question.calls)

    @property
    def drawn(self) -> int:
        """How many random numbers coaches have drawn."""
        return self._handler.luck.count

    @drawn.setter
    def drawn(self, count: int) -> None:
        self._handler.luck.count = count

    def luck(self) -> Stream:
        """Return a copy of the coaches' random stream at its current state."""
        return copy(self._handler.luck)

    def legal(self) -> list[str]:
        """Return the names of the legal calls."""
        codes = self.rules.legal_calls(self.match, self.position)
        return [self.rules.calls[code] for code in codes]

    def decide(self, coach: Coach) -> str:
        """Return the coach's call for this position, based on what its team may see."""
        view = self.rules.view(self.match, self.position, self.asked)
        call, _ = Thought(0, coach, self.rules, self.match, view, self._handler.luck).decide()
        return call

    def play(self, call: str | None = None) -> Turn:
        """Play one call, or only dice where no team is to act; an error changes nothing."""
        rules, m, g = self.rules, self.match, self.position
        if self.is_over:
            raise HashmarkError("the game is over")
        if call is not None:
            code, team = rules.read_call(m, g, call), self.asked
        elif self.wants_call:
            raise HashmarkError(f"{TEAMS[self.asked]} must call one of {', '.join(self.legal())}")
        else:
            code, team = NO_CALL, -1
        before, dice_before = self.still(), self.dice.mark()
        self._handler.clear()
        try:
            rules.step(m, g, code)
        except BaseException as fault:
            if isinstance(fault, OutOfDice):
                fault.rolled = bool(self._handler.faces)
            g.assign(before)
            self.dice.back_to(dice_before)
            raise
        handler = self._handler
        faces, events, rolls = tuple(handler.faces), tuple(handler.events), tuple(handler.rolls)
        turn = Turn(team, code, faces, events, before, dice_before, self.drawn, rolls=rolls)
        self.turns.append(turn)
        return turn

    def still(self) -> Any:
        """Return a copy of the position that must not be changed.

        The same copy is returned until the position changes, so consecutive turns share it.
        """
        if self._snapshot is None or self._snapshot != self.position:
            self._snapshot = self.position.copy()
        return self._snapshot

    @contextmanager
    def rolling(self, dice: Dice) -> Iterator[None]:
        """Take faces from other dice within this context."""
        self._handler.dice, previous = dice, self._handler.dice
        try:
            yield
        finally:
            self._handler.dice = previous

    def undo(self) -> Turn:
        """Undo the last turn; its dice will show the same faces again."""
        if not self.turns:
            raise HashmarkError("nothing to undo: this is the start of the game")
        turn = self.turns.pop()
        self.position.assign(turn.before)
        self.dice.back_to(turn.dice_before)
        self.drawn = self.turns[-1].drawn_after if self.turns else 0
        return turn

    def as_told(self, position: Any, turns: list[Turn]) -> Game:
        """Return this game with another position and other turns, for display only."""
        copied = object.__new__(Game)
        copied.names = self.names
        copied.rules, copied.options, copied.match = self.rules, self.options, self.match
        copied.position, copied.turns, copied.start_score = position, turns, self.start_score
        copied._snapshot = None
        copied.dice = ListedDice([[], []])
        copied._handler = _GameHandler(copied.dice, Stream(0, 0, COACHES))
        return copied

    def statistics(self) -> list[list[int]]:
        """Return the box score so far: a row of counts for each team."""
        counts = self.rules.statistics.zero()
        for team, points in enumerate(self.start_score):
            counts[team][self.rules.statistics.names.index("points")] = points
        for turn in self.turns:
            for event in turn.events:
                self.rules.statistics.add(counts, *event)
        return counts

    def rolled(self, turn: Turn) -> list[Rolled]:
        """Return the dice of a turn, grouped by purpose."""
        with naming(self.names):
            return rolled(self.rules.words, self.match, turn)

    def sentences(self, turn: Turn) -> list[str]:
        """Return the events of a turn as sentences; events that are only counted have none."""
        with naming(self.names):
            texts = [self.rules.words.sentence(event) for event in turn.events]
        return [sentence for sentence in texts if sentence]
