"""A rule set: everything the readers need to know of a game, in one value.

A game's package builds one `RuleSet` and calls it `RULES`. The functions marked with
`@rule` run plain and compiled; the others (words, checks of a position that a user sets
up) only serve people and run plain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from hashmark.table import guests
from hashmark.table.drawings import Colours, Drawing, Poster
from hashmark.table.effects import draw
from hashmark.table.errors import (
    IllegalCall,
    InvalidPosition,
    UnknownName,
    listed,
    nearest,
)
from hashmark.table.events import Statistics, Told
from hashmark.table.figures import EVERY_GAME, Figure
from hashmark.table.readable import shown
from hashmark.table.record import TEAMS, Record
from hashmark.table.rolls import Purpose, Roll
from hashmark.table.rule import rule
from hashmark.table.solving import Solving

NO_CALL = -1
LONGEST_GAME = 50_000  # steps; a game that takes more will never end
NO_END = f"a game is not over after {LONGEST_GAME:,} steps, and will never be"
ALLOWED = 0  # what `refusal` answers for a legal call


@dataclass(frozen=True)
class Question:
    """What may be asked in a position: its calls, and the default if it is a window.

    A question without calls asks nobody: it only wants dice (a coin toss), or the game is
    over. `also` holds calls that may be made but that no list shows, no coach draws and no
    comparison tries: a number of yards that is a matter of taste. A call in `secret` is known
    only to the team that made it until the rules tell an event of `until`; one that is
    withdrawn before that stays secret to the end of the game.
    """

    name: str
    text: str
    calls: tuple[int, ...] = ()
    default: int = NO_CALL
    also: tuple[int, ...] = ()
    secret: tuple[int, ...] = ()
    until: tuple[str, ...] = ()

    @property
    def is_window(self) -> bool:
        return self.default != NO_CALL


@dataclass(frozen=True)
class Option:
    """A switch of the rule set: its allowed values (the first is the default), and why.

    `allowed` is a tuple of values, or a range for whole numbers with a `default`. An option
    of any other form (team records, a chart file) has a `reader` that turns what was given
    into its value or says in one sentence what is wrong with it; `allowed` then holds a
    description, and the game's `make_match` puts the value into the match.

    An option with a `pick` is part of a game's invitation: the menu asks its `question`. `pick`
    gives the values to pick from, the usual one first, with a few words on each, for the options
    and seats that were chosen before it; none if there is nothing to ask.
    """

    name: str
    meaning: str
    allowed: tuple[Any, ...] | range
    default: Any = None
    reader: Callable[[Any], Any] | None = None
    pick: Callable[[Mapping[str, Any], Mapping[str, str]], Sequence[tuple[str, str]]] | None = None
    question: str = ""

    @property
    def value(self) -> Any:
        if self.default is None and self.reader is None:
            return self.allowed[0]
        return self.default

    def spoken(self) -> list[str]:
        """The allowed values as a person would type them."""
        if isinstance(self.allowed, range):
            return [f"{self.allowed.start} to {self.allowed[-1]}"]
        return [spoken(value) for value in self.allowed]

    def read(self, given: Any) -> Any:
        """The value meant by what JSON or the command line gave."""
        if self.reader is not None:
            return self.reader(given)
        if isinstance(self.allowed, range):
            number = whole_number(given)
            if number is not None and number in self.allowed:
                return number
        else:
            for value in self.allowed:
                if spoken(value) == spoken(given):
                    return value
        raise UnknownName(f"value of option {self.name}", spoken(given), self.spoken())

    def code(self, value: Any) -> int:
        """The integer that stands for a value in the match."""
        if isinstance(self.allowed, range):
            return int(value)
        return self.allowed.index(value)


def spoken(value: Any) -> str:
    """A value of an option as a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def whole_number(given: Any) -> int | None:
    """The whole number that was given, as a number or as text; None if it is none."""
    text = str(given)
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,20}", text) else None


@dataclass(frozen=True)
class Coach:
    """A built-in coach: a rule that answers every question, and a sentence about it."""

    name: str
    sentence: str
    call: Callable[[Any, Any], int] | None  # None: any legal call, each equally likely
    # of a coach that is none of a game's own: for a match and the position in which games begin,
    # what gives each thread the tuple that stands for it in compiled games
    compiled: Callable[[Any, Any], Callable[[], Any]] | None = None
    ready: Callable[[Any], object] | None = None  # refuses a match that it knows nothing of


OWN_COACH = "+"  # between the name of a game and that of a coach made at run time

RANDOM = Coach("random", "Any call that the rules allow, each equally likely.", None)


