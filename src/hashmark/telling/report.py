"""What a game looks like in text: scoreboard, play-by-play, box score and drives."""

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
WIDTH = 79  # columns of a line of the play-by-play, where it can be broken
SCORES = ("scored", "period", "clock", "score", "how")
DRIVES = ("drive", "from", "result", "period", "clock", "yards", "time", "score")


@by_name
def scoreboard(game: Game) -> str:
    """Scores and clock in a line."""
    g = game.position
    teams = [team.upper() for team in sides(game)]
    scores = _scores(teams, g.score, "   ")
    return f" {scores}      {game.rules.words.clock(game.match, g)}"


@by_name
def score_words(game: Game, score: Sequence[int]) -> str:
    """The score of all who play, as in a sentence."""
    return _scores(sides(game), score, ", ")


def _scores(teams: Sequence[str], score: Sequence[int], gap: str) -> str:
    """Each team with its points; of one who plays alone also how that stands."""
    words = gap.join(f"{team} {score[at]}" for at, team in enumerate(teams))
    return f"{words} ({_against_nobody(score[0] - score[1])})" if len(teams) == 1 else words


def sides(game: Game) -> tuple[str, ...]:
    """The names of those who play: one where nobody sits on the other side."""
    return NAMES[:1] if game.rules.alone(game.match) else NAMES[:]


def _against_nobody(lead: int) -> str:
    """How the score stands for one who plays alone."""
    return f"{lead} ahead" if lead > 0 else f"{-lead} behind" if lead else "level"


@by_name
def standing(game: Game) -> list[str]:
    """Scoreboard, field and situation."""
    g, words = game.position, game.rules.words
    lines = [scoreboard(game)]
    if g.possession >= 0:
        width = field.fitting(shutil.get_terminal_size((100, 24)).columns)
        lines += field.draw(g.possession, g.spot, words.to_gain(game.match, g), width)
    return [*lines, f" {capital(words.situation(game.match, g))}."]


@by_name
def on_the_table(game: Game) -> list[str]:
    """The dice or cards that lie there while a play is decided, if the game draws them."""
    lying = game.rules.words.lying
    return [] if lying is None else [f" {line}" for line in lying(game.match, game.position)]


# --- The play-by-play --------------------------------------------------------------------


def _was_secret(game: Game, turn: Turn) -> bool:
    """A secret call that the viewer knows: the turn that opens it names it in words."""
    question = game.rules.questions[game.rules.question(game.match, turn.before)]
    return not turn.secret and turn.call in question.secret


def _was_passed(game: Game, turn: Turn) -> bool:
    """The default of a window: nobody has done anything."""
    question = game.rules.questions[game.rules.question(game.match, turn.before)]
    return question.is_window and turn.call == question.default


@by_name
def dice_words(game: Game, turn: Turn) -> list[str]:
    """The dice of a turn, roll by roll, each with what it was for."""
    own = len(sides(game)) == 1 or all(team == turn.team for team, _ in turn.faces)
    return [_roll_words(one, own) for one in game.rolled(turn)]


def _roll_words(one: Rolled, own: bool) -> str:
    """A roll as "yardage: home 6 1, away 5 5"; who rolled is left out if he has called."""
    teams = dict.fromkeys(die.team for die in one.dice)
    faces = ", ".join(
        ("" if own else f"{NAMES[team]} ")
        + " ".join(str(die.face) for die in one.dice if die.team == team)
        for team in teams
    )
    bonus = f", bonus {one.purpose.bonus:+d}" if one.purpose.bonus else ""
    reads = f" = {one.purpose.reads}" if one.purpose.reads else ""
    return f"{one.purpose.label}: {faces}{bonus}{reads}"


@by_name
def call_line(game: Game, turn: Turn) -> str | None:
    """Who called what; of dice alone that they are dice."""
    if turn.secret:
        return f"{NAMES[turn.team]} has called, in secret"
    if turn.call == NO_CALL:
        return "dice" if turn.faces else None
    return f"{NAMES[turn.team]} calls {game.rules.calls[turn.call]}"


def _with_dice(line: str, dice: Sequence[str]) -> list[str]:
    """The line with its dice in brackets, broken between rolls where it grows too long."""
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
    """Period, clock, score, down and distance before a play; None in the middle of one."""
    begins = game.rules.begins_play(game.match, turn.before)
    return where_it_stands(game, turn.before) if begins else None


def where_it_stands(game: Game, g: Any) -> str:
    """Period, clock, score, down and distance in a line, with short names: it is seldom two."""
    words = game.rules.words
    with naming(shortened(game.names)):
        score = _scores(sides(game), g.score, ", ")
        return f"{capital(words.when(game.match, g))} | {score} | {words.situation(game.match, g)}"


@by_name
def print_turn(
    game: Game, turn: Turn, echo: Echo, everything: bool = False, remark: str = ""
) -> None:
    """One turn: the call, with a remark on it, its dice, and what came of it in words.

    Without `everything`, calls that say nothing are left out: a window that was passed, and a
    secret call, which the words that open it name.
    """
    line, said = call_line(game, turn), game.sentences(turn)
    line = f"{line} ({remark})" if line and remark else line
    secret = _was_secret(game, turn)
    if not everything and (secret or _was_passed(game, turn)):
        line = "dice" if turn.faces else None
        if said and (turn.faces or secret):
            line, said = said[0].rstrip("."), said[1:]
    if line:
        for one in _with_dice(f"- {line}", dice_words(game, turn)):
            echo(one)
    for sentence in said:
        echo(f"  {sentence}")


@dataclass
class PlayByPlay:
    """Tells turn after turn, each play under its heading, once there is a line to tell of it."""

    echo: Echo
    waiting: str | None = None  # the heading of a play of which nothing was told yet
    last: str | None = None

    def tell(self, game: Game, turn: Turn, everything: bool = False, remark: str = "") -> None:
        """The next turn."""
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
    """The whole play-by-play: each play under its period, clock, score, down and distance."""
    telling = PlayByPlay(echo)
    for turn in game.turns:
        telling.tell(game, turn, everything)


def print_position_id(game: Game, echo: Echo) -> None:
    """Where a game stands that is not over, as a line for commands that take a position."""
    found = None if game.is_over else position_id_of(game)
    if found is not None:
        echo(f"position {found}")


def position_id_of(game: Game) -> str | None:
    """The ID of the position, if it has one."""
    return Ids(game.rules, game.options).if_any(game.position)


# --- Figures ------------------------------------------------------------------------------


@by_name
def score_rows(game: Game) -> list[list[str]]:
    """The scoring summary: team, period, clock, the score then, and how."""
    words = game.rules.words
    return [
        [
            NAMES[one.team],
            words.period(one.period),
            words.time(one.clock),
            f"{one.score[0]}-{one.score[1]}",
            one.how,
        ]
        for one in summary.scores(game)
    ]


@by_name
def drive_rows(game: Game) -> list[list[str]]:
    """The drive list."""
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
    """The final score, the box score by team, the scores and the drive list."""
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
