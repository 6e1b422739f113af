"""Rule sets: everything that the readers need to know of a game, in one value.

A game's package builds one `RuleSet` and calls it `RULES`. Functions marked with `@rule` run plain
and compiled; the others (texts, checks of a position that a user sets up) serve the user interface
and run plain only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Generic, TypeAlias

from hashmark.engine.coaches import LEVELS, registered_coaches
from hashmark.engine.effects import EffectHandler, draw
from hashmark.engine.events import Statistics
from hashmark.engine.figures import DEFAULT_FIGURES, Figure
from hashmark.engine.options import Option
from hashmark.engine.presentation import Presentation, Words
from hashmark.engine.record import TEAMS, MatchRecord, MatchT, PositionRecord, PositionT
from hashmark.engine.rule import rule
from hashmark.engine.solver_spec import SearchSpec, SolverSpec
from hashmark.engine.value_function import ShippedValues
from hashmark.errors import (
    HashmarkError,
    IllegalCall,
    InvalidPosition,
    UnknownName,
    closest_name,
    join_names,
)
from hashmark.sanitize import quote

CallCode: TypeAlias = int  # index of a call in `RuleSet.calls`, or NO_CALL

NO_CALL = -1
MAX_GAME_STEPS = 50_000  # steps; a longer game never ends
ENDLESS_GAME_MESSAGE = f"a game is not over after {MAX_GAME_STEPS:,} steps, and will never be"
ALLOWED = 0  # result of `refusal` for a legal call


@dataclass(frozen=True)
class Question:
    """A question that a position may ask: its calls, and the default if it is a window.

    A question without calls is put to no team: the position only needs dice (a coin toss), or the
    game is over. `unlisted_calls` holds calls that are legal but that no menu shows, no coach draws
    and no comparison tries, such as a number of yards that is a matter of taste. A call in
    `secret_calls` is known only to the team that made it until the rules emit an event of
    `revealed_by`; one that is withdrawn before that stays secret to the end of the game.
    """

    name: str
    text: str
    calls: tuple[int, ...] = ()
    default: int = NO_CALL
    unlisted_calls: tuple[int, ...] = ()
    secret_calls: tuple[int, ...] = ()
    revealed_by: tuple[str, ...] = ()

    @property
    def is_window(self) -> bool:
        return self.default != NO_CALL


@dataclass(frozen=True)
class Coach:
    """A coach: a rule that answers every question, and a sentence about it."""

    name: str
    description: str
    call: Callable[[Any, Any], int] | None  # None: any legal call, each equally likely
    # for a registered coach: takes a match and the initial position, and returns a function that
    # gives each thread the tuple that stands for the coach in compiled games
    compiled_factory: Callable[[Any, Any], Callable[[], Any]] | None = None
    # raises an error for a match that it does not support
    check_match: Callable[[Any], object] | None = None
    level: str = ""  # one of `coaches.LEVELS`; no level counts as the lowest

    def __post_init__(self) -> None:
        if self.level and self.level not in LEVELS:
            raise ValueError(f"coach {self.name}: {self.level!r} is not a level")

    @property
    def strength(self) -> int:
        """Rank of the coach's level: a higher one is stronger."""
        return LEVELS.index(self.level) if self.level else 0

    @property
    def title(self) -> str:
        """Level and name, e.g. `Starter (book)`, or the name alone."""
        return f"{self.level} ({self.name})" if self.level else self.name

    def can_play(self, m: MatchRecord) -> bool:
        """Return whether the coach supports a match, e.g. whether it has been solved."""
        try:
            return self.check_match is None or self.check_match(m) is None
        except HashmarkError:
            return False


COACH_SEPARATOR = "+"  # separates the name of a game from that of a coach made at run time

RANDOM_COACH = Coach(
    "random", "Any call that the rules allow, each equally likely.", None, level=LEVELS[0]
)


def accept_all(m: MatchRecord, g: PositionRecord, given: Mapping[str, Any]) -> str | None:
    """Accept every set-up position, for games without a check."""
    return None


@rule
def every_step(m: MatchRecord, g: PositionRecord) -> bool:
    """Whether a play is over, in games where every step is a play."""
    return True


def hide_nothing(m: MatchRecord, g: PositionRecord, viewer: int) -> None:
    """Redact nothing, for games without secrets."""


def always_prompt(m: MatchRecord, g: PositionRecord) -> bool:
    """Always prompt for an open window."""
    return True


def no_notice(values: Mapping[str, Any]) -> str:
    """Return an empty notice on the options."""
    return ""