@dataclass(frozen=True)
class Scoring:
    """What the scoring summary says of each event; `{yards}` are the first number told.

    `ways` say how a touchdown was made, told of the team that scored, `theirs` of the other one
    (its kickoff, run back). `tries` follow a touchdown, good or not.
    """

    scores: Mapping[str, str]
    tries: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, str] = field(default_factory=dict)
    theirs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    """How the game speaks to people; plain Python only."""

    clock: Callable[[Any, Any], str]
    situation: Callable[[Any, Any], str]
    sentence: Callable[[Told], str]
    to_gain: Callable[[Any, Any], int | None]  # spot of the line to gain, for the field
    tables: Callable[[], list[tuple[str, list[str], list[list[str]]]]]
    calls: Mapping[str, str]  # what each call means, in a few words
    box: tuple[tuple[str, str], ...] = ()  # statistics of the box score and their headings
    drives: Callable[[Any], list[Any]] | None = None  # the drive list of a Game
    # further lines of the box score, worked out of a Game; of None for a blank sheet
    tallies: Callable[[Any], list[tuple[str, str, str]]] | None = None
    # what a call means in answer to one question, where it is not what it means elsewhere
    asked: Mapping[tuple[str, str], str] = field(default_factory=dict)
    explain: Callable[[Any, Any, int], str] | None = None  # what a call would mean right here
    lying: Callable[[Any, Any], list[str]] | None = None  # dice or cards on the table, drawn
    purpose: Callable[[Any, Any, Roll], Purpose] | None = None  # of a roll: match, turn, roll
    moment: Callable[[Any, Any], str] | None = None  # period and clock in short, as on a sheet
    ahead: Callable[[Any, Any], str] | None = None  # of a position that may come; else `situation`
    begins: Callable[[Any, Any], bool] | None = None  # a play; else where one is over
    # whether the ball has left its spot in the play that is on; else wherever none begins
    moved: Callable[[Any, Any], bool] | None = None
    period: Callable[[int], str] = str  # the name of a period
    time: Callable[[int], str] = str  # an amount of the clock, as people read it
    timed: tuple[str, ...] = ()  # the statistics that are amounts of the clock
    scoring: Scoring = field(default_factory=lambda: Scoring({}))
    # the time-outs that each team has left, where `clock` does not say it
    timeouts: Callable[[Any, Any], tuple[int, int]] | None = None

    def when(self, m: Any, g: Any) -> str:
        """The period and the clock in short."""
        return (self.moment or self.clock)(m, g)

    def rolled_for(self, m: Any, turn: Any, roll: Roll) -> Purpose:
        """What a roll of a turn was for."""
        return Purpose(roll.pool.label) if self.purpose is None else self.purpose(m, turn, roll)

    def meant(self, question: str, name: str) -> str:
        """What a call means in answer to a question, wherever it is asked."""
        return self.asked.get((question, name)) or self.calls.get(name, "")

    def meaning(self, m: Any, g: Any, call: int, name: str) -> str:
        """What a call means, here if the game can say it, else in general."""
        here = self.explain(m, g, call) if self.explain is not None else ""
        return here or self.calls.get(name, "")


def accept_all(m: Any, g: Any, given: Mapping[str, Any]) -> str | None:
    """The check of a set-up position for games that need none."""
    return None


@rule
def every_step(m: Any, g: Any) -> bool:
    """Whether a play is over, in games where every step is one."""
    return True


def hide_nothing(m: Any, g: Any, viewer: int) -> None:
    """The veil of games without secrets."""


def always(m: Any, g: Any) -> bool:
    """Whether an open window can matter, in games where each does."""
    return True


def say_nothing(values: Mapping[str, Any]) -> str:
    """What must be said of the options before a game begins, where that is nothing."""
    return ""


def for_two(m: Any) -> bool:
    """Whether a game is played alone, for games that never are."""
    return False


LEVELS = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Effort:
    """What a game asks of a newcomer: how hard it is, and how many minutes it takes."""

    level: str
    minutes: tuple[int, int]

    @property
    def order(self) -> tuple[int, int]:
        """Easier games come first, and of these the shorter."""
        return LEVELS.index(self.level), self.minutes[1]

    def __str__(self) -> str:
        return f"{self.level}, {self.minutes[0]} to {self.minutes[1]} minutes"


@rule
def forget_nothing(m: Any, g: Any) -> None:
    """Everything in the position may count for what is to come."""


@rule
def it_may(m: Any, g: Any) -> bool:
    """Any step may look at the score."""
    return True


