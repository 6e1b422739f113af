"""Everything that can be shown of a game, at any of its moments.

The table, `replay`, `sheet` and `?` show a game as far as it has gone, and a person may ask for
any of it at any moment: before the first turn, in the middle of a play, at a position that was
set up, after an undo. Here all of it is made by the very functions that they use, and looked
at for sense.
"""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from html.parser import HTMLParser
from itertools import islice
from typing import Any

from hashmark.odds.advice import before_secret_calls, odds_of_answers
from hashmark.odds.outlook import QUICK
from hashmark.referee.referee import Foul, Referee
from hashmark.sheet import render, sheet_of
from hashmark.sheet.paper import Paper
from hashmark.table.drawings import drawing_of
from hashmark.table.errors import TooManyOutcomes
from hashmark.table.game import Game, Turn
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL, Coach
from hashmark.table.secrets import WATCHER, seen
from hashmark.telling import summary
from hashmark.telling.answers import choices, screenful
from hashmark.telling.columns import table
from hashmark.telling.report import (
    heading,
    on_the_table,
    print_summary,
    print_turn,
    standing,
)

SCREEN = (80, 21)  # columns and rows of a small terminal, without the lines of the prompt
VOID = {"meta", "col"}  # tags of HTML that are never closed
BACK = 3  # of the turns of a stretch one in so many is taken back, and told again


