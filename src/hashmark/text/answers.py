"""The current question and its answers: numbered lines for a terminal, a play sheet for a page.

If space is tight, the numbered lines are shortened, and if that is still too long, only the names
of the answers are listed; `help` shows the rest. On a page every call has a key of its own, the
same in all questions of a game, and many answers are grouped as the game declares.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from hashmark.engine.game import Game
from hashmark.engine.presentation import CallGroup
from hashmark.engine.rule_set import RuleSet
from hashmark.text.game_report import dice_on_table, situation_lines
from hashmark.text.wrapping import ELLIPSIS, format_columns, truncate, wrap

DEFAULT_MARK = " (Enter)"
LAST_PLAY_LINES = 4  # lines left for the last play, if there is room
MIN_MEANING_LETTERS = 8  # letters of a meaning that are worth showing
ANSWER_KEYS = "1234567890qwertyiopasdfgjklzxcvnm"  # the other letters are commands of the page
MIN_GROUPED_ANSWERS = 5  # fewer answers need no headings
OTHER_CALLS = CallGroup("", ())  # calls that the game puts into no group


@dataclass(frozen=True)
class Answer:
    """One legal call: its number, its name, and what it means here."""

    number: int
    name: str
    meaning: str
    is_default: bool


def question_line(game: Game) -> str:
    """Return the question with the name of the team to act."""
    return f" {game.names[game.team_to_act]}: {game.question.text}"


def list_answers(game: Game) -> list[Answer]:
    """Return all answers in order."""
    rules, current = game.rules, game.question
    result = []
    for number, code in enumerate(game.legal_calls(), 1):
        name = rules.calls[code]
        meaning = rules.words.meaning_at(game.match, game.position, code, name, game.names)
        is_default = current.is_window and code == current.default
        result.append(Answer(number, name, meaning, is_default))
    return result


# --- Keys and groups -----------------------------------------------------------------------


@lru_cache(maxsize=64)
def answer_keys(rules: RuleSet) -> MappingProxyType[str, str]:
    """Return the key of each call, the same in every question that offers it.

    A call takes the first key that no call of its questions has; calls that are numbers have none.
    """
    keys: dict[str, str] = {}
    questions = [q for q in rules.questions if q.name not in rules.presentation.number_questions]
    for question in questions:
        for call in question.calls:
            rivals = {other for each in questions if call in each.calls for other in each.calls}
            taken = {keys.get(rules.calls[other]) for other in rivals}
            free = next((key for key in ANSWER_KEYS if key not in taken), "")
            keys.setdefault(rules.calls[call], free)
    return MappingProxyType(keys)


@dataclass(frozen=True)
class AnswerGroup:
    """Answers under one heading of the play sheet."""

    title: str
    is_rare: bool
    answers: tuple[Answer, ...]


def group_answers(rules: RuleSet, answers: list[Answer]) -> list[AnswerGroup]:
    """Return the answers as a play sheet; few answers, or those of one group, have no heading."""
    declared = rules.presentation.call_groups
    group_of = {name: group for group in declared for name in group.calls}
    sheet = [
        AnswerGroup(group.title, group.is_rare, members)
        for group in (*declared, OTHER_CALLS)
        if (members := tuple(a for a in answers if group_of.get(a.name, OTHER_CALLS) is group))
    ]
    if len(sheet) < 2 or len(answers) < MIN_GROUPED_ANSWERS:
        return [AnswerGroup("", False, tuple(answers))] if answers else []
    return sheet


# --- Lines ---------------------------------------------------------------------------------


def question_lines(game: Game, width: int = 0, rows: int = 0) -> list[str]:
    """Return the question and its answers as lines, within a width and height if given."""
    entries = list_answers(game)
    if not width or not rows:
        return [question_line(game), *full_lines(entries)]
    head = wrap(question_line(game), width)
    return [*head, *_best_layout(entries, width, max(2, rows - len(head)))]


def _best_layout(entries: list[Answer], width: int, rows: int) -> list[str]:
    """Return the answers in as much detail as fits, leaving a few lines for the last play."""
    full, beside = full_lines(entries, width), two_column_lines(entries, width)
    layouts = [full, short_lines(entries, width), beside]
    if len(full) > rows - LAST_PLAY_LINES and _says_enough(entries, beside):
        layouts.insert(0, beside)
    fitting = (lines for lines in layouts if 0 < len(lines) <= rows)
    return next(fitting, None) or name_lines(entries, width, rows)


def _says_enough(entries: list[Answer], lines: list[str]) -> bool:
    """Return whether few of the meanings are cut."""
    return bool(lines) and 3 * sum(line.count(ELLIPSIS) for line in lines) <= len(entries)


@dataclass(frozen=True)
class QuestionScreen:
    """Everything that a player sees with a question: the situation, the dice, the answers."""

    situation: list[str]
    dice: list[str]
    question: list[str]

    @property
    def lines(self) -> list[str]:
        return [*self.situation, *self.dice, *self.question]


def make_screen(game: Game, width: int, rows: int) -> QuestionScreen:
    """Return the situation and the question within a width and, if possible, a height; 0:
    no limit."""
    situation, dice = situation_lines(game), dice_on_table(game)
    if width:
        situation = [piece for line in situation for piece in wrap(line, width)]
    rows_left = max(1, rows - len(situation) - len(dice)) if rows else 0
    return QuestionScreen(situation, dice, question_lines(game, width, rows_left))


def _name_column(answers: list[Answer]) -> list[str]:
    """Return numbers and names, padded to the same width."""
    width, digits = max(len(answer.name) for answer in answers), len(str(len(answers)))
    return [f"  {answer.number:>{digits}} {answer.name:<{width}}  " for answer in answers]


def _meaning(answer: Answer) -> str:
    return f"{answer.meaning}{DEFAULT_MARK if answer.is_default else ''}".strip()


def full_lines(answers: list[Answer], width: int = 0) -> list[str]:
    """Return a line for each answer, or more where its meaning does not fit in one."""
    lines = []
    for head, answer in zip(_name_column(answers), answers, strict=True):
        line = f"{head}{_meaning(answer)}".rstrip()
        lines += wrap(line, width, len(head)) if width else [line]
    return lines


def short_lines(answers: list[Answer], width: int) -> list[str]:
    """Return a line for each answer, cut where it does not fit."""
    lines = []
    for head, answer in zip(_name_column(answers), answers, strict=True):
        mark = DEFAULT_MARK if answer.is_default else ""
        room = width - len(head) - len(mark)
        lines.append(f"{head}{truncate(answer.meaning, room)}{mark}".rstrip())
    return lines


def two_column_lines(answers: list[Answer], width: int) -> list[str]:
    """Return two columns of short lines; none if there is hardly room for a meaning."""
    half = width // 2 - 2
    if half < len(_name_column(answers)[0]) + MIN_MEANING_LETTERS:
        return []
    return format_columns(short_lines(answers, half), width)


def name_lines(answers: list[Answer], width: int, rows: int) -> list[str]:
    """Return only numbers and names in columns; if there are too many, the first ones."""
    digits = len(str(len(answers)))
    marks = [DEFAULT_MARK if answer.is_default else "" for answer in answers]
    entries = [
        f"  {answer.number:>{digits}} {answer.name}{mark}"
        for answer, mark in zip(answers, marks, strict=True)
    ]
    lines, left_out = format_columns(entries, width), 0
    while len(lines) > rows - (left_out > 0) and left_out < len(entries) - 1:
        left_out += 1
        lines = format_columns(entries[: len(entries) - left_out], width)
    return [*lines, f"  ... and {left_out} more: type help to list them"] if left_out else lines
