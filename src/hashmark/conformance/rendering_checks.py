"""Checks of everything that can be shown of a game, at any moment of it.

The table, `replay`, `sheet` and `?` show a game as far as it has gone, and a player may ask for
any of it at any moment: before the first turn, in the middle of a play, at a position that was
set up, after an undo. The checks call the same functions that the program uses and inspect
their output.
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

from hashmark.conformance.kit import ConformanceKit, Violation
from hashmark.engine.drawings import draw_call_charts, make_drawing
from hashmark.engine.game import Game, Turn
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import Coach
from hashmark.errors import TooManyOutcomes
from hashmark.odds.odds_tables import answer_odds, before_secret_calls
from hashmark.odds.outlook import QUICK_ENGINE
from hashmark.session.redaction import SPECTATOR, view_for
from hashmark.sheets import render, sheet_of
from hashmark.sheets.paper_sizes import Paper
from hashmark.text import summary
from hashmark.text.answers import make_screen, question_lines
from hashmark.text.game_report import (
    dice_on_table,
    play_heading,
    print_summary,
    print_turn,
    situation_lines,
)
from hashmark.text.tables import format_table

SCREEN_SIZE = (80, 21)  # columns and rows of a small terminal, without the lines of the prompt
VOID_TAGS = {"meta", "col"}  # HTML tags that are never closed
UNDO_DIVISOR = 3  # one in this many turns of a stretch is undone and rendered again


class RenderingChecker:
    """Checker that follows games of one rule set and renders everything about them."""

    def __init__(self, kit: ConformanceKit) -> None:
        self.kit = kit
        self.draw = random.Random(kit.seed)

    def check_whole_game(self, number: int) -> None:
        """Check a game from its first moment: the beginning, moments on the way, and the end."""
        kit = self.kit
        coach = self.draw.choice(kit.rules.coaches)
        length = len(kit.play_game({}, number, coach.name).turns)
        moments = {*range(kit.games), length - 1, length}
        moments |= set(range(0, length, 1 + length // kit.games))
        with_pdf = {0, 1, 2, self.draw.randrange(length), length}
        with_sheet = with_pdf | set(self.draw.sample(sorted(moments), 3))
        game = kit.new_game({}, number)
        for turn_number, _ in enumerate(self.play_moments(game, coach)):
            if turn_number in moments:
                self.check_moment(game, turn_number in with_sheet, turn_number in with_pdf)
        self.check_undo(game)

    def check_stretch(self, options: dict[str, Any], number: int) -> None:
        """Check some turns from the middle of a game, set up as a player would do it.

        Every second stretch leads to the end of the game.
        """
        kit = self.kit
        coach = kit.rules.coaches[number % len(kit.rules.coaches)]
        earlier = kit.play_game(options, number).turns
        latest = earlier[-kit.stretch_turns :] if number % 2 else earlier
        start = self.draw.choice(latest).before.to_json()
        game = kit.new_game(options, number, start)
        for turn_number, _ in enumerate(
            islice(self.play_moments(game, coach), kit.stretch_turns + 1)
        ):
            self.check_moment(
                game, turn_number % 4 == number % 4, turn_number == 1 and number % 4 == 0
            )
        self.check_odds_here(game)
        self.check_undo(game)

    def play_moments(self, game: Game, coach: Coach) -> Iterator[None]:
        """Yield at the start of a game, then after each turn."""
        yield
        for _ in self.kit.playout(game, coach):
            yield

    def check_undo(self, game: Game) -> None:
        """Undo some turns and play them again: each moment must render the same."""
        last, rendered = game.turns[-(self.kit.stretch_turns // UNDO_DIVISOR) :], []
        for _ in last:
            rendered.append(self.check_moment(game))
            game.undo()
        self.check_moment(game)
        for turn in last:
            game.play(turn.call)
            if self.check_moment(game) != rendered.pop():
                raise self.kit.violation(game, "an undo changes the play-by-play")

    def check_moment(
        self, game: Game, with_sheet: bool = False, with_pdf: bool = False
    ) -> list[str]:
        """Render everything here; `with_sheet` and `with_pdf` say whether to include sheets."""
        try:
            lines = render_text(game)
            if with_sheet:
                check_sheet(game)
            if with_pdf:
                paper: Paper = self.draw.choice(("a4", "letter"))
                self.kit.read_pdf(render_pdf(game, paper))
        except Exception as fault:
            raise self.kit.violation(game, f"cannot be rendered as text: {fault!r}") from fault
        return lines

    def check_odds_here(self, game: Game) -> None:
        """Check the odds, if plain Python finds them quickly."""
        if game.wants_call and before_secret_calls(game) is None:
            try:
                check_odds(game)
            except TooManyOutcomes:
                return
            except Exception as fault:
                raise self.kit.violation(game, f"has no odds: {fault!r}") from fault


def render_text(game: Game) -> list[str]:
    """Return the text that a player can ask for: table, last turns, box score and drives.

    Of the play-by-play only the last two turns: the others were checked before, and only the last
    one can be hidden.
    """
    lines = [*situation_lines(game), *dice_on_table(game)]
    if game.wants_call:
        lines += question_lines(game)
        check_screen(game)
    for turn in game.turns[-2:]:
        check_dice(game, turn)
        lines.append(play_heading(game, turn) or "")
        print_turn(game, turn, lines.append)
        print_turn(game, turn, lines.append, everything=True)
    print_summary(game, lines.append)
    for line in lines:
        check_text(line)
    check_figures(game)
    for viewer in {game.team_to_act, SPECTATOR}:
        check_drawing(game, viewer)
    return lines


def check_drawing(game: Game, viewer: int) -> None:
    """Check that a drawing's text is printable and every call on it is legal for the viewer."""
    view = view_for(game, viewer)
    drawing = make_drawing(view, viewer)
    legal = game.legal_calls() if game.wants_call and game.team_to_act == viewer else []
    allowed = [game.rules.calls[call] for call in legal]
    for name, text in [*_texts(drawing), *_texts(draw_call_charts(view))]:
        check_text(text)
        if name == "call" and text and text not in allowed:
            raise Violation(f"{game.rules.name}: {text} is drawn as a call and cannot be made")