class Listener:
    """Follows games of one rule set and has everything told of them."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.draw = random.Random(referee.seed)

    def whole_game(self, number: int) -> None:
        """A game from the first moment on: its beginning, moments on the way, its end."""
        referee = self.referee
        coach = self.draw.choice(referee.rules.coaches)
        length = len(referee.played({}, number, coach.name).turns)
        moments = {*range(referee.games), length - 1, length}
        moments |= set(range(0, length, 1 + length // referee.games))
        printed = {0, 1, 2, self.draw.randrange(length), length}
        written = printed | set(self.draw.sample(sorted(moments), 3))
        game = referee.game({}, number)
        for at, _ in enumerate(self.moments(game, coach)):
            if at in moments:
                self.listen(game, at in written, at in printed)
        self.take_back(game)

    def stretch(self, options: dict[str, Any], number: int) -> None:
        """Some turns from a moment in a game, which is set up as a player would do it.

        Every second one leads to the end of the game.
        """
        referee = self.referee
        coach = referee.rules.coaches[number % len(referee.rules.coaches)]
        earlier = referee.played(options, number).turns
        latest = earlier[-referee.stretch :] if number % 2 else earlier
        start = self.draw.choice(latest).before.to_json()
        game = referee.game(options, number, start)
        for at, _ in enumerate(islice(self.moments(game, coach), referee.stretch + 1)):
            self.listen(game, at % 4 == number % 4, at == 1 and number % 4 == 0)
        self.ask(game)
        self.take_back(game)

    def moments(self, game: Game, coach: Coach) -> Iterator[None]:
        """The start of a game, then each turn."""
        yield
        for _ in self.referee.playout(game, coach):
            yield

    def take_back(self, game: Game) -> None:
        """Undo some turns and play them again: the same is told at each of these moments."""
        last, told = game.turns[-(self.referee.stretch // BACK) :], []
        for _ in last:
            told.append(self.listen(game))
            game.undo()
        self.listen(game)
        for turn in last:
            game.play(None if turn.call == NO_CALL else game.rules.calls[turn.call])
            if self.listen(game) != told.pop():
                raise self.referee.foul(game, "an undo changes what is told")

    def listen(self, game: Game, written: bool = False, printed: bool = False) -> list[str]:
        """Have everything told here; `written` and `printed` say whether also on sheets."""
        try:
            told = tell(game)
            if written:
                tell_sheet(game)
            if printed:
                paper: Paper = self.draw.choice(("a4", "letter"))
                self.referee.read_pdf(print_sheet(game, paper))
        except Exception as fault:
            raise self.referee.foul(game, f"cannot be told: {fault!r}") from fault
        return told

    def ask(self, game: Game) -> None:
        """The odds, where plain Python finds them at once."""
        if game.wants_call and before_secret_calls(game) is None:
            try:
                tell_odds(game)
            except TooManyOutcomes:
                return
            except Exception as fault:
                raise self.referee.foul(game, f"has no odds: {fault!r}") from fault


def tell(game: Game) -> list[str]:
    """The text that a person can ask for here: the table, the last turns, box score, drives.

    Of the play-by-play the last two turns: the others were told before, and only the last one
    can be hidden.
    """
    lines = [*standing(game), *on_the_table(game)]
    if game.wants_call:
        lines += choices(game)
        look_at_screen(game)
    for turn in game.turns[-2:]:
        look_at_dice(game, turn)
        lines.append(heading(game, turn) or "")
        print_turn(game, turn, lines.append)
        print_turn(game, turn, lines.append, everything=True)
    print_summary(game, lines.append)
    for line in lines:
        look_at_text(line)
    look_at_figures(game)
    for viewer in {game.asked, WATCHER}:
        look_at_drawing(game, viewer)
    return lines


def look_at_drawing(game: Game, viewer: int) -> None:
    """What is drawn can be read, and every call on it may be made by whoever sees it."""
    drawing = drawing_of(seen(game, viewer), viewer)
    allowed = game.legal() if game.wants_call and game.asked == viewer else []
    for name, text in _texts(drawing):
        look_at_text(text)
        if name == "call" and text and text not in allowed:
            raise Foul(f"{game.rules.name}: {text} is drawn as a call and cannot be made")


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a drawing, with the name of the field that holds it."""
    waiting = [(name, value)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif names := _field_names(value.__class__):
            waiting += [(one, getattr(value, one)) for one in names]
        elif isinstance(value, Sequence):
            waiting += [(name, one) for one in value]


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """The fields of a part of a drawing; other values have none."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()


def look_at_text(text: str, breaks: str = "") -> None:
    """Nothing in a text steers a terminal, and all of it can be written."""
    if text.isprintable():
        return
    for letter in set(text):
        if letter not in breaks and unicodedata.category(letter) in ("Cc", "Cs"):
            raise Foul(f"a text holds the character {letter!r}: {text!r}")


def look_at_screen(game: Game) -> None:
    """The position and the question fit a small terminal, the score in sight."""
    lines = screenful(game, *SCREEN).lines
    for line in lines:
        if len(line) > SCREEN[0]:
            raise Foul(f"{game.rules.name}: {line!r} does not fit into {SCREEN[0]} columns")
    if len(lines) > SCREEN[1]:
        name = game.question.name
        raise Foul(f"{game.rules.name}: question {name} takes {len(lines)} lines of {SCREEN[1]}")


def look_at_figures(game: Game) -> None:
    """Box score, drives and JSON agree with the score."""
    score = list(game.position.score)
    points = game.rules.statistics.names.index("points")
    if [row[points] for row in game.statistics()] != score:
        raise Foul(f"the box score has {game.statistics()}, the board {score}")
    drives = summary.drives(game)
    look_at_drives(game, drives)
    look_at_scores(game, summary.scores(game))
    made = summary.to_json(game)
    if json.loads(json.dumps(made, allow_nan=False)) != made:
        raise Foul("a game comes back from JSON as another one")
    if len(made["turns"]) != len(game.turns) or len(made["drives"]) != len(drives):
        raise Foul("JSON leaves something of the game out")


def look_at_dice(game: Game, turn: Turn) -> None:
    """Every die that was rolled lies under a label that says what it was for."""
    shown = game.rolled(turn)
    if [(die.team, die.face) for one in shown for die in one.dice] != list(turn.faces):
        raise Foul(f"the rolls of a turn are {shown}, its faces {turn.faces}")
    for one in shown:
        look_at_text(one.purpose.label + one.purpose.reads)
        if not one.purpose.label:
            raise Foul(f"nobody says what {one} was for")


def look_at_scores(game: Game, scores: Sequence[summary.Score]) -> None:
    """The scoring summary goes step by step to the score on the board."""
    score = tuple(game.start_score)
    for one in scores:
        if min(_gains(score, one.score)) < 0 or score == one.score or not one.how:
            raise Foul(f"{one} cannot follow a score of {score}")
        score = one.score
    if score != tuple(game.position.score):
        raise Foul(f"the scores end with {score}, the board says {game.position.score}")


def look_at_drives(game: Game, drives: Sequence[summary.Drive]) -> None:
    """One after the other, each with a score that stood on the board; all but the last have ended.

    What is scored between two drives, by a kick that is run back, belongs to neither.
    """
    score, period = game.start_score, 0
    boards = {tuple(turn.before.score) for turn in game.turns} | {tuple(game.position.score)}
    for number, drive in enumerate(drives):
        last = number == len(drives) - 1
        if drive.period < period or not 0 < drive.spot < 100 or drive.team not in (0, 1):
            raise Foul(f"{drive} cannot be a drive of this game")
        if min(drive.plays, drive.time, *_gains(score, drive.score)) < 0:
            raise Foul(f"{drive} takes something back")
        if not drive.result and (not last or game.is_over):
            raise Foul(f"{drive} has no end, and the game went on")
        if drive.score not in boards:
            raise Foul(f"{drive} has a score that the board never showed")
        score, period = drive.score, drive.period


def _gains(before: Sequence[int], after: Sequence[int]) -> list[int]:
    return [after[team] - before[team] for team in range(len(TEAMS))]


def tell_sheet(game: Game) -> None:
    """The score sheet as text and as a page."""
    document = sheet_of(game)
    text = render(document, "text").decode()
    look_at_text(text, "\n")
    page = render(document, "html").decode()
    look_at_text(page, "\n")
    Page(page)


def print_sheet(game: Game, paper: Paper) -> bytes:
    """The score sheet for the printer."""
    made = render(sheet_of(game), "pdf", paper)
    if not made.startswith(b"%PDF-") or not made.rstrip().endswith(b"%%EOF"):
        raise Foul("a sheet is not a PDF file")
    return made


def tell_odds(game: Game) -> None:
    """What `?` shows."""
    for title, headings, rows in odds_of_answers(game, QUICK):
        for line in (title, *(table(headings, rows) if headings else ())):
            look_at_text(line)
            if {"nan", "inf", "nan%", "+nan", "+inf"} & set(line.split()):
                raise Foul(f"the odds have no figure: {line}")


class Page(HTMLParser):
    """Reads a page; every tag is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        self.close()
        if self.open:
            raise Foul(f"a page leaves {self.open} open")

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        """Opened and closed in one."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise Foul(f"a page closes {tag} out of turn")