def never_solo(m: MatchRecord) -> bool:
    """Return that a game is not played alone."""
    return False


@rule
def drop_nothing(m: MatchRecord, g: PositionRecord) -> None:
    """Keep the whole position: every field may matter later."""


@rule
def score_may_count(m: MatchRecord, g: PositionRecord) -> bool:
    """Any step may read the score."""
    return True


@rule
def no_progress(m: MatchRecord, g: PositionRecord) -> int:
    """Report no progress."""
    return 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Rules(Generic[MatchT, PositionT]):
    """The rules themselves: records, calls, questions, and functions, run plain or compiled."""

    match: type[MatchT]
    position: type[PositionT]
    calls: tuple[str, ...]
    questions: tuple[Question, ...]
    refusals: tuple[str, ...]
    statistics: Statistics
    over_phase: int
    start: Callable[[MatchT, PositionT], None]
    question: Callable[[MatchT, PositionT], int]
    team_to_act: Callable[[MatchT, PositionT], int]
    refusal: Callable[[MatchT, PositionT, int], int]
    step: Callable[[MatchT, PositionT, int], None]
    secret_fields: tuple[str, ...] = ()  # the fields that redaction may change
    redact: Callable[[MatchT, PositionT, int], None] = hide_nothing  # hides them from a viewer
    # whether an open window is worth a prompt
    should_prompt: Callable[[MatchT, PositionT], bool] = always_prompt
    is_play_over: Callable[[MatchT, PositionT], bool] = every_step  # no play is in progress
    is_solo: Callable[[MatchT], bool] = never_solo  # there is no opponent
    normalize_call: Callable[[str], str] = str  # canonical spelling of a call's name


@dataclass(frozen=True, eq=False, kw_only=True)
class Setup(Generic[MatchT, PositionT]):
    """How a match and a position are made from options and from what a user supplies."""

    options: tuple[Option, ...] = ()
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # options under one name
    # options of the game that a menu starts without asking, such as two real teams
    quick_start: Mapping[str, Any] = field(default_factory=dict)
    preset_meanings: Mapping[str, str] = field(default_factory=dict)  # each in a few words
    # the preset that menus for a new game offer first; commands and logs start from the defaults
    default_preset: str = ""
    fill_match: Callable[[MatchT, Mapping[str, Any]], None] | None = None  # completes the match
    normalize_position: Callable[[MatchT, PositionT, Mapping[str, Any]], str | None] = accept_all
    name_teams: Callable[[Mapping[str, Any]], tuple[str, str]] | None = None  # from the options
    # on the options, shown before the kickoff
    options_notice: Callable[[Mapping[str, Any]], str] = no_notice
    # further keys that scenarios may ask for, computed from a Game
    computed_keys: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class SolverHooks(Generic[MatchT, PositionT]):
    """What solvers and estimates of a position's value need; the conformance kit checks it."""

    # clears fields that no later rule reads
    drop_irrelevant: Callable[[MatchT, PositionT], None] = drop_nothing
    # whether the next step may read the lead
    score_matters: Callable[[MatchT, PositionT], bool] = score_may_count
    progress: Callable[[MatchT, PositionT], int] = no_progress  # time used: never decreases
    max_clock_rise: int = 0  # how much a step may add to the clock
    spec: SolverSpec | None = None  # without it the game cannot be solved
    # win probability of the team to act by call, or by NO_CALL where only dice are rolled
    heuristic_value: Callable[[MatchT, PositionT], Mapping[int, float]] | None = None
    value_function: ShippedValues | None = None  # win probability without search
    heuristic_method: str = ""  # how it is computed, for headlines and footers
    # measured error of a value, and of the difference between two calls, in standard deviations of
    # one game
    heuristic_error: float = 0.0
    heuristic_call_error: float = 0.0
    search: SearchSpec | None = None  # the coach `best` of a game that is too large to be solved
    rollout_coach: Coach | None = None  # coach of rollouts that estimate position values
    # module of a model that can be solved for one pairing of teams (see `values/pairing_table.py`)
    pairing_module: str = ""
    pairing_levels: Mapping[str, str] = field(default_factory=dict)  # its coaches, with a sentence


def _spelling(option: str) -> str:
    """Return an option's name without its spelling: hyphens and underscores are the same."""
    return option.replace("_", "-")


