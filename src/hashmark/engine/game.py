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

from hashmark.engine import registry
from hashmark.engine.coach_requests import CoachRequest
from hashmark.engine.dice import Die, Pool
from hashmark.engine.effects import EffectHandler
from hashmark.engine.events import EventKind, GameEvent, Values
from hashmark.engine.generator import COACH_STREAM, DICE_STREAM, RandomStream
from hashmark.engine.record import NOBODY, TEAMS, PositionRecord, Team
from hashmark.engine.rolls import Roll, RolledDie, RollGroup, group_rolls
from hashmark.engine.rule_set import NO_CALL, CallCode, Coach, Question, RuleSet
from hashmark.errors import HashmarkError, InvalidDice, OutOfDice
from hashmark.sanitize import quote


class DiceSource(Protocol):
    """Source of faces; a mark allows returning to an earlier state."""

    def announce_pool(self, pool: Pool, team: int) -> None: ...
    def next_face(self, die: Die, team: int) -> int: ...
    def checkpoint(self) -> Any: ...
    def restore(self, checkpoint: Any) -> None: ...


class SeededDice:
    """The dice of game number `game` of a seed: the same faces that a simulation rolls."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self.stream = RandomStream(seed, game, DICE_STREAM)

    def announce_pool(self, pool: Pool, team: int) -> None:
        """Do nothing: seeded dice need no announcement."""

    def next_face(self, die: Die, team: int) -> int:
        return die.faces[self.stream.randbelow(len(die.faces))]

    def checkpoint(self) -> int:
        return self.stream.word_count

    def restore(self, checkpoint: int) -> None:
        self.stream.word_count = checkpoint


class ListedDice:
    """Faces given in advance, one list for each team, read independently.

    This also serves real dice: where a list ends, `OutOfDice` says which die of which team is
    needed, the turn is undone, and it is tried again when that die has been rolled.
    """

    def __init__(self, faces_by_team: Sequence[Sequence[Any]]) -> None:
        self.faces_by_team = faces_by_team
        self.used_counts = [0, 0]
        self.pool: Pool | None = None  # the pool whose first die is the next one

    def announce_pool(self, pool: Pool, team: int) -> None:
        """Note a pool of several dice that is about to be rolled."""
        self.pool = pool

    def next_face(self, die: Die, team: int) -> int:
        index, pool, self.pool = self.used_counts[team], self.pool, None
        if index >= len(self.faces_by_team[team]):
            raise OutOfDice(f"{TEAMS[team]} has no more dice for a {die.name}", die, team, pool)
        face = self.faces_by_team[team][index]
        if not die.has_face(face):
            raise InvalidDice(
                f"{TEAMS[team]} die number {index + 1}: a {die.name} cannot show {quote(face)}, "
                f"only {die.describe_faces()}"
            )
        self.used_counts[team] += 1
        return int(face)

    def remaining(self) -> list[list[Any]]:
        """Return the unused faces by team."""
        return [
            list(faces[used:])
            for faces, used in zip(self.faces_by_team, self.used_counts, strict=True)
        ]

    def checkpoint(self) -> tuple[int, ...]:
        return tuple(self.used_counts)

    def restore(self, checkpoint: tuple[int, ...]) -> None:
        self.used_counts = list(checkpoint)


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of a game as it happened."""

    team: Team  # the team that called, or NOBODY
    call: CallCode  # or NO_CALL
    faces: tuple[tuple[int, int], ...]  # (team, face) in the order they were rolled
    events: tuple[GameEvent, ...]
    before: Any
    dice_checkpoint: Any
    draws_after: int  # random numbers drawn by coaches up to the end of the turn
    is_call_hidden: bool = False  # a call was made, and it is hidden from the viewer of this turn
    rolls: tuple[Roll, ...] = ()  # the same faces by roll, with their outcomes

    @property
    def has_dice(self) -> bool:
        return bool(self.faces)

    def faces_of(self, team: int) -> list[int]:
        return [face for roller, face in self.faces if roller == team]