@rule
def no_measure(m: Any, g: Any) -> int:
    """Nobody says how far the game has come."""
    return 0


@dataclass(frozen=True, eq=False)
class RuleSet:
    """One game, ready for every reader."""

    name: str
    title: str
    summary: str
    version: int
    position: type[Record]
    match: type[Record]
    options: tuple[Option, ...]
    calls: tuple[str, ...]
    questions: tuple[Question, ...]
    refusals: tuple[str, ...]
    statistics: Statistics
    coaches: tuple[Coach, ...]
    over: int
    words: Words
    # rules
    start: Callable[[Any, Any], None]
    question: Callable[[Any, Any], int]
    asked: Callable[[Any, Any], int]
    refusal: Callable[[Any, Any, int], int]
    step: Callable[[Any, Any, int], None]
    veil: Callable[[Any, Any, int], None] = hide_nothing  # hides what a viewer must not see
    matters: Callable[[Any, Any], bool] = always  # whether an open window is worth asking about
    play_over: Callable[[Any, Any], bool] = every_step  # nothing is in progress
    book_in_windows: bool = False  # odds of a play answer its windows by the book, not by default
    # the essence of a position; the referee kit holds a game to what it declares here
    forget: Callable[[Any, Any], None] = forget_nothing  # clears what no later rule reads
    score_counts: Callable[[Any, Any], bool] = it_may  # the next step may look at the lead
    progress: Callable[[Any, Any], int] = no_measure  # time used: a step never lessens it
    solving: Solving | None = None  # what a solver of whole games asks; without it none can be
    # what a coach wants to know of a call, and which of it at which question
    figures: tuple[Figure, ...] = EVERY_GAME
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # plain hooks
    alone: Callable[[Any], bool] = for_two  # from the match: nobody sits on the other side
    make_match: Callable[[Any, Mapping[str, Any]], None] | None = None  # fills in the match
    settle: Callable[[Any, Any, Mapping[str, Any]], str | None] = accept_all
    secrets: tuple[str, ...] = ()  # the fields that `veil` may change
    names: Callable[[Mapping[str, Any]], tuple[str, str]] | None = None  # from the options
    colours: Callable[[Mapping[str, Any]], tuple[Colours, Colours]] | None = None  # likewise
    sheet: Callable[[Any], Any] | None = None  # a Game, or None for a blank, to a Document
    drawing: Callable[[Any, int], Drawing | None] | None = None  # of a Game as a viewer sees it
    poster: Poster | None = None  # for a lobby
    spell: Callable[[str], str] = str  # the one spelling of a call that may be written in many
    extras: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # options by one name
    parts: Callable[[Any, Any], list[tuple[str, list[str], list[list[str]]]]] | None = None
    # the asked team's chance to win by each call, or by NO_CALL where only dice are wanted
    reckon: Callable[[Any, Any], Mapping[int, float]] | None = None
    compile_effort: int = 3  # 1 to 3; less compiles a large coach in less time
    player: Coach | None = None  # who plays games out to find what positions are worth
    clock_rise: int = 0  # how far a step may turn the clock back up
    effort: Effort | None = None  # for the menu
    book: Path | None = None  # the rules in Markdown
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of it, by question
    notice: Callable[[Mapping[str, Any]], str] = say_nothing  # of the options, before the kickoff
    custom: bool = False  # made at run time: its compiled code is not kept

    @cached_property
    def call_codes(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.calls)}

    @cached_property
    def calls_in_secret(self) -> bool:
        """Whether a call of this game is ever made before the other side's is known."""
        return any(question.secret for question in self.questions)

    @cached_property
    def phases(self) -> tuple[str, ...]:
        return self.position.fields["phase"].names  # type: ignore[attr-defined, no-any-return]

    def read_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values; unknown names and values are refused.

        Where the game has presets, the option `preset` names one: what is given beside it counts.
        """
        known = {option.name: option for option in self.options}
        if self.presets and "preset" in given:
            name, given = str(given["preset"]), {k: v for k, v in given.items() if k != "preset"}
            if name not in self.presets:
                raise UnknownName(f"preset of {self.name}", name, self.presets)
            given = {**self.presets[name], **given}
        read = {option.name: option.value for option in self.options}
        for name, value in given.items():
            if name not in known:
                raise UnknownName(f"option of {self.name}", name, known)
            read[name] = known[name].read(value)
        return read

    def team_names(self, given: Mapping[str, Any]) -> tuple[str, str]:
        """What the teams are called under these options, if nobody says otherwise."""
        return TEAMS if self.names is None else self.names(self.read_options(given))

    def new_match(self, given: Mapping[str, Any] | None = None) -> Any:
        """The match for these options."""
        values = self.read_options(given or {})
        m = self.match()
        for option in self.options:
            if option.reader is None:
                setattr(m, option.name.replace("-", "_"), option.code(values[option.name]))
        if self.make_match is not None:
            self.make_match(m, values)
        return m

    def new_position(self, m: Any, given: Mapping[str, Any] | None = None) -> Any:
        """A new game's position, changed by what the user gives of another."""
        g = self.position()
        self.start(m, g)
        if given:
            first = g.copy()
            g.update(given)
            read = g.copy()
            complaint = self.settle(m, g, given) or self._dead_end(m, g)
            if "phase" not in given:
                complaint = self._needs_phase(first, read, g, given) or complaint
            if complaint:
                raise InvalidPosition(f"position: {complaint}")
        return g

    def _needs_phase(self, first: Any, read: Any, g: Any, given: Mapping[str, Any]) -> str | None:
        """Keys that mean nothing in the phase in which a game begins, if no other is named.

        Such keys are cleared where a phase is named; without one they mean another phase.
        """
        for key in given:
            value = getattr(read, key)
            lost = value != getattr(g, key) and value != getattr(first, key)
            moved = key == "spot" and value != first.spot and "down" in g.fields and g.down == 0
            if lost or moved:
                return (
                    f"{key} means nothing in phase {self.phases[first.phase]}, in which a game "
                    f"begins; name the phase: {listed(self.phases)}"
                )
        return None

    def _dead_end(self, m: Any, g: Any) -> str | None:
        """A question that nobody can answer, if the position asks one."""
        asked = self.questions[self.question(m, g)]
        if not asked.calls or (self.asked(m, g) in range(2) and self.legal_calls(m, g)):
            return None
        return f"{asked.name} is asked, but nobody has a call that is allowed"

    def coach(self, name: str) -> Coach:
        """The coach of this name."""
        coaches = self.all_coaches()
        for coach in coaches:
            if coach.name == name:
                return coach
        raise UnknownName(f"coach of {self.name}", name, [c.name for c in coaches])

    def all_coaches(self) -> tuple[Coach, ...]:
        """The game's own coaches, and guests that know it."""
        return (*self.coaches, *guests.of(self))

    @property
    def playing_out(self) -> Coach:
        """Who plays games out: as the game says, else the coach by the book, else the first."""
        known = {coach.name: coach for coach in self.coaches}
        return self.player or known.get("book", self.coaches[0])

    def __post_init__(self) -> None:
        """What every reader counts on must be there."""
        for key in ("phase", "period", "clock", "possession", "spot", "score"):
            if key not in self.position.fields:
                raise ValueError(f"{self.name}: the position has no {key}")
        for key in ("points", "turnovers", "yards"):
            if key not in self.statistics.names:
                raise ValueError(f"{self.name}: the statistics have no {key}")
        for key in self.secrets:
            if key not in self.position.fields or self.position.fields[key].shape:
                raise ValueError(f"{self.name}: {key} cannot be hidden, it is no single number")
        self._check_columns()
        if len({coach.name for coach in self.coaches} | {"random"}) != len(self.coaches):
            raise ValueError(f"{self.name}: coaches need different names, one of them random")

    def _check_columns(self) -> None:
        """Columns are figures of the game, at questions that it asks."""
        asked = {question.name for question in self.questions}
        names = {figure.name for figure in self.figures}
        for figure in self.figures:
            if isinstance(figure.of, tuple) and not set(figure.of) <= set(self.statistics.names):
                raise ValueError(f"{self.name}: {figure.name} counts what is no statistic")
        for question, columns in self.columns.items():
            if question not in asked or not names.issuperset(columns):
                raise ValueError(f"{self.name}: {question} cannot show {', '.join(columns)}")

    @cached_property
    def measured(self) -> tuple[Figure, ...]:
        """Every figure that is a rule: what readers of the rules work out of each outcome."""
        own = [figure for figure in self.figures if not isinstance(figure.of, tuple)]
        names = {figure.name for figure in own}
        return (*own, *(figure for figure in EVERY_GAME if figure.name not in names))

    @cached_property
    def counted(self) -> tuple[str, ...]:
        """The statistics that figures are made of, and those of every game."""
        wanted = ["points", "turnovers", "yards", "first_downs"]
        for figure in self.figures:
            wanted += figure.of if isinstance(figure.of, tuple) else ()
        return tuple(name for name in self.statistics.names if name in wanted)

    def measure(self, m: Any, before: Any, after: Any, us: int) -> list[tuple[int, int]]:
        """Of each measured figure: what it says, and whether the outcome is in its mean."""
        said = []
        for figure in self.measured:
            counts = figure.given is None or figure.given(m, before, after, us)
            said.append((figure.of(m, before, after, us) if counts else 0, int(counts)))  # type: ignore[operator]
        return said

    def figures_at(self, question: str) -> tuple[Figure, ...]:
        """What means something at a question, in the order in which it is shown."""
        wanted = self.columns.get(question)
        if wanted is None:
            return self.figures
        known = {figure.name: figure for figure in self.figures}
        return tuple(known[name] for name in wanted)

    @cache  # noqa: B019  (a tuning loop must not compile the same coach again)
    def with_coach(self, call: Callable[[Any, Any], int]) -> tuple[RuleSet, Coach]:
        """The same game with one more coach, a function written like a rule."""
        taken = [coach.name for coach in self.coaches]
        name, number = call.__name__, 1
        while name in taken:
            number += 1
            name = f"{call.__name__}-{number}"
        coach = Coach(name, (call.__doc__ or name).strip(), call)
        coaches = (*self.coaches, coach)
        name = f"{self.name}{OWN_COACH}{name}"
        return replace(self, name=name, coaches=coaches, custom=True), coach

    def view(self, m: Any, g: Any, viewer: int) -> Any:
        """The position as home, away or a watcher (NOBODY) may see it, at no table."""
        seen = g.copy()
        self.veil(m, seen, viewer)
        return seen

    def begins_play(self, m: Any, g: Any) -> bool:
        """Whether a play begins here: where a game does not say so, wherever one is over."""
        return (self.words.begins or self.play_over)(m, g)

    def has_moved(self, m: Any, g: Any) -> bool:
        """Whether the ball is not at its spot any more: a play has begun and is not settled."""
        if self.words.moved is not None:
            return not self.is_over(g) and self.words.moved(m, g)
        return not self.is_over(g) and not self.begins_play(m, g)

    def is_over(self, g: Any) -> bool:
        return bool(g.phase == self.over)

    def legal_calls(self, m: Any, g: Any) -> list[int]:
        """Every call that the rules allow here, in the order of the question."""
        asked = self.questions[self.question(m, g)]
        return [call for call in asked.calls if self.refusal(m, g, call) == ALLOWED]

    def possible_calls(self, m: Any, g: Any) -> list[int]:
        """Those and the legal ones that no list shows."""
        asked = self.questions[self.question(m, g)]
        also = [call for call in asked.also if call not in asked.calls]
        allowed = [call for call in also if self.refusal(m, g, call) == ALLOWED]
        return [*self.legal_calls(m, g), *allowed]

    def decide(self, coach: Coach, m: Any, g: Any) -> int:
        """The coach's answer in plain Python; `g` is what its team may see."""
        if coach.call is not None:
            return coach.call(m, g)
        legal = self.legal_calls(m, g)
        return legal[draw(g, len(legal))]

    @contextmanager
    def veiled(self, m: Any, g: Any, viewer: int, table: Any) -> Iterator[None]:
        """For a while, the position itself as a viewer may see it, at a table of its own.

        The quick way to a view, for simulations: what is hidden is put back afterwards.
        """
        kept, usual = [getattr(g, key) for key in self.secrets], g.table
        g.table = table
        self.veil(m, g, viewer)
        try:
            yield
        finally:
            g.table = usual
            for key, value in zip(self.secrets, kept, strict=True):
                setattr(g, key, value)

    def call_of(self, m: Any, g: Any, name: str) -> tuple[int | None, int | None]:
        """The code of a call by its name, if there is one, and why it is refused here.

        ALLOWED if it is not, None if nobody asks for it.
        """
        code = self.call_codes.get(self.spell(name))
        asked = self.questions[self.question(m, g)]
        if code is None or not (code in asked.calls or code in asked.also):
            return code, None
        return code, self.refusal(m, g, code)

    def read_call(self, m: Any, g: Any, name: str) -> int:
        """The code of a call by its name; one sentence if the rules do not allow it."""
        code, reason = self.call_of(m, g, name)
        if code is not None and reason == ALLOWED:
            return code
        legal = [self.calls[call] for call in self.legal_calls(m, g)]
        why = f" ({self.refusals[reason]})" if reason and self.refusals[reason] else ""
        near = nearest(name, legal) if code is None else None
        hint = f"did you mean {near!r}? " if near else ""
        raise IllegalCall(f"{shown(name)} is not allowed here{why}; {hint}allowed: {listed(legal)}")
