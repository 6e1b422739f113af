"""What people see of a game: texts, drawings, sheet, poster, difficulty; plain Python only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from hashmark.engine.drawings import Drawing, Poster, TeamColors
from hashmark.engine.events import GameEvent
from hashmark.engine.record import MatchRecord, MatchT, PositionRecord, PositionT
from hashmark.engine.rolls import Purpose, Roll
from hashmark.engine.team_names import TeamNames

if TYPE_CHECKING:
    from hashmark.engine.game import Game, Turn

TextTable: TypeAlias = tuple[str, list[str], list[list[str]]]  # title, headings and rows


@dataclass(frozen=True)
class Scoring:
    """Texts of the scoring summary for each event; `{yards}` is the first field of the event.

    `touchdown_texts` say how a touchdown was scored, for events of the scoring team,
    `opponent_touchdown_texts` for events of the other team (its kickoff, returned). `try_texts`
    follow a touchdown, good or not.
    """

    score_texts: Mapping[str, str]
    try_texts: Mapping[str, str] = field(default_factory=dict)
    touchdown_texts: Mapping[str, str] = field(default_factory=dict)
    opponent_touchdown_texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    """Texts of a game for people; plain Python only."""

    clock: Callable[[Any, Any], str]
    situation: Callable[[Any, Any, TeamNames], str]
    sentence: Callable[[GameEvent, TeamNames], str]
    line_to_gain: Callable[[Any, Any], int | None]  # spot of the line to gain, drawn on the field
    list_tables: Callable[[], list[TextTable]]
    call_meanings: Mapping[str, str]  # what each call means, in a few words
    box_lines: tuple[tuple[str, str], ...] = ()  # statistics of the box score and their headings
    list_drives: Callable[[Game], list[Any]] | None = None
    # further lines of the box score; None stands for a blank sheet
    extra_box_lines: Callable[[Game | None], list[tuple[str, str, str]]] | None = None
    # what a call means as an answer to one question, where that differs from `call_meanings`
    call_meanings_by_question: Mapping[tuple[str, str], str] = field(default_factory=dict)
    # calls as the subject of a sentence ("punting"); others are "calling" and their name
    call_phrases: Mapping[str, str] = field(default_factory=dict)
    # what a call means in this position
    explain_call: Callable[[Any, Any, int, TeamNames], str] | None = None
    # dice or cards on the table as text lines
    dice_lines: Callable[[Any, Any, TeamNames], list[str]] | None = None
    roll_purpose: Callable[[Any, Turn, Roll], Purpose] | None = None
    # period and clock in short, as on a sheet; else `clock`
    short_clock: Callable[[Any, Any], str] | None = None
    # situation of a possible outcome; else `situation`
    outcome_situation: Callable[[Any, Any, TeamNames], str] | None = None
    # whether a play begins; else where one is over
    play_begins: Callable[[Any, Any], bool] | None = None
    # whether the ball has left its spot in the current play; else wherever no play begins
    ball_has_moved: Callable[[Any, Any], bool] | None = None
    period_name: Callable[[int], str] = str  # the name of a period
    format_time: Callable[[int], str] = str  # a duration as text
    time_statistics: tuple[str, ...] = ()  # the statistics that are durations
    scoring: Scoring = field(default_factory=lambda: Scoring({}))
    # the timeouts that each team has left, where `clock` does not show them
    timeouts: Callable[[Any, Any], tuple[int, int]] | None = None

    def call_phrase(self, name: str) -> str:
        """Return a call as the subject of a sentence."""
        return self.call_phrases.get(name, f"calling {name}")

    def when(self, m: MatchRecord, g: PositionRecord) -> str:
        """Return the period and the clock in short."""
        return (self.short_clock or self.clock)(m, g)

    def purpose_of(self, m: MatchRecord, turn: Turn, roll: Roll) -> Purpose:
        """Return what a roll of a turn was for."""
        if self.roll_purpose is None:
            return Purpose(roll.pool.label)
        return self.roll_purpose(m, turn, roll)

    def meaning_for_question(self, question: str, name: str) -> str:
        """Return what a call means as an answer to a question, in general."""
        meaning = self.call_meanings_by_question.get((question, name))
        return meaning or self.call_meanings.get(name, "")

    def meaning_at(
        self, m: MatchRecord, g: PositionRecord, call: int, name: str, names: TeamNames
    ) -> str:
        """Return what a call means in this position if the game says so, else in general."""
        here = "" if self.explain_call is None else self.explain_call(m, g, call, names)
        return here or self.call_meanings.get(name, "")


LEVELS = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Difficulty:
    """Difficulty of a game for a newcomer, and how many minutes it takes."""

    level: str
    minutes: tuple[int, int]

    @property
    def sort_key(self) -> tuple[int, int]:
        """Sort key: easier games first, then shorter ones."""
        return LEVELS.index(self.level), self.minutes[1]

    def __str__(self) -> str:
        return f"{self.level}, {self.minutes[0]} to {self.minutes[1]} minutes"


@dataclass(frozen=True)
class CallGroup:
    """A heading of the play sheet and the calls under it; rare calls take less room."""

    title: str
    calls: tuple[str, ...]
    is_rare: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Presentation(Generic[MatchT, PositionT]):
    """What people see of a game beside its texts: sheet, drawing, poster, rules page.

    `highlights` are the banners of a game: for each event that deserves one, its text, such as
    "Touchdown" or "Turnover on downs".
    """

    make_sheet: Callable[[Any], Any] | None = None  # a Game, or None for a blank, to a Document
    make_drawing: Callable[[Game, int], Drawing | None] | None = None  # of a viewer's copy
    # the printed charts of the calls of this moment, from what is public; None if it has none
    call_charts: Callable[[Game], Drawing | None] | None = None
    poster: Poster | None = None  # for the lobby
    color_teams: Callable[[Mapping[str, Any]], tuple[TeamColors, TeamColors]] | None = None
    difficulty: Difficulty | None = None  # for the menu
    rules_page: Path | None = None  # the rules in Markdown
    # sections of the rules page by question
    rules_sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    odds_tables: Callable[[MatchT, PositionT], list[TextTable]] | None = None
    # exact tables of these secret calls against each answer, for a play without flags, with the
    # titles of the odds panel; where the whole play takes too long without a compiler
    snap_tables: Callable[[MatchT, PositionT, list[str]], list[TextTable]] | None = None
    call_groups: tuple[CallGroup, ...] = ()  # the play sheet, where a question has many calls
    number_questions: tuple[str, ...] = ()  # questions whose calls end in a number, as "add-5"
    kick_yards: Callable[[PositionT], int] | None = None  # length of a field goal from here
    highlights: Mapping[str, str] = field(default_factory=dict)
    # a call in words for a page, where its name is made of codes, as "referee:d6a,dta"; or ""
    label_call: Callable[[PositionT, str], str] | None = None