def _texts(drawing: object) -> Iterator[tuple[str, str]]:
    """Yield every text in a drawing, with the name of the field that holds it."""
    stack: list[tuple[str, Any]] = [("", drawing)]
    while stack:
        name, value = stack.pop()
        if isinstance(value, str):
            yield name, value
        elif names := _field_names(value.__class__):
            stack += [(item, getattr(value, item)) for item in names]
        elif isinstance(value, Sequence):
            stack += [(name, item) for item in value]


@cache
def _field_names(cls: type) -> tuple[str, ...]:
    """Return the field names of a part of a drawing; other values have none."""
    return tuple(item.name for item in fields(cls)) if is_dataclass(cls) else ()


def check_text(text: str, breaks: str = "") -> None:
    """Check that a text has no control characters and can be encoded."""
    if text.isprintable():
        return
    for character in set(text):
        if character not in breaks and unicodedata.category(character) in ("Cc", "Cs"):
            raise Violation(f"a text holds the character {character!r}: {text!r}")


def check_screen(game: Game) -> None:
    """Check that the position and the question fit a small terminal with the score in sight."""
    lines = make_screen(game, *SCREEN_SIZE).lines
    for line in lines:
        if len(line) > SCREEN_SIZE[0]:
            raise Violation(
                f"{game.rules.name}: {line!r} does not fit into {SCREEN_SIZE[0]} columns"
            )
    if len(lines) > SCREEN_SIZE[1]:
        name = game.question.name
        raise Violation(
            f"{game.rules.name}: question {name} takes {len(lines)} lines of {SCREEN_SIZE[1]}"
        )


