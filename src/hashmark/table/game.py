"""A game in progress in plain Python: a position, its dice and everything that happened.

The terminal, the web page, replays and scenarios all play through `Game`. A turn is one call
(or none, where only dice are wanted) with its faces and events; the position before each
turn is kept, so that undo is exact.
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
    """Where the faces come from. A mark allows to go back to an earlier moment."""

    def announce(self, pool: Pool, team: int) -> None: ...
    def face(self, die: Die, team: int) -> int: ...
    def mark(self) -> Any: ...
    def back_to(self, mark: Any) -> None: ...


class SeededDice:
    """The dice of game number `game` of a seed: the same faces that a simulation rolls."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self.stream = Stream(seed, game, DICE)

    def announce(self, pool: Pool, team: int) -> None:
        """Nobody has to be told of these dice before they are rolled."""

    def face(self, die: Die, team: int) -> int:
        return die.faces[self.stream.below(len(die.faces))]

    def mark(self) -> int:
        return self.stream.count

    def back_to(self, mark: int) -> None:
        self.stream.count = mark


class ListedDice:
    """Faces given in advance, a list for each team, read independently.

    Real dice too: where a list ends, `OutOfDice` says which die of which team is wanted, the
    turn is taken back, and it is tried again when somebody has rolled that die.
    """

    def __init__(self, lists: Sequence[Sequence[Any]]) -> None:
        self.lists = lists
        self.used = [0, 0]
        self.pool: Pool | None = None  # whose first die is the next one

    def announce(self, pool: Pool, team: int) -> None:
        """Several dice are about to be rolled together."""
        self.pool = pool

    def face(self, die: Die, team: int) -> int:
        at, pool, self.pool = self.used[team], self.pool, None
        if at >= len(self.lists[team]):
            raise OutOfDice(f"{TEAMS[team]} has no face left for a {die.name}", die, team, pool)
        face = self.lists[team][at]
        if not die.shows(face):
            raise InvalidDice(
                f"{TEAMS[team]} die number {at + 1}: a {die.name} cannot show {shown(face)}, "
                f"only {die.range()}"
            )
        self.used[team] += 1
        return int(face)

    def left(self) -> list[list[Any]]:
        """The faces not yet used, by team."""
        return [list(faces[used:]) for faces, used in zip(self.lists, self.used, strict=True)]

    def mark(self) -> tuple[int, ...]:
        return tuple(self.used)

    def back_to(self, mark: tuple[int, ...]) -> None:
        self.used = list(mark)


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of a game as it happened."""

    team: int  # who called, or NOBODY
    call: int  # or NO_CALL
    faces: tuple[tuple[int, int], ...]  # (team, face) in the order they were rolled
    events: tuple[Told, ...]
    before: Any
    dice_before: Any
    drawn_after: int  # numbers that coaches have drawn by the end of the turn
    secret: bool = False  # a call was made, and whoever looks at this turn must not know it
    rolls: tuple[Roll, ...] = ()  # the same faces, roll by roll, with what was read from them

    @property
    def rolled(self) -> bool:
        return bool(self.faces)

    def faces_of(self, team: int) -> list[int]:
        return [face for of, face in self.faces if of == team]


class _Tabletop(Table):
    """Rolls from the game's dice and keeps what was rolled and told."""

    def __init__(self, dice: Dice, luck: Stream) -> None:
        self.dice, self.luck = dice, luck
        self.clear()

    def clear(self) -> None:
        self.faces: list[tuple[int, int]] = []
        self.events: list[Told] = []
        self.rolls: list[Roll] = []
        self._thrown: list[Thrown] = []
        self._inside = False  # a pool that is picking up its single dice

    def roll(self, g: Any, pool: Pool, team: int) -> int:
        if not isinstance(pool, Die):
            self.dice.announce(pool, team)
        if self._inside:
            return super().roll(g, pool, team)
        self._thrown, self._inside = [], True
        outcome = super().roll(g, pool, team)
        self._inside = False
        self.rolls.append(Roll(pool, team, tuple(self._thrown), outcome))
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
        self._thrown.append(Thrown(team, die.name, face))
        return face

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.events.append(Told(event, team, a, b, c))

    def draw(self, n: int) -> int:
        return self.luck.below(n)


