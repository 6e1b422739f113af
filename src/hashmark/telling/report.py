"""A game as text: scoreboard, play-by-play, box score and drives."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.table.game import Game, Turn
from hashmark.table.names import NAMES, by_name, naming, shortened
from hashmark.table.position_id import Ids
from hashmark.table.rolls import Rolled
from hashmark.table.rules import NO_CALL
from hashmark.telling import field, summary
from hashmark.telling.columns import table
from hashmark.telling.speech import capital, yard_line

Echo = Callable[[str], Any]
WIDTH = 79  # columns of a line of the play-by-play, if it can be broken
SCORES = ("scored", "period", "clock", "score", "how")
DRIVES = ("drive", "from", "result", "period", "clock", "yards", "time", "score")


@by_name
def scoreboard(game: Game) -> str:
    """Return scores and clock in a line."""
    g = game.position
    teams = [team.upper() for team in sides(game)]
    scores = _score_text(teams, g.score, "   ")
    return f" {scores}      {game.rules.words.clock(game.match, g)}"


@by_name
def score_words(game: Game, score: Sequence[int]) -> str:
    """Return the score of all teams as text."""
    return _score_text(sides(game), score, ", ")


def _score_text(teams: Sequence[str], score: Sequence[int], gap: str) -> str:
    """Return each team with its points; in a solo game also the lead."""
    words = gap.join(f"{team} {score[index]}" for index, team in enumerate(teams))
    return f"{words} ({_solo_lead(score[0] - score[1])})" if len(teams) == 1 else words


def sides(game: Game) -> tuple[str, ...]:
    """Return the names of the teams that play: one in a solo game."""
    return NAMES[:1] if game.rules.alone(game.match) else NAMES[:]


def _solo_lead(lead: int) -> str:
    """Describe the score of a solo game."""
    return f"{lead} ahead" if lead > 0 else f"{-lead} behind" if lead else "level"


@by_name
def standing(game: Game) -> list[str]:
    """Return scoreboard, field and situation."""
    g, words = game.position, game.rules.words
    lines = [scoreboard(game)]
    if g.possession >= 0:
        width = field.fitting(shutil.get_terminal_size((100, 24)).columns)
        lines += field.draw(g.possession, g.spot, words.to_gain(game.match, g), width)
    return [*lines, f" {capital(words.situation(game.match, g))}."]


@by_name
def on_the_table(game: Game) -> list[str]:
    """Return the dice or cards on the table while a play is decided, if the game draws them."""
    lying = game.rules.words.lying
    return [] if lying is None else [f" {line}" for line in lying(game.match, game.position)]


# --- The play-by-play --------------------------------------------------------------------


def _was_secret(game: Game, turn: Turn) -> bool:
    """Return whether the call was secret and the viewer knows it: the revealing turn names it."""
    question = game.rules.questions[game.rules.question(game.match, turn.before)]
    return not turn.secret and turn.call in question.secret


def _was_passed(game: Game, turn: Turn) -> bool:
    """Return whether the turn is the default of a window."""
    question = game.rules.questions[game.rules.question(game.match, turn.before)]
    return question.is_window and turn.call == question.default


@by_name
def dice_words(game: Game, turn: Turn) -> list[str]:
    """Return the dice of a turn, each roll with its purpose."""
    is_own = len(sides(game)) == 1 or all(team == turn.team for team, _ in turn.faces)
    return [_roll_text(group, is_own) for group in game.rolled(turn)]


def _roll_text(group: Rolled, is_own: bool) -> str:
    """Describe a roll ("yardage: home 6 1, away 5 5"); the team is omitted if it has called."""
    teams = dict.fromkeys(die.team for die in group.dice)
    faces = ", ".join(
        ("" if is_own else f"{NAMES[team]} ")
        + " ".join(str(die.face) for die in group.dice if die.team == team)
        for team in teams
    )
    bonus = f", bonus {group.purpose.bonus:+d}" if group.purpose.bonus else ""
    reads = f" = {group.purpose.reads}" if group.purpose.reads else ""
    return f"{group.purpose.label}: {faces}{bonus}{reads}"


@by_name
def call_line(game: Game, turn: Turn) -> str | None:
    """Return which team called what; for dice alone, that they are dice."""
    if turn.secret:
        return f"{NAMES[turn.team]} has called, in secret"
    if turn.call == NO_CALL:
        return "dice" if turn.faces else None
    return f"{NAMES[turn.team]} calls {game.rules.calls[turn.call]}"


def _with_dice(line: str, dice: Sequence[str]) -> list[str]:
    """Append dice in brackets to a line, broken between rolls where it grows too long."""
    if not dice:
        return [line]
    rolls = [f"[{dice[0]}", *dice[1:]]
    rolls = [*(f"{roll};" for roll in rolls[:-1]), f"{rolls[-1]}]"]
    lines, gap = [line], "  "
    for roll in rolls:
        if len(lines[-1]) + len(gap) + len(roll) <= WIDTH:
            lines[-1] += gap + roll
        else:
            lines.append(f"    {roll}")
        gap = " "
    return lines


def heading(game: Game, turn: Turn) -> str | None:
    """Return period, clock, score, down and distance before a play; None in the middle of one."""
    begins = game.rules.begins_play(game.match, turn.before)
    return where_it_stands(game, turn.before) if begins else None


def where_it_stands(game: Game, g: Any) -> str:
    """Return period, clock, score, down and distance in a line, with short names."""
    words = game.rules.words
    with naming(shortened(game.names)):
        score = _score_text(sides(game), g.score, ", ")
        return f"{capital(words.when(game.match, g))} | {score} | {words.situation(game.match, g)}"


@by_name
def print_turn(
    game: Game, turn: Turn, echo: Echo, everything: bool = False, remark: str = ""
) -> None:
    """Print one turn: the call with a remark on it, its dice, and its events as sentences.

    Without `everything`, uninformative calls are omitted: a window that was passed, and a secret
    call, which the sentence that reveals it names.
    """
    line, sentences = call_line(game, turn), game.sentences(turn)
    line = f"{line} ({remark})" if line and remark else line
    secret = _was_secret(game, turn)
    if not everything and (secret or _was_passed(game, turn)):
        line = "dice" if turn.faces else None
        if sentences and (turn.faces or secret):
            line, sentences = sentences[0].rstrip("."), sentences[1:]
    if line:
        for piece in _with_dice(f"- {line}", dice_words(game, turn)):
            echo(piece)
    for sentence in sentences:
        echo(f"  {sentence}")


@dataclass
class PlayByPlay:
    """Play-by-play printer: each play under its heading, once there is a line to print."""

    echo: Echo
    waiting: str | None = None  # the heading of a play without a printed line
    last: str | None = None

    def tell(self, game: Game, turn: Turn, everything: bool = False, remark: str = "") -> None:
        """Print the next turn."""
        self.waiting = heading(game, turn) or self.waiting
        lines: list[str] = []
        print_turn(game, turn, lines.append, everything, remark)
        if lines and self.waiting and self.waiting != self.last:
            self.echo(self.waiting)
            self.last = self.waiting
        self.waiting = None if lines else self.waiting
        for line in lines:
            self.echo(line)


def print_history(game: Game, echo: Echo, everything: bool = False) -> None:
    """Print the whole play-by-play: each play under its period, clock, score, down and distance."""
    printer = PlayByPlay(echo)
    for turn in game.turns:
        printer.tell(game, turn, everything)


def print_position_id(game: Game, echo: Echo) -> None:
    """Print the position of a game in progress as a line for commands that take a position."""
    position_id = None if game.is_over else position_id_of(game)
    if position_id is not None:
        echo(f"position {position_id}")


def position_id_of(game: Game) -> str | None:
    """Return the ID of the position, if it has one."""
    return Ids(game.rules, game.options).if_any(game.position)


# --- Figures ------------------------------------------------------------------------------


@by_name
def score_rows(game: Game) -> list[list[str]]:
    """Return the scoring summary: team, period, clock, the score then, and how."""
    words = game.rules.words
    return [
        [
            NAMES[score.team],
            words.period(score.period),
            words.time(score.clock),
            f"{score.score[0]}-{score.score[1]}",
            score.how,
        ]
        for score in summary.scores(game)
    ]


@by_name
def drive_rows(game: Game) -> list[list[str]]:
    """Return the drive list."""
    rows = []
    for drive in summary.drives(game):
        home, away = drive.score
        rows.append(
            [
                NAMES[drive.team],
                yard_line(drive.team, drive.spot),
                drive.result,
                game.rules.words.period(drive.period),
                game.rules.words.time(drive.clock),
                str(drive.yards),
                game.rules.words.time(drive.time),
                f"{home}-{away}",
            ]
        )
    return rows


@by_name
def print_summary(game: Game, echo: Echo) -> None:
    """Print the final score, the box score by team, the scores and the drive list."""
    echo("")
    for line in standing(game):
        echo(line)
    echo("")
    teams, box = sides(game), summary.box_rows(game.rules, game)
    for line in table(("", *teams), [row[: 1 + len(teams)] for row in box]):
        echo(line)
    scores, drives = score_rows(game), drive_rows(game)
    for line in ["", *table(SCORES, scores, left=2, words=1)] if scores else []:
        echo(line)
    for line in ["", *table(DRIVES, drives, left=3)] if drives else []:
        echo(line)