def check_figures(game: Game) -> None:
    """Check that box score, drives and JSON agree with the score."""
    score = list(game.position.score)
    points = game.rules.statistics.names.index("points")
    if [row[points] for row in game.statistics()] != score:
        raise Violation(f"the box score has {game.statistics()}, the board {score}")
    drives = summary.list_drives(game)
    check_drives(game, drives)
    check_scores(game, summary.list_scores(game))
    exported = summary.game_json(game)
    if json.loads(json.dumps(exported, allow_nan=False)) != exported:
        raise Violation("a game comes back from JSON as another one")
    if len(exported["turns"]) != len(game.turns) or len(exported["drives"]) != len(drives):
        raise Violation("JSON leaves something of the game out")


def check_dice(game: Game, turn: Turn) -> None:
    """Check that every rolled die has a label that says what it was for."""
    rolls = game.roll_groups(turn)
    if [(die.team, die.face) for roll in rolls for die in roll.dice] != list(turn.faces):
        raise Violation(f"the rolls of a turn are {rolls}, its faces {turn.faces}")
    for roll in rolls:
        check_text(roll.purpose.label + roll.purpose.result_text)
        if not roll.purpose.label:
            raise Violation(f"{roll} has no purpose")


def check_scores(game: Game, scores: Sequence[summary.Score]) -> None:
    """Check that the scoring summary leads step by step to the score on the board."""
    score = tuple(game.start_score)
    for entry in scores:
        if min(_gains(score, entry.score)) < 0 or score == entry.score or not entry.how:
            raise Violation(f"{entry} cannot follow a score of {score}")
        score = entry.score
    if score != tuple(game.position.score):
        raise Violation(f"the scores end with {score}, the board says {game.position.score}")


def check_drives(game: Game, drives: Sequence[summary.Drive]) -> None:
    """Check that drives follow each other with scores from the board; all but the last have ended.

    Points between two drives, such as a kick return, belong to neither.
    """
    score, period = game.start_score, 0
    board_scores = {tuple(turn.before.score) for turn in game.turns} | {tuple(game.position.score)}
    for number, drive in enumerate(drives):
        is_last = number == len(drives) - 1
        if drive.period < period or not 0 < drive.spot < 100 or drive.team not in (0, 1):
            raise Violation(f"{drive} cannot be a drive of this game")
        if min(drive.plays, drive.time, *_gains(score, drive.score)) < 0:
            raise Violation(f"{drive} takes something back")
        if not drive.result and (not is_last or game.is_over):
            raise Violation(f"{drive} has no end, and the game went on")
        if drive.score not in board_scores:
            raise Violation(f"{drive} has a score that the board never showed")
        score, period = drive.score, drive.period


def _gains(before: Sequence[int], after: Sequence[int]) -> list[int]:
    return [after[team] - before[team] for team in range(len(TEAMS))]


def check_sheet(game: Game) -> None:
    """Check the score sheet as text and as HTML."""
    document = sheet_of(game)
    text = render(document, "text").decode()
    check_text(text, "\n")
    page = render(document, "html").decode()
    check_text(page, "\n")
    HtmlTagChecker(page)


def render_pdf(game: Game, paper: Paper) -> bytes:
    """Return the score sheet as PDF."""
    pdf = render(sheet_of(game), "pdf", paper)
    if not pdf.startswith(b"%PDF-") or not pdf.rstrip().endswith(b"%%EOF"):
        raise Violation("a sheet is not a PDF file")
    return pdf


def check_odds(game: Game) -> None:
    """Check the output of `?`."""
    for title, headings, rows in answer_odds(game, QUICK_ENGINE):
        for line in (title, *(format_table(headings, rows) if headings else ())):
            check_text(line)
            if {"nan", "inf", "nan%", "+nan", "+inf"} & set(line.split()):
                raise Violation(f"the odds have no figure: {line}")


class HtmlTagChecker(HTMLParser):
    """HTML parser that checks that every tag is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open_tags: list[str] = []
        self.feed(text)
        self.close()
        if self.open_tags:
            raise Violation(f"a page leaves {self.open_tags} open")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID_TAGS:
            self.open_tags.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Ignore a self-closing tag."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open_tags or self.open_tags.pop() != tag:
            raise Violation(f"a page closes {tag} out of turn")