class _GameHandler(EffectHandler):
    """Effect handler of a game: rolls the game's dice and records rolls and events."""

    def __init__(self, dice: DiceSource, luck: RandomStream) -> None:
        self.dice, self.luck = dice, luck
        self.clear()

    def clear(self) -> None:
        self.faces: list[tuple[int, int]] = []
        self.events: list[GameEvent] = []
        self.rolls: list[Roll] = []
        self._current_dice: list[RolledDie] = []
        self._in_pool = False  # whether a pool is rolling its single dice

    def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
        if not isinstance(pool, Die):
            self.dice.announce_pool(pool, team)
        if self._in_pool:
            return super().roll(g, pool, team)
        self._current_dice, self._in_pool = [], True
        outcome = super().roll(g, pool, team)
        self._in_pool = False
        self.rolls.append(Roll(pool, team, tuple(self._current_dice), outcome))
        return outcome

    def check(self, g: PositionRecord, pool: Pool, at_most: int, team: int) -> bool:
        passed = super().check(g, pool, at_most, team)
        self.rolls[-1] = replace(self.rolls[-1], at_most=at_most)
        return passed

    def look_up(
        self, g: PositionRecord, pool: Pool, cells: Sequence[int], first: int, team: int
    ) -> int:
        cell = super().look_up(g, pool, cells, first, team)
        self.rolls[-1] = replace(self.rolls[-1], cells=cells, first_cell=first)
        return cell

    def roll_die(self, die: Die, team: int) -> int:
        face = self.dice.next_face(die, team)
        self.faces.append((team, face))
        self._current_dice.append(RolledDie(team, die.name, face))
        return face

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.events.append(GameEvent(event, team, values))

    def draw(self, n: int) -> int:
        return self.luck.randbelow(n)


