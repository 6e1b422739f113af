"""The current question and its answers as numbered lines.

If space is tight, the answers are shortened, and if that is still too long, only their names are
listed; `help` shows the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from hashmark.table.game import Game
from hashmark.table.names import NAMES, by_name
from hashmark.telling.report import on_the_table, standing
from hashmark.telling.wrapping import CUT, cut, in_columns, wrapped

ENTER = " (Enter)"
LAST_PLAY = 4  # lines left for the last play, if there is room
SHORTEST = 8  # letters of a meaning that are worth showing


@dataclass(frozen=True)
class Answer:
    """One legal call: its number, its name, and what it means here."""

    number: int
    name: str
    meaning: str
    is_default: bool


@by_name
def question(game: Game) -> str:
    """Return the question with the name of the team to act."""
    return f" {NAMES[game.asked]}: {game.question.text}"


@by_name
def answers(game: Game) -> list[Answer]:
    """Return all answers in order."""
    rules, current = game.rules, game.question
    result = []
    for number, name in enumerate(game.legal(), 1):
        code = rules.call_codes[name]
        meaning = rules.words.meaning(game.match, game.position, code, name)
        is_default = current.is_window and code == current.default
        result.append(Answer(number, name, meaning, is_default))
    return result


def choices(game: Game, width: int = 0, rows: int = 0) -> list[str]:
    """Return the question and its answers as lines, within a width and height if given."""
    entries = answers(game)
    if not width or not rows:
        return [question(game), *in_full(entries)]
    head = wrapped(question(game), width)
    return [*head, *_best_layout(entries, width, max(2, rows - len(head)))]


def _best_layout(entries: list[Answer], width: int, rows: int) -> list[str]:
    """Return the answers in as much detail as fits, leaving a few lines for the last play."""
    full, beside = in_full(entries, width), side_by_side(entries, width)
    layouts = [full, in_short(entries, width), beside]
    if len(full) > rows - LAST_PLAY and _says_enough(entries, beside):
        layouts.insert(0, beside)
    fitting = (lines for lines in layouts if 0 < len(lines) <= rows)
    return next(fitting, None) or by_names(entries, width, rows)


def _says_enough(entries: list[Answer], lines: list[str]) -> bool:
    """Return whether few of the meanings are cut."""
    return bool(lines) and 3 * sum(line.count(CUT) for line in lines) <= len(entries)


@dataclass(frozen=True)
class Screenful:
    """Everything that a player sees with a question: the situation, the dice, the answers."""

    standing: list[str]
    lying: list[str]
    asked: list[str]

    @property
    def lines(self) -> list[str]:
        return [*self.standing, *self.lying, *self.asked]


def screenful(game: Game, width: int, rows: int) -> Screenful:
    """Return the situation and the question within a width and, if possible, a height; 0:
    no limit."""
    situation, lying = standing(game), on_the_table(game)
    if width:
        situation = [piece for line in situation for piece in wrapped(line, width)]
    rows_left = max(1, rows - len(situation) - len(lying)) if rows else 0
    return Screenful(situation, lying, choices(game, width, rows_left))


def _name_column(found: list[Answer]) -> list[str]:
    """Return numbers and names, padded to the same width."""
    width, digits = max(len(answer.name) for answer in found), len(str(len(found)))
    return [f"  {answer.number:>{digits}} {answer.name:<{width}}  " for answer in found]


def _meaning(answer: Answer) -> str:
    return f"{answer.meaning}{ENTER if answer.is_default else ''}".strip()


def in_full(found: list[Answer], width: int = 0) -> list[str]:
    """Return a line for each answer, or more where its meaning does not fit in one."""
    lines = []
    for head, answer in zip(_name_column(found), found, strict=True):
        line = f"{head}{_meaning(answer)}".rstrip()
        lines += wrapped(line, width, len(head)) if width else [line]
    return lines


def in_short(found: list[Answer], width: int) -> list[str]:
    """Return a line for each answer, cut where it does not fit."""
    lines = []
    for head, answer in zip(_name_column(found), found, strict=True):
        mark = ENTER if answer.is_default else ""
        room = width - len(head) - len(mark)
        lines.append(f"{head}{cut(answer.meaning, room)}{mark}".rstrip())
    return lines


def side_by_side(found: list[Answer], width: int) -> list[str]:
    """Return two columns of short lines; none if there is hardly room for a meaning."""
    half = width // 2 - 2
    if half < len(_name_column(found)[0]) + SHORTEST:
        return []
    return in_columns(in_short(found, half), width)


def by_names(found: list[Answer], width: int, rows: int) -> list[str]:
    """Return only numbers and names in columns; if there are too many, the first ones."""
    digits = len(str(len(found)))
    marks = [ENTER if answer.is_default else "" for answer in found]
    entries = [
        f"  {answer.number:>{digits}} {answer.name}{mark}"
        for answer, mark in zip(found, marks, strict=True)
    ]
    lines, left_out = in_columns(entries, width), 0
    while len(lines) > rows - (left_out > 0) and left_out < len(entries) - 1:
        left_out += 1
        lines = in_columns(entries[: len(entries) - left_out], width)
    return [*lines, f"  ... and {left_out} more: help lists them"] if left_out else lines