class Game:
    """One game: what is fixed, where it stands, and how it got there."""

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
        self._still: Any = None  # the last copy of the position that was kept
        self._top = _Tabletop(dice, Stream(seed, number, COACHES))
        self.position.table = self._top

    @property
    def is_over(self) -> bool:
        return self.rules.is_over(self.position)

    @property
    def question(self) -> Question:
        """What is asked now."""
        return self.rules.questions[self.rules.question(self.match, self.position)]

    @property
    def asked(self) -> int:
        """The team that is asked, if any."""
        return self.rules.asked(self.match, self.position)

    @property
    def wants_call(self) -> bool:
        return bool(self.question.calls)

    @property
    def drawn(self) -> int:
        """How many numbers coaches have drawn."""
        return self._top.luck.count

    @drawn.setter
    def drawn(self, count: int) -> None:
        self._top.luck.count = count

    def luck(self) -> Stream:
        """The numbers that coaches draw, as a copy that stands where the game's own does."""
        return copy(self._top.luck)

    def legal(self) -> list[str]:
        """The names of the calls that are allowed now."""
        codes = self.rules.legal_calls(self.match, self.position)
        return [self.rules.calls[code] for code in codes]

    def decide(self, coach: Coach) -> str:
        """What the coach would call here, knowing what its team may see."""
        seen = self.rules.view(self.match, self.position, self.asked)
        call, _ = Thought(0, coach, self.rules, self.match, seen, self._top.luck).decide()
        return call

    def play(self, call: str | None = None) -> Turn:
        """Play one call, or the dice alone where nobody is asked; a fault changes nothing."""
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
        self._top.clear()
        try:
            rules.step(m, g, code)
        except BaseException as fault:
            if isinstance(fault, OutOfDice):
                fault.rolled = bool(self._top.faces)
            g.assign(before)
            self.dice.back_to(dice_before)
            raise
        top = self._top
        faces, events, rolls = tuple(top.faces), tuple(top.events), tuple(top.rolls)
        turn = Turn(team, code, faces, events, before, dice_before, self.drawn, rolls=rolls)
        self.turns.append(turn)
        return turn

    def still(self) -> Any:
        """The position as it stands, in a copy to be kept and not to be changed.

        Who asks while nothing changes gets the same: what follows a turn comes before the next.
        """
        if self._still is None or self._still != self.position:
            self._still = self.position.copy()
        return self._still

    @contextmanager
    def rolling(self, dice: Dice) -> Iterator[None]:
        """For a while, take the faces from other dice."""
        self._top.dice, usual = dice, self._top.dice
        try:
            yield
        finally:
            self._top.dice = usual

    def undo(self) -> Turn:
        """Take the last turn back; its dice will fall the same again."""
        if not self.turns:
            raise HashmarkError("nothing to undo: this is the start of the game")
        turn = self.turns.pop()
        self.position.assign(turn.before)
        self.dice.back_to(turn.dice_before)
        self.drawn = self.turns[-1].drawn_after if self.turns else 0
        return turn

    def as_told(self, position: Any, turns: list[Turn]) -> Game:
        """This game with another position and other turns, to be told and not to be played."""
        twin = object.__new__(Game)
        twin.names = self.names
        twin.rules, twin.options, twin.match = self.rules, self.options, self.match
        twin.position, twin.turns, twin.start_score = position, turns, self.start_score
        twin._still = None
        twin.dice = ListedDice([[], []])
        twin._top = _Tabletop(twin.dice, Stream(0, 0, COACHES))
        return twin

    def statistics(self) -> list[list[int]]:
        """The box score so far: a row of counts for each team; points as on the scoreboard."""
        counts = self.rules.statistics.zero()
        for team, points in enumerate(self.start_score):
            counts[team][self.rules.statistics.names.index("points")] = points
        for turn in self.turns:
            for told in turn.events:
                self.rules.statistics.add(counts, *told)
        return counts

    def rolled(self, turn: Turn) -> list[Rolled]:
        """The dice of a turn, roll by roll, with what each was for."""
        with naming(self.names):
            return rolled(self.rules.words, self.match, turn)

    def sentences(self, turn: Turn) -> list[str]:
        """What happened in a turn, in words; what is only counted has none."""
        with naming(self.names):
            said = [self.rules.words.sentence(told) for told in turn.events]
        return [sentence for sentence in said if sentence]