@dataclass(frozen=True, eq=False, kw_only=True)
class GameRuleSet(Rules[MatchT, PositionT]):
    """One game, ready for every reader: its rules, setup, texts, presentation and solver hooks.

    A game builds one with its own records, `GameRuleSet[Match, Position](...)`; readers of any game
    call it `RuleSet`.
    """

    name: str
    title: str
    summary: str
    version: int
    coaches: tuple[Coach, ...]
    words: Words
    setup: Setup[MatchT, PositionT] = field(default_factory=Setup)
    presentation: Presentation[MatchT, PositionT] = field(default_factory=Presentation)
    solver: SolverHooks[MatchT, PositionT] = field(default_factory=SolverHooks)
    # figures of a call, and which of them are shown for which question
    figures: tuple[Figure, ...] = DEFAULT_FIGURES
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # odds of a play answer its windows as `book` does, not by default
    book_in_windows: bool = False
    compile_effort: int = 3  # 1 to 3; a lower level compiles a large coach faster
    is_custom: bool = False  # made at run time: its compiled code is not cached

    @cached_property
    def call_codes(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.calls)}

    @cached_property
    def has_secret_calls(self) -> bool:
        """Whether a team ever calls before the other side's call is known to it."""
        return any(question.secret_calls for question in self.questions)

    @cached_property
    def phase_names(self) -> tuple[str, ...]:
        return self.position.fields["phase"].names  # type: ignore[attr-defined, no-any-return]

    def parse_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Parse options and return all of them with their values; refuse unknown names and values.

        If the game has presets, the option `preset` names one; options given beside it take
        precedence.
        """
        known = {option.name: option for option in self.setup.options}
        given = self.expand_preset(given)
        values = {option.name: option.default_value for option in self.setup.options}
        by_spelling = {_spelling(name): name for name in known}
        for given_name, value in given.items():
            name = by_spelling.get(_spelling(given_name), "")
            if not name:
                raise UnknownName(f"option of {self.name}", given_name, known)
            values[name] = known[name].parse(value)
        return values

    def expand_preset(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Replace the option `preset` by what it stands for; other given options win over it."""
        if not self.setup.presets or "preset" not in given:
            return dict(given)
        name = str(given["preset"])
        if name not in self.setup.presets:
            raise UnknownName(f"preset of {self.name}", name, self.setup.presets)
        spelled = {_spelling(key): key for key in given}
        others = {key: value for key, value in given.items() if key != "preset"}
        unset = {k: v for k, v in self.setup.presets[name].items() if _spelling(k) not in spelled}
        return {**unset, **others}

    def team_names(self, given: Mapping[str, Any]) -> tuple[str, str]:
        """Return the default names of the teams under these options."""
        name_teams = self.setup.name_teams
        return TEAMS if name_teams is None else name_teams(self.parse_options(given))

    def new_match(self, given: Mapping[str, Any] | None = None) -> MatchT:
        """Return the match for these options."""
        values = self.parse_options(given or {})
        m = self.match()
        for option in self.setup.options:
            if option.parser is None:
                setattr(m, option.name.replace("-", "_"), option.code(values[option.name]))
        if self.setup.fill_match is not None:
            self.setup.fill_match(m, values)
        return m

    def new_position(self, m: MatchT, given: Mapping[str, Any] | None = None) -> PositionT:
        """Return a new game's position, updated with the user's values."""
        g = self.position()
        self.start(m, g)
        if given:
            initial = g.copy()
            g.update(given)
            updated = g.copy()
            complaint = self.setup.normalize_position(m, g, given) or self._unanswerable(m, g)
            if "phase" not in given:
                complaint = self._needs_phase(initial, updated, g, given) or complaint
            if complaint:
                raise InvalidPosition(f"position: {complaint}")
        return g

    def _needs_phase(
        self, initial: PositionT, updated: PositionT, g: PositionT, given: Mapping[str, Any]
    ) -> str | None:
        """Return an error for keys that mean nothing in the initial phase, if no phase is given.

        Such keys are cleared if a phase is named; without one the user must have meant another
        phase.
        """
        for key in given:
            value = getattr(updated, key)
            was_cleared = value != getattr(g, key) and value != getattr(initial, key)
            has_odd_spot = key == "spot" and value != initial.spot and getattr(g, "down", 1) == 0
            if was_cleared or has_odd_spot:
                return (
                    f"{key} does not apply in phase {self.phase_names[initial.phase]}, in which a "
                    f"game begins; name the phase: {join_names(self.phase_names)}"
                )
        return None

    def _unanswerable(self, m: MatchT, g: PositionT) -> str | None:
        """Return an error if the position asks a question without a legal answer."""
        question = self.questions[self.question(m, g)]
        if not question.calls or (self.team_to_act(m, g) in range(2) and self.legal_calls(m, g)):
            return None
        return f"{question.name} is asked, but no call is legal"

    def coach(self, name: str) -> Coach:
        """Return the coach of this name; `coach:bold` is `bold`, as in seats."""
        candidates, wanted = self.all_coaches(), name.removeprefix("coach:")
        for coach in candidates:
            if coach.name == wanted:
                return coach
        raise UnknownName(f"coach of {self.name}", wanted, [c.name for c in candidates])

    def all_coaches(self) -> tuple[Coach, ...]:
        """Return the game's own coaches and the registered ones that support it."""
        return (*self.coaches, *registered_coaches(self))

    def coaches_by_strength(self) -> list[Coach]:
        """Return all coaches, the weakest first; within a level in the order of declaration."""
        return sorted(self.all_coaches(), key=lambda coach: coach.strength)

    @property
    def rollout_coach(self) -> Coach:
        """Coach of rollouts: the game's own choice, else `book`, else the first coach."""
        by_name = {coach.name: coach for coach in self.coaches}
        return self.solver.rollout_coach or by_name.get("book", self.coaches[0])

    def __post_init__(self) -> None:
        """Check what every reader relies on."""
        for key in ("phase", "period", "clock", "possession", "spot", "score"):
            if key not in self.position.fields:
                raise ValueError(f"{self.name}: the position has no {key}")
        for key in ("points", "turnovers", "yards"):
            if key not in self.statistics.names:
                raise ValueError(f"{self.name}: the statistics have no {key}")
        for key in self.secret_fields:
            if key not in self.position.fields or self.position.fields[key].shape:
                raise ValueError(f"{self.name}: {key} cannot be hidden, it is no single number")
        self._check_columns()
        if self.setup.default_preset and self.setup.default_preset not in self.setup.presets:
            raise ValueError(f"{self.name}: the default preset is no preset")
        if len({coach.name for coach in self.coaches} | {"random"}) != len(self.coaches):
            raise ValueError(f"{self.name}: coaches need different names, one of them random")

    def _check_columns(self) -> None:
        """Check that columns are figures of the game, for questions that it asks."""
        question_names = {question.name for question in self.questions}
        names = {figure.name for figure in self.figures}
        for figure in self.figures:
            if isinstance(figure.source, tuple) and not set(figure.source) <= set(
                self.statistics.names
            ):
                raise ValueError(f"{self.name}: {figure.name} counts what is no statistic")
        for question, columns in self.columns.items():
            if question not in question_names or not names.issuperset(columns):
                raise ValueError(f"{self.name}: {question} cannot show {', '.join(columns)}")

    @cached_property
    def rule_figures(self) -> tuple[Figure, ...]:
        """All figures that are rules, which readers compute for each outcome."""
        own = [figure for figure in self.figures if not isinstance(figure.source, tuple)]
        names = {figure.name for figure in own}
        return (*own, *(figure for figure in DEFAULT_FIGURES if figure.name not in names))

    @cached_property
    def counted_statistics(self) -> tuple[str, ...]:
        """The statistics that figures need, and those of every game."""
        needed = ["points", "turnovers", "yards", "first_downs"]
        for figure in self.figures:
            needed += figure.source if isinstance(figure.source, tuple) else ()
        return tuple(name for name in self.statistics.names if name in needed)

    def measure(
        self, m: MatchT, before: PositionT, after: PositionT, us: int
    ) -> list[tuple[int, int]]:
        """Return for each measured figure its value, and whether the outcome counts in its mean."""
        values = []
        for figure in self.rule_figures:
            counts = figure.condition is None or figure.condition(m, before, after, us)
            values.append((figure.source(m, before, after, us) if counts else 0, int(counts)))  # type: ignore[operator]
        return values

    def figures_at(self, question: str) -> tuple[Figure, ...]:
        """Return the figures to show for a question, in display order."""
        names = self.columns.get(question)
        if names is None:
            return self.figures
        by_name = {figure.name: figure for figure in self.figures}
        return tuple(by_name[name] for name in names)

    @cache  # noqa: B019  (a tuning loop must not compile the same coach again)
    def with_coach(self, call: Callable[[Any, Any], int]) -> tuple[RuleSet, Coach]:
        """Return the same game with one more coach, a function written like a rule."""
        taken_names = [coach.name for coach in self.coaches]
        name, number = call.__name__, 1
        while name in taken_names:
            number += 1
            name = f"{call.__name__}-{number}"
        coach = Coach(name, (call.__doc__ or name).strip(), call)
        extended = (*self.coaches, coach)
        name = f"{self.name}{COACH_SEPARATOR}{name}"
        return replace(self, name=name, coaches=extended, is_custom=True), coach

    def view(self, m: MatchT, g: PositionT, viewer: int) -> PositionT:
        """Return a copy of the position as home, away or a spectator (NOBODY) may see it."""
        copied = g.copy()
        self.redact(m, copied, viewer)
        return copied

    def begins_play(self, m: MatchT, g: PositionT) -> bool:
        """Return whether a play begins here: as the game says, else wherever one is over."""
        return (self.words.play_begins or self.is_play_over)(m, g)

    def has_ball_moved(self, m: MatchT, g: PositionT) -> bool:
        """Return whether the ball has left its spot: a play has begun and is not over."""
        if self.words.ball_has_moved is not None:
            return not self.is_over(g) and self.words.ball_has_moved(m, g)
        return not self.is_over(g) and not self.begins_play(m, g)

    def is_over(self, g: PositionT) -> bool:
        return bool(g.phase == self.over_phase)

    def legal_calls(self, m: MatchT, g: PositionT) -> list[CallCode]:
        """Return every legal call that menus show, in the order of the question."""
        question = self.questions[self.question(m, g)]
        return [call for call in question.calls if self.refusal(m, g, call) == ALLOWED]

    def possible_calls(self, m: MatchT, g: PositionT) -> list[CallCode]:
        """Return all legal calls, including those that no menu shows."""
        question = self.questions[self.question(m, g)]
        unlisted = [call for call in question.unlisted_calls if call not in question.calls]
        allowed = [call for call in unlisted if self.refusal(m, g, call) == ALLOWED]
        return [*self.legal_calls(m, g), *allowed]

    def decide(self, coach: Coach, m: MatchT, g: PositionT) -> CallCode:
        """Return the coach's call in plain Python; `g` is what its team may see."""
        if coach.call is not None:
            return coach.call(m, g)
        legal = self.legal_calls(m, g)
        return legal[draw(g, len(legal))]

    @contextmanager
    def redacted(
        self, m: MatchT, g: PositionT, viewer: int, handler: EffectHandler
    ) -> Iterator[None]:
        """Redact the position itself within this context, with an effect handler of its own.

        The fast way to a view, for simulations: hidden values are restored afterwards.
        """
        hidden_values, previous_handler = [getattr(g, key) for key in self.secret_fields], g.handler
        g.handler = handler
        self.redact(m, g, viewer)
        try:
            yield
        finally:
            g.handler = previous_handler
            for key, value in zip(self.secret_fields, hidden_values, strict=True):
                setattr(g, key, value)

    def call_name(self, code: CallCode) -> str | None:
        """Return the name of a call; None for NO_CALL."""
        return None if code == NO_CALL else self.calls[code]

    def find_call(self, name: str) -> CallCode:
        """Return the code of a call by name; NO_CALL if there is none."""
        return self.call_codes.get(self.normalize_call(name), NO_CALL)

    def refusal_reason(self, m: MatchT, g: PositionT, code: CallCode) -> int | None:
        """Return why a call is refused: ALLOWED if it is legal, None if it is not offered here."""
        question = self.questions[self.question(m, g)]
        offered = code in question.calls or code in question.unlisted_calls
        return self.refusal(m, g, code) if offered else None

    def parse_call(self, m: MatchT, g: PositionT, name: str) -> CallCode:
        """Return the code of a call by name; raise an error if it is not legal."""
        code = self.find_call(name)
        self.check_call(m, g, code, name)
        return code

    def check_call(
        self, m: MatchT, g: PositionT, code: CallCode, given_name: str | None = None
    ) -> None:
        """Raise an error if a call is not legal; the error quotes the name that was given."""
        reason = self.refusal_reason(m, g, code)
        if reason == ALLOWED:
            return
        is_known = 0 <= code < len(self.calls)
        name = self.calls[code] if is_known else str(code)
        name = name if given_name is None else given_name
        legal = [self.calls[call] for call in self.legal_calls(m, g)]
        explanation = f" ({self.refusals[reason]})" if reason and self.refusals[reason] else ""
        suggestion = None if is_known else closest_name(name, legal)
        hint = f"did you mean {suggestion!r}? " if suggestion else ""
        raise IllegalCall(
            f"{quote(name)} is not allowed here{explanation}; {hint}allowed: {join_names(legal)}"
        )


RuleSet = GameRuleSet[Any, Any]
