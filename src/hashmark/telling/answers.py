"""The question that is asked now: who is asked, and each answer with its number.

On a screen there may be little room. Then the answers are told in short, and if that is still too
much, by their names alone; `help` tells the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from hashmark.table.game import Game
from hashmark.table.names import NAMES, by_name
from hashmark.telling.report import on_the_table, standing
from hashmark.telling.wrapping import CUT, cut, in_columns, wrapped

ENTER = " (Enter)"
LAST_PLAY = 4  # lines that are left to what was just played, if there is room
SHORTEST = 8  # letters of a meaning


@dataclass(frozen=True)
class Answer:
    """One call that is allowed: its number, its name, what it means here."""

    number: int
    name: str
    meaning: str
    is_default: bool


@by_name
def question(game: Game) -> str:
    """Who is asked what."""
    return f" {NAMES[game.asked]}: {game.question.text}"


@by_name
def answers(game: Game) -> list[Answer]:
    """Everything that may be answered, in its order."""
    rules, asked = game.rules, game.question
    found = []
    for number, name in enumerate(game.legal(), 1):
        code = rules.call_codes[name]
        meaning = rules.words.meaning(game.match, game.position, code, name)
        is_default = asked.is_window and code == asked.default
        found.append(Answer(number, name, meaning, is_default))
    return found


def choices(game: Game, width: int = 0, rows: int = 0) -> list[str]:
    """The question and its answers, in so many columns and rows if they are given."""
    found = answers(game)
    if not width or not rows:
        return [question(game), *in_full(found)]
    head = wrapped(question(game), width)
    return [*head, *_that_fit(found, width, max(2, rows - len(head)))]


def _that_fit(found: list[Answer], width: int, rows: int) -> list[str]:
    """The answers told as fully as there is room; a few lines are left to what was just played."""
    whole, beside = in_full(found, width), side_by_side(found, width)
    ways = [whole, in_short(found, width), beside]
    if len(whole) > rows - LAST_PLAY and _says_enough(found, beside):
        ways.insert(0, beside)
    fitting = (lines for lines in ways if 0 < len(lines) <= rows)
    return next(fitting, None) or by_names(found, width, rows)


def _says_enough(found: list[Answer], lines: list[str]) -> bool:
    """Whether few of the meanings are cut."""
    return bool(lines) and 3 * sum(line.count(CUT) for line in lines) <= len(found)


@dataclass(frozen=True)
class Screenful:
    """All that a person sees who is asked: where the game stands, the dice, the answers."""

    standing: list[str]
    lying: list[str]
    asked: list[str]

    @property
    def lines(self) -> list[str]:
        return [*self.standing, *self.lying, *self.asked]


def screenful(game: Game, width: int, rows: int) -> Screenful:
    """The position and the question in so many columns and, if they can be, rows; 0: no limit."""
    stands, lying = standing(game), on_the_table(game)
    if width:
        stands = [piece for line in stands for piece in wrapped(line, width)]
    left = max(1, rows - len(stands) - len(lying)) if rows else 0
    return Screenful(stands, lying, choices(game, width, left))


def _name_column(found: list[Answer]) -> list[str]:
    """Numbers and names, all of the same width."""
    width, digits = max(len(one.name) for one in found), len(str(len(found)))
    return [f"  {one.number:>{digits}} {one.name:<{width}}  " for one in found]


def _meaning(one: Answer) -> str:
    return f"{one.meaning}{ENTER if one.is_default else ''}".strip()


def in_full(found: list[Answer], width: int = 0) -> list[str]:
    """A line for each answer, or more where its meaning does not fit into one."""
    lines = []
    for head, one in zip(_name_column(found), found, strict=True):
        line = f"{head}{_meaning(one)}".rstrip()
        lines += wrapped(line, width, len(head)) if width else [line]
    return lines


def in_short(found: list[Answer], width: int) -> list[str]:
    """A line for each, cut where it does not fit."""
    lines = []
    for head, one in zip(_name_column(found), found, strict=True):
        mark = ENTER if one.is_default else ""
        room = width - len(head) - len(mark)
        lines.append(f"{head}{cut(one.meaning, room)}{mark}".rstrip())
    return lines


def side_by_side(found: list[Answer], width: int) -> list[str]:
    """Two columns of short lines; none if there is hardly room for a meaning."""
    half = width // 2 - 2
    if half < len(_name_column(found)[0]) + SHORTEST:
        return []
    return in_columns(in_short(found, half), width)


def by_names(found: list[Answer], width: int, rows: int) -> list[str]:
    """Only numbers and names, side by side; of very many the first."""
    digits = len(str(len(found)))
    marks = [ENTER if one.is_default else "" for one in found]
    entries = [
        f"  {one.number:>{digits}} {one.name}{mark}" for one, mark in zip(found, marks, strict=True)
    ]
    lines, left_out = in_columns(entries, width), 0
    while len(lines) > rows - (left_out > 0) and left_out < len(entries) - 1:
        left_out += 1
        lines = in_columns(entries[: len(entries) - left_out], width)
    return [*lines, f"  ... and {left_out} more: help lists them"] if left_out else lines