class Game:
    """One game: its fixed settings, its position, and its turns so far."""

    def __init__(
        self,
        rules: RuleSet | str,
        options: Mapping[str, Any] | None = None,
        *,
        dice: DiceSource,
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
        self.dice: DiceSource = dice
        self.turns: list[Turn] = []
        self._snapshot: Any = None  # the last copy made of the position
        self._handler = _GameHandler(dice, RandomStream(seed, number, COACH_STREAM))
        self.position.handler = self._handler

    @property
    def is_over(self) -> bool:
        return self.rules.is_over(self.position)

    @property
    def question(self) -> Question:
        """The question of the current position."""
        return self.rules.questions[self.rules.question(self.match, self.position)]

    @property
    def team_to_act(self) -> Team:
        """The team to act, if any."""
        return self.rules.team_to_act(self.match, self.position)

    @property
    def wants_call(self) -> bool:
        return bool(self.question.calls)

    @property
    def draw_count(self) -> int:
        """How many random numbers coaches have drawn."""
        return self._handler.luck.word_count

    @draw_count.setter
    def draw_count(self, count: int) -> None:
        self._handler.luck.word_count = count

    def coach_stream(self) -> RandomStream:
        """Return a copy of the coaches' random stream at its current state."""
        return copy(self._handler.luck)

    def legal_calls(self) -> list[CallCode]:
        """Return the legal calls that menus show."""
        return self.rules.legal_calls(self.match, self.position)

    def view(self, viewer: Team) -> Any:
        """Return a copy of the position as home, away or a spectator (NOBODY) may see it."""
        return self.rules.view(self.match, self.position, viewer)

    def decide(self, coach: Coach) -> CallCode:
        """Return the coach's call, based on what its team may see; NO_CALL if no team is to act."""
        if not self.wants_call:
            return NO_CALL
        view, luck = self.view(self.team_to_act), self._handler.luck
        return CoachRequest(0, coach, self.rules, self.match, view, luck).decide()[0]

    def parse_call(self, name: str) -> CallCode:
        """Return the code of a call by name; raise an error if it is not legal."""
        self._check_not_over()
        return self.rules.parse_call(self.match, self.position, name)

    def play_named(self, name: str) -> Turn:
        """Play one call by name."""
        return self.play(self.parse_call(name))

    def _check_not_over(self) -> None:
        if self.is_over:
            raise HashmarkError("the game is over")

    def play(self, code: CallCode = NO_CALL) -> Turn:
        """Play one call, or only dice where no team is to act; an error changes nothing."""
        rules, m, g = self.rules, self.match, self.position
        self._check_not_over()
        team = self.team_to_act if self.wants_call else NOBODY
        if code != NO_CALL:
            rules.check_call(m, g, code)
        elif self.wants_call:
            legal = ", ".join(rules.calls[call] for call in self.legal_calls())
            raise HashmarkError(f"{TEAMS[team]} must call one of: {legal}")
        before, dice_before = self.snapshot(), self.dice.checkpoint()
        self._handler.clear()
        try:
            rules.step(m, g, code)
        except BaseException as fault:
            if isinstance(fault, OutOfDice):
                fault.had_rolled = bool(self._handler.faces)
            g.assign(before)
            self.dice.restore(dice_before)
            raise
        handler = self._handler
        faces, events, rolls = tuple(handler.faces), tuple(handler.events), tuple(handler.rolls)
        turn = Turn(team, code, faces, events, before, dice_before, self.draw_count, rolls=rolls)
        self.turns.append(turn)
        return turn

    def snapshot(self) -> Any:
        """Return a copy of the position that must not be changed.

        The same copy is returned until the position changes, so consecutive turns share it.
        """
        if self._snapshot is None or self._snapshot != self.position:
            self._snapshot = self.position.copy()
        return self._snapshot

    @contextmanager
    def using_dice(self, dice: DiceSource) -> Iterator[None]:
        """Take faces from other dice within this context."""
        self._handler.dice, previous = dice, self._handler.dice
        try:
            yield
        finally:
            self._handler.dice = previous

    def take_back(self) -> Turn:
        """Undo the last turn for a player: its dice stay rolled, and the next roll is a new one."""
        dice_after, draws_after = self.dice.checkpoint(), self.draw_count
        turn = self.undo()
        self.dice.restore(dice_after)
        self.draw_count = draws_after
        return turn

    def undo(self) -> Turn:
        """Undo the last turn as if it had never been; its dice will show the same faces again."""
        if not self.turns:
            raise HashmarkError("nothing to undo: this is the start of the game")
        turn = self.turns.pop()
        self.position.assign(turn.before)
        self.dice.restore(turn.dice_checkpoint)
        self.draw_count = self.turns[-1].draws_after if self.turns else 0
        return turn

    def read_only_copy(self, position: PositionRecord, turns: list[Turn]) -> Game:
        """Return this game with another position and other turns, for display only."""
        copied = object.__new__(Game)
        copied.names = self.names
        copied.rules, copied.options, copied.match = self.rules, self.options, self.match
        copied.position, copied.turns, copied.start_score = position, turns, self.start_score
        copied._snapshot = None
        copied.dice = ListedDice([[], []])
        copied._handler = _GameHandler(copied.dice, RandomStream(0, 0, COACH_STREAM))
        return copied

    def statistics(self) -> list[list[int]]:
        """Return the box score so far: a row of counts for each team."""
        counts = self.rules.statistics.empty_counts()
        for team, points in enumerate(self.start_score):
            counts[team][self.rules.statistics.names.index("points")] = points
        for turn in self.turns:
            for event in turn.events:
                self.rules.statistics.add(counts, *event)
        return counts

    def roll_groups(self, turn: Turn) -> list[RollGroup]:
        """Return the dice of a turn, grouped by purpose."""
        return group_rolls(self.rules.words, self.match, turn)

    def sentences(self, turn: Turn) -> list[str]:
        """Return the events of a turn as sentences; events that are only counted have none."""
        texts = [self.rules.words.sentence(event, self.names) for event in turn.events]
        return [sentence for sentence in texts if sentence]
